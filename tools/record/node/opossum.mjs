// opossum: https://www.npmjs.com/package/opossum

import CircuitBreaker from 'opossum';

/** A breaker with a vector's settings. An absent `timeout` means none, since few vectors are about it. */
export function create(settings) {
  const breaker = new CircuitBreaker((action) => action(), { timeout: false, ...settings });
  return {
    fire: (action) => breaker.fire(action),
    state: () => (breaker.halfOpen ? 'half_open' : breaker.opened ? 'open' : 'closed'),
    dispose: () => breaker.shutdown(),
  };
}

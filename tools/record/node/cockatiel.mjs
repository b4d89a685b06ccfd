// cockatiel: https://www.npmjs.com/package/cockatiel

import {
  CircuitState,
  ConsecutiveBreaker,
  CountBreaker,
  ExponentialBackoff,
  IterableBackoff,
  SamplingBreaker,
  circuitBreaker,
  handleAll,
  noJitterGenerator,
} from 'cockatiel';

const STATES = new Map([
  [CircuitState.Closed, 'closed'],
  [CircuitState.Open, 'open'],
  [CircuitState.HalfOpen, 'half_open'],
]);

function breakerOf({ kind, duration_ms: duration, ...options }) {
  switch (kind) {
    case 'ConsecutiveBreaker':
      return new ConsecutiveBreaker(options.threshold);
    case 'CountBreaker':
      return new CountBreaker(options);
    case 'SamplingBreaker':
      return new SamplingBreaker({ ...options, duration });
    default:
      throw new Error(`unknown breaker ${kind}`);
  }
}

function halfOpenAfterOf({ halfOpenAfter_ms: constant, halfOpenAfter: backoff }) {
  switch (backoff?.kind) {
    case undefined:
      return constant;
    case 'ExponentialBackoff_noJitter':
      return new ExponentialBackoff({
        generator: noJitterGenerator,
        initialDelay: backoff.initialDelay_ms,
        maxDelay: backoff.maxDelay_ms,
        exponent: backoff.exponent,
      });
    case 'IterableBackoff':
      return new IterableBackoff(backoff.durations_ms.split(',').map(Number));
    default:
      throw new Error(`unknown back-off ${backoff.kind}`);
  }
}

/** A policy with a vector's settings in which every error is a failure. */
export function create(settings) {
  const policy = circuitBreaker(handleAll, {
    halfOpenAfter: halfOpenAfterOf(settings),
    breaker: breakerOf(settings.breaker),
  });
  return {
    fire: (action) => policy.execute(action),
    state: () => STATES.get(policy.state),
    dispose: () => {},
  };
}

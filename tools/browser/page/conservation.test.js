import assert from "node:assert/strict";
import { test } from "node:test";

import { useLab } from "../support/lab.js";
import { instants, look } from "../support/page.js";

const lab = useLab();

/** Runs with every kind of outcome: the scheduled outage, a shaky dependency, edits on the way, and a breaker at which requests wait. */
const RUNS = [
  { fragment: "seed=1", body: { seed: 1 } },
  {
    fragment: "seed=7&schedule=manual&dependency_errors_percent=40&requests_per_second=25&response_time=1.3",
    body: { seed: 7, settings: { schedule: "manual", dependency_errors_percent: 40, requests_per_second: 25, response_time: 1.3 } },
  },
  {
    fragment: "seed=3&edit=12000000000~breaker_enabled~false&edit=20000000000~breaker_enabled~true&edit=33000000000~break_service",
    body: {
      seed: 3,
      interventions: [
        { at: 12, key: "breaker_enabled", value: false },
        { at: 20, key: "breaker_enabled", value: true },
        { at: 33, key: "break_service" },
      ],
    },
  },
  {
    fragment: "seed=1&rule.kind=cockatiel&rule.halfOpenAfter=2000",
    body: { seed: 1, settings: { rule: { kind: "cockatiel", halfOpenAfter: 2000, "breaker.kind": "ConsecutiveBreaker", "breaker.threshold": 5 } } },
    waits: true,
  },
];

for (const [index, { fragment, body, waits = false }] of RUNS.entries()) {
  test(`both balances hold at 50 random instants, with the server's counts: run ${index + 1}`, async () => {
    const page = await lab.open(`${fragment}&at=90000000000`);
    const { counters: columns, final, requests } = await lab.ask("/api/run", body);
    assert.equal(requests.some((/** @type {any} */ one) => one.began_ns > one.created_ns), waits, "some requests wait at the breaker");
    for (const instant of instants(50, 90, 20_260_731 + index)) {
      const tenths = Math.round(instant * 10);
      const { counters, balances, numbers } = await look(page, tenths / 10);
      assert.deepEqual(counters, serversCounts(columns, tenths * 1e8), `at ${tenths / 10} s`);
      const { generated, succeeded, failed, rejected, inFlight } = counters;
      assert.equal(generated, succeeded + failed + rejected + inFlight);
      assert.deepEqual(balances, ["true", "true"], `at ${tenths / 10} s`);
      assert.deepEqual(numbers, [
        [generated, succeeded, failed, rejected, inFlight],
        [generated - rejected, succeeded, failed, inFlight],
      ]);
    }
    const { attempted, in_flight: inFlight, ...rest } = final;
    const end = await look(page, 90);
    assert.deepEqual(end.counters, { ...rest, inFlight });
    assert.equal(end.numbers[1][0], attempted);
    await page.done();
  });
}

/** The server's own ledger just before an instant. @param {any} columns @param {number} at */
function serversCounts(columns, at) {
  const row = columns.at_ns.filter((/** @type {number} */ each) => each < at).length - 1;
  const { at_ns: _, in_flight: inFlight, ...rest } = Object.fromEntries(Object.entries(columns).map(([key, values]) => [key, row < 0 ? 0 : /** @type {any} */ (values)[row]]));
  return { ...rest, inFlight };
}

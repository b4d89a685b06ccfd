/** A run of the slot pool with its two flows, and the counts at any instant. */

import { pick, rowAt } from "./columns.js";
import { Recording, sharedParts } from "./recording.js";
import { countBelow, countWhile } from "./search.js";
import { holders, places } from "./slot-places.js";

/** @typedef {import("./columns.js").Row} Row */

export class PoolHistory extends Recording {
  /** @param {any} answer of `POST /api/pool` or `POST /api/sweep/run` */
  constructor(answer) {
    const { regimes, horizon_ns: horizon } = answer;
    const health = regimes.map((/** @type {any} */ regime, /** @type {number} */ index) => ({
      from: regime.at_ns,
      to: regimes[index + 1]?.at_ns ?? horizon,
      failing: regime.failure_percent / 100,
      label: regime.name,
      normal: regime.name === regimes[0].name,
    }));
    super({ ...sharedParts(answer), health });
    this.answer = answer;
    this.slots = answer.slots;
    /** @type {import("./slot-places.js").Place[]} */
    this.places = places(holdsOf(answer), answer.slots);
    /** Requests that got no call, by the time at which they were turned away. */
    this.rejected = times(answer.dependency_requests, "rejected");
    this.dependencyLost = times(answer.dependency_requests, "no_slot");
    this.neighbourLost = times(answer.neighbour_requests, "no_slot");
  }

  /** The counters just before `t`. @param {number} t @returns {Row} */
  countsAt(t) {
    return rowAt(this.answer.counters, t);
  }

  /** The slots in use just before `t`, by who holds them. @param {number} t @returns {Row} */
  occupancyAt(t) {
    return rowAt(this.answer.slots_in_use, t);
  }

  /** What each square of the picture shows just before `t`: "D", "N", "R" or "". @param {number} t @returns {string[]} */
  squaresAt(t) {
    let answering = this.occupancyAt(t).rejection;
    return holders(this.places, t).map((by) => {
      if (by !== "" || answering === 0) return by;
      answering -= 1;
      return "R";
    });
  }

  /**
   * How many of the ascending `at` lie in the `window` before `t`.
   * @param {number[]} at
   * @param {number} t
   * @param {number} window nanoseconds
   */
  recent(at, t, window) {
    return countBelow(at, t) - countBelow(at, t - window);
  }

  /**
   * The occupancy in `columns` equal parts of the run: in each, the fullest instant.
   * @param {number} columns
   * @returns {Row[]}
   */
  profile(columns) {
    const { at_ns: at, in_use: inUse } = this.answer.slots_in_use;
    return Array.from({ length: columns }, (_, column) => {
      const until = ((column + 1) * this.horizon) / columns;
      const first = Math.max(0, countBelow(at, (column * this.horizon) / columns) - 1);
      const last = countWhile(at.length, (index) => at[index] < until);
      let fullest = first;
      for (let index = first; index < last; index += 1) if (inUse[index] > inUse[fullest]) fullest = index;
      return last === 0 ? rowAt(this.answer.slots_in_use, 0) : pick(this.answer.slots_in_use, fullest);
    });
  }
}

/** @param {any} answer @returns {import("./slot-places.js").Hold[]} */
function holdsOf({ dependency_requests: dependency, neighbour_requests: neighbour }) {
  const held = (/** @type {any[]} */ requests, /** @type {"D" | "N"} */ by) =>
    requests
      // One that waits at the breaker, `began_ns` null, is in flight without a slot.
      .filter(({ result, began_ns: began }) => result !== "rejected" && result !== "no_slot" && began !== null)
      .map((one) => ({ from: one.began_ns ?? one.created_ns, to: one.ended_ns ?? Infinity, by }));
  return [...held(dependency, "D"), ...held(neighbour, "N")];
}

/** @param {any[]} requests @param {string} result @returns {number[]} */
function times(requests, result) {
  return requests.filter((one) => one.result === result).map((one) => one.created_ns);
}

/** A run of the live experiment: its requests, and the counts at any instant. */

import { Recording, sharedParts } from "./recording.js";
import { countBelow } from "./search.js";

/**
 * A request as the server tells it.
 * @typedef {object} Request
 * @property {number} id
 * @property {number} created_ns
 * @property {"admitted" | "rejected" | "bypassed" | "waiting"} answer waiting: at the breaker, still at the run's end
 * @property {boolean} probe
 * @property {"success" | "failure"} fate
 * @property {number | null} [began_ns] when its call began: later than its creation if it waited at the breaker
 * @property {number | null} due_ns when its call completes, also after the run's end; null if it never began
 * @property {number | null} ended_ns when it completed or was turned away
 */

/**
 * @typedef {object} Counts
 * @property {number} generated
 * @property {number} succeeded
 * @property {number} failed
 * @property {number} rejected
 * @property {number} inFlight counted call by call, not by subtraction, so that conservation is a check, no definition
 * @property {number} attempted calls that were started
 * @property {number} probes
 */

export class RunHistory extends Recording {
  /** @param {any} answer of `POST /api/run` */
  constructor(answer) {
    const health = answer.dependency.map((/** @type {any} */ span) => ({
      from: span.from_ns,
      to: span.to_ns,
      failing: span.errors_percent / 100,
      label: "",
      normal: span.errors_percent === 0,
    }));
    super({ ...sharedParts(answer), health });
    this.input = answer.input;
    /** @type {Request[]} */
    this.requests = answer.requests;
    this.created = this.requests.map((request) => request.created_ns);
    /** When each left the page's sight: its call is due, or it was turned away; one that waits never does. */
    this.left = this.requests.map(leaves);
    const created = (/** @type {Request} */ request) => request.created_ns;
    const ends = (/** @type {Request} */ { due_ns: due, fate }, /** @type {string} */ wanted) => due !== null && fate === wanted;
    const isRejected = (/** @type {Request} */ { answer }) => answer === "rejected";
    this.notRejectedAt = times(this.requests, (one) => !isRejected(one), created);
    this.waitedInVain = this.requests.filter((one) => isRejected(one) && leaves(one) > one.created_ns);
    this.rejectedAt = times(this.requests, isRejected, leaves);
    this.probeAt = times(this.requests, (one) => one.probe, beginning);
    this.succeededAt = times(this.requests, (one) => ends(one, "success"), leaves);
    this.failedAt = times(this.requests, (one) => ends(one, "failure"), leaves);
    /** The longest way: what arrived longer before an instant than this is no longer under way. */
    this.longest = this.left.reduce((most, left, index) => Math.max(most, Math.min(left, this.horizon) - this.created[index]), 0);
  }

  /** @param {number} t @returns {Counts} */
  countsAt(t) {
    return {
      generated: countBelow(this.created, t),
      succeeded: countBelow(this.succeededAt, t),
      failed: countBelow(this.failedAt, t),
      rejected: countBelow(this.rejectedAt, t),
      inFlight: this.recentAt(t).filter((one) => one.answer !== "rejected" || leaves(one) > one.created_ns).length,
      attempted: countBelow(this.notRejectedAt, t) + this.waitedInVain.filter((one) => one.created_ns < t && leaves(one) >= t).length,
      probes: countBelow(this.probeAt, t),
    };
  }

  /**
   * The requests that may still be seen at `t`: calls under way, and what ended at most `linger` before.
   * @param {number} t
   * @param {number} [linger] nanoseconds
   * @returns {Request[]}
   */
  recentAt(t, linger = 0) {
    const from = countBelow(this.created, t - this.longest - linger);
    return this.requests.slice(from, countBelow(this.created, t)).filter((one) => leaves(one) + linger >= t);
  }
}

/** When a request's call began, or would have. @param {Request} request */
export function beginning({ began_ns: began, created_ns: created }) {
  return began ?? created;
}

/** When a request's call is due or it was turned away. @param {Request} request */
export function leaves({ answer, created_ns: created, due_ns: due, ended_ns: ended }) {
  if (due !== null) return due;
  return answer === "waiting" ? Infinity : (ended ?? created);
}

/**
 * @param {Request[]} requests
 * @param {(request: Request) => boolean} counts
 * @param {(request: Request) => number} time
 */
function times(requests, counts, time) {
  return Float64Array.from(requests.filter(counts), time).sort();
}

/**
 * The two balances that hold at every instant.
 * @param {Counts} counts
 */
export function conservation(counts) {
  const accounted = counts.succeeded + counts.failed + counts.rejected + counts.inFlight;
  const attempted = counts.succeeded + counts.failed + counts.inFlight;
  return { accounted, attempted, holds: counts.generated === accounted && counts.attempted === attempted };
}

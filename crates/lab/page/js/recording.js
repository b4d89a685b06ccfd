/**
 * What every kind of run tells about itself: the breaker's states, the dependency's health and the trace. All times are
 * integer nanoseconds from the run's start. The instant t shows what happened strictly before t: at 0 nothing has
 * happened yet, at the horizon the run is whole, and an edit at t changes nothing of what t shows.
 */

import { countWhile } from "./search.js";

/**
 * @typedef {"closed" | "open" | "half_open" | "bypassed"} State
 * @typedef {{from: number, to: number, state: State}} StateSpan
 * @typedef {object} HealthSpan
 * @property {number} from
 * @property {number} to
 * @property {number} failing the share of calls that fail
 * @property {string} label
 * @property {boolean} normal as it always is, though a call may fail now and then
 * @typedef {{at: number, kind: string, request: number | null, text: string}} Sentence
 * @typedef {{at: number, from: State, to: State, cause: string, why: string}} Transition
 */

/**
 * The span in force just before `t`; at 0 the first one.
 * @template {{from: number}} T
 * @param {T[]} spans contiguous, ascending
 * @param {number} t
 * @returns {T}
 */
export function spanAt(spans, t) {
  const begun = countWhile(spans.length, (index) => spans[index].from < t);
  return spans[Math.max(0, begun - 1)];
}

export class Recording {
  /**
   * @param {object} parts
   * @param {number} parts.horizon
   * @param {StateSpan[]} parts.states contiguous from 0 to the horizon
   * @param {HealthSpan[]} parts.health contiguous from 0 to the horizon
   * @param {Transition[]} parts.transitions ascending
   * @param {Sentence[]} parts.trace ascending
   */
  constructor({ horizon, states, health, transitions, trace }) {
    this.horizon = horizon;
    this.states = states;
    this.health = health;
    this.transitions = transitions;
    this.trace = trace;
  }

  /** The state that the breaker is in at `t`; what an edit at `t` made of it shows at once. @param {number} t @returns {State} */
  stateAt(t) {
    const edit = this.transitions.find(({ at, cause }) => at === t && cause === "intervention");
    return edit?.to ?? spanAt(this.states, t).state;
  }

  /** The health that a request at `t` meets. @param {number} t */
  healthAt(t) {
    return spanAt(this.health, Math.min(t + 1, this.horizon));
  }

  /** How many of the trace's sentences are known at `t`. @param {number} t */
  sentencesBefore(t) {
    return countWhile(this.trace.length, (index) => this.trace[index].at < t);
  }

  /** How many transitions are known at `t`. @param {number} t */
  transitionsBefore(t) {
    return countWhile(this.transitions.length, (index) => this.transitions[index].at < t);
  }

  /**
   * When the open breaker's cooldown ends, if it is open at `t` and a timer will end it within the run.
   * @param {number} t
   * @returns {{from: number, to: number} | null}
   */
  cooldownAt(t) {
    const span = spanAt(this.states, t);
    if (span.state !== "open") return null;
    const next = this.transitions[countWhile(this.transitions.length, (index) => this.transitions[index].at < span.to)];
    return next?.at === span.to && next.cause === "timer" ? { from: span.from, to: span.to } : null;
  }
}

/**
 * The parts that the server writes alike for every kind of run.
 * @param {any} answer
 */
export function sharedParts(answer) {
  return {
    horizon: answer.horizon_ns,
    states: answer.states.map((/** @type {any} */ span) => ({ from: span.from_ns, to: span.to_ns, state: span.state })),
    transitions: answer.transitions.map((/** @type {any} */ one) => ({ ...one, at: one.at_ns })),
    trace: answer.trace.map((/** @type {any} */ one) => ({ ...one, at: one.at_ns })),
  };
}

/**
 * Where each request is on its way at an instant. The way is desk (0) → breaker (1) → dependency (2) and back. A call
 * is drawn between desk and breaker from its arrival on, and its result reaches the breaker exactly when the call
 * completes, so that the gate moves when the result that moves it arrives. What ended lingers for a moment, to be seen.
 */

import { beginning, leaves } from "./run-history.js";

/** How long a leg is drawn at most, in nanoseconds: slow calls spend the rest of their time at the dependency. */
const APPROACH = 150_000_000;
const LEG = 300_000_000;
/** How long a rejection and a delivered result stay visible. */
const REJECTION = 650_000_000;
const DELIVERY = 200_000_000;
/** Where a request stands in front of the gate. */
const GATE = 0.82;

/**
 * @typedef {"request" | "probe" | "response" | "failure" | "probe-response" | "probe-failure" | "rejection"} Kind
 *
 * @typedef {object} Move
 * @property {number} id of the request
 * @property {Kind} kind
 * @property {number} x 0 at the desk, 1 at the breaker, 2 at the dependency
 * @property {number} fall 0 on the way, growing to 1 while a turned-away request falls from it
 * @property {boolean} back on the way back
 * @property {boolean} waiting at the dependency
 * @property {number} opacity
 */

/**
 * Everything on its way at `t`, oldest first.
 * @param {import("./run-history.js").RunHistory} history
 * @param {number} t
 * @returns {Move[]}
 */
export function moves(history, t) {
  /** @type {Move[]} */
  const found = [];
  for (const request of history.recentAt(t, REJECTION)) {
    const move = moveOf(request, t);
    if (move) found.push(move);
  }
  return found;
}

/**
 * @param {import("./run-history.js").Request} request
 * @param {number} t
 * @returns {Move | null}
 */
function moveOf(request, t) {
  const since = t - request.created_ns;
  const begun = beginning(request);
  const decided = request.due_ns === null ? leaves(request) : begun;
  // Until the breaker has decided it goes to the gate, and if that takes longer waits in front of it.
  if (decided > request.created_ns && t <= decided) return { ...still(request.id), kind: "request", x: Math.min(1, since / APPROACH) * GATE };
  if (request.due_ns === null) return rejected(request.id, since, t - decided);
  return called(request, t - begun, request.due_ns - begun, begun > request.created_ns);
}

/** @param {number} id */
function still(id) {
  return { id, fall: 0, back: false, waiting: false, opacity: 1 };
}

/**
 * @param {import("./run-history.js").Request} request
 * @param {number} since its call began
 * @param {number} hold how long the call takes
 * @param {boolean} atGate it has waited, and starts at the gate
 * @returns {Move | null}
 */
function called({ id, probe, fate }, since, hold, atGate) {
  const move = { ...still(id), kind: /** @type {Kind} */ (probe ? "probe" : "request") };
  const approach = Math.min(APPROACH, hold * 0.2);
  const leg = Math.min(LEG, hold * 0.3);
  const left = hold - since;
  if (since < approach) return { ...move, x: atGate ? GATE + (1 - GATE) * (since / approach) : since / approach };
  if (since < approach + leg) return { ...move, x: 1 + (since - approach) / leg };
  if (left > leg) return { ...move, x: 2, waiting: true };

  move.kind = fate === "failure" ? (probe ? "probe-failure" : "failure") : probe ? "probe-response" : "response";
  move.back = true;
  if (left > 0) return { ...move, x: 1 + left / leg };
  const delivered = -left / DELIVERY;
  return delivered < 1 ? { ...move, x: 1 - delivered, opacity: 1 - delivered ** 3 } : null;
}

/**
 * A rejected request reaches the gate, and falls.
 * @param {number} id
 * @param {number} since its arrival
 * @param {number} sinceDecided the breaker's answer
 * @returns {Move | null}
 */
function rejected(id, since, sinceDecided) {
  if (since < APPROACH) return { ...still(id), kind: "request", x: (since / APPROACH) * GATE };
  const fall = Math.min(since - APPROACH, sinceDecided) / (REJECTION - APPROACH);
  return fall < 1 ? { ...still(id), kind: "rejection", x: GATE - 0.22 * fall, fall, opacity: 1 - fall ** 2 } : null;
}

/** The marks of the diagram: a shape and a sign for every kind of message, so that none is known by its colour alone. */

import { html, svg } from "./dom.js";

const CIRCLE = "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0";
const SQUARE = "M-7.500 -7.500h15v15h-15z";
const DIAMOND = "M0 -10.500 10.500 0 0 10.500 -10.500 0z";
const TRIANGLE = "M-9.500 -7.500h19L0 9.500z";

const ARROW = "M-2 -3.500 2 0 -2 3.500";
const TICK = "M-3.600 0.300 -0.900 3 3.800 -2.800";
const CROSS = "M-3 -3 3 3M3 -3 -3 3";
const DASH = "M-4 -3h8";
const QUESTION = "M-2.200 -2.300a2.300 2.300 0 1 1 2.700 2.300v1.300M0.400 4.400v0.010";

/** @type {Record<import("./moves.js").Kind, [shape: string, sign: string, meaning: string]>} */
const MARKS = {
  request: [CIRCLE, ARROW, "request"],
  response: [CIRCLE, TICK, "response"],
  failure: [SQUARE, CROSS, "failure"],
  rejection: [TRIANGLE, DASH, "fast rejection"],
  probe: [DIAMOND, QUESTION, "probe"],
  "probe-response": [DIAMOND, TICK, "probe succeeded"],
  "probe-failure": [DIAMOND, CROSS, "probe failed"],
};

/** A mark, centred on the origin. @param {import("./moves.js").Kind} kind */
export function mark(kind) {
  const [shape, sign] = MARKS[kind];
  return svg("g", { class: `mark mark-${kind}` }, svg("path", { class: "shape", d: shape }), svg("path", { class: "sign", d: sign }));
}

/** A mark by itself, for a legend or a heading. @param {import("./moves.js").Kind} kind */
export function icon(kind, size = 20) {
  return svg("svg", { viewBox: "-11 -11 22 22", width: size, height: size, "aria-hidden": true }, mark(kind));
}

/** Fills the legend of the request's way. @param {Element} list */
export function drawLegend(list) {
  const kinds = /** @type {import("./moves.js").Kind[]} */ (Object.keys(MARKS));
  list.replaceChildren(...kinds.map((kind) => html("li", {}, icon(kind), MARKS[kind][2])));
}

/** Fills the legend of the slot pool. @param {Element} list */
export function drawPoolLegend(list) {
  const slots = [["D", "call to the dependency"], ["N", "neighbour’s request"], ["R", "saying no"], ["", "free slot"]];
  list.replaceChildren(
    ...slots.map(([by, meaning]) => html("li", {}, slotIcon(by), meaning)),
    html("li", {}, icon("rejection"), "turned away by the breaker"),
    html("li", {}, icon("failure"), "found no slot"),
  );
}

/** @param {string} by */
function slotIcon(by) {
  const square = svg("rect", { x: 1, y: 1, width: 18, height: 18, rx: 3.5 });
  return svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": true }, svg("g", { class: "slot", "data-by": by }, square, svg("text", { x: 10, y: 15 }, by)));
}

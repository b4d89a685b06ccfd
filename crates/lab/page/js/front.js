/** The front of a sweep as a scatter: every point is a design, to be chosen with the pointer or the arrow keys. */

import { axis } from "./axis.js";
import { svg, tableScroller } from "./dom.js";
import { short } from "./words.js";

const WIDTH = 720;
const HEIGHT = 380;
const PLOT = { left: 64, right: 36, top: 14, bottom: 52 };
/** A shape per family of rules, so that none is known by its colour alone. */
const SHAPES = ["M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0", "M-5.500 -5.500h11v11h-11z", "M0 -7.500 7.500 0 0 7.500 -7.500 0z", "M0 -7 7 5.500H-7z", "M-6.500 -2.200h4.300v-4.300h4.400v4.300h4.300v4.400h-4.300v4.300h-4.400v-4.300h-4.300z"];

/**
 * @typedef {object} Point
 * @property {number} design
 * @property {string} label
 * @property {string} rule
 * @property {number} x
 * @property {number | null} x_lo
 * @property {number | null} x_hi
 * @property {number} y
 * @property {number | null} y_lo
 * @property {number | null} y_hi
 */

export class Front {
  /** @param {Element} container @param {(design: number) => void} chosen */
  constructor(container, chosen) {
    this.container = container;
    this.chosen = chosen;
    /** @type {Map<number, SVGElement>} */
    this.marks = new Map();
  }

  /** @param {any} front as the server tells it */
  show(front) {
    /** @type {Point[]} */
    const points = [...front.points].sort((a, b) => a.x - b.x || a.y - b.y);
    const horizontal = axis(points.flatMap(({ x, x_hi: hi }) => [x, hi ?? x]));
    const vertical = axis(points.flatMap(({ y, y_hi: hi }) => [y, hi ?? y]));
    const at = (/** @type {number} */ x, /** @type {number} */ y) => [left(horizontal.place(x)), up(vertical.place(y))];
    const names = axisNames(front);
    const rules = [...new Set(points.map(({ rule }) => rule))];
    this.marks.clear();
    const intervals = points.map((point) => svg("path", { class: "interval", d: intervalOf(point, at) }));
    points.forEach((point, index) => this.marks.set(point.design, this.mark(point, at(point.x, point.y), rules.indexOf(point.rule), index === 0)));
    const chart = svg(
      "svg",
      { class: "front", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "listbox", "aria-label": `${names.y} against ${names.x}: ${points.length} designs` },
      ...grid(horizontal, vertical),
      svg("text", { x: (WIDTH + PLOT.left) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, names.x),
      ...intervals,
      ...this.marks.values(),
    );
    chart.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.move(event, points));
    this.container.replaceChildren(legend(rules, names.y), tableScroller("The front", chart));
  }

  /** @param {Point} point @param {number[]} place @param {number} rule @param {boolean} first */
  mark(point, [x, y], rule, first) {
    const interval = point.y_lo === null || point.y_hi === null ? "" : ` (${short(point.y_lo)} to ${short(point.y_hi)})`;
    const says = `${point.label}: ${short(point.x)}, ${short(point.y)}${interval}`;
    const node = svg(
      "path",
      { class: "point", d: SHAPES[rule % SHAPES.length], transform: `translate(${x} ${y})`, "data-rule": rule % 5, "data-design": point.design, role: "option", "aria-selected": "false", "aria-label": says, tabindex: first ? 0 : -1 },
      svg("title", {}, says),
    );
    node.addEventListener("click", () => this.chosen(point.design));
    return node;
  }

  /** @param {KeyboardEvent} event @param {Point[]} points */
  move(event, points) {
    const here = points.findIndex(({ design }) => this.marks.get(design) === event.target);
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (here < 0) return;
    if (event.key === "Enter" || event.key === " ") this.chosen(points[here].design);
    else if (by !== undefined) this.focus(points[Math.max(0, Math.min(points.length - 1, here + by))].design);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} design */
  focus(design) {
    for (const node of this.marks.values()) node.setAttribute("tabindex", "-1");
    this.marks.get(design)?.setAttribute("tabindex", "0");
    this.marks.get(design)?.focus();
  }

  /** Marks the design that is chosen, if it is on this front. @param {number} design */
  choose(design) {
    for (const [each, node] of this.marks) {
      node.classList.toggle("chosen", each === design);
      node.setAttribute("aria-selected", String(each === design));
    }
    const chosen = this.marks.get(design);
    if (!chosen) return;
    for (const node of this.marks.values()) node.setAttribute("tabindex", "-1");
    chosen.setAttribute("tabindex", "0");
  }
}

/** What the axes show, with the mode each is measured in. @param {any} front */
export function axisNames({ x_label: x, x_mode: xMode, y_label: y, y_mode: yMode }) {
  const name = (/** @type {string} */ label, /** @type {string} */ mode) => `${label[0].toUpperCase()}${label.slice(1)} (${mode})`;
  return { x: name(x, xMode), y: name(y, yMode) };
}

/** @param {number} share */
function left(share) {
  return PLOT.left + share * (WIDTH - PLOT.left - PLOT.right);
}

/** @param {number} share */
function up(share) {
  return HEIGHT - PLOT.bottom - share * (HEIGHT - PLOT.top - PLOT.bottom);
}

/** @param {Point} point @param {(x: number, y: number) => number[]} at */
function intervalOf(point, at) {
  const ends = [];
  if (point.x_lo !== null && point.x_hi !== null) ends.push(`M${at(point.x_lo, point.y)}L${at(point.x_hi, point.y)}`);
  if (point.y_lo !== null && point.y_hi !== null) ends.push(`M${at(point.x, point.y_lo)}L${at(point.x, point.y_hi)}`);
  return ends.join("");
}

/** @param {import("./axis.js").Axis} horizontal @param {import("./axis.js").Axis} vertical */
function grid(horizontal, vertical) {
  const across = vertical.ticks.flatMap((tick) => {
    const y = up(vertical.place(tick));
    return [svg("path", { class: "grid", d: `M${PLOT.left} ${y}H${WIDTH - PLOT.right}` }), svg("text", { x: PLOT.left - 8, y: y + 4, "text-anchor": "end" }, short(tick))];
  });
  const down = horizontal.ticks.flatMap((tick) => {
    const x = left(horizontal.place(tick));
    return [svg("path", { class: "grid", d: `M${x} ${PLOT.top}V${HEIGHT - PLOT.bottom}` }), svg("text", { x, y: HEIGHT - PLOT.bottom + 20, "text-anchor": "middle" }, short(tick))];
  });
  return [...across, ...down, svg("path", { class: "axis", fill: "none", d: `M${PLOT.left} ${PLOT.top}V${HEIGHT - PLOT.bottom}H${WIDTH - PLOT.right}` })];
}

/** The vertical axis's name and the families' shapes. @param {string[]} rules @param {string} label */
function legend(rules, label) {
  const items = rules.map((rule, index) => {
    const shape = svg("path", { class: "point", d: SHAPES[index % SHAPES.length], "data-rule": index % 5 });
    const item = document.createElement("li");
    item.append(svg("svg", { class: "front-mark", viewBox: "-8 -8 16 16", width: 15, height: 15, "aria-hidden": true }, shape), rule);
    return item;
  });
  const list = document.createElement("ul");
  list.className = "legend";
  const name = document.createElement("li");
  name.textContent = `↑ ${label}`;
  list.append(name, ...items);
  return list;
}

/** The front of a sweep as a scatter: every point is a design, to be chosen with the pointer or the arrow keys. */

import { axis } from "./axis.js";
import { svg, tableScroller } from "./dom.js";
import { short } from "./words.js";

const WIDTH = 720;
const HEIGHT = 380;
const PLOT = { left: 64, right: 36, top: 14, bottom: 52 };
/** Points down from a mark: the truth lies somewhere below. */
const ARROW = "M0 6v6M-3 12h6l-3 4.500z";

/**
 * How a family of rules is drawn: as in the sweep's figures, with a shape of its own, so that none is known by its colour alone.
 * @typedef {object} Family
 * @property {string} rule
 * @property {string} colour
 * @property {string} path
 */

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
 * @property {boolean} zero_events
 */

export class Front {
  /** @param {Element} container @param {(design: number) => void} chosen */
  constructor(container, chosen) {
    this.container = container;
    this.chosen = chosen;
    /** @type {Map<number, SVGElement>} */
    this.marks = new Map();
    /** @type {Map<string, Family>} */
    this.families = new Map();
  }

  /** @param {any} front as the server tells it @param {Family[]} families */
  show(front, families) {
    this.families = new Map(families.map((family) => [family.rule, family]));
    /** @type {Point[]} */
    const points = [...front.points].sort((a, b) => a.x - b.x || a.y - b.y);
    const horizontal = axis(points.flatMap(({ x, x_hi: hi }) => [x, hi ?? x]));
    const vertical = axis(points.flatMap((point) => [heightOf(point), point.y_hi ?? point.y]));
    const at = (/** @type {number} */ x, /** @type {number} */ y) => [left(horizontal.place(x)), up(vertical.place(y))];
    const names = axisNames(front);
    const drawn = families.filter(({ rule }) => points.some((point) => point.rule === rule));
    this.marks.clear();
    const intervals = points.map((point) => svg("path", { class: "interval", d: intervalOf(point, at) }));
    points.forEach((point, index) => this.marks.set(point.design, this.mark(point, at(point.x, heightOf(point)), index === 0)));
    const chart = svg(
      "svg",
      { class: "front", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "listbox", "aria-label": `${names.y} against ${names.x}: ${points.length} designs` },
      ...grid(horizontal, vertical),
      svg("text", { x: (WIDTH + PLOT.left) / 2, y: HEIGHT - 8, "text-anchor": "middle" }, names.x),
      ...intervals,
      ...this.marks.values(),
    );
    chart.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.move(event, points));
    this.container.replaceChildren(legend(drawn, names.y, points.some(unseen)), tableScroller("The front", chart));
  }

  /** @param {Point} point @param {number[]} place @param {boolean} first */
  mark(point, [x, y], first) {
    const says = `${point.label}: ${short(point.x)}, ${heightInWords(point)}`;
    const shape = shapeOf(this.families.get(point.rule), unseen(point));
    const node = svg(
      "path",
      { ...shape, transform: `translate(${x} ${y})`, "data-design": point.design, role: "option", "aria-selected": "false", "aria-label": says, tabindex: first ? 0 : -1 },
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

/** Whether no event was seen of what the vertical axis counts, which does not mean "never". @param {Point} point */
function unseen({ zero_events: none, y_hi: hi }) {
  return none && hi !== null;
}

/** Where a point is drawn: at its mean, or without any event at the upper end of its interval. @param {Point} point */
export function heightOf(point) {
  return unseen(point) && point.y_hi !== null ? point.y_hi : point.y;
}

/** @param {Point} point */
export function heightInWords(point) {
  if (unseen(point)) return `none seen, at most ${short(point.y_hi ?? 0)}`;
  return point.y_lo === null || point.y_hi === null ? short(point.y) : `${short(point.y)} (${short(point.y_lo)} to ${short(point.y_hi)})`;
}

/**
 * The attributes of a family's mark, hollow and with an arrow where no event was seen. Black is the page's ink, which is light on
 * a dark page.
 * @param {Family | undefined} family
 * @param {boolean} hollow
 * @returns {Record<string, string>}
 */
function shapeOf(family, hollow) {
  const { path, colour } = family ?? { path: "M-5 -5h10v10h-10z", colour: "#000000" };
  const attributes = { class: hollow ? "point unseen" : "point", d: hollow ? path + ARROW : path };
  return colour === "#000000" ? attributes : { ...attributes, color: colour };
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
  if (point.x_lo !== null && point.x_hi !== null) ends.push(`M${at(point.x_lo, heightOf(point))}L${at(point.x_hi, heightOf(point))}`);
  if (point.y_lo !== null && point.y_hi !== null && !unseen(point)) ends.push(`M${at(point.x, point.y_lo)}L${at(point.x, point.y_hi)}`);
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

/** The vertical axis's name and the families' shapes. @param {Family[]} families @param {string} label @param {boolean} hollow whether any mark is */
function legend(families, label, hollow) {
  const item = (/** @type {Record<string, string>} */ shape, /** @type {string} */ text) => {
    const entry = document.createElement("li");
    const size = shape.class === "point" ? { viewBox: "-8.500 -8.500 17 17", width: 15, height: 15 } : { viewBox: "-8.500 -8.500 17 27", width: 15, height: 24 };
    entry.append(svg("svg", { class: "front-mark", ...size, "aria-hidden": true }, svg("path", shape)), text);
    return entry;
  };
  const list = document.createElement("ul");
  list.className = "legend";
  const name = document.createElement("li");
  name.textContent = `↑ ${label}`;
  list.append(name, ...families.map((family) => item(shapeOf(family, false), family.rule)));
  if (hollow && families.length > 0) list.append(item(shapeOf(families[families.length - 1], true), "none seen, drawn at the upper bound"));
  return list;
}

/** The slot pool's diagram: two flows share one pool; the dependency's flow asks the breaker first. */

import { NANOS } from "./clock.js";
import { setAttribute, setText, svg } from "./dom.js";
import { mark } from "./marks.js";
import { healthTone, healthWord, stateSentence } from "./state-words.js";
import { whole } from "./words.js";

/** Losses stay visible for so long, in nanoseconds. */
const SEEN = NANOS / 10;
const TOP = 120;
const BOTTOM = 250;
const POOL = { left: 410, middle: 186, width: 300, height: 236, margin: 14 };

export class PoolDiagram {
  /** @param {Element} container */
  constructor(container) {
    this.desk = svg("text", { class: "soft middle", x: 110, y: TOP + 14 });
    this.neighbours = svg("text", { class: "soft middle", x: 110, y: BOTTOM + 14 });
    this.state = svg("text", { class: "state strong middle", x: 310, y: 48 });
    this.taken = svg("text", { class: "strong middle", x: 560, y: 48 });
    this.health = svg("text", { class: "state strong middle", x: 855, y: 48 });
    this.rejected = loss("rejection", 226, 176);
    this.dependencyLost = loss("failure", 226, 202);
    this.neighbourLost = loss("failure", 226, 292);
    this.grid = svg("g");
    this.pool = svg("rect", { class: "box", x: POOL.left, width: POOL.width, rx: 12 });
    /** @type {{group: SVGElement, letter: SVGElement}[]} */
    this.squares = [];
    this.service = svg(
      "g",
      {},
      svg("text", { class: "caption middle", x: 855, y: 26 }, "Dependency"),
      this.health,
      svg("rect", { class: "service-box", x: 780, y: 70, width: 150, height: 100, rx: 12 }),
    );
    this.inside = svg("text", { class: "soft middle", x: 855, y: TOP + 6 });
    this.gate = svg(
      "g",
      {},
      svg("text", { class: "caption middle", x: 310, y: 26 }, "Circuit breaker"),
      this.state,
      svg("path", { class: "bypass-wire", d: `M270 ${TOP}H350` }),
      svg("g", { transform: `translate(270 ${TOP})` }, svg("path", { class: "lever", d: "M0 0H80" })),
      svg("circle", { class: "pin", cx: 270, cy: TOP, r: 7 }),
      svg("circle", { class: "pin", cx: 350, cy: TOP, r: 7 }),
    );
    this.description = svg("desc", { id: "pool-desc" });
    const root = svg(
      "svg",
      { class: "diagram", viewBox: "0 0 960 326", role: "img", "aria-labelledby": "pool-name pool-desc" },
      svg("title", { id: "pool-name" }, "Two flows share one slot pool"),
      this.description,
      svg("rect", { class: "box", x: 24, y: TOP - 42, width: 172, height: 74, rx: 12 }),
      svg("rect", { class: "box", x: 24, y: BOTTOM - 42, width: 172, height: 74, rx: 12 }),
      svg("text", { class: "caption middle", x: 110, y: TOP - 10 }, "Dependency calls"),
      svg("text", { class: "caption middle", x: 110, y: BOTTOM - 10 }, "Neighbours"),
      this.desk,
      this.neighbours,
      svg("path", { class: "wire", d: `M196 ${TOP}H270M350 ${TOP}H398M710 ${TOP}H768M196 ${BOTTOM}H398` }),
      ...[398, 768].map((x) => svg("path", { class: "arrow", d: `M${x - 2} ${TOP - 7}l14 7l-14 7z` })),
      svg("path", { class: "arrow", d: `M396 ${BOTTOM - 7}l14 7l-14 7z` }),
      this.gate,
      svg("text", { class: "caption middle", x: 560, y: 26 }, "Slot pool"),
      this.taken,
      this.pool,
      this.grid,
      this.service,
      this.inside,
      this.rejected.root,
      this.dependencyLost.root,
      this.neighbourLost.root,
    );
    container.replaceChildren(root);
  }

  /** One square per slot. @param {number} slots */
  build(slots) {
    const columns = columnsFor(slots);
    const rows = Math.ceil(slots / columns);
    const pitch = Math.min((POOL.width - 2 * POOL.margin) / columns, (POOL.height - 2 * POOL.margin) / rows, 44);
    const side = pitch * 0.88;
    const left = POOL.left + (POOL.width - pitch * columns + pitch - side) / 2;
    const top = POOL.middle - (pitch * rows - pitch + side) / 2;
    // The box reaches both wires, however few rows there are.
    const height = Math.max(pitch * rows + 2 * POOL.margin, BOTTOM - TOP + 60);
    setAttribute(this.pool, "y", POOL.middle - height / 2);
    setAttribute(this.pool, "height", height);
    this.squares = Array.from({ length: slots }, (_, index) => {
      const x = left + (index % columns) * pitch;
      const y = top + Math.floor(index / columns) * pitch;
      const letter = svg("text", { x: x + side / 2, y: y + side / 2 + 4.5 });
      const square = svg("rect", { x, y, width: side, height: side, rx: side / 6 });
      return { group: svg("g", { class: "slot" }, square, ...(pitch > 18 ? [letter] : [])), letter };
    });
    this.grid.replaceChildren(...this.squares.map(({ group }) => group));
  }

  /** @param {import("./pool-history.js").PoolHistory} history @param {number} t */
  update(history, t) {
    if (this.squares.length !== history.slots) this.build(history.slots);
    const counts = history.countsAt(t);
    const { in_use: inUse } = history.occupancyAt(t);
    const health = history.healthAt(t);
    history.squaresAt(t).forEach((by, index) => {
      setAttribute(this.squares[index].group, "data-by", by);
      setText(this.squares[index].letter, by);
    });
    setAttribute(this.gate, "data-tone", history.stateAt(t));
    setAttribute(this.service, "data-tone", healthTone(health));
    setText(this.state, stateSentence(history, t));
    setText(this.health, healthWord(health));
    const full = inUse === history.slots ? ": full" : "";
    setText(this.taken, `${inUse} of ${history.slots} taken${full}`);
    setText(this.inside, `${counts.in_flight} calls under way`);
    setText(this.desk, `${whole(counts.requests)} so far`);
    setText(this.neighbours, `${whole(counts.neighbour_requests)} so far`);
    this.rejected.say(counts.rejected, "turned away", history.recent(history.rejected, t, SEEN));
    this.dependencyLost.say(counts.no_slot, "found no slot", history.recent(history.dependencyLost, t, SEEN));
    this.neighbourLost.say(counts.neighbour_no_slot, "found no slot", history.recent(history.neighbourLost, t, SEEN));
    setText(this.description, `${inUse} of ${history.slots} slots taken. ${whole(counts.neighbour_no_slot)} neighbours found no slot.`);
  }
}

/** As near to a square as full rows allow. @param {number} slots */
function columnsFor(slots) {
  const root = Math.ceil(Math.sqrt(slots));
  const even = Array.from({ length: root }, (_, more) => root + more).find((columns) => slots % columns === 0);
  return even ?? root;
}

/** A count of what was lost at a place, which stands out while it grows. @param {import("./moves.js").Kind} kind @param {number} x @param {number} y */
function loss(kind, x, y) {
  const text = svg("text", { x: 18, y: 5 });
  const root = svg("g", { transform: `translate(${x} ${y})` }, mark(kind), text);
  return {
    root,
    /** @param {number} count @param {string} what @param {number} now */
    say(count, what, now) {
      setText(text, `${whole(count)} ${what}`);
      setAttribute(text, "class", now > 0 ? "strong" : "soft");
      setAttribute(root, "opacity", now > 0 ? 1 : count > 0 ? 0.75 : 0);
    },
  };
}

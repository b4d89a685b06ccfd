/** The labelled diagram of one run: request desk → circuit breaker → dependency, with what is on its way. */

import { setAttribute, setText, svg } from "./dom.js";
import { mark } from "./marks.js";
import { moves } from "./moves.js";
import { reducedMotion } from "./motion.js";
import { STATES, healthTone, healthWord, stateSentence } from "./state-words.js";
import { short, whole } from "./words.js";

const OUT = 112;
const BACK = 156;
/** Where 0 (desk), 1 (breaker) and 2 (dependency) are, on the way out and back. */
const OUTWARD = [180, 430, 782];
const HOMEWARD = [180, 530, 782];
/** Places for calls that wait inside the dependency. */
const COLUMNS = 6;
const PLACES = 24;
let diagrams = 0;

export class Diagram {
  /** @param {Element} container @param {string} name for screen readers */
  constructor(container, name) {
    diagrams += 1;
    /** @type {Map<number, {kind: string, node: SVGElement}>} */
    this.drawn = new Map();
    this.title = svg("title", { id: `diagram-title-${diagrams}` }, name);
    this.description = svg("desc", { id: `diagram-desc-${diagrams}` });
    this.marks = svg("g");
    this.summary = svg("g", { class: "summary" });
    this.desk = this.buildDesk();
    this.gate = this.buildGate();
    this.service = this.buildService(`hatch-${diagrams}`);
    this.rejected = svg("text", { class: "soft middle", x: 345, y: 240 });
    const labelled = { role: "img", "aria-labelledby": `${this.title.id} ${this.description.id}` };
    this.root = svg(
      "svg",
      { class: "diagram", viewBox: "0 0 960 256", ...labelled },
      this.title,
      this.description,
      ...wires(),
      this.desk.root,
      this.gate.root,
      this.service.root,
      this.rejected,
      this.summary,
      this.marks,
    );
    container.replaceChildren(this.root);
  }

  buildDesk() {
    const load = svg("text", { class: "soft middle", x: 105, y: 48 });
    const generated = svg("text", { class: "soft middle", x: 105, y: 226 });
    const tickets = [0, 1, 2].map((index) => ticket(70 + 8 * index, 88 + 30 * index));
    const root = svg(
      "g",
      {},
      svg("text", { class: "caption middle", x: 105, y: 26 }, "Request desk"),
      load,
      svg("rect", { class: "box", x: 30, y: 66, width: 150, height: 138, rx: 12 }),
      ...tickets,
      generated,
    );
    return { root, load, generated };
  }

  buildGate() {
    const state = svg("text", { class: "state strong middle", x: 480, y: 48 });
    const cooldown = svg("rect", { class: "cooldown", x: 402, y: 188, width: 0, height: 6, rx: 3 });
    const root = svg(
      "g",
      {},
      svg("text", { class: "caption middle", x: 480, y: 26 }, "Circuit breaker"),
      state,
      svg("rect", { class: "gate-box", x: 385, y: 66, width: 190, height: 138, rx: 12, "fill-opacity": 0.55 }),
      svg("rect", { class: "cooldown-track", x: 402, y: 188, width: 156, height: 6, rx: 3 }),
      cooldown,
      svg("path", { class: "bypass-wire", d: `M430 ${OUT}H530` }),
      svg("g", { transform: `translate(430 ${OUT})` }, svg("path", { class: "lever", d: "M0 0H100" })),
      svg("circle", { class: "pin", cx: 430, cy: OUT, r: 7 }),
      svg("circle", { class: "pin", cx: 530, cy: OUT, r: 7 }),
    );
    return { root, state, cooldown };
  }

  /** @param {string} hatch id of the pattern */
  buildService(hatch) {
    const health = svg("text", { class: "state strong middle", x: 855, y: 48 });
    const attempted = svg("text", { class: "soft middle", x: 855, y: 226 });
    const more = svg("text", { class: "soft middle", x: 855, y: 197 });
    const lines = svg("path", { class: "hatch-line", d: "M0 0V10" });
    const turned = "rotate(45)";
    const root = svg(
      "g",
      {},
      svg("defs", {}, svg("pattern", { id: hatch, width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: turned }, lines)),
      svg("text", { class: "caption middle", x: 855, y: 26 }, "Dependency"),
      health,
      svg("rect", { class: "service-box", x: 780, y: 66, width: 150, height: 138, rx: 12 }),
      svg("rect", { class: "hatch", x: 780, y: 66, width: 150, height: 138, rx: 12, fill: `url(#${hatch})` }),
      more,
      attempted,
    );
    return { root, health, attempted, more };
  }

  /**
   * @param {import("./run-history.js").RunHistory} history
   * @param {number} t
   * @param {import("./experiment.js").Settings} settings in force at `t`
   */
  update(history, t, settings) {
    const counts = history.countsAt(t);
    const state = history.stateAt(t);
    const health = history.healthAt(t);
    const cooldown = history.cooldownAt(t);
    setAttribute(this.gate.root, "data-tone", state);
    setText(this.gate.state, stateSentence(history, t));
    setAttribute(this.gate.cooldown, "width", cooldown ? (156 * (t - cooldown.from)) / (cooldown.to - cooldown.from) : 0);
    setAttribute(this.service.root, "data-tone", healthTone(health));
    setText(this.service.health, healthWord(health));
    setText(this.service.attempted, `${whole(counts.attempted)} attempted`);
    setText(this.desk.load, `${short(Number(settings.requests_per_second))} per second`);
    setText(this.desk.generated, `${whole(counts.generated)} generated`);
    setText(this.rejected, counts.rejected > 0 ? `${whole(counts.rejected)} turned away` : "");
    setText(this.description, `Breaker ${STATES[state].word.toLowerCase()}; dependency ${healthWord(health).toLowerCase()}.`);
    const underWay = moves(history, t);
    if (reducedMotion()) this.summarise(underWay, counts);
    else this.draw(underWay);
  }

  /** @param {import("./moves.js").Move[]} underWay */
  draw(underWay) {
    this.summary.replaceChildren();
    const gone = new Set(this.drawn.keys());
    const crowded = underWay.length > 24;
    const waiting = underWay.filter((move) => move.waiting);
    // Of the calls that share a place inside the dependency, one is drawn; their number is told below.
    const shown = underWay.filter((move) => !move.waiting).concat(waiting.slice(-PLACES));
    for (const move of shown) {
      gone.delete(move.id);
      let drawn = this.drawn.get(move.id);
      if (drawn?.kind !== move.kind) {
        drawn?.node.remove();
        drawn = { kind: move.kind, node: mark(move.kind) };
        this.drawn.set(move.id, drawn);
        this.marks.append(drawn.node);
      }
      const [x, y] = place(move, crowded);
      setAttribute(drawn.node, "transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      setAttribute(drawn.node, "opacity", move.opacity.toFixed(2));
    }
    for (const id of gone) {
      this.drawn.get(id)?.node.remove();
      this.drawn.delete(id);
    }
    setText(this.service.more, waiting.length > PLACES ? `${waiting.length} waiting` : "");
  }

  /**
   * Without motion: how many are where, in place of marks that move.
   * @param {import("./moves.js").Move[]} underWay
   * @param {import("./run-history.js").Counts} counts
   */
  summarise(underWay, counts) {
    for (const { node } of this.drawn.values()) node.remove();
    this.drawn.clear();
    const probing = underWay.some((move) => move.kind === "probe");
    const turnedAway = underWay.filter((move) => move.kind === "rejection").length;
    const lines = [
      counts.inFlight > 0 && labelled(probing ? "probe" : "request", 620, OUT - 22, `${whole(counts.inFlight)} in flight`),
      counts.failed > 0 && labelled("failure", 620, BACK + 24, `${whole(counts.failed)} failed`),
      counts.succeeded > 0 && labelled("response", 222, BACK + 24, `${whole(counts.succeeded)} succeeded`),
      turnedAway > 0 && labelled("rejection", 222, OUT - 22, `${turnedAway} just now`),
    ].filter((line) => line !== false);
    this.summary.replaceChildren(...lines);
    setText(this.service.more, "");
  }

}

/** A request on the desk's pile. @param {number} x @param {number} y */
function ticket(x, y) {
  return svg("g", { transform: `translate(${x} ${y})` }, svg("rect", { class: "ticket", width: 56, height: 34, rx: 5 }), svg("path", { class: "inner", d: "M11 12h34M11 22h20" }));
}

/** The wires between the boxes, with the way that each is used. */
function wires() {
  return [
    svg("path", { class: "wire", d: `M180 ${OUT}H430M530 ${OUT}H768` }),
    svg("path", { class: "arrow", d: `M766 ${OUT - 7}l14 7l-14 7z` }),
    svg("path", { class: "wire return", d: `M780 ${BACK}H194` }),
    svg("path", { class: "arrow", d: `M196 ${BACK - 7}l-14 7l14 7z` }),
  ];
}

/** @param {import("./moves.js").Kind} kind @param {number} x @param {number} y @param {string} text */
function labelled(kind, x, y, text) {
  return svg("g", { transform: `translate(${x} ${y})` }, mark(kind), svg("text", { x: 16, y: 5 }, text));
}

/**
 * Where a move is drawn.
 * @param {import("./moves.js").Move} move
 * @param {boolean} crowded then the lanes are widened
 * @returns {[x: number, y: number]}
 */
function place(move, crowded) {
  if (move.waiting) {
    const spot = move.id % PLACES;
    return [798 + (spot % COLUMNS) * 23, 88 + Math.floor(spot / COLUMNS) * 26];
  }
  const stops = move.back ? HOMEWARD : OUTWARD;
  const leg = Math.min(1, Math.floor(move.x));
  const x = stops[leg] + (stops[leg + 1] - stops[leg]) * (move.x - leg);
  const spread = crowded ? ((move.id % 5) - 2) * 4.5 : 0;
  const lane = move.back ? BACK : OUT;
  return [x, lane + spread + 112 * move.fall ** 1.6];
}

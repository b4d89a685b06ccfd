/** What the views of the slot pool and of the sweep draw alike: diagram, strip, counts and trace of one pool run. */

import { showBadges } from "./badges.js";
import { byId } from "./dom.js";
import { drawPoolLegend } from "./marks.js";
import { occupancyChart } from "./occupancy-chart.js";
import { PoolCounts } from "./pool-counts.js";
import { PoolDiagram } from "./pool-diagram.js";
import { Strip } from "./strip.js";

export class PoolStage {
  /** @param {any} page */
  constructor(page) {
    this.page = page;
    /** @type {import("./pool-history.js").PoolHistory | null} */
    this.history = null;
  }

  /** Takes over the parts of the page that views share. */
  enter() {
    this.diagram = new PoolDiagram(byId("diagram-pool"));
    this.counts = new PoolCounts(byId("pool-counts"));
    this.strip = new Strip(byId("strip"), [{ name: "Breaker (C closed, O open, H half-open) and dependency", health: true }], "Slots in use: calls to the dependency below, neighbours above");
    this.history = null;
    drawPoolLegend(byId("legend"));
  }

  /** @param {import("./pool-history.js").PoolHistory} history */
  renew(history) {
    this.history = history;
    this.strip?.show([history]);
    this.strip?.showChart(occupancyChart(history));
    byId("trace-title").textContent = "Decision trace";
    const requests = history.answer.dependency_requests;
    this.page.trace.show(history, (/** @type {number} */ request) => requests[request]?.fate);
  }

  /** @param {import("./clock.js").Clock} clock @param {import("./pool-history.js").PoolHistory | null} twin */
  update(clock, twin) {
    if (!this.history) return;
    this.diagram?.update(this.history, clock.shown);
    this.counts?.update(this.history, twin, clock.shown);
    this.strip?.update(clock);
    this.page.trace.update(clock.shown);
    this.page.announcer.update(this.history, clock.shown);
    showBadges(this.history, clock.shown);
  }
}

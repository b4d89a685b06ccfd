/** The views of the live experiment: one run, or the same run protected and bypassed side by side. */

import { showBadges } from "./badges.js";
import { Comparison } from "./comparison.js";
import { Controls } from "./controls.js";
import { Counters } from "./counters.js";
import { Diagram } from "./diagram.js";
import { byId } from "./dom.js";
import { overlaid } from "./experiment.js";
import { KeptRun } from "./kept-run.js";
import { LiveSession } from "./live-session.js";
import { drawLegend } from "./marks.js";
import { Strip } from "./strip.js";

export class LiveView {
  /** @param {any} about @param {any} page */
  constructor(about, page) {
    this.about = about;
    this.page = page;
    const [preset] = about.presets;
    this.session = new LiveSession({ settings: preset.settings, seed: 1, interventions: [] }, about.horizon_ns, {
      changed: page.changed,
      say: page.say,
      refused: (refusal) => this.refused(refusal),
    });
    this.diagram = new Diagram(byId("diagram"), "Request desk, circuit breaker, dependency");
    this.counters = new Counters(byId("tiles"), byId("balance"));
    this.comparison = new Comparison();
    this.controls = new Controls(
      about,
      { presets: byId("presets"), service: byId("service"), form: byId("controls") },
      {
        edit: (key, value, what) => this.session.edit(key, value, what),
        preset: (each) => this.session.begin({ settings: each.settings }, `${each.label}: a run from the start.`),
        seed: (seed) => this.session.begin({ seed }, `Other traffic: a run from the start with seed ${seed}.`),
      },
    );
    this.kept = new KeptRun(
      byId("kept"),
      () => this.session.history,
      () => {
        this.enter("experiment");
        page.draw();
      },
    );
    /** @type {import("./strip.js").Strip | null} */
    this.strip = null;
    /** Is an address's run being asked for? */
    this.opening = false;
    /** @type {any} what is drawn already */
    this.drawn = {};
  }

  /** Opens what an address tells, or the first preset. @param {import("./url.js").Shared} shared */
  async open({ experiment, shown = 0, recorded = 0 }) {
    const [preset] = this.about.presets;
    if (experiment) {
      const settings = overlaid(preset.settings, experiment.settings, (kind) => this.controls.rule.usual(kind));
      this.opening = true;
      const accepted = await this.session.open({ ...experiment, settings }, shown, recorded);
      this.opening = false;
      if (accepted) return;
    }
    await this.session.open({ settings: preset.settings, seed: 1, interventions: [] }, 0, 0);
  }

  /** @param {string} view */
  enter(view) {
    const own = { name: "Breaker (C closed, O open, H half-open, B bypassed) and dependency", health: true };
    const kept = this.kept.history ? [{ name: "Breaker in the kept run" }] : [];
    const pair = [{ name: "Protected" }, { name: "Bypassed", health: true }];
    this.strip = new Strip(byId("strip"), view === "compare" ? pair : [own, ...kept]);
    this.drawn = {};
    drawLegend(byId("legend"));
  }

  /** @param {string} view */
  update(view) {
    const { session } = this;
    const { history, clock } = session;
    if (!history || !this.strip) return;
    if (this.drawn.experiment !== session.experiment || this.drawn.history !== history) this.renew(view);
    if (this.drawn.shown !== clock.shown) this.controls.show(session.settings, session.experiment.seed);
    this.drawn.shown = clock.shown;
    this.strip.update(clock);
    this.page.trace.update(clock.shown);
    const told = view === "compare" ? (this.comparison.loaded?.protected ?? history) : history;
    this.page.announcer.update(told, clock.shown);
    showBadges(told, clock.shown, session.settings.schedule === "manual" ? "Manual" : "Scheduled");
    if (view === "compare") this.comparison.update(clock.shown, session.settings);
    else {
      this.diagram.update(history, clock.shown, session.settings);
      this.counters.update(history.countsAt(clock.shown), this.kept.history?.countsAt(clock.shown) ?? null);
    }
  }

  /** Draws what changes with the run, not with the instant. @param {string} view */
  renew(view) {
    const { session } = this;
    const history = /** @type {import("./run-history.js").RunHistory} */ (session.history);
    this.drawn = { experiment: session.experiment, history };
    this.controls.complain(null, "");
    if (view !== "compare") {
      this.strip?.show(this.kept.history ? [history, this.kept.history] : [history]);
      this.kept.update();
      this.tell(history, "Decision trace");
      return;
    }
    const { strip } = this;
    this.comparison.load(session.experiment).then(
      (loaded) => {
        // The answer comes too late if another view is on show by now.
        if (!loaded || strip !== this.strip) return;
        this.strip?.show([loaded.protected, loaded.bypassed]);
        this.tell(loaded.protected, "Decision trace of the protected run");
        this.page.draw();
      },
      (refusal) => this.page.refused(refusal),
    );
  }

  /** @param {import("./run-history.js").RunHistory} history @param {string} title */
  tell(history, title) {
    byId("trace-title").textContent = title;
    this.page.trace.show(history, (/** @type {number} */ request) => history.requests[request]?.fate);
  }

  /** @param {import("./api.js").Refusal} refusal */
  refused(refusal) {
    // What an address asked for is not in the fields: its refusal is told by itself.
    if (this.opening) {
      this.page.refused(refusal);
      return;
    }
    // Fields go back to what is in force; the sentence stays beside the field that was refused.
    this.controls.show(this.session.settings, this.session.experiment.seed);
    if (!this.controls.complain(refusal.key, refusal.message)) this.page.refused(refusal);
  }

  /** @param {string} key */
  action(key) {
    const { label } = this.about.actions.find((/** @type {any} */ each) => each.key === key);
    return this.session.edit(key, undefined, label.toLowerCase());
  }

  toggleBreaker() {
    const enabled = !this.session.settings.breaker_enabled;
    return this.session.edit("breaker_enabled", enabled, `the breaker is ${enabled ? "on" : "bypassed"}`);
  }

  /** What an address has to tell. */
  shared() {
    const { experiment, clock } = this.session;
    return { experiment, shown: clock.shown, recorded: clock.recorded };
  }
}

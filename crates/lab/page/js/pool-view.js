/** The slot pool's view: any rule and mode, beside the same requests without a breaker. */

import { Newest, Refusal, ask } from "./api.js";
import { field } from "./fields.js";
import { byId } from "./dom.js";
import { PoolHistory } from "./pool-history.js";
import { PoolSession } from "./pool-session.js";
import { PoolStage } from "./pool-stage.js";
import { RuleForm } from "./rule-form.js";

/** @type {import("./fields.js").Parameter} */
const SEED = { key: "seed", label: "Traffic seed", type: "whole", step: 1, min: 0, max: Number.MAX_SAFE_INTEGER, default: 1, help: "The same seed gives the same requests, whatever the breaker does." };
/** @type {import("./fields.js").Parameter} */
const REPLICATION = { key: "replication", label: "Replication", type: "whole", step: 1, min: 0, max: 1e6, default: 0, help: "Which of the seed’s runs: each has arrivals and luck of its own." };

export class PoolView {
  /** @param {any} about @param {any} page */
  constructor(about, page) {
    this.page = page;
    this.usual = about.pool.default;
    this.request = this.usual;
    this.session = new PoolSession(about.pool.horizon_ns, page.changed);
    this.stage = new PoolStage(page);
    this.newest = new Newest();
    /** @type {PoolHistory | null} */
    this.twin = null;
    this.rule = new RuleForm(about.rules, {
      choose: (rule) => this.load({ rule }),
      set: (name, value) => this.load({ rule: { ...this.request.rule, [name]: value } }),
    });
    this.mode = field(
      {
        key: "mode",
        label: "What happens to the dependency",
        type: "choice",
        choices: about.pool.modes.map((/** @type {string} */ mode) => ({ value: mode, label: mode })),
        help: "healthy: nothing. partial: one shard in eight is broken and fails quickly. slowdown: every call fails, and takes long to do so. down: every call fails quickly.",
      },
      (mode) => this.load({ mode }),
    );
    this.numbers = [SEED, REPLICATION].map((each) => field(each, (value) => this.load({ [each.key ?? ""]: value })));
    for (const each of this.numbers) each.root.querySelector('input[type="range"]')?.remove();
    const form = byId("pool-controls");
    form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
    form.replaceChildren(this.mode.root, this.rule.root, ...this.numbers.map(({ root }) => root));
  }

  /**
   * Asks for the run with some of the request changed; if the server refuses it, everything stays as it was.
   * @param {Record<string, any>} change
   */
  async load(change) {
    const request = { ...this.request, ...change };
    const without = { ...request, rule: { kind: "none" } };
    try {
      const answers = await this.newest.of(Promise.all([ask("/api/pool", request), ask("/api/pool", without)]));
      if (answers === null) return;
      this.request = request;
      this.twin = new PoolHistory(answers[1]);
      this.session.adopt(new PoolHistory(answers[0]));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.showRequest();
      const name = (error.key ?? "").replace(/^rule\./, "");
      const at = name === "seed" ? this.numbers[0] : name === "replication" ? this.numbers[1] : this.rule.fields.get(name);
      if (at) at.complain(error.message);
      else this.page.refused(error);
      // An address that makes no sense is said, and a run that does is on show.
      if (!this.session.history && this.request !== this.usual) await this.load((this.request = this.usual));
    }
  }

  showRequest() {
    const { rule, mode, seed, replication } = this.request;
    this.rule.show(rule);
    this.mode.show(mode);
    this.numbers[0].show(seed);
    this.numbers[1].show(replication);
    for (const each of [...this.rule.fields.values(), ...this.numbers]) each.complain("");
  }

  enter() {
    this.stage.enter();
    if (!this.session.history) this.load({});
    else this.stage.renew(this.session.history);
  }

  update() {
    const { history, clock } = this.session;
    if (!history) return;
    if (this.stage.history !== history) {
      this.stage.renew(history);
      this.showRequest();
    }
    this.stage.update(clock, this.twin);
  }

  /** What an address has to tell. */
  shared() {
    return { pool: this.request };
  }
}

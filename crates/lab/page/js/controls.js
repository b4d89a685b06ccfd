/** The live experiment's settings: presets, breaking and repairing, the fields, the rule and the seed. */

import { html, setAttribute, setText } from "./dom.js";
import { field } from "./fields.js";
import { RuleForm } from "./rule-form.js";
import { seconds } from "./words.js";

export class Controls {
  /**
   * @param {any} about the server's description of itself
   * @param {{presets: HTMLElement, service: HTMLElement, form: HTMLFormElement}} places
   * @param {object} actions
   * @param {(key: string, value: any, what: string) => void} actions.edit
   * @param {(preset: any) => void} actions.preset
   * @param {(seed: number) => void} actions.seed
   */
  constructor(about, places, actions) {
    this.about = about;
    places.form.addEventListener("submit", (event) => event.preventDefault());
    places.presets.replaceChildren(
      ...about.presets.map((/** @type {any} */ preset) => {
        const button = html("button", { type: "button", title: preset.help, "data-preset": preset.key }, preset.label);
        button.addEventListener("click", () => actions.preset(preset));
        return button;
      }),
    );
    this.buildService(places.service, actions);

    /** @type {Map<string, import("./fields.js").Field>} */
    this.fields = new Map();
    for (const control of about.controls) {
      this.fields.set(control.key, field(control, (value) => actions.edit(control.key, value, what(control, value))));
    }
    this.rule = new RuleForm(about.rules, {
      choose: (rule) => actions.edit("rule", rule, `another rule, with a new breaker that starts closed`),
      set: (name, value, label) => actions.edit(`rule.${name}`, value, `${label.toLowerCase()}: ${value}`),
    });
    this.seed = field(
      {
        key: "seed",
        label: "Traffic seed",
        type: "whole",
        step: 1,
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
        default: 1,
        help: "The same seed gives the same requests with the same luck, whatever the breaker does. Another one starts another run.",
      },
      actions.seed,
    );
    this.seed.root.querySelector('input[type="range"]')?.remove();
    const controls = [...this.fields.values()].map(({ root }) => root);
    places.form.replaceChildren(...controls, this.rule.root, html("fieldset", {}, this.seed.root));
  }

  /** @param {HTMLElement} place @param {any} actions */
  buildService(place, actions) {
    this.status = html("p", { id: "service-status" });
    this.follow = html("button", { type: "button", class: "quiet", "data-action": "schedule" }, "Follow the schedule");
    this.follow.addEventListener("click", () => actions.edit("schedule", "outage", "the scheduled outage is back in force"));
    const buttons = this.about.actions.map((/** @type {any} */ action) => {
      const button = html("button", { type: "button", title: action.help, "data-action": action.key }, action.label);
      button.addEventListener("click", () => actions.edit(action.key, undefined, action.label.toLowerCase()));
      return button;
    });
    place.replaceChildren(this.status, ...buttons, this.follow);
  }

  /** @param {import("./experiment.js").Settings} settings @param {number} seed */
  show(settings, seed) {
    for (const [key, each] of this.fields) each.show(settings[key]);
    this.rule.show(settings.rule);
    this.seed.show(seed);
    const scheduled = settings.schedule !== "manual";
    const { from_ns: from, to_ns: to } = this.about.outage;
    const errors = settings.dependency_errors_percent;
    setAttribute(this.status, "data-mode", scheduled ? "scheduled" : "manual");
    setText(
      this.status,
      scheduled
        ? `Scheduled: ${errors} % errors from ${seconds(from, 0)} s to just before ${seconds(to, 0)} s, none otherwise.`
        : `Manual: ${errors} % errors from here on, for good.`,
    );
    this.follow.hidden = scheduled;
  }

  /** Puts a refusal beside its field. @param {string | null} key @param {string} sentence @returns {boolean} whether there is such a field */
  complain(key, sentence) {
    for (const each of this.all()) each.complain("");
    const name = (key ?? "").replace(/^settings\./, "");
    const found = name === "seed" ? this.seed : (this.fields.get(name) ?? this.rule.fields.get(name.replace(/^rule\./, "")));
    found?.complain(sentence);
    return found !== undefined;
  }

  all() {
    return [...this.fields.values(), ...this.rule.fields.values(), this.seed];
  }
}

/** An edit in words. @param {import("./fields.js").Parameter} control @param {any} value */
function what({ label, type, unit }, value) {
  if (type === "flag") return `${label.toLowerCase()}: ${value ? "on" : "off"}`;
  return `${label.toLowerCase()}: ${value}${unit ? ` ${unit}` : ""}`;
}

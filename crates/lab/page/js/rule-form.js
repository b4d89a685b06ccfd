/** The choice of a breaker's rule and its parameters, generated from what the server offers. */

import { html, setText } from "./dom.js";
import { field } from "./fields.js";

/**
 * @typedef {{kind: string, label: string, help?: string, parameters: import("./fields.js").Parameter[]}} RuleOffer
 * @typedef {Record<string, any>} Rule
 */

let forms = 0;

export class RuleForm {
  /**
   * @param {RuleOffer[]} offers
   * @param {object} actions
   * @param {(rule: Rule) => void} actions.choose another kind of rule
   * @param {(name: string, value: any, label: string) => void} actions.set one parameter
   */
  constructor(offers, actions) {
    forms += 1;
    const id = `rule-${forms}`;
    this.offers = offers;
    this.actions = actions;
    this.kind = "";
    /** @type {Map<string, import("./fields.js").Field>} */
    this.fields = new Map();
    /** @type {Rule} */
    this.rule = {};
    this.select = html("select", { id }, ...offers.map(({ kind, label }) => html("option", { value: kind }, label)));
    this.help = html("p", { class: "help" });
    this.parameters = html("div", { class: "parameters" });
    const head = html("div", { class: "field wide-field" }, html("label", { for: id }, "The breaker opens by"), this.select, this.help);
    this.root = html("fieldset", {}, head, this.parameters);
    this.select.addEventListener("change", () => actions.choose(this.ruleOf(this.select.value)));
  }

  /** The rule of a kind as an address may leave it out; of an unknown kind nothing is known. @param {string} kind */
  usual(kind) {
    return this.offers.some((offer) => offer.kind === kind) ? this.ruleOf(kind) : { kind };
  }

  /** The rule of a kind with its defaults, and what it shares with the present one. @param {string} kind */
  ruleOf(kind) {
    const { parameters } = this.offer(kind);
    const own = parameters.map(({ name = "", default: usual }) => {
      // A threshold is a number of failures for one kind and a share for another: only the cycle's parameters carry over.
      const shared = /^(open_for|half_open_)/.test(name) && name in this.rule;
      return [name, shared ? this.rule[name] : usual];
    });
    const given = own.filter(([, value]) => value !== null && value !== undefined);
    return { kind, ...Object.fromEntries(given) };
  }

  /** @param {string} kind */
  offer(kind) {
    const found = this.offers.find((offer) => offer.kind === kind);
    if (!found) throw new Error(`no rule of kind ${kind} is offered`);
    return found;
  }

  /** @param {Rule} rule */
  show(rule) {
    this.rule = rule;
    if (rule.kind !== this.kind) this.build(rule.kind);
    for (const [name, each] of this.fields) each.show(rule[name]);
  }

  /** @param {string} kind */
  build(kind) {
    const { parameters, help } = this.offer(kind);
    this.kind = kind;
    this.select.value = kind;
    setText(this.help, help ?? "");
    this.fields.clear();
    const roots = parameters.map((parameter) => {
      const name = parameter.name ?? "";
      const made = field(parameter, (value) => this.actions.set(name, value, parameter.label));
      this.fields.set(name, made);
      return { root: made.root, advanced: parameter.advanced };
    });
    const plain = roots.filter(({ advanced }) => !advanced).map(({ root }) => root);
    const more = roots.filter(({ advanced }) => advanced).map(({ root }) => root);
    const details = more.length > 0 ? [html("details", {}, html("summary", {}, "More of the rule"), html("div", { class: "more" }, ...more))] : [];
    this.parameters.replaceChildren(...plain, ...details);
  }
}

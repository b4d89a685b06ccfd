/** Fields generated from the server's description of a parameter: a label, a number and a slider, a flag or a choice. */

import { html, setText } from "./dom.js";

/**
 * A parameter as the server describes it.
 * @typedef {object} Parameter
 * @property {string} [key]
 * @property {string} [name]
 * @property {string} label
 * @property {string} [help]
 * @property {"whole" | "number" | "duration" | "flag" | "choice" | "text"} type
 * @property {string} [unit]
 * @property {any} [default] null or false if the parameter may be left out or turned off, as an empty field does
 * @property {number} [min] without it, 0
 * @property {number} [max]
 * @property {number} [step]
 * @property {{value: string, label: string}[]} [choices]
 * @property {boolean} [advanced]
 */

/**
 * @typedef {object} Field
 * @property {HTMLElement} root
 * @property {(value: any) => void} show
 * @property {(sentence: string) => void} complain an empty sentence takes the complaint back
 */

let fields = 0;

/**
 * @param {Parameter} parameter
 * @param {(value: any) => void} changed called once per finished change
 * @returns {Field}
 */
export function field(parameter, changed) {
  fields += 1;
  const id = `field-${fields}`;
  const input = inputOf(parameter, id, changed);
  const help = html("p", { class: "help", id: `${id}-help`, hidden: true }, parameter.help ?? "");
  const problem = html("p", { class: "problem", id: `${id}-problem`, role: "alert" });
  const hint = html("button", { type: "button", class: "hint", "aria-expanded": "false", "aria-label": `About: ${parameter.label}` }, "?");
  hint.addEventListener("click", () => {
    help.hidden = !help.hidden;
    hint.setAttribute("aria-expanded", String(!help.hidden));
  });
  const label = html("label", { for: id }, ...breakable(parameter.label));
  // "Requests per second" needs no unit beside it.
  if (parameter.unit && !parameter.label.toLowerCase().includes(parameter.unit)) label.append(" ", html("span", { class: "unit" }, `(${parameter.unit})`));
  input.main.setAttribute("aria-describedby", `${id}-help ${id}-problem`);
  const layout = parameter.type === "choice" || parameter.type === "text" ? "field wide-field" : "field";
  const root = html("div", { class: layout, "data-key": parameter.key ?? parameter.name }, label, input.main, hint, ...input.more, help, problem);
  return {
    root,
    show: input.show,
    complain(sentence) {
      setText(problem, sentence);
      input.main.setAttribute("aria-invalid", String(sentence !== ""));
    },
  };
}

/** A label that may break between the words of a library's name for a parameter. @param {string} label @returns {(Node | string)[]} */
function breakable(label) {
  const parts = label.split(/(?<=[a-z])(?=[A-Z])|(?<=[._])/);
  return parts.flatMap((part, index) => (index === 0 ? [part] : [html("wbr"), part]));
}

/** @param {Parameter} parameter @param {string} id @param {(value: any) => void} changed */
function inputOf(parameter, id, changed) {
  if (parameter.type === "flag") return flag(id, changed);
  if (parameter.type === "choice") return choice(parameter, id, changed);
  if (parameter.type === "text") return text(parameter, id, changed);
  return number(parameter, id, changed);
}

/** @param {string} id @param {(value: boolean) => void} changed */
function flag(id, changed) {
  const main = html("input", { type: "checkbox", id, role: "switch" });
  main.addEventListener("change", () => changed(main.checked));
  return { main, more: [], show: (/** @type {boolean} */ value) => (main.checked = value) };
}

/** @param {Parameter} parameter @param {string} id @param {(value: string | null) => void} changed */
function choice(parameter, id, changed) {
  const none = isOptional(parameter) ? [{ value: "", label: "not set" }] : [];
  const options = [...none, ...(parameter.choices ?? [])];
  const main = html("select", { id }, ...options.map(({ value, label }) => html("option", { value }, label)));
  main.addEventListener("change", () => changed(main.value === "" ? null : main.value));
  return { main, more: [], show: (/** @type {any} */ value) => (main.value = value ?? "") };
}

/** @param {Parameter} parameter @param {string} id @param {(value: string | null) => void} changed */
function text(parameter, id, changed) {
  const main = html("input", { type: "text", id, spellcheck: "false" });
  main.addEventListener("change", () => changed(main.value.trim() === "" && isOptional(parameter) ? null : main.value.trim()));
  const show = (/** @type {any} */ value) => {
    if (document.activeElement !== main) main.value = value ?? "";
  };
  return { main, more: [], show };
}

/** May it be left out, or be turned off? @param {Parameter} parameter */
function isOptional({ default: usual }) {
  return usual === null || usual === undefined || usual === false;
}

/** A number with a slider over its usual span; the number itself may go to the parameter's limits. */
function number(/** @type {Parameter} */ parameter, /** @type {string} */ id, /** @type {(value: number | false | null) => void} */ changed) {
  const { step = 1, min = 0 } = parameter;
  const span = usualSpan(parameter);
  const main = html("input", { type: "number", id, step, inputmode: "decimal", min: min % step === 0 ? min : undefined, max: parameter.max });
  const slider = html("input", { type: "range", min: span.low, max: span.high, step, tabindex: -1, "aria-hidden": true });
  /** @type {number | null} */
  let shown = null;
  const finish = (/** @type {string} */ typed) => {
    const value = typed.trim() === "" ? null : Number(typed);
    unfinished = false;
    if (value === null && isOptional(parameter) && shown !== null) changed(parameter.default === false ? false : null);
    else if (value === null || !Number.isFinite(value)) main.value = String(shown ?? "");
    else if (value !== shown) changed(value);
  };
  // A number that is half typed, or a slider that is held, is not overwritten while time passes.
  let unfinished = false;
  main.addEventListener("input", () => (unfinished = true));
  main.addEventListener("change", () => finish(main.value));
  slider.addEventListener("input", () => {
    unfinished = true;
    main.value = slider.value;
  });
  slider.addEventListener("change", () => finish(slider.value));
  for (const each of [main, slider]) each.addEventListener("blur", () => (unfinished = false));
  const show = (/** @type {number | false | null | undefined} */ value) => {
    if (unfinished) return;
    shown = value === false ? null : (value ?? null);
    const written = String(shown ?? "");
    if (main.value === written) return;
    main.value = written;
    slider.value = written;
  };
  return { main, more: [slider], show };
}

/**
 * The span of a slider: narrow limits as they are, wide ones cut to a few times the default.
 * @param {Parameter} parameter
 */
export function usualSpan({ min = 0, max = Infinity, step = 1, default: given, unit }) {
  const usual = given || min;
  const low = Math.min(Math.max(min, min % step === 0 ? min : step), max);
  if (unit === "%" || max <= 5 * step || max <= 1) return { low, high: max };
  const reach = Math.max(usual * 5, low + 4 * step);
  return { low, high: Math.min(max, Math.ceil(reach / step) * step) };
}

/**
 * What makes a run: settings, a seed and the interventions on the way. A run is a pure function of these three, so an
 * experiment is all that has to be kept, shared or compared.
 */

/**
 * A change at an instant. It acts before everything else that happens at that instant.
 * @typedef {{at: number, key: string, value?: unknown}} Intervention
 *
 * @typedef {Record<string, any> & {rule: Record<string, any>}} Settings
 *
 * @typedef {object} Experiment
 * @property {Settings} settings as they are at the start
 * @property {number} seed
 * @property {Intervention[]} interventions ascending in `at`
 */

/** Actions that set more than themselves. @type {Record<string, Record<string, unknown>>} */
const ACTIONS = {
  break_service: { schedule: "manual", dependency_errors_percent: 100 },
  repair_service: { schedule: "manual", dependency_errors_percent: 0 },
};

/**
 * The settings after a change. A new error rate holds for good, so it leaves the schedule; other keys keep it.
 * @param {Settings} settings
 * @param {string} key
 * @param {unknown} [value]
 * @returns {Settings}
 */
export function changed(settings, key, value) {
  if (key in ACTIONS) return { ...settings, ...ACTIONS[key] };
  if (key === "dependency_errors_percent") return { ...settings, schedule: "manual", [key]: value };
  if (key.startsWith("rule.")) return { ...settings, rule: { ...settings.rule, [key.slice("rule.".length)]: value } };
  return /** @type {Settings} */ ({ ...settings, [key]: value });
}

/**
 * The experiment that goes on from `at`: interventions before it, and those made at it, stay.
 * @param {Experiment} experiment
 * @param {number} at
 * @returns {Experiment}
 */
export function branchAt(experiment, at) {
  return { ...experiment, interventions: experiment.interventions.filter((one) => one.at <= at) };
}

/**
 * The experiment with a change from `at` on and whatever followed discarded. At the very start it is the setting itself
 * that changes.
 * @param {Experiment} experiment
 * @param {number} at
 * @param {string} key
 * @param {unknown} [value]
 * @returns {Experiment}
 */
export function editAt(experiment, at, key, value) {
  if (at === 0) return { ...experiment, settings: changed(experiment.settings, key, value), interventions: [] };
  const kept = branchAt(experiment, at);
  const others = kept.interventions.filter((one) => one.at !== at || one.key !== key);
  const intervention = value === undefined ? { at, key } : { at, key, value };
  return { ...kept, interventions: [...others, intervention] };
}

/**
 * The settings in force at an instant.
 * @param {Experiment} experiment
 * @param {number} at
 * @returns {Settings}
 */
export function settingsAt(experiment, at) {
  return experiment.interventions
    .filter((one) => one.at <= at)
    .reduce((settings, one) => changed(settings, one.key, one.value), experiment.settings);
}

/**
 * The body of `POST /api/run`.
 * @param {Experiment} experiment
 */
export function requestOf({ settings, seed, interventions }) {
  return { seed, settings, interventions: interventions.map(({ at, ...rest }) => ({ at_ns: at, ...rest })) };
}

/**
 * What an address leaves out is taken from `base`; a rule's parameters only from a rule of the same kind.
 * @template {{rule: Record<string, any>}} T
 * @param {T} base
 * @param {Partial<T>} told
 * @param {(kind: string) => Record<string, any>} usual a rule of another kind as it is offered
 * @returns {T}
 */
export function overlaid(base, told, usual) {
  /** @type {Record<string, any>} */
  const rule = told.rule ?? {};
  const kind = rule.kind ?? base.rule.kind;
  const below = kind === base.rule.kind ? base.rule : usual(kind);
  return /** @type {T} */ ({ ...base, ...told, rule: { ...below, ...rule } });
}

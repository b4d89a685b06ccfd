/** A run as the fragment of an address: opening the address gives the same run. Fragments never reach the server. */

/**
 * What an address tells.
 * @typedef {object} Shared
 * @property {string} view
 * @property {import("./experiment.js").Experiment} [experiment]
 * @property {number} [shown] nanoseconds
 * @property {number} [recorded] nanoseconds
 * @property {Record<string, any>} [pool] the body of `POST /api/pool`
 * @property {{design: number, mode: string, replication: number}} [sweep]
 */

/** @param {Shared} shared @returns {string} without the `#` */
export function encode({ view, experiment, shown, recorded, pool, sweep }) {
  const parameters = new URLSearchParams({ view });
  if (experiment) {
    parameters.set("seed", String(experiment.seed));
    for (const [key, value] of flat(experiment.settings)) parameters.set(key, text(value));
    for (const { at, key, value } of experiment.interventions) {
      parameters.append("edit", value === undefined ? `${at}~${key}` : `${at}~${key}~${text(value)}`);
    }
    parameters.set("at", String(shown ?? 0));
    if (recorded !== undefined && recorded !== shown) parameters.set("recorded", String(recorded));
  }
  if (pool) for (const [key, value] of flat(pool)) parameters.set(`pool.${key}`, text(value));
  if (sweep) for (const [key, value] of flat(sweep)) parameters.set(`sweep.${key}`, text(value));
  return parameters.toString();
}

/**
 * Reads an address's fragment. What it does not tell is left out; whether it makes sense is the server's judgement.
 * @param {string} fragment without the `#`
 * @returns {Shared}
 */
export function decode(fragment) {
  const parameters = new URLSearchParams(fragment);
  /** @type {Shared} */
  const shared = { view: parameters.get("view") ?? "experiment" };
  /** @type {Record<string, any>} */
  const settings = {};
  for (const [key, written] of parameters) {
    if (["view", "seed", "edit", "at", "recorded"].includes(key)) continue;
    const place = key.startsWith("pool.") ? (shared.pool ??= {}) : key.startsWith("sweep.") ? sweepOf(shared) : settings;
    put(place, key.replace(/^(pool|sweep)\./, ""), value(written));
  }
  if (Object.keys(settings).length > 0 || parameters.has("seed")) {
    shared.experiment = {
      seed: Number(parameters.get("seed") ?? 1),
      settings: /** @type {any} */ (settings),
      interventions: parameters.getAll("edit").map(intervention),
    };
    shared.shown = count(parameters.get("at"));
    shared.recorded = Math.max(shared.shown, count(parameters.get("recorded")));
  }
  return shared;
}

/** @param {Shared} shared @returns {Record<string, any>} */
function sweepOf(shared) {
  shared.sweep ??= /** @type {any} */ ({});
  return /** @type {any} */ (shared.sweep);
}

/** @param {string | null} written @returns {number} */
function count(written) {
  const number = Math.round(Number(written ?? 0));
  return Number.isFinite(number) && number > 0 ? number : 0;
}

/** @param {string} written */
function intervention(written) {
  const [at, key, ...rest] = written.split("~");
  return rest.length === 0 ? { at: count(at), key } : { at: count(at), key, value: value(rest.join("~")) };
}

/** `{a: {b: 1}}` as `a.b`, one level deep. @param {Record<string, any>} values @returns {[string, any][]} */
function flat(values) {
  return Object.entries(values).flatMap(([key, each]) => {
    const nested = typeof each === "object" && each !== null && !Array.isArray(each);
    return nested ? Object.entries(each).map(([name, inner]) => /** @type {[string, any]} */ ([`${key}.${name}`, inner])) : [[key, each]];
  });
}

/** @param {Record<string, any>} place @param {string} key @param {any} each */
function put(place, key, each) {
  // A rule's parameters may have dots of their own.
  const [outer, ...rest] = key.split(".");
  const inner = rest.length > 0 ? rest.join(".") : undefined;
  if (["__proto__", "constructor", "prototype"].includes(outer)) return;
  if (inner === undefined) place[outer] = each;
  else (place[outer] ??= {})[inner] = each;
}

/** Text stays readable; everything else is JSON. @param {unknown} each */
function text(each) {
  return typeof each === "string" && typeof value(each) === "string" ? each : JSON.stringify(each);
}

/** @param {string} written */
function value(written) {
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

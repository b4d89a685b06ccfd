/** Whether the viewer asked for less motion: then nothing glides, and the picture is renewed in steps. */

const query = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** How often the picture is renewed under reduced motion, in seconds of viewing. */
export const STEP_OF_VIEWING = 0.5;

export function reducedMotion() {
  return query?.matches ?? false;
}

/** @param {() => void} listener */
export function onMotionChange(listener) {
  query?.addEventListener("change", listener);
}

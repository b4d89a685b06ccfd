/** Lets time pass while something is playing, at the screen's pace or, with reduced motion, in steps. */

import { STEP_OF_VIEWING, reducedMotion } from "./motion.js";

/** A longer gap between two pictures (a hidden tab) counts as this much, in seconds. */
const LONGEST_GAP = 0.25;

/**
 * @param {(elapsed: number) => boolean} tick lets seconds of viewing pass; says whether there is something new to see
 * @param {() => void} draw
 */
export function startLoop(tick, draw) {
  let before = performance.now();
  let saved = 0;
  const frame = (/** @type {number} */ now) => {
    const elapsed = Math.min(LONGEST_GAP, Math.max(0, (now - before) / 1000));
    before = now;
    saved += elapsed;
    if (!reducedMotion() || saved >= STEP_OF_VIEWING) {
      if (tick(saved)) draw();
      saved = 0;
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

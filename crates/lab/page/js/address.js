/** Keeps the address such that it gives what is on show, without writing it more often than browsers allow. */

/** Milliseconds between two writes; Chromium takes at most 200 in 30 s. */
const PAUSE = 250;

export class Address {
  /** @param {() => string} fragment what the address should tell now */
  constructor(fragment) {
    this.fragment = fragment;
    this.written = 0;
    this.waiting = 0;
  }

  /** Writes it, at once or soon. */
  update() {
    const since = performance.now() - this.written;
    if (since >= PAUSE) this.write();
    else if (this.waiting === 0) this.waiting = setTimeout(() => this.write(), PAUSE - since);
  }

  write() {
    clearTimeout(this.waiting);
    this.waiting = 0;
    this.written = performance.now();
    history.replaceState(null, "", `#${this.fragment()}`);
  }
}

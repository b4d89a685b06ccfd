/** The tabs: which view is on show. */

/** @typedef {"experiment" | "compare" | "pool" | "sweep"} View */

export class Views {
  /** @param {(view: View) => void} changed */
  constructor(changed) {
    this.tabs = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[role=tab]")]);
    /** @type {View} */
    this.view = "experiment";
    this.changed = changed;
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(/** @type {View} */ (tab.dataset.view)));
      tab.addEventListener("keydown", (event) => this.move(event));
    }
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const open = this.tabs.filter((tab) => !tab.hidden);
    const here = open.indexOf(/** @type {HTMLElement} */ (event.target));
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = open[(here + by + open.length) % open.length];
    next.focus();
    next.click();
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    for (const tab of this.tabs) {
      const chosen = tab.dataset.view === view;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) document.getElementById("stage")?.setAttribute("aria-labelledby", tab.id);
    }
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-views]"))) {
      part.hidden = !part.dataset.views?.split(" ").includes(view);
    }
    this.changed(view);
  }
}

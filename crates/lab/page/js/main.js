/** Puts the page together. */

import { Address } from "./address.js";
import { Announcer } from "./announcer.js";
import { ask } from "./api.js";
import { byId, html } from "./dom.js";
import { overlaid } from "./experiment.js";
import { listenToKeys } from "./keyboard.js";
import { LiveView } from "./live-view.js";
import { startLoop } from "./loop.js";
import { onMotionChange } from "./motion.js";
import { Player } from "./player.js";
import { PoolView } from "./pool-view.js";
import { SweepView } from "./sweep-view.js";
import { Trace } from "./trace.js";
import { decode, encode } from "./url.js";
import { Views } from "./views.js";

async function start() {
  const about = await ask("/api/about");
  const shared = decode(location.hash.slice(1));
  byId("assumptions").replaceChildren(...about.assumptions.map((/** @type {string} */ each) => html("li", {}, each)));

  const page = { trace: new Trace(byId("trace")), announcer: new Announcer(), draw, changed, say, refused: complain };
  const live = new LiveView(about, page);
  const pool = new PoolView(about, page);
  const sweep = about.sweep ? new SweepView(page) : null;
  byId("tab-sweep").hidden = sweep === null;

  const viewFor = () => (views.view === "pool" ? pool : views.view === "sweep" && sweep ? sweep : live);
  const session = () => viewFor().session;
  const player = new Player(session);
  const address = new Address(() => encode({ view: views.view, ...viewFor().shared() }));
  const views = new Views((view) => {
    for (const each of [live, pool, sweep]) each?.session.pause();
    say("");
    viewFor().enter(view);
    changed();
  });

  /** Draws the shown instant. */
  function draw() {
    player.update();
    viewFor().update(views.view);
  }

  function changed() {
    draw();
    if (session().clock.motion === "paused") address.update();
  }

  listenToKeys(keys(), byId("keys"));
  listenToHelp();
  byId("share").addEventListener("click", () => share(address));
  byId("skip").addEventListener("click", (/** @type {Event} */ event) => {
    // The fragment is the run's: the link moves the focus without it.
    event.preventDefault();
    byId("stage").focus();
  });
  addEventListener("hashchange", () => location.reload());
  onMotionChange(draw);

  if (shared.pool) pool.request = overlaid(pool.request, shared.pool, (kind) => pool.rule.usual(kind));
  if (sweep && shared.sweep) sweep.wanted = shared.sweep;
  const wanted = shared.view === "sweep" && !sweep ? "experiment" : shared.view;
  views.show(/** @type {any} */ (["experiment", "compare", "pool", "sweep"].includes(wanted) ? wanted : "experiment"));
  await live.open(shared);
  startLoop((elapsed) => {
    const before = session().clock.motion;
    const moved = session().tick(elapsed);
    if (session().clock.motion !== before) changed();
    return moved;
  }, draw);
  document.body.dataset.ready = "true";

  function keys() {
    const clock = () => session().clock;
    const look = (/** @type {number} */ steps) => session().seek(clock().shown + steps * session().stepSize);
    const onLive = (/** @type {() => unknown} */ act) => () => viewFor() === live && act();
    return [
      { keys: [" ", "k"], shown: "Space", does: "play or pause", act: () => player.toggle() },
      { keys: ["s"], shown: "S", does: "one step on", act: () => session().step() },
      { keys: ["ArrowLeft"], shown: "←", does: "look one step back", act: () => look(-1) },
      { keys: ["ArrowRight"], shown: "→", does: "look one step forward, within what is recorded", act: () => look(1) },
      { keys: ["Home"], shown: "Home", does: "look at the start", act: () => session().seek(0) },
      { keys: ["End"], shown: "End", does: "look at the newest instant", act: () => session().seek(clock().recorded) },
      { keys: ["p"], shown: "P", does: "replay what is recorded", act: () => session().replay() },
      { keys: ["r"], shown: "R", does: "restart", act: () => session().restart() },
      { keys: ["-"], shown: "−", does: "slower", act: () => player.changeSpeed(-1) },
      { keys: ["+", "="], shown: "+", does: "faster", act: () => player.changeSpeed(1) },
      { keys: ["b"], shown: "B", does: "break the service", act: onLive(() => live.action("break_service")) },
      { keys: ["f"], shown: "F", does: "fix (repair) the service", act: onLive(() => live.action("repair_service")) },
      { keys: ["t"], shown: "T", does: "take the breaker out, or put it back", act: onLive(() => live.toggleBreaker()) },
      { keys: ["1"], shown: "1", does: "experiment", act: () => views.show("experiment") },
      { keys: ["2"], shown: "2", does: "side by side", act: () => views.show("compare") },
      { keys: ["3"], shown: "3", does: "slot pool", act: () => views.show("pool") },
      ...(sweep ? [{ keys: ["4"], shown: "4", does: "sweep", act: () => views.show("sweep") }] : []),
      { keys: ["?"], shown: "?", does: "this help", act: () => byId("help").showModal() },
    ];
  }
}

/** Shows a sentence below the player. @param {string} text @param {string} [tone] */
function say(text, tone = "") {
  const notice = byId("notice");
  notice.textContent = text;
  notice.dataset.tone = tone;
}

/** @param {Error} refusal */
function complain(refusal) {
  say(refusal.message, "error");
}

function listenToHelp() {
  const help = byId("help");
  byId("help-open").addEventListener("click", () => help.showModal());
}

/** @param {Address} address */
async function share(address) {
  const button = byId("share");
  address.write();
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Link copied";
  } catch {
    say("The address in your browser’s bar is the link: it holds the whole run.", "edit");
  }
  setTimeout(() => (button.textContent = "Copy link"), 2000);
}

start().catch((error) => {
  say(error.message, "error");
  console.error(error);
});

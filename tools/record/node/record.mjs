// Records what a Node library does with each operation script of standard input: node record.mjs opossum < SCRIPTS
//
// A script is one JSON object a line; the answers of the library are filled into its operations and the line is printed.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

import FakeTimers from '@sinonjs/fake-timers';

import * as cockatiel from './cockatiel.mjs';
import * as opossum from './opossum.mjs';

const LIBRARIES = { cockatiel, opossum };

/** Time 0 of every script in ms since the epoch: a multiple of every usual bucket length. */
const EPOCH_MS = 1_764_000_000_000;

const afterPendingPromises = setImmediate;

/** Lets everything run that follows from what has happened, without moving the clock. */
async function settle() {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => afterPendingPromises(resolve));
  }
}

/** One call: what the caller would hold while it waits for `breaker(action)`. */
class Call {
  started = false;
  settled = false;

  constructor(breaker) {
    const action = () => {
      this.started = true;
      return new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
    };
    const end = () => (this.settled = true);
    breaker(action).then(end, end);
  }

  get waits() {
    return !this.started && !this.settled;
  }
}

async function replay(script, library) {
  const clock = FakeTimers.install({
    now: EPOCH_MS,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  try {
    const breaker = library.create(script.settings);
    const calls = new Map();
    const waiting = [];
    const startedAt = new Map();
    const recorded = [];
    for (const { t_ms, op, call: number, ok } of script.ops) {
      await clock.tickAsync(EPOCH_MS + t_ms - clock.now);
      await settle();
      if (op === 'acquire') {
        if (script.driver === 'half_open_not_called' && breaker.state() === 'half_open') continue;
        const call = new Call(breaker.fire);
        calls.set(number, call);
        await settle();
        const entry = { t_ms, op, call: number, admitted: call.started, state: breaker.state() };
        if (call.started) startedAt.set(number, t_ms);
        if (call.waits) {
          waiting.push(number);
          entry.queued = true;
        }
        recorded.push(entry);
      } else if (op === 'complete') {
        // A call that was turned away, or still waits to be let through, has nothing to complete.
        const call = calls.get(number);
        if (!call?.started) continue;
        if (ok) call.resolve();
        else call.reject(new Error('failed'));
        await settle();
        const took_ms = t_ms - startedAt.get(number);
        recorded.push({ t_ms, op, call: number, ok, took_ms, state: breaker.state() });
      }
      for (const number of waiting.filter((number) => !calls.get(number).waits)) {
        waiting.splice(waiting.indexOf(number), 1);
        const admitted = calls.get(number).started;
        if (admitted) startedAt.set(number, t_ms);
        recorded.push({ t_ms, op: 'resume', call: number, admitted, state: breaker.state() });
      }
    }
    breaker.dispose();
    return recorded;
  } finally {
    clock.uninstall();
  }
}

const name = process.argv[2];
const library = LIBRARIES[name];
if (!library) {
  console.error(`usage: node record.mjs ${Object.keys(LIBRARIES).join('|')} < SCRIPTS`);
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url)));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, library: written, version: _, ops, ...rest } = JSON.parse(line);
  const vector = { id, library: written, version, ...rest, ops: await replay({ ...rest, ops }, library) };
  process.stdout.write(`${JSON.stringify(vector)}\n`);
}

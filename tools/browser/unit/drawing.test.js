import assert from "node:assert/strict";
import { test } from "node:test";

import { axis } from "../../../crates/lab/page/js/axis.js";
import { rowAt } from "../../../crates/lab/page/js/columns.js";
import { heightInWords, heightOf } from "../../../crates/lab/page/js/front.js";
import { usualSpan } from "../../../crates/lab/page/js/fields.js";
import { holders, places } from "../../../crates/lab/page/js/slot-places.js";
import { instant, seconds, signed } from "../../../crates/lab/page/js/words.js";

test("a holder keeps its square, and the next one takes the first free one", () => {
  const all = places(
    [
      { from: 0, to: 10, by: "D" },
      { from: 1, to: 5, by: "N" },
      { from: 5, to: 8, by: "D" },
      { from: 6, to: Infinity, by: "N" },
    ],
    3,
  );
  assert.deepEqual(holders(all, 0), ["", "", ""]);
  assert.deepEqual(holders(all, 2), ["D", "N", ""]);
  assert.deepEqual(holders(all, 7), ["D", "D", "N"]);
  assert.deepEqual(holders(all, 11), ["", "", "N"]);
});

test("a table in columns is read at the last row before an instant", () => {
  const columns = { at_ns: [0, 10], count: [1, 5] };
  assert.deepEqual([0, 1, 10, 11].map((t) => rowAt(columns, t).count), [0, 1, 1, 5]);
});

test("seconds are not rounded up into the future", () => {
  assert.deepEqual([seconds(7_999_999_999), seconds(8e9), seconds(8_766_666_666, 2), seconds(0)], ["7.9", "8.0", "8.76", "0.0"]);
  assert.equal(instant(8_766_666_666), "8.767");
  assert.deepEqual([signed(0), signed(3), signed(-1200)], ["0", "+3", "−1,200"]);
});

test("axes place their ticks within the plot, and zero has a place on a logarithmic one", () => {
  for (const values of [[3, 4, 9], [0, 0, 0], [0, 0.01, 700], [20000, 450], [5]]) {
    const { place, ticks } = axis(values);
    for (const each of [...values, ...ticks]) assert.ok(place(each) >= -1e-9 && place(each) <= 1 + 1e-9, `${each} of ${values}`);
    assert.ok(ticks.length >= 2 && ticks.length <= 12, `${ticks}`);
  }
  const wide = axis([0, 0.01, 700]);
  assert.ok(wide.place(0) < wide.place(0.01));
});

test("what was never seen is drawn at what it may be, and said so", () => {
  const seen = { design: 1, label: "", rule: "none", x: 1, x_lo: null, x_hi: null, y: 3, y_lo: 2, y_hi: 4, zero_events: false };
  const never = { ...seen, y: 0, y_lo: 0, y_hi: 1.8, zero_events: true };
  assert.deepEqual([heightOf(seen), heightOf(never), heightOf({ ...never, y_hi: null })], [3, 1.8, 0]);
  assert.deepEqual([heightInWords(seen), heightInWords(never)], ["3 (2 to 4)", "none seen, at most 1.8"]);
});

test("a slider spans what is usual and never leaves the limits", () => {
  assert.deepEqual(usualSpan({ min: 0.1, max: 200, step: 1, default: 12 }), { low: 1, high: 60 });
  assert.deepEqual(usualSpan({ min: 0, max: 100, step: 1, default: 100, unit: "%" }), { low: 0, high: 100 });
  assert.deepEqual(usualSpan({ min: 0.01, max: 1, step: 0.05, default: 0.5 }), { low: 0.05, high: 1 });
  assert.deepEqual(usualSpan({ min: 1, max: 1000, step: 1, default: 3 }), { low: 1, high: 15 });
});

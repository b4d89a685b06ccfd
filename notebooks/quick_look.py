# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A quick look at a sweep
#
# A sweep leaves three tables that matter here: `runs.parquet` has a row for every design, mode and replication,
# `designs.parquet` says which rule each design is, and `summary.parquet` has the estimates with their intervals.
#
# This notebook
#
# 1. reads them,
# 2. recomputes an estimate from the runs and checks that the summary says the same,
# 3. draws the front: how much of the slot pool a slow dependency draws before the breaker opens, against how many
#    valid requests the same setting turns away when nothing is wrong.
#
# The environment variable `TRIPCURVE_DATA` names the sweep's folder. Without it, the main sweep's is read.

# %%
import os
from pathlib import Path

import altair as alt
import polars as pl
from scipy import stats

folder = Path(os.environ.get("TRIPCURVE_DATA", "../data/sweep"))
found = (folder / "runs.parquet").exists()
assert found, f"no sweep in {folder.resolve()}: run one, or set TRIPCURVE_DATA to its folder"

RIGHT_MODE, FALSE_MODE = "slowdown", "healthy"
COST, HARM = "slot_rounds_to_detection_restricted", "false_open_rejections"

designs = pl.read_parquet(folder / "designs.parquet")
summary = pl.read_parquet(folder / "summary.parquet")
runs = pl.read_parquet(folder / "runs.parquet", columns=["design", "rule", "mode", "replication", COST, HARM])

missing = {RIGHT_MODE, FALSE_MODE} - set(runs["mode"].unique())
assert not missing, f"this notebook compares {RIGHT_MODE} with {FALSE_MODE}, but the sweep has no {', '.join(missing)}"
print(f"{designs.height} designs, {runs['mode'].n_unique()} modes, {runs['replication'].n_unique()} replications")
designs.head()

# %% [markdown]
# ## The same estimate, from the runs
#
# A slow call holds its slot until it ends, and the breaker knows only then. `slot_rounds_to_detection_restricted` adds
# up what the dependency's calls hold from the start of the fault to the opening, in rounds of 10 ms; in runs that never
# open, up to the heal or the end. No run is dropped, so a mean over replications is fair to rules that detect rarely.
#
# The summary's mean must be the mean of the runs to twelve digits, and its interval Student's
# $\bar x \pm t_{n-1}\, s / \sqrt n$.

# %%
level = summary["level"][0]
recomputed = (
    runs.group_by("design", "mode")
    .agg(n=pl.len(), value=pl.col(COST).mean(), deviation=pl.col(COST).std())
    .with_columns(
        half_width=pl.col("n").map_elements(
            lambda n: float(stats.t.isf((1 - level) / 2, n - 1)) if n > 1 else None, return_dtype=pl.Float64
        )
        * pl.col("deviation")
        / pl.col("n").sqrt()
    )
)
stated = summary.filter(pl.col("metric") == COST, pl.col("estimator") == "mean")
both = stated.join(recomputed, on=["design", "mode"], how="left", suffix="_recomputed", maintain_order="left")

assert both.height == recomputed.height, "every design and mode has exactly one such estimate"
assert (both["n"] == both["n_recomputed"]).all()
off = (both["value"] - both["value_recomputed"]).abs()
assert (off <= 1e-12 * both["value"].abs()).all(), f"the means differ by up to {off.max()}"

t_intervals = both.filter(pl.col("method") == "t", pl.col("n") > 1)
for end, sign in [("lo", -1), ("hi", 1)]:
    expected = t_intervals["value_recomputed"] + sign * t_intervals["half_width"]
    off = (t_intervals[end] - expected).abs()
    assert (off <= 1e-9 * t_intervals["value"].abs()).all(), f"{end} differs by up to {off.max()}"

print(f"{both.height} means agree to 12 digits, {t_intervals.height} intervals to 9. One of them:")
both.filter(pl.col("mode") == RIGHT_MODE).select(
    "design", "mode", "n", "value", "value_recomputed", "lo", "hi", "level"
).tail(1)

# %% [markdown]
# ## The front
#
# Both objectives are better when smaller. A design is on the front of its family if no other design of that family is
# at least as good in both and better in one.


# %%
def estimates(metric: str, mode: str, name: str) -> pl.DataFrame:
    """The mean of a metric in a mode, per design, with its interval."""
    rows = summary.filter(pl.col("metric") == metric, pl.col("mode") == mode, pl.col("estimator") == "mean")
    return rows.select("design", *(pl.col(column).alias(f"{name}_{column}") for column in ["value", "lo", "hi"]))


percent = (100 * pl.col("threshold")).round(6).cast(pl.String).str.strip_suffix(".0")
open_for = (pl.col("open_for_ns") / 1e9).cast(pl.String).str.strip_suffix(".0")
label = (
    pl.when(pl.col("rule") == "none")
    .then(pl.lit("none"))
    .when(pl.col("window").is_null())
    .then(pl.format("{} in a row, {} s", pl.col("threshold").cast(pl.Int64), open_for))
    .otherwise(pl.format("{} % of {}, {} s", percent, pl.col("window"), open_for))
)
points = (
    designs.with_columns(label=label)
    .join(estimates(COST, RIGHT_MODE, "x"), on="design")
    .join(estimates(HARM, FALSE_MODE, "y"), on="design")
    .sort("x_value", "y_value")
    .with_columns(best_before=pl.col("y_value").cum_min().shift().over("rule"))
    .with_columns(on_front=pl.col("best_before").is_null() | (pl.col("y_value") < pl.col("best_before")))
)

# A logarithmic axis has no zero. Where no event was seen, the point is drawn at the upper end of its interval: that is
# how much the runs leave possible. Where none can happen (no breaker), it is drawn at the bottom.
positive = pl.concat([points["y_value"], points["y_hi"]]).drop_nulls()
floor = 0.5 * (positive.filter(positive > 0).min() or 2.0)
seen = pl.col("y_value") > 0
points = points.with_columns(
    y_drawn=pl.when(seen).then("y_value").otherwise(pl.max_horizontal(pl.col("y_hi").fill_null(floor), floor)),
    # Between two designs nothing was simulated, and a zero lies below the axis: the stairs lead down to its bottom.
    y_stairs=pl.when(seen).then("y_value").otherwise(floor),
    y_from=pl.when(seen).then(pl.max_horizontal(pl.col("y_lo"), floor)),
    y_to=pl.when(seen).then("y_hi"),
)
front = points.filter("on_front")

# %%
# Okabe and Ito's colours, which stay apart under the common forms of colour blindness.
rules = designs["rule"].unique(maintain_order=True).to_list()
colours = dict(zip(["none", "consecutive", "ratio"], ["#000000", "#0072B2", "#D55E00"], strict=True))
spare = iter(["#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#F0E442"])
scale = alt.Scale(domain=rules, range=[colours.get(rule) or next(spare) for rule in rules])

wide = points["x_value"].min() > 0 and points["x_value"].max() > 30 * points["x_value"].min()
x = alt.X("x_value", title=f"slot-rounds to detection ({RIGHT_MODE})   ← better").scale(
    type="log" if wide else "linear", zero=False
)
y_scale = alt.Scale(type="log", domainMin=floor, nice=False)
y = alt.Y("y_drawn", title=f"← better   valid requests rejected per run ({FALSE_MODE})", scale=y_scale)
colour = alt.Color("rule", scale=scale)
shape = alt.Shape("rule", scale=alt.Scale(domain=rules))
tooltip = ["label", "x_value", "x_lo", "x_hi", "y_value", "y_lo", "y_hi"]

faint = {"filled": True, "size": 16, "opacity": 0.3}
everything = alt.Chart(points).mark_point(**faint).encode(x, y, colour, shape, tooltip=tooltip)
stairs = alt.Chart(front).mark_line(interpolate="step-after").encode(x, alt.Y("y_stairs"), colour)
bars = alt.Chart(front).mark_rule()
x_bars = bars.encode(alt.X("x_lo"), y, colour, x2="x_hi")
y_bars = bars.encode(x, alt.Y("y_from"), colour, y2="y_to")
big = {"size": 50, "strokeWidth": 1.6, "opacity": 1}
with_events = alt.Chart(front.filter(seen)).mark_point(filled=True, **big).encode(x, y, colour, shape, tooltip=tooltip)
without = alt.Chart(front.filter(~seen)).mark_point(fill="white", **big).encode(x, y, colour, shape, tooltip=tooltip)

replications = runs["replication"].n_unique()
caption = f"n = {replications} replications; bars: {100 * level:g} % per-design intervals; hollow: no event seen"
(
    (everything + stairs + x_bars + y_bars + with_events + without)
    .properties(
        width=620, height=420, title=alt.Title("What detection costs, and what false openings cost", subtitle=caption)
    )
    .configure_axis(gridOpacity=0.4)
)

# %% [markdown]
# ## What it says
#
# Reading from left to right along the stairs: settings that open sooner spare the pool and turn valid requests away;
# settings that hardly ever open for nothing let a slow dependency hold more slots. The intervals are for one design
# each: the more designs there are, the more of them lie where they do by luck, and the front picks the lucky ones.
# Before shipping a setting, look whether its neighbours on the grid lie close to it.

# %%
overall = front.filter(
    (pl.col("y_value").cum_min().shift().is_null()) | (pl.col("y_value") < pl.col("y_value").cum_min().shift())
)
quickest, calmest = overall.row(0, named=True), overall.row(-1, named=True)
print(f"{overall.height} of {points.height} designs are beaten by no design of any family.")
for words, design in [("The quickest", quickest), ("The calmest", calmest)]:
    print(
        f"{words}, {design['label']}: {design['x_value']:.1f} slot-rounds to detection in {RIGHT_MODE}, "
        f"{design['y_value']:.3g} valid requests rejected per run in {FALSE_MODE}"
        + ("" if design["y_hi"] is None else f" (interval up to {design['y_hi']:.3g})")
        + "."
    )
overall.select("design", "label", "x_value", "x_lo", "x_hi", "y_value", "y_lo", "y_hi")

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
# # What common random numbers buy
#
# All designs of a sweep see the same requests in replication r. So the difference of two designs in one replication is
# what the *settings* differ by, not what happened to them, and its spread is smaller than that of two independent runs:
#
# $$\operatorname{Var}(A_r - B_r) = \operatorname{Var} A + \operatorname{Var} B - 2 \operatorname{Cov}(A, B)$$
#
# This notebook asks how many replications a comparison needs until its 95 % interval is within 5 % of the compared
# mean, with the sweep's common random numbers and without. `TRIPCURVE_DATA` names the sweep's folder.

# %%
import json
import os
from pathlib import Path

import altair as alt
import polars as pl

folder = Path(os.environ.get("TRIPCURVE_DATA", "../data/sweep"))
found = (folder / "runs.parquet").exists()
assert found, f"no sweep in {folder.resolve()}: run one, or set TRIPCURVE_DATA to its folder"

METRICS = ["slot_rounds_to_detection_restricted", "slot_rounds_fault", "rejected", "neighbour_no_slot"]
# Half-width over mean, and the normal quantile of a two-sided 95 % interval (the numbers are large).
PRECISION, QUANTILE = 0.05, 1.959964

designs = pl.read_parquet(folder / "designs.parquet").filter(pl.col("equivalent_to").is_null())
runs = pl.read_parquet(folder / "runs.parquet", columns=["design", "mode", "replication", *METRICS])
n = runs["replication"].n_unique()
assert n > 1, "one replication has no spread: run the sweep with at least two"

# %% [markdown]
# ## Pairs of neighbours
#
# Comparing a design with the next one on the grid of its family is what tuning consists of: 5 in a row or 6, one second
# or two.

# %%
grid = designs.select("design", "rule").sort("design")
pairs = grid.with_columns(other=pl.col("design").shift(-1).over("rule")).drop_nulls().select("design", "other")
long = runs.unpivot(METRICS, index=["design", "mode", "replication"], variable_name="metric").with_columns(
    pl.col("value").cast(pl.Float64)
)
both = (
    pairs.join(long, on="design")
    .join(
        long.rename({"design": "other", "value": "value_other"}), on=["other", "mode", "replication", "metric"]
    )
    .group_by("design", "other", "mode", "metric")
    .agg(
        mean=pl.col("value").mean(),
        independent=pl.col("value").var() + pl.col("value_other").var(),
        paired=(pl.col("value") - pl.col("value_other")).var(),
    )
    # A pair that never differs needs one replication either way, and a mean of zero has no relative precision.
    .filter(pl.col("paired") > 0, pl.col("mean") > 0)
    .with_columns(
        (QUANTILE**2 * pl.col(spread) / (PRECISION * pl.col("mean")) ** 2).ceil().clip(2).alias(f"needed_{spread}")
        for spread in ["independent", "paired"]
    )
    .with_columns(times=pl.col("needed_independent") / pl.col("needed_paired"))
)
assert both.height > 0, "no two neighbouring designs of this sweep differ"
table = (
    both.group_by("metric", "mode")
    .agg(
        pairs=pl.len(),
        independent=pl.col("needed_independent").median(),
        paired=pl.col("needed_paired").median(),
        times_fewer=pl.col("times").median(),
    )
    .sort("metric", "mode")
)
with pl.Config(tbl_rows=-1, fmt_str_lengths=50, tbl_hide_column_data_types=True, tbl_hide_dataframe_shape=True):
    print(f"Replications until a difference is known to ±5 % of the mean; medians over pairs of neighbours, n = {n}")
    print(table)

# %% [markdown]
# ## What it says
#
# `times_fewer` is how many times fewer replications the common random numbers need for the same answer, for the median
# pair. They help most where two designs meet the same requests in nearly the same state, and least where one opening
# more or less throws the rest of the run apart.

# %%
share = (both["paired"] < both["independent"]).mean()
print(f"The paired spread is the smaller one for {100 * share:.1f} % of {both.height} comparisons.")
assert share > 0.5, "common random numbers should help in most comparisons"

# %% [markdown]
# ## Against one setting
#
# The sweep pairs every design with a baseline: the current setting of `[analysis]` if it has one, or else no breaker. The
# summary has these differences with their intervals. Here they are, recomputed from the runs, beside the interval that two
# independent results of the same spread would give.

# %%
summary = pl.read_parquet(folder / "summary.parquet")
ESTIMATORS = ["mean_difference_to_none", "mean_difference_to_baseline"]
PAIRED_METRIC = METRICS[0]
stated = summary.filter(pl.col("estimator").is_in(ESTIMATORS), pl.col("metric") == PAIRED_METRIC).join(
    designs, on="design", how="semi"
)
chart = None
if stated.height == 0:
    print("This sweep has no baseline: give it a design `none`, or a current setting.")
else:
    manifest = json.loads(pl.read_parquet_metadata(folder / "summary.parquet")["tripcurve"])
    first_none = designs.filter(pl.col("rule") == "none")["design"].min()
    baseline = manifest.get("baseline_design", first_none)
    of_metric = long.filter(pl.col("metric") == PAIRED_METRIC)
    to_baseline = (
        of_metric.join(
            of_metric.filter(pl.col("design") == baseline), on=["mode", "replication"], suffix="_baseline"
        )
        .group_by("design", "mode")
        .agg(
            mean=(pl.col("value") - pl.col("value_baseline")).mean(),
            paired=(pl.col("value") - pl.col("value_baseline")).var(),
            independent=pl.col("value").var() + pl.col("value_baseline").var(),
        )
    )
    compared = stated.filter(pl.col("method") == "paired_t").join(to_baseline, on=["design", "mode"])
    off = (compared["value"] - compared["mean"]).abs()
    assert (off <= 1e-9 * compared["mean"].abs().clip(1.0)).all(), f"the differences differ by up to {off.max()}"
    half_width = (compared["hi"] - compared["lo"]) / 2
    wider = (compared["independent"] / compared["paired"]).sqrt()
    print(f"{compared.height} paired differences to design {baseline} agree; independent intervals would be")
    print(f"{wider.median():.1f} times as wide in the median, from {wider.min():.1f} to {wider.max():.1f}.")
    drawn = compared.with_columns(
        independent_lo=pl.col("value") - half_width * wider, independent_hi=pl.col("value") + half_width * wider
    )
    base = alt.Chart(drawn.sort("value").group_by("mode", maintain_order=True).head(12)).encode(
        y=alt.Y("design:N", sort="x")
    )
    title = f"{PAIRED_METRIC}, minus that of design {baseline}"
    independent = base.mark_rule(strokeWidth=5, color="#cccccc").encode(x="independent_lo", x2="independent_hi")
    paired = base.mark_rule(strokeWidth=2).encode(x=alt.X("lo", title=title), x2="hi")
    point = base.mark_point(filled=True).encode(x="value")
    chart = (independent + paired + point).facet("mode", columns=2).resolve_scale(x="independent", y="independent")
chart

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
import os
from pathlib import Path

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

#!/usr/bin/env bash
# A sweep as an array on a one-node cluster, with a task that fails; submitted again, merged and compared with the files of
# one machine: `check.sh EXPERIMENTS` within `one-node.sh`, from the workspace's folder.
set -euo pipefail
EXPERIMENTS=$(realpath "$1")
export EXPERIMENTS SHARDS=6 SWEEP=sweeps/small.toml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OUT=$work/array
submit() { sbatch --wait --quiet --output="$work/%a.log" "$@" deploy/slurm/sweep.sbatch; }

"$EXPERIMENTS" "$SWEEP" --out "$work/one" --no-plots --quiet
# The third task finds a folder in the place of its results, which is no reason to try the others again.
mkdir "$work/bad"
touch "$work/bad/results"
if OUT=$work/bad/results/none submit --array=2; then
    echo "a shard that cannot write should fail" >&2
    exit 1
fi
submit --array=0-1,3-5
status=0
missing=$("$EXPERIMENTS" missing "$SWEEP" --count "$SHARDS" --out "$OUT" --as slurm) || status=$?
[ "$status" = 1 ] && [ "$missing" = "--array=2" ] || { echo "missing says $missing" >&2; exit 1; }
if "$EXPERIMENTS" merge "$SWEEP" --out "$OUT" --no-plots --quiet 2>"$work/refused"; then
    echo "an incomplete merge should be refused" >&2
    exit 1
fi
submit "$missing"
"$EXPERIMENTS" merge "$SWEEP" --out "$OUT" --no-plots --quiet
for table in runs designs summary front; do
    cmp "$work/one/$table.parquet" "$OUT/$table.parquet"
done
echo "A Slurm array of $SHARDS shards, one of them submitted again, merges to the files of one machine."

#!/usr/bin/env bash
# Eight shards by GNU parallel, in one line, merge to the files of one machine: `check.sh EXPERIMENTS`, from the
# workspace's folder. PARALLEL_SEQ, which parallel sets, says which shard it is.
set -euo pipefail
experiments=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seq 8 | parallel --jobs 2 -N0 "$experiments" shard sweeps/small.toml --count 8 --out "$work/shards" --jobs 1 --quiet

"$experiments" merge sweeps/small.toml --out "$work/shards" --no-plots --quiet
"$experiments" sweeps/small.toml --out "$work/one" --no-plots --quiet
for table in runs designs summary front; do
    cmp "$work/one/$table.parquet" "$work/shards/$table.parquet"
done
echo "Eight shards by GNU parallel merge to the files of one machine."

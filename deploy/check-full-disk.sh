#!/usr/bin/env bash
# A sweep on a file system of 2 MB that is full before the end: nothing finished is lost, and with more room the same command
# does the rest: `check-full-disk.sh EXPERIMENTS`, from the workspace's folder. Exits with 69 where nothing can be mounted.
set -euo pipefail
experiments=$(realpath "$1")
work=$(mktemp -d)
mkdir "$work/disk"
mount -t tmpfs -o size=2m tmpfs "$work/disk" 2>/dev/null || { rm -rf "$work"; exit 69; }
trap 'umount "$work/disk"; rm -rf "$work"' EXIT
sweep() { "$experiments" sweeps/small.toml --replications 4000 --set scenario.horizon=4s --block 100 --no-plots --quiet "$@"; }

if sweep --out "$work/disk/results" 2>"$work/said"; then
    echo "2 MB should not be enough" >&2
    exit 1
fi
grep -q "run the same command again" "$work/said" || { cat "$work/said" >&2; exit 1; }
[ ! -e "$work/disk/results/runs.parquet" ] || { echo "a table was published" >&2; exit 1; }
kept=$(find "$work/disk/results/blocks" -name '*.block' | wc -l)
[ "$kept" -gt 0 ] || { echo "no block was kept" >&2; exit 1; }
mount -o remount,size=64m "$work/disk"
sweep --out "$work/disk/results"
grep -q "\"replications_reused\": $((100 * kept))" "$work/disk/results/manifest.json"
sweep --out "$work/one"
for table in runs designs summary front; do
    cmp "$work/one/$table.parquet" "$work/disk/results/$table.parquet"
done
echo "A full disk cost nothing that was finished: $kept blocks were kept, and the files are those of one run."

#!/usr/bin/env bash
# Counts the instructions of the four hot loops with valgrind's callgrind and compares them with tools/instructions.txt.
# The counts of one binary are the same on a busy machine as on an idle one, so that a regression of a few percent shows.
#
#   tools/instructions.sh            prints the counts, and fails if one exceeds its committed figure by more than 5 %
#   tools/instructions.sh --update   writes the counts to tools/instructions.txt (after a change that is meant to change them,
#                                    or with another compiler)
set -euo pipefail
cd "$(dirname "$0")/.."
figures=tools/instructions.txt

cargo build --release --quiet -p scenario --example hot_loops
binary="${CARGO_TARGET_DIR:-target}/release/examples/hot_loops"
profile="$(mktemp)"
trap 'rm -f "$profile"' EXIT

counts=""
for hot_loop in hold counter plain shared; do
    events="$(valgrind --quiet --tool=callgrind --callgrind-out-file="$profile" \
        --collect-atstart=no --toggle-collect='*hot_loops::measured*' "$binary" "$hot_loop")"
    instructions="$(awk '/^(totals|summary):/ { total = $2 } END { print total }' "$profile")"
    counts+="$(awk -v name="$hot_loop" -v total="$instructions" -v events="$events" \
        'BEGIN { printf "%-8s %.1f", name, total / events }')"$'\n'
done

if [[ "${1:-}" == --update ]]; then
    { echo "# Instructions per event or request; see tools/instructions.sh. $(rustc --version), $(uname -m)"; printf '%s' "$counts"; } >"$figures"
    cat "$figures"
    exit
fi
printf '%s' "$counts" | awk '
    NR == FNR { if ($1 != "#") expected[$1] = $2; next }
    {
        ratio = $2 / expected[$1]
        printf "%-8s %8.1f instructions per event, %.3f of the committed %.1f\n", $1, $2, ratio, expected[$1]
        if (ratio > 1.05) worse = 1
    }
    END { exit worse }
' "$figures" -

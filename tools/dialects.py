#!/usr/bin/env python3
"""Makes the tables and the figure of docs/dialects.md from sweeps/dialects.toml and variations of it.

    python3 tools/dialects.py           # simulates (a minute or two) and writes
    python3 tools/dialects.py --check   # simulates and says whether the page is what would be written

Needs Rust, and Python 3.11 or newer; polars comes from the notebooks' environment, as in notebooks/run.py.
"""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/dialects.md"
FIGURE = ROOT / "plots/samples/dialects.png"
SWEEP = ROOT / "sweeps/dialects.toml"
WORK = ROOT / "target/dialects"

# Calls and holds of the sweep.
CALLS_PER_SECOND = 10
ALTERNATING_SECONDS = 60
ROUNDS_PER_HANG = 200
RATES = ["1", "1.9", "2.1", "100"]

# The rows: a name for each design of the sweep after `none`, in its order, and what an emulation of the libraries'
# rules gave, written apart from this program from their sources alone: calls before opening after a long healthy
# history, from a cold start, where failures and successes alternate, and where calls hang; of 100 seeds, those in which
# a minute of 35 % failures opens. Empty where that emulation has no such row.
ROWS = [
    ("consecutive 5", "5", "5", "never", "25", "87"),
    ("Failsafe (Java) 10 of 20", "10", "10", "19", "30", "100"),
    ("failsafe-go 10 of 20", "10", "10", "19", "30", "100"),
    ("Resilience4j COUNT 20", "10", "20", "19", "30", "100"),
    ("recloser 20", "10", "21", "19", "30", "100"),
    ("cockatiel Count 20", "11", "20", "never", "31", "100"),
    ("pybreaker 10", "", "", "", "", ""),
    ("Sentinel 10 s tumbling", "11–69", "20", "101", "41", "49"),
    ("gobreaker Interval 10 s", "11–67", "20", "51", "70", "61"),
    ("gobreaker rolling 10 × 1 s", "46–50", "20", "91", "70", "6"),
    ("Resilience4j TIME 10 s", "46–50", "20", "91", "60", "6"),
    ("Failsafe (Java) 50 % in 10 s", "", "", "", "", ""),
    ("failsafe-go 50 % in 10 s", "", "", "", "", ""),
    ("Hystrix 1.5.18", "50–54", "20", "100", "60", "3"),
    ("Hystrix 1.5.13", "50–54", "20", "100", "60", "3"),
    ("opossum", "46–51", "20", "91", "71", "4"),
    ("cockatiel Sampling 10 s", "", "", "", "", ""),
    ("failsafe crate, average over 10 s", "70", "101", "531", "70", "0"),
    ("gobreaker Interval 0", "10020", "20", "never", "10040–10060", "0"),
]


def simulate(program, sweep, out, *overrides):
    """Runs a sweep and returns the folder of its results."""
    folder = WORK / out
    sets = [part for override in overrides for part in ("--set", override)]
    subprocess.run([*program, str(sweep), "--out", str(folder), "--quiet", *sets], cwd=ROOT, check=True)
    return folder


def alternating():
    """The sweep with a mode in which every second call fails: its regime changes once a call."""
    regimes = ['[[mode]]\nname = "alternating"', '[[mode.regime]]\nat = "0s"\nregime = "healthy"']
    for number in range(ALTERNATING_SECONDS * CALLS_PER_SECOND):
        at = f"fault + {number * 1000 // CALLS_PER_SECOND}ms" if number else "fault"
        what = 'regime = "healthy"\nname = "good"' if number % 2 else 'regime = "down"\nfailure_hold = "10ms"'
        regimes.append(f'[[mode.regime]]\nat = "{at}"\n{what}')
    file = WORK / "alternating.toml"
    file.write_text(SWEEP.read_text() + "\n" + "\n\n".join(regimes) + "\n")
    return file


def span(low, high):
    return f"{low:,.0f}" if low == high else f"{low:,.0f}–{high:,.0f}"


class Results:
    """The runs of one sweep."""

    def __init__(self, folder):
        import polars

        self.runs = polars.read_parquet(folder / "runs.parquet")

    def of(self, design, mode):
        import polars

        return self.runs.filter((polars.col("design") == design) & (polars.col("mode") == mode))

    def calls(self, design, mode, rounds_per_call=1):
        """How many calls are drawn before the breaker opens, in all runs."""
        runs = self.of(design, mode)
        drawn = runs["slot_rounds_to_detection"].drop_nulls() / rounds_per_call
        if drawn.len() == 0:
            return "never"
        some = "" if drawn.len() == runs.height else f", in {drawn.len()} of {runs.height} runs"
        return span(drawn.min(), drawn.max()) + some

    def openings(self, design, mode):
        return str(self.of(design, mode)["detected"].sum())


def beside(ours, theirs):
    return f"{ours} ({theirs})" if theirs else ours


def table(head, rows):
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def tables(program):
    """The text of each table by its name, and the folder with the figure."""
    main = simulate(program, SWEEP, "main")
    turns = simulate(program, alternating(), "alternating", 'modes=["alternating"]',
                     f'scenario.horizon={{ after_fault = "{ALTERNATING_SECONDS}s" }}')
    rates = [
        simulate(program, SWEEP, f"rate-{rate}", 'modes=["outage"]', "replications=20",
                 f'scenario.dependency.arrivals={{ kind = "even", rate = "{rate}/s" }}')
        for rate in RATES
    ]
    main, turns, rates = Results(main), Results(turns), [Results(folder) for folder in rates]
    shown, drawn = [], []
    for design, (name, warm, cold, alternate, hang, partial) in enumerate(ROWS, start=1):
        shown.append([
            name,
            beside(main.calls(design, "outage"), warm),
            beside(main.calls(design, "cold"), cold),
            beside(turns.calls(design, "alternating"), alternate),
            beside(main.calls(design, "hangs", ROUNDS_PER_HANG), hang),
            beside(main.openings(design, "partial"), partial),
        ])
        drawn.append([name, *(results.calls(design, "outage") for results in rates)])
    head = ["breaker", "outage, warm", "outage, cold", "F, S, F, S …", "hangs of 2 s", "35 %: opens of 100"]
    return {
        "main": table(head, shown),
        "rates": table(["breaker", *(f"{rate}/s" for rate in RATES)], drawn),
    }, WORK / "main/plots/detection.png"


def page(made):
    text = PAGE.read_text()
    for name, made_table in made.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        text, found = re.subn(f"{begin}.*?{end}", lambda _: f"{begin}\n{made_table}\n{end}", text, flags=re.DOTALL)
        if found != 1:
            sys.exit(f"{PAGE} has no place for the table {name}: it needs {begin} and {end}")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if the page would change")
    parser.add_argument("--program", default="cargo run -q -p experiments --", help="what simulates (%(default)s)")
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    made, figure = tables(shlex.split(arguments.program))
    text = page(made)
    if arguments.check:
        if text != PAGE.read_text():
            sys.exit(f"{PAGE} is not what {Path(__file__).name} writes: run it and look at what changed")
        return
    PAGE.write_text(text)
    shutil.copy(figure, FIGURE)


if __name__ == "__main__":
    from pinned_environment import python_of

    if Path(sys.executable) != (python := python_of("notebooks", ROOT / "notebooks/requirements.txt")):
        sys.exit(subprocess.run([python, __file__, *sys.argv[1:]]).returncode)
    main()

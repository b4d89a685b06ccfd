#!/usr/bin/env python3
"""Says whether today's versions still behave like the pinned ones: the same scripts through both, and what differs.

    python3 tools/record/check.py [LIBRARY...] [--seed N] [--count N]

Exit codes: 0 all alike, 1 something differs, 2 a recorder did not run.
"""

import argparse
import difflib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import record
import scripts

# Operations shown of a vector that differs: those around the first difference.
CONTEXT = 3


def vectors(library, latest, work, text):
    recorder = record.command(library, latest, work)
    done = subprocess.run(recorder, input=text, text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        print(f"{library}: the recorder of the {'latest' if latest else 'pinned'} version failed", file=sys.stderr)
        sys.exit(2)
    return list(map(json.loads, done.stdout.splitlines()))


def difference(pinned, latest):
    """The operations around the first that differs, as a diff."""
    before, after = (list(map(json.dumps, vector["ops"])) for vector in (pinned, latest))
    pairs = enumerate(zip(before, after))
    first = next((place for place, (one, other) in pairs if one != other), min(len(before), len(after)))
    window = slice(max(0, first - CONTEXT), first + CONTEXT + 1)
    names = (f"{vector['library']} {vector['version']}" for vector in (pinned, latest))
    return "\n".join(difflib.unified_diff(before[window], after[window], *names, lineterm=""))


def check(library, arguments):
    """Prints how a library's versions differ; whether they do not."""
    made = scripts.scripts(library, arguments.seed, arguments.count, arguments.calls)
    text = "".join(json.dumps(script) + "\n" for script in made)
    pinned, latest = (vectors(library, latest, arguments.work, text) for latest in (False, True))
    differing = [pair for pair in zip(pinned, latest, strict=True) if pair[0]["ops"] != pair[1]["ops"]]
    versions = f"{library} {pinned[0]['version']} and {latest[0]['version']}"
    if not differing:
        print(f"{versions}: alike in {len(pinned)} scripts")
        return True
    print(f"{versions}: {len(differing)} of {len(pinned)} scripts differ; the first is {differing[0][0]['id']} with")
    print(json.dumps(differing[0][0]["settings"]))
    print(difference(*differing[0]))
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    # Not `choices`: with a default for an optional list argparse would refuse the default.
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=f"of {', '.join(record.LANGUAGE)} (all)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="scripts of each library")
    parser.add_argument("--calls", type=int, default=300, help="calls in each")
    parser.add_argument("--work", type=Path, default=record.WORK, help="where to install (%(default)s)")
    parser.add_argument("--keep", action="store_true", help="compare with the latest versions installed last time")
    arguments = parser.parse_args()
    libraries = arguments.libraries or list(record.LANGUAGE)
    if unknown := set(libraries) - set(record.LANGUAGE):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known are {', '.join(record.LANGUAGE)}")
    if not arguments.keep:
        for language in {record.LANGUAGE[library] for library in libraries}:
            shutil.rmtree(arguments.work / f"{language}-latest", ignore_errors=True)
    alike = [check(library, arguments) for library in libraries]
    return 0 if all(alike) else 1


if __name__ == "__main__":
    sys.exit(main())

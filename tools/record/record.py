#!/usr/bin/env python3
"""Records vectors: installs a library from its registry and runs operation scripts through the real code.

    python3 tools/record/scripts.py opossum --seed 7 | python3 tools/record/record.py opossum > opossum.jsonl

Pinned versions are installed unless --latest is given. Everything is installed into the work folder, nothing else changes.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE.parent.parent / "target" / "record"
LANGUAGE = {
    "opossum": "node",
    "cockatiel": "node",
    "pybreaker": "python",
    "failsafe_rs": "rust",
    "recloser": "rust",
}

# What is changed in a copy of recloser, so that its clock can be set and its methods be called one by one: file, old text,
# new text. Each old text has to be there exactly once.
RECLOSER_PATCH = [
    ("lib.rs", "mod error;", "#[allow(missing_docs)]\npub mod clock;\nmod error;"),
    ("recloser.rs", "#[cfg(not(test))]\nuse std::time::Instant;", "#[cfg(not(test))]\nuse crate::clock::Instant;"),
    *(
        ("recloser.rs", f"pub(crate) fn {method}(", f"pub fn {method}(")
        for method in ("call_permitted", "on_success", "on_error")
    ),
]

VENDORED = """\
[source.crates-io]
replace-with = "vendored-sources"

[source.vendored-sources]
directory = "vendor"
"""


def run(*command, **options):
    """Runs a command whose own output is only of interest if it fails."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def prepare_node(folder, latest):
    names = ["opossum", "cockatiel"]
    if latest:
        (folder / "package-lock.json").unlink()
        run("npm", "install", "--ignore-scripts", *(f"{name}@latest" for name in names), cwd=folder)
    else:
        run("npm", "ci", "--ignore-scripts", cwd=folder)


def prepare_python(folder, latest):
    run(sys.executable, "-m", "venv", folder / "venv")
    what = ["--upgrade", "pybreaker"] if latest else ["--require-hashes", "-r", folder / "requirements.txt"]
    run(folder / "venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", *what)


def prepare_rust(folder, latest):
    if latest:
        (folder / "Cargo.lock").unlink()
        manifest = (folder / "Cargo.toml").read_text()
        for pinned in ("failsafe = \"=1.3.0\"", "recloser = \"=1.4.0\""):
            replaced(manifest, pinned, "", "Cargo.toml")
            manifest = manifest.replace(pinned, pinned.split(" = ")[0] + " = \"*\"")
        (folder / "Cargo.toml").write_text(manifest)
    run("cargo", "vendor", *([] if latest else ["--locked"]), "vendor", cwd=folder)
    (folder / ".cargo").mkdir()
    (folder / ".cargo/config.toml").write_text(VENDORED)
    patch_recloser(folder / "vendor/recloser", folder)
    run("cargo", "build", "--offline", "--locked", "--target-dir", "target", cwd=folder)


def patch_recloser(crate, folder):
    for name, old, new in RECLOSER_PATCH:
        file = crate / "src" / name
        file.write_text(replaced(file.read_text(), old, new, f"recloser's {name}"))
    shutil.copy(folder / "recloser_clock.rs", crate / "src/clock.rs")
    module = crate / "src/recloser.rs"
    module.write_text(module.read_text() + (folder / "recloser_state.rs").read_text())
    # Cargo compares vendored files with the checksums that it is given: give it none of this crate.
    checksums = crate / ".cargo-checksum.json"
    checksums.write_text(json.dumps(json.loads(checksums.read_text()) | {"files": {}}))


def replaced(text, old, new, where):
    if text.count(old) != 1:
        sys.exit(f"{where} has changed: {old!r} is there {text.count(old)} times, not once. Look at it and renew the patch")
    return text.replace(old, new)


def command(library, latest, work):
    """The command that records a library, after installing it if that has not been done."""
    language = LANGUAGE[library]
    folder = work / f"{language}-{'latest' if latest else 'pinned'}"
    if not (folder / "ready").exists():
        print(f"installing {library} ({'latest' if latest else 'pinned'}) in {folder}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(HERE / language, folder, ignore=shutil.ignore_patterns("node_modules", "target"))
        {"node": prepare_node, "python": prepare_python, "rust": prepare_rust}[language](folder, latest)
        (folder / "ready").touch()
    return {
        "node": ["node", folder / "record.mjs", library],
        "python": [folder / "venv/bin/python", folder / "record.py"],
        "rust": [folder / "target/debug/record", library],
    }[language]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=LANGUAGE)
    parser.add_argument("--latest", action="store_true", help="the registry's latest version in place of the pinned one")
    parser.add_argument("--work", type=Path, default=WORK, help="where to install (%(default)s)")
    arguments = parser.parse_args()
    recorder = command(arguments.library, arguments.latest, arguments.work)
    os.execvp(recorder[0], list(map(str, recorder)))


if __name__ == "__main__":
    main()

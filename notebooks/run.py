"""Executes every notebook of this folder, top to bottom, and fails if a cell does.

    python3 notebooks/run.py [--save FOLDER] [NOTEBOOK.py ...]

Needs Python 3.11 or newer and nothing else: the pinned packages go into a virtual environment in the user's cache
folder, made at the first run and again whenever `requirements.txt` changes. `TRIPCURVE_DATA` names the folder of the
sweep that the notebooks read. With `--save`, the executed notebooks are kept there as `.ipynb`, with all output.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

from pinned_environment import python_of  # noqa: E402

REQUIREMENTS = HERE / "requirements.txt"


def execute(notebook: Path, save: Path | None) -> bool:
    """Executes one notebook; says what went wrong where, if anything did."""
    import jupytext
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, DeadKernelError

    content = jupytext.read(notebook)
    place = {"metadata": {"path": str(HERE)}}
    client = NotebookClient(content, timeout=600, kernel_name="python3", resources=place)
    # The kernel talks over the loopback interface, and warns at every start that it does.
    client.extra_arguments = ["--IPKernelApp.log_level=ERROR"]
    start = time.monotonic()
    try:
        client.execute()
    except (CellExecutionError, DeadKernelError, TimeoutError) as error:
        print(f"{notebook.name}: FAILED\n{error}", file=sys.stderr)
        return False
    print(f"{notebook.name}: ok, {time.monotonic() - start:.1f} s")
    for cell in content.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                print("".join(f"    {line}\n" for line in output.text.splitlines()), end="")
    if save:
        save.mkdir(parents=True, exist_ok=True)
        nbformat.write(content, save / notebook.with_suffix(".ipynb").name)
    return True


def main() -> int:
    if sys.version_info < (3, 11):
        print("the notebooks need Python 3.11 or newer", file=sys.stderr)
        return 2
    if os.environ.get("TRIPCURVE_NOTEBOOK_ENVIRONMENT") != "ready":
        try:
            python = python_of("notebooks", REQUIREMENTS)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"cannot install the notebooks' packages: {error}", file=sys.stderr)
            return 2
        ready = os.environ | {"TRIPCURVE_NOTEBOOK_ENVIRONMENT": "ready", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
        # The notebooks run in their own folder: a relative path is meant from here.
        if data := ready.get("TRIPCURVE_DATA"):
            ready["TRIPCURVE_DATA"] = str(Path(data).resolve())
        return subprocess.run([python, __file__, *sys.argv[1:]], env=ready, check=False).returncode

    parser = argparse.ArgumentParser(description="Execute notebooks from top to bottom.")
    parser.add_argument("notebook", nargs="*", type=Path, help="default: every notebook of this folder")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="keep the executed notebooks here")
    arguments = parser.parse_args()
    notebooks = arguments.notebook or sorted(path for path in HERE.glob("*.py") if path.name != Path(__file__).name)
    results = [execute(notebook, arguments.save) for notebook in notebooks]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Virtual environments with exactly the packages that a `requirements.txt` pins, in the user's cache folder.

An environment is made at the first use and again whenever the requirements change. Needs the standard library alone.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path


def python_of(name: str, requirements: Path) -> Path:
    """The Python of the environment called `name`; raises what pip's failure raises if it cannot be made."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tripcurve"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    fingerprint = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    folder = cache / f"{name}-{version}-{fingerprint}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    complete = folder / "complete"
    if not complete.exists():
        print(f"installing the packages of {name} into {folder}", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
        subprocess.run(install, check=True)
        complete.touch()
    return python

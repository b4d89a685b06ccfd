"""A Dask cluster that loses a worker in the middle of a sweep, compared with one machine.

    python3 deploy/dask/check.py EXPERIMENTS

from the workspace's folder. The pinned packages are installed into a folder of their own in the user's cache first.
"""

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
SWEEP = "sweeps/small.toml"
TABLES = ("runs", "designs", "summary", "front")
SHARDS = 16


def environment():
    """The Python of an environment that has exactly the pinned packages."""
    requirements = HERE / "requirements.txt"
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tripcurve"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    folder = cache / f"dask-{version}-{hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]}"
    complete = folder / "complete"
    if not complete.exists():
        print(f"installing Dask into {folder}", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
        subprocess.run([folder / "bin/python", *install], check=True)
        complete.touch()
    return folder / "bin/python"


def check(program):
    """Does the sweep on a cluster, kills a worker when a quarter of the shards is done, merges and compares."""
    from distributed import Client, LocalCluster

    from sweep import run_sweep

    with tempfile.TemporaryDirectory() as work:
        one, many = f"{work}/one", f"{work}/many"
        subprocess.run([program, SWEEP, "--out", one, "--no-plots", "--quiet"], check=True)
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
            Client(cluster) as client,
        ):
            done, killed = [], []

            def after_each(index):
                done.append(index)
                if len(done) == SHARDS // 4:
                    worker = next(iter(cluster.workers.values()))
                    os.kill(worker.pid, signal.SIGKILL)
                    killed.append(worker.pid)

            run_sweep(client, program, SWEEP, many, SHARDS, after_each=after_each)
        assert killed and sorted(set(done)) == list(range(SHARDS)), (killed, done)
        subprocess.run([program, "merge", SWEEP, "--out", many, "--no-plots", "--quiet"], check=True)
        for table in TABLES:
            same = Path(one, f"{table}.parquet").read_bytes() == Path(many, f"{table}.parquet").read_bytes()
            assert same, f"{table}.parquet differs"
    print(f"{SHARDS} shards on a Dask cluster that lost a worker merge to the files of one machine.")


if __name__ == "__main__":
    if sys.argv[2:] == ["inside"]:
        check(os.path.abspath(sys.argv[1]))
    else:
        sys.exit(subprocess.run([environment(), __file__, sys.argv[1], "inside"]).returncode)

"""A Dask cluster that loses a worker in the middle of a sweep, compared with one machine.

    python3 deploy/dask/check.py EXPERIMENTS

from the workspace's folder. The pinned packages are installed into a folder of their own in the user's cache first.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))

from pinned_environment import python_of  # noqa: E402

SWEEP = "sweeps/small.toml"
TABLES = ("runs", "designs", "summary", "front")
SHARDS = 16


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
        python = python_of("dask", HERE / "requirements.txt")
        sys.exit(subprocess.run([python, __file__, sys.argv[1], "inside"]).returncode)

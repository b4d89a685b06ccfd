"""The shards of a sweep as tasks of a Dask cluster.

    python3 deploy/dask/sweep.py sweep.toml --shards 64 --out /shared/results --scheduler tcp://scheduler:8786
    experiments merge sweep.toml --out /shared/results

Every worker needs the program, the sweep file and the folder under the same paths. Without `--scheduler`, a cluster of
`--workers` processes on this machine does them. What follows `--` goes to `experiments shard`, `--replications 100000` for
example; `experiments merge` needs the same.

Dask repeats a task whose worker is lost, even a finished one; that costs little, as a shard that is there already is done at
once. Needs `distributed` (see requirements.txt), on workers as here.
"""

import argparse
import os
import subprocess
import sys

# Exit codes of `experiments shard` after which another attempt is of no use: wrong arguments, wrong sweep or folder.
HOPELESS = (64, 65)


class Hopeless(Exception):
    """A shard that would fail again."""


def run_shard(program, sweep, out, index, count, more):
    """Does one shard on a worker; raises if it fails, so that Dask tries again."""
    environment = os.environ | {"TRIPCURVE_SHARD_INDEX": str(index), "TRIPCURVE_SHARD_COUNT": str(count)}
    command = [program, "shard", sweep, "--out", out, "--jobs", "1", "--quiet", *more]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode in HOPELESS:
        # A value and not an exception: exceptions are tried again.
        return Hopeless(f"shard {index}: {done.stderr.strip()}")
    if done.returncode != 0:
        raise RuntimeError(f"shard {index} ended with {done.returncode}: {done.stderr.strip()}")
    return index


def run_sweep(client, program, sweep, out, count, more=(), retries=5, after_each=lambda index: None):
    """Does all shards; calls `after_each` with the index of every shard as it is done."""
    from distributed import as_completed

    tasks = [
        client.submit(run_shard, program, sweep, out, index, count, tuple(more), retries=retries, pure=False)
        for index in range(count)
    ]
    for task in as_completed(tasks):
        result = task.result()
        if isinstance(result, Hopeless):
            client.cancel(tasks)
            raise result
        after_each(result)


def main():
    parser = argparse.ArgumentParser(description="Does the shards of a sweep on a Dask cluster.")
    parser.add_argument("sweep", help="the sweep file")
    parser.add_argument("--shards", type=int, required=True, help="how many shards there are")
    parser.add_argument("--out", required=True, help="folder of the results, which all workers see")
    parser.add_argument("--scheduler", help="address of a Dask scheduler; without it, a cluster on this machine")
    parser.add_argument("--workers", type=int, help="worker processes on this machine; one per core if not given")
    parser.add_argument("--program", default="experiments", help="the program, as workers find it")
    parser.add_argument("more", nargs="*", help="after --: further options of `experiments shard`")
    arguments = parser.parse_args()

    from distributed import Client, LocalCluster

    if arguments.scheduler:
        client = Client(arguments.scheduler)
    else:
        cluster = LocalCluster(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None)
        client = Client(cluster)
    try:
        run_sweep(client, arguments.program, arguments.sweep, arguments.out, arguments.shards, arguments.more)
    except (Hopeless, RuntimeError) as error:
        sys.exit(f"error: {error}")
    print(f"All {arguments.shards} shards are done: experiments merge {arguments.sweep} --out {arguments.out}")


if __name__ == "__main__":
    main()

"""Shards whose blocks go into a bucket, compared with one machine: `python3 deploy/s3/check.py EXPERIMENTS`.

From the workspace's folder, with a program that was built with `--features object-store`. The bucket is moto's, on the
loopback interface; its pinned packages are installed into a folder of their own in the user's cache first. The exit code
is 69 where that cannot be done.
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))

from pinned_environment import python_of  # noqa: E402

SWEEP = "sweeps/small.toml"
TABLES = ("runs", "designs", "summary", "front")
WRITERS = 16
BUCKET = "results"
UNAVAILABLE = 69
DENIED = b"<?xml version='1.0'?><Error><Code>AccessDenied</Code><Message>no</Message></Error>"
# The program gives up a request after 20 s, and all of its attempts after 45 s. What takes as long as this does not end.
TOO_LONG = 120


class Store:
    """moto's S3, and what it answered to whom. `hold`, `refuse` and `deny` look at a request first."""

    def __init__(self):
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import WSGIRequestHandler, make_server

        class Silent(WSGIRequestHandler):
            def log(self, *_):
                pass

        self.application = DomainDispatcherApplication(create_backend_app)
        self.server = make_server("127.0.0.1", 0, self.answer, threaded=True, request_handler=Silent)
        self.endpoint = f"http://127.0.0.1:{self.server.port}"
        self.lock = threading.Condition()
        self.answers = []
        self.hold = self.refuse = self.deny = lambda method, path: False
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.request("PUT", f"/{BUCKET}")

    def answer(self, environ, start_response):
        """Answers a request, unless it is to be refused, and notes how."""
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        checker = environ.get("HTTP_X_CHECKER")
        if not checker:
            self.hold(method, path)
            if self.refuse(method, path):
                start_response("503 Slow Down", [("Content-Length", "0")])
                return [b""]
            if self.deny(method, path):
                start_response("403 Forbidden", [("Content-Length", str(len(DENIED)))])
                return [DENIED]

        def started(status, headers, *rest):
            if not checker:
                with self.lock:
                    self.answers.append((method, path, int(status.split()[0])))
                    self.lock.notify_all()
            return start_response(status, headers, *rest)

        return self.application(environ, started)

    def request(self, method, path, body=None):
        """A request of this check itself."""
        # moto tells its services apart by the signature's form.
        authorization = "AWS4-HMAC-SHA256 Credential=check/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
        headers = {"X-Checker": "yes", "Authorization": authorization, "Content-Type": "application/octet-stream"}
        request = urllib.request.Request(self.endpoint + path, data=body, method=method, headers=headers)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
            return response.read()

    def keys(self, prefix):
        """All keys that begin so."""
        listing = self.request("GET", f"/{BUCKET}?list-type=2&prefix={prefix}").decode()
        return re.findall("<Key>([^<]*)</Key>", listing)


class Program:
    """The program under test, with credentials for a store."""

    def __init__(self, path, endpoint):
        self.path = path
        self.settings = {"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}

    def start(self, *arguments, **settings):
        """Starts it in an environment that says nothing else about AWS, and has a proxy that nobody serves."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        dead = {"HTTP_PROXY": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9", "HOME": "/nonexistent"}
        chosen = {name: value for name, value in {**kept, **dead, **self.settings, **settings}.items() if value}
        command = [self.path, arguments[0], SWEEP, *arguments[1:]]
        return subprocess.Popen(command, env=chosen, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *arguments, code=0, **settings):
        """Runs it, expects an exit code, and returns what it printed and said."""
        return finish(self.start(*arguments, **settings), code)

    def shard(self, index, count, prefix, *more, code=0, **settings):
        """Does a shard, and returns what it said."""
        return self.run("shard", *shard(index, count, prefix), *more, code=code, **settings)[1]

    def merge(self, prefix, folder, *more, code=0):
        """Merges into a folder, and returns what it said."""
        place = ["--from", f"s3://{BUCKET}/{prefix}", "--out", folder]
        return self.run("merge", *place, "--no-plots", "--quiet", *more, code=code)[1]

    def missing(self, prefix, count, code):
        """The shards that are missing, and what it said."""
        place = ["--count", str(count), "--out", f"s3://{BUCKET}/{prefix}"]
        printed, said = self.run("missing", *place, "--as", "json", code=code)
        return json.loads(printed)["shards"], said


def shard(index, count, prefix):
    """The arguments of a shard."""
    return ["--index", str(index), "--count", str(count), "--out", f"s3://{BUCKET}/{prefix}"]


def finish(process, code):
    """Waits for a program, expects an exit code, and returns what it printed and said."""
    try:
        printed, said = process.communicate(timeout=TOO_LONG)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    assert process.returncode == code, f"{process.args} ended with {process.returncode}, not {code}: {said}"
    return printed, said


def same_tables(one, other):
    """Fails if two folders of results differ."""
    for table in TABLES:
        same = Path(one, f"{table}.parquet").read_bytes() == Path(other, f"{table}.parquet").read_bytes()
        assert same, f"{table}.parquet differs in {other}"


def race(store, program, whole, work):
    """Sixteen writers of one block, none of which puts it before all have seen that it is not there."""
    listings = 2 * WRITERS

    def all_have_looked(method, path):
        def seen():
            return sum(answered == "GET" for answered, *_ in store.answers) >= listings

        if method == "PUT":
            # Less than a request may take. If some writers are late, the others do not wait for them.
            with store.lock:
                store.lock.wait_for(seen, timeout=15)

    store.answers.clear()
    store.hold = all_have_looked
    writers = [program.start("shard", *shard(0, 1, "race"), "--block", "20", "--jobs", "1") for _ in range(WRITERS)]
    for writer in writers:
        finish(writer, 0)
    store.hold = lambda method, path: False
    puts = [status for method, _, status in store.answers if method == "PUT"]
    assert len(puts) >= 2, "nobody raced"
    assert puts.count(200) == 1 and set(puts) == {200, 412}, puts
    assert len(store.keys("race")) == 1
    program.merge("race", f"{work}/race")
    same_tables(whole, f"{work}/race")
    print(f"{len(puts)} of {WRITERS} writers put one block at once: one won, and all ended well.")


def alarm(store, program, work):
    """A writer that finds other content under the name of its block, which was not there when it began."""
    other = f"{work}/other"
    program.run("shard", "--index", "0", "--count", "1", "--block", "20", "--out", other, "--set", "root_seed=2", "--quiet")
    (block,) = Path(other, "blocks").glob("*.block")

    def somebody_else_was_first(method, path):
        if method == "PUT":
            store.request("PUT", path, block.read_bytes())

    store.hold = somebody_else_was_first
    said = program.shard(0, 1, "alarm", "--block", "20", code=65)
    store.hold = lambda method, path: False
    assert "ALARM" in said and "s3://results/alarm/blocks/" in said, said
    (key,) = store.keys("alarm")
    assert store.request("GET", f"/{BUCKET}/{key}") == block.read_bytes(), "what was there first stays"


def repair(store, program, whole, work):
    """What is missing or damaged is named, refused and made again; blocks of other sweeps are refused."""
    for index in (0, 1, 3):
        program.shard(index, 4, "run", "--quiet")
    shards, _ = program.missing("run", 4, code=1)
    assert shards == [2], shards
    said = program.merge("run", f"{work}/run", code=1)
    assert "5 replications of 20 are missing in s3://results/run/blocks: 10 to 14" in said, said
    program.shard(2, 4, "run", "--quiet")
    assert program.missing("run", 4, code=0)[0] == []

    key = store.keys("run")[0]
    content = store.request("GET", f"/{BUCKET}/{key}")
    store.request("PUT", f"/{BUCKET}/{key}", content[:-1] + bytes([content[-1] ^ 1]))
    shards, said = program.missing("run", 4, code=1)
    assert len(shards) == 1 and key in said and "its checksum is wrong" in said, said
    said = program.merge("run", f"{work}/run", code=1)
    assert key in said and "its checksum is wrong" in said, said
    program.shard(shards[0], 4, "run", "--quiet")
    assert store.request("GET", f"/{BUCKET}/{key}") == content
    program.merge("run", f"{work}/run")
    same_tables(whole, f"{work}/run")

    said = program.shard(0, 4, "run", "--set", "root_seed=2", code=65)
    assert "blocks of another sweep" in said, said
    said = program.run("shard", "--index", "0", "--count", "1", "--out", "s3://nobody-has-this/run", code=65)[1]
    assert "there is no such bucket" in said, said
    store.deny = lambda method, path: method == "GET"
    said = program.shard(0, 1, "none", code=65)
    assert "access is denied (AccessDenied: no)" in said and "s3:ListBucket" in said, said
    store.deny = lambda method, path: False
    said = program.shard(0, 1, "none", code=65, AWS_ACCESS_KEY_ID="", AWS_SECRET_ACCESS_KEY="", AWS_EC2_METADATA_DISABLED="true")
    assert "there are no credentials: set AWS_ACCESS_KEY_ID" in said, said
    said = program.shard(0, 1, "none", code=65, AWS_ENDPOINT_URL="http://192.0.2.1:9000")
    assert "begins with https://" in said, said


def terminated(store, program):
    """A shard that is asked to end publishes what is finished."""
    # More than any machine does while this is waited for.
    process = program.start("shard", *shard(0, 1, "ended"), "--replications", "1000000", "--block", "8")
    began = time.monotonic()
    while not store.keys("ended"):
        assert process.poll() is None and time.monotonic() - began < TOO_LONG, "no block appears"
        time.sleep(0.01)
    process.terminate()
    said = finish(process, 143)[1]
    done = int(re.search(r"shard 0 of 1: ([\d,]+) replication", said)[1].replace(",", ""))
    held = [re.search(r"-(\d{10})-(\d{10})\.block$", key).groups() for key in store.keys("ended")]
    assert sum(int(end) - int(start) for start, end in held) == done, (held, said)


def outages(store, program, whole, work):
    """Stores that do not answer, or no more, end a shard in bounded time with 75, and nothing is lost."""
    first = threading.Event()

    def all_but_the_first(method, path):
        if method != "PUT" or "/outage/" not in path:
            return False
        was_there = first.is_set()
        first.set()
        return was_there

    store.refuse = all_but_the_first
    with socket.create_server(("127.0.0.1", 0)) as mute:
        # Connections are accepted by the operating system, and never answered.
        silence = f"http://127.0.0.1:{mute.getsockname()[1]}"
        began = time.monotonic()
        processes = [
            program.start("shard", *shard(0, 1, "outage"), "--block", "4"),
            program.start("shard", *shard(0, 1, "mute"), AWS_ENDPOINT_URL=silence),
            program.start("shard", *shard(0, 1, "dead"), AWS_ENDPOINT_URL="http://127.0.0.1:9"),
        ]
        for process in processes:
            said = finish(process, 75)[1]
            assert "Run the same command again" in said and "Finished blocks are kept" in said, said
        print(f"A store that is down, one that is mute and one that fails half-way: noticed within {time.monotonic() - began:.0f} s.")
    assert len(store.keys("outage")) == 1
    store.refuse = lambda method, path: False
    said = program.shard(0, 1, "outage", "--block", "4")
    assert "of which 4 were there already" in said, said
    program.merge("outage", f"{work}/outage")
    same_tables(whole, f"{work}/outage")


def check(path):
    """All of it, with a store of its own."""
    store = Store()
    program = Program(path, store.endpoint)
    with tempfile.TemporaryDirectory() as work:
        whole = f"{work}/whole"
        subprocess.run([path, SWEEP, "--out", whole, "--no-plots", "--quiet"], check=True)
        race(store, program, whole, work)
        alarm(store, program, work)
        repair(store, program, whole, work)
        terminated(store, program)
        outages(store, program, whole, work)
    print("Shards whose blocks went into a bucket merge to the files of one machine.")


if __name__ == "__main__":
    if sys.argv[2:] == ["inside"]:
        check(os.path.abspath(sys.argv[1]))
    else:
        try:
            python = python_of("moto", HERE / "requirements.txt")
        except subprocess.CalledProcessError:
            print("moto cannot be installed here", file=sys.stderr)
            sys.exit(UNAVAILABLE)
        sys.exit(subprocess.run([python, __file__, sys.argv[1], "inside"]).returncode)

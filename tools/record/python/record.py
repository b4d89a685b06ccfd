#!/usr/bin/env python3
"""Records what pybreaker does with each operation script of standard input: python record.py < SCRIPTS

A script is one JSON object a line; the answers of the library are filled into its operations and the line is printed.
"""

import datetime
import importlib.metadata
import json
import os
import sys
from decimal import Decimal

import pybreaker

# Time 0 of every script.
EPOCH = datetime.datetime.fromtimestamp(1_764_000_000, datetime.timezone.utc)
STATES = {"closed": "closed", "open": "open", "half-open": "half_open"}


class Clock(datetime.datetime):
    """What the library takes for `datetime`: its `now` is the script's."""

    moment = EPOCH

    @classmethod
    def now(cls, tz=None):
        return cls.moment.astimezone(tz)


class Failed(Exception):
    """A call's failure."""


# Blocks that never end would count as failures when they are collected, so they are kept.
KEPT = []


def exact(time):
    """A time in ms with just the decimals that it needs."""
    return int(time) if time == time.to_integral_value() else time.normalize()


def replay(script):
    breaker = pybreaker.CircuitBreaker(
        fail_max=script["settings"].get("fail_max", 5),
        reset_timeout=float(script["settings"].get("reset_timeout_s", 60)),
        success_threshold=script["settings"].get("success_threshold", 1),
    )
    running, recorded = {}, []
    for op in script["ops"]:
        time, call = Decimal(op["t_ms"]), op["call"]
        Clock.moment = EPOCH + datetime.timedelta(microseconds=int(time * 1000))
        written = {"t_ms": exact(time), "op": op["op"], "call": call}
        if op["op"] == "acquire":
            block = breaker.calling()
            try:
                block.__enter__()
                running[call] = (time, block)
            except pybreaker.CircuitBreakerError:
                pass
            written["admitted"] = call in running
        elif call in running:
            started, block = running.pop(call)
            error = None if op["ok"] else Failed()
            try:
                block.__exit__(error and Failed, error, None)
            except (Failed, pybreaker.CircuitBreakerError):
                pass
            written |= {"ok": op["ok"], "took_ms": exact(time - started)}
        else:
            continue  # a call that was turned away has nothing to complete
        written["state"] = STATES[breaker.current_state]
        recorded.append(written)
    KEPT.append(running)
    return recorded


def main():
    if not hasattr(pybreaker, "datetime"):
        sys.exit("this version of pybreaker no longer reads the time through its `datetime`: the clock cannot be replaced")
    pybreaker.datetime = Clock
    version = importlib.metadata.version("pybreaker")
    for line in sys.stdin:
        script = json.loads(line, parse_float=Decimal)
        header = {"id": script["id"], "library": script["library"], "version": version}
        rest = {key: value for key, value in script.items() if key not in (*header, "ops")}
        print(dumps({**header, **rest, "ops": replay(script)}))
    sys.stdout.flush()
    # No clean-up, which would end the blocks that are left.
    os._exit(0)


def dumps(value):
    """Compact JSON; decimals are printed with the digits that they have."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{dumps(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    if isinstance(value, Decimal):
        return f"{value:f}"
    return json.dumps(value)


if __name__ == "__main__":
    main()

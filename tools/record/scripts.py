#!/usr/bin/env python3
"""Writes operation scripts for the recorders: who asks when, and how and when each call ends.

A script is one JSON object a line, in the form of a vector but without the library's answers: the recorder fills them in.
The same library, seed and count give the same scripts.
"""

import argparse
import json
import random

MS = 1_000_000

# The finest step in which each library's clock counts, in ns.
RESOLUTION = {"opossum": MS, "cockatiel": MS, "pybreaker": 1_000, "failsafe_rs": 1, "recloser": 1}


def opossum(draw):
    settings = {
        "errorThresholdPercentage": draw.choice([0, 20, 33, 50, 60, 75, 100]),
        "volumeThreshold": draw.choice([0, 2, 5, 10, 20]),
        "resetTimeout": draw.choice([200, 300, 500, 1000, 2000]),
        "rollingCountTimeout": draw.choice([1000, 2000, 3000, 5000, 10000]),
        "rollingCountBuckets": draw.choice([1, 2, 3, 5, 7, 10]),
    }
    if draw.random() < 0.4:
        settings["timeout"] = draw.choice([50, 100, 300])
    if draw.random() < 0.2:
        settings["allowWarmUp"] = True
    return settings, settings["resetTimeout"]


def cockatiel(draw):
    threshold = draw.choice([0.2, 0.33, 0.4, 0.5, 0.75])
    kind = draw.choice(["ConsecutiveBreaker", "CountBreaker", "SamplingBreaker"])
    breaker = {"kind": kind, "threshold": threshold}
    if kind == "ConsecutiveBreaker":
        breaker["threshold"] = draw.choice([1, 2, 3, 5])
    elif kind == "CountBreaker":
        breaker["size"] = draw.choice([3, 4, 5, 10, 20])
        if draw.random() < 0.5:
            breaker["minimumNumberOfCalls"] = draw.randint(1, breaker["size"])
    else:
        breaker["duration_ms"] = draw.choice([500, 1000, 2000, 5000])
        if draw.random() < 0.7:
            breaker["minimumRps"] = draw.choice([1, 2, 5])
    backoff = draw.random()
    if backoff < 0.2:
        initial, longest = draw.choice([100, 200]), draw.choice([500, 1000])
        after = {"kind": "ExponentialBackoff_noJitter", "initialDelay_ms": initial, "maxDelay_ms": longest, "exponent": 2}
        return {"halfOpenAfter": after, "breaker": breaker}, longest
    if backoff < 0.4:
        after = {"kind": "IterableBackoff", "durations_ms": draw.choice(["100,300,700", "500", "400,200"])}
        return {"halfOpenAfter": after, "breaker": breaker}, 700
    wait = draw.choice([200, 300, 500, 1000, 2000])
    return {"halfOpenAfter_ms": wait, "breaker": breaker}, wait


def pybreaker(draw):
    seconds = draw.choice([0.2, 0.25, 0.3, 0.5, 1, 2])
    settings = {
        "fail_max": draw.choice([1, 2, 3, 5, 8]),
        "reset_timeout_s": seconds,
        "success_threshold": draw.choice([1, 2, 3, 5]),
    }
    return settings, seconds * 1000


def failsafe_rs(draw):
    consecutive = {"num_failures": draw.choice([1, 2, 3, 5])}
    rate = {
        "required_success_rate": draw.choice([0.3, 0.5, 0.8, 0.9]),
        "min_request_threshold": draw.choice([1, 3, 5, 10]),
        "window_ms": draw.choice([1000, 2000, 2500, 3000, 5000]),
    }
    if draw.random() < 0.7:
        wait = draw.choice([200, 300, 500, 1000, 2000])
        backoff = {"kind": "constant", "wait_ms": wait}
    else:
        wait = draw.choice([1000, 2000])
        backoff = {"kind": "exponential", "start_ms": wait, "max_ms": draw.choice([2000, 4000, 6000])}
    policy = draw.choice(["consecutive_failures", "success_rate_over_time_window", "both"])
    if policy == "consecutive_failures":
        return {"failure_policy": policy, policy: consecutive, "backoff": backoff}, wait
    if policy == "success_rate_over_time_window":
        return {"failure_policy": policy, policy: rate, "backoff": backoff}, wait
    settings = {
        "failure_policy": "success_rate_over_time_window or_else consecutive_failures",
        "success_rate_over_time_window": rate,
        "backoff": backoff,
        "consecutive_failures": consecutive,
    }
    return settings, wait


def recloser(draw):
    wait = draw.choice([200, 300, 500, 1000, 2000])
    settings = {
        "closed_len": draw.choice([1, 2, 3, 5, 10, 20]),
        "half_open_len": draw.choice([1, 2, 3, 5]),
        "open_wait_ms": wait,
    }
    if draw.random() < 0.5:
        settings["error_rate"] = draw.choice([0.2, 0.33, 0.5, 0.75])
    else:
        settings["error_rate_closed"] = draw.choice([0.3, 0.6])
        settings["error_rate_half_open"] = draw.choice([0.1, 0.25, 0.4, 0.5])
    if draw.random() < 0.5:
        settings["open_wait_strategy"] = "open_wait_times_fail_count"
    return settings, wait


LIBRARIES = {
    "opossum": (opossum, "opossum"),
    "cockatiel": (cockatiel, "cockatiel"),
    "pybreaker": (pybreaker, "pybreaker"),
    "failsafe_rs": (failsafe_rs, "failsafe (Rust crate)"),
    "recloser": (recloser, "recloser (Rust crate)"),
}


def milliseconds(nanos):
    """The time in ms, as a whole number or with just the decimals that it needs."""
    whole, rest = divmod(nanos, MS)
    return whole if rest == 0 else float(f"{whole}.{rest:06d}")


def operations(draw, resolution, open_ms, calls):
    """Poisson arrivals with several calls in flight, in phases of different health.

    Some calls last up to three open durations, so that their results come late, and some never return. In half of the
    scripts everything lies on a coarse grid, so that instants coincide with the ends of windows and open durations.
    """
    grid = draw.choice([resolution, resolution, 10 * MS, 50 * MS])

    def on_grid(ms):
        return int(ms * MS) // grid * grid

    gap = draw.choice([8, 15, 30, 60])
    latency = draw.choice([3, 10, 40, 100])
    late, lost = draw.choice([(0.02, 0.0), (0.08, 0.01), (0.15, 0.03)])
    events, now, failing, phase_ends = [], 0.0, 0.0, 0.0
    for call in range(1, calls + 1):
        pause = open_ms * draw.uniform(0.5, 3) if draw.random() < 0.02 else 0
        now += draw.expovariate(1 / gap) + pause
        if now >= phase_ends:
            phase_ends = now + draw.expovariate(1 / (2 * open_ms + 500))
            failing = draw.choice([0.0, 0.02, 0.35, 0.5, 0.9, 1.0])
        asked = on_grid(now)
        took = open_ms * draw.uniform(0, 3) if draw.random() < late else draw.expovariate(1 / latency)
        ok = draw.random() >= failing
        events.append((asked, len(events), {"op": "acquire", "call": call}))
        if draw.random() >= lost:
            ended = max(asked, on_grid(asked / MS + took))
            events.append((ended, len(events), {"op": "complete", "call": call, "ok": ok}))
    events.sort(key=lambda event: event[:2])
    return [{"t_ms": milliseconds(time), **event} for time, _, event in events]


def scripts(library, seed, count, calls):
    """The scripts of one library, each a function of library, seed and its number."""
    settings_of, name = LIBRARIES[library]
    for number in range(count):
        draw = random.Random(f"{library} {seed} {number}")
        settings, open_ms = settings_of(draw)
        script = {"id": f"{library}/random/{seed}-{number:03d}", "library": name, "kind": "random", "settings": settings}
        if library == "cockatiel" and draw.random() < 0.5:
            script["driver"] = "half_open_not_called"
        script["ops"] = operations(draw, RESOLUTION[library], open_ms, calls)
        yield script


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", choices=LIBRARIES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20, help="how many scripts")
    parser.add_argument("--calls", type=int, default=300, help="calls in each")
    arguments = parser.parse_args()
    for script in scripts(arguments.library, arguments.seed, arguments.count, arguments.calls):
        print(json.dumps(script, separators=(",", ":")))


if __name__ == "__main__":
    main()

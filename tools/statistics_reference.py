"""Writes the values that the tests of crates/statistics compare with: scipy's figures, and sums in exact fractions.

    pip install scipy==1.17.1 numpy==2.4.6 lifelines==0.30.3 moocore==0.3.2 && python tools/statistics_reference.py
"""

from fractions import Fraction
from math import comb
from pathlib import Path

import moocore
import numpy as np
from lifelines import AalenJohansenFitter
from scipy import stats
from scipy.stats import beta, f, t
from scipy.stats._resampling import _bca_interval

HERE = Path(__file__).parents[1] / "crates/statistics/tests/data"
LEVELS = [0.5, 0.9, 0.95, 0.99, 0.999999]


def write(name, header, rows):
    lines = [",".join(header)] + [",".join(map(repr, row)) for row in rows]
    (HERE / name).write_text("\n".join(lines) + "\n")


def fisher(a, n, b, m):
    """Two-sided p-value of a of n against b of m; ties are exact here, so no tolerance is needed."""
    events = a + b
    tables = range(max(0, events - m), min(events, n) + 1)
    weight = {x: comb(n, x) * comb(m, events - x) for x in tables}
    return float(Fraction(sum(w for w in weight.values() if w <= weight[a]), comb(n + m, events)))


write(
    "t_quantile.csv",
    ["n", "level", "quantile"],
    [(n, level, float(t.isf((1 - level) / 2, n - 1))) for n in [2, 3, 5, 10, 30, 200, 2000, 10_000, 1_000_000] for level in LEVELS],
)

COUNTS = [(x, n) for n in [1, 2, 7, 20] for x in range(n + 1)]
COUNTS += [(x, n) for n in [200, 2000, 10_000, 100_000] for x in [0, 1, 2, 17, n // 3, n // 2, n - 17, n - 1, n]]
write(
    "clopper_pearson.csv",
    ["events", "trials", "level", "lo", "hi"],
    [
        (
            x,
            n,
            level,
            float(beta.ppf((1 - level) / 2, x, n - x + 1)) if x > 0 else 0.0,
            float(beta.isf((1 - level) / 2, x + 1, n - x)) if x < n else 1.0,
        )
        for x, n in COUNTS
        for level in LEVELS
    ],
)

TABLES = [
    (3, 4, 1, 4), (8, 10, 1, 6), (0, 5, 0, 7), (5, 5, 0, 5), (2, 2, 3, 3), (1, 1, 0, 1), (10, 10, 10, 10),
    (0, 200, 5, 200), (5, 200, 0, 200), (17, 200, 31, 200), (100, 200, 100, 200), (3, 50, 40, 2000),
    (612, 2000, 700, 2000), (0, 2000, 18, 2000), (1990, 2000, 1999, 2000), (37, 2000, 52, 3000), (1000, 2000, 400, 2000),
]  # fmt: skip
write("fisher.csv", ["first_events", "first_trials", "second_events", "second_trials", "p"], [(*q, fisher(*q)) for q in TABLES])

write(
    "wilson.csv",
    ["events", "trials", "level", "lo", "hi"],
    [
        (x, n, level, float(ci.low), float(ci.high))
        for x, n in COUNTS
        if n <= 10_000
        for level in LEVELS
        for ci in [stats.binomtest(x, n).proportion_ci(level, "wilson")]
    ],
)


def ranks(n, q, level):
    """Ranks and coverage of the order statistics that hold the q quantile, by scipy's binomial distribution."""
    tail = (1 - level) / 2
    below = stats.binom.cdf(np.arange(n + 1), n, q)  # P(X <= x)
    above = stats.binom.sf(np.arange(-1, n), n, q)  # P(X >= x)
    lower = max(r for r in range(1, n + 1) if below[r - 1] <= tail)
    upper = min(s for s in range(1, n + 1) if above[s] <= tail)
    return lower, upper, float(1 - below[lower - 1] - above[upper])


write(
    "quantile_ranks.csv",
    ["n", "q", "level", "lower", "upper", "coverage"],
    [
        (n, q, level, *ranks(n, q, level))
        for n, q, level in [
            (6, 0.5, 0.95), (50, 0.5, 0.95), (100, 0.5, 0.95), (100, 0.5, 0.99), (72, 0.95, 0.95), (100, 0.95, 0.95),
            (300, 0.95, 0.95), (500, 0.95, 0.95), (500, 0.05, 0.95), (500, 0.99, 0.95), (5000, 0.999, 0.95), (40, 0.25, 0.9),
        ]
    ],
)  # fmt: skip

rng = np.random.Generator(np.random.PCG64(20_240_607))
SAMPLE = [float(x) for x in rng.lognormal(size=24).round(6)]
OTHER = [float(x) for x in (np.array(SAMPLE) * 0.5 + rng.exponential(size=24)).round(6)]
write("sample.csv", ["x", "y"], list(zip(SAMPLE, OTHER)))

write(
    "quantile.csv",
    ["n", "q", "value"],
    [(n, q, float(np.quantile(SAMPLE[:n], q))) for n in [1, 2, 7, 24] for q in [0, 0.05, 0.25, 0.5, 0.9, 0.95, 1]],
)


def fieller(y, x, level):
    """Roots of Fieller's quadratic and its leading coefficient, by numpy's root finder on the companion matrix."""
    n = len(x)
    c, quantile = np.cov(x, y), t.isf((1 - level) / 2, n - 1)
    mx, my, k = np.mean(x), np.mean(y), quantile**2 / n
    a, b, d = mx**2 - k * c[0, 0], -2 * (mx * my - k * c[0, 1]), my**2 - k * c[1, 1]
    roots = sorted(float(r.real) for r in np.roots([a, b, d]))
    r = my / mx
    half = stats.norm.isf((1 - level) / 2) * np.sqrt((c[1, 1] - 2 * r * c[0, 1] + r * r * c[0, 0]) / (n * mx * mx))
    return float(np.sign(a)), *roots, float(r), float(r - half), float(r + half)


write(
    "ratio.csv",
    ["n", "level", "sign", "low_root", "high_root", "ratio", "delta_lo", "delta_hi"],
    [(n, level, *fieller(OTHER[:n], SAMPLE[:n], level)) for n in [4, 6, 10, 24] for level in [0.9, 0.95, 0.99]],
)

# BCa levels by scipy, on draws that the file holds: the means of 199 resamples.
DRAWS = np.sort([np.mean(rng.choice(SAMPLE, 24)) for _ in range(199)])
write("bootstrap_draws.csv", ["draw"], [(float(x),) for x in DRAWS])
rows = []
for level in [0.5, 0.9, 0.95]:
    data = (np.array([SAMPLE]),)
    lo, hi, _ = _bca_interval(
        data, lambda x, axis: np.mean(x, axis=axis), -1, np.array((1 - level) / 2), DRAWS[None, :], None, np
    )
    rows.append((level, float(lo[0]), float(hi[0])))
write("bca_levels.csv", ["level", "lower", "upper"], rows)

# Follow-up times with ties, endings 1 (event), 2 (competing) and 0 (censored).
TIMES = [float(x) for x in np.minimum(rng.exponential(2.0, 30).round(1), 4.5)]
ENDINGS = [0 if x == 4.5 else int(e) for x, e in zip(TIMES, rng.choice([1, 1, 1, 2, 0], 30))]
write("followup.csv", ["time", "ending"], list(zip(TIMES, ENDINGS)))


def kaplan_meier(times, events, horizon):
    """Restricted mean and its variance in exact fractions (decimal times), and the curve's steps."""
    exact = [Fraction(str(x)) for x in times]
    steps, survival = [], Fraction(1)
    for at in sorted({x for x, e in zip(exact, events) if e}):
        n = sum(x >= at for x in exact)
        d = sum(x == at and e for x, e in zip(exact, events))
        survival *= Fraction(n - d, n)
        steps.append((at, n, d, survival))
    tau = Fraction(str(horizon))
    corners = [(Fraction(0), Fraction(1))] + [(at, s) for at, _, _, s in steps if at < tau] + [(tau, Fraction(0))]

    def area(start):
        return sum(s * (corners[i + 1][0] - max(at, start)) for i, (at, s) in enumerate(corners[:-1]) if corners[i + 1][0] > start)

    variance = sum(area(at) ** 2 * Fraction(d, n * (n - d)) for at, n, d, _ in steps if at < tau and n > d)
    return float(area(Fraction(0))), float(variance)


EVENTS = [e == 1 for e in ENDINGS]
curve = stats.ecdf(stats.CensoredData(uncensored=[x for x, e in zip(TIMES, EVENTS) if e], right=[x for x, e in zip(TIMES, EVENTS) if not e])).sf
interval = curve.confidence_interval(0.95, method="log-log")
write(
    "survival.csv",
    ["time", "survival", "lo", "hi"],
    [
        (at, float(curve.evaluate(at)), float(interval.low.evaluate(at)), float(interval.high.evaluate(at)))
        for at in [0.4, 1.0, 1.7, 2.5, 4.0]
    ],
)
write("restricted_mean.csv", ["horizon", "mean", "variance"], [(h, *kaplan_meier(TIMES, EVENTS, h)) for h in [0.5, 1.0, 2.5, 4.0, 4.5]])


def incidence(times, endings, until):
    """The Aalen-Johansen estimate in exact fractions."""
    neither, total = Fraction(1), Fraction(0)
    for at in sorted({x for x, e in zip(times, endings) if e}):
        if at > until:
            break
        n = sum(x >= at for x in times)
        d1, d2 = (sum(x == at and e == kind for x, e in zip(times, endings)) for kind in (1, 2))
        total += neither * Fraction(d1, n)
        neither *= Fraction(n - d1 - d2, n)
    return float(total)


write("incidence.csv", ["time", "incidence"], [(at, incidence(TIMES, ENDINGS, at)) for at in [0.1, 0.4, 1.0, 1.7, 2.5, 4.0, 4.5]])
# A second opinion on the point estimate: lifelines breaks ties by jitter, so it only comes near.
fitter = AalenJohansenFitter(calculate_variance=False, seed=1).fit(TIMES, ENDINGS, event_of_interest=1)
assert abs(float(fitter.cumulative_density_.iloc[-1, 0]) - incidence(TIMES, ENDINGS, 4.5)) < 0.01

# Fronts: ten sets of seven points, hypervolumes up to two reference points, and levels of the attainment function.
SETS = [(k, float(x), float(y)) for k in range(10) for x, y in (rng.random((7, 2)) + 0.05 * k).round(4)]
write("sets.csv", ["set", "x", "y"], SETS)
POINTS = [np.array([(x, y) for s, x, y in SETS if s == k]) for k in range(10)]
write(
    "hypervolume.csv",
    ["set", "ref_x", "ref_y", "area"],
    [(k, *ref, float(moocore.hypervolume(POINTS[k], ref=ref))) for k in range(10) for ref in [(2.0, 2.0), (0.7, 0.6)]],
)
GRID = [0.1, 0.3, 0.5, 0.8, 1.2]
rows = []
for share in [0.1, 0.5, 0.9, 1.0]:
    surface = moocore.eaf(np.array([(x, y) for _, x, y in SETS]), sets=np.array([s + 1 for s, _, _ in SETS]), percentiles=[100 * share])
    for at in GRID:
        attained = [float(y) for x, y, _ in surface if x <= at]
        rows.append((share, at, min(attained, default=float("inf"))))
write("attainment.csv", ["share", "x", "y"], rows)

# Hotelling's region by scipy's F quantile and numpy's eigenvalues: squared half-axes.
rows = []
for n in [3, 10, 24]:
    for level in [0.5, 0.95]:
        s = np.cov(SAMPLE[:n], OTHER[:n])
        values, vectors = np.linalg.eigh(s)
        scale = 2 * (n - 1) / (n * (n - 2)) * f.ppf(level, 2, n - 2)
        major = vectors[:, 1]
        rows.append((n, level, *[float(x) for x in np.sqrt(scale * values)[::-1]], float(np.arctan(major[1] / major[0]))))
write("ellipse.csv", ["n", "level", "semi_major", "semi_minor", "angle"], rows)


def ring(window, failures, p):
    """Mean calls until `failures` of the last `window` fail: linear equations of the excursions from all successes."""
    states = [b for b in range(1, 2**window) if b.bit_count() < failures]
    index = {b: i for i, b in enumerate(states)}
    a, opens, returns = np.eye(len(states)), np.zeros(len(states)), np.zeros(len(states))
    for b, i in index.items():
        for to, weight in [((b << 1) % 2**window, 1 - p), ((b << 1) % 2**window | 1, p)]:
            if to == 0:
                returns[i] += weight
            elif to.bit_count() >= failures:
                opens[i] += weight
            else:
                a[i, index[to]] -= weight
    h, length, back = np.linalg.solve(a, np.stack([opens, np.ones(len(states)), returns], axis=1)).T
    mean = (1 / p + length[0]) / h[0]
    start = np.array([p ** b.bit_count() * (1 - p) ** (window - b.bit_count()) for b in states])
    return float(mean), float(window + start @ length + ((1 - p) ** window + start @ back) * mean), float(h[0])


write(
    "ring.csv",
    ["window", "failures", "p", "mean_calls", "from_empty", "excursion_opens"],
    [(w, k, p, *ring(w, k, p)) for w, k in [(3, 2), (6, 3), (10, 4), (12, 6), (14, 5)] for p in [0.025, 0.125, 0.4]],
)

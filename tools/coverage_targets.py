"""Writes the coverages that the tests of crates/statistics hold its intervals to, by an independent simulation in numpy.

    pip install scipy==1.17.1 numpy==2.4.6 && python tools/coverage_targets.py

A million samples per row, and 20,000 per bootstrap: the standard error of a coverage is below 0.0005 and 0.0025.
"""

from pathlib import Path

import numpy as np
from scipy.stats import norm, t

FILE = Path(__file__).parents[1] / "crates/statistics/tests/data/coverage_targets.csv"
SAMPLES = 1_000_000
LEVEL = 0.95
rng = np.random.Generator(np.random.PCG64(7))
z = norm.ppf(0.975)


def batches(n):
    """Sizes of batches that fit into memory."""
    size = max(1, 4_000_000 // n)
    whole, rest = divmod(SAMPLES, size)
    return [size] * whole + ([rest] if rest else [])


def means(draw, truth, n):
    hits = np.zeros(3)
    for size in batches(n):
        x = draw((size, n))
        error, s = np.abs(x.mean(1) - truth), x.std(1, ddof=1) / np.sqrt(n)
        q = t.ppf(0.975, n - 1)
        hits += [(error <= w).sum() for w in (q * s, q * s * np.sqrt((n - 1) / n), z * s)]
    return hits / SAMPLES


def ratios(n):
    """x exponential, y = (x + e)/2 with e another exponential: true ratio 1."""
    hits = np.zeros(3)
    for size in batches(n):
        x = rng.exponential(size=(size, n))
        y = (x + rng.exponential(size=(size, n))) / 2
        mx, my = x.mean(1), y.mean(1)
        r = my / mx
        residual = y - r[:, None] * x
        delta = z * np.sqrt((residual**2).sum(1) / (n - 1) / n) / mx
        q = t.ppf(0.975, n - 1)
        d = y - x
        fieller = np.abs(d.mean(1)) <= q * d.std(1, ddof=1) / np.sqrt(n)
        unbounded = mx <= q * x.std(1, ddof=1) / np.sqrt(n)
        hits += [(np.abs(r - 1) <= delta).sum(), fieller.sum(), unbounded.sum()]
    return hits / SAMPLES


rows = ["what,n,coverage"]
for n in [5, 10, 20, 50, 200]:
    for name, draw, truth in [
        ("normal", lambda s: rng.normal(size=s), 0.0),
        ("exponential", lambda s: rng.exponential(size=s), 1.0),
        ("lognormal", lambda s: rng.lognormal(size=s), np.exp(0.5)),
    ]:
        right, by_n, by_z = means(draw, truth, n)
        rows += [f"t_{name},{n},{right:.4f}", f"t_by_n_{name},{n},{by_n:.4f}", f"z_{name},{n},{by_z:.4f}"]
for n in [5, 10, 30, 100]:
    delta, fieller, unbounded = ratios(n)
    rows += [f"delta,{n},{delta:.4f}", f"fieller,{n},{fieller:.4f}", f"fieller_unbounded,{n},{unbounded:.4f}"]


def bootstraps(draw, truth, n, samples=20_000, resamples=2_000):
    """Percentile and BCa of the mean; here a standard error is below 0.0025."""
    hits = np.zeros(2)
    for _ in range(samples):
        x = draw(n)
        means = np.sort(x[rng.integers(0, n, (resamples, n))].mean(1))
        z0 = norm.ppf((np.sum(means < x.mean()) + np.sum(means <= x.mean())) / 2 / resamples)
        u = x - x.mean()
        a = (u**3).sum() / 6 / (u**2).sum() ** 1.5
        corrected = norm.cdf(z0 + (z0 + np.array([-z, z])) / (1 - a * (z0 + np.array([-z, z]))))
        for k, levels in enumerate(([0.025, 0.975], corrected)):
            lo, hi = np.quantile(means, levels)
            hits[k] += lo <= truth <= hi
    return hits / samples


for name, draw, truth, n in [("lognormal", rng.lognormal, np.exp(0.5), 20), ("lognormal", rng.lognormal, np.exp(0.5), 50), ("normal", rng.normal, 0.0, 50)]:
    percentile, bca = bootstraps(lambda n: draw(size=n), truth, n)
    rows += [f"percentile_{name},{n},{percentile:.4f}", f"bca_{name},{n},{bca:.4f}"]
FILE.write_text("\n".join(rows) + "\n")

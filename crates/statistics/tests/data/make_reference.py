"""Writes the reference values that the tests compare with: scipy's quantiles, and Fisher's test in exact fractions.

    pip install scipy==1.17.1 && python make_reference.py
"""

from fractions import Fraction
from math import comb
from pathlib import Path

from scipy.stats import beta, t

HERE = Path(__file__).parent
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

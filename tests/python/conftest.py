"""What the tests of the package share."""

import random

import pytest

WORDS = "north south east west river house stone market garden street hill bridge old new upper lower".split()


@pytest.fixture
def addresses():
    """300 rows of a few words, near-duplicates, empty ones and nulls among them."""
    draw = random.Random(7)
    rows = []
    for _ in range(300):
        kind = draw.random()
        if kind < 0.05:
            rows.append(None)
        elif kind < 0.08:
            rows.append("")
        elif kind < 0.4 and rows and rows[-1]:
            rows.append(" ".join(rows[-1].split()[1:] + draw.sample(WORDS, 1)))
        else:
            rows.append(" ".join(draw.choices(WORDS, k=draw.randint(1, 8))))
    return rows

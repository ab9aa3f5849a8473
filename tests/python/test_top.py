"""The best partners of each row, against all pairs sorted in Python."""

from __future__ import annotations

from fractions import Fraction

import akin
import pytest

TEXTS = ["a b c", "a b", "b c d", "", "d e f g", "a b c", "x", "c d e"]


def expected(left: list[str], right: list[str] | None, top: int) -> list[tuple[int, int]]:
    pairs = []
    for i, a in enumerate(left):
        ranked = []
        for j, b in enumerate(right if right is not None else left):
            r, s = set(a.split()), set(b.split())
            if r & s and (right is not None or i != j):
                ranked.append((-Fraction(len(r & s), len(r | s)), j))
        pairs += [(i, j) for _, j in sorted(ranked)[:top]]
    return pairs


@pytest.mark.parametrize("top", [1, 2, 100])
@pytest.mark.parametrize("right", [None, TEXTS[2:]])
def test_sets(top: int, right: list[str] | None) -> None:
    found = akin.join(TEXTS, right, jaccard=0, top=top)
    assert list(zip(found["left"], found["right"])) == expected(TEXTS, right, top)


def test_strings() -> None:
    names, listed = ["Anna", "Bert", ""], ["Anne", "Berta", "Hanna", ""]
    found = akin.strings.cdist_sparse(names, listed, top=1)
    assert list(zip(found["left"], found["right"])) == [(0, 0), (1, 1)]
    near = akin.strings.cdist_sparse(names, listed, scorer="levenshtein", distance=1, top=2)
    assert list(zip(near["left"], near["right"], near["distance"])) == [(0, 0, 1), (1, 1, 1)]


@pytest.mark.parametrize("top", [0, -1, "x", 2**32])
def test_refused(top: object) -> None:
    with pytest.raises(akin.OptionError, match="top"):
        akin.join(TEXTS, jaccard=0.5, top=top)  # type: ignore[arg-type]
    with pytest.raises(akin.OptionError, match="of their own"):
        akin.join(TEXTS, jaccard=0.5, top=1, technique="ppjoin")

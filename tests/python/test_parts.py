"""Tiles: every pair of rows that can be alike meets in one of them, and no pair twice."""

import random
from fractions import Fraction

import akin
import pytest
from akin import parts

SETS = ["jaccard", "cosine", "dice", "overlap_coefficient", "containment"]
STRINGS = ["levenshtein", "osa", "jaro", "jaro-winkler"]
SIZES = range(1, 15)


def words(size):
    """Of two such texts the smaller one is within the larger one."""
    return " ".join(f"w{number}" for number in range(size))


def found(left, right, **measure):
    pairs = akin.join(left, right, threads=1, **measure)
    return set(zip(pairs["left"], pairs["right"], strict=True))


def possible(rule):
    return {(r - 1, s - 1) for r in SIZES for s in SIZES if rule(r, s)}


@pytest.mark.parametrize("measure", SETS)
@pytest.mark.parametrize("least", ["1/10", "0.5", "2/3", "0.8", "1"])
def test_the_rule_of_sets(measure, least):
    texts = [words(size) for size in SIZES]
    assert found(texts, texts, **{measure: least}) == possible(parts.rule_of(**{measure: least}))


@pytest.mark.parametrize("least", [1, 2, 5, 100])
def test_the_rule_of_overlap(least):
    texts = [words(size) for size in SIZES]
    assert found(texts, texts, overlap=least) == possible(parts.rule_of(overlap=least))


@pytest.mark.parametrize("similarity", STRINGS)
@pytest.mark.parametrize("least", ["0.5", "0.71", "0.8", "0.95", "1"])
def test_the_rule_of_strings(similarity, least):
    texts = ["a" * size for size in SIZES]
    how = {"similarity": similarity, "threshold": least}
    assert found(texts, texts, **how) == possible(parts.rule_of(**how))


def test_the_rule_of_edits():
    texts = ["a" * size for size in SIZES]
    assert found(texts, texts, levenshtein=3) == possible(parts.rule_of(levenshtein=3))
    scaled = {"similarity": "jaro-winkler", "threshold": 0.8, "prefix_scale": 0.2}
    assert found(texts, texts, **scaled) == possible(parts.rule_of(**scaled))


def histogram_of(rows):
    found = {}
    for size, _ in rows:
        count, taken = found.get(size, (0, 0))
        found[size] = count + 1, taken + 10 * size
    return found


def draw_rows(draw, first):
    """(size, id) of each row; some have a size of its own, many share one."""
    popular = draw.randint(1, 40)
    return [
        (draw.choice([popular, draw.randint(0, 60), draw.randint(1, 10)]), first + at)
        for at in range(draw.randint(1, 14))
    ]


def draw_rule(draw):
    least = Fraction(draw.randint(1, 20), 20)
    return parts.rule_of(**draw.choice([
        {draw.choice(SETS): least}, {"overlap": draw.randint(1, 9)}, {"levenshtein": draw.randint(0, 5)},
        {"similarity": draw.choice(STRINGS), "threshold": least}
    ]))  # fmt: skip


def tiles_of(tiling, rows, side=0):
    """For each row the tiles that it goes to, and its sides there."""
    held = [[] for _ in rows]
    routed = tiling.route([size for size, _ in rows], lambda row: rows[row][1], side)
    for row, tile, side_there in zip(*routed, strict=True):
        held[row].append((tile, side_there))
    return held


def test_every_pair_meets_once():
    for seed in range(10_000):
        draw = random.Random(seed)
        rule, left = draw_rule(draw), draw_rows(draw, 0)
        right = draw_rows(draw, 100) if draw.random() < 0.5 else None
        most = draw.choice([1, 3, 6, 10, 40])
        tiling = parts.tile(rule, histogram_of(left), right and histogram_of(right), tiles=most)
        assert len(tiling.tiles) <= most
        first = tiles_of(tiling, left)
        second = first if right is None else tiles_of(tiling, right, 1)
        for at, (r, _) in enumerate(left):
            for place, (s, _) in enumerate(left if right is None else right):
                if right is None and place == at:
                    continue
                either = (rule(r, s) or (right is None and rule(s, r))) if r and s else False
                if right is None:  # in a tile of one block all rows meet, else those of its two sides
                    joined = {
                        tile for tile, side in first[at] for other, side_there in second[place]
                        if tile == other
                        and (side != side_there or tiling.tiles[tile].left == tiling.tiles[tile].right)
                    }  # fmt: skip
                else:
                    joined = {tile for tile, _ in first[at]} & {tile for tile, _ in second[place]}
                assert len(joined) <= 1, (seed, r, s)
                assert len(joined) == 1 or not either, (seed, r, s)


def test_what_is_sent_is_what_was_predicted():
    draw = random.Random(7)
    rows = [(min(300, int(draw.paretovariate(1.2)) + draw.choice([0, 8, 8, 8])), f"row {at}") for at in range(60_000)]
    histogram = histogram_of(rows)
    for measure in ({"jaccard": "0.8"}, {"cosine": 0.5}, {"overlap": 2}):
        for most in (20, 200):
            tiling = parts.tile(parts.rule_of(**measure), histogram, tiles=most)
            numbers, tiles, _ = tiling.route([size for size, _ in rows], lambda row: rows[row][1])
            sent = sum(10 * rows[row][0] + 16 for row in numbers)
            assert abs(sent - tiling.bytes_sent) < 0.01 * sent
            assert abs(len(numbers) - tiling.rows_sent) < 0.01 * len(tiles)
            assert 0.7 * most < len(tiling.tiles) <= most


def test_a_limit_of_bytes():
    histogram = {size: (1000, 1000 * size) for size in range(1, 100)}
    tiling = parts.tile(parts.rule_of(jaccard=0.9), histogram, tiles=1, bytes=400_000)
    assert max(tiling.sent(tile)[1] for tile in range(len(tiling.tiles))) <= 400_000


@pytest.mark.parametrize("right", [None, {5: (300, 9000), 9: (800, 24_000), 40: (7, 70)}])
def test_sums_over_tiles(right):
    left = {2: (10, 100), 5: (2000, 20_000), 6: (100, 1000), 9: (700, 7000)}
    tiling = parts.tile(parts.rule_of(jaccard="0.6"), left, right, tiles=90)
    sent = [tiling.sent(tile) for tile in range(len(tiling.tiles))]
    assert len(set(tiling.tiles)) == len(sent) > 40
    assert tiling.tiles[1:3] == (tiling.tiles[1], tiling.tiles[2]) and tiling.tiles[-1] == [*tiling.tiles][-1]
    assert tiling.rows_sent == pytest.approx(sum(rows for rows, _ in sent))
    assert tiling.bytes_sent == pytest.approx(sum(taken for _, taken in sent))
    assert tiling.largest == pytest.approx(max(taken for _, taken in sent))


def test_a_plan_of_many_tiles():
    """Tiles are counted and held by runs of equal sizes, so this takes neither long nor much memory."""
    histogram = {size: (10**8, 10**8 * 6 * size) for size in range(1, 101)}
    tiling = parts.tile(parts.rule_of(jaccard="0.8"), histogram, tiles=1, bytes=2**29)
    assert len(tiling.tiles) > 10**7 and tiling.largest <= 2**29
    assert tiling.rows_sent > 10**13


def test_nothing_to_do():
    rule = parts.rule_of(jaccard=0.9)
    for sides in ([{}], [{0: (5, 100)}], [{3: (5, 100)}, {}]):
        tiling = parts.tile(rule, *sides)
        assert (*tiling.tiles,) == () and tiling.bytes_sent == tiling.largest == 0
    with pytest.raises(akin.OptionError, match="tiles is 0"):
        parts.tile(rule, {}, tiles=0)


def test_a_table_that_changed():
    tiling = parts.tile(parts.rule_of(jaccard=0.8), {3: (10, 100)}, tiles=1)
    assert [list(each) for each in tiling.route([3, 0, 3], str)] == [[0, 2], [0, 0], [0, 0]]
    with pytest.raises(akin.InputError, match="a row of size 4 was not there"):
        tiling.route([3, 4], str)


def test_rules_are_checked():
    for measures, said in (
        ({}, "no measure given"), ({"jaccard": 0.5, "levenshtein": 1}, "jaccard and levenshtein given"),
        ({"jacard": 0.5}, "jacard is no measure")
    ):  # fmt: skip
        with pytest.raises(akin.OptionError, match=said):
            parts.rule_of(**measures)


def test_too_many_tiles():
    with pytest.raises(akin.OptionError, match="bytes is 10, for .* expected at least 14"):
        parts.tile(parts.rule_of(jaccard=0.5), {3: (3000, 60_000)}, bytes=10)


def test_few_calls_of_the_rule():
    """Finding partners takes a number of calls that grows with the number of sizes, not with its square."""
    calls = 0

    def rule(left, right):
        nonlocal calls
        calls += 1
        return 10 * min(left, right) >= 8 * max(left, right)

    parts.tile(rule, {size: (5, 5 * size) for size in range(1, 3000)}, tiles=200)
    assert calls < 4 * 3000


@pytest.mark.parametrize("similarity", STRINGS)
def test_no_pair_of_strings_is_beyond_the_rule(similarity):
    """Random strings, at thresholds that lengths reach exactly."""
    draw = random.Random(5)
    values = ["".join(draw.choice("ab") for _ in range(draw.randint(1, 12))) for _ in range(60)]
    for short, long in ((3, 4), (5, 8), (2, 7)):
        least = Fraction(2 + Fraction(short, long)) / 3 if similarity.startswith("jaro") else Fraction(short, long)
        how = {"similarity": similarity, "threshold": f"{least.numerator}/{least.denominator}"}
        rule = parts.rule_of(**how)
        for left, right in found(values, values, **how):
            assert rule(len(values[left]), len(values[right]))

"""Limits of pairs, time, output and input."""

import gzip
import time

import pytest

import akin

SAME = ["red sea"] * 100
PAIRS = 100 * 99 // 2


def refused(call, name):
    with pytest.raises(akin.LimitError) as caught:
        call()
    assert caught.value.reason == "limit"
    assert caught.value.option == name
    return str(caught.value)


def test_pairs():
    for join in (lambda: akin.join(SAME, jaccard=0.8), lambda: akin.join(SAME, levenshtein=1)):
        with akin.limits(max_pairs=PAIRS):
            assert len(join()) == PAIRS
        with akin.limits(max_pairs=PAIRS - 1):
            assert f"{PAIRS - 1:,} pairs" in refused(join, "max-pairs")
            with akin.limits(max_pairs=0):
                assert len(join()) == PAIRS
            with akin.limits(timeout=60):  # the outer limit holds
                refused(join, "max-pairs")
        assert len(join()) == PAIRS


def test_dedupe():
    def dedupe():
        return akin.dedupe({"name": SAME}, compare="name:jaro", all_pairs=True, threshold=0.9)

    assert len(dedupe()) == PAIRS
    with akin.limits(max_pairs=10):
        refused(dedupe, "max-pairs")
    with akin.limits(max_symbols=3):
        assert "column 'name'" in refused(dedupe, "max-symbols")


def test_timeout():
    rows = [f"{i} red sea {i * i}" for i in range(20000)]
    with akin.limits(timeout=0.05):
        begun = time.monotonic()
        refused(lambda: akin.join(rows, levenshtein=8), "timeout")
        assert time.monotonic() - begun < 30
    with akin.limits(timeout=3600):
        assert len(akin.join(SAME, jaccard=0.8)) == PAIRS


def test_files(tmp_path):
    packed = tmp_path / "seas.txt.gz"
    packed.write_bytes(gzip.compress(b"red sea\n" * 1000))
    with akin.limits(max_decompressed="1K"):
        refused(lambda: akin.join(str(packed), jaccard=0.8), "max-decompressed")
    long = tmp_path / "long.txt"
    long.write_text("x" * 600000)
    with akin.limits(max_record="300K"):
        refused(lambda: akin.join(str(long), levenshtein=1), "max-record")
    saved = tmp_path / "pairs.csv"
    with akin.limits(max_output=100):
        refused(lambda: akin.Index.build(SAME, kind="bm25").save(str(saved)), "max-output")
    assert not saved.exists()


def test_job():
    job = {"akin": "dedupe", "version": 1, "compare": ["name:jaro"], "all-pairs": True, "threshold": "0.8"}
    assert len(akin.run(job, {"name": SAME})) == PAIRS
    refused(lambda: akin.run(job | {"max-pairs": 3}, {"name": SAME}), "max-pairs")
    join = {"akin": "join", "version": 1, "input": ["-"], "jaccard": 0.8}
    refused(lambda: akin.run(join | {"max-pairs": "3"}, SAME), "max-pairs")


@pytest.mark.parametrize(
    ("most", "error"),
    [({"max_pair": 1}, "did you mean max_pairs"), ({"max_pairs": -1}, "max_pairs"), ({"timeout": "soon"}, "timeout"),
     ({"max_output": "much"}, "max_output"), ({"max_pairs": 1.5}, "max_pairs")]
)
def test_wrong(most, error):
    with pytest.raises(akin.OptionError, match=error), akin.limits(**most):
        pass


def test_wrong_type():
    with pytest.raises(TypeError, match="max_pairs is None"), akin.limits(max_pairs=None):
        pass


def test_memory_without_a_ceiling():
    rows = ["red sea", "red seas", "blue sky"]
    for memory in (0, "0", None, "16M"):
        assert list(akin.join(rows, levenshtein=1, memory=memory)) == list(akin.join(rows, levenshtein=1))
    for memory in (-1, 1, "1", False, True):
        with pytest.raises((akin.OptionError, TypeError)):
            akin.join(rows, levenshtein=1, memory=memory)
    with pytest.raises(akin.OptionError):
        akin.join(rows, levenshtein=1, device_memory=0)


def test_many_pairs_are_foretold():
    rows = [f"w{row % 2}" for row in range(30_000)]
    with akin.limits(max_pairs=10), pytest.warns(UserWarning, match="a sample predicts 0.2 billion pairs"):
        with pytest.raises(akin.LimitError):
            akin.join(rows, levenshtein=0)


def test_numbers_of_floating_point():
    with akin.limits(max_pairs=2.0, timeout=59.99999):
        refused(lambda: akin.join(SAME, levenshtein=1), "max-pairs")
    for wrong in (1.5, float("nan"), float("inf")):
        with pytest.raises(akin.OptionError), akin.limits(max_pairs=wrong):
            pass

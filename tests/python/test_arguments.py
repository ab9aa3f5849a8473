"""Arguments: numbers of any kind, names that nobody knows, and the command that comes with the package."""

import decimal
import fractions
import inspect
import subprocess
import sys

import pytest

import akin
from akin._settings import Settings, decimal_of

TEXTS = ["a b c d e f g h", "a b c d e f g h i j", "b", "c"]  # of the first two 8 of 10 words are the same


@pytest.mark.parametrize(
    "number", [0.8, "0.8", 0.7999999999999999, 0.8000000000000002, decimal.Decimal("0.8"), fractions.Fraction(4, 5)]
)
def test_thresholds(number):
    """Float noise does not count: 0.8 is 8/10 however it was reached."""
    assert decimal_of(number, "x") == "0.8"
    assert len(akin.join(TEXTS, jaccard=number)) == 1
    names = {"name": ["MARTHA", "MARHTA", "X"]}
    assert len(akin.dedupe(names, [("name", "jaccard/1", number)], all_pairs=True, threshold=number)) == 1
    assert len(akin.strings.cdist_sparse(["12345", "12346"], scorer="levenshtein", cutoff=number)) == 1
    assert len(akin.join(["12345", "12346"], similarity="levenshtein", threshold=number)) == 1


def test_numbers():
    for number, expected in (
        (1, "1"), (1.0, "1"), (1e-9, "0.000000001"), (fractions.Fraction(1, 3), "0.333333333"),
        (1e300, format(decimal.Decimal(1e300), "f")),
        (-0.25, "-0.25"), (decimal.Decimal("0.1234567891"), "0.1234567891"), ("0.79999999999", "0.79999999999"),
        (float("inf"), "Infinity"),
    ):  # fmt: skip
        assert float(decimal_of(number, "x")) == float(expected) and (
            abs(float(expected)) > 1e20 or decimal_of(number, "x") == expected
        )
    np = pytest.importorskip("numpy")
    assert [decimal_of(t, "x") for t in np.arange(0.5, 1, 0.1)] == ["0.5", "0.6", "0.7", "0.8", "0.9"]
    assert decimal_of(np.float32(0.8), "x") == "0.8" and decimal_of(np.int64(2), "x") == "2"
    with pytest.raises(TypeError, match="^x is True; expected a number"):
        decimal_of(True, "x")
    with pytest.raises(TypeError, match="expected a number"):
        decimal_of(1j, "x")


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (
            lambda: akin.join(TEXTS, 0.8), TypeError,
            "^right is 0.8, a number; expected a table, or the threshold by its measure, such as jaccard=0.8$"
        ),
        (
            lambda: akin.join(TEXTS, treshold=0.8), TypeError,
            r"^join\(\) has no argument 'treshold': did you mean threshold\?$"
        ),
        (
            lambda: akin.join(TEXTS, threshold=0.8), akin.OptionError,
            "^threshold=0.8 without similarity; expected .*, or the threshold by its measure, such as jaccard=0.8$"
        ),
        (lambda: akin.near_duplicates(TEXTS, fold=True), TypeError, r"'fold': did you mean ignore_case\?$"),
        (
            lambda: akin.join(TEXTS, jaccard=0.8, fold=True), akin.OptionError,
            "^fold=True: expected the names of folds, .*ignore_case=True$"
        ),
        (
            lambda: akin.join(TEXTS, jaccard=0.8, fold="accents"), akin.OptionError,
            "^fold='accents': tokens ignore case alone; expected ignore_case=True$"
        ),
        (lambda: akin.join(TEXTS, levenshtein=1, fold="accent"), akin.OptionError, "did you mean 'accents'"),
        (
            lambda: akin.join(TEXTS, levenshtein=1, fold="all", ignore_case=True), akin.OptionError,
            "^ignore_case and fold are given"
        ),
        (lambda: akin.join(TEXTS, levenshtein=1, fold=[1]), TypeError, "a fold is 1"),
        (
            lambda: akin.join(TEXTS, jaccard=0.8, similarity="jaro", threshold=0.8), akin.OptionError,
            "^jaccard and similarity are given; expected one of .* joins strings$"
        ),
        (
            lambda: akin.join(TEXTS, similarity="jaro", levenshtein=1), akin.OptionError,
            "^levenshtein and similarity are given"
        ),
        (
            lambda: akin.join(TEXTS, jaccard=0.8, threshold=0.8), akin.OptionError,
            "^jaccard and threshold are given; expected jaccard alone"
        ),
        (
            lambda: akin.join(TEXTS, similarity="jaro"), akin.OptionError,
            "^similarity='jaro' without threshold; expected .*top"
        ),
        (
            lambda: akin.join(TEXTS, similarity="jaro:0.8"), akin.OptionError,
            "expected similarity='jaro', threshold=0.8$"
        ),
        (
            lambda: akin.join(TEXTS, similarity="soundex", threshold=0.8), akin.OptionError,
            "similarity='soundex'; expected one of 'levenshtein', 'osa', 'jaro', 'jaro-winkler'"
        ),
        (
            lambda: akin.join(TEXTS, similarity="jaro", threshold=0.8, tokens="qgrams:3"), akin.OptionError,
            "^similarity and tokens are given"
        ),
        (
            lambda: akin.join(TEXTS, levenshtein=1, prefix_scale=0.2), akin.OptionError,
            "^levenshtein and prefix_scale are given"
        ),
        (
            lambda: akin.join(TEXTS, similarity="osa", threshold=0.8, floored=True), akin.OptionError,
            "^similarity='osa' and floored are given"
        ),
        (lambda: akin.join(TEXTS, dice=0.8, floored=True), akin.OptionError, "^dice and floored are given"),
        (lambda: akin.join(TEXTS, levenshtein=1, technique="ppjoin"), akin.OptionError, "unknown technique of strings"),
        (lambda: akin.join(TEXTS, levenshtein=0.5), akin.OptionError, "^levenshtein is 0.5; expected a whole number"),
        (
            lambda: akin.join(TEXTS, jacard=0.8), TypeError,
            r"^join\(\) has no argument 'jacard': did you mean jaccard\?$"
        ),
        (lambda: akin.join(TEXTS, jaccard=0.8, n_jobs=2), TypeError, r"'n_jobs': did you mean threads\?$"),
        (lambda: akin.join(TEXTS, jaccard=0.8, zzzzzz=2), TypeError, "'zzzzzz'$"),
        (
            lambda: akin.join(TEXTS), akin.OptionError,
            "^no measure is given; expected one of jaccard, .*: jaccard=0.8, say, joins sets"
        ),
        (lambda: akin.join(TEXTS, jaccard=1, dice=1), akin.OptionError, "^jaccard and dice are given; expected one of"),
        (
            lambda: akin.dedupe({"a": TEXTS}, "a:jaro", all_pairs=True, treshold=0.8), TypeError,
            r"did you mean threshold\?$"
        ),
        (
            lambda: akin.dedupe({"a": TEXTS}, "a:levenstein", all_pairs=True), akin.OptionError,
            "did you mean 'levenshtein'"
        ),
        (lambda: akin.strings.similarity("a", "b", "levenstein"), akin.OptionError, "did you mean 'levenshtein'"),
        (lambda: akin.strings.cdist_sparse(TEXTS, score_cutoff=0.8), TypeError, r"did you mean cutoff\?$"),
        (
            lambda: akin.bm25(TEXTS).rank("a", limit=3), TypeError,
            r"^rank\(\) has no argument 'limit': did you mean k\?$"
        ),
        (lambda: akin.bm25(TEXTS).rank("a", top=3), TypeError, r"^rank\(\) has no argument 'top': did you mean k\?$"),
        (
            lambda: akin.Index.build(TEXTS).search("a", top=3), TypeError,
            r"^search\(\) has no argument 'top': did you mean k\?$"
        ),
        (lambda: akin.Index.build(TEXTS).search("a", top_k=3), TypeError, r"did you mean k\?$"),
        (
            lambda: akin.Index.build(TEXTS).search("a", threshold=3), TypeError,
            "filter the result by its similarity, or leave out small counts by least=N$"
        ),
        (lambda: akin.Index.build(TEXTS).search("a", similarity="jaccard"), TypeError, r"did you mean measure\?$"),
        (lambda: akin.Index.build(TEXTS).search("a", gold=[]), TypeError, r"did you mean truth\?$"),
        (lambda: akin.Index.build(TEXTS, stopwords="english"), TypeError, r"did you mean stop_words\?$"),
        (lambda: akin.join(TEXTS, jaccard=0.8, k=3), TypeError, r"^join\(\) has no argument 'k': did you mean top\?$"),
        (lambda: akin.join(TEXTS, jaccard=0.8, n=3), TypeError, r"did you mean top\?$"),
        (lambda: akin.join(TEXTS, jaccard=0.8, limit=3), TypeError, r"did you mean top\?$"),
        (lambda: akin.join(TEXTS, metric="jaro", threshold=0.8), TypeError, r"did you mean similarity\?$"),
        (lambda: akin.strings.cdist_sparse(TEXTS, threshold=0.8), TypeError, r"did you mean cutoff\?$"),
        (lambda: akin.strings.cdist_sparse(TEXTS, processor=str), TypeError, r"did you mean fold\?$"),
        (lambda: akin.strings.compare(TEXTS, TEXTS, similarity="jaro"), TypeError, r"did you mean scorer\?$"),
        (lambda: akin.generate.records(n=3), TypeError, r"did you mean rows\?$"),
        (lambda: akin.generate.text(n=3), TypeError, r"did you mean documents\?$"),
        (lambda: akin.generate.sets(random_state=3), TypeError, r"did you mean seed\?$"),
        (lambda: akin.dedupe({"a": TEXTS}, "a:jaro", all_pairs=True, truth=[]), TypeError, r"did you mean gold\?$"),
        (lambda: akin.dedupe({"a": TEXTS}, "a:jaro", blocking_rules="a"), TypeError, r"did you mean block\?$"),
        (
            lambda: akin.compare.jaro("name", treshold=0.8), TypeError,
            r"^jaro\(\) has no argument 'treshold': did you mean threshold\?$"
        ),
        (lambda: akin.window("name", 3, by="soundex"), TypeError, r"'by': did you mean key\?$"),
        (
            lambda: akin.join(TEXTS, jaccard=0.8).head(n=2), TypeError,
            r"^head\(\) has no argument 'n': did you mean rows\?$"
        ),
        (lambda: akin.Index.build(TEXTS, kind="document"), akin.OptionError, r": did you mean documents\?$"),
    ],
)
def test_messages(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def jobs():
    for owner in (akin, akin.strings, akin.generate, akin.Index, akin.BM25, akin.Dictionary):
        for name in dir(owner):
            function = getattr(owner, name)
            if not name.startswith("_") and name != "settings" and (
                inspect.isfunction(function) or inspect.ismethod(function)
            ) and "threads" in inspect.signature(function).parameters:
                yield pytest.param(function, id=name)


@pytest.mark.parametrize("function", [*jobs()])
def test_how_a_job_runs_is_in_its_signature(function):
    parameters = inspect.signature(function).parameters
    assert list(parameters)[-5:] == ["threads", "device", "memory", "device_memory", "progress"] and set(
        Settings.__annotations__
    ) <= set(parameters)
    assert all(
        parameter.kind is not parameter.VAR_KEYWORD and parameter.annotation is not parameter.empty for name,
        parameter in parameters.items() if name != "self"
    )


def test_there_are_jobs():
    assert len([*jobs()]) > 20


def test_the_command():
    def say(*words):
        return subprocess.run([sys.executable, "-m", "akin", *words], capture_output=True, text=True, check=False)

    assert say("--version").stdout == f"akin {akin.__version__}\n"
    refused = say("join")
    assert refused.returncode == 2 and refused.stderr.startswith("akin: ")

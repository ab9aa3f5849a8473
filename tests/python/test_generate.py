"""Made-up data: the same as the command's, and of the shape of the options."""

import csv
import os
import pathlib
import shutil
import subprocess

import pytest

import akin
from akin import generate


def command():
    built = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "akin"
    return os.environ.get("AKIN") or (str(built) if built.exists() else shutil.which("akin"))


def made(folder, *words):
    if command() is None:
        pytest.skip("the command is not built")
    done = subprocess.run([command(), "generate", *words, "-q"], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode()


def rows_of(text):
    return [tuple(value or None for value in row) for row in csv.reader(text.splitlines())]


def test_records():
    people, gold = generate.records(200, duplicates=0.3, seed=5, threads=2)
    assert len(people) == 200 and people.columns[:3] == ("id", "given_name", "surname")
    assert (people, gold) == generate.records(200, duplicates=0.3, seed=5, threads=1)
    assert people != generate.records(200, duplicates=0.3, seed=6)[0]
    found = akin.dedupe(
        people, ["surname:jaro-winkler", "given_name:jaro-winkler"], all_pairs=True, threshold=0.9, id="id", gold=gold
    )
    assert found.evaluation.gold == len(gold) > 30 and found.evaluation.recall > 0.3
    left, right, known = generate.records(
        100, linked=True, duplicates=0.4, kind="cd", tracks=1, most_copies=1, modify={"all": 0, "case": 1}
    )
    assert (len(left), len(right), len(known)) == (60, 40, 40) and left.columns[-1] == "track01"


def test_as_the_command(tmp_path):
    text = made(tmp_path, "records", "--records", "60", "--modify", "missing:40", "--seed", "3", "--gold", "gold.csv")
    people, gold = generate.records(60, modify={"missing": 40}, seed=3)
    assert rows_of(text) == [people.columns, *people]
    assert rows_of((tmp_path / "gold.csv").read_text()) == [gold.columns, *gold]
    text = made(tmp_path, "sets", "--sets", "50", "--tokens", "30", "--average", "4", "--seed", "2")
    assert [[int(token) for token in line.split()] for line in text.splitlines()] == generate.sets(
        50, tokens=30, average=4, smallest=1, seed=2
    )
    text = made(tmp_path, "sets", "--sets", "50", "--tokens", "90", "--average", "9", "--spread", "20", "--lognormal")
    assert [[int(token) for token in line.split()] for line in text.splitlines()] == generate.sets(
        50, tokens=90, average=9, spread=20, lognormal=True
    )
    text = made(tmp_path, "text", "--documents", "5", "--vocabulary", "100", "--length", "2", "1")
    assert text.rstrip("\n").split("\n\n") == generate.text(5, vocabulary=100, length=(2, 1))


def test_grown_as_the_command(tmp_path, command):
    sets = [[3, 1, 2], [], [1, 7], [1, 2]]
    (tmp_path / "sets.txt").write_text("".join(" ".join(map(str, row)) + "\n" for row in sets))
    text = command("generate", "sets", "--grow", "sets.txt", 3, "-q", folder=tmp_path).decode()
    grown = generate.grow(sets, 3)
    assert "".join(" ".join(map(str, row)) + "\n" for row in grown) == text and len(grown) == 12
    assert generate.grow(tmp_path / "sets.txt", 3, threads=2) == grown
    assert grown[:4] == [sorted(row) for row in sets]
    with pytest.raises(akin.OptionError, match="copies"):
        generate.grow(sets, 0)


def test_sets_as_the_command(tmp_path, command):
    """With nothing but a number said, too."""
    text = command("generate", "sets", "--sets", 200, "-q").decode()
    assert [[int(token) for token in line.split()] for line in text.splitlines()] == generate.sets(200)


@pytest.mark.parametrize("size", ["1", "57", "300", "4K", "3KB"])
@pytest.mark.parametrize("length", [(0, 0), (2, 1)])
def test_bytes_as_the_command(size, length, command):
    """So much text as fits: the last document may be cut, behind a word."""
    made = generate.text(bytes=size, vocabulary=100, length=length, seed=3)
    words = ["--vocabulary", 100, "--length", *length, "--seed", 3, "-q"]
    text = command("generate", "text", "--bytes", size, *words).decode()
    assert "\n\n".join(made) == text.removesuffix("\n") and len(text) <= int(size.rstrip("KB")) * 1024
    both = generate.text(2, bytes=size, vocabulary=100, length=length, seed=3)
    assert "\n\n".join(both) == command(
        "generate", "text", "--documents", 2, "--bytes", size, *words
    ).decode().removesuffix("\n")


def test_words_of_a_file(tmp_path, command):
    (tmp_path / "words.tsv").write_text("often\t9\nseldom\t1.5e0\nnever\t0\nlast\t3\n")
    for words, how in (
        ([], {}), (["--vocabulary", 3], {"vocabulary": 3}), (["--distribution", "uniform"], {"uniform": True})
    ):
        text = command(
            "generate", "text", "--words", "words.tsv", "--documents", 4, "--length", 3, 1, *words, "-q",
            folder=tmp_path
        )
        made = generate.text(4, words=tmp_path / "words.tsv", length=(3, 1), **how)
        assert "\n\n".join(made) == text.decode().removesuffix("\n")
    assert generate.text(4, words={"often": 9, "seldom": 1.5, "never": 0, "last": 3}, length=(3, 1)) == generate.text(
        4, words=str(tmp_path / "words.tsv"), length=(3, 1)
    )
    for line in ("word", "a word\t3", "word\t-1", "\t3", "word\tmuch"):
        (tmp_path / "bad.tsv").write_text(f"often\t9\n{line}\n")
        with pytest.raises(akin.InputError, match=r"bad\.tsv:2: expected"):
            generate.text(1, words=tmp_path / "bad.tsv")


def test_text():
    drawn = generate.text(20, words={"often": 9, "seldom": 1}, length=(2, 0.5))
    words = " ".join(drawn).split()
    assert len(drawn) == 20 and set(words) == {"often", "seldom"} and words.count("often") > 3 * words.count("seldom")
    even = " ".join(generate.text(20, words=["a", "b"], length=(3, 0.5))).split()
    assert abs(even.count("a") - even.count("b")) < len(even) / 4


@pytest.mark.parametrize(
    "call",
    [
        lambda: generate.records(10, kind="cats"),
        lambda: generate.records(-1),
        lambda: generate.records(10, duplicates=1.5),
        lambda: generate.records(10, modify={"magic": 1}),
        lambda: generate.records(10, modify={"all": 0}),
        lambda: generate.records(10, seed=-1),
        lambda: generate.sets(10, duplicates=2),
        lambda: generate.text(0),
        lambda: generate.text(1, words={"a": -1}),
        lambda: generate.text(1, words={"a": 0}),
        lambda: generate.text(bytes=0),
        lambda: generate.text(bytes="much"),
    ],
)
def test_refused(call):
    with pytest.raises(akin.OptionError):
        call()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: generate.sets(9, average=float("nan")), "average is nan; expected 0 to"),
        (lambda: generate.sets(9, spread=-1), "spread is -1; expected 0 to"),
        (lambda: generate.sets(9, average=0, lognormal=True), "average is 0; expected at least 1 with lognormal"),
        (lambda: generate.sets(9, tokens=0), "tokens is 0; expected 1 to"),
        (
            lambda: generate.sets(9, tokens=3, smallest=4),
            "smallest is 4; expected at most 3, as many tokens as there are"
        ),
        (lambda: generate.sets(9, smallest=4, largest=2), "largest is 2; expected at least the smallest size, 4"),
        (lambda: generate.text(1, length=(-1, 1)), r"length\[0\] is -1; expected 0 to"),
        (lambda: generate.text(1, length=(1, float("nan"))), r"length\[1\] is nan; expected 0 to"),
        (lambda: generate.text(1, words=[]), "there are no words"),
        (lambda: generate.text(1, words={}), "there are no words"),
        (lambda: generate.text(1, words=["a", "b c"]), "a word is 'b c'; expected words without blanks and line ends"),
        (lambda: generate.text(1, words=["a", "b\nc"]), r"a word is 'b\\nc'; expected words without"),
        (lambda: generate.text(1, words={"a": 1, "b\t": 1}), r"a word is 'b\\t'; expected words without"),
        (lambda: generate.text(1, words=["a", ""]), "a word is ''; expected words without"),
    ],
)
def test_refused_by_the_names_of_arguments(call, message):
    with pytest.raises(akin.OptionError, match=f"^{message}"):
        call()


def test_no_room_for_a_word(command):
    assert generate.text(bytes=2, vocabulary=100, length=(2, 1), seed=3) == []
    words = ["--vocabulary", 100, "--length", 2, 1, "--seed", 3, "-q"]
    assert command("generate", "text", "--bytes", 2, *words) == b""

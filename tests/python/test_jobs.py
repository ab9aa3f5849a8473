"""Jobs of all commands: the command and Python do them alike, from the same file."""

import pathlib
import re

import pytest

import akin
from akin import _commands

WINES = "id,name\na,red wine\nb,wine red\nc,white wine\nd,red wines\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("wines.csv").write_text(WINES)
    pathlib.Path("gold.csv").write_text("left,right\na,b\na,d\n")
    return tmp_path


JOBS = [
    ("join wines.csv --on name --id id --jaccard 0.5 -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --jaccard 0.5 --digits 2 -o pairs.jsonl", ["pairs.jsonl"]),
    ("join wines.csv wines.csv --left-on name --right-on name --id id --dice 0.5 --tokens qgrams:2 -o pairs.tsv", ["pairs.tsv"]),
    ("join wines.csv --on name --id id --levenshtein 2 -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --similarity jaro-winkler:0.8 -o pairs.csv --deduplicated unique.csv", ["pairs.csv", "unique.csv"]),
    ("join wines.csv wines.csv --on name --similarity jaro-winkler --top 1 -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --similarity jaro:0.8 --fold case+accents -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --dice 0.3 --tokens qgrams:2 --ignore-case --stop-words english -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --id id --jaccard 0.9 --clusters --clusters-of 2 -o clusters.csv", ["clusters.csv"]),
    ("join wines.csv wines.csv --on name --jaccard 0.9 --clusters -o clusters.csv", ["clusters.csv"]),
    ("dedupe wines.csv --id id --all-pairs --compare name:jaro_winkler --threshold 0.8 -o clusters.csv --pairs pairs.csv", ["clusters.csv", "pairs.csv"]),
    ("link wines.csv wines.csv --id id --all-pairs --compare name:jaro --threshold 0.8 -o clusters.csv --pairs pairs.csv", ["clusters.csv", "pairs.csv"]),
    ("index wines.csv --on name --id id --kind strings --ngram 2 -o wines.akin", ["wines.akin"]),
    ("index wines.csv --on name --id id --kind bm25 --stem english --k1 1.5 -o wines.akin", ["wines.akin"]),
    ("generate records --records 50 --duplicates 0.5 --modify all:0 --modify swap:2 --seed 3 -o r.csv --gold g.csv", ["r.csv", "g.csv"]),
    ("generate records --records 50 --kind cd --linked l.jsonl --gold g.jsonl -o r.jsonl", ["r.jsonl", "l.jsonl", "g.jsonl"]),
    ("generate sets --sets 20 --tokens 100 --average 5 --zipf 0.5 -o sets.txt", ["sets.txt"]),
    ("generate text --documents 5 --length 2 0.5 --vocabulary 100 --distribution uniform -o text.txt", ["text.txt"]),
]


@pytest.mark.parametrize("words,files", JOBS, ids=[words.split(" -o")[0] for words, _ in JOBS])
def test_files_are_those_of_the_command(folder, command, words, files):
    command(*words.split(), "-q", "--save-job", "job.json")
    expected = [pathlib.Path(name).read_bytes() for name in files]
    for name in files:
        pathlib.Path(name).unlink()
    akin.run("job.json")
    assert [pathlib.Path(name).read_bytes() for name in files] == expected


def test_results_are_those_of_the_functions(folder):
    job = {"akin": "join", "version": 1, "input": ["wines.csv"], "on": "name", "id": "id", "jaccard": "0.5", "quiet": True}
    assert akin.run(job) == akin.join("wines.csv", on="name", id="id", jaccard=0.5)
    assert akin.run(job, {"name": ["x y", "y x"], "id": ["1", "2"]})["right_id"].tolist() == ["2"]
    assert akin.run(job, similarity="jaro", threshold=0.9) == akin.join("wines.csv", on="name", id="id", similarity="jaro", threshold=0.9)
    assert akin.run(job, dice=0.9, threads=1) == akin.join("wines.csv", on="name", id="id", dice=0.9)
    evaluate = {"akin": "evaluate", "version": 1, "input": ["pairs.csv", "gold.csv"]}
    akin.run(job | {"output": "pairs.csv"})
    assert akin.run(evaluate) == akin.evaluate("pairs.csv", "gold.csv")
    assert len(akin.run(evaluate | {"curve": True})) == 101
    index = akin.run({"akin": "index", "version": 1, "input": ["wines.csv"], "on": "name", "id": "id", "kind": "strings", "output": "w.akin"})
    search = {"akin": "search", "version": 1, "input": ["w.akin"], "query": ["red win"], "top": 1}
    assert akin.run(search) == index.search(["red win"], 1)
    assert len(akin.run(search, k=3)) == 3


@pytest.mark.parametrize(
    "job,error,message",
    [
        ({"akin": "join", "jacard": 0.5}, akin.InputError, "'jacard' is unknown.*did you mean jaccard"),
        ({"akin": "join", "jaccard": True}, akin.InputError, "expected a number"),
        ({"akin": "join", "on": 5}, akin.InputError, "expected a string"),
        ({"akin": "join", "jaccard": 0.5, "show": "name"}, akin.OptionError, "Python has no use for it: look values up"),
        ({"akin": "join", "jaccard": 0.5, "input": []}, akin.OptionError, "0 tables; akin join expects 1 or 2"),
        ({"akin": "evaluate", "input": ["gold.csv"]}, akin.OptionError, "1 tables; akin evaluate expects 2"),
        ({"akin": "weigh"}, akin.OptionError, "call akin.bm25, or run akin weigh --job"),
        ({"akin": "dictionary build"}, akin.OptionError, "call akin.Dictionary.build"),
        ({"akin": "joyn"}, akin.InputError, "did you mean join"),
        ({"akin": "generate"}, akin.InputError, "expected dedupe, link, join"),
        ({"akin": "generate text", "length": [1]}, akin.InputError, "expected two numbers"),
        ({"akin": "search", "input": ["w.akin"]}, akin.OptionError, "expected queries"),
        ({"akin": "link", "input": ["wines.csv"], "all-pairs": True}, akin.OptionError, "1 tables; expected two"),
    ],
)
def test_refused(folder, job, error, message):
    with pytest.raises(error, match=message):
        akin.run({"version": 1, "input": ["wines.csv"] if job["akin"] in ("join",) else [], **job})


def test_unknown_arguments(folder):
    with pytest.raises(TypeError, match="no argument 'jacard': did you mean jaccard"):
        akin.run({"akin": "join", "version": 1, "input": ["wines.csv"], "on": "name", "jaccard": 1}, jacard=0.5)


def options_of(help):
    """Long names of the options that a command lists."""
    return set(re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", help, re.MULTILINE)) - {"help", "job", "save-job"}


@pytest.mark.parametrize("name", _commands.COMMANDS)
def test_options_are_those_of_the_command(name, command):
    """Every option of a command has one row here, and no other has."""
    row = _commands.COMMANDS[name]
    listed = [*row.options, *row.others, *row.without]
    assert len(listed) == len(set(listed))
    text = command(name.split()[0], "--help").decode()
    ours = {"input" if key == "input-format" else key for key in listed}
    theirs = options_of(text)
    if name.startswith("generate"):  # whose help has those of all kinds
        assert ours <= theirs
        every = {key for each, other in _commands.COMMANDS.items() if each.startswith("generate") for key in (*other.options, *other.others, *other.without)}
        assert every == theirs
    else:
        assert ours == theirs
    jobs = {"dedupe", "link", *(each.split()[0] for each in _commands.COMMANDS), *_commands.WITHOUT}
    for each in jobs:
        assert "--save-job" in command(each, "--help").decode()

"""Jobs of all commands: the command and Python do them alike, from the same file."""

import pathlib
import re

import pytest

import akin
from akin import _choices, _commands

WINES = "id,name\na,red wine\nb,wine red\nc,white wine\nd,red wines\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("wines.csv").write_text(WINES)
    pathlib.Path("wines.txt").write_text("red wine\nwine red\n\nwhite wine\n")
    pathlib.Path("plain").write_text("id,name\nx,red wines\ny,the red wine\n")
    pathlib.Path("sets.txt").write_text("1 2 3\n2 3 1\n007 7\n")
    pathlib.Path("stop").write_text("the\nred wines\n\n")
    pathlib.Path("gold.csv").write_text("left,right\na,b\na,d\n")
    pathlib.Path("ids.csv").write_text("id\n1\n0\n")
    akin.Dictionary.build(["red", "wine", "red wine"]).save("words.akin")
    akin.Statistics.of("wines.csv", "name").save("statistics.csv")
    akin.Index.build("wines.csv", "name", id="id").save("wines.akin")
    akin.Index.build("wines.csv", "name", id="id", kind="bm25").save("ranked.akin")
    akin.Index.build("wines.csv", "name", kind="strings", ngram=2).save("strings.akin")
    pathlib.Path("more.csv").write_text("name,id,cellar\nold wine,e,7\n")
    pathlib.Path("shop.csv").write_text('title,"a,b",price,id\nred wine,1,5,A\nwhite wine,2,,B\n')
    akin.Index.open("wines.akin").append("more.csv", "name", id="id").save("longer.akin")
    return tmp_path


JOBS = [
    ("join wines.csv --on name --levenshtein --top 1 -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv plain --on name --id id --input csv --jaccard 0.3 -o pairs.csv", ["pairs.csv"]),
    ("join sets.txt --jaccard 0.5 -o pairs.csv", ["pairs.csv"]),
    ("join sets.txt --input ids --overlap 1 -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv wines.csv --on name --id id --jaccard 0.5 --show name,id -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --jaccard 0.5 --show id --digits 1 -o pairs.jsonl", ["pairs.jsonl"]),
    ("join wines.csv wines.csv --on name --jaccard 0.9 --clusters --show name -o clusters.tsv", ["clusters.tsv"]),
    (
        "dedupe wines.csv --id id --all-pairs --compare name:jaro --threshold 0.5 --show name -o clusters.csv --pairs "
        "pairs.jsonl",
        ["clusters.csv", "pairs.jsonl"]
    ),
    (
        "link wines.csv wines.csv --all-pairs --compare name:jaro --threshold 0.8 --show id,name -o clusters.jsonl "
        "--pairs pairs.csv",
        ["clusters.jsonl", "pairs.csv"]
    ),
    (
        "compare --files wines.csv wines.csv --on name --scorer jaro_winkler --prefix-scale 0.2 --digits 3 -o "
        "alike.csv",
        ["alike.csv"]
    ),
    (
        "compare --files wines.csv wines.csv --left-on id --right-on name --scorer number -o alike.jsonl",
        ["alike.jsonl"]
    ),
    (
        "compare --files wines.csv wines.csv --on id=name --scorer osa --distance --cutoff 0.1 -o alike.tsv",
        ["alike.tsv"]
    ),
    (
        "compare --files wines.txt wines.csv --on name --scorer levenshtein --distance --fold all -o alike.csv",
        ["alike.csv"]
    ),
    ("search wines.akin wines.csv --on name --id id -k 3 --show name -o hits.csv", ["hits.csv"]),
    ("search wines.akin --query red --query wine --measure jaccard --digits 2 -o hits.jsonl", ["hits.jsonl"]),
    ("search wines.akin plain --input csv --on name -o hits.tsv", ["hits.tsv"]),
    ("weigh wines.csv --on name -o weights.csv --vocabulary words.csv", ["weights.csv", "words.csv"]),
    ("weigh wines.csv --on name --id id --order term --formula bm25+ --delta 0.5 -o weights.tsv", ["weights.tsv"]),
    (
        "weigh wines.csv --on name --id id -o weights.npz",
        ["weights.npz", "weights.vocabulary.tsv", "weights.documents.tsv"]
    ),
    ("weigh wines.csv --on name --stop-words stop --vocabulary words.tsv -o weights.mtx", ["weights.mtx", "words.tsv"]),
    (
        "weigh wines.csv --on name --id id --stem english --dictionary words.akin --unknown add -o weights.akin",
        ["weights.akin"]
    ),
    ("weigh wines.txt sets.txt --tokens qgrams:2 -o weights.out", ["weights.out"]),
    ("weigh wines.txt --documents blank-line --format mtx -o weights", ["weights", "weights.vocabulary.tsv"]),
    (
        "weigh wines.txt sets.txt --documents file -o weights.npz",
        ["weights.npz", "weights.vocabulary.tsv", "weights.documents.tsv"]
    ),
    ("weigh wines.csv plain --input csv --on name --id id --format csv -o weights", ["weights"]),
    ("weigh wines.csv --on name --save-statistics part.csv -o weights.tsv", ["part.csv", "weights.tsv"]),
    (
        "weigh wines.csv --on name --dictionary words.akin --save-statistics part.csv -o weights.csv",
        ["part.csv", "weights.csv"]
    ),
    ("weigh wines.csv --on name --statistics statistics.csv --vocabulary words.tsv", ["words.tsv"]),
    ("rank ranked.akin wines.csv --on name --id id -k 2 -o run.trec --tag mine", ["run.trec"]),
    ("rank ranked.akin --query wine --digits 3 -o run.csv", ["run.csv"]),
    ("rank wines.csv wines.txt --on name --id id --stem english -o run.jsonl", ["run.jsonl"]),
    ("rank wines.txt wines.csv --on name --id id --documents line --show name -o run.tsv", ["run.tsv"]),
    (
        "rank wines.csv plain --input csv --on name --query-on name --query-id id --formula paper -o run.csv",
        ["run.csv"]
    ),
    ("index wines.txt sets.txt --kind bm25 --documents file -o made.akin", ["made.akin"]),
    ("index wines.csv --on name --kind bm25 --dictionary words.akin -o made.akin", ["made.akin"]),
    ("index plain --input csv --on name --kind documents -o made.akin", ["made.akin"]),
    ("dictionary build wines.csv --on name --kind rrr -o made.akin", ["made.akin"]),
    ("dictionary lookup words.akin wines.txt -o ids.txt", ["ids.txt"]),
    ("dictionary lookup words.akin ids.csv --on id --ids -o words.txt", ["words.txt"]),
    ("join wines.csv --on name --id id --jaccard 0.5 -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --jaccard 0.5 --digits 2 -o pairs.jsonl", ["pairs.jsonl"]),
    (
        "join wines.csv wines.csv --left-on name --right-on name --id id --dice 0.5 --tokens qgrams:2 -o pairs.tsv",
        ["pairs.tsv"]
    ),
    ("join wines.csv --on name --id id --levenshtein 2 -o pairs.csv", ["pairs.csv"]),
    (
        "join wines.csv --on name --similarity jaro-winkler:0.8 -o pairs.csv --deduplicated unique.csv",
        ["pairs.csv", "unique.csv"]
    ),
    ("join wines.csv wines.csv --on name --similarity jaro-winkler --top 1 -o pairs.csv", ["pairs.csv"]),
    ("join wines.csv --on name --similarity jaro:0.8 --fold case+accents -o pairs.csv", ["pairs.csv"]),
    (
        "join wines.csv --on name --dice 0.3 --tokens qgrams:2 --ignore-case --stop-words english -o pairs.csv",
        ["pairs.csv"]
    ),
    ("join wines.csv --on name --id id --jaccard 0.9 --clusters --clusters-of 2 -o clusters.csv", ["clusters.csv"]),
    ("join wines.csv wines.csv --on name --jaccard 0.9 --clusters -o clusters.csv", ["clusters.csv"]),
    (
        "dedupe wines.csv --id id --all-pairs --compare name:jaro_winkler --threshold 0.8 -o clusters.csv --pairs "
        "pairs.csv",
        ["clusters.csv", "pairs.csv"]
    ),
    (
        "link wines.csv wines.csv --id id --all-pairs --compare name:jaro --threshold 0.8 -o clusters.csv --pairs "
        "pairs.csv",
        ["clusters.csv", "pairs.csv"]
    ),
    ("index wines.csv --on name --id id --kind strings --ngram 2 -o wines.akin", ["wines.akin"]),
    ("index wines.csv --on name --id id --kind bm25 --stem english --k1 1.5 -o wines.akin", ["wines.akin"]),
    (
        "generate records --records 50 --duplicates 0.5 --modify all:0 --modify swap:2 --seed 3 -o r.csv --gold g.csv",
        ["r.csv", "g.csv"]
    ),
    (
        "generate records --records 50 --kind cd --linked l.jsonl --gold g.jsonl -o r.jsonl",
        ["r.jsonl", "l.jsonl", "g.jsonl"]
    ),
    ("search strings.akin wines.csv --on name --id id -k 3 -o hits.csv", ["hits.csv"]),
    ("search strings.akin --query rad --query wine --digits 3 -o hits.tsv", ["hits.tsv"]),
    ("search strings.akin wines.txt -k 2 --candidates 1 --one-round --show text -o hits.jsonl", ["hits.jsonl"]),
    ("search strings.akin more.csv --on name -k 2 --candidates 4 --technique lists -o hits.csv", ["hits.csv"]),
    ("search wines.akin plain --input csv --on name --show name,id --indexed wines.csv -o hits.csv", ["hits.csv"]),
    ("search wines.akin --query red --query wine --show name --indexed wines.csv -o hits.jsonl", ["hits.jsonl"]),
    ("search wines.akin wines.txt --show text,name --indexed wines.csv -o hits.tsv", ["hits.tsv"]),
    (
        "search longer.akin shop.csv --on title --show price,name,id --indexed wines.csv --indexed more.csv -o "
        "hits.csv",
        ["hits.csv"]
    ),
    ("rank ranked.akin --query wine --show name,id --indexed wines.csv -o run.csv", ["run.csv"]),
    ("rank ranked.akin shop.csv --on title --show price,name --indexed wines.csv -o run.jsonl", ["run.jsonl"]),
    ("rank wines.csv plain --input csv --on name --show name,id -o run.csv", ["run.csv"]),
    ("rank wines.csv wines.txt --on name --id id --show name,text -o run.tsv", ["run.tsv"]),
    ("rank wines.txt shop.csv --documents blank-line --on title --id id --show text,price -o run.jsonl", ["run.jsonl"]),
    ("rank wines.csv --query red --on name --show name -o run.csv", ["run.csv"]),
    (
        "join wines.csv shop.csv --on name=title --id id --jaccard 0.3 --show name=title,id,price -o pairs.csv",
        ["pairs.csv"]
    ),
    (
        'join wines.csv shop.csv --on name=title --jaccard 0.3 --show name="a,b",title,id -o pairs.jsonl',
        ["pairs.jsonl"]
    ),
    (
        "join wines.csv shop.csv --on name=title --jaccard 0.3 --clusters --show name=title,price -o clusters.csv",
        ["clusters.csv"]
    ),
    (
        "link wines.csv shop.csv --all-pairs --compare name=title:jaro --threshold 0.6 --show name=title,price,id=id "
        "-o clusters.csv --pairs pairs.jsonl",
        ["clusters.csv", "pairs.jsonl"]
    ),
    (
        "link wines.csv shop.csv --all-pairs --compare name=title:jaro --threshold 0.6 --show name,price -o "
        "clusters.tsv --pairs pairs.csv",
        ["clusters.tsv", "pairs.csv"]
    ),
    ("join wines.csv --on name --jaccard 0.3 --count -o number.txt", ["number.txt"]),
    ("join wines.csv --on name --jaccard 0.5 --clusters-of 2 -o clusters.csv", ["clusters.csv"]),
    ("generate sets --grow sets.txt 3 -o grown.txt", ["grown.txt"]),
    ("generate sets --grow sets.txt 2 --threads 1 -o grown.akin", ["grown.akin"]),
    ("generate sets --sets 20 --seed 4 -o sets.akin", ["sets.akin"]),
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
    job = {
        "akin": "join", "version": 1, "input": ["wines.csv"], "on": "name", "id": "id", "jaccard": "0.5", "quiet": True
    }
    assert akin.run(job) == akin.join("wines.csv", on="name", id="id", jaccard=0.5)
    assert akin.run(job, {"name": ["x y", "y x"], "id": ["1", "2"]})["right_id"].tolist() == ["2"]
    assert akin.run(job, similarity="jaro", threshold=0.9) == akin.join(
        "wines.csv", on="name", id="id", similarity="jaro", threshold=0.9
    )
    assert akin.run(job, dice=0.9, threads=1) == akin.join("wines.csv", on="name", id="id", dice=0.9)
    tables = {"name": ["x y"], "id": ["1"]}, {"a,b": ["y x"], 'the "key"': ["2"]}
    both = akin.run(job | {"on": 'name="a,b"', "id": 'id="the ""key"""'}, *tables)
    assert both == akin.join(
        *tables, on=akin.sides("name", "a,b"), id=akin.sides("id", 'the "key"'), jaccard=0.5
    ) and len(both) == 1
    evaluate = {"akin": "evaluate", "version": 1, "input": ["pairs.csv", "gold.csv"]}
    akin.run(job | {"output": "pairs.csv"})
    assert akin.run(evaluate) == akin.evaluate("pairs.csv", "gold.csv")
    assert len(akin.run(evaluate | {"curve": True})) == 101
    index = akin.run(
        {
            "akin": "index", "version": 1, "input": ["wines.csv"], "on": "name", "id": "id", "kind": "strings",
            "output": "w.akin"
        }
    )
    search = {"akin": "search", "version": 1, "input": ["w.akin"], "query": ["red win"], "top": 1}
    assert akin.run(search) == index.search(["red win"], 1)
    assert len(akin.run(search, k=3)) == 3


def test_columns_that_a_job_shows(folder):
    """The result of a job has them, and the job of a result keeps them."""
    rules = {"compare": "name:jaro", "all_pairs": True, "threshold": 0.5}
    found = akin.dedupe("wines.csv", show=["name", "id"], **rules)
    assert found.job["show"] == "name,id" and akin.run(found.job) == found
    assert akin.run(found.job, show="id").columns == akin.dedupe("wines.csv", show="id", **rules).columns
    assert "show" not in akin.dedupe("wines.csv", **rules).job
    quoted = akin.link({"a,b": ["x"]}, {'c"=': ["x"]}, akin.compare.exact(akin.sides("a,b", 'c"=')), all_pairs=True,
                       show=akin.sides("a,b", 'c"='))  # fmt: skip
    assert quoted.job["show"] == '"a,b"="c""="'
    assert akin.run(quoted.job, {"a,b": ["x"]}, {'c"=': ["x"]}) == quoted
    join = {"akin": "join", "version": 1, "input": ["wines.csv"], "on": "name", "jaccard": 0.5, "show": "id"}
    assert akin.run(join) == akin.join("wines.csv", on="name", jaccard=0.5, show="id")
    assert akin.run(join, show="name") == akin.join("wines.csv", on="name", jaccard=0.5, show="name")
    search = {"akin": "search", "version": 1, "input": ["wines.akin", "wines.csv"], "on": "name", "show": "name"}
    assert akin.run(search | {"top": 1}) == akin.Index.open("wines.akin").search(
        pathlib.Path("wines.csv"), 1, on="name", show="name"
    )
    with pytest.raises(akin.OptionError, match="no column 'nam'"):
        akin.run(found.job | {"show": "nam"})


def test_tokens_of_plain_text(folder):
    """Plain text has token ids, as in the command, unless the job names its tokens."""
    job = {"akin": "join", "version": 1, "input": ["wines.txt"], "jaccard": 0.5}
    advice = '; of text the job names "tokens", such as "words"$'
    with pytest.raises(akin.InputError, match=f"is not a token id .*{advice}"):
        akin.run(job)
    with pytest.raises(akin.OptionError, match=f"show: sets of token ids have no columns{advice}"):
        akin.run(job | {"show": "text"})
    assert akin.run(job | {"tokens": "words", "show": "text"}) == akin.join("wines.txt", jaccard=0.5, show="text")
    with pytest.raises(akin.InputError, match=r"4294967295\)$"):
        akin.run(job | {"input-format": "ids"})


def test_results_of_other_commands():
    """What the command prints, and what the functions give."""
    wines = ["red wine", "wine red", "white wine"]
    two = {"akin": "compare", "version": 1, "input": ["MARTHA", "MARHTA"], "scorer": "jaro_winkler"}
    assert akin.run(two) == akin.strings.jaro_winkler("MARTHA", "MARHTA")
    assert akin.run(two | {"scorer": "osa", "distance": True}) == 1
    assert akin.run(two | {"scorer": "number"}) is None
    files = {"akin": "compare", "version": 1, "files": True, "scorer": "osa"}
    assert akin.run(files, wines, wines[::-1]) == akin.strings.compare(wines, wines[::-1], "osa")
    cells = akin.run(files | {"matrix": True, "distance": True}, wines, wines[:2])
    assert cells.tolist() == akin.strings.cdist(wines, wines[:2], scorer="osa", distances=True).tolist()
    with pytest.raises(akin.OptionError, match="^cutoff: not for a matrix"):
        akin.run(files | {"matrix": True, "cutoff": 0.5}, wines, wines)
    bare = {key: value for key, value in files.items() if key != "files"}
    assert akin.run(bare | {"matrix": True, "distance": True}, wines, wines[:2]).tolist() == cells.tolist()
    with pytest.raises(akin.OptionError, match="^output: a matrix is an array of NumPy; expected FILE.npy, not m.csv"):
        akin.run(files | {"matrix": True, "output": "m.csv"}, wines, wines)
    weigh = {"akin": "weigh", "version": 1, "formula": "bm25+"}
    weighed = akin.bm25(wines, formula="bm25+")
    assert akin.run(weigh, wines).table() == weighed.table()
    rank = {"akin": "rank", "version": 1, "top": 2}
    assert akin.run(rank | {"query": ["red wine"]}, wines, formula="bm25+") == weighed.rank(["red wine"], 2)
    assert akin.run(rank, weighed.index, ["red"], k=1) == weighed.rank(["red"], 1)
    words = akin.run({"akin": "dictionary build", "version": 1}, wines)
    assert list(words) == list(akin.Dictionary.build(wines))
    look = {"akin": "dictionary lookup", "version": 1}
    assert akin.run(look, words, ["red", "red wine"])["id"] == words.look_up(["red", "red wine"])["id"]
    assert akin.run(look | {"ids": True}, words, ["1"]) == [words.word(1)]
    assert akin.run({"akin": "dictionary stats", "version": 1}, words) == words.about


@pytest.mark.parametrize(
    "job,error,message",
    [
        ({"akin": "join", "jacard": 0.5}, akin.InputError, "'jacard' is unknown.*did you mean jaccard"),
        ({"akin": "join", "jaccard": True}, akin.InputError, "expected a number"),
        ({"akin": "join", "on": 5}, akin.InputError, "expected a string"),
        ({"akin": "join", "on": "a,,b"}, akin.InputError, "separated by single commas"),
        ({"akin": "join", "on": 'a=""'}, akin.InputError, "separated by single commas"),
        ({"akin": "join", "on": "a=b,c=b"}, akin.InputError, "column 'b' is named twice"),
        ({"akin": "join", "id": "a=b,c"}, akin.InputError, "expected one column"),
        (
            {"akin": "generate sets", "grow": "sets.txt"}, akin.InputError,
            "'grow' is 'sets.txt'; expected a file and a number of copies"
        ),
        (
            {"akin": "generate sets", "grow": ["sets.txt", 2], "sets": 5}, akin.OptionError,
            "grow and rows: a collection that is enlarged keeps its shape"
        ),
        ({"akin": "generate sets", "output": "sets.gz"}, akin.OptionError, "output is not compressed"),
        (
            {"akin": "join", "jaccard": 0.5, "on": "name", "show": "name=id", "output": "o.csv"}, akin.OptionError,
            "show: name=id names a column of two tables"
        ),
        (
            {"akin": "join", "jaccard": 0.5, "on": "name", "show": "name", "count": True}, akin.OptionError,
            "count and show: a number has no columns"
        ),
        (
            {
                "akin": "join", "input": ["wines.csv", "more.csv"], "jaccard": 0.5, "on": "name", "show": "nam",
                "output": "o.csv"
            },
            akin.OptionError, "no column 'nam'"
        ),
        (
            {"akin": "search", "input": ["wines.akin"], "query": ["red"], "show": "name"}, akin.OptionError,
            "expected a table of queries, or indexed"
        ),
        (
            {"akin": "search", "input": ["wines.akin"], "query": ["red"], "indexed": ["wines.csv"]}, akin.OptionError,
            "indexed: expected show"
        ),
        (
            {"akin": "search", "input": ["wines.akin"], "query": ["red"], "show": "name", "indexed": "wines.csv"},
            akin.InputError, "expected a list of strings"
        ),
        (
            {"akin": "search", "input": ["wines.akin"], "query": ["red"], "show": "name", "indexed": ["more.csv"]},
            akin.InputError, "indexed: there are 1 rows, and the index has 4"
        ),
        (
            {"akin": "search", "input": ["wines.akin"], "query": ["red"], "show": "nam", "indexed": ["wines.csv"]},
            akin.OptionError, "no column 'nam'"
        ),
        (
            {"akin": "search", "input": ["wines.akin", "wines.txt"], "show": "nam", "indexed": ["wines.csv"]},
            akin.OptionError, "no column 'nam' with values in the documents, nor in the queries"
        ),
        (
            {
                "akin": "search", "input": ["longer.akin", "wines.txt"], "show": "cellar",
                "indexed": ["wines.csv", "more.csv"]
            },
            akin.OptionError, "'cellar' with values in each file of documents"
        ),
        (
            {
                "akin": "rank", "input": ["wines.csv"], "on": "name", "query": ["red"], "show": "name",
                "indexed": ["wines.csv"]
            },
            akin.OptionError, "the documents are at hand"
        ),
        (
            {"akin": "join", "jaccard": 0.5, "input-format": "cvs"}, akin.OptionError,
            "input-format is 'cvs'.*ids: did you mean csv"
        ),
        (
            {"akin": "join", "jaccard": 0.5, "on": "name", "show": "nam", "output": "o.csv"}, akin.OptionError,
            "no column 'nam'"
        ),
        ({"akin": "join", "jaccard": 0.5, "input": []}, akin.OptionError, "0 tables; akin join expects 1 or 2"),
        ({"akin": "evaluate", "input": ["gold.csv"]}, akin.OptionError, "1 tables; akin evaluate expects 2"),
        ({"akin": "weigh"}, akin.OptionError, "0 tables; akin weigh expects 1 or more"),
        (
            {"akin": "weigh", "input": ["wines.csv"], "on": "name", "documents": "line"}, akin.OptionError,
            "documents is 'line', which cuts plain text; expected a file of plain text"
        ),
        (
            {"akin": "weigh", "input": ["wines.csv"], "on": "name", "format": "xls", "output": "w"}, akin.OptionError,
            "format is 'xls'"
        ),
        (
            {"akin": "weigh", "input": ["wines.csv"], "on": "name", "order": "terms", "output": "w"}, akin.OptionError,
            "order is 'terms'.*did you mean term"
        ),
        (
            {"akin": "index", "kind": "documents", "input": ["wines.txt", "sets.txt"]}, akin.OptionError,
            "akin index expects one, unless kind is 'bm25'"
        ),
        (
            {"akin": "rank", "input": ["ranked.akin"], "query": ["red"], "stem": "english"}, akin.OptionError,
            "stem: is for documents"
        ),
        (
            {"akin": "rank", "input": ["ranked.akin"], "query": ["red"], "show": "name", "output": "o.csv"},
            akin.OptionError, "have no columns"
        ),
        ({"akin": "compare", "input": ["a", "b"]}, akin.OptionError, "scorer: expected a comparator"),
        ({"akin": "dictionary"}, akin.InputError, "did you mean dictionary"),
        (
            {"akin": "dictionary lookup", "input": ["words.akin", "wines.txt"], "ids": True}, akin.InputError,
            "'red wine' is no id: expected a whole number below 3"
        ),
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
    with pytest.raises(TypeError, match="no argument 'top': did you mean k"):
        akin.run({"akin": "search", "version": 1, "input": ["wines.akin"], "query": ["red"]}, top=2)


def options_of(help):
    """Long names of the options that a command lists, but for those that no job has."""
    return set(re.findall(r"^ +(?:-\w, )?--([a-z0-9-]+)", help, re.MULTILINE)) - {
        "help", "job", "save-job", "allow-paths", "replace", "skip-bad", "bad", "table", "sql"
    }


@pytest.mark.parametrize("name", _commands.COMMANDS)
def test_options_are_those_of_the_command(name, command):
    """Every option of a command has one row here, and no other has."""
    row = _commands.COMMANDS[name]
    listed = [*row.options, *row.others]
    assert len(listed) == len(set(listed))
    text = command(name.split()[0], "--help").decode()
    ours = {"input" if key == "input-format" else key for key in listed}
    theirs = options_of(text) - set(_choices.values("limits"))  # akin.run takes them of every job
    word = name.split()[0]
    if word != name:  # the help has those of all words
        assert ours <= theirs
        every = {
            "input" if key == "input-format" else key for each,
            other in _commands.COMMANDS.items() if each.startswith(word) for key in (*other.options, *other.others)
        }
        assert every == theirs
    else:
        assert ours == theirs
    for each in {"dedupe", "link", *(each.split()[0] for each in _commands.COMMANDS)}:
        assert "--save-job" in command(each, "--help").decode()


def test_a_matrix_is_the_same_file(folder, command):
    """The command and Python write the same array of NumPy."""
    job = {"akin": "compare", "version": 1, "files": True, "scorer": "osa", "matrix": True, "on": "name"}
    akin.run(job | {"input": ["wines.csv", "plain"], "input-format": "csv", "output": "own.npy"})
    command(
        "compare", "--files", "wines.csv", "plain", "--input", "csv", "--on", "name", "--scorer", "osa", "--matrix",
        "-o", "other.npy", "-q",
    )  # fmt: skip
    assert pathlib.Path("own.npy").read_bytes() == pathlib.Path("other.npy").read_bytes()
    assert len(pathlib.Path("own.npy").read_bytes()) == 128 + 4 * 2 * 4

"""What people get wrong in calls: each message names the argument, what it is, and what was expected."""

import re

import akin
import pytest

WORDS = ["red wine", "wine red", "beer"]
PEOPLE = {"id": ["1", "2", "3"], "name": ["Anna", "Ana", "Bert"], "price": ["1", "2", "3"]}
COMPARED = "name:jaro-winkler"


def dedupe(compare=COMPARED, **others):
    return akin.dedupe(PEOPLE, compare, **{"all_pairs": True, **others})


CALLS = [
    # Joins.
    (
        lambda: akin.join(WORDS), akin.OptionError,
        "no measure is given; expected one of jaccard, .*, similarity: jaccard=0.8"
    ),
    (
        lambda: akin.join(WORDS, 0.8), TypeError,
        "right is 0.8, a number; expected a table, or the threshold by its measure, such as jaccard=0.8"
    ),
    (
        lambda: akin.join(WORDS, similarity="jarowinkler", threshold=0.9), akin.OptionError,
        r"similarity='jarowinkler'; expected one of 'levenshtein', 'osa', 'jaro', 'jaro-winkler': did you mean "
        r"jaro-winkler\?"
    ),
    (
        lambda: akin.join(WORDS, similarity="soundex", threshold=0.9), akin.OptionError,
        "similarity='soundex'; expected one of 'levenshtein', 'osa', 'jaro', 'jaro-winkler'"
    ),
    (
        lambda: akin.join(WORDS, jaro_winkler=0.8), TypeError,
        r"no argument 'jaro_winkler': did you mean similarity='jaro-winkler', threshold=T\?$"
    ),
    (lambda: akin.join(WORDS, jarowinkler=0.8), TypeError, r"did you mean similarity='jaro-winkler', threshold=T\?$"),
    (lambda: akin.join(WORDS, levenstein=2), TypeError, r"did you mean levenshtein\?$"),
    (lambda: akin.join(WORDS, edit_distance=2), TypeError, r"did you mean levenshtein\?$"),
    (
        lambda: akin.join("red wine", jaccard=0.8), FileNotFoundError,
        r"a str is the path of a file, and one text is \['red wine'\]"
    ),
    (
        lambda: akin.join(PEOPLE, {"a": ["x"], "b": ["y"]}, left_on="name", jaccard=0.8), akin.OptionError,
        "There are 2: 'a', 'b'; expected right_on=NAME"
    ),
    (
        lambda: akin.strings.compare(PEOPLE, PEOPLE, left_on="name"), akin.OptionError,
        "There are 3: 'id', 'name', 'price'; expected right_on=NAME"
    ),
    (
        lambda: akin.compare.jarowinkler("name"), AttributeError,
        r"no attribute 'jarowinkler': did you mean jaro_winkler\?$"
    ),
    (lambda: akin.compare.equal("name"), AttributeError, "no attribute 'equal'; it has after, codes, .*, tfidf$"),
    (lambda: akin.strings.jarowinkler("a", "b"), AttributeError, r"did you mean jaro_winkler\?$"),
    (
        lambda: akin.Index.build(WORDS).search("red", threshold=0.5), TypeError,
        "no argument 'threshold': search finds the k best"
    ),
    (
        lambda: akin.Index.build(WORDS).search("red", measure="jaro_winkler"), akin.OptionError,
        "expected one of jaccard, .*; kind='strings' finds by edit distance"
    ),
    (
        lambda: akin.Index.build(WORDS, kind="strings").search("red", measure="levenshtein"), akin.OptionError,
        "measure is for sets and documents; an index of strings has an order of its own"
    ),
    (lambda: akin.evaluate_trec(5, "qrels"), TypeError, "ranked is of type int; expected an akin.Ranking"),
    (lambda: akin.compare.tfidf("name", n=3), TypeError, r"no argument 'n': did you mean q\?"),
    (lambda: akin.rank, AttributeError, r"no attribute 'rank': did you mean akin\.bm25\(\.\.\.\)\.rank\?"),
    (lambda: akin.nothing, AttributeError, "no attribute 'nothing'$"),
    (
        lambda: akin.join(WORDS, jaccard=80), akin.OptionError,
        "jaccard is 80; expected a similarity above 0 and at most 1, such as 0.8"
    ),
    (
        lambda: akin.join(WORDS, jaccard="0,8"), akin.OptionError,
        "jaccard is '0,8'; expected a number without a sign, such as 0.8"
    ),
    (lambda: akin.join(WORDS, jaccard=float("nan")), akin.OptionError, "jaccard is nan; expected a number"),
    (
        lambda: akin.join(WORDS, jaccard=-0.5), akin.OptionError,
        "jaccard is -0.5; expected a number without a sign"
    ),
    (lambda: akin.join(WORDS, jaccard="80%"), akin.OptionError, "jaccard is '80%'; expected a number"),
    (lambda: akin.join(WORDS, jaccard=True), TypeError, "jaccard is True; expected a number"),
    (lambda: akin.join(WORDS, jaccard=0.8, dice=0.8), akin.OptionError, "jaccard and dice are given; expected one of"),
    (
        lambda: akin.join(WORDS, jaccard=0.8, tokens="word"), akin.OptionError,
        r"unknown kind of tokens 'word' \(did you mean 'words'\?\)"
    ),
    (lambda: akin.join(WORDS, jaccard=0.8, tokens=3), TypeError, "tokens is 3; expected a str"),
    (lambda: akin.join(WORDS, jaccard=0.8, top=0), akin.OptionError, "top is 0; expected a whole number from 1"),
    (
        lambda: akin.join(WORDS, jaccard=0.8, on="name"), akin.OptionError,
        "there is no column 'name': a list of strings is one column, 'text'"
    ),
    (
        lambda: akin.join(PEOPLE, on="nmae", jaccard=0.8), akin.OptionError,
        r"no column 'nmae' \(did you mean 'name'\?\); the columns are: 'id', 'name', 'price'"
    ),
    (
        lambda: akin.join({"n": [1, 2]}, jaccard=0.8), TypeError,
        r"row 0, column 'n': expected a str or None, got <class 'int'>"
    ),
    (
        lambda: akin.join(5, jaccard=0.8), TypeError,
        "expected a table or column of Arrow's .*, lists of strings or a path, got int"
    ),
    (lambda: akin.join("missing.csv", on="name", jaccard=0.8), FileNotFoundError, "missing.csv"),
    (
        lambda: akin.join(WORDS, jaccard=0.8, limit=5), TypeError,
        r"join\(\) has no argument 'limit': did you mean top\?"
    ),
    (
        lambda: akin.join(WORDS, threshold=0.8), akin.OptionError,
        "threshold=0.8 without similarity; .* or the threshold by its measure, such as jaccard=0.8"
    ),
    (lambda: akin.join(WORDS, jaccard=0.8, n_jobs=2), TypeError, r"no argument 'n_jobs': did you mean threads\?"),
    (lambda: akin.join(WORDS, jaccard=0.8, threads=-1), akin.OptionError, "threads is -1; expected"),
    (lambda: akin.join(WORDS, jaccard=0.8, threads=2.0), TypeError, "threads is 2.0; expected a whole number up to"),
    (lambda: akin.join(WORDS, jaccard=0.8, threads="2"), TypeError, "threads is '2'; expected a whole number"),
    (lambda: akin.join(WORDS, jaccard=0.8, threads=None), TypeError, "threads is None; expected a whole number"),
    (
        lambda: akin.join(WORDS, jaccard=0.8, memory="lots"), akin.OptionError,
        "memory: 'lots' is no size; .* such as 512M"
    ),
    (
        lambda: akin.join(WORDS, jaccard=0.8, device="gpu"), akin.OptionError,
        "unknown device 'gpu'; expected auto, cpu, cuda"
    ),
    # Strings.
    (
        lambda: akin.strings.cdist_sparse(WORDS), akin.OptionError,
        "expected cutoff, a least similarity, or distance, a largest one"
    ),
    (lambda: akin.strings.cdist_sparse(WORDS, cutoff=80), akin.OptionError, "cutoff is 80; expected 1 at most"),
    (
        lambda: akin.strings.similarity("a", "b", "levenstein"), akin.OptionError,
        r"unknown comparator 'levenstein' \(did you mean 'levenshtein'\?\)"
    ),
    (
        lambda: akin.strings.similarity("a", None), TypeError,
        "expected two strings, got NoneType; akin.strings.compare takes columns"
    ),
    (lambda: akin.strings.compare(WORDS, WORDS[:2]), akin.OptionError, "3 rows and 2; expected columns of one length"),
    # Duplicates.
    (
        lambda: akin.dedupe(PEOPLE, COMPARED, all_pairs=True, threshold="auto"), akin.OptionError,
        "threshold is 'auto', which needs weights='learn'; expected a number"
    ),
    (
        lambda: akin.dedupe(PEOPLE, COMPARED, all_pairs=True, weights="learnt"), akin.OptionError,
        "weights is 'learnt'; expected one of given, learn: did you mean learn"
    ),
    (
        lambda: akin.dedupe(PEOPLE, COMPARED, all_pairs=True, ignore="name"), akin.OptionError,
        "ignore is for rules that akin finds; expected no compare, or no selection of pairs"
    ),
    (lambda: akin.dedupe(PEOPLE, ignore="nam"), akin.OptionError, r"ignore: there is no column 'nam' \(did you mean"),
    (lambda: akin.dedupe(PEOPLE, ignore=3), TypeError, "ignore is 3; expected the name of a column"),
    (
        lambda: akin.dedupe(PEOPLE, COMPARED, akin.block("name")), TypeError,
        r"dedupe\(table, compare\) takes 2 arguments without a name, not 3; expected the others as NAME=VALUE"
    ),
    (
        lambda: akin.dedupe(PEOPLE, COMPARED, block=akin.block("name", "soundex")), akin.OptionError,
        "there is no column 'soundex'.*; the key 'soundex' is given by key='soundex'"
    ),
    (lambda: akin.dedupe(PEOPLE, on="name"), TypeError, r"dedupe\(\) has no argument 'on': did you mean compare\?"),
    (
        lambda: akin.link(PEOPLE, PEOPLE, COMPARED, all_pairs=True, id="a=b"), akin.OptionError,
        r"there is no column 'a=b'; .*; two names of one column are akin.sides\('a', 'b'\)"
    ),
    (
        lambda: akin.bm25(WORDS, formula="bm25plus"), akin.OptionError,
        r"unknown formula 'bm25plus' \(did you mean 'bm25\+'\?\)"
    ),
    (
        lambda: akin.run({"akin": "dedupe", "version": 1, "compare": ["name:exact"], "all-pairs": True}, PEOPLE),
        akin.OptionError, 'the job has no "threshold", such as 0.8'
    ),
    (lambda: dedupe("name"), akin.OptionError, "compare name: expected COLUMN:COMPARATOR"),
    (lambda: dedupe("nam:exact"), akin.OptionError, r"there is no column 'nam' \(did you mean 'name'\?\)"),
    (lambda: dedupe("Name:exact"), akin.OptionError, r"there is no column 'Name' \(did you mean 'name'\?\)"),
    (
        lambda: dedupe("name:jarowinkler"), akin.OptionError,
        r"unknown comparator 'jarowinkler' \(did you mean 'jaro-winkler'\?\)"
    ),
    (
        lambda: dedupe(threshold=80), akin.OptionError,
        "threshold 80: expected a number above 0 and at most 1, such as 0.8"
    ),
    (lambda: dedupe(threshold="0,8"), akin.OptionError, "threshold"),
    (lambda: dedupe(all_pairs="yes"), TypeError, r"all_pairs is 'yes'; expected True, False or akin.all_pairs\(\)"),
    (lambda: dedupe(window="name:20"), akin.OptionError, r"window name:20: expected W\[:COLUMN\[:KEY\]\], W from 2"),
    (
        lambda: dedupe(pairs="all"), TypeError,
        "no argument 'pairs': pairs are selected by all_pairs=, window=, block=, similar= and nearest="
    ),
    (lambda: dedupe(missing="ignore"), akin.OptionError, "missing ignore: .* expected zero, skip or equal"),
    (lambda: dedupe(evidence=2), akin.OptionError, "evidence 2: expected a number from 0 to 1"),
    (lambda: dedupe(evidence=None), TypeError, "evidence"),
    (lambda: dedupe(id="ID"), akin.OptionError, r"there is no column 'ID' \(did you mean 'id'\?\)"),
    (
        lambda: dedupe(report="report.pdf"), akin.OptionError,
        "report report.pdf: the report is a page of HTML: expected a name such as report.html"
    ),
    (lambda: dedupe(report=5), TypeError, "report is 5; expected True, False or a path"),
    (lambda: dedupe(one_to_one=2), TypeError, "one_to_one is 2; expected True or False"),
    (lambda: dedupe(one_per_source=2), TypeError, "one_per_source is 2; expected a str"),
    (
        lambda: akin.link(PEOPLE, None, COMPARED, all_pairs=True), TypeError,
        "right is None; akin.dedupe finds the duplicates of one table"
    ),
    (
        lambda: akin.link(PEOPLE, PEOPLE, COMPARED, all_pairs=True, right_id=""), akin.OptionError,
        "a column is ''; expected its name"
    ),
    (lambda: dedupe()["nam"], KeyError, "there is no column 'nam'"),
    (lambda: dedupe().save("out.csv", format="xml"), akin.OptionError, "format is 'xml'; expected csv, tsv or jsonl"),
    (
        lambda: akin.link(PEOPLE, PEOPLE, COMPARED, all_pairs=True).keep, TypeError,
        "pairs of two tables have no duplicates to leave out"
    ),
    # What is made by functions.
    (
        lambda: akin.Index(WORDS), TypeError,
        r"an akin.Index is made by akin.Index.build\(...\), or akin.Index.open\(PATH\)"
    ),
    (
        lambda: akin.Dictionary(WORDS), TypeError,
        r"an akin.Dictionary is made by akin.Dictionary.build\(...\), or akin.Dictionary.open\(PATH\)"
    ),
    (lambda: akin.BM25(WORDS), TypeError, r"an akin.BM25 is made by akin.bm25\(...\)"),
    (lambda: akin.Index.open("missing.akin"), FileNotFoundError, "missing.akin"),
    (lambda: akin.components([(0, 5)], 3), akin.OptionError, "rows 0 and 5, but there are 3, numbered from 0 on"),
    (
        lambda: akin.evaluate([("a", "b")], [("c", "d")]), akin.InputError,
        "no id in common: ids of the pairs are like 'a', those of the gold pairs like 'c'"
    ),
    (lambda: akin.run("missing.json"), FileNotFoundError, "missing.json"),
    (
        lambda: akin.choices("comparator"), akin.OptionError,
        r"unknown table of choices 'comparator' \(did you mean 'comparators'\?\)"
    ),
    (lambda: akin.choices("copie"), akin.OptionError, r"unknown table of choices 'copie' \(did you mean 'copies'\?\)"),
    (
        lambda: akin.choices("sharing"), akin.OptionError,
        r"unknown table of choices 'sharing' \(did you mean 'sharings'\?\)"
    ),
    (lambda: akin.generate.sets(-1), akin.OptionError, "rows is -1; expected a whole number from 0"),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_bad_call_says_what_is_wrong(number):
    call, kind, message = CALLS[number]
    with pytest.raises(kind) as told:
        call()
    assert re.search(message, str(told.value)), str(told.value)

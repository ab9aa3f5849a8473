"""Duplicates and links against all pairs, compared one by one."""

import inspect
import random
import re
import warnings

import pytest

import akin
from akin import strings

FIRST = "Anna Ana Bert Berta Clara Klara Dora Emil Émile Fritz".split()
LAST = "Schmidt Schmitt Schmid Meyer Maier Mayer Huber Hubert".split()
CITIES = ["Ulm", "ULM", "Bonn", "Köln", "Koeln", None, ""]


def draw_people(seed, rows):
    draw = random.Random(seed)
    return {
        "id": [str(i) for i in range(rows)],
        "first": [draw.choice([*FIRST, None]) for _ in range(rows)],
        "last": [draw.choice(LAST) for _ in range(rows)],
        "city": [draw.choice(CITIES) for _ in range(rows)],
        "year": [draw.choice(["1980", "1981", "1971", "", "unknown"]) for _ in range(rows)],
    }


COMPARE = [
    ("first", "jaro-winkler", 0.5, 1), ("last", "levenshtein", 0, 2), ("city", "exact", 0, 0.5),
    ("year", "number/10", 0, 1)
]


def similarity_of(a, b, i, k, missing, evidence=0.5):
    total = weights = 0
    each = []
    for column, scorer, threshold, weight in COMPARE:
        x, y = a[column][i] or None, b[column][k] or None
        if column == "year":
            x, y = (None if value == "unknown" else value for value in (x, y))
        if x is None or y is None:
            if missing == "skip":
                each.append(None)
                continue
            value = float(missing == "equal" and x is None and y is None)
        else:
            value = strings.similarity(x, y, scorer)
            value = value if value >= threshold else 0.0
        each.append(value)
        total, weights = total + weight * value, weights + weight
    counts = weights >= evidence * sum(weight for *_, weight in COMPARE)
    return (total / weights if weights and (counts or missing != "skip") else 0.0), each


def test_categories_are_compared_as_text():
    """Columns with codes, whose dictionaries differ from chunk to chunk, beside lists of text."""
    pa = pytest.importorskip("pyarrow")
    people, others = draw_people(3, 90), draw_people(4, 60)
    how = {"compare": COMPARE, "block": ["city", "last"], "threshold": 0.5}
    expected, linked = akin.dedupe(people, **how), akin.link(people, others, **how)
    assert len(expected) > 10 and len(linked) > 10

    def of_pyarrow(data):
        table = pa.table(data)
        parts = [table.slice(0, 40), table.slice(40)]
        coded = [pa.table({name: part[name].combine_chunks().dictionary_encode() for name in data}) for part in parts]
        return pa.concat_tables(coded)

    def of_pandas(data):
        return pytest.importorskip("pandas").DataFrame(data, dtype="category")

    def of_polars(data):
        pl = pytest.importorskip("polars")
        return pl.DataFrame(data).cast(pl.Categorical)

    def of_enum(data):
        pl = pytest.importorskip("polars")
        enums = {name: pl.Enum(sorted({*values} - {None})) for name, values in data.items()}
        return pl.DataFrame(data).cast(enums)

    for make in (of_pyarrow, of_pandas, of_polars, of_enum):
        assert list(akin.dedupe(make(people), **how)) == list(expected)
        assert list(akin.link(make(people), make(others), **how)) == list(linked)
        assert list(akin.link(make(people), others, **how)) == list(linked)


@pytest.mark.parametrize("missing,evidence", [("zero", 1), *(("skip", each) for each in (0, 0.5, 0.8)), ("equal", 0.5)])
@pytest.mark.parametrize("two", [False, True])
def test_all_pairs(missing, evidence, two):
    a, b = draw_people(1, 70), draw_people(2, 50)
    how = {"all_pairs": True, "threshold": 0.8, "missing": missing, "evidence": evidence, "threads": 2}
    if two:
        found = akin.link(a, b, COMPARE, **how)
    else:
        b = a
        found = akin.dedupe(a, COMPARE, **how)
    expected = []
    for i in range(70):
        for k in range(0 if two else i + 1, len(b["id"])):
            value, each = similarity_of(a, b, i, k, missing, evidence)
            if value >= 0.8 - 5e-10:
                expected.append((i, k, value, *each))
    assert found.columns == ("left", "right", "similarity", "first", "last", "city", "year")
    assert [row[:2] for row in found] == [row[:2] for row in expected] and expected
    assert [row[2] for row in found] == pytest.approx([row[2] for row in expected], abs=1e-12)
    assert [row[3:] for row in found] == [row[3:] for row in expected]


def shares_word(people, i, k):
    words = [set(re.findall(r"\w+", people["last"][row] or "")) for row in (i, k)]
    return bool(words[0] & words[1])


def test_selections():
    people = draw_people(3, 120)
    every = list(akin.dedupe(people, COMPARE, all_pairs=True, threshold=0.7))

    def among(select):
        return [row for row in every if select(row[0], row[1])]

    def same(*columns):
        return lambda i, k: all(people[c][i] == people[c][k] and people[c][i] for c in columns)

    def found(**selected):
        return list(akin.dedupe(people, COMPARE, **selected, threshold=0.7))

    assert found(block="last") == found(block=akin.block("last")) == among(same("last"))
    assert found(block="last+city") == found(block=akin.block("last", "city")) == among(same("last", "city"))
    both = among(lambda i, k: same("last")(i, k) or same("first", "year")(i, k))
    assert found(block=["last", "first:value+year"]) == found(
        block=(akin.block("last"), akin.block("first", "year"))
    ) == both
    assert found(nearest="1:last") == found(nearest=akin.nearest("last", 1)) == found(
        nearest={"count": 1, "column": "last", "tokens": "qgrams:3"}
    )
    assert set(found(nearest="1:last")) < set(found(nearest=2)) == set(found(nearest=akin.nearest(None, 2)))
    assert found(nearest="1000:last:words") == [row for row in every if shares_word(people, row[0], row[1])]
    assert found(similar="last:jaccard:1") == found(similar=akin.similar("last", jaccard=1)) == among(same("last"))
    assert found(window="121:last") == found(window=akin.window("last", 121)) == found(
        all_pairs=akin.all_pairs()
    ) == every
    assert set(found(window=20)) == set(found(window="20")) < set(every)
    assert found(block=[], window=121) == every
    sounds = among(lambda i, k: strings.similarity(people["last"][i], people["last"][k], "soundex") == 1)
    assert found(block="last:soundex") == sounds


@pytest.mark.parametrize("key", akin.choices("keys"))
def test_each_key(key):
    people = draw_people(3, 60)
    if key.name == "digits":
        people["last"] = [f"{1 + row % 9}{name}" for row, name in enumerate(people["last"])]
    if key.name in ("round", "week", "month", "year"):  # values that have such a key
        people["last"] = [f"{2000 + row % 2}010{1 + row % 3}" for row in range(60)]
    word = key.name + key.arguments.replace("N", "3").replace("X", "2.5")
    every = list(akin.dedupe(people, COMPARE, all_pairs=True, threshold=0.7))
    blocks = list(akin.dedupe(people, COMPARE, block=f"last:{word}", threshold=0.7))
    assert set(blocks) <= set(every) and blocks
    assert list(akin.dedupe(people, COMPARE, block=akin.block("last", key=word), threshold=0.7)) == blocks
    window = {"size": 61, "column": "last", "key": word}
    assert list(akin.dedupe(people, COMPARE, window=window, threshold=0.7)) == every


def test_folds_and_combined_columns():
    table = {"a": ["Köln", "KOLN", "x"], "b": ["1", "1", None], 'odd:"name': ["p", "p", "q"]}
    assert len(akin.dedupe(table, "a:exact", all_pairs=True)) == 0
    for fold in ("a", "all", {"a": "case+accents"}, ["a:case+accents"]):
        assert list(akin.dedupe(table, "a:exact", all_pairs=True, fold=fold)) == [(0, 1, 1.0, 1.0)]
    assert len(akin.dedupe(table, "a:exact", all_pairs=True, fold={"all": "all", "a": "none"})) == 0
    whole = akin.dedupe(table, [("ab", "exact")], block="ab", combine={"ab": ["a", "b"]}, fold="all")
    assert list(whole) == [(0, 1, 1.0, 1.0)]
    assert list(akin.dedupe(table, '"odd:""name":exact', block='"odd:""name"')) == [(0, 1, 1.0, 1.0)]


def test_synonyms(tmp_path):
    names = ["Bill, Gray", "William, Gray", "Will Gray", "Alex"]
    table = {"name": names, "land": ["UK", "United-Kingdom", "u.k.", "#1"]}
    path = tmp_path / "names.txt"
    path.write_text("william,bill\nwilliam,will\n")
    groups = [["william", "bill"], ("william", "will")]
    for said in (path, str(path), [str(path)], [path], groups, {"name": path}, {"name": groups}, {"all": groups}, [
        {"column": "name", "file": str(path)}
    ], [f"name:{path}"]):
        assert list(akin.dedupe(table, "name:exact", all_pairs=True, synonyms=said)) == [(0, 1, 1.0, 1.0)], said
        assert len(akin.dedupe(table, "name:jaccard", block="name", fold="all", threshold=1, synonyms=said)) == 3
    odd = {"land": [["united kingdom", "u.k.", "uk"], ['a "quoted", word', "#1"]]}
    found = akin.dedupe(table, "land:exact", all_pairs=True, fold="all", synonyms=odd)
    assert list(found) == [(0, 1, 1.0, 1.0), (0, 2, 1.0, 1.0), (1, 2, 1.0, 1.0)]
    assert found.job["synonyms"] == [
        {"column": "land", "groups": ["united kingdom,u.k.,uk", '"a ""quoted"", word","#1"']}
    ]
    assert akin.run(found.job, table) == found
    linked = akin.link(
        {"name": ["bill"]}, {"who": ["william"]}, "name:exact", left_on="name", right_on="who", all_pairs=True,
        synonyms={"name": groups}
    )
    assert len(linked) == 1
    assert len(akin.dedupe(table, "name:exact", all_pairs=True, synonyms=[])) == 0
    with pytest.warns(akin.ResultWarning, match="'b' is in several lines of the synonyms"):
        akin.dedupe(table, "name:exact", all_pairs=True, synonyms=[["a", "b"], ["c", "b"]])
    for said, error, message in (
        (tmp_path / "nowhere", FileNotFoundError, "cannot be opened"),
        ({"nobody": path}, akin.OptionError, "'nobody' is no column"),
        ([["a", "&"]], akin.InputError, "'&' has no letters"),
        ({"name": ["bill"]}, TypeError, "expected a list of words"),
        (5, TypeError, "expected a path, a list of groups"),
        ([[1]], TypeError, "a word of synonyms"),
    ):
        with pytest.raises(error, match=message):
            akin.dedupe(table, "name:exact", all_pairs=True, synonyms=said)


def test_one_to_one_and_tables():
    pa = pytest.importorskip("pyarrow")
    people, others = draw_people(4, 60), draw_people(5, 60)
    found = akin.link(people, others, COMPARE, all_pairs=True, threshold=0.7, one_to_one=True)
    assert len(set(found["left"])) == len(set(found["right"])) == len(found) > 10
    assert akin.link(
        pa.table(people), pa.table(others), COMPARE, all_pairs=True, threshold=0.7, one_to_one=True
    ) == found


CLUSTERINGS = [None, "components", "average:0.4", "center", "merge-center", "correlation:0.4"]


@pytest.mark.parametrize("cluster", CLUSTERINGS)
def test_one_per_source(cluster):
    people = draw_people(6, 80) | {"shop": [None if row % 17 == 3 else "abcde"[row % 5] for row in range(80)]}
    shops = people["shop"]
    how = {"all_pairs": True, "threshold": 0.6}
    every = akin.dedupe(people, COMPARE, **how)
    found = akin.dedupe(people, COMPARE, one_per_source="shop", cluster=cluster, **how)
    apart = [pair for pair in every if shops[pair[0]] is None or shops[pair[0]] != shops[pair[1]]]
    assert list(found) == apart and len(apart) < len(every)
    kept = list(zip(found.clusters["cluster"], shops, strict=True))
    kept = [pair for pair in kept if pair[1] is not None]
    assert len(set(kept)) == len(kept)
    assert max(found.clusters["size"]) > 1
    assert found.job["one-per-source"] == "shop"
    again = akin.run(found.job, table=people)
    assert again == found and list(again.clusters["cluster"]) == list(found.clusters["cluster"])


def test_sources_of_two_tables():
    left, right = {"name": ["ann", "ann"], "shop": ["x", "y"]}, {"name": ["ann", "ann"], "seller": ["x", "z"]}
    how = {"all_pairs": True, "threshold": 0.9}
    expected = [(0, 1), (1, 0), (1, 1)]
    for source, more in (
        (akin.sides("shop", "seller"), {}), ("shop", {"left_on": "shop", "right_on": "seller"}),
        (akin.sides("shop", "seller"), {"one_to_one": True})
    ):
        found = akin.link(left, right, "name:exact", one_per_source=source, **how, **more)
        assert [pair[:2] for pair in found] == (expected if "one_to_one" not in more else [(0, 1), (1, 0)])
        assert found.job["one-per-source"] == {"column": "shop", "right": "seller"}
    assert akin.run(found.job, table=left, right=right) == found


@pytest.mark.parametrize(
    "arguments,message",
    [
        (dict(compare="last"), "COLUMN:COMPARATOR"),
        (dict(compare="last:magic"), "levenshtein"),
        (dict(compare="last:exact:often"), "expected a number"),
        (dict(compare="last:exact:2"), "threshold"),
        (dict(compare="surname:exact"), "there is no column 'surname'"),
        (dict(compare=["last:exact", "last:exact"]), "already"),
        (dict(compare=[]), "nothing is compared|compare"),
        (dict(window="1:last"), "window"),
        (dict(block="last:colour"), "expected value, simple"),
        (dict(similar="last:jaccard:2"), "above 0, to 1"),
        (dict(similar="last:jaccard"), "expected COLUMN:MEASURE"),
        (dict(fold="last:colour"), "expected case"),
        (dict(combine={"last": ["first"]}, compare=["last:exact", "first:exact"], block="last"), None),
        (dict(missing="maybe"), "zero, skip or equal"),
        (dict(one_per_source="shop"), "there is no column 'shop'"),
        (dict(one_per_source=""), "a column is ''"),
        (dict(threshold=2), "threshold"),
        (dict(max_block=1), "from 2 to"),
        (dict(compare='"last:exact'), "quote"),
    ],
)
def test_refusals(arguments, message):
    asked = {"compare": "last:exact", "all_pairs": True, **arguments}
    if message is None:  # a column of that name need not be there
        akin.dedupe(draw_people(1, 5), **asked)
        return
    with pytest.raises(akin.OptionError, match=message):
        akin.dedupe(draw_people(1, 5), **asked)


def test_one_rule_may_be_a_tuple():
    table = {"name": ["anna", "anne", "bert"]}
    one = akin.dedupe(table, ("name", "levenshtein", 0.5, 2), all_pairs=True, threshold=0.5)
    assert one == akin.dedupe(table, [("name", "levenshtein", 0.5, 2)], all_pairs=True, threshold=0.5)
    assert list(zip(one["left"], one["right"])) == [(0, 1)]
    for column in ("name", "a:b"):  # without a threshold, too; two words of rules are two rules
        table = {column: ["anna", "anne", "bert"]}
        one, two = (akin.dedupe(table, rules, all_pairs=True) for rules in ((column, "jaro"), [(column, "jaro")]))
        assert one == two and len(one) == 1
    both = akin.dedupe({"a": ["x"], "b": ["y"]}, ("a:jaro", "b:jaro"), all_pairs=True)
    assert both.columns[-2:] == ("a", "b")


def test_selections_are_those_of_the_command():
    """One function and one argument for each row of the table, which makes the word that the command takes. Given pairs
    are no rule, but data."""
    made = [
        akin.all_pairs(), akin.window("a:b", 3, key="soundex"), akin.block("x", ("y", "simple")),
        akin.similar("x", dice=0.5, tokens="words:2"), akin.nearest("a:b", 3, tokens="words")
    ]
    assert [*(rule.option for rule in made), "given"] == [row.name for row in akin.choices("selections")]
    words = ["all-pairs", '3:"a:b":soundex', "x+y:simple", "x:dice:0.5:words:2", '3:"a:b":words']
    assert [str(rule) for rule in made] == words
    for rule in made:
        name = rule.option.replace("-", "_")
        assert name in inspect.signature(akin.dedupe).parameters and name in inspect.signature(akin.link).parameters
        assert getattr(akin, name).__name__ == name
    measures = {row.name for row in akin.choices("measures") if "dedupe" in row.capabilities}
    assert measures == set(inspect.signature(akin.similar).parameters) - {"column", "tokens"}
    assert str(akin.window(None, 7)) == "7" and repr(made[1]) == '<akin.Selection --window 3:"a:b":soundex>'
    assert made[0] == akin.all_pairs() and len({*made, akin.all_pairs()}) == 5 and made[0] != "all-pairs"


def test_names_have_dashes_or_underscores():
    """In words, tuples and objects alike; results and jobs have dashes."""
    table = {"a_b": ["Anna", "Ana"]}
    for rule in (
        "a_b:jaro_winkler", "a_b:jaro-winkler", ("a_b", "jaro_winkler"), {"column": "a_b", "comparator": "jaro_winkler"}
    ):
        found = akin.dedupe(table, [rule, "a_b:exact"], all_pairs=True, threshold=0.4)
        assert found.columns[3:] == ("a_b:jaro-winkler", "a_b:exact")
        assert found.job["compare"][0] == {"column": "a_b", "comparator": "jaro-winkler"}


def test_columns_that_are_called_as_those_of_results():
    table = {"id": ["1", "2"], "left": ["x", "x"], "similarity": ["y", "y"], "left_id": ["z", "z"]}
    found = akin.dedupe(
        table, ["left:exact", "similarity:exact", "left_id:exact"], all_pairs=True, threshold=1, id="id"
    )
    assert found.columns == (
        "left", "right", "left_id", "right_id", "similarity", "left:exact", "similarity:exact", "left_id:exact"
    )
    with pytest.raises(akin.OptionError, match="two columns of that name"):
        akin.dedupe({"a": ["x"], "a:jaro": ["x"]}, ["a:jaro", "a:exact", '"a:jaro":exact'], all_pairs=True)


def test_a_window_that_is_too_small_warns():
    """With the figure, which counts pairs of equal keys in one table and in two; as the command does."""
    table = {"x": ["same"] * 50 + [None] * 50 + ["other", "another"]}
    table["y"] = ["alike"] * len(table["x"])
    with pytest.warns(UserWarning, match="^window 3:x: selects only 97 of the 1,225 pairs of records with equal keys"):
        found = akin.dedupe(table, ["x:exact", "y:exact"], window="3:x", threshold=1)
    assert len(found) == 97 and (
        found.stats["selected"][0]["key_pairs"], found.stats["selected"][0]["key_pairs_selected"]
    ) == (1225, 97)
    with pytest.warns(UserWarning, match="selects only 1 of the 900 pairs"):
        akin.link({"x": ["same"] * 30}, {"x": ["same"] * 30}, "x:exact", window=akin.window("x", 2), threshold=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", akin.ResultWarning)
        akin.dedupe({"x": ["same"] * 5}, "x:exact", window="5:x", threshold=1)
        # The key is all that is compared: the window makes a chain of the equal records, and one cluster.
        chained = akin.dedupe({"x": ["same"] * 50}, "x:exact", window="2:x", threshold=1)
    assert len(chained) == 49 and chained.clusters["size"][0] == 50


def test_chains_and_values_that_do_not_parse_warn():
    """As the command does, once each, at the caller's line; the figures are in the stats."""
    with pytest.warns(
        akin.ResultWarning,
        match="^chains of pairs made large clusters: 29 pairs were found, and the clusters hold 435 pairs"
    ) as told:
        found = akin.dedupe({"n": [str(n) for n in range(30)]}, "n:number/2", all_pairs=True, threshold=0.5)
    assert len(told) == 1 and told[0].filename == __file__
    assert found.stats["clusters"] == {
        "count": 1, "rows": 30, "pairs": 435, "largest": 30
    } and found.stats["parsed"] == [] and found.stats["memory_peak"] > 0
    assert found.stats["warnings"] == [str(told[0].message)]
    shop, supplier = {"price": ["n/a", "", None, "n/a"]}, {"price": ["1", "2.5", "call"]}
    with pytest.warns(
        akin.ResultWarning,
        match="^number finds no number in 2 of 2 values of column 'price' of the left table; the first is 'n/a';"
    ) as told:
        found = akin.link(shop, supplier, "price:number/10", all_pairs=True, report=True)
    assert len(told) == 2 and "Warning:</strong> number finds no number" in found.report.html
    assert "in 1 of 3 values of column 'price' of the right table" in str(told[1].message)
    left, right = found.stats["parsed"]
    read = {"values": 2, "unparsed": 2, "row": 0, "first": "n/a", "texts": 0, "brief": 0}
    assert left == {"column": "price", "comparator": "number/10", "table": "left"} | read
    assert (right["table"], right["values"], right["unparsed"], right["row"], right["first"]) == (
        "right", 3, 1, 2, "call"
    )
    with pytest.warns(akin.ResultWarning, match="selects no pair: 1 block of more than 2 records"):
        akin.dedupe({"x": ["a"] * 3}, "x:exact", block="x", max_block=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error", akin.ResultWarning)
        akin.dedupe({"n": ["7", "7", "8"]}, "n:number", all_pairs=True)


def test_compared_columns_that_do_not_parse_warn():
    with pytest.warns(
        akin.ResultWarning,
        match="^date finds no date in 2 of 2 values of the right column 'text'; the first is '1.2.2020'; a date is "
              "written as YYYY-MM-DD"
    ) as told:
        compared = akin.strings.compare(["2020-02-01", "2020-02-02"], ["1.2.2020", "2.2.2020"], "date")
    assert compared.stats == {"warnings": [str(told[0].message)]} and compared["similarity"] == [None, None]


def test_what_values_say():
    """Numbers by percent, codes, dates of which the right one is later, and initials."""
    left = {
        "name": ["Sony DSC-W120/B", "Sony case", "Canon 450D"], "price": ["100", "20", "-1"],
        "sent": ["2024-03-01", "2024-03-05", None], "author": ["J. R. Smith", "Ann Smith", "JR Smith"]
    }
    right = {
        "name": ["dscw120b", "case", "EOS 450d (450-D)"], "price": ["90", "25", "1"],
        "sent": ["2024-03-11", "2024-03-04", "2024-03-02"], "author": ["John Ronald Smith", "A Smith", "Smith"]
    }

    def found(rule):
        pairs = akin.link(left, right, rule, all_pairs=True, threshold=0.01)
        return {(i, k): round(value, 6) for i, k, value, _ in pairs}

    assert found(akin.compare.percent("price")) == {(0, 0): 0.5}
    assert found("price:percent/25") == {(0, 0): 0.6, (1, 1): 0.2}
    assert found(akin.compare.codes("name")) == {(0, 0): 1.0, (2, 2): 1.0}
    assert found(akin.compare.after("sent", days=20)) == {(0, 0): 0.5, (0, 1): 0.85, (0, 2): 0.95, (1, 0): 0.7}
    initials = found(akin.compare.initials("author", threshold=0.9))
    assert initials == {(0, 0): round(5.6 / 6, 6), (1, 1): 0.95, (2, 0): 0.94}
    # A value without a code is missing, and a pair needs half of the weights.
    rules, how = ["name:codes:0:2", "price:percent/25"], {"all_pairs": True, "threshold": 0.2, "missing": "skip"}
    assert [row[:2] for row in akin.link(left, right, rules, **how)] == [(0, 0), (2, 2)]
    assert [row[:2] for row in akin.link(left, right, rules, **how, evidence="1/3")] == [(0, 0), (1, 1), (2, 2)]
    about = "a pair has the average 0 if less than 0.75 of all weights remain"
    for missing in ("skip", "zero"):
        how["missing"] = missing
        page = akin.link(left, right, rules, **how, evidence=0.75, report=True).report.html
        assert (about in page) == (missing == "skip")
    with pytest.raises(akin.OptionError, match="after compares a value of a left table .* such as date"):
        akin.dedupe(left, "sent:after", all_pairs=True)
    with pytest.warns(akin.ResultWarning, match="^codes finds no code in 3 of 3 values of column 'author'"):
        akin.dedupe(left, "author:codes", all_pairs=True)
    assert akin.strings.similarity("2024-03-02", "2024-03-01", "after/2") == 0
    assert list(akin.join(left["name"], tokens="codes", jaccard=0.1)) == []
    assert [row[:2] for row in akin.join(left["name"], right["name"], tokens="codes", jaccard=0.5)] == [(0, 0), (2, 2)]


def test_values_that_are_too_short_for_a_comparator_warn():
    """By column, as the command says it. Two strings alone are no reason to warn."""
    states = ["NY", "OHIO", "CA", None, ""]
    sentence = "2 of 3 texts have fewer than 3 characters, .* use shorter q-grams$"
    with pytest.warns(akin.ResultWarning, match=f"^column 'state': {sentence}") as told:
        found = akin.dedupe({"state": states}, "state:jaccard/3", all_pairs=True, threshold=0.9, report=True)
    assert len(told) == 1 and told[0].filename == __file__ and found.stats["warnings"] == [str(told[0].message)]
    assert "Warning:</strong> column" in found.report.html
    (state,) = found.stats["parsed"]
    assert (state["column"], state["comparator"], state["texts"], state["brief"], state["unparsed"]) == (
        "state", "jaccard/3", 3, 2, 0
    )
    with pytest.warns(akin.ResultWarning, match=f"^column 'state' of the right table: {sentence}") as told:
        akin.link({"state": ["Ohio"]}, {"state": states}, "state:tfidf/3", all_pairs=True, threshold=0.9)
    assert len(told) == 1
    with pytest.warns(akin.ResultWarning, match=f"^the left column 'text': {sentence}") as told:
        compared = akin.strings.compare(states, ["Ohio"] * 5, "dice/3")
    assert compared.stats == {"warnings": [str(told[0].message)]}
    with warnings.catch_warnings():
        warnings.simplefilter("error", akin.ResultWarning)
        akin.dedupe({"state": states}, ["state:jaccard/2", "state:cosine"], all_pairs=True, threshold=0.9)
        akin.strings.similarity("NY", "CA", "jaccard/3")


@pytest.mark.parametrize(
    "rule,error,message",
    [
        (lambda: akin.window("x", 1), akin.OptionError, "size is 1; expected a whole number from 2 to 1000000"),
        (lambda: akin.window("", 2), akin.OptionError, "expected its name"),
        (lambda: akin.window(None, 2, key="value"), akin.OptionError, "without a column"),
        (lambda: akin.window(5, 2), TypeError, "a column is 5; expected a str"),
        (lambda: akin.block(), akin.OptionError, "has no column"),
        (lambda: akin.block(("x", "value", "y")), TypeError, "a name and a key"),
        (lambda: akin.similar("x"), akin.OptionError, "0 measures; expected one of jaccard=T, cosine=T, dice=T"),
        (lambda: akin.similar("x", jaccard=1, dice=1), akin.OptionError, "2 measures"),
        (lambda: akin.dedupe({"x": []}, "x:exact", block=akin.window("x", 2)), TypeError, "expected it as window="),
        (
            lambda: akin.dedupe({"x": []}, "x:exact", window=[2.5]), TypeError,
            "window is 2.5; expected a str, akin.window"
        ),
        (
            lambda: akin.dedupe({"x": []}, "x:exact", all_pairs="yes"), TypeError,
            r"expected True, False or akin.all_pairs\(\)"
        ),
        (
            lambda: akin.dedupe({"x": []}, "x:exact", pairs="all"), TypeError,
            "all_pairs=, window=, block=, similar= and nearest="
        ),
    ],
)
def test_rules_that_cannot_be(rule, error, message):
    with pytest.raises(error, match=message):
        rule()


def test_there_is_a_function_for_each_comparator():
    """With the options that the comparator takes; what it makes is the word that the command takes."""
    options = {"": {}, "[/N]": {"q": 3}, "[/SCALE]": {"scale": 3}, "[/P]": {"percent": 3}, "[/DAYS]": {"days": 3}}
    values = {"number": "5", "percent": "5", "date": "1999-01-01", "after": "1999-01-01", "codes": "A1"}
    rows = [row for row in akin.choices("comparators") if "dedupe" in row.capabilities]
    names = {row.name.replace("-", "_"): row for row in rows}
    assert set(akin.compare.__all__) == {"Comparison", *names}
    for name, row in names.items():
        function = getattr(akin.compare, name)
        taken = set(inspect.signature(function).parameters) - {"column", "threshold", "weight"}
        assert taken == set(options[row.arguments]), name
        rule = function('a:"b', threshold=0.25, weight=2, **options[row.arguments])
        assert str(rule) == '"a:""b":' + row.name + ("/3" if taken else "") + ":0.25:2"
        table = {'a:"b': [values.get(name, "Anna")]}
        assert len(akin.link(table, table, function('a:"b'), all_pairs=True, threshold=1)) == 1
    made = akin.compare.exact("x", weight=0.5)
    assert str(made) == "x:exact:0:0.5" and made == akin.compare.exact("x", weight="0.5") and len(
        {made, akin.compare.exact("x")}
    ) == 2
    assert repr(made) == "<akin.compare.Comparison x:exact:0:0.5>"
    with pytest.raises(akin.OptionError, match="q is 0"):
        akin.compare.jaccard("x", q=0)
    with pytest.raises(TypeError, match="threshold"):
        akin.compare.exact("x", threshold=None)


LEFT = {
    "id": ["a1", "a2", "a3"], "name": ["Anna Maier", "Bert", "Cleo"], "city": ["Ulm", "Bonn", None],
    "a=b": ["1", "2", "3"]
}
RIGHT = {
    "key": ["b1", "b2"], "full name": ["Anna Meier", "bert"], "city": ["Ulm", "Bonn"], "a=b": ["1", "2"],
    "alias": ["Anna Maier", "x"]
}


def test_columns_that_two_tables_call_differently(tmp_path):
    """In rules as words, objects and akin.sides; as if the right table called them as the left one does."""
    name = akin.sides("name", "full name")
    expected = akin.link(
        LEFT, RIGHT | {"name": RIGHT["full name"]}, ["name:jaro-winkler", "city:exact"], block="city",
        similar="name:jaccard:0.3", fold="name",
        window="2:name", threshold=0.6, missing="skip",
    )
    assert len(expected) == 2
    for form in (
        dict(
            compare=["name=full name:jaro-winkler", "city:exact"], similar="name=full name:jaccard:0.3",
            window="2:name=full name", fold="name=full name"
        ),
        dict(
            compare=[akin.compare.jaro_winkler(name), "city:exact"], similar=akin.similar(name, jaccard=0.3),
            window=akin.window(name, 2), fold={name: "all"}
        ),
        dict(
            compare=[(name, "jaro-winkler"), {"column": "city", "comparator": "exact"}],
            similar={"column": "name", "right": "full name", "measure": "jaccard", "threshold": 0.3},
            window={"size": 2, "column": "name", "right": "full name"},
            fold=[str(name)],
        ),
        dict(
            compare=[("name", "jaro-winkler"), "city:exact"], similar=akin.similar("name", jaccard=0.3),
            window="2:name", fold={"name": "all"},
            left_on=["name"], right_on=["full name"],
        ),
    ):
        found = akin.link(LEFT, RIGHT, **form, block="city", threshold=0.6, missing="skip")
        assert [row[:4] for row in found] == [row[:4] for row in expected] and "name=full name" in found.columns
        assert akin.run(found.job, LEFT, RIGHT) == found
    # one column, two partners
    both = akin.link(LEFT, RIGHT, ["name=full name:exact", "name=alias:exact"], all_pairs=True, threshold=0.5)
    assert [row[:2] for row in both] == [(0, 0)]
    made = akin.link(
        LEFT, RIGHT, "both:exact", combine={"both": [name, "city"]}, block=akin.block(name, key="soundex"), fold="all",
        threshold=1
    )
    assert [row[:2] for row in made] == [(1, 1)]
    placed = {"left_on": ["name", "city"], "right_on": ["full name", "city"]}  # the others stay as they are
    assert akin.link(
        LEFT, RIGHT, "both:exact", combine=["both=name+city"], block="name:soundex", fold="all", threshold=1, **placed
    ) == made
    part = akin.link(
        LEFT, RIGHT, ["name:exact", "name=alias:exact", "city:exact"], all_pairs=True, threshold="0.6", **placed
    )
    assert part.job["compare"] == [
        *({"column": "name", "right": right, "comparator": "exact"} for right in ("full name", "alias")),
        {"column": "city", "comparator": "exact"},
    ]
    assert akin.run(
        part.job | {"compare": ["name:exact"]}, LEFT, RIGHT, left_on="name", right_on="alias"
    )["right"].tolist() == [0]
    named = akin.link(
        LEFT, RIGHT, "city:exact", block="city", threshold=1, left_id="id", right_id="key", gold=[("a1", "b1")],
        report=True
    )
    assert named["left_id"].tolist() == ["a1", "a2"] and named["right_id"].tolist() == ["b1", "b2"]
    assert named.job["id"] == {
        "column": "id", "right": "key"
    } and named.evaluation.recall == 1 and "b1" in named.report.html
    assert akin.run(named.job | {"output": str(tmp_path / "clusters.csv")}, LEFT, RIGHT) == named
    assert "right,b1,0,2,left,a1" in (tmp_path / "clusters.csv").read_text()
    for side, other, id, names in (("left", "right", "id", ["a1", "a2"]), ("right", "left", "key", ["b1", "b2"])):
        asked = {f"{side}_id": id}  # rows of the other table are called by their numbers
        gold = [("a1", "0")] if side == "left" else [("0", "b1")]
        alone = akin.link(LEFT, RIGHT, "city:exact", block="city", threshold=1, gold=gold, report=True, **asked)
        assert alone[f"{side}_id"].tolist() == names and alone[f"{other}_id"] == alone[other]
        assert alone.job["id"] == ({"column": "id", "right": ""} if side == "left" else {"column": "", "right": "key"})
        assert alone.evaluation.recall == 1 and names[0] in alone.report.html
        assert akin.run(alone.job | {"output": str(tmp_path / "alone.csv")}, LEFT, RIGHT) == alone
        rows = (tmp_path / "alone.csv").read_text().splitlines()
        assert f"{side},{names[0]},0,2," in "".join(rows) and any(row.startswith(f"{other},0,0,2,") for row in rows)
    assert len(akin.link(LEFT, RIGHT, akin.compare.exact("a=b"), block='"a=b"', threshold=1)) == 2  # a name in quotes


@pytest.mark.parametrize(
    "call,message",
    [
        (
            lambda: akin.link(LEFT, RIGHT, "name:exact", all_pairs=True),
            r"the left table has it: expected left_on='name' and right_on=NAME, or akin.sides\('name', NAME\)"
        ),
        (
            lambda: akin.link(LEFT, RIGHT, "alias:exact", all_pairs=True),
            r"the right table has it: expected left_on=NAME and right_on='alias', or akin.sides\(NAME, 'alias'\)"
        ),
        (
            lambda: akin.link(LEFT, RIGHT, "nothing:exact", all_pairs=True),
            "there is no column 'nothing'(?!.*table has it)"
        ),
        (
            lambda: akin.dedupe(LEFT, "name=city:exact", all_pairs=True),
            "name=city: LEFT=RIGHT names a column of two tables"
        ),
        (lambda: akin.link(LEFT, RIGHT, "name=:exact", all_pairs=True), "expected COLUMN:COMPARATOR"),
        (
            lambda: akin.link(LEFT, RIGHT, "city:exact", all_pairs=True, id="id", right_id="key"),
            "id='id' is for both tables"
        ),
        (
            lambda: akin.link(LEFT, RIGHT, "name:exact", all_pairs=True, left_on="name"),
            "left_on without right_on; the columns of the right table are: 'key', 'full name'"
        ),
        (
            lambda: akin.link(LEFT, RIGHT, "name:exact", all_pairs=True, right_on="full name"),
            "right_on without left_on; the columns of the left table are: 'id', 'name'"
        ),
        (
            lambda: akin.link(
                LEFT, RIGHT, "name:exact", all_pairs=True, left_on=["name", "city"], right_on=["full name"]
            ),
            "left_on and right_on have 2 and 1 names"
        ),
        (
            lambda: akin.link(
                LEFT, RIGHT, "name:exact", all_pairs=True, left_on=["name", "id"], right_on=["full name", "key"]
            ),
            "left_on names 'id', and no rule uses this column.*left_id"
        ),
        (
            lambda: akin.link(LEFT, RIGHT, "name:exact", all_pairs=True, left_on="nam", right_on="full name"),
            r"left_on names 'nam', and no rule uses this column: did you mean name\?"
        ),
        (
            lambda: akin.link(
                LEFT, RIGHT, "name:exact", all_pairs=True, left_on=["name"] * 2, right_on=["full name", "alias"]
            ),
            r"'name' twice; expected akin.sides\('name', RIGHT\)"
        ),
        (
            lambda: akin.link(LEFT, RIGHT, "name:exact", all_pairs=True, left_on="name", right_on=""),
            "expected its name"
        ),
        (lambda: akin.sides("name", ""), "expected its name"),
    ],
)
def test_columns_of_two_tables_that_cannot_be(call, message):
    with pytest.raises(akin.OptionError, match=message):
        call()


def test_reports_that_are_reproducible(tmp_path):
    """Two calls, a file of the command's name and the job that is saved make the same bytes, without times."""
    path = tmp_path / "people.csv"
    path.write_text("name\nAnna\nAna\nBert\n")
    how = {"compare": "name:jaro", "all_pairs": True, "threshold": 0.8, "reproducible": True}
    pages = [akin.dedupe(path, **how, report=True).report.html for _ in range(2)]
    made = akin.dedupe(path, **how, report=tmp_path / "page.html", threads=2)
    assert made.job["reproducible"] is True and made.job["report"] == str(tmp_path / "page.html")
    assert akin.run(made.job).report.html == made.report.html == pages[0] == pages[1]
    assert 'id="steps"' not in pages[0] and "of memory" not in pages[0]
    assert 'id="steps"' in akin.dedupe(path, **how | {"reproducible": False}, report=True).report.html
    with pytest.raises(akin.OptionError, match="reproducible is for the report"):
        akin.dedupe(path, **how)

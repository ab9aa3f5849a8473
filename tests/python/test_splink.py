"""Settings of Splink as rules: such as Splink writes, and what it writes where it is installed."""

import json
import random

import pytest

import akin


def level(sql, **more):
    return {"sql_condition": sql, **more}


def comparison(name, *levels):
    null = level(f'"{name}_l" IS NULL OR "{name}_r" IS NULL', is_null_level=True)
    return {"output_column_name": name, "comparison_levels": [null, *levels, level("ELSE")]}


def exact(name, **more):
    return level(f'"{name}_l" = "{name}_r"', **more)


def settings(*comparisons, rules=('l."city" = r."city"',), **more):
    return {
        "link_type": "dedupe_only", "comparisons": list(comparisons),
        "blocking_rules_to_generate_predictions": list(rules), **more
    }


@pytest.mark.parametrize(
    "levels,expected",
    [
        ([exact("x")], [("x", "exact", 0.0, 1.0)]),
        (
            [
                exact("x"), level('jaro_winkler_similarity("x_l", "x_r") >= 0.9'),
                level('jaro_winkler_similarity("x_l", "x_r") >= 0.7')
            ],
            [("x", "jaro-winkler", 0.7, 1.0)],
        ),
        ([exact("x"), level("jaro_similarity(x_l, x_r) >= 0.8")], [("x", "jaro", 0.8, 1.0)]),
        ([exact("x"), level('levenshtein("x_l", "x_r") <= 2')], [("x", "levenshtein", 0.0, 1.0)]),
        ([exact("x"), level('damerau_levenshtein("x_l","x_r") <= 1')], [("x", "osa", 0.0, 1.0)]),
        ([level('jaccard("x_l", "x_r") >= 0.5')], [("x", "jaccard/1", 0.5, 1.0)]),
        (
            [
                level(
                    "ABS(EPOCH(try_strptime(\"x_l\", '%Y-%m-%d')) - EPOCH(try_strptime(\"x_r\", '%Y-%m-%d'))) <= "
                    "2629800.0"
                )
            ],
            [("x", "date/31", 0.0, 1.0)]
        ),
        ([level('abs(date_diff(\'day\', "x_l", "x_r")) <= 30')], [("x", "date/30", 0.0, 1.0)]),
        (
            [exact("x"), level('levenshtein("x_l", "x_r") <= 1'), level('ABS(EPOCH("x_l") - EPOCH("x_r")) <= 864000')],
            [("x", "levenshtein", 0.0, 0.5), ("x", "date/10", 0.0, 0.5)],
        ),
    ],
)
def test_comparisons(levels, expected):
    assert akin.splink(settings(comparison("x", *levels)))["compare"] == expected


@pytest.mark.parametrize(
    "rule,expected",
    [
        ('l."city" = r."city"', "city"),
        ('(l."first name" = r."first name") AND (l.city = r.city)', "first name+city"),
        ("l.a=r.a and soundex(l.b) = soundex(r.b)", "a+b:soundex"),
        ({"blocking_rule": 'l."a:b" = r."a:b"', "sql_dialect": "duckdb"}, '"a:b"'),
    ],
)
def test_blocking_rules(rule, expected):
    assert akin.splink(settings(comparison("x", exact("x")), rules=[rule]))["block"] == [expected]


def test_columns_that_two_tables_call_differently():
    """As if the right table called them as the left one does."""
    both = [("first", "given"), ("last", "family"), ("born", "birth"), ("city", "town")]
    first, last, born, city = (akin.sides(*names) for names in both)
    date = "ABS(EPOCH(try_strptime(\"born_l\", '%Y-%m-%d')) - EPOCH(try_strptime(\"birth_r\", '%Y-%m-%d'))) <= 864000"
    apart = settings(
        comparison(
            "first", level('"first_l" = "given_r"'), level('jaro_winkler_similarity("first_l", "given_r") >= 0.7')
        ),
        comparison("last", level("levenshtein(last_l, family_r) <= 2")),
        comparison("born", level(date)),
        comparison("city", level('"city_l" = "town_r"')),
        rules=['l."last" = r."family" AND soundex(l.first) = soundex(r.given)', "l.city = r.town"],
        link_type="link_only",
    )
    rules = akin.splink(apart)
    assert rules["compare"] == [
        (first, "jaro-winkler", 0.7, 1.0), (last, "levenshtein", 0.0, 1.0), (born, "date/10", 0.0, 1.0),
        (city, "exact", 0.0, 1.0)
    ]  # fmt: skip
    assert rules["block"] == ["last=family+first=given:soundex", "city=town"]
    same = json.dumps(apart)
    for left, right in both:
        same = same.replace(f"{right}_r", f"{left}_r").replace(f"r.{right}", f"r.{left}").replace(
            f'r.\\"{right}', f'r.\\"{left}'
        )
    left, right = draw_people(60), draw_people(40)
    named = {dict(both).get(name, name): values for name, values in right.items()}
    found, expected = akin.link(left, named, **rules, threshold=0.5), akin.link(
        left, right, **akin.splink(same), threshold=0.5
    )
    assert len(expected) > 10 and [tuple(row) for row in found] == [tuple(row) for row in expected]


def test_what_is_usual():
    found = akin.splink(json.dumps(settings(comparison("x", exact("x")), rules=[], unique_id_column_name="key")))
    assert found == {
        "compare": [("x", "exact", 0.0, 1.0)], "all_pairs": True, "missing": "skip", "id": "key", "max_block": 2**32 - 1
    }


def test_weights_of_a_trained_model():
    found = akin.splink(
        settings(
            comparison("x", exact("x", m_probability=0.8, u_probability=0.1)),
            comparison("y", exact("y", m_probability=0.5, u_probability=0.25)),
        )
    )
    assert [rule[3] for rule in found["compare"]] == [3.0, 1.0]
    with pytest.raises(akin.OptionError, match="comparison 'x'.*log2"):
        akin.splink(settings(comparison("x", exact("x", m_probability=0.1, u_probability=0.2))))


@pytest.mark.parametrize(
    "given,message",
    [
        (settings(comparison("x", level("regexp_extract(\"x_l\", 'a') = \"x_r\""))), "comparison 'x'.*regexp_extract"),
        (settings(comparison("x", level('"x_l" = "y_r"'))), "two columns"),
        (settings(comparison("x", level('cosine("x_l", "x_r") >= 0.5'))), "by cosine"),
        (settings(comparison("x", exact("x"), exact("y"))), "another column"),
        (settings(comparison("x")), "no level"),
        (
            settings(
                comparison(
                    "x",
                    level(
                        "ABS(EPOCH(try_strptime(\"x_l\", '%d.%m.%Y')) - EPOCH(try_strptime(\"x_r\", '%d.%m.%Y'))) <= 9"
                    )
                )
            ),
            "dates as %d.%m.%Y"
        ),
        (
            settings(comparison("x", exact("x")), rules=["SUBSTRING(l.a, 1, 4) = SUBSTRING(r.a, 1, 4)"]),
            "SUBSTRING.*make a column of it"
        ),
        (
            settings(comparison("x", exact("x")), rules=["l.a = r.b"]),
            "blocking rule 'l.a = r.b': compares two columns of one table"
        ),
        (
            settings(comparison("x", exact("x")), rules=["l.a = soundex(r.a)"], link_type="link_only"),
            "is not l.COLUMN = r.COLUMN"
        ),
        (
            settings(
                comparison("x", level("ABS(EPOCH(strptime(x_l, '%Y-%m-%d')) - EPOCH(strptime(x_r, '%Y/%m/%d'))) <= 9"))
            ),
            "different formats"
        ),
        (
            settings(
                comparison("x", level("x_l = y_r"), level("jaro_similarity(x_l, z_r) >= 0.5")), link_type="link_only"
            ),
            "another column"
        ),
        (
            settings(comparison("x", exact("x")), rules=[{"blocking_rule": "l.a = r.a", "arrays_to_explode": ["a"]}]),
            "explodes"
        ),
        (settings(comparison("x", exact("x")), link_type="link_and_dedupe"), "link_and_dedupe"),
        (settings(), "no comparison"),
    ],
)
def test_refused(given, message):
    with pytest.raises(akin.OptionError, match=message):
        akin.splink(given)


def test_left_out():
    given = settings(comparison("x", exact("x")), comparison("y", level("f(y_l)")), rules=["l.a = r.b", "l.a = r.a"])
    with pytest.raises(akin.OptionError, match="2 in all"):
        akin.splink(given)
    with pytest.warns(UserWarning) as told:
        found = akin.splink(given, skip=True)
    assert len(told) == 2 and len(found["compare"]) == 1 and found["block"] == ["a"]
    with pytest.warns(UserWarning, match="rare values"):
        akin.splink(settings(comparison("x", exact("x", tf_adjustment_column="x"))))


def test_files_refused(tmp_path):
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(akin.InputError, match="bad.json"):
        akin.splink(tmp_path / "bad.json")
    with pytest.raises(FileNotFoundError):
        akin.splink("none.json")


def draw_people(rows):
    draw = random.Random(3)
    names = ["anna", "ana", "bert", "berta", "clara", "klara"]
    return {
        "unique_id": [str(i) for i in range(rows)],
        "first": [draw.choice([*names, None]) for _ in range(rows)],
        "last": [draw.choice(["maier", "meier", "huber"]) for _ in range(rows)],
        "born": [draw.choice(["1980-01-01", "1980-01-09", "1990-05-05"]) for _ in range(rows)],
        "city": [draw.choice(["Ulm", "Bonn", None]) for _ in range(rows)],
    }


def test_what_splink_writes(tmp_path):
    cl = pytest.importorskip("splink.comparison_library")
    splink = pytest.importorskip("splink")
    made = splink.SettingsCreator(
        link_type="dedupe_only",
        comparisons=[
            cl.JaroWinklerAtThresholds("first", [0.9, 0.7]),
            cl.LevenshteinAtThresholds("last", [1, 2]),
            cl.AbsoluteDateDifferenceAtThresholds("born", input_is_string=True, metrics=["day"], thresholds=[10]),
            cl.ExactMatch("city"),
        ],
        blocking_rules_to_generate_predictions=[splink.block_on("last", "born"), splink.block_on("city")],
    )
    (tmp_path / "model.json").write_text(json.dumps(made.create_settings_dict("duckdb")))
    rules = akin.splink(tmp_path / "model.json")
    assert rules == akin.splink(made)
    assert rules["compare"] == [
        ("first", "jaro-winkler", 0.7, 1.0),
        ("last", "levenshtein", 0.0, 1.0),
        ("born", "date/10", 0.0, 1.0),
        ("city", "exact", 0.0, 1.0),
    ]
    assert rules["block"] == ["last+born", "city"]
    people = draw_people(60)
    found = akin.dedupe(people, **rules, threshold=1e-9)
    met = {
        (i, k)
        for i in range(60)
        for k in range(i + 1, 60)
        if (people["last"][i], people["born"][i]) == (people["last"][k], people["born"][k])
        or (people["city"][i] and people["city"][i] == people["city"][k])
    }
    assert found.stats["pairs_selected"] == len(met)
    assert set(zip(found["left"], found["right"], strict=True)) <= met

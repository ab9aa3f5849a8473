"""What other packages have of akin: namespaces of data frames, a transformer, queries of DuckDB."""

import pickle
import random
import subprocess
import sys

import pytest

import akin

PEOPLE = {
    "name": ["Anna Schmidt", "Ana Schmidt", "Bert Meyer", None, "Bert Maier"],
    "city": ["Ulm", "ULM", "Bonn", "Bonn", "Bonn "],
}
RULES = ["name:jaro-winkler:0.8:2", "city:exact"]
OPTIONS = dict(block="city", fold="all", threshold=0.85)


def check_namespace(frame, convert):
    """All that a namespace has: the functions of the same names."""
    found = akin.dedupe(frame, RULES, **OPTIONS, gold=[(0, 1)], report=True)
    pairs = frame.akin.dedupe(RULES, **OPTIONS, gold=[(0, 1)], report=True)
    assert type(pairs) is akin.Duplicates and pairs == found and pairs["left"] == [0, 2]
    assert pairs.keep == found.keep and pairs.clusters == found.clusters and pairs.evaluation == found.evaluation
    assert pairs.stats["pairs_found"] == 2 and pairs.report is not None
    assert type(convert(pairs)) is type(convert(pairs.clusters)) is type(frame)
    kept = frame[pairs.keep] if hasattr(frame, "iloc") else frame.filter(pairs.keep)
    rest = frame.akin.unique(RULES, **OPTIONS)
    assert type(rest) is type(frame) and rest.equals(kept) and list(rest["city"]) == ["Ulm", "Bonn", "Bonn"]
    assert frame.akin.link(frame, RULES, **OPTIONS) == akin.link(frame, frame, RULES, **OPTIONS)
    joined = frame.akin.join(on="name", jaccard=0.3)
    assert type(joined) is akin.Pairs and joined == akin.join(frame, on="name", jaccard=0.3)
    assert frame.akin.join(frame, "name", jaccard=1)["left"] == [0, 1, 2, 4]
    assert frame.akin.near_duplicates("city", tokens="qgrams:2", jaccard=0.9)["left"] == [2]
    assert frame.akin.bm25("name").rank("anna", k=1)["document"] == [0]
    assert frame.akin.index("name").search("meyer", k=1)["object"] == [2]
    with pytest.raises(AttributeError, match=r"no attribute 'merge': to_pandas\(\) and to_polars\(\) make data frames"):
        joined.merge
    with pytest.raises(AttributeError, match=r"make data frames; the column is \['overlap'\]"):
        joined.overlap


def test_polars():
    polars = pytest.importorskip("polars")
    import akin.polars

    assert akin.polars.Akin.__doc__
    check_namespace(polars.DataFrame(PEOPLE), lambda found: found.to_polars())


def test_pandas():
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    import akin.pandas

    assert akin.pandas.Akin.__doc__
    frame = pandas.DataFrame(PEOPLE, index=["a", "b", "c", "d", "a"])
    check_namespace(frame, lambda found: found.to_pandas())


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    base = duckdb.connect()
    base.sql(
        "create table people as select * from (values (7, 'Anna Schmidt'), (8, 'Ana Schmid'), (9, 'Bert Maier')) t(id, "
        "name)"
    )
    people = base.sql("select * from people where id < 9 order by id")
    pairs = akin.dedupe(people, "name:jaro-winkler", all_pairs=True, threshold=0.8)
    assert base.sql('select "left", "right" from pairs').fetchall() == [(0, 1)]
    named = base.sql("""
        with rows as (select row_number() over () - 1 as row, * from people)
        select a.id, b.id from pairs join rows a on a.row = pairs."left" join rows b on b.row = pairs."right"
    """)
    assert named.fetchall() == [(7, 8)]
    base.sql("create table found as select * from pairs")
    assert base.sql("select count(*) from found").fetchall() == [(1,)]
    nearest = akin.Index.build(base.sql("select name from people order by id")).search(
        base.sql("select 'bert' as q"), k=1
    )
    assert base.sql("select object from nearest").fetchall() == [(2,)]


def test_nothing_is_imported():
    program = (
        "import sys, akin; print([m for m in ('numpy', 'polars', 'pandas', 'sklearn', 'pyarrow', 'tqdm') if m in "
        "sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


# --------------------------------------------------------------------------------------------------------- scikit-learn


@pytest.fixture
def texts():
    draw = random.Random(1)
    return [" ".join(f"w{int(draw.paretovariate(0.8))}" for _ in range(draw.randint(1, 30))) for _ in range(200)]


@pytest.mark.parametrize("formula", [row.name for row in akin.choices("formulas")])
def test_weights(texts, formula):
    pytest.importorskip("sklearn")
    from akin.sklearn import BM25Transformer

    made = BM25Transformer(formula=formula, k1=0.9, b=0.4)
    weights = made.fit_transform(texts)
    expected = akin.bm25(texts, formula=formula, k1=0.9, b=0.4)
    names = list(made.get_feature_names_out())
    assert names == sorted(expected.vocabulary) and weights.shape == (200, len(names))
    theirs = {(d, expected.vocabulary[t]): w for d, t, _, w in expected.table()}
    ours = weights.tocoo()
    assert {(d, names[t]): w for d, t, w in zip(ours.row, ours.col, ours.data)} == theirs
    again = made.transform(texts)
    assert abs(again - weights).max() < 1e-13 * abs(weights).max()
    some = made.transform(["w1 unknown w1 w2", "", "unknown", None])
    assert some.shape == (4, len(names)) and some.indptr.tolist() == [0, 2, 2, 2, 2]


def test_new_texts_are_weighed_by_those_learned():
    pytest.importorskip("sklearn")
    import math

    from akin.sklearn import BM25Transformer

    made = BM25Transformer(formula="lucene").fit(["a b", "b c d", "c"])
    row = made.transform(["b b z"]).toarray()[0]
    relative = 1 - 0.75 + 0.75 * (3 / 2)
    assert row[made.vocabulary_["b"]] == pytest.approx(math.log(1 + 1.5 / 2.5) * 2 / (1.2 * relative + 2))
    assert made.mean_length_ == 2 and list(made.get_feature_names_out()) == ["a", "b", "c", "d"]


@pytest.mark.filterwarnings("ignore:Can't test estimator")  # most checks are of tables of numbers
def test_is_an_estimator(texts):
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.utils import estimator_checks

    from akin.sklearn import BM25Transformer

    for check in (
        estimator_checks.check_estimator,
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_parameters_default_constructible,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_set_params,
        estimator_checks.check_estimator_cloneable,
        estimator_checks.check_estimator_repr,
        estimator_checks.check_estimator_tags_renamed,
        estimator_checks.check_valid_tag_types,
    ):
        if check is estimator_checks.check_estimator:
            check(BM25Transformer())
        else:
            check("BM25Transformer", BM25Transformer())
    made = BM25Transformer(stop_words="english")
    with pytest.raises(NotFittedError):
        made.transform(texts)
    with pytest.raises(ValueError, match="one text"):
        made.fit("a text")
    with pytest.raises(ValueError, match="vocabulary"):
        made.fit(["the", ""])
    fitted = clone(made).fit(texts)
    assert (pickle.loads(pickle.dumps(fitted)).transform(texts) != fitted.transform(texts)).nnz == 0
    pipe = make_pipeline(BM25Transformer(threads=1), LogisticRegression())
    labels = ["w1" in text.split() for text in texts]
    search = GridSearchCV(pipe, {"bm25transformer__k1": [0.5, 1.2]}, cv=2).fit(texts, labels)
    assert search.best_score_ > 0.7

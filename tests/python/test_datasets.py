"""Data sets of the package datasets, whose Arrow table need not have their rows, nor their order."""

import random

import pytest

import akin

datasets = pytest.importorskip("datasets", reason="the package datasets is not installed")


def made(count=200, seed=1):
    draw = random.Random(seed)
    texts = [" ".join(f"w{draw.randrange(30)}" for _ in range(draw.randrange(20))) for _ in range(count)]
    for row in range(1, count, 3):
        texts[row] = texts[row - 1] + draw.choice(("", " once more"))
    return datasets.Dataset.from_dict(
        {"id": [3 * row for row in range(count)], "text": texts, "source": [draw.choice("ab") for _ in texts]}
    )


WAYS = {
    "plain": lambda data: data,
    "shuffled": lambda data: data.shuffle(seed=3),
    "selected": lambda data: data.select([7, 3, 4, 100, 6, 8, 101, 2, 4]),
    "sliced": lambda data: data.select(range(20, 90)),
    "filtered": lambda data: data.filter(lambda row: row["source"] == "a"),
    "sorted": lambda data: data.sort("text"),
    "split": lambda data: data.train_test_split(0.5, seed=1)["test"],
    "in a format": lambda data: data.shuffle(seed=4).with_format("numpy", columns=["id"]),
    "joined": lambda data: datasets.concatenate_datasets([data.shuffle(seed=2), data.select([5, 4])]),
    "as a stream": lambda data: data.shuffle(seed=5).to_iterable_dataset(num_shards=3),
    "without rows": lambda data: data.select([]),
    "a stream without rows": lambda data: data.to_iterable_dataset().filter(lambda row: False),
}


@pytest.mark.parametrize("way", WAYS)
def test_rows_of_the_data_set(way):
    data = WAYS[way](made())
    rows = list(data if way.endswith("stream") or "stream" in way else data.with_format(None))
    columns = {name: [row[name] for row in rows] for name in ("id", "text", "source")}
    found = akin.corpus.near_duplicates(data, "text", tokens="words:2", jaccard=0.6)
    expected = akin.corpus.near_duplicates(columns["text"], tokens="words:2", jaccard=0.6)
    assert found == expected and found.keep == expected.keep and len(found.keep) == len(rows)
    assert bool(found) == (len(rows) > 0)
    if rows:
        named = akin.corpus.near_duplicates(data, "text", id="id", tokens="words:2", jaccard=0.6, within="source")
        again = akin.corpus.near_duplicates({**columns, "id": list(map(str, columns["id"]))}, "text", id="id",
                                            tokens="words:2", jaccard=0.6, within="source")
        assert list(map(str, named["id"])) == again["id"] and named["common"] == again["common"]
    hits = akin.corpus.overlap(columns["text"][:3] or ["none"], data, on="text", words=3)
    assert hits == akin.corpus.overlap(columns["text"][:3] or ["none"], columns["text"], words=3)
    assert akin.corpus.repeats(data, "text", length=12) == akin.corpus.repeats(columns["text"], length=12)


def test_masks_select_rows():
    data = made().shuffle(seed=9)
    found = akin.corpus.near_duplicates(data, "text", tokens="words:2", jaccard=0.6)
    clean = data.select([row for row, stays in enumerate(found.keep) if stays])
    assert len(akin.corpus.near_duplicates(clean, "text", tokens="words:2", jaccard=0.6)) == 0 < len(found)


def test_what_is_no_table():
    data = made()
    with pytest.raises(TypeError, match=r"DatasetDict of the splits 'train', 'test'.*data\['train'\]"):
        akin.corpus.near_duplicates(datasets.DatasetDict(train=data, test=data), "text")
    with pytest.raises(akin.OptionError, match="there is no column 'txt'"):
        akin.corpus.near_duplicates(data, "txt")
    assert akin.corpus.near_duplicates(datasets.DatasetDict(test=data)["test"], "text")

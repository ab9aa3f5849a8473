"""Saved files that others change while they are open: what is read into memory does not notice."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

import akin

TEXTS = [f"word{i % 97} word{i % 89} common" for i in range(5000)]


@pytest.fixture
def saved(tmp_path):
    paths = {"index": tmp_path / "index.akin", "bm25": tmp_path / "bm25.akin", "words": tmp_path / "words.akin"}
    akin.Index.build(TEXTS).save(paths["index"])
    akin.Index.build(TEXTS, kind="bm25").save(paths["bm25"])
    akin.Dictionary.build([f"word{i}" for i in range(20000)]).save(paths["words"])
    return paths


def spoil(path, how):
    if how == "truncated":
        os.truncate(path, 0)
    elif how == "zeros":
        with open(path, "r+b") as file:
            file.write(bytes(os.path.getsize(path)))
    else:
        os.unlink(path)


@pytest.mark.parametrize("how", ["truncated", "zeros", "removed"])
@pytest.mark.parametrize("kind", ["index", "bm25"])
def test_an_index_is_a_copy(saved, kind, how):
    index = akin.Index.open(saved[kind])
    before = list(index.search(TEXTS[:50], k=5))
    spoil(saved[kind], how)
    assert before and list(index.search(TEXTS[:50], k=5)) == before


@pytest.mark.parametrize("how", ["truncated", "zeros", "removed"])
def test_a_dictionary_is_a_copy(saved, how):
    words = akin.Dictionary.open(saved["words"])
    spoil(saved["words"], how)
    assert words.word(words["word777"]) == "word777" and sorted(words) == sorted(f"word{i}" for i in range(20000))


def test_mapped(saved, tmp_path):
    index, words = akin.Index.open(saved["index"], mapped=True), akin.Dictionary.open(saved["words"], mapped=True)
    copy = akin.Index.open(saved["index"])
    assert list(index.search(TEXTS[:50])) == list(copy.search(TEXTS[:50]))
    assert words.word(words["word777"]) == "word777"
    before = list(index.search(TEXTS[:50]))
    akin.Index.build(["other"]).save(saved["index"])  # by a rename
    assert list(index.search(TEXTS[:50])) == before


@pytest.mark.parametrize("mapped", [False, True])
def test_a_damaged_block_is_found_when_it_is_read(saved, mapped):
    good = list(akin.Index.open(saved["bm25"], verify=True).search(TEXTS[:50], k=5))
    content = bytearray(saved["bm25"].read_bytes())
    words = int.from_bytes(content[32 + 24 * 4:][:8], "little")  # section 4: the words of lists
    content[words] ^= 1
    saved["bm25"].write_bytes(content)
    index = akin.Index.open(saved["bm25"], mapped=mapped)
    assert list(index.search(["nothing of this"], k=5)) == []
    with pytest.raises(akin.InputError, match=f"byte {words}: a block is altered"):
        index.search(TEXTS, k=5)
    with pytest.raises(akin.InputError, match="altered"):
        akin.Index.open(saved["bm25"], mapped=mapped, verify=True)
    content[words] ^= 1
    saved["bm25"].write_bytes(content)
    assert list(akin.Index.open(saved["bm25"], mapped=mapped).search(TEXTS[:50], k=5)) == good


@pytest.mark.parametrize("mapped", [False, True])
def test_queries_of_other_terms_have_answers(tmp_path, mapped):
    """Many queries, for which frequent terms get bits, beside a damaged list of a frequent term."""
    common = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    texts = [
        " ".join(word for j, word in enumerate(common) if i == 0 or hash((i * 2654435761 >> j) % 7) % 2) + f" r{i}"
        for i in range(40000)
    ]
    path = tmp_path / "many.akin"
    akin.Index.build(texts, kind="bm25").save(path)
    queries = [f"r{i}" for i in range(39000, 39200)]
    good = list(akin.Index.open(path).search(queries, k=5))
    content = bytearray(path.read_bytes())
    content[int.from_bytes(content[32 + 24 * 4:][:8], "little")] ^= 1
    path.write_bytes(content)
    index = akin.Index.open(path, mapped=mapped)
    assert list(index.search(queries, k=5)) == good and len(good) == 200
    with pytest.raises(akin.InputError, match="a block is altered"):
        index.search(["alpha"], k=5)
    assert list(index.search(queries, k=5)) == good


@pytest.mark.parametrize("wrong", ["yes", 2, None])
def test_mapped_is_a_bool(saved, wrong):
    with pytest.raises(TypeError, match="mapped"):
        akin.Index.open(saved["index"], mapped=wrong)
    with pytest.raises(TypeError, match="verify"):
        akin.Index.open(saved["index"], verify=wrong)
    with pytest.raises(TypeError, match="mapped"):
        akin.Dictionary.open(saved["words"], mapped=wrong)


@pytest.mark.skipif(not hasattr(signal, "SIGBUS"), reason="no such signal here")
def test_what_is_mapped_ends_with_its_file(saved):
    program = textwrap.dedent("""
        import os, sys
        import akin

        words = akin.Dictionary.open(sys.argv[1], mapped=sys.argv[2] == "mapped")
        os.truncate(sys.argv[1], 0)
        print(len(list(words)))
    """)
    for how, status in (("copied", 0), ("mapped", -signal.SIGBUS)):
        akin.Dictionary.build([f"word{i}" for i in range(20000)]).save(saved["words"])
        done = subprocess.run([sys.executable, "-c", program, saved["words"], how], check=False, capture_output=True)
        assert done.returncode == status

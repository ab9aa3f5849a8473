"""What akin.calibrate measures is kept where the command keeps it, and either uses the other's."""

import os
import warnings

import pytest

import akin

GPU = "gpu-open 1.0000\ngpu-transfer 2.0000\ngpu-compare 3.0000\ngpu-verify 4.0000\n"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "akin" / f"calibration-{akin.info()['cpu']}"


def test_measured_and_kept(cache, command):
    assert akin.info()["prices"] is None
    measured = akin.calibrate(device="cpu")
    assert list(measured) == ["index", "screened", "bitmap"] and all(0.01 < value < 100 for value in measured.values())
    text = cache.read_text()
    assert text == "akin calibration 1\n" + "".join(f"{name} {value:.4f}\n" for name, value in measured.items())
    assert akin.info()["prices"] == str(cache) and f"prices:    {cache}\n" in command("info").decode()
    cache.write_text(text + GPU)
    akin.calibrate(device="cpu")
    assert cache.read_text().endswith(GPU)  # what is kept of a GPU that was not measured stays
    assert sorted(os.listdir(cache.parent)) == [cache.name]


def test_of_the_command(cache, command):
    command("info", "--calibrate")
    assert akin.info()["prices"] == str(cache)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(akin.join(["a b", "b a"], jaccard=0.5)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "", "akin calibration 2\nindex 1\nscreened 1\nbitmap 1\n", "akin calibration 1\nindex 1\nscreened 1\nbitmap 1",
        "akin calibration 1\nindex 1\n"
    ]
    + [f"akin calibration 1\nindex {number}\nscreened 1\nbitmap 1\n" for number in ("99999", "-1", "1e3", "x", "")]
    + ["akin calibration 1\nindex 1\nscreened 1\nbitmap 1\ngpu-open 1\n", "\xe9"],
)
def test_another_file(cache, text):
    cache.parent.mkdir(parents=True)
    cache.write_text(text, encoding="latin-1")
    with pytest.warns(
        UserWarning, match=r"calibration-.* so the built-in prices are used; akin\.calibrate\(\) makes it anew"
    ) as told:
        assert len(akin.join(["a b", "b a"], jaccard=0.5)) == 1
        assert len(akin.near_duplicates(["a b", "b a"], jaccard=0.5, tokens="words")) == 1
        assert len(akin.join([[1, 2], [2, 1]], tokens="ids", jaccard=0.5)) == 1
    assert [each.filename for each in told] == [__file__] * 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        akin.join(["a b", "b a"], jaccard=0.5, technique="ppjoin")  # which needs no prices


@pytest.mark.parametrize("said", ["XDG_CACHE_HOME", "HOME"])
def test_names_that_are_not_utf8(said, tmp_path, monkeypatch, cache):
    monkeypatch.delenv("XDG_CACHE_HOME")
    folder = os.path.join(tmp_path, os.fsdecode(b"\xff"))
    monkeypatch.setenv(said, folder)
    try:
        akin.calibrate(device="cpu")
    except OSError:
        pytest.skip("the file system has no such names")
    prices = akin.info()["prices"]
    assert prices.startswith(folder) and os.path.exists(prices)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(akin.join(["a b", "b a"], jaccard=0.5)) == 1
    with open(prices, "w") as file:
        file.write("akin calibration 1\nindex 99999\nscreened 1\nbitmap 1\n")
    with pytest.warns(UserWarning, match="so the built-in prices are used") as told:
        assert len(akin.join(["a b", "b a"], jaccard=0.5)) == 1
    assert str(told[0].message).startswith(prices) and told[0].filename == __file__


def test_no_place(cache, monkeypatch):
    cache.mkdir(parents=True)
    with pytest.warns(UserWarning, match="is no regular file"):
        akin.info()
    with pytest.raises(OSError, match="remove it"):
        akin.calibrate(device="cpu")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "nowhere")
    with pytest.raises(OSError, match="no place"):
        akin.calibrate(device="cpu")
    assert akin.info()["prices"] is None

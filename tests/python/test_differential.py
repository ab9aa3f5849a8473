"""Some thousand random small jobs of every kind against an oracle; tests/differential/differential.py runs more."""

import pathlib
import warnings

import akin


def test_random_jobs(monkeypatch, capsys):
    monkeypatch.syspath_prepend(pathlib.Path(__file__).resolve().parents[1] / "differential")
    import differential

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", akin.ResultWarning)
        counts, differences = differential.run(4000, 28)
    assert sum(counts.values()) == 4000 and min(counts.values()) > 100
    assert differences == 0, capsys.readouterr().out

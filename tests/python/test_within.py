"""Calls from within calls, by a progress callback or a signal handler: they neither wait nor disturb."""

import os
import signal
import threading

import pytest

import akin
from akin import DeviceError, _akin
from akin._kept import Kept
from akin._settings import settings

JOB = settings(threads=1, device="cpu")
ON_GPU = (1, "cuda", 0, None, 0, None)


def ends(work, seconds=60):
    """What work gives on a thread of its own, which must not wait for itself."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive()
    return found[0]


def test_what_is_kept_from_within():
    made = []
    kept = Kept(lambda job, *more: made.append(more) or object())

    def twice():
        with kept.of(ON_GPU, 5) as outer:
            with kept.of(ON_GPU, 5) as inner, kept.of(ON_GPU, 6) as other:
                assert len({outer, inner, other}) == 3
        with kept.of(ON_GPU, 5) as again:
            return outer is again

    assert ends(twice) and made == [(5,), (5,), (6,)]
    with pytest.raises(DeviceError), kept.of(ON_GPU, 5):
        raise DeviceError("lost")
    assert ends(twice) and len(made) == 6


def test_others_wait_for_what_is_kept():
    kept = Kept(lambda job: object())
    seen, entered = [], threading.Event()

    def other():
        entered.set()
        with kept.of(ON_GPU) as found:
            seen.append(found)

    thread = threading.Thread(target=other)
    with kept.of(ON_GPU) as found:
        thread.start()
        entered.wait()
        seen.append(found)
    thread.join(60)
    assert seen == [found, found]


@pytest.mark.parametrize("kind", ["search", "rank"])
def test_one_call_at_a_time(kind):
    texts = [f"red house {i}" for i in range(3000)]
    queries = _akin.from_lists(JOB, ("text",), (texts,))
    if kind == "search":
        searcher = akin.Index.build(texts)._index.searcher(JOB)
        more = (-1, (1, "auto", 50, 0, 0, False, 4, False, 0, None, 2**32 - 1), False, "U", "U")
        call = lambda how: searcher.search(how, queries, *more)  # noqa: E731
    else:
        searcher = akin.bm25(texts).index._index.searcher(JOB)
        call = lambda how: searcher.search(  # noqa: E731
            how, queries, -1, (1, "auto", 50, 0, 0, False, 4, False, 0, None, 2**32 - 1), True, "U", "U"
        )[0]
    said = []

    def tell(*_):
        if not said:
            try:
                call(JOB)
            except RuntimeError as error:
                said.append(str(error))

    expected, found = call(JOB), call((*JOB[:-1], tell))
    assert said == ["in use: one call at a time"]
    assert (found[0] if kind == "search" else found).state() == (expected[0] if kind == "search" else expected).state()


def test_a_signal_handler_may_rank(monkeypatch):
    """Also while the index is made that it ranks by."""
    weighed = akin.bm25(["red house", "blue house", "red wine"])
    make, found = _akin.index_of_weights, []

    def interrupted(*arguments):
        monkeypatch.setattr(_akin, "index_of_weights", make)
        os.kill(os.getpid(), signal.SIGUSR1)
        return make(*arguments)

    def handler(*_):
        if weighed._lock.acquire(timeout=10):  # else it would be waited for forever
            weighed._lock.release()
            found.append(weighed.rank("red wine"))

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        monkeypatch.setattr(_akin, "index_of_weights", interrupted)
        expected = weighed.rank("red wine")
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert found == [expected] and expected["document"] == [2, 0]

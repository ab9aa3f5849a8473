"""Unknown names, and the known names that were probably meant."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

from . import _akin

P = ParamSpec("P")
R = TypeVar("R")

# Names of arguments that people write, of other packages or of other functions here, and the arguments that do the same
# here. A function may have some of these, or of the ones in their place. The first one that it has is suggested.
_ELSEWHERE = {
    "threshold": ("jaccard", "cutoff", "least"),
    "cutoff": ("threshold", "jaccard", "least"),
    "score_cutoff": ("cutoff", "threshold", "jaccard"),
    "min_similarity": ("threshold", "cutoff", "jaccard"),
    "similarity": ("jaccard", "measure", "scorer", "cutoff", "threshold"),
    "measure": ("similarity", "scorer"),
    "metric": ("measure", "similarity", "scorer", "family"),
    "scorer": ("similarity", "compare", "measure"),
    "comparator": ("scorer", "similarity", "compare"),
    "method": ("scorer", "formula", "kind", "technique"),
    "limit": ("k", "top"),
    "top": ("k",),
    "k": ("top",),
    "topk": ("k", "top"),
    "top_k": ("k", "top"),
    "top_n": ("k", "top"),
    "n": ("k", "top", "rows", "q"),
    "n_results": ("k", "top"),
    "n_neighbors": ("k", "top"),
    "size": ("k", "top", "rows"),
    "records": ("rows",),
    "rows": ("documents",),
    "count": ("k", "top", "rows"),
    "num_perm": ("functions",),
    "n_jobs": ("threads",),
    "workers": ("threads",),
    "num_threads": ("threads",),
    "gpu": ("device",),
    "verbose": ("progress",),
    "show_progress": ("progress",),
    "column": ("on",),
    "columns": ("on",),
    "key": ("on",),
    "by": ("on", "key"),
    "on": ("compare",),
    "ids": ("id",),
    "unique_id": ("id",),
    "random_state": ("seed",),
    "a_on": ("left_on",),  # former names of these
    "b_on": ("right_on",),
    "pairs": ("all_pairs",),
    "blocking_rules": ("block",),
    "fold": ("ignore_case",),
    "lowercase": ("ignore_case",),
    "processor": ("fold", "ignore_case"),
    "edit_distance": ("levenshtein", "distance"),
    "edits": ("levenshtein", "distance"),
    "distance": ("levenshtein",),
    "stopwords": ("stop_words",),
    "stemmer": ("stem",),
    "tokenizer": ("tokens",),
    "ngram": ("tokens",),
    "ngram_range": ("tokens",),
    "gold": ("truth",),
    "truth": ("gold",),
}
_SAID = {
    "least": ": search finds the k best; filter the result by its similarity, or leave out small counts by least=N",
    "jaccard": ": a threshold is that of a measure, such as jaccard=0.8",
    "all_pairs": ": pairs are selected by all_pairs=, window=, block=, similar= and nearest=",
}


def did_you_mean(word: object, names: Iterable[str]) -> str:
    """The end of a message about an unknown word: the nearest name as a question, or nothing if no name is near."""
    nearest = _akin.guess(word, tuple(names)) if isinstance(word, str) and "\0" not in word else None
    return f": did you mean {nearest}?" if nearest else ""


def instead_of(word: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown argument: the one of these names that was probably meant."""
    names = tuple(names)
    near = did_you_mean(word, names)
    comparator = _comparator_of(word) if {"similarity", "threshold"} <= set(names) else None
    if comparator is not None and comparator not in names:
        return f": did you mean similarity={comparator!r}, threshold=T?"
    said = word if word in _ELSEWHERE else None if near else _akin.guess(word, tuple(_ELSEWHERE))
    meant = _ELSEWHERE.get(said or "", ())
    known = [name for each in (meant, *(_ELSEWHERE.get(name, ()) for name in meant)) for name in each if name in names]
    return _SAID.get(known[0], f": did you mean {known[0]}?") if known else near


def _comparator_of(word: str) -> str | None:
    """The comparator of joins that a word means, which may be written otherwise."""
    (bit,) = (value for name, _, _, value, _ in _akin.choices("capabilities") if name == "match")
    known = tuple(name for name, _, _, _, can in _akin.choices("comparators") if can & bit)
    plain = word.replace("_", "-").lower()
    return plain if plain in known else _akin.guess(plain, known) if "\0" not in plain else None


def suggests(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose keywords are checked before the call: the message about an unknown one suggests a known one."""
    code = function.__code__  # inspect.signature says the same, but takes 7 ms to import
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    parameters = [name for name in known if name not in ("self", "cls")]
    places = known[: code.co_argcount]
    has_any = code.co_flags & 4  # inspect.CO_VARARGS

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in parameters:
                raise TypeError(f"{function.__name__}() has no argument {name!r}{instead_of(name, parameters)}")
        if len(args) > len(places) and not has_any:
            listed = ", ".join(name for name in places if name not in ("self", "cls"))
            most = len(places) - ("self" in known or "cls" in known)
            raise TypeError(
                f"{function.__name__}({listed}) takes {most} argument{'s'[: most != 1]} without a name, not "
                f"{len(args) - len(places) + most}; expected the others as NAME=VALUE"
            )
        return function(*args, **kwargs)

    return checked


def attributes_of(module: str, names: Iterable[str]) -> Callable[[str], object]:
    """The __getattr__ of a module of functions: raises AttributeError, and suggests a function with a similar name."""
    known = tuple(names)

    def attribute_of(name: str) -> object:
        near = "" if name.startswith("__") else did_you_mean(name, known) or f"; it has {', '.join(known)}"
        raise AttributeError(f"module {module!r} has no attribute {name!r}{near}", name=name)

    return attribute_of


_INSTEAD = dict(
    index="akin.Index.build", search="akin.Index.build(...).search", rank="akin.bm25(...).rank", match="akin.join",
    ndcg="akin.evaluate_trec"
)


def attribute(name: str) -> object:
    """The module's __getattr__: raises AttributeError, and names the counterpart of another package's name."""
    meant = f": did you mean {_INSTEAD[name]}?" if name in _INSTEAD else ""
    if name in ("pandas", "polars", "ray", "sklearn", "spark"):
        meant = f": import akin.{name} first"
    raise AttributeError(f"module 'akin' has no attribute {name!r}{meant}", name=name)

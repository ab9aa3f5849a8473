"""Joins: pairs of rows with similar sets of tokens or similar strings, and near-duplicate documents."""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from . import _akin
from ._akin import OptionError
from ._calibration import prices
from ._checks import flag, shown, text, top_of, whole
from ._choices import usual, values
from ._input import Names, SidedNames, both_ids, both_named, each_side
from ._names import Filter, Sharing, StringSimilarity, StringTechnique, Technique
from ._objects import sets_of
from ._pairs import Pairs
from ._ratio import ratio_of
from ._rules import Sides
from ._settings import Folds, Job, Number, Progress, Size, settings, tokens_of
from ._shown import Show, show_pairs
from ._suggest import did_you_mean, suggests
from ._warnings import warn_of
from .strings import bounds_of, match, pairs_of, rows_of, scorer_of

_NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+|[0-9]+/0*[1-9][0-9]*")


def _measure_of(threshold: Number | None, **given: Any) -> str:
    """The one measure that is given, and the name of its argument."""
    names = [name for name, value in given.items() if value is not None]
    if not names and threshold is not None:
        raise OptionError(
            f"threshold={shown(threshold)} without similarity; expected similarity='jaro-winkler', say, or the "
            "threshold by its measure, "
            "such as jaccard=0.8"
        )
    if len(names) != 1:
        said = f"{' and '.join(names)} are given" if names else "no measure is given"
        raise OptionError(
            f"{said}; expected one of {', '.join(given)}: jaccard=0.8, say, joins sets of tokens, "
            "similarity='jaro-winkler' with "
            "threshold=0.8 joins strings"
        )
    if threshold is not None and names != ["similarity"]:
        raise OptionError(
            f"{names[0]} and threshold are given; expected {names[0]} alone, whose value is the threshold"
        )
    return names[0]


def _refuse(measure: str, **given: bool) -> None:
    """Refuses arguments that do not belong to the measure."""
    for name, is_given in given.items():
        if is_given:
            raise OptionError(
                f"{measure} and {name} are given; expected one of them: {name} means nothing to {measure}"
            )


def least_of(value: Number, measure: str) -> str:
    """The threshold of a measure of sets, as text."""
    least = ratio_of(value, measure)
    if not _NUMBER.fullmatch(least):
        raise OptionError(f"{measure} is {shown(value)}; expected a number without a sign, such as 0.8 or '2/3'")
    if measure.replace("_", "-") not in values("measures", "count") and Fraction(least) > 1:
        raise OptionError(f"{measure} is {shown(value)}; expected a similarity above 0 and at most 1, such as 0.8")
    return least


def _bounds_of(
    similarity: str | None, threshold: Number | None, levenshtein: int | None, best: int
) -> tuple[str, tuple[str | None, int]]:
    """The comparator, and the least similarity or the largest distance, as a join of strings takes them."""
    if levenshtein is not None:
        return "levenshtein", (None, whole(levenshtein, "levenshtein"))
    name, _, behind = text(similarity, "similarity").partition(":")
    joined = list(values("comparators", "match"))
    if name.replace("_", "-").lower() not in joined:
        raise OptionError(
            f"similarity={name!r}; expected one of {', '.join(map(repr, joined))}{did_you_mean(name, joined)}"
        )
    if behind:
        raise OptionError(f"similarity={similarity!r}; expected similarity={name!r}, threshold={behind}")
    if threshold is None and not best:
        raise OptionError(
            f"similarity={name!r} without threshold; expected threshold=0.9, say, or top, for the best partners"
        )
    return name, bounds_of(threshold, None, "threshold")


@suggests
def join(
    left: Any,
    right: Any = None,
    on: SidedNames = None,
    *,
    left_on: Names = None,
    right_on: Names = None,
    id: str | Sides | None = None,
    left_id: str | None = None,
    right_id: str | None = None,
    tokens: str = "words",
    jaccard: Number | None = None,
    cosine: Number | None = None,
    dice: Number | None = None,
    overlap: Number | None = None,
    overlap_coefficient: Number | None = None,
    containment: Number | None = None,
    levenshtein: int | None = None,
    similarity: StringSimilarity | None = None,
    threshold: Number | None = None,
    floored: bool = False,
    prefix_scale: Number = 0.1,
    boost_threshold: Number = 0,
    ignore_case: bool | None = None,
    fold: Folds = None,
    multiset: bool = False,
    stop_words: str | Iterable[str] = (),
    top: int | None = None,
    show: Show = None,
    technique: Technique | StringTechnique = "auto",
    bits: int = 0,
    block: int = 0,
    filter: Filter = "auto",
    sharing: Sharing = "auto",
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Pairs:
    """Finds every pair of rows that are alike, as sets of tokens or as strings. The result is exact.

    ``jaccard=0.8`` and the other measures of sets join sets of tokens. ``levenshtein=2``, or
    ``similarity="jaro-winkler"`` with ``threshold=0.9``, join strings, compared character by character.

    Parameters
    ----------
    left, right
        Tables, columns, lists of strings or paths of files (see the package). Without ``right``, pairs of rows of
        ``left``.
    on, left_on, right_on
        The column whose text is compared, or several columns. The tokens of several columns form one set. For joins of
        strings, their values form one string, with blanks between, without missing values. ``on`` in both tables, or
        ``left_on`` and ``right_on`` if their names differ; :func:`akin.sides` in ``on`` does the same for one column. A
        table of one column needs none. The column of plain text is called ``text``.
    id, left_id, right_id
        The column with the ids of rows, in both tables or in each; ids are unique. The result then has columns
        ``left_id`` and ``right_id``. Integers of an Arrow table or a data frame stay integers, and all other ids are
        text. If only one of two tables has ids, the ids of the other are its row numbers.
    tokens
        ``"words"`` (longest runs of letters, marks and digits), ``"whitespace"`` (runs of anything but spaces and
        tabs), ``"qgrams:N"`` (all runs of N characters), ``"words:N"`` (all runs of N words) or ``"codes"`` (letters
        and digits of runs with a digit, such as the numbers of models). ``"ids"``: ``left`` and
        ``right`` are sets of whole numbers: lists of sets, sparse matrices of SciPy, or files that ``akin join`` also
        reads.
    jaccard, cosine, dice, overlap, overlap_coefficient, containment
        One of them, the least similarity of two sets r and s with n common tokens: n / |r u s|, n / sqrt(|r| |s|), 2 n
        / (|r| + |s|), n, n / min(|r|, |s|), or n / |r|. ``overlap`` is a whole number from 1; the others are above 0
        and at most 1. ``containment`` needs a right table, and r is the left row. Numbers are compared exactly:
        0.8 is 8/10, and 2/3 is two thirds. A :class:`fractions.Fraction`, a Decimal and text such as ``"0.8"`` and
        ``"2/3"`` are also accepted. A float stands for the simple fraction that it was computed from, and a similarity
        of a result is reached by its own pair.
    levenshtein
        Strings: the largest number of edits. An edit inserts, deletes or replaces one character.
    similarity, threshold
        Strings: ``"jaro-winkler"``, ``"jaro"``, ``"levenshtein"`` or ``"osa"``, and the least similarity, above 0 and
        at most 1, compared exactly. ``top`` needs no threshold.
    floored, prefix_scale, boost_threshold
        Jaro and Jaro-Winkler: as in :func:`akin.strings.jaro_winkler`.
    ignore_case
        Whether upper and lower case are the same. None: yes for words, no for other tokens and for strings.
    fold
        Strings: the differences to remove before the comparison, names of ``akin.choices("folds")`` with + between
        them, such as ``"case+accents"``, or a list of names. The result shows the rows unchanged.
    multiset
        Whether a token that occurs k times in a text counts as k tokens.
    stop_words
        Tokens to leave out: a list of words, or a language, such as ``"english"``, for its function words.
    top
        The number of best partners to keep for each left row, exactly. The threshold may then be 0: ``jaccard=0,
        top=3``. Pairs are sorted by left row, the best first. Without ``right`` the partners of a row are all other
        rows. ``top`` works on the CPU, with ``technique="auto"`` and without the options of techniques.
    show
        Columns whose values stand beside the pairs: a name, or a list of names. The result has ``left_NAME`` and
        ``right_NAME`` for each. Of two tables, the name may be in one table or both; :func:`akin.sides` names a column
        of each.
    technique, bits
        How pairs are found, which changes only the time (docs/how-joins.md). Sets: ``"auto"``, ``"allpairs"``,
        ``"ppjoin"``, ``"groupjoin"``, ``"bitmap"``, ``"screened"``; on a GPU ``"tensor"``, ``"prefix"``, and for
        comparison ``"gssjoin"``, ``"fgssjoin"``, ``"sf-gssjoin"``, ``"bitmap"``, ``"hybrid"``. Strings: ``"auto"``,
        ``"bags"``, ``"segments"``. ``bits`` is the width of signatures in bits (default: 0, chosen).
    block, filter, sharing
        Options of the techniques for comparison: the number of sets in a block (default: 0, which is 15000), the
        technique that finds candidates for ``"hybrid"``, and the part of a candidate that a thread of the GPU verifies
        (``"many"``, ``"one"``, ``"part"``).
    lossy
        Whether to replace bytes that are not UTF-8 by U+FFFD. Otherwise they are an error.
    threads, device, memory, device_memory, progress
        How the job runs: see :mod:`akin`.

    Returns
    -------
    Pairs
        A table of ``left`` and ``right``, row numbers from 0, sorted by both, with ``left < right`` without a right
        table; ``overlap``, the number of common tokens, or for edit distances ``distance``; and ``similarity``, of
        sets the nearest double. Nulls, texts without tokens and empty strings are in no pair. ``.clusters`` has the
        clusters, ``.keep`` is a mask of the first row of each cluster, and ``.stats`` says how the pairs were found. A
        :class:`akin.ResultWarning` says if most texts are too short for their tokens.

    Raises
    ------
    OptionError
        No measure or several are given, a threshold or an option is out of range, an argument does not belong to the
        measure, or a column is missing.
    InputError
        Rows are malformed, not UTF-8 or not sets of token ids, or an id is null or not unique.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    Techniques are those of C. Bellas and A. Gounaris, An empirical evaluation of exact set similarity join techniques
    using GPUs, sections 2 and 3, and akin's own.

    Examples
    --------
    >>> import akin
    >>> akin.join(["a b c", "a b", "b c d"], jaccard=0, top=1).to_dict()
    {'left': [0, 1, 2], 'right': [1, 0, 0], 'overlap': [2, 2, 2], 'similarity': [0.6666666666666666, 0.6666666666666666,
    0.5]}
    >>> akin.join(["red wine", "wine, red", "white wine"], jaccard=0.3)
    akin.Table of 3 rows
    left  right  overlap  similarity
       0      1        2           1
       0      2        1    0.333333
       1      2        1    0.333333
    >>> left = {"id": ["a", "b"], "name": ["north river street", "hill street"]}
    >>> right = {"id": ["x", "y"], "name": ["river street north", "south hill"]}
    >>> akin.join(left, right, on="name", id="id", tokens="qgrams:3", cosine=0.5)[0]
    {'left': 0, 'right': 0, 'left_id': 'a', 'right_id': 'x', 'overlap': 13, 'similarity': 0.8125}
    >>> akin.join(["José Marti", "JOSE MARTY"], similarity="jaro-winkler", threshold=0.9, fold="case+accents")
    akin.Table of 1 rows
    left  right  similarity
       0      1        0.96
    >>> akin.join(["Ulm", "Bonn"], ["Bon", "Köln"], levenshtein=1).to_dict()
    {'left': [1], 'right': [0], 'distance': [1], 'similarity': [0.75]}
    """
    if isinstance(right, numbers.Number):
        raise TypeError(
            f"right is {shown(right)}, a number; expected a table, or the threshold by its measure, such as "
            f"jaccard={shown(right)}"
        )
    thresholds: dict[str, Any] = dict(
        jaccard=jaccard,
        cosine=cosine,
        dice=dice,
        overlap=overlap,
        overlap_coefficient=overlap_coefficient,
        containment=containment,
    )
    measure = _measure_of(threshold, **thresholds, levenshtein=levenshtein, similarity=similarity)
    job, best = settings(threads, device, memory, progress, device_memory), top_of(top)
    widths = whole(bits, "bits"), whole(block, "block")
    ways = text(filter, "filter"), text(sharing, "sharing")
    jaros = {
        "floored": floored is not False, "prefix_scale": prefix_scale != 0.1, "boost_threshold": boost_threshold != 0
    }
    columns = each_side("on", on, left_on, right_on, right is not None)
    ids = both_ids(id, left_id, right_id, right is not None)
    if measure in ("levenshtein", "similarity"):
        _refuse(
            measure, tokens=tokens != usual("tokens"), multiset=multiset is not False, stop_words=stop_words != (),
            bits=widths[0] > 0,
            block=widths[1] > 0, filter=ways[0] != "auto", sharing=ways[1] != "auto",
        )  # fmt: skip
        name, bounds = _bounds_of(similarity, threshold, levenshtein, best)
        if not name.startswith("jaro"):
            _refuse(f"{measure}={name!r}" if similarity else measure, **jaros)
        scorer = scorer_of(name, ignore_case, fold, floored, prefix_scale, boost_threshold)
        how = text(technique, "technique"), best
        return match((left, right), columns, ids, scorer, bounds, how, show, lossy, job)
    _refuse(measure, **jaros)
    least = least_of(thresholds[measure], measure)
    options = (measure.replace("_", "-"), least, text(technique, "technique"), *widths, *ways, best)
    if isinstance(tokens, str) and tokens == "ids":
        cut = tokens_of("words", multiset, ignore_case, stop_words, fold)
        wanted = flag(lossy, "lossy") or cut != tokens_of("words") or show is not None
        return _join_sets(
            left, right, options, (on, left_on, right_on, id, left_id, right_id, ignore_case, fold), wanted, job
        )
    cut = tokens_of(tokens, multiset, ignore_case, stop_words, fold)
    first, second = both_named((left, right), columns, ids, lossy, job)
    counts = first[1], second[1] if second else 0
    shown_columns = show_pairs(show, (left, right), rows_of(first, second), lossy)
    made, did = _akin.join(job, first[0], second and second[0], counts, cut, options, _prices(technique))
    warn_of(did["warnings"])
    return pairs_of(made, first, second, shown_columns, did, job)


def _prices(technique: str) -> tuple[Any, ...] | None:
    """The calibration of this machine, for a join that chooses its technique."""
    return prices() if technique == "auto" else None


def _join_sets(
    left: Any, right: Any, options: tuple[Any, ...], none: tuple[Any, ...], wanted: bool, job: Job
) -> Pairs:
    if wanted or any(value is not None for value in none):
        raise OptionError(
            "tokens='ids' are sets of numbers; columns, ids, case, multiset, stop words, show and lossy are for text"
        )
    first = sets_of(left, False, job)
    second = None if right is None else sets_of(right, False, job)
    made, did = _akin.join(job, first, second, (0, 0), tokens_of("words"), options, _prices(options[2]))
    return Pairs(made, (first.rows, second.rows if second else None), did)


@suggests
def near_duplicates(
    documents: Any,
    on: Names = None,
    *,
    jaccard: Number = 0.8,
    tokens: str = "words:5",
    id: str | None = None,
    ignore_case: bool | None = None,
    stop_words: str | Iterable[str] = (),
    show: Show = None,
    technique: Technique = "auto",
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Pairs:
    """Finds every pair of documents that are nearly the same, exactly, by the Jaccard similarity of their runs of words
    (shingles).

    It finds all pairs that MinHash with bands finds with some probability. The only parameters are the threshold and
    the kind of token.

    Parameters
    ----------
    documents, on
        A table and the column of its texts (or several columns), a column, a list of strings or the path of a file (see
        the package).
    jaccard
        The least similarity, above 0 and at most 1, compared exactly.
    tokens
        ``"words:N"``, all runs of N words. A document of fewer words is one token, which only a document of the same
        words has. If at least half of the documents are so short, a :class:`akin.ResultWarning` says so: ``"words"`` or
        ``"qgrams:3"`` fits titles. Other tokens are those of :func:`akin.join`.
    stop_words
        A list of texts, such as a notice that many documents contain. Runs of their words are left out.
    id, ignore_case, show, technique, lossy, threads, device, memory, device_memory, progress
        As in :func:`akin.join`.

    Returns
    -------
    Pairs
        The table of :func:`akin.join`. ``.keep`` is a mask of the first document of each cluster; ``.clusters`` has the
        clusters.

    Raises
    ------
    OptionError, InputError, TypeError, LimitError, DeviceError, MemoryError, OSError
        As :func:`akin.join`.

    Notes
    -----
    Shingles: A. Broder, On the resemblance and containment of documents, 1997. The join: docs/how-joins.md.

    Examples
    --------
    >>> import akin
    >>> texts = ["The road is closed until Friday.", "the road is closed until friday",
    ...          "It rains in Ulm today and tomorrow."]
    >>> found = akin.near_duplicates(texts, jaccard=0.5)
    >>> [text for text, stays in zip(texts, found.keep) if stays]
    ['The road is closed until Friday.', 'It rains in Ulm today and tomorrow.']
    """
    return join(
        documents,
        on=on,
        jaccard=jaccard,
        tokens=tokens,
        id=id,
        ignore_case=ignore_case,
        stop_words=stop_words,
        show=show,
        technique=technique,
        lossy=lossy,
        threads=threads,
        device=device,
        memory=memory,
        device_memory=device_memory,
        progress=progress,
    )

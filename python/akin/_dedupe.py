"""Duplicates in one table, and links between the records of two tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from . import _akin
from ._akin import InputError, OptionError
from ._checks import choice, flag, listed, shown, text, whole
from ._choices import formats_with_columns, values
from ._evaluate import Evaluation, check_gold, check_sides, ids_of, warn_of_pairs
from ._given import given_rows
from ._graph import needs_similarities, table_of
from ._input import (
    SIDES, Names, all_ids_of, both_ids, called, formatted, input_of, names_in, names_of, naming_sides, no_column
)  # fmt: skip
from ._labelled import labelled_of
from ._names import Missing, Weights
from ._pairs import Duplicates, Page
from ._rules import Plan, Sides, members_of, ratio, sides
from ._selections import Rules as Selections
from ._selections import Selection, selections_of
from ._settings import Job, Number, Progress, Settings, Size, here, settings
from ._shown import Show, beside, names_to_show, show_pairs, show_word
from ._statistics import Statistics, corpus_of
from ._suggest import suggests
from ._warnings import warn_of
from ._temporary import nameless
from ._write import check_page

class Options(TypedDict, total=False):
    """The options beside rules."""

    weights: Weights | None
    ignore: Names
    model: str | os.PathLike[str] | None
    answers: Any
    threshold: Number | None
    precision: Number | None
    fold: Any
    synonyms: Any
    combine: Any
    missing: Missing
    evidence: Number
    one_to_one: bool
    one_per_source: str | Sides | None
    cluster: str | None
    max_block: int | None
    left_on: Names
    right_on: Names
    id: str | Sides | None
    left_id: str | None
    right_id: str | None
    _id: Any  # both, as a job says it
    _selection: int  # the number of the only one that selects pairs
    _population: tuple[int, int, Mapping[str, Statistics]]  # of a part: the records of the tables, and their values
    show: Show
    gold: Any
    report: bool | str | os.PathLike[str] | None
    reproducible: bool
    lossy: bool
    statistics: Mapping[str, Statistics] | None


def _id_of(options: Options, two: bool) -> Any:
    """The columns with the ids of records, in the form of a job."""
    left, right = both_ids(options.get("id"), options.get("left_id"), options.get("right_id"), two)
    if left is None and right is None:
        return options.get("_id")
    if left is None or right is None:  # rows of the other table are called by their numbers
        return {"column": _named(left), "right": _named(right)}
    return members_of(text(left, "id") if left == right else sides(left, right))


def _source_of(options: Options) -> Any:
    """The column of sources, in the form of a job; None: there is none."""
    source: Any = options.get("one_per_source")
    if source is None or isinstance(source, (Sides, dict)):
        return members_of(source) if isinstance(source, Sides) else source
    return members_of(text(source, "one_per_source"))


def _named(id: str | None) -> str:
    """The column that names rows of one table; "": there is none."""
    return "" if id is None else members_of(text(id, "id"))["column"]


def _right_of(options: Options) -> dict[str, str]:
    """The names of columns in the right table, by their names in the left one."""
    left, right = names_of(options.get("left_on")), names_of(options.get("right_on"))
    if len(left) != len(right):
        raise OptionError(
            f"left_on and right_on have {len(left)} and {len(right)} names; expected the same columns in the same order"
        )
    for name in left:
        if left.count(name) > 1:
            raise OptionError(f"left_on names {name!r} twice; expected akin.sides({name!r}, RIGHT) in the rules")
    return {each.left: each.right for each in map(sides, left, right) if each.left != each.right}


def _check_sides(tables: tuple[Any, Any], on: tuple[Names, Names], lossy: bool, job: Job, format: str | None) -> None:
    """Refuses ``left_on`` without ``right_on``, and the other way round, with the columns of the other table."""
    if (on[0] is None) == (on[1] is None):
        return
    side = on[0] is not None
    given, missing = SIDES[not side], SIDES[side]
    columns = ", ".join(map(repr, input_of(tables[side], None, lossy, job, format).names))
    raise OptionError(f"{given}_on without {missing}_on; the columns of the {missing} table are: {columns}")


# -------------------------------------------------------------------------------------------------------------- weights


def learns(weights: Any, compare: Any) -> bool:
    """Whether the weights are learnt: if the caller says so, or if akin finds the comparisons."""
    return compare is None if weights is None else choice(weights, "weights", values("weights")) == _LEARN


_LEARN = values("weights")["learn"]


def _weighing(options: Options, is_learning: bool) -> dict[str, Any]:
    """Where weights come from, the threshold, and the clustering, as members of a job. What is not said the library
    chooses."""
    weights, threshold, cluster = options.get("weights"), options.get("threshold"), options.get("cluster")
    precision = options.get("precision")
    said: dict[str, Any] = {}
    if precision is not None and (threshold is not None or not is_learning):
        raise OptionError(
            "threshold and precision: expected one of them"
            if threshold is not None
            else "precision is of probabilities, which need weights='learn'"
        )
    if weights is not None:
        said["weights"] = weights
    if isinstance(threshold, str) and threshold == "auto":
        if not is_learning:
            raise OptionError("threshold is 'auto', which needs weights='learn'; expected a number")
        said["threshold"] = threshold
    elif precision is not None:
        said["precision"] = ratio(precision, "precision")
    elif threshold is not None or not is_learning:
        said["threshold"] = ratio(0.8 if threshold is None else threshold, "threshold")
    if cluster is not None:
        said["cluster"] = text(cluster, "cluster")
    return said


def _model_of(options: Options, is_learning: bool) -> str | None:
    """The path of the model, which is read if it is there, and else written."""
    model = options.get("model")
    if model is None:
        return None
    if not isinstance(model, (str, os.PathLike)):
        raise TypeError(f"model is {model!r}; expected the path of a file")
    if not is_learning:
        raise OptionError("model is of weights that are learnt, which need weights='learn'")
    return os.fsdecode(model)


# ---------------------------------------------------------------------------------------------------------- suggestions


def _weighed_by(statistics: Any, plan: Plan, job: Job) -> list[tuple[Any, ...] | None] | None:
    """The statistics of each comparison, as the library takes them."""
    if statistics is None:
        return None
    if not isinstance(statistics, Mapping):
        raise TypeError(f"statistics is {shown(statistics)}; expected a dictionary of akin.Statistics")
    for name in statistics:
        if name not in plan.comparisons:
            raise OptionError(
                f"statistics: there is no comparison {shown(name)}; expected {', '.join(map(repr, plan.comparisons))}"
            )
    return [corpus_of(statistics.get(name), job) for name in plan.comparisons]


def population_of(population: Any, job: Job) -> tuple[int, int, dict[str, tuple[Any, ...]]] | None:
    """The number of records of two tables, and the statistics of their values, as the library takes them."""
    if population is None:
        return None
    left, right, columns = population
    return left, right, {name: corpus for name, each in columns.items() if (corpus := corpus_of(each, job))}


def count_records(
    left: Any, right: Any, compare: Any, rules: Mapping[str, Any], on: tuple[Names, Names], lossy: bool, run: Settings
) -> dict[str, tuple[int, int, _akin.Frame]]:
    """The statistics of the comparisons that weigh tokens: documents, tokens and terms of each."""
    if compare is None:
        raise OptionError("nothing is compared; expected compare=['COLUMN:COMPARATOR', ...]")
    lossy, job, two = flag(lossy, "lossy"), settings(**run), right is not None
    _check_sides((left, right), on, lossy, job, None)
    renamed = _right_of({"left_on": on[0], "right_on": on[1]})
    pairs = selections_of({"all_pairs": True})
    plan = Plan(compare, pairs, rules["fold"], rules["synonyms"], rules["combine"], _weighing({}, False), renamed, str)
    if plan.sided and not two:
        raise OptionError(f"{plan.sided[0]}: LEFT=RIGHT names a column of two tables, and there is one")
    first, *others = (_side_of((left, right), side, plan, lossy, job, None) for side in range(1 + two))
    return _akin.count_records(job, first, others[0] if two else None, plan.text)


class _Suggestion:
    """Rules for a plan that lacks some, from the profiles of columns. It reads the tables."""

    def __init__(self, tables: Sequence[Any], ignore: Names, lossy: bool, job: Job, format: str | None) -> None:
        self._tables, self._lossy, self._job, self._format = tables, lossy, job, format
        self.ignored = () if ignore is None else _ignored(ignore)
        self.reads: list[_akin.Input | None] = [None] * len(tables)
        self.said: list[str] = []  # which columns are left out, and why

    def __call__(self, plan: str) -> str:
        """The plan with the rules that it lacks."""
        known: set[str] = set()
        for side, table in enumerate(self._tables):
            names = self._names(table) if self.ignored else None
            read = self.reads[side] = self._read(table, names or ())
            known.update(read.names, names or ())
        for name in self.ignored:
            if name not in known:
                no_column(f"ignore: there is no column {name!r}; the columns are: ", name, sorted(known))
        first, second = self.reads[0], self.reads[1] if len(self.reads) > 1 else None
        assert first is not None
        there = {*first.names, *(second.names if second else ())}
        left_out = tuple(name for name in self.ignored if name in there)
        found, self.said = _akin.suggest(here(self._job), first, second, plan, left_out)
        return found

    def read_of(self, side: int, columns: Sequence[str]) -> _akin.Input | None:
        """A table that was read for the suggestion, if it has these columns."""
        read = self.reads[side]
        return read if read is not None and set(columns) <= set(read.names) else None

    def _names(self, table: Any) -> list[str] | None:
        """The names of columns that are known before the table is read; None: they are not."""
        return [name for name in table if isinstance(name, str)] if isinstance(table, Mapping) else names_in(table)

    def _read(self, table: Any, names: Sequence[str]) -> _akin.Input:
        """All columns but the ignored ones, which may have any type. ``names``: those of all, as far as they matter."""
        kept = [name for name in names if name not in self.ignored]
        try:
            return input_of(table, kept or None, self._lossy, self._job, self._format)
        except (InputError, TypeError) as error:
            if isinstance(table, Mapping) or hasattr(table, "__arrow_c_stream__"):
                advice = "without rules akin reads all columns but those of ignore="
                error.args = (f"{error.args[0]}; {advice}", *error.args[1:])
            raise


def _ignored(ignore: Any) -> tuple[str, ...]:
    expected = "the name of a column, or a list of names"
    names = [ignore] if isinstance(ignore, str) else listed(ignore, "ignore", expected)
    return tuple(text(name, "a name of ignore") for name in names)


# --------------------------------------------------------------------------------------------------------------- tables


def _side_of(tables: tuple[Any, Any], side: int, plan: Plan, lossy: bool, job: Job, format: str | None) -> _akin.Input:
    """The columns of one of two tables that rules name."""
    ids = [id for id in plan.ids if id is not None]
    try:
        with naming_sides(tables[not side], side, lambda name: "id" if name in ids else "on", lossy, job, format):
            return input_of(tables[side], plan.columns[side], lossy, job, format)
    except OptionError as error:
        name = getattr(error, "column", None) or ""
        if name.partition(":")[0] in values("keys"):
            error.args = (f"{error.args[0]}; the key {name!r} is given by key={name!r}", *error.args[1:])
        raise


def _name_of(table: Any, otherwise: str) -> str:
    return os.path.basename(os.fspath(table)) if isinstance(table, (str, os.PathLike)) else otherwise


def _is_read(table: Any, format: str | None) -> bool:
    """Whether the command can read a table: whether it is a file of a known format."""
    return isinstance(table, (str, os.PathLike)) and (
        format is not None or _akin.format_of_name(os.fsdecode(table)) in formats_with_columns()
    )


def _job_of(tables: list[Any], format: str | None, plan: Plan, run: Settings, **said: Any) -> dict[str, Any]:
    """The request as a job of the command."""
    paths = [_akin.shown_address(os.fsdecode(table)) for table in tables if _is_read(table, format)]
    job: dict[str, Any] = {"akin": "dedupe", "version": 1}
    if len(paths) == len(tables):
        job["input"] = paths
        said = {"input-format": format, **said}
    job |= plan.job
    job |= {key: value for key, value in said.items() if value not in (None, False)}
    for key in ("threads", "memory", "device", "device_memory"):
        value = run.get(key)
        if value and value != "auto":
            job[key.replace("_", "-")] = str(value) if "memory" in key else value
    return job


def _links_of_clusters(found: Duplicates, two: bool, job: Job) -> _akin.Input:
    """Pairs whose closure is the clusters: each row with the first row of its cluster; of two tables with the first row
    of the other table there."""
    clusters = found.clusters
    names = [str(name) for name in clusters["id" if "id" in clusters.columns else "row"]]
    sides = list(clusters["side"]) if two else ["right"] * len(names)
    firsts: dict[tuple[int, str], str] = {}
    places = list(zip(clusters["cluster"], sides, names, strict=True))
    for cluster, side, name in places:
        firsts.setdefault((cluster, side), name)
    left: list[str | None] = []
    right: list[str | None] = []
    for cluster, side, name in places:
        other = firsts.get((cluster, "left" if two and side == "right" else "right"))
        if other is not None and (two or other != name):
            left.append(name if side == "left" else other)
            right.append(other if side == "left" else name)
    return _akin.from_lists(job, ("left", "right"), (left, right))


def _evaluated(
    found: Duplicates, frame: _akin.Frame, gold: tuple[_akin.Input, Any], two: bool, job: Job
) -> list[Evaluation]:
    """The evaluation of pairs, and of their closure. ``gold``: as it was read, and as it was given."""
    names = ("left_id", "right_id") if "left_id" in found.columns else ("left", "right")
    pairs = _akin.from_arrow(job, frame.__arrow_c_stream__(), None, names, False)
    is_closed = not found._are_made and not needs_similarities(found._clustering)
    closed = pairs if is_closed else _links_of_clusters(found, two, job)
    made = [
        Evaluation(*_akin.evaluate(job, each, gold[0], two, is_closed, False))
        for each, is_closed in ((pairs, False), (closed, True))
    ]
    warn_of_pairs((pairs, gold[0]), (found, gold[1]), two, made[0][3:], job)
    return made


def plan_of(
    compare: Any, selected: Mapping[str, Any], options: Options, two: bool, suggest: Callable[[str], str]
) -> Plan:
    """The plan of a job. ``suggest`` adds the rules that it lacks."""
    one_to_one = flag(options.get("one_to_one", False), "one_to_one")
    selections = selections_of(selected)
    others: dict[str, Any] = {
        "missing": options.get("missing", "zero"), "evidence": ratio(options.get("evidence", 0.5), "evidence"),
        "one-to-one": one_to_one, "id": _id_of(options, two), "one-per-source": _source_of(options)
    }  # fmt: skip
    usual: dict[str, Any] = {
        "missing": "zero", "evidence": "0.5", "one-to-one": False, "id": None, "one-per-source": None
    }
    others = {key: value for key, value in others.items() if value != usual[key]}
    is_learning = learns(options.get("weights"), compare)
    others |= _weighing(options, is_learning)
    _model_of(options, is_learning)
    if labelled_of(options.get("answers")) is not None and not is_learning:
        raise OptionError("answers teach weights, which need weights='learn'")
    if (most := options.get("max_block")) is not None:
        others["max-block"] = whole(most, "max_block", 2)
    fold, synonyms, combine = options.get("fold"), options.get("synonyms"), options.get("combine")
    return Plan(compare, selections, fold, synonyms, combine, others, _right_of(options), suggest)


def find(
    left: Any, right: Any, compare: Any, selected: Mapping[str, Any], options: Options, run: Settings,
    format: str | None = None
) -> Duplicates:
    """Finds the duplicates of one table, or the links of two. Files have that format; None: by their names."""
    gold, lossy = options.get("gold"), flag(options.get("lossy", False), "lossy")
    report = options.get("report")
    if isinstance(report, (str, os.PathLike)):
        check_page(os.fsdecode(report))
    else:
        report = report is not None and flag(report, "report", "True, False or a path")
    reproducible = flag(options.get("reproducible", False), "reproducible")
    if reproducible and not report:
        raise OptionError("reproducible is for the report; expected report=True or a path")
    two = right is not None
    labelled = labelled_of(options.get("answers"))
    job = settings(**run)
    _check_sides((left, right), (options.get("left_on"), options.get("right_on")), lossy, job, format)
    suggestion = _Suggestion([left, right] if two else [left], options.get("ignore"), lossy, job, format)
    plan = plan_of(compare, selected, options, two, suggestion)
    model = _model_of(options, learns(options.get("weights"), compare))
    if suggestion.ignored and not plan.is_found:
        raise OptionError("ignore is for rules that akin finds; expected no compare, or no selection of pairs")
    if plan.sided and not two:
        raise OptionError(f"{plan.sided[0]}: LEFT=RIGHT names a column of two tables, and there is one")
    reads = [
        suggestion.read_of(side, plan.columns[side]) or _side_of((left, right), side, plan, lossy, job, format)
        for side in range(1 + two)
    ]
    first, second = reads[0], reads[1] if two else None
    named = zip((first, second or first), plan.ids, strict=True)
    at, right_at = (None if id is None else read.names.index(id) for read, id in named)
    rows = (first.rows, second.rows if second else 0)
    shown = show_pairs(options.get("show"), [formatted(table, format) for table in (left, right)], rows, lossy)
    known, gold_sides = (None, None) if gold is None else ids_of(gold, job, "gold")
    check_sides(gold_sides, two, "gold")
    if known is not None:
        check_gold(known, [(first, at)] if second is None else [(first, at), (second, right_at)])
    with nameless() as (file, own):
        path = None if not report else own if report is True else os.fsdecode(report)
        names = (_name_of(left, "left" if two else "table"), *([_name_of(right, "right")] if two else []))
        ids = (-1 if each is None else each for each in (at, right_at))
        page = None if path is None else (path, names, *ids, known, reproducible)
        named_sides = [(first, at)] if second is None else [(first, at), (second, right_at)]
        spec = None if labelled is None else labelled.spec(named_sides, job)
        given = None if selected.get("given") is None else given_rows(selected["given"], named_sides, job)
        weighed = _weighed_by(options.get("statistics"), plan, job)
        whole = population_of(options.get("_population"), job)
        selection = options.get("_selection", -1)
        made, did, clusters = _akin.dedupe(
            job, first, second, plan.text, page, model, spec, given, weighed, whole, selection
        )
        did["suggested"] = suggestion.said
        titles = plan.titles if selection < 0 else plan.titles[selection : selection + 1]
        for each, title in zip(did["selected"], titles, strict=True):
            each["by"] = title
        warn_of(did["warnings"])
        names_of_rows = all_ids_of((first, 0, at), second and (second, 0, right_at), job)
        made = called(made, names_of_rows, job)
        found = Duplicates(beside(made, shown, job), (rows[0], rows[1] if two else None), did, names_of_rows)
        if path is not None:
            file.seek(0)
            with open(path, encoding="utf-8", newline="") as page_file:
                found.report = Page(page_file.read())
    found._clustering = plan.clustering
    if clusters is not None:
        found._clusters = table_of(clusters, names_of_rows, rows[0] if two else None, job)
        found._are_made = True
    if known is not None:
        found.evaluation, found.closed = _evaluated(found, made, (known, gold), two, job)
    said: dict[str, Any] = {"lossy": lossy, "show": show_word(names_to_show(options.get("show"))) or None}
    said["model"] = model
    if isinstance(options.get("answers"), (str, os.PathLike)):
        said["answers"] = os.fspath(options["answers"])
    if isinstance(gold, (str, os.PathLike)):
        said["gold"] = os.fspath(gold)
    if isinstance(report, (str, os.PathLike)):
        said["report"] = os.fspath(report)
        said["reproducible"] = reproducible
    found.job = _job_of([left, right] if two else [left], format, plan, run, **said)
    return found


@suggests
def dedupe(
    table: Any,
    compare: Any = None,
    *,
    all_pairs: bool | Selection = False,
    window: int | Selections = None,
    block: Selections = None,
    similar: Selections = None,
    nearest: int | Selections = None,
    given: Any = None,
    weights: Weights | None = None,
    model: str | os.PathLike[str] | None = None,
    answers: Any = None,
    ignore: Names = None,
    threshold: Number | None = None,
    precision: Number | None = None,
    fold: Any = None,
    synonyms: Any = None,
    combine: Any = None,
    missing: Missing = "zero",
    evidence: Number = 0.5,
    one_to_one: bool = False,
    one_per_source: str | None = None,
    cluster: str | None = None,
    max_block: int | None = None,
    id: str | None = None,
    show: Show = None,
    gold: Any = None,
    report: bool | str | os.PathLike[str] | None = None,
    reproducible: bool = False,
    statistics: Mapping[str, Statistics] | None = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Duplicates:
    """Finds the duplicates in a table: selects pairs of records, compares the values of each pair, and keeps the pairs
    whose weighted average of similarities reaches the threshold. With learnt weights it keeps pairs by their
    probability. Without rules it finds rules: ``akin.dedupe(table)``.

    Parameters
    ----------
    table
        A table, a dictionary of lists or the path of a file (see the package). Columns that no rule names may have any
        type.
    compare
        A rule or several rules, each for one column: a rule of :mod:`akin.compare`, such as
        ``akin.compare.jaro_winkler("name")``; ``"COLUMN:COMPARATOR[:THRESHOLD[:WEIGHT]]"``; a tuple of these parts; or
        an object of a job file. ``akin.choices("comparators")`` lists the comparators. A similarity below
        THRESHOLD (default: 0) counts as 0. WEIGHT (default: 1) is the weight of the column in the average. A name with
        a colon stands in double quotes. None: akin finds comparisons by profiles of the columns, and learns weights.
        Without any selection of pairs it finds selections. ``.job`` has the rules that it found.
    all_pairs
        True compares all pairs of records.
    window
        A rule or several rules. ``akin.window(COLUMN, W, key=KEY)`` or ``"W:COLUMN[:KEY]"`` sorts the records by a key
        of that column and compares each record with the next W - 1 records. ``W`` alone does so for each compared
        column. ``akin.choices("keys")`` lists the keys (default: ``value``). A window that selects less than a tenth of
        the pairs with equal keys raises a warning.
    block
        A rule or several rules: the pairs that any of them selects. ``akin.block(COLUMN, ..., key=KEY)`` or
        ``"COLUMN[:KEY][+COLUMN[:KEY]...]"`` compares records whose keys are equal in each of these columns (default
        key: ``value``). So ``("name", "city")`` selects pairs of one name or of one city, and ``"name+city"`` pairs of
        one name and one city.
    similar
        A rule or several rules. ``akin.similar(COLUMN, jaccard=T)`` or ``"COLUMN:MEASURE:T[:TOKENS]"`` compares records
        whose sets of words in the column have at least that similarity.
    nearest
        A rule or several rules. ``akin.nearest(COLUMN, K)`` or ``"K:COLUMN[:TOKENS]"`` compares each record with the K
        records that are most alike in the column, by runs of three characters or other tokens. ``K`` alone does so for
        each compared column.
    given
        Pairs to compare, in any order: a result of akin, a table or a dictionary with the columns ``left`` and
        ``right`` of row numbers, or, with ``id``, ``left_id`` and ``right_id``; a list of pairs of row numbers, or of
        ids as str; or the path of a file, in which with ``id`` the columns ``left`` and ``right`` have ids too, as the
        command writes them. A pair counts once, in either order, and a pair of a row and itself does not count. Learnt
        weights do not know which columns such pairs were chosen by.
    weights
        ``"given"``: the weights of ``compare``. ``"learn"``: akin learns weights from the selected pairs, without pairs
        that are known to be right. The similarity of a pair is then the probability that its records are of one entity,
        ``missing`` and the thresholds and weights of ``compare`` have no effect. None:
        ``"given"``, or ``"learn"`` if akin finds the comparisons.
    model
        For learnt weights: the path of a file. If it is there, the weights and the threshold are those of the file, and
        nothing is learnt. Else the file is written, with what was learnt, as JSON. The file is also the option
        ``--model`` of ``akin dedupe`` and ``akin link``.
    answers
        For learnt weights: what a person said of pairs of records, from which weights are learnt, too: the path of a
        file or a table with the columns left, right and answer, as ``akin label`` and :func:`akin.label` make it.
    ignore
        If akin finds rules: a column to leave out of them, or a list of names. Those of ``id`` are left out anyway.
    threshold
        The least weighted average, or with learnt weights the least probability, above 0 and at most 1. ``"auto"``,
        with learnt weights only: the one with the largest expected F1. None: 0.8 for given weights, else that of the
        model, or ``"auto"``.
    precision
        With learnt weights, in place of ``threshold``: the threshold is the least probability at which the expected
        precision of the found pairs is ``precision`` or more. It takes three compared columns or more. With fewer,
        :func:`link` takes the left table for a reference table, which has no duplicates: each right record gets one
        left record at most, and ``.stats["learnt"]["decoys"]`` says how many left records showed how alike wrong
        partners are.
    fold
        The differences to remove from values before all other work: ``{"COLUMN": "case+accents+punctuation+blanks"}``,
        or rules ``"COLUMN[:WHAT]"``. ``"all"`` means all columns, or all folds.
    synonyms
        Words that count as equal, such as nicknames: the path of a text with a group on each line, or a list of groups,
        each a list of words with the full form first; or ``{"COLUMN": either}``. docs/dedupe.md has the rules.
    combine
        Columns to make from others: ``{"NAME": ["COLUMN", ...]}``, whose values are joined with a blank between them.
    missing
        How a value counts that is null or empty in one record or both: ``"zero"`` counts similarity 0, ``"skip"``
        leaves the column out of the average, ``"equal"`` counts 1 if both values are missing, else 0.
    evidence
        For ``missing="skip"``, from 0 to 1: a pair is kept only if the columns that count have at least this share of
        all weights. 0: one column suffices.
    one_to_one
        Keep at most one pair for each record, the most similar pairs first.
    one_per_source
        The column that says where a record is from, such as a shop. Records of one source are never of one entity. So
        their pairs are not found, and no cluster of ``.clusters`` has two of them. A record with a missing value may be
        in any cluster. Clusters of a part of the pairs do not know sources. If two tables are the sources,
        ``one_to_one`` says so.
    cluster
        How pairs become ``.clusters``: a name of ``akin.choices("clusterings")``, with its parameter after a colon, if
        it has one, such as ``"average:0.7"``. None: ``"components"``, or ``"average:0.25"`` for learnt weights. With
        learnt weights a ``threshold`` or a ``precision`` also decides which records a cluster can have, unless
        ``cluster`` has a parameter.
    max_block
        The largest number of records in a block. Larger blocks are skipped. None: 1000, or the number that akin finds
        with the selections.
    id
        The column with the ids of records, which are unique. The result then has columns ``left_id`` and ``right_id``.
        Integers of an Arrow table or a data frame stay integers, and all other ids are text.
    show
        Columns whose values stand beside the pairs: a name, or a list of names. The result has ``left_NAME`` and
        ``right_NAME`` for each.
    gold
        The true pairs, by ids or row numbers, as :func:`akin.evaluate` takes them. ``.evaluation`` then has precision,
        recall and F1 of the found pairs, and ``.closed`` those of all pairs within clusters.
    report
        True makes an HTML page about the job and its result, ``.report``, which a notebook displays. A path also writes
        it to that file. With learnt weights the page also has the weights, and what is expected at each threshold.
    reproducible
        The report leaves out seconds and memory, so that two calls make the same bytes.
    statistics
        For a part of a table, the statistics of the whole table, by which ``tfidf`` and ``codes`` weigh tokens: a
        dictionary from what results call a comparison to :class:`akin.Statistics`, as
        :meth:`akin.Statistics.of_records` counts them. Pairs of records then have the similarities that they have in
        the whole table, the same doubles. Other comparators do not depend on other records. ``nearest`` and learnt
        weights do, and see the part alone; ``model`` keeps weights. The ``job`` of the result has no statistics.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    Duplicates
        A table of ``left`` and ``right``, row numbers from 0 with ``left < right``, sorted by both; ``similarity``, the
        weighted average; and the similarity of each compared column, null if it was skipped. Such a column has the name
        of the compared column, and of its comparator too if the column is compared twice. ``.clusters`` has the
        clusters, ``.keep`` is a mask of the first record of each cluster, ``.stats`` counts the selected and the
        compared pairs, and :meth:`~akin.Duplicates.save_job` writes ``.job`` for ``akin dedupe --job``. For learnt
        weights ``.stats["learnt"]`` has the threshold, whether a record has ``"one"`` partner or ``"many"``, the
        matches, precision and recall that are expected, and whether a ``model`` was applied. ``.stats["suggested"]``
        says which columns are left out of rules that akin found, and why.

    Raises
    ------
    OptionError
        A rule is malformed or names a missing column, or an argument is out of range.
    InputError
        A table or ``gold`` is malformed or not UTF-8, an id is null or not unique, or ``gold`` has no id of a record.
    TypeError, LimitError, DeviceError, MemoryError, OSError
        See the package.

    Notes
    -----
    B. Forchhammer et al., Duplicate Detection on GPUs, sections 4 and 5; see docs/dedupe.md. docs/how-learning.md has
    the model of learnt weights.

    Examples
    --------
    >>> import akin
    >>> people = {"name": ["Anna Schmidt", "Ana Schmidt", "Bert Maier"], "town": ["Ulm", "Ulm", "Bonn"]}
    >>> found = akin.dedupe(people, ["name:jaro-winkler:0.8", "town:exact"], all_pairs=True, threshold=0.9)
    >>> found.head(1).to_dict()
    {'left': [0], 'right': [1], 'similarity': [0.9888888888888889], 'name': [0.9777777777777777], 'town': [1.0]}
    >>> found.keep, found.clusters["cluster"]
    ([True, False, True], [0, 0, 1])

    Pairs that another program has found:

    >>> list(akin.dedupe(people, "name:jaro-winkler", given=[(0, 1), (2, 1)], threshold=0.9))
    [(0, 1, 0.9777777777777777, 0.9777777777777777)]

    Words that count as equal:

    >>> people = {"name": ["Bill Gray", "William Gray", "Wilma Gray"]}
    >>> found = akin.dedupe(people, "name:exact", all_pairs=True, synonyms=[["william", "bill", "will"]])
    >>> list(found)
    [(0, 1, 1.0, 1.0)]

    Rules that akin finds, and weights that it learns:

    >>> people, gold = akin.generate.records(200, duplicates=0.4)
    >>> found = akin.dedupe(people, id="id", gold=gold)
    >>> found.evaluation.f1 > 0.9, found.stats["learnt"]["expected_recall"] > 0.9
    (True, True)
    >>> found.job["weights"], found.job["fold"], found.job["block"][0]
    ('learn', ['all'], {'columns': ['given_name']})
    """
    options: Options = {
        "weights": weights,
        "model": model,
        "answers": answers,
        "ignore": ignore,
        "threshold": threshold,
        "precision": precision,
        "fold": fold,
        "synonyms": synonyms,
        "combine": combine,
        "missing": missing,
        "evidence": evidence,
        "one_to_one": one_to_one,
        "one_per_source": one_per_source,
        "cluster": cluster,
        "max_block": max_block,
        "id": id,
        "show": show,
        "gold": gold,
        "report": report,
        "reproducible": reproducible,
        "lossy": lossy,
        "statistics": statistics,
    }
    selected = {
        "all_pairs": all_pairs, "window": window, "block": block, "similar": similar, "nearest": nearest, "given": given
    }
    run = Settings(threads=threads, device=device, memory=memory, progress=progress, device_memory=device_memory)
    return find(table, None, compare, selected, options, run)


@suggests
def link(
    left: Any,
    right: Any,
    compare: Any = None,
    *,
    all_pairs: bool | Selection = False,
    window: int | Selections = None,
    block: Selections = None,
    similar: Selections = None,
    nearest: int | Selections = None,
    given: Any = None,
    weights: Weights | None = None,
    model: str | os.PathLike[str] | None = None,
    answers: Any = None,
    ignore: Names = None,
    threshold: Number | None = None,
    precision: Number | None = None,
    fold: Any = None,
    synonyms: Any = None,
    combine: Any = None,
    missing: Missing = "zero",
    evidence: Number = 0.5,
    one_to_one: bool = False,
    one_per_source: str | Sides | None = None,
    cluster: str | None = None,
    max_block: int | None = None,
    left_on: Names = None,
    right_on: Names = None,
    id: str | Sides | None = None,
    left_id: str | None = None,
    right_id: str | None = None,
    show: Show = None,
    gold: Any = None,
    report: bool | str | os.PathLike[str] | None = None,
    reproducible: bool = False,
    statistics: Mapping[str, Statistics] | None = None,
    lossy: bool = False,
    threads: int = 0,
    device: str = "auto",
    memory: Size = None,
    device_memory: Size = None,
    progress: Progress | bool | None = None,
) -> Duplicates:
    """Finds the records of two tables that belong together: compares pairs of a left record and a right record as
    :func:`dedupe` does.

    Parameters
    ----------
    left, right
        Tables, dictionaries of lists or paths of files (see the package).
    left_on, right_on
        Columns with different names in the two tables: one name, or several names in the same order. Rules then use the
        name of the left table. In a single rule, :func:`akin.sides` or ``"LEFT=RIGHT"`` in a str does the same.
    id, left_id, right_id
        The column with the ids of records, which are unique: ``id`` in both tables, which may be :func:`akin.sides`, or
        ``left_id`` and ``right_id``. The result then has columns ``left_id`` and ``right_id``. If only one of two
        tables has ids, the ids of the other are its row numbers.
    show
        Columns whose values stand beside the pairs: a name, or a list of names. The result has ``left_NAME`` and
        ``right_NAME`` for each. The name may be in one table or both; :func:`akin.sides` names a column of each.
    compare, all_pairs, window, block, similar, nearest, given, weights, model, answers, ignore, threshold, precision,
    fold, synonyms, combine, missing, evidence, one_to_one, one_per_source, cluster, max_block, gold, report,
    reproducible, statistics
        As in :func:`dedupe`. Rules that akin finds are of columns that have one name in both tables.
    lossy, threads, device, memory, device_memory, progress
        See the package.

    Returns
    -------
    Duplicates
        As :func:`dedupe` returns it; ``right`` has rows of the right table.

    Raises
    ------
    OptionError
        As :func:`dedupe`; or no rule has a name of ``left_on``.
    InputError, TypeError, LimitError, DeviceError, MemoryError, OSError
        As :func:`dedupe`.

    Examples
    --------
    >>> import akin
    >>> shop = {"name": ["red wine", "white bread"]}
    >>> supplier = {"name": ["wine, red", "brown bread"]}
    >>> list(akin.link(shop, supplier, "name:jaccard", all_pairs=True, threshold=0.6))
    [(0, 0, 1.0, 1.0)]
    >>> shop = {"sku": ["A1", "A2"], "name": ["red wine", "white bread"], "price": ["5", "2"]}
    >>> supplier = {"code": ["B1", "B2"], "title": ["brown bread", "wine, red"], "cost": ["2", "5.5"]}
    >>> rules = ["name:jaccard", "price:number/5"]
    >>> names = {"left_on": ["name", "price"], "right_on": ["title", "cost"], "left_id": "sku", "right_id": "code"}
    >>> akin.link(shop, supplier, rules, all_pairs=True, threshold=0.6, **names)
    akin.Table of 2 rows
    left  right  left_id  right_id  similarity  name=title  price=cost
       0      1       A1        B2        0.95           1         0.9
       1      0       A2        B1    0.666667    0.333333           1
    """
    if right is None:
        raise TypeError("right is None; akin.dedupe finds the duplicates of one table")
    options: Options = {
        "weights": weights,
        "model": model,
        "answers": answers,
        "ignore": ignore,
        "threshold": threshold,
        "precision": precision,
        "fold": fold,
        "synonyms": synonyms,
        "combine": combine,
        "missing": missing,
        "evidence": evidence,
        "one_to_one": one_to_one,
        "one_per_source": one_per_source,
        "cluster": cluster,
        "max_block": max_block,
        "left_on": left_on,
        "right_on": right_on,
        "id": id,
        "left_id": left_id,
        "right_id": right_id,
        "show": show,
        "gold": gold,
        "report": report,
        "reproducible": reproducible,
        "lossy": lossy,
        "statistics": statistics,
    }
    selected = {
        "all_pairs": all_pairs, "window": window, "block": block, "similar": similar, "nearest": nearest, "given": given
    }
    run = Settings(threads=threads, device=device, memory=memory, progress=progress, device_memory=device_memory)
    return find(left, right, compare, selected, options, run)

"""Jobs that find, compare or evaluate pairs: join, compare and evaluate."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import graphs, strings, trees
from ._akin import InputError, OptionError
from ._evaluate import evaluate, evaluate_clusters, evaluate_curve
from ._input import File, each_side
from ._job_values import Tables, digits_of, flag_of, has_columns, number_of, text_of, without
from ._join import join
from ._pairs import Pairs, ids_of_rows
from ._results import (
    Given,
    rounded,
    write_clusters,
    write_compared,
    write_pairs,
    write_records,
)
from ._rules import Sides
from ._shown import add_shown, names_to_show, shown_of_clusters, shown_of_pairs
from ._trec import evaluate_trec
from ._write import format_of, put, put_array

# ----------------------------------------------------------------------------------------------------------------- join


# Arguments that say that plain text is text, and not sets of token ids.
_TEXT = (
    "on", "left_on", "right_on", "id", "left_id", "right_id", "tokens", "multiset", "ignore_case", "fold", "stop_words",
    "lossy", "similarity", "levenshtein", "tree_edits", "graph_edits",
)  # fmt: skip


def _are_ids(tables: Tables, arguments: Mapping[str, Any]) -> bool:
    """Whether plain text has token ids: the format says so, or no argument is about text."""
    if not all(isinstance(table, File) for table in tables):
        return False
    is_text = any(map(has_columns, tables)) or any(arguments.get(name) for name in _TEXT)
    return tables[0].format == "ids" or not is_text


def _check_join(tables: Tables, said: Given) -> None:
    """Refuses files that cannot be written, before the work begins."""
    if "deduplicated" in said and (len(tables) > 1 or not isinstance(tables[0], (str, os.PathLike))):
        raise OptionError("deduplicated: expected one file, whose records are copied without duplicates")
    if said.get("count") and (more := [key for key in ("show", "format", "clusters", "clusters-of") if said.get(key)]):
        raise OptionError(f"count and {more[0]}: a number has no columns and no format")
    if "output" in said and not said.get("count"):
        format_of(said["output"], said.get("format"))


def run_join(tables: Tables, arguments: dict[str, Any], said: Given) -> Pairs:
    _check_join(tables, said)
    names = names_to_show(arguments.pop("show", None))
    if "similarity" in said and "similarity" not in arguments:
        name, colon, least = text_of(said["similarity"], "similarity").partition(":")
        arguments |= {"similarity": name, **({"threshold": least} if colon else {})}
    lossy = bool(arguments.get("lossy"))
    if "tree_edits" in arguments:
        found = _join_trees(tables, arguments)
    elif "graph_edits" in arguments:
        others = without(arguments, "graph_edits", "similarity")
        found = graphs.join(*tables, edits=arguments["graph_edits"], **others)
    elif _are_ids(tables, arguments):
        found = _join_ids(tables, names, arguments | {"tokens": "ids"})
    else:
        found = join(*tables, **arguments)
    if "output" in said:
        _write_joined(found, tables, names, said, lossy)
    if "deduplicated" in said:
        write_records(found, tables[0], arguments, said)
    add_shown(found, shown_of_pairs(names, tables, lossy))
    return found


def _join_trees(tables: Tables, arguments: dict[str, Any]) -> Pairs:
    others = without(arguments, "tree_edits", "tree_format", "similarity")
    return trees.join(
        *tables, edits=arguments["tree_edits"], format=arguments.get("tree_format", "brackets"), **others
    )


def _join_ids(tables: Tables, names: Sequence[str | Sides], arguments: dict[str, Any]) -> Pairs:
    """A join of files with token ids. Plain text has them, unless the job names the tokens of text."""
    advice = "" if tables[0].format == "ids" else '; of text the job names "tokens", such as "words"'
    if names:
        raise OptionError(f"show: sets of token ids have no columns{advice}")
    try:
        return join(*tables, **arguments)
    except InputError as error:
        if getattr(error, "reason", None) == "not-a-token":
            error.args = (f"{error.args[0]}{advice}", *error.args[1:])
        raise


def _write_joined(found: Pairs, tables: Tables, names: Sequence[str | Sides], said: Given, lossy: bool) -> None:
    """Writes pairs, their clusters or their number."""
    output, format = said["output"], said.get("format")
    if said.get("count"):
        put(output, [f"{len(found)}\n"])
    elif said.get("clusters") or "clusters-of" in said:
        least = max(number_of(said.get("clusters-of", 1), "clusters-of"), 1)
        write_clusters(
            found, output, format, ids_of_rows(found), least, shown_of_clusters(names, tables, found.rows, lossy)
        )
    else:
        value = "distance" if "distance" in found.columns else "similarity"
        write_pairs(found, output, format, digits_of(said), (value,), False, shown_of_pairs(names, tables, lossy))


# -------------------------------------------------------------------------------------------------------------- compare


def _cross(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    """All cells of two columns; the output is an array of NumPy."""
    for key in ("cutoff", "digits", "format", "safe-csv"):
        if key in said:
            raise OptionError(f"{key}: not for a matrix; leave it out")
    output = said.get("output")
    if output is not None and output != "-" and not output.endswith(".npy"):
        raise OptionError(f"output: a matrix is an array of NumPy; expected FILE.npy, not {output}")
    cells = strings.cdist(*tables, distances=bool(said.get("distance")), **arguments)
    if output is not None:
        put_array(output, cells)
    return cells


def _compare_trees(tables: Tables, said: Given) -> Any:
    """The distance of two trees, or with their mapping."""
    if len(tables) != 2:
        raise OptionError(f"{len(tables)} tree; akin compare expects two")
    found = trees.compare(*tables, format=said.get("tree-format", "brackets"))
    return found if flag_of(said.get("mapping", False), "mapping") else found.distance


def _compare_graphs(tables: Tables, said: Given) -> Any:
    """The distance of two graphs, or with their mapping."""
    if len(tables) != 2:
        raise OptionError(f"{len(tables)} graph; akin compare expects two")
    states = {"budget": number_of(said["budget"], "budget")} if "budget" in said else {}
    found = graphs.compare(*tables, **states)
    return found if flag_of(said.get("mapping", False), "mapping") else found.distance


def run_compare(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    if arguments.get("scorer") == "graph-edits":
        return _compare_graphs(tables, said)
    if arguments.get("scorer") == "tree-edits":
        return _compare_trees(tables, said)
    if "scorer" not in arguments:
        raise OptionError("scorer: expected a comparator, such as 'levenshtein'")
    name = "distance" if said.get("distance") else "similarity"
    is_matrix = flag_of(said.get("matrix", False), "matrix")
    if not said.get("files") and not is_matrix:
        if len(tables) != 2:
            raise OptionError(f"{len(tables)} string; akin compare expects two")
        scorer = strings.scorer_of(
            arguments["scorer"], arguments.get("ignore_case"), arguments.get("fold"), arguments.get("floored", False),
            arguments.get("prefix_scale", 0.1), arguments.get("boost_threshold", 0),
        )  # fmt: skip
        first, second = tables
        value = strings.compare_two(first, second, scorer)[name == "distance"]
        return rounded(value, digits_of(said))
    on = arguments.pop("on", None)
    if on is not None:  # plain text beside a table has no such column
        both = tables if len(tables) == 2 else [*tables, *tables]
        of_sides = zip(("left", "right"), each_side("on", on, None, None, True), both, strict=True)
        arguments |= {f"{side}_on": names for side, names, table in of_sides if has_columns(table)}
    if is_matrix:
        return _cross(tables, arguments, said)
    found = strings.compare(*tables, **arguments)
    if "output" in said:
        write_compared(found, said["output"], said.get("format"), digits_of(said), name)
    return found


# ------------------------------------------------------------------------------------------------------------- evaluate


def run_evaluate(tables: Tables, arguments: dict[str, Any], said: Given) -> Any:
    if said.get("trec"):
        return evaluate_trec(*tables, **arguments)
    if said.get("curve"):
        return evaluate_curve(*tables, **arguments)
    rest = without(arguments, "similarity")
    return evaluate_clusters(*tables, **rest) if "bootstrap" in rest else evaluate(*tables, **rest)

"""Data sets of the package ``datasets`` (Hugging Face), as Arrow streams."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

from ._checks import shown

_ROWS = 1 << 16  # of a batch: what select() and shuffle() choose is copied batch by batch


def of_datasets(data: Any, names: tuple[str, ...]) -> Any:
    """A data set in a form that exports its rows, in the order of the data set. The table within it is not that:
    select, shuffle and filter leave it as it is, and keep the numbers of its rows. The format of the data set, such as
    numpy, does not matter. Anything else is returned as it is."""
    datasets = sys.modules.get("datasets")
    if datasets is None or not hasattr(datasets, "IterableDatasetDict"):  # another module may have this name
        return data
    if isinstance(data, (datasets.DatasetDict, datasets.IterableDatasetDict)):
        split = next(iter(data), "train")
        raise TypeError(
            f"a {type(data).__name__} of the splits {', '.join(map(shown, data))}; expected one of them, such as "
            f"data[{split!r}]"
        )
    if not isinstance(data, (datasets.Dataset, datasets.IterableDataset)):
        return data
    chosen = data.select_columns(list(names)) if names and set(names) <= set(data.column_names or ()) else data
    return _stream_of(chosen.with_format("arrow"))


def _stream_of(data: Any) -> Any:
    """The rows of a data set in Arrow's format."""
    import pyarrow

    batches: Iterator[Any] = (batch for table in data.iter(_ROWS) for batch in table.to_batches())
    first = next(batches, None)
    if first is None:
        return data[:0] if hasattr(data, "select") else pyarrow.table({name: [] for name in data.column_names or ()})
    return pyarrow.RecordBatchReader.from_batches(first.schema, chain((first,), batches))

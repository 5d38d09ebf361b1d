"""Tables of events to tensors: `polyad.from_table`."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._labels import label_text
from ._tensor import Tensor
from ._types import AnyArray
from .errors import DataError, UsageError

Modes = Union[Mapping[str, str], Sequence[str]]


def _mode_texts(modes: Modes) -> list[str]:
    if isinstance(modes, str):
        raise UsageError(f"modes= must be a list or a dictionary, not the text '{modes}'")
    if not isinstance(modes, Mapping):
        return [str(m) for m in modes]
    for name in modes:
        if not str(name) or any(c in str(name) for c in "=:"):
            raise UsageError(f"modes=: '{name}' cannot be the name of a mode: '=' and ':' have a meaning there")
    return [f"{name}={column}" for name, column in modes.items()]


def _by_name(option: str, given: Any) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if isinstance(given, Mapping):
        return [f"{name}={value}" for name, value in given.items()]
    raise UsageError(f"{option}= must be a text or a dictionary, not {type(given).__name__}")


def _coded(column: Any, plain: bool) -> tuple[list[str], AnyArray, bool, Optional[str]]:
    """Values as texts, codes of the rows, whether the values have an order, and the layout of timestamps."""
    import pandas

    if isinstance(column.dtype, pandas.CategoricalDtype):
        return [label_text(c) for c in column.cat.categories], column.cat.codes.to_numpy(), True, None
    if isinstance(column.dtype, pandas.PeriodDtype):
        column = column.dt.to_timestamp()
    if column.dtype.kind == "M" or hasattr(column.dtype, "tz"):
        if getattr(column.dt, "tz", None) is not None:
            column = column.dt.tz_localize(None)  # the hour where it happened
        if not plain:
            column = column.dt.floor("h")
        codes, values = pandas.factorize(column)
        days_only = len(values) == 0 or bool((values == values.normalize()).all())
        texts = values.strftime("%Y-%m-%d" if days_only else "%Y-%m-%d %H:%M:%S")
        return list(texts), codes, False, "Y-m-d" if days_only else "Y-m-d H:M:S"
    codes, values = pandas.factorize(column)
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "f":
        return [repr(float(v)) if not float(v).is_integer() else str(int(v)) for v in values], codes, False, None
    return [label_text(v) for v in values], codes, False, None


def _is_plain(column: str, modes: list[str]) -> bool:
    return any(m == column or m.endswith(f"={column}") for m in modes)


def from_table(
    table: Any,
    modes: Modes,
    value: Optional[str] = None,
    *,
    order: Optional[Mapping[str, str]] = None,
    time_layout: Union[str, Mapping[str, str], None] = None,
    bad_rows: str = "refuse",
    **file_options: Any,
) -> Tensor:
    """Make a tensor of a table with one row per event: each cell counts its rows, or adds up a column.

    table: a pandas DataFrame, or the name of a CSV file (also .gz, .zst), which is read without pandas.
    modes: {name: column} or {name: 'column:function'}, or a list of columns. Functions of timestamps are day, week, month,
        year, hour, weekday and month-of-year; 'bin=WIDTH' puts numbers into bins. Columns of categories keep their order,
        and categories that no row has. Texts are read as timestamps where a function asks for it.
    value: the column to add up; without it rows are counted.
    order: {mode: 'natural', 'frequency' or 'appearance'}.
    time_layout: how texts hold timestamps, such as 'd.m.Y H:M'; otherwise recognised from all rows, see tensor.remarks.
    bad_rows: 'refuse' or 'skip' rows that cannot be read. Rows with empty cells are left out; tensor.remarks counts them.
    file_options: of CSV files: separator=, encoding=, short_rows=, raw=.

    >>> import pandas as pd, polyad
    >>> events = pd.DataFrame({"when": pd.to_datetime(["2024-01-01 08:10", "2024-01-03 09:00"]), "shop": ["a", "b"]})
    >>> polyad.from_table(events, {"day": "when:day", "shop": "shop"}).shape
    (3, 2)
    """
    texts = _mode_texts(modes)
    options: dict[str, Any] = {"mode": texts, "order": _by_name("order", order), "bad_rows": bad_rows, "value": value}
    layouts = _by_name("time_layout", time_layout)
    if isinstance(table, (str, os.PathLike)):
        return Tensor(_core.import_file(os.fspath(table), {**options, "time_layout": layouts, **file_options}))
    if file_options:
        raise UsageError(f"{next(iter(file_options))}= is for files of tables")
    if not hasattr(table, "columns") or not hasattr(table, "iloc"):
        raise DataError(f"from_table: expected a DataFrame or the name of a CSV file, not {type(table).__name__}")
    names = [str(c) for c in table.columns]
    used = [k for k, name in enumerate(names) if name == value or any(_mentions(text, name) for text in texts)]
    columns = []
    for k in used or range(min(1, len(names))):
        values, codes, given, layout = _coded(table.iloc[:, k], _is_plain(names[k], texts) or names[k] == value)
        columns.append((names[k], values, codes, given))
        if layout is not None and not any(text.startswith(f"{names[k]}=") for text in layouts):
            layouts.append(f"#{len(columns)}={layout}")
    missing = [name for name in ([value] if value is not None else []) if name not in names]
    if missing:
        raise UsageError(f"value=: the table has no column '{missing[0]}'; its columns: {', '.join(names)}")
    return Tensor(_core.import_columns(columns, {**options, "time_layout": layouts}))


def _mentions(text: str, column: str) -> bool:
    """Whether a mode's text names this column: alone, after 'NAME=', or before ':FUNCTION'."""
    rest = text
    for part in (text, text.partition("=")[2]):
        if part == column or (part.startswith(f"{column}:") and ":" not in part[len(column) + 1 :]):
            return True
    return rest == column

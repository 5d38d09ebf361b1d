"""A model at work on data that it was not fitted to: `polyad.transform`, `polyad.predict`, `polyad.fill_missing`, `polyad.top_cells`."""

from __future__ import annotations

import os
import warnings as _warnings
from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from . import _core
from ._labels import label_text, mode_position
from ._losses import known_function
from ._model import Model, model_of
from ._tensor import Tensor, tensor
from ._types import Array
from .errors import DataError, UsageError

if TYPE_CHECKING:
    import pandas

_TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst")


class Transformed:
    """What `polyad.transform` returns: the rows of new slices, and how exactly they were found."""

    def __init__(self, found: tuple[Any, ...]) -> None:
        file, mode, states, residuals, remarks, visited, seconds, interrupted = found
        #: The model with the new rows in place of its own; weights are 1, they are in the rows.
        self.model: Model = Model._of(file)
        #: The mode of the new rows.
        self.mode: str = self.model.mode_names[mode]
        #: How each row ended: 'solved', 'stopped' (not to the tolerance) or 'no data' (the row is zero).
        self.states: list[str] = states
        #: How far each row is from a minimum: the relative KKT residual.
        self.residuals: Array = residuals
        #: How labels were matched, and what was left out.
        self.remarks: list[str] = remarks
        #: What a row was found from.
        self.visited: str = visited
        #: How long it took.
        self.seconds: float = seconds
        #: Whether Ctrl-C ended it; rows that were not begun are left out.
        self.interrupted: bool = interrupted
        self._mode = mode

    @property
    def rows(self) -> pandas.DataFrame:
        """The new rows: one per label, one column per component, with the components' weights."""
        return self.model.factors[self._mode]

    def __repr__(self) -> str:
        return f"<polyad.Transformed {len(self.states)} rows of {self.mode}, largest KKT residual {max(self.residuals, default=0.0):.2g}>"


def _data_for(model: Model, data: Any, options: dict[str, Any]) -> Tensor:
    """Data as `polyad.tensor` takes them; a table is read in the way that the model's own data were."""
    if isinstance(data, (str, os.PathLike)) and os.fspath(data).endswith(_TABLES):
        return Tensor(_core.open_new_data(model._file, os.fspath(data), options))
    return tensor(data, **options)


def _model_and_options(model: Any, what: str, options: dict[str, Any]) -> tuple[Model, dict[str, Any]]:
    if hasattr(model, "judge") and not isinstance(model, Model):
        model.judge()  # of a result: how the data scatter is then known
    chosen = model_of(model)
    loss = options.get("loss")
    if loss is not None and not isinstance(loss, str):
        options["loss"] = loss.spec
    if what != "transform" and known_function(str(options.get("loss") or chosen.loss)) is not None:
        raise UsageError(f"{what}() needs one of polyad's losses or a formula; '{chosen.loss}' is a Python function")
    return chosen, {k: v for k, v in options.items() if v is not None}


def transform(
    model: Any,
    data: Any,
    *,
    mode: Any = None,
    unknown: str = "error",
    loss: Any = None,
    lower: Optional[float] = None,
    upper: Optional[float] = None,
    tolerance: Optional[float] = None,
    zero_samples: Optional[int] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    warn: bool = True,
    **data_options: Any,
) -> Transformed:
    """Find how strong a model's components are in new slices: new days, users, samples. All other modes stay as they are.

    Data and model meet by label: modes by name, in any order, and indices by their labels; without labels by position. Rows are
    exact minima, with the components' weights in them and in the model's order.

    model: a `Model`, a result of `polyad.fit`, or a file.
    data: anything that `polyad.tensor` takes, with its options as further keywords; or a table (.csv), where the model's own data
        came from one.
    mode: mode of the new slices, a name or a number from 0; otherwise the one in which the data have new labels.
    unknown: labels that the model does not know, in other modes: 'error', or 'ignore' to leave their cells out.
    loss: of a model that does not name its own.
    lower, upper: bounds of the new rows; None: 0 where the model's factors are at least 0, and none.
    tolerance: relative KKT residual at which a row counts as solved.
    zero_samples, seed: sampled cells per row that stand for its zeros, where there are too many to visit them all.
    warn: whether to warn of rows without data and of rows that were not solved.

    >>> import numpy as np, polyad
    >>> m = polyad.Model([1.0], [np.ones((2, 1)), np.array([[3.0], [4.0]]) / 5])
    >>> polyad.transform(m, np.array([[6.0, 8.0]]), mode=0, loss="gaussian").rows.round(3).values.tolist()
    [[10.0]]
    """
    options = dict(loss=loss, unknown=unknown, lower=lower, upper=upper, tolerance=tolerance, zero_samples=zero_samples, seed=seed, threads=threads)
    chosen, given = _model_and_options(model, "transform", options)
    if mode is not None:
        given["mode"] = str(mode_position(chosen.mode_names, mode) + 1)
    own = known_function(str(given.get("loss") or chosen.loss))
    found = Transformed(_core.transform(chosen._file, _data_for(chosen, data, data_options)._core, given, own))
    for state, text in (("no data", "rows have no data and are zero"), ("stopped", "rows were not solved to the tolerance")):
        if warn and state in found.states:
            _warnings.warn(f"{found.states.count(state)} of {len(found.states)} {text}", stacklevel=2)
    return found


def _cells_of(model: Model, table: Any, unknown: str) -> tuple[list[Any], Any, int]:
    """Indices of the cells that the rows of a DataFrame name, their values, and how many rows were left out."""
    import pandas

    if unknown not in ("error", "ignore"):
        raise UsageError(f"unknown= must be 'error' or 'ignore' (is {unknown!r})")
    columns = []
    for k, name in enumerate(model.mode_names):
        if name not in table.columns:
            raise DataError(f"the table has no column '{name}'; it has {', '.join(map(str, table.columns))}")
        labels = model.labels[k]
        if labels is None:
            numbers = pandas.to_numeric(table[name], errors="coerce").to_numpy(dtype=float)
            inside = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < model.shape[k])
            column = np.where(inside, numbers, -1).astype(np.int64)
        else:
            column = pandas.Index(labels).get_indexer([label_text(v) for v in table[name]])
        bad = column < 0
        if bad.any() and unknown == "error":
            strange = list(dict.fromkeys(label_text(v) for v in table[name][bad]))
            more = f" and {len(strange) - 5} more" if len(strange) > 5 else ""
            known = "" if labels is not None else f", which has indices from 0 to {model.shape[k] - 1}"
            raise DataError(f"the model does not know {', '.join(map(repr, strange[:5]))}{more} of {name}{known}; unknown='ignore' leaves such rows out")
        columns.append(column)
    kept = np.all([c >= 0 for c in columns], axis=0)
    values = table["value"].to_numpy(dtype=float) if "value" in table.columns else np.full(len(table), np.nan)
    return [c[kept] for c in columns], values[kept], int((~kept).sum())


def _frame(model: Model, found: tuple[Any, ...], left_out: int, warn: bool) -> pandas.DataFrame:
    import pandas

    cells, values, expected, low, high, missed, why = found
    columns: dict[str, Any] = {}
    for k, name in enumerate(model.mode_names):
        labels = model.labels[k]
        columns[name] = cells[k] if labels is None else np.array(labels, dtype=object)[cells[k]]
    known = bool((~np.isnan(values)).any())
    if known:
        columns["value"] = values
    columns["expected"] = expected
    if low is not None:
        columns.update(low=low, high=high)
    if known:
        columns["residual"] = values - expected
    if warn and why:
        _warnings.warn(f"no intervals: {why}", stacklevel=3)
    if warn and left_out + missed:
        _warnings.warn(f"{left_out + missed} rows have labels that the model does not know and were left out", stacklevel=3)
    return pandas.DataFrame(columns)


def predict(
    model: Any,
    cells: Any,
    *,
    level: float = 0.9,
    scale: Optional[float] = None,
    unknown: str = "error",
    loss: Any = None,
    threads: Optional[int] = None,
    warn: bool = True,
) -> pandas.DataFrame:
    """What a model expects in some cells, as a DataFrame: the modes, value (where known), expected, low, high, residual.

    expected is the mean of the data as the loss has it: a probability for yes/no, a count for counts. Between low and high lies a
    share `level` of such data by the loss's likelihood; losses without one have no such columns.

    model: a `Model`, a result of `polyad.fit`, or a file.
    cells: a DataFrame with a column of labels per mode (indices from 0 where a mode has no labels) and `value` where it is known;
        rows of indices, or a tuple with one array of indices per mode, from 0; or the name of a table (.csv; indices from 1 there).
    scale: standard deviation (gaussian) or shape (gamma) of the data; None: as fitted.
    unknown: labels that the model does not know: 'error', or 'ignore' to leave their rows out.
    loss: of a model that does not name its own.
    warn: whether to say why there are no intervals, and how many rows were left out.

    >>> import numpy as np, polyad
    >>> m = polyad.Model([2.0], [np.ones((2, 1)), np.ones((3, 1))])
    >>> polyad.predict(m, [[0, 2]], loss="poisson")
       mode 1  mode 2  expected  low  high
    0       0       2       2.0  0.0   5.0
    """
    chosen, given = _model_and_options(model, "predict", dict(level=level, scale=scale, unknown=unknown, loss=loss, threads=threads))
    if isinstance(cells, (str, os.PathLike)):
        return _frame(chosen, _core.predict_file(chosen._file, os.fspath(cells), given), 0, warn)
    left_out = 0
    if hasattr(cells, "columns") and hasattr(cells, "iloc"):
        columns, values, left_out = _cells_of(chosen, cells, unknown)
    else:
        columns = [c.reshape(-1) for c in chosen._columns_of(cells)]
        values = np.full(len(columns[0]), np.nan)
    return _frame(chosen, _core.predict(chosen._file, columns, values, given), left_out, warn)


def top_cells(
    model: Any,
    count: int = 10,
    where: Optional[Mapping[Any, Any]] = None,
    *,
    seen: Any = None,
    level: float = 0.9,
    scale: Optional[float] = None,
    loss: Any = None,
    threads: Optional[int] = None,
    warn: bool = True,
) -> pandas.DataFrame:
    """The cells in which a model expects most, largest first, as `polyad.predict` has them.

    where: {mode: label} holds modes at a label (an index from 0 where a mode has none).
    seen: data whose listed or observed cells are left out, as in recommendations of what is new.
    """
    chosen, given = _model_and_options(model, "top_cells", dict(level=level, scale=scale, loss=loss, threads=threads))
    if not isinstance(count, (int, np.integer)) or count < 1:
        raise UsageError(f"count must be at least 1 (is {count!r})")
    held = []
    for mode, label in (where or {}).items():
        k = mode_position(chosen.mode_names, mode)
        if chosen.labels[k] is not None:
            held.append(f"{k + 1}={label_text(label)}")
        elif isinstance(label, (int, np.integer)) and 0 <= label < chosen.shape[k]:
            held.append(f"{k + 1}={int(label) + 1}")
        else:
            raise DataError(f"where=: {chosen.mode_names[k]} has indices from 0 to {chosen.shape[k] - 1}, not {label!r}")
    data = None if seen is None else _data_for(chosen, seen, {})._core
    return _frame(chosen, _core.top_cells(chosen._file, int(count), held, data, given), 0, warn)


def fill_missing(model: Any, data: Any, *, loss: Any = None, unknown: str = "error", **data_options: Any) -> Tensor:
    """The data with every missing cell filled in by what the model expects, in the order of the model's modes.

    data: anything that `polyad.tensor` takes, with its options as further keywords; result.to_numpy() is an array.
    """
    chosen, given = _model_and_options(model, "fill_missing", dict(loss=loss, unknown=unknown))
    return Tensor(_core.fill_missing(chosen._file, _data_for(chosen, data, data_options)._core, given))

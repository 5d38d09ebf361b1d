"""Data of every kind that people have, as one: `polyad.tensor(...)` makes a `polyad.Tensor`."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from .errors import DataError, UsageError

ModeLabels = Union[Mapping[Any, Sequence[Any]], Sequence[Optional[Sequence[Any]]]]


def label_text(value: Any) -> str:
    """A label as text: dates in ISO form without a time of 00:00:00, whole floats without '.0'."""
    if isinstance(value, np.datetime64) or type(value).__name__ in ("Timestamp", "datetime", "date"):
        text = str(np.datetime64(value, "s") if not isinstance(value, np.datetime64) else value.astype("datetime64[s]"))
        return text[:10] if text.endswith("T00:00:00") else text.replace("T", " ")
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


class Tensor:
    """Data with labels, weights and missing cells, ready to be fitted any number of times.

    Made by `polyad.tensor`, `polyad.from_table` and `polyad.load`. A dense array of float64 in C order is borrowed, not
    copied: do not change it while the tensor is in use.
    """

    def __init__(self, core: _core.Tensor) -> None:
        self._core = core

    @property
    def shape(self) -> tuple[int, ...]:
        """Extent of each mode."""
        return self._core.shape

    @property
    def ndim(self) -> int:
        """Number of modes."""
        return len(self._core.shape)

    @property
    def is_sparse(self) -> bool:
        """Whether the data are a list of cells."""
        return self._core.is_sparse

    @property
    def nnz(self) -> int:
        """Number of listed cells (sparse) or of observed ones (dense)."""
        return self._core.listed

    @property
    def observed(self) -> float:
        """Number of cells that are data; may be beyond 2**64."""
        return self._core.observed

    @property
    def mode_names(self) -> list[str]:
        """Names of the modes; 'mode 1' and so on where they have none."""
        return [name or f"mode {k + 1}" for k, name in enumerate(self._core.mode_names)]

    @property
    def labels(self) -> list[Optional[list[str]]]:
        """The labels of each mode, or None where its indices have only numbers."""
        return [self._core.labels(k) or None for k in range(self.ndim)]

    @property
    def remarks(self) -> list[str]:
        """What was found and decided while the data were read."""
        return self._core.remarks

    @property
    def name(self) -> str:
        """What reports call the data."""
        return self._core.name

    def advice(self) -> list[tuple[str, str]]:
        """Losses that suit these values, best first, with the reason."""
        return self._core.advice()

    def to_numpy(self) -> np.ndarray:
        """All cells as an array: NaN where they are missing. Dense data are shown in place, read-only."""
        values = self._core.values()
        if values is not None:
            return values
        cells = float(np.prod([float(n) for n in self.shape]))
        if cells > 1e9:
            raise DataError(f"{cells:.3g} cells do not fit into an array; to_coo() has the listed ones")
        cells_of, listed, _ = self._core.entries()
        full = np.full(self.shape, np.nan if self._core.unlisted == "missing" else 0.0)
        full[tuple(cells_of)] = listed
        missing = self._core.missing()
        if len(missing[0]):
            full[tuple(missing)] = np.nan
        return full

    def to_coo(self) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
        """(coords, values, shape) of sparse data; coords has one row per mode."""
        entries = self._core.entries()
        if entries is None:
            raise UsageError("to_coo() is for sparse data; to_numpy() shows dense ones")
        return np.array(entries[0], dtype=np.int64).reshape(self.ndim, -1), entries[1], self.shape

    def save(self, path: Union[str, os.PathLike[str]], *, mat73: bool = False, raw: bool = False) -> None:
        """Write the data: .h5, .tns, .csv, .npy, .npz, .mat and others, by extension."""
        self._core.save(os.fspath(path), mat73=mat73, raw=raw)

    def __repr__(self) -> str:
        names = ", ".join(self.mode_names)
        return f"<polyad.Tensor {self._core.describe()}; modes: {names}>"

    def __reduce__(self) -> Any:
        return _restore, _state(self)


def _state(tensor: Tensor) -> tuple[Any, ...]:
    core = tensor._core
    dense = core.values()
    missing = None if dense is not None else core.missing()
    body = (np.array(dense), core.weights()) if dense is not None else core.entries()
    labels = [core.labels(k) for k in range(tensor.ndim)]
    return (tensor.shape, body, missing, core.unlisted, core.zero_weight, core.mode_names, labels, core.name)


def _restore(shape: Any, body: Any, missing: Any, unlisted: str, zero_weight: float, names: Any, labels: Any, name: str) -> Tensor:
    if missing is None:
        core = _core.Tensor.dense(body[0], name)
        if body[1] is not None:
            core.set_dense_weights(body[1])
    else:
        core = _core.Tensor.sparse(body[0], body[1], shape, body[2], unlisted, name)
        if len(missing[0]):
            core.set_missing(missing)
        if zero_weight != 1.0:
            core.set_zero_weight(zero_weight)
    core.set_labels(names, labels)
    return Tensor(core)


def _numbers(array: Any, what: str = "data") -> np.ndarray:
    """As float64 in C order; borrowed where it is that already. Says what to do about anything that is not numbers."""
    if isinstance(array, np.ma.MaskedArray):
        array = array.astype(np.float64).filled(np.nan)
    values = np.asarray(array)
    if values.dtype == object:
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise DataError(f"{what}: dtype object does not hold numbers; convert it with .astype(float), or use polyad.from_table for a table") from None
    if values.dtype.kind == "c":
        raise DataError(f"{what}: complex numbers are not supported; take .real, .imag or abs()")
    if values.dtype.kind in "USV":
        raise DataError(f"{what}: dtype {values.dtype} is text; convert it with .astype(float), or use polyad.from_table for a table")
    if values.dtype.kind in "mM":
        raise DataError(f"{what}: dtype {values.dtype} holds times, not numbers; convert it to numbers first")
    if values.dtype.kind == "f" and values.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            values = values.astype(np.float64)
    return np.ascontiguousarray(values, dtype=np.float64).reshape(values.shape)


def _indices(array: Any, what: str) -> np.ndarray:
    values = np.asarray(array)
    if values.size == 0:
        return values.astype(np.int64)
    if values.dtype.kind not in "iu":
        raise DataError(f"{what}: indices must be whole numbers, not dtype {values.dtype}; convert them with .astype(int)")
    if values.dtype == np.uint64 and values.max() > np.iinfo(np.int64).max:
        raise DataError(f"{what}: index {values.max()} is too large")
    return np.ascontiguousarray(values, dtype=np.int64)


def _sparse(coords: Any, values: Any, shape: Any, unlisted: str, weights: Any = None) -> _core.Tensor:
    cells = [_indices(c, "coords") for c in coords]
    numbers = _numbers(values, "values").reshape(-1)
    if not cells:
        raise DataError("coords: give one array of indices per mode")
    if weights is not None:
        weights = _numbers(weights, "weights").reshape(-1)
    missing = np.isnan(numbers)
    extents = None if shape is None else [_extent(n) for n in shape]
    if extents is not None and len(extents) != len(cells):
        raise DataError(f"shape has {len(extents)} modes, coords have {len(cells)} rows; coords has one row per mode")
    if not missing.any():
        return _core.Tensor.sparse(cells, numbers, extents, weights, unlisted)
    if extents is None:
        extents = [int(c.max()) + 1 for c in cells]
    core = _core.Tensor.sparse([c[~missing] for c in cells], numbers[~missing], extents, None if weights is None else weights[~missing], unlisted)
    if unlisted != "missing":
        core.set_missing([c[missing] for c in cells])
    return core


def _extent(n: Any) -> int:
    try:
        extent = int(n)
    except (TypeError, ValueError):
        extent = -1
    if extent != n or extent < 0:
        raise DataError(f"shape: {n!r} is not a whole number of at least 1")
    return extent


def _of_scipy(data: Any, unlisted: str) -> _core.Tensor:
    coo = data.tocoo()
    coords = coo.coords if hasattr(coo, "coords") else (coo.row, coo.col)
    return _sparse(coords, coo.data, coo.shape, unlisted)


def _of_coo(data: Any, unlisted: str) -> _core.Tensor:
    fill = float(data.fill_value)
    if fill != 0 and not np.isnan(fill):
        raise DataError(f"sparse array with fill_value {fill}: polyad takes 0 (unlisted cells are zeros) or NaN (they are missing)")
    if np.isnan(fill):
        unlisted = "missing"
    return _sparse(data.coords, data.data, data.shape, unlisted)


def _of_frame(data: Any) -> tuple[_core.Tensor, list[str], list[Any]]:
    for axis, index in (("index", data.index), ("columns", data.columns)):
        if index.nlevels > 1:
            raise DataError(f"the {axis} of this DataFrame has several levels: use polyad.from_table(data.stack().reset_index(), ...), or data.to_xarray()")
    text = [str(c) for c, kind in data.dtypes.items() if kind == object or str(kind) in ("category", "string") or str(kind).startswith("datetime")]
    if text:
        raise DataError(f"column '{text[0]}' of this DataFrame holds no numbers: for a table of events or long data use polyad.from_table(data, modes=...)")
    core = _core.Tensor.dense(_numbers(data.to_numpy(dtype=np.float64, na_value=np.nan)))
    names = [str(n) if n is not None else "" for n in (data.index.name, data.columns.name)]
    return core, names, [_frame_labels(data.index), _frame_labels(data.columns)]


def _frame_labels(index: Any) -> Any:
    return None if type(index).__name__ == "RangeIndex" else index


def _of_xarray(data: Any) -> tuple[_core.Tensor, list[str], list[Any]]:
    values = data.data
    if hasattr(values, "coords") and hasattr(values, "fill_value"):
        core = _of_coo(values, "zero")
    else:
        core = _core.Tensor.dense(_numbers(values))
    labels = [data.coords[d].values if d in data.coords and data.coords[d].ndim == 1 else None for d in data.dims]
    if data.name is not None:
        core.name = str(data.name)
    return core, [str(d) for d in data.dims], labels


def _is_pandas(data: Any, kind: str) -> bool:
    return type(data).__name__ == kind and type(data).__module__.split(".")[0] == "pandas"


def _core_of(data: Any, shape: Any, unlisted: str) -> tuple[_core.Tensor, Optional[list[str]], Optional[list[Any]]]:
    if isinstance(data, tuple) and len(data) in (2, 3) and not np.isscalar(data[0]):
        if shape is not None and len(data) == 3:
            raise UsageError("shape= is given twice: within (coords, values, shape) and by itself")
        return _sparse(data[0], data[1], data[2] if len(data) == 3 else shape, unlisted), None, None
    if shape is not None:
        raise UsageError("shape= is for files and for (coords, values); this data has a shape of its own")
    if _is_pandas(data, "DataFrame"):
        return _of_frame(data)
    if _is_pandas(data, "Series") and data.index.nlevels > 1:
        return _of_series(data, unlisted)
    if hasattr(data, "dims") and hasattr(data, "coords") and hasattr(data, "values"):
        return _of_xarray(data)
    if hasattr(data, "fill_value") and hasattr(data, "coords") and hasattr(data, "data"):
        return _of_coo(data, unlisted), None, None
    if hasattr(data, "tocoo") and hasattr(data, "shape"):
        return _of_scipy(data, unlisted), None, None
    if hasattr(data, "subs") and hasattr(data, "vals"):  # pyttb.sptensor
        return _sparse(np.asarray(data.subs).reshape(-1, len(data.shape)).T, np.asarray(data.vals).reshape(-1), data.shape, unlisted), None, None
    if not isinstance(data, np.ndarray) and isinstance(getattr(data, "data", None), np.ndarray) and hasattr(data, "shape"):
        return _core.Tensor.dense(_numbers(np.asarray(data.data).reshape(data.shape))), None, None  # pyttb.tensor
    values = _numbers(data)
    if values.ndim == 0:
        raise DataError(f"data of type {type(data).__name__} has no modes: give an array, a sparse array, a DataFrame or the name of a file")
    return _core.Tensor.dense(values), None, None


def _of_series(data: Any, unlisted: str) -> tuple[_core.Tensor, list[str], list[Any]]:
    index = data.index.remove_unused_levels()
    core = _sparse(index.codes, data.to_numpy(), [len(level) for level in index.levels], unlisted)
    return core, [str(n) if n is not None else "" for n in index.names], list(index.levels)


def mode_position(names: Sequence[str], mode: Any) -> int:
    """The position of a mode given by its name, or by its number from 0."""
    if isinstance(mode, str):
        if mode in names:
            return list(names).index(mode)
        raise UsageError(f"there is no mode '{mode}'; the modes are {', '.join(names)}")
    try:
        position = int(mode)
    except (TypeError, ValueError):
        raise UsageError(f"a mode is a name or a number from 0, not {mode!r}") from None
    if not -len(names) <= position < len(names):
        raise UsageError(f"there is no mode {mode}: there are {len(names)}, counted from 0")
    return position % len(names)


def _set_labels(core: _core.Tensor, names: Optional[Sequence[str]], labels: Optional[ModeLabels]) -> None:
    given = list(core.mode_names)
    if names is not None:
        if len(names) != len(given):
            raise UsageError(f"mode_names= has {len(names)} names, the data have {len(given)} modes")
        given = [str(n) for n in names]
    texts = [core.labels(k) for k in range(len(given))]
    shown = [name or f"mode {k + 1}" for k, name in enumerate(given)]
    if labels is not None:
        if isinstance(labels, Mapping):
            items = [(mode_position(shown, mode), entries) for mode, entries in labels.items()]
        else:
            if len(labels) != len(given):
                raise UsageError(f"labels= has {len(labels)} lists, the data have {len(given)} modes; a dictionary gives some of them")
            items = list(enumerate(labels))
        for k, entries in items:
            if entries is None:
                continue
            if isinstance(entries, (str, os.PathLike)):
                raise UsageError(f"labels= of {shown[k]} must be a list of labels, not the text {entries!r}")
            texts[k] = [label_text(e) for e in entries]
            if len(texts[k]) != core.shape[k]:
                raise DataError(f"labels= of {shown[k]}: {len(texts[k])} labels for {core.shape[k]} indices")
    core.set_labels(given, texts)


def _set_mask(core: _core.Tensor, mask: Any) -> None:
    if hasattr(mask, "coords") and hasattr(mask, "fill_value"):
        cells = [c[np.asarray(mask.data) != 0] for c in mask.coords]
    elif isinstance(mask, tuple):
        cells = [_indices(c, "mask") for c in mask]
    else:
        array = np.asarray(mask)
        if array.dtype.kind not in "biuf" or (array.dtype.kind != "b" and not np.isin(array, (0, 1)).all()):
            raise DataError("mask= must be True (missing) or False (data) for each cell, or a tuple with one array of indices per mode")
        if array.shape != tuple(core.shape):
            raise DataError(f"mask= has shape {array.shape}, the data have {tuple(core.shape)}")
        cells = list(np.nonzero(array))
    if len(cells) != len(core.shape):
        raise DataError(f"mask= has indices of {len(cells)} modes, the data have {len(core.shape)}")
    core.set_missing([np.ascontiguousarray(c, dtype=np.int64) for c in cells])


def _set_weights(core: _core.Tensor, weights: Any) -> None:
    if not core.is_sparse:
        core.set_dense_weights(_numbers(weights, "weights"))
    elif isinstance(weights, tuple) and len(weights) == 2:
        core.set_sparse_weights([_indices(c, "weights") for c in weights[0]], _numbers(weights[1], "weights").reshape(-1))
    elif hasattr(weights, "coords") and hasattr(weights, "data"):
        core.set_sparse_weights(list(weights.coords), _numbers(weights.data, "weights"))
    else:
        raise DataError("weights= of sparse data must be (coords, weights) or a sparse.COO; cells without one have weight 1, unlisted zeros zero_weight=")


def tensor(
    data: Any,
    *,
    mask: Any = None,
    weights: Any = None,
    unlisted: str = "zero",
    zero_weight: Optional[float] = None,
    labels: Optional[ModeLabels] = None,
    mode_names: Optional[Sequence[str]] = None,
    shape: Optional[Sequence[int]] = None,
    base: Optional[int] = None,
    variable: Optional[str] = None,
    memory_map: Optional[str] = None,
) -> Tensor:
    """Make a `Tensor` of an array, a sparse array, a DataFrame, an xarray, or the name of a file.

    data: a NumPy array (NaN is missing) or anything that converts to one; sparse.COO; a scipy sparse matrix;
        (coords, values, shape) or (coords, values) with one row of coords per mode; a wide DataFrame of numbers; a Series
        with several index levels; an xarray.DataArray; a tensor or sptensor of pyttb; a path of any file that polyad reads;
        a `Tensor`. Tables of events go through `polyad.from_table`.
    mask: cells that are missing: an array of bool (True: missing) or a tuple with one array of indices per mode. Where such
        cells have values, the fit does not see them, and they judge it (held-out cells).
    weights: an array for dense data; (coords, weights) or a sparse.COO for sparse data. Weight 0 makes a cell missing.
    unlisted: whether cells that sparse data do not list are 'zero' or 'missing'.
    zero_weight: weight of every unlisted zero.
    labels: names of indices: a list per mode (None: none), or a dictionary {mode: list}.
    mode_names: names of the modes.
    shape: of (coords, values), or of a .tns file.
    base, variable, memory_map: of files; see docs/reference.md.

    >>> import numpy as np, polyad
    >>> polyad.tensor(np.ones((2, 3)), mode_names=["shop", "month"])
    <polyad.Tensor 2 x 3, dense, 6 cells; modes: shop, month>
    """
    if isinstance(data, Tensor):
        if shape is not None or base is not None or variable is not None or memory_map is not None:
            raise UsageError("shape=, base=, variable= and memory_map= are for files, not for a polyad.Tensor")
        if mask is None and weights is None and zero_weight is None and labels is None and mode_names is None:
            return data
        core = data._core.copy()
        names: Optional[Sequence[str]] = None
        entries: Optional[ModeLabels] = None
    elif isinstance(data, (str, os.PathLike)):
        text = {} if shape is None else {"shape": "x".join(str(_extent(n)) for n in shape)}
        files = {k: os.fspath(v) for k, v in (("missing", mask), ("weights", weights)) if isinstance(v, (str, os.PathLike))}
        mask, weights = (None if k in files else v for k, v in (("missing", mask), ("weights", weights)))
        core = _core.Tensor.open(os.fspath(data), {"unlisted": unlisted, "base": base, "variable": variable, "memory_map": memory_map, **text, **files})
        names, entries = None, None
    else:
        for option, value in (("base", base), ("variable", variable), ("memory_map", memory_map)):
            if value is not None:
                raise UsageError(f"{option}= is for files")
        if unlisted not in ("zero", "missing"):
            raise UsageError(f"unlisted= must be 'zero' or 'missing' (is {unlisted!r})")
        core, names, entries = _core_of(data, shape, unlisted)
    if names is not None or entries is not None:
        _set_labels(core, names, entries)
    if labels is not None or mode_names is not None:
        _set_labels(core, mode_names, labels)
    if weights is not None:
        _set_weights(core, weights)
    if mask is not None:
        _set_mask(core, mask)
    if zero_weight is not None:
        core.set_zero_weight(zero_weight)
    return Tensor(core)

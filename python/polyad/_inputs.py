"""Data as people have them, arrays, sparse arrays, frames, as the tensors of the compiled module."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _core
from ._types import AnyArray, Array
from .errors import DataError, UsageError


def as_numbers(array: Any, what: str = "data") -> Array:
    """As float64 in C order; borrowed where it is that already. Says what to do about anything that is not numbers."""
    if isinstance(array, np.ma.MaskedArray):
        masked: Any = array.astype(np.float64)
        array = masked.filled(np.nan)
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


def as_indices(array: Any, what: str) -> AnyArray:
    values = np.asarray(array)
    if values.size == 0:
        return values.astype(np.int64)
    if values.dtype.kind not in "iu":
        raise DataError(f"{what}: indices must be whole numbers, not dtype {values.dtype}; convert them with .astype(int)")
    if values.dtype == np.uint64 and values.max() > np.iinfo(np.int64).max:
        raise DataError(f"{what}: index {values.max()} is too large")
    return np.ascontiguousarray(values, dtype=np.int64)


def as_extent(n: Any) -> int:
    try:
        extent = int(n)
    except (TypeError, ValueError):
        extent = -1
    if extent != n or extent < 0:
        raise DataError(f"shape: {n!r} is not a whole number of at least 1")
    return extent


def _sparse(coords: Any, values: Any, shape: Any, unlisted: str, weights: Any = None) -> _core.Tensor:
    cells = [as_indices(c, "coords") for c in coords]
    numbers = as_numbers(values, "values").reshape(-1)
    if not cells:
        raise DataError("coords: give one array of indices per mode")
    if weights is not None:
        weights = as_numbers(weights, "weights").reshape(-1)
    missing = np.isnan(numbers)
    extents = None if shape is None else [as_extent(n) for n in shape]
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
    core = _core.Tensor.dense(as_numbers(data.to_numpy(dtype=np.float64, na_value=np.nan)))
    names = [str(n) if n is not None else "" for n in (data.index.name, data.columns.name)]
    return core, names, [_frame_labels(data.index), _frame_labels(data.columns)]


def _frame_labels(index: Any) -> Any:
    return None if type(index).__name__ == "RangeIndex" else index


def _of_series(data: Any, unlisted: str) -> tuple[_core.Tensor, list[str], list[Any]]:
    index = data.index.remove_unused_levels()
    core = _sparse(index.codes, data.to_numpy(), [len(level) for level in index.levels], unlisted)
    return core, [str(n) if n is not None else "" for n in index.names], list(index.levels)


def _of_xarray(data: Any) -> tuple[_core.Tensor, list[str], list[Any]]:
    values = data.data
    if hasattr(values, "coords") and hasattr(values, "fill_value"):
        core = _of_coo(values, "zero")
    else:
        core = _core.Tensor.dense(as_numbers(values))
    labels = [data.coords[d].values if d in data.coords and data.coords[d].ndim == 1 else None for d in data.dims]
    if data.name is not None:
        core.name = str(data.name)
    return core, [str(d) for d in data.dims], labels


def _is_pandas(data: Any, kind: str) -> bool:
    return type(data).__name__ == kind and type(data).__module__.split(".")[0] == "pandas"


def core_of(data: Any, shape: Any, unlisted: str) -> tuple[_core.Tensor, Optional[list[str]], Optional[list[Any]]]:
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
        return _core.Tensor.dense(as_numbers(np.asarray(data.data).reshape(data.shape))), None, None  # pyttb.tensor
    values = as_numbers(data)
    if values.ndim == 0:
        raise DataError(f"data of type {type(data).__name__} has no modes: give an array, a sparse array, a DataFrame or the name of a file")
    return _core.Tensor.dense(values), None, None

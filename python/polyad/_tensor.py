"""Data of every kind that people have, as one: `polyad.tensor(...)` makes a `polyad.Tensor`."""

from __future__ import annotations

import os
from typing import Any, Optional, Sequence

import numpy as np

from . import _core
from ._inputs import as_extent, as_indices, as_numbers, core_of
from ._labels import set_labels
from ._types import AnyArray, Array, ModeLabels, PathLike
from .errors import DataError, UsageError


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

    def to_numpy(self) -> Array:
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

    def to_coo(self) -> tuple[AnyArray, Array, tuple[int, ...]]:
        """(coords, values, shape) of sparse data; coords has one row per mode."""
        entries = self._core.entries()
        if entries is None:
            raise UsageError("to_coo() is for sparse data; to_numpy() shows dense ones")
        return np.array(entries[0], dtype=np.int64).reshape(self.ndim, -1), entries[1], self.shape

    def save(self, path: PathLike, *, mat73: bool = False, raw: bool = False) -> None:
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


def _set_mask(core: _core.Tensor, mask: Any) -> None:
    if hasattr(mask, "coords") and hasattr(mask, "fill_value"):
        cells = [c[np.asarray(mask.data) != 0] for c in mask.coords]
    elif isinstance(mask, tuple):
        cells = [as_indices(c, "mask") for c in mask]
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
        core.set_dense_weights(as_numbers(weights, "weights"))
    elif isinstance(weights, tuple) and len(weights) == 2:
        core.set_sparse_weights([as_indices(c, "weights") for c in weights[0]], as_numbers(weights[1], "weights").reshape(-1))
    elif hasattr(weights, "coords") and hasattr(weights, "data"):
        core.set_sparse_weights(list(weights.coords), as_numbers(weights.data, "weights"))
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
    values: Optional[str] = None,
    unpacked_limit: Optional[float] = None,
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
    values: of a .tns file: 'last' (the last field of a line is its value) or 'ones' (lines are cells of value 1).
    unpacked_limit: GB that a compressed file may unpack to.
    base, variable, memory_map: of files; see docs/reference.md.

    >>> import numpy as np, polyad
    >>> polyad.tensor(np.ones((2, 3)), mode_names=["shop", "month"])
    <polyad.Tensor 2 x 3, dense, 6 cells; modes: shop, month>
    """
    if isinstance(data, Tensor):
        if any(option is not None for option in (shape, base, variable, memory_map, values, unpacked_limit)):
            raise UsageError("shape=, base=, variable=, memory_map=, values= and unpacked_limit= are for files, not for a polyad.Tensor")
        if mask is None and weights is None and zero_weight is None and labels is None and mode_names is None:
            return data
        core = data._core.copy()
        names: Optional[Sequence[str]] = None
        entries: Optional[ModeLabels] = None
    elif isinstance(data, (str, os.PathLike)):
        text = {} if shape is None else {"shape": "x".join(str(as_extent(n)) for n in shape)}
        files = {k: os.fspath(v) for k, v in (("missing", mask), ("weights", weights)) if isinstance(v, (str, os.PathLike))}
        mask, weights = (None if k in files else v for k, v in (("missing", mask), ("weights", weights)))
        of_file = {"base": base, "variable": variable, "memory_map": memory_map, "values": values, "unpacked_limit": unpacked_limit}
        core = _core.Tensor.open(os.fspath(data), {"unlisted": unlisted, **of_file, **text, **files})
        names, entries = None, None
    else:
        for option, value in (
            ("base", base),
            ("variable", variable),
            ("memory_map", memory_map),
            ("values", values),
            ("unpacked_limit", unpacked_limit),
        ):
            if value is not None:
                raise UsageError(f"{option}= is for files")
        if unlisted not in ("zero", "missing"):
            raise UsageError(f"unlisted= must be 'zero' or 'missing' (is {unlisted!r})")
        core, names, entries = core_of(data, shape, unlisted)
    if names is not None or entries is not None:
        set_labels(core, names, entries)
    if labels is not None or mode_names is not None:
        set_labels(core, mode_names, labels)
    if weights is not None:
        _set_weights(core, weights)
    if mask is not None:
        _set_mask(core, mask)
    if zero_weight is not None:
        core.set_zero_weight(zero_weight)
    return Tensor(core)

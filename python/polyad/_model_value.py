"""Models as values: weights and factors with their labels, and what follows from them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence

import numpy as np

from . import _core
from ._factors import Factors
from ._labels import label_text, mode_position
from ._types import AnyArray, Array
from .errors import DataError, UsageError

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Self


class ModelValue:
    """The part of `polyad.Model` that needs no data and no file: parts, values, comparing, arranging, arithmetic."""

    def __init__(
        self,
        weights: Any,
        factors: Sequence[Any],
        *,
        mode_names: Optional[Sequence[str]] = None,
        labels: Optional[Sequence[Optional[Sequence[Any]]]] = None,
    ) -> None:
        matrices = [np.asarray(f, dtype=np.float64) for f in factors]
        if not matrices:
            raise DataError("a model needs at least one factor matrix")
        if weights is None:
            weights = np.ones(matrices[0].shape[-1] if matrices[0].ndim else 0)
        if labels is None:
            labels = [_frame_index(f) for f in factors]
        if len(labels) != len(matrices) or (mode_names is not None and len(mode_names) != len(matrices)):
            raise UsageError(f"mode_names= and labels= must have one entry for each of the {len(matrices)} modes")
        self._file = _core.Model(
            np.asarray(weights, dtype=np.float64),
            matrices,
            [str(n) for n in mode_names] if mode_names is not None else [""] * len(matrices),
            [[label_text(e) for e in entries] if entries is not None else [] for entries in labels],
        )
        self._arrays: Optional[tuple[Array, ...]] = None

    @classmethod
    def _of(cls, file: _core.Model) -> Self:
        model = cls.__new__(cls)
        model._file = file
        model._arrays = None
        return model

    # --- parts

    @property
    def rank(self) -> int:
        """Number of components."""
        return self._file.rank

    @property
    def shape(self) -> tuple[int, ...]:
        """Extent of each mode."""
        return self._file.shape

    @property
    def ndim(self) -> int:
        """Number of modes."""
        return len(self._file.shape)

    @property
    def weights(self) -> Array:
        """Weight of each component."""
        return self._file.weights()

    @property
    def factors(self) -> Factors:
        """The factor matrices as labelled DataFrames, by mode name or number from 0."""
        return Factors(self)

    def arrays(self) -> tuple[Array, ...]:
        """The factor matrices as read-only arrays, one row per index and one column per component."""
        if self._arrays is None:
            arrays = tuple(self._file.factor(k) for k in range(self.ndim))
            for array in arrays:
                array.flags.writeable = False
            self._arrays = arrays
        return self._arrays

    @property
    def mode_names(self) -> list[str]:
        """Names of the modes; 'mode 1' and so on where they have none."""
        return [name or f"mode {k + 1}" for k, name in enumerate(self._file.mode_names)]

    @property
    def labels(self) -> list[Optional[list[str]]]:
        """The labels of each mode, or None where its indices have only numbers."""
        return [self._file.labels(k) or None for k in range(self.ndim)]

    def __iter__(self) -> Iterator[Any]:
        yield self.weights
        yield [a.copy() for a in self.arrays()]

    # --- values

    def values_at(self, cells: Any) -> Array:
        """The model's values in some cells: a tuple with one array of indices per mode, or rows of indices, from 0."""
        columns = self._columns_of(cells)
        return self._file.values_at([c.reshape(-1) for c in columns]).reshape(columns[0].shape)

    def _columns_of(self, cells: Any) -> list[AnyArray]:
        if not isinstance(cells, tuple):
            rows = np.atleast_2d(np.asarray(cells))
            if rows.shape[-1] != self.ndim:
                raise DataError(f"cells must have {self.ndim} columns, one per mode (have {rows.shape[-1]}); a tuple has one array per mode")
            cells = tuple(rows.reshape(-1, self.ndim).T)
        if len(cells) != self.ndim:
            raise DataError(f"cells have indices of {len(cells)} modes, the model has {self.ndim}")
        columns = np.broadcast_arrays(*(np.asarray(c) for c in cells))
        if columns[0].size and any(c.dtype.kind not in "iu" for c in columns):
            raise DataError("cells: indices must be whole numbers")
        return [c.astype(np.int64) for c in columns]

    def full(self, *, max_bytes: float = 2e9) -> Array:
        """The model's values in all cells. An array of more than max_bytes is refused."""
        size = 8.0 * float(np.prod([float(n) for n in self.shape]))
        if size > max_bytes:
            raise DataError(f"full() would take {size / 1e9:.3g} GB; values_at() gives single cells, max_bytes= allows more")
        rows = self.arrays()
        result = self.weights[None, :] * rows[0]
        for factor in rows[1:-1]:
            result = np.einsum("...r,jr->...jr", result, factor)
        return np.asarray(result.sum(axis=-1) if self.ndim == 1 else np.tensordot(result, rows[-1], axes=(-1, 1)))

    def norm(self) -> float:
        """The Frobenius norm; no cell is computed."""
        return self._file.norm()

    # --- comparing and arranging

    def score(self, other: Any) -> float:
        """How alike two models are: 1 is the same up to order and scale, 0.9 and more is 'recovered'."""
        return self._file.score(_core_of(other))[0]

    def match(self, other: Any) -> pandas.DataFrame:
        """Which component of `other` is each component, with the product of their cosines."""
        import pandas

        _, match, cosines = self._file.score(_core_of(other))
        other_number = [None if j is None else j + 1 for j in match]
        index = pandas.RangeIndex(1, self.rank + 1, name="component")
        return pandas.DataFrame({"other": pandas.array(other_number, dtype="Int64"), "cosine": cosines}, index=index)

    def arrange(self, *, norm: str = "two", sort: bool = True, signs: bool = True, into: Any = None) -> Self:
        """Columns of norm one ('two': Euclidean, 'one': sums), the largest component first, signs made positive where they can be.

        into: a mode that takes the weights, which become 1.
        """
        mode = None if into is None else mode_position(self.mode_names, into)
        return self._of(self._file.arranged(norm, sort, signs, mode))

    def permute(self, order: Sequence[int]) -> Self:
        """The components in another order: numbers from 1, each once, or fewer to keep some."""
        columns = [self._column(j) for j in order]
        if len(set(columns)) != len(columns) or not columns:
            raise UsageError(f"order must name components once each, from 1 to {self.rank}")
        return self._with(self.weights[columns], [a[:, columns] for a in self.arrays()])

    def component(self, number: int) -> Self:
        """One component (1 is the first) as a model."""
        return self.permute([number])

    def _column(self, number: Any) -> int:
        if not isinstance(number, (int, np.integer)) or not 1 <= number <= self.rank:
            raise UsageError(f"there is no component {number!r}: components are numbered from 1 to {self.rank}")
        return int(number) - 1

    def _with(self, weights: Array, arrays: Sequence[Array]) -> Self:
        file = self._file
        labels = [file.labels(k) for k in range(self.ndim)]
        return self._of(_core.Model(np.ascontiguousarray(weights), [np.ascontiguousarray(a) for a in arrays], file.mode_names, labels, file.options))

    def __add__(self, other: object) -> Self:
        if not isinstance(other, ModelValue):
            return NotImplemented
        if other.shape != self.shape:
            raise UsageError(f"models of shapes {self.shape} and {other.shape} cannot be added")
        arrays = [np.hstack(pair) for pair in zip(self.arrays(), other.arrays())]
        return self._with(np.concatenate([self.weights, other.weights]), arrays)

    def __neg__(self) -> Self:
        return self._with(-self.weights, self.arrays())

    def __sub__(self, other: object) -> Self:
        if not isinstance(other, ModelValue):
            return NotImplemented
        return self + (-other)

    def __mul__(self, factor: Any) -> Self:
        if not _is_number(factor):
            return NotImplemented
        return self._with(self.weights * float(factor), self.arrays())

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> Self:
        if not _is_number(factor):
            return NotImplemented
        return self._with(self.weights / float(factor), self.arrays())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModelValue):
            return NotImplemented
        same = self.shape == other.shape and np.array_equal(self.weights, other.weights)
        return bool(same and self._names() == other._names() and all(map(np.array_equal, self.arrays(), other.arrays())))

    def __hash__(self) -> int:
        # Adding 0 turns -0 into 0, which equals it.
        return hash((self.shape, (self.weights + 0.0).tobytes(), tuple((a + 0.0).tobytes() for a in self.arrays())))

    def _names(self) -> Any:
        return self._file.mode_names, self.labels


def _frame_index(factor: Any) -> Optional[Any]:
    index = getattr(factor, "index", None)
    return index if hasattr(index, "nlevels") and type(index).__name__ != "RangeIndex" else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating))


def _core_of(other: Any) -> _core.Model:
    from ._model import model_of

    return model_of(other)._file

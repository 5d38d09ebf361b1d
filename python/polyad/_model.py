"""Models: weights and factors with their labels, and what is known of the fit they come from."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._tensor import label_text, mode_position, tensor
from .errors import DataError, UsageError

if TYPE_CHECKING:
    import pandas
    import xarray

    from ._plots import ModelPlots

PathLike = Union[str, "os.PathLike[str]"]


class Factors(Mapping[Any, "pandas.DataFrame"]):
    """The factor matrices by mode, as DataFrames: rows are the labels, columns the components, numbered from 1.

    A mode is given by its name or by its number from 0.
    """

    def __init__(self, model: Model) -> None:
        self._model = model

    def __getitem__(self, mode: Any) -> pandas.DataFrame:
        import pandas

        model = self._model
        try:
            k = mode_position(model.mode_names, mode)
        except UsageError as error:
            raise KeyError(str(error)) from None
        name = model.mode_names[k]
        columns = pandas.RangeIndex(1, model.rank + 1, name="component")
        labels = model.labels[k]
        index: Any = pandas.RangeIndex(model.shape[k], name=name) if labels is None else pandas.Index(labels, name=name)
        return pandas.DataFrame(model.arrays()[k].copy(), index=index, columns=columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.mode_names)

    def __len__(self) -> int:
        return self._model.ndim

    def __repr__(self) -> str:
        sizes = (f"{name!r}: {n} x {self._model.rank}" for name, n in zip(self._model.mode_names, self._model.shape))
        return f"<polyad.Factors {', '.join(sizes)}>"


class Model:
    """A CP model: cell (i, j, ...) is the sum over components of weight times one entry per mode.

    `weights, factors = model` unpacks into arrays, as TensorLy, tlviz and pyttb have them. A model never changes; methods
    return new ones. Components are numbered from 1, as in reports; array indices count from 0.

    >>> import numpy as np, polyad
    >>> m = polyad.Model([2.0], [np.ones((2, 1)), np.ones((3, 1))])
    >>> m.full().tolist()
    [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]
    """

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
        self._arrays: Optional[tuple[np.ndarray, ...]] = None

    @classmethod
    def _of(cls, file: _core.Model) -> Model:
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
    def weights(self) -> np.ndarray:
        """Weight of each component."""
        return self._file.weights()

    @property
    def factors(self) -> Factors:
        """The factor matrices as labelled DataFrames, by mode name or number from 0."""
        return Factors(self)

    def arrays(self) -> tuple[np.ndarray, ...]:
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

    @property
    def options(self) -> dict[str, Any]:
        """The options of the fit, as used; empty where the model was not fitted."""
        return {k.replace("-", "_"): v for k, v in json.loads(self._file.options).items()}

    @property
    def loss(self) -> Optional[str]:
        """The loss that the model was fitted with."""
        return self.options.get("loss")

    def __iter__(self) -> Iterator[Any]:
        yield self.weights
        yield [a.copy() for a in self.arrays()]

    # --- values

    def values_at(self, cells: Any) -> np.ndarray:
        """The model's values in some cells: a tuple with one array of indices per mode, or rows of indices, from 0."""
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
        shape = columns[0].shape
        return self._file.values_at([c.astype(np.int64).reshape(-1) for c in columns]).reshape(shape)

    def full(self, *, max_bytes: float = 2e9) -> np.ndarray:
        """The model's values in all cells. An array of more than max_bytes is refused."""
        size = 8.0 * float(np.prod([float(n) for n in self.shape]))
        if size > max_bytes:
            raise DataError(f"full() would take {size / 1e9:.3g} GB; values_at() gives single cells, max_bytes= allows more")
        rows = self.arrays()
        result = self.weights[None, :] * rows[0]
        for factor in rows[1:-1]:
            result = np.einsum("...r,jr->...jr", result, factor)
        return result.sum(axis=-1) if self.ndim == 1 else np.tensordot(result, rows[-1], axes=(-1, 1))

    def norm(self) -> float:
        """The Frobenius norm; no cell is computed."""
        return self._file.norm()

    # --- comparing and arranging

    def score(self, other: Any) -> float:
        """How alike two models are: 1 is the same up to order and scale, 0.9 and more is 'recovered'."""
        return self._file.score(_model_of(other)._file)[0]

    def match(self, other: Any) -> pandas.DataFrame:
        """Which component of `other` is each component, with the product of their cosines."""
        import pandas

        _, match, cosines = self._file.score(_model_of(other)._file)
        other_number = [None if j is None else j + 1 for j in match]
        index = pandas.RangeIndex(1, self.rank + 1, name="component")
        return pandas.DataFrame({"other": pandas.array(other_number, dtype="Int64"), "cosine": cosines}, index=index)

    def arrange(self, *, norm: str = "two", sort: bool = True, signs: bool = True, into: Any = None) -> Model:
        """Columns of norm one ('two': Euclidean, 'one': sums), the largest component first, signs made positive where they can be.

        into: a mode that takes the weights, which become 1.
        """
        mode = None if into is None else mode_position(self.mode_names, into)
        return Model._of(self._file.arranged(norm, sort, signs, mode))

    def permute(self, order: Sequence[int]) -> Model:
        """The components in another order: numbers from 1, each once, or fewer to keep some."""
        columns = [self._column(j) for j in order]
        if len(set(columns)) != len(columns) or not columns:
            raise UsageError(f"order must name components once each, from 1 to {self.rank}")
        return self._with(self.weights[columns], [a[:, columns] for a in self.arrays()])

    def component(self, number: int) -> Model:
        """One component (1 is the first) as a model."""
        return self.permute([number])

    def _column(self, number: Any) -> int:
        if not isinstance(number, (int, np.integer)) or not 1 <= number <= self.rank:
            raise UsageError(f"there is no component {number!r}: components are numbered from 1 to {self.rank}")
        return int(number) - 1

    def _with(self, weights: np.ndarray, arrays: Sequence[np.ndarray]) -> Model:
        file = self._file
        labels = [file.labels(k) for k in range(self.ndim)]
        return Model._of(_core.Model(np.ascontiguousarray(weights), [np.ascontiguousarray(a) for a in arrays], file.mode_names, labels, file.options))

    def __add__(self, other: Any) -> Model:
        other = _operand(other)
        if other is NotImplemented:
            return NotImplemented
        if other.shape != self.shape:
            raise UsageError(f"models of shapes {self.shape} and {other.shape} cannot be added")
        arrays = [np.hstack(pair) for pair in zip(self.arrays(), other.arrays())]
        return self._with(np.concatenate([self.weights, other.weights]), arrays)

    def __neg__(self) -> Model:
        return self._with(-self.weights, self.arrays())

    def __sub__(self, other: Any) -> Model:
        other = _operand(other)
        return NotImplemented if other is NotImplemented else self + (-other)

    def __mul__(self, factor: Any) -> Model:
        if not np.isscalar(factor) or isinstance(factor, (str, bytes, complex)):
            return NotImplemented
        return self._with(self.weights * float(factor), self.arrays())

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> Model:
        return NotImplemented if not np.isscalar(factor) or isinstance(factor, (str, bytes, complex)) else self * (1.0 / float(factor))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        same = self.shape == other.shape and np.array_equal(self.weights, other.weights)
        return bool(same and self._names() == other._names() and all(map(np.array_equal, self.arrays(), other.arrays())))

    def __hash__(self) -> int:
        return hash((self.shape, self.weights.tobytes(), tuple(a.tobytes() for a in self.arrays())))

    def _names(self) -> Any:
        return self._file.mode_names, self.labels

    # --- reading

    def top(self, count: int = 5) -> pandas.DataFrame:
        """The strongest entries of each component and mode: component, mode, label, value and share of the column."""
        import pandas

        if not isinstance(count, (int, np.integer)) or count < 1:
            raise UsageError(f"count must be at least 1 (is {count!r})")
        rows = []
        for j in range(self.rank):
            for k, name in enumerate(self.mode_names):
                column = self.arrays()[k][:, j]
                total = np.abs(column).sum()
                labels = self.labels[k]
                for i in np.argsort(-np.abs(column), kind="stable")[:count]:
                    if column[i] != 0:
                        rows.append((j + 1, name, labels[i] if labels else int(i), column[i], abs(column[i]) / total))
        return pandas.DataFrame(rows, columns=["component", "mode", "label", "value", "share"])

    def summary(self, top: int = 5, width: int = 100) -> str:
        """The model in words, as `polyad show` prints it."""
        head = _core.fit_summary(self._file)
        return (head + "\n\n" if head else "") + _core.show_text(self._file, top, width)

    def __repr__(self) -> str:
        shape = " x ".join(str(n) for n in self.shape)
        return f"<polyad.Model rank {self.rank}, {shape}; modes: {', '.join(self.mode_names)}>"

    def evaluate(self, data: Any, loss: Any = None, *, max_cells: float = 4e8, **data_options: Any) -> dict[str, Any]:
        """Judge the model by data: loss, best constant, deviance explained, gradient, worth of each component, a verdict.

        data_options are those of `polyad.tensor`: mask=, weights=, unlisted= and so on.
        """
        found = json.loads(_core.evaluate(self._file, tensor(data, **data_options)._core, _loss_of(self, loss), max_cells))
        return {k.replace("-", "_"): v for k, v in found.items()}

    def deviance(self, data: Any, loss: Any = None, **data_options: Any) -> float:
        """The part of the data's deviance that the model explains: 1 at best, 0 as good as the best constant."""
        explained = self.evaluate(data, loss, **data_options)["explained"]
        return float("nan") if explained is None else float(explained)

    # --- exchange

    def save(self, path: PathLike, *, mat73: bool = False, raw: bool = False) -> None:
        """Write the model: .h5 keeps everything; .npz, .mat, .csv and .ktensor keep factors, weights and labels."""
        self._file.save(os.fspath(path), mat73=mat73, raw=raw)

    def to_xarray(self) -> xarray.Dataset:
        """An xarray Dataset: one variable per mode, named after it, over its labels and the components, and 'weights'."""
        import xarray

        numbers = np.arange(1, self.rank + 1)
        variables: dict[str, Any] = {"weights": ("component", self.weights)}
        coordinates: dict[str, Any] = {"component": numbers}
        for k, name in enumerate(self.mode_names):
            labels = self.labels[k]
            coordinates[name] = np.arange(self.shape[k]) if labels is None else np.array(labels, dtype=object)
            variables[f"{name} factor"] = ((name, "component"), self.arrays()[k])
        return xarray.Dataset(variables, coords=coordinates)

    def to_pyttb(self) -> Any:
        """A pyttb.ktensor."""
        try:
            import pyttb
        except ImportError:
            raise UsageError("to_pyttb() needs the package pyttb, which is not installed") from None
        return pyttb.ktensor([np.asfortranarray(a) for a in self.arrays()], self.weights)

    def report(self, path: PathLike, *, data: Any = None, title: str = "", maps: Optional[Mapping[str, PathLike]] = None) -> None:
        """Write an interactive page (.html) or a picture (.svg). With data, also how well which parts are explained.

        maps: {mode: GeoJSON file}, or 'FILE:PROPERTY' for the property that holds the labels.
        """
        from ._report import write_report

        if data is not None:
            self.judge(data)
        write_report(path, [("model", self)], title, maps)

    def judge(self, data: Any, loss: Any = None, **data_options: Any) -> None:
        """Keep with the model how well it explains these data, for its report and for save()."""
        _core.judge(self._file, tensor(data, **data_options)._core, _loss_of(self, loss))

    def _repr_html_(self) -> str:
        from ._report import frame

        return frame([("model", self)])

    @property
    def plot(self) -> ModelPlots:
        """Figures for papers: `plot.components()`, `plot.trace()`, `plot.fit()`, `plot.compare(other)`, `plot.map(mode, file)`."""
        from ._plots import ModelPlots

        return ModelPlots(self)

    def __reduce__(self) -> Any:
        f = self._file
        labels = [f.labels(k) for k in range(self.ndim)]
        state = (self.weights, list(self.arrays()), f.mode_names, labels, f.options, f.summary, f.diagnostics, f.traces(), f.slices())
        return _restore, state


def _restore(*state: Any) -> Model:
    return Model._of(_core.Model(*state))


def _frame_index(factor: Any) -> Optional[Any]:
    index = getattr(factor, "index", None)
    return index if hasattr(index, "nlevels") and type(index).__name__ != "RangeIndex" else None


def _operand(other: Any) -> Any:
    return other if isinstance(other, Model) else NotImplemented


def _loss_of(model: Model, loss: Any) -> _core.Loss:
    from ._losses import Loss, loss_core

    if loss is None:
        loss = model.loss
        if loss is None:
            raise UsageError("the model does not say which loss it was fitted with: give loss=")
    return loss._core if isinstance(loss, Loss) else loss_core(loss)


def _model_of(value: Any) -> Model:
    """A model of a Model, a path, (weights, factors), or an object of TensorLy or pyttb."""
    if isinstance(value, Model):
        return value
    if hasattr(value, "model") and isinstance(value.model, Model):
        return value.model
    if isinstance(value, (str, os.PathLike)):
        return Model._of(_core.Model.open(os.fspath(value)))
    if hasattr(value, "factor_matrices") and hasattr(value, "weights"):  # pyttb.ktensor
        return Model(np.asarray(value.weights).reshape(-1), value.factor_matrices)
    try:
        weights, factors = value
    except (TypeError, ValueError):
        raise UsageError(f"expected a polyad.Model, a file name or (weights, factors), not {type(value).__name__}") from None
    return Model(weights, factors)

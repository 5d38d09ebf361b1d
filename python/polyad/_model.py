"""Models: what people read of them, how they are judged by data, kept in files and exchanged with other packages."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from . import _core
from ._model_value import ModelValue
from ._tensor import tensor
from ._types import PathLike
from .errors import UsageError

if TYPE_CHECKING:
    import pandas
    import xarray

    from ._plots import ModelPlots


class Model(ModelValue):
    """A CP model: cell (i, j, ...) is the sum over components of weight times one entry per mode.

    `weights, factors = model` unpacks into arrays, as TensorLy, tlviz and pyttb have them. A model never changes; methods
    return new ones. Components are numbered from 1, as in reports; array indices count from 0.

    >>> import numpy as np, polyad
    >>> m = polyad.Model([2.0], [np.ones((2, 1)), np.ones((3, 1))])
    >>> m.full().tolist()
    [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]
    """

    @property
    def options(self) -> dict[str, Any]:
        """The options of the fit, as used; empty where the model was not fitted."""
        return {k.replace("-", "_"): v for k, v in json.loads(self._file.options).items()}

    @property
    def loss(self) -> Optional[str]:
        """The loss that the model was fitted with."""
        return self.options.get("loss")

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
        """The fit in a sentence, and the strongest entries of each component, as text."""
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

    # --- new data

    def transform(self, data: Any, mode: Any = None, **options: Any) -> pandas.DataFrame:
        """How strong the components are in new slices: one row per label. `polyad.transform` says how they were found."""
        from ._new_data import transform

        return transform(self, data, mode=mode, **options).rows

    def predict(self, cells: Any, **options: Any) -> pandas.DataFrame:
        """What is expected in some cells, with intervals: see `polyad.predict`."""
        from ._new_data import predict

        return predict(self, cells, **options)

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


def _loss_of(model: Model, loss: Any) -> _core.Loss:
    from ._losses import Loss, loss_core

    if loss is None:
        loss = model.loss
        if loss is None:
            raise UsageError("the model does not say which loss it was fitted with: give loss=")
    return loss._core if isinstance(loss, Loss) else loss_core(loss)


def model_of(value: Any) -> Model:
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

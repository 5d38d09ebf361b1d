"""The factor matrices of a model as labelled DataFrames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping

from ._labels import mode_position
from .errors import UsageError

if TYPE_CHECKING:
    import pandas

    from ._model_value import ModelValue


class Factors(Mapping[Any, "pandas.DataFrame"]):
    """The factor matrices by mode, as DataFrames: rows are the labels, columns the components, numbered from 1.

    A mode is given by its name or by its number from 0.
    """

    def __init__(self, model: ModelValue) -> None:
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

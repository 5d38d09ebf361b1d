"""polyad finds the patterns in multi-way data: generalized CP tensor decomposition by stochastic gradients.

>>> import numpy as np, polyad
>>> X = np.random.default_rng(0).poisson(3.0, size=(6, 5, 4))
>>> r = polyad.fit(X, rank=2, loss="poisson", progress=False)
>>> r.model
<polyad.Model rank 2, 6 x 5 x 4; modes: mode 1, mode 2, mode 3>

`polyad.fit` takes arrays, sparse arrays, DataFrames and files; `polyad.from_table` counts the rows of a table;
`polyad.GCP` is the same for scikit-learn. docs/python.md has a tour.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._core import Progress
from ._factors import Factors
from ._fit import fit, options
from ._losses import Loss, loss, losses
from ._model import Model
from ._new_data import Transformed, fill_missing, predict, top_cells, transform
from ._report import report
from ._result import FitResult
from ._table import from_table
from ._tensor import Tensor, tensor
from ._types import PathLike
from .errors import DataError, DivergedError, Error, FileError, UsageError

if TYPE_CHECKING:
    from .estimator import GCP

__version__: str = _core.version

__all__ = [
    "DataError", "DivergedError", "Error", "Factors", "FileError", "FitResult", "GCP", "Loss", "Model", "Progress", "Tensor",
    "Transformed", "UsageError", "fill_missing", "fit", "from_table", "load", "loss", "losses", "options", "predict", "report", "tensor",
    "top_cells", "transform",
]  # fmt: skip


def load(path: PathLike, **data_options: Any) -> Union[Model, Tensor]:
    """Read a file: a `Model` where it holds one, else a `Tensor`. data_options are those of `polyad.tensor`."""
    name = os.fspath(path)
    if _core.holds_model(name):
        if data_options:
            raise UsageError(f"{next(iter(data_options))}= is for data; {name} is a model")
        return Model._of(_core.Model.open(name))
    return tensor(name, **data_options)


def __getattr__(name: str) -> Any:
    # scikit-learn takes a second to import: only for those who use it.
    if name == "GCP":
        try:
            from .estimator import GCP
        except ImportError as error:
            raise UsageError(f"polyad.GCP needs scikit-learn: {error}") from None
        return GCP
    raise AttributeError(f"module 'polyad' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""polyad for scikit-learn: `polyad.GCP`, imported only where it is used."""

from __future__ import annotations

from typing import Any, Mapping, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from ._fit import fit as _fit
from ._fit import seed_of
from ._labels import mode_position
from ._losses import loss_core
from ._model import Model
from ._new_data import transform as _transform
from ._tensor import Tensor, tensor
from ._types import Array
from .errors import DataError, UsageError

_HELD_OUT = 0.2


class GCP(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Generalized CP decomposition as a scikit-learn transformer.

    One mode holds the samples (`sample_mode`); the others are features, found by `fit` and kept by `transform`. A matrix of
    samples by features works as in any other estimator; so do arrays of more modes and `polyad.Tensor`.

    n_components: number of components.
    loss: what is minimised: 'gaussian', 'poisson', ... or a `polyad.Loss`.
    sample_mode: name of the mode of the samples, or its number from 0.
    starts: random starts, of which the best is kept; None: 5.
    random_state: a whole number or a NumPy generator; None: 1, so that equal data give equal models.
    n_threads: threads; None: one per core.
    options: further options of `polyad.fit`, as a dictionary.

    After fit: model_ (a `polyad.Model`), factors_ (arrays of the feature modes), weights_, components_ (components by
    features), loss_ (the objective), explained_ (part of the deviance), n_iter_, result_.

    >>> import numpy as np, polyad
    >>> X = np.random.default_rng(0).normal(size=(20, 4)) @ np.ones((4, 6))
    >>> polyad.GCP(n_components=1).fit_transform(X).shape
    (20, 1)
    """

    def __init__(
        self,
        n_components: int = 2,
        loss: Any = "gaussian",
        *,
        sample_mode: Any = 0,
        starts: Optional[int] = None,
        random_state: Any = None,
        n_threads: Optional[int] = None,
        options: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.n_components = n_components
        self.loss = loss
        self.sample_mode = sample_mode
        self.starts = starts
        self.random_state = random_state
        self.n_threads = n_threads
        self.options = options

    def _tensor(self, X: Any, reset: bool) -> Tensor:
        if not isinstance(X, (Tensor, str)) and getattr(X, "ndim", 2) <= 2 and not hasattr(X, "dims"):
            # Matrices are checked as everywhere in scikit-learn; DataFrames keep their names.
            names = X if hasattr(X, "iloc") else None
            checked = self._validate_data(X, reset=reset, dtype=np.float64, force_all_finite="allow-nan", accept_sparse="coo")
            if names is not None:
                return tensor(checked, labels=[[str(i) for i in names.index], [str(c) for c in names.columns]])
            return tensor(checked)
        held = tensor(X)
        sample = mode_position(held.mode_names, self.sample_mode)
        features = tuple(n for k, n in enumerate(held.shape) if k != sample)
        if reset:
            self.n_features_in_ = int(np.prod(features))
            self._feature_shape = features
        elif features != self._feature_shape:
            raise DataError(f"{type(self).__name__} was fitted to features of shape {self._feature_shape}; these have {features}")
        return held

    def fit(self, X: Any, y: Any = None) -> GCP:
        """Find the components of X. y is not used."""
        held = self._tensor(X, reset=True)
        self._feature_shape = tuple(n for k, n in enumerate(held.shape) if k != mode_position(held.mode_names, self.sample_mode))
        options: dict[str, Any] = {"progress": False, **(self.options or {})}
        if self.starts is not None:
            options["starts"] = self.starts
        if self.random_state is not None:
            options["seed"] = seed_of(self.random_state)
        result = _fit(held, self.n_components, self.loss, n_threads=self.n_threads, **options)
        self.result_ = result
        self.model_ = result.model
        self._sample = mode_position(held.mode_names, self.sample_mode)
        self.weights_ = self.model_.weights
        self.factors_ = [a for k, a in enumerate(self.model_.arrays()) if k != self._sample]
        self.loss_ = result.loss
        self.explained_ = result.explained
        best = result.trace[result.trace["start"] == int(result.starts.index[result.starts["best"]][0])]
        self.n_iter_ = int(best["epoch"].max())
        self._n_features_out = self.model_.rank
        return self

    @property
    def components_(self) -> Array:
        """One row per component: its pattern over all features, as a unit vector."""
        check_is_fitted(self, "model_")
        rows = self.factors_[0]
        for factor in self.factors_[1:]:
            rows = np.einsum("ir,jr->ijr", rows, factor).reshape(-1, rows.shape[1])
        return np.ascontiguousarray(rows.T)

    def _with_rows(self, held: Tensor) -> Model:
        """The model whose rows of the sample mode explain these samples best, all else as it was fitted."""
        bounds = {k: v for k, v in (self.options or {}).items() if k in ("lower", "upper")}
        return _transform(self.model_, held, mode=self._sample, threads=self.n_threads, warn=False, **bounds).model

    def transform(self, X: Any) -> Array:
        """The rows of new samples: one column per component, with its weight."""
        check_is_fitted(self, "model_")
        return self._with_rows(self._tensor(X, reset=False)).arrays()[self._sample].copy()

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """fit(X) and transform(X)."""
        return self.fit(X).transform(X)

    def inverse_transform(self, rows: Any) -> Array:
        """What the model expects of samples with these rows."""
        check_is_fitted(self, "model_")
        rows = check_array(rows, dtype=np.float64)
        arrays = list(self.model_.arrays())
        if rows.shape[1] != self.model_.rank:
            raise ValueError(f"rows have {rows.shape[1]} columns, the model has {self.model_.rank} components")
        arrays[self._sample] = rows
        return Model(np.ones(self.model_.rank), arrays).full()

    def score(self, X: Any, y: Any = None) -> float:
        """Part of the deviance explained in held-out cells: a fifth of the cells of X is hidden, drawn by a fixed seed, rows are
        found from the others, and the hidden cells judge them. 1 at best; 0 is as good as the best constant."""
        check_is_fitted(self, "model_")
        held = self._tensor(X, reset=False)
        if held.is_sparse:
            raise UsageError("score() hides cells of dense data; for sparse data use model_.deviance(data)")
        hidden = np.random.default_rng(0).random(held.shape) < _HELD_OUT
        hidden &= ~np.isnan(held.to_numpy())
        if not hidden.any() or not (~hidden).any():
            raise DataError(f"score() needs more cells than {held.shape} has")
        judged = tensor(held, mask=hidden)
        found = self._with_rows(judged).evaluate(judged, self.loss)["verdict"]["held-out-explained"]
        return float("nan") if found is None else float(found)

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": True, "preserves_dtype": [np.float64], "requires_positive_X": loss_core(self.loss).lower == 0}

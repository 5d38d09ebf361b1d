"""The estimator: scikit-learn's own checks, and transform against exact solutions."""

import numpy as np
import pandas as pd
import polyad
import pytest
import scipy.optimize
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

QUICK = dict(starts=1, options={"method": "cp-als", "iterations": 200})

EXACT = dict(starts=2, options={"method": "gcp-full", "iterations": 500})


@parametrize_with_checks([polyad.GCP(n_components=1, **QUICK)])
def test_sklearn_checks(estimator, check):
    check(estimator)


@pytest.fixture
def samples():
    rng = np.random.default_rng(0)
    parts = [rng.gamma(1.0, 1.0, size=(n, 2)) for n in (12, 6, 5)]
    return rng.poisson(3 * np.einsum("ir,jr,kr->ijk", *parts)).astype(float)


def features(estimator):
    return estimator.components_.T  # features x components


def test_gaussian_rows_are_least_squares(samples):
    e = polyad.GCP(2, "gaussian", **QUICK).fit(samples)
    new = samples[::-1][:5] + 0.5
    expected = np.linalg.lstsq(features(e), new.reshape(5, -1).T, rcond=None)[0].T
    assert np.allclose(e.transform(new), expected, rtol=1e-6, atol=1e-8)
    assert np.allclose(e.inverse_transform(expected), (expected @ features(e).T).reshape(5, 6, 5))


@pytest.mark.parametrize("loss", ["poisson", "gamma"])
def test_rows_of_other_losses_are_minima(samples, loss):
    data = samples if loss == "poisson" else samples + 0.5
    e = polyad.GCP(2, loss, **EXACT).fit(data)
    new = data[:4]
    rows = e.transform(new)
    assert (rows >= 0).all()
    f = polyad.loss(loss)
    basis = features(e)
    for i in range(4):
        x = new[i].reshape(-1)
        best = scipy.optimize.minimize(
            lambda w: f.value(x, basis @ w).sum(), rows[i] + 0.1, jac=lambda w: basis.T @ f.derivative(x, basis @ w),
            bounds=[(0, None)] * 2, method="L-BFGS-B", options={"ftol": 1e-14, "gtol": 1e-10},
        )  # fmt: skip
        assert f.value(x, basis @ rows[i]).sum() <= best.fun + 1e-6 * abs(best.fun)


def test_fit_transform_and_other_sample_modes(samples):
    e = polyad.GCP(2, "poisson", sample_mode=1, **EXACT)
    rows = e.fit_transform(samples)
    assert rows.shape == (6, 2)
    trained = e.model_.arrays()[1] * e.weights_
    assert np.allclose(rows, trained, rtol=0.02, atol=0.02 * np.abs(trained).max())
    labelled = polyad.tensor(samples, mode_names=["day", "shop", "kind"])
    named = polyad.GCP(2, "poisson", sample_mode="shop", **EXACT).fit(labelled)
    assert np.allclose(named.transform(labelled), rows, rtol=1e-5)
    assert len(e.factors_) == 2 and e.n_iter_ > 0 and 0 < e.explained_ < 1 and e.loss_ == e.result_.loss
    with pytest.raises(polyad.DataError, match="features of shape"):
        e.transform(samples[:, :, :3])
    with pytest.raises(ValueError):
        e.inverse_transform(np.ones((2, 3)))


def test_pipeline_grid_search_and_clone(samples):
    pipe = make_pipeline(FunctionTransformer(np.sqrt), polyad.GCP(2, **QUICK))
    assert pipe.fit_transform(samples.reshape(12, 30)).shape == (12, 2)
    rng = np.random.default_rng(1)
    planted = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 20)) + 0.1 * rng.normal(size=(30, 20))
    search = GridSearchCV(polyad.GCP(loss="gaussian", **QUICK), {"n_components": [1, 2, 6]}, cv=3).fit(planted)
    assert search.best_params_["n_components"] == 2 and 0.9 < search.best_score_ <= 1
    copy = clone(polyad.GCP(3, polyad.loss("huber:delta=2"), sample_mode=1))
    assert copy.n_components == 3 and copy.loss.spec == "huber:delta=2" and copy.sample_mode == 1


def test_frames_and_missing_cells(samples):
    frame = pd.DataFrame(samples.reshape(12, 30), columns=[f"f{i}" for i in range(30)])
    frame.iloc[0, 0] = np.nan
    e = polyad.GCP(2, **QUICK).fit(frame)
    assert list(e.model_.factors[1].index[:2]) == ["f0", "f1"] and np.isfinite(e.transform(frame)).all()
    assert list(e.get_feature_names_out()) == ["gcp0", "gcp1"]
    assert 0 < e.score(frame) < 1

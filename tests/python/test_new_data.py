"""A model at work: new rows against exact solutions and the command's, predictions against the model's values and scipy."""

import os
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import polyad
import pytest
import scipy.stats

POLYAD = os.environ.get("POLYAD")
DAYS = [f"2024-01-{d:02d}" for d in range(1, 13)]


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(2)
    parts = [rng.gamma(0.7, 1.0, size=(n, 2)) for n in (12, 6, 5)]
    x = rng.poisson(4 * np.einsum("ir,jr,kr->ijk", *parts)).astype(float)
    t = polyad.tensor(x, mode_names=["day", "shop", "kind"], labels=[DAYS, list("abcdef"), None])
    return t, polyad.fit(t, 2, "poisson", method="cp-apr", kkt_tolerance=1e-9, iterations=3000, progress=False, warn=False)


def test_rows_of_the_same_data_are_the_models_own(fitted):
    t, r = fitted
    found = polyad.transform(r, t, mode="day")
    own = r.model.factors["day"] * r.model.weights
    assert found.mode == "day" and set(found.states) == {"solved"} and max(found.residuals) <= 1e-8 and not found.interrupted
    assert list(found.rows.index) == DAYS and list(found.rows.columns) == [1, 2]
    assert np.allclose(found.rows, own, rtol=1e-4, atol=1e-4 * own.max().max())
    assert r.model.transform(t, mode=0).equals(found.rows) and np.array_equal(found.model.weights, [1, 1])


def test_labels_are_matched_in_any_order(fitted):
    t, r = fitted
    x = t.to_numpy()
    mixed = polyad.tensor(x[:3, ::-1].transpose(1, 2, 0), mode_names=["shop", "kind", "day"], labels=[list("fedcba"), None, ["x", "y", "z"]])
    assert np.allclose(r.model.transform(mixed), r.model.transform(t, mode="day").iloc[:3]) and list(r.model.transform(mixed).index) == list("xyz")
    strange = polyad.tensor(x, mode_names=["day", "shop", "kind"], labels=[DAYS, list("abcdeg"), None])
    with pytest.raises(polyad.DataError, match="unknown="):
        polyad.transform(r.model, strange, mode="day")
    found = polyad.transform(r.model, strange, mode="day", unknown="ignore")
    kept = polyad.tensor(x, mask=np.broadcast_to(np.arange(6)[None, :, None] == 5, x.shape), mode_names=["day", "shop", "kind"], labels=[DAYS, list("abcdef"), None])
    assert np.allclose(found.rows, r.model.transform(kept, mode="day"), rtol=1e-6) and any("g" in remark for remark in found.remarks)


def test_rows_as_the_command_finds_them(fitted, tmp_path):
    if not POLYAD:
        pytest.skip("the command is not built")
    t, r = fitted
    t.save(tmp_path / "data.h5")
    r.model.save(tmp_path / "model.h5")
    subprocess.run([POLYAD, "transform", tmp_path / "model.h5", tmp_path / "data.h5", "--mode", "day", "-o", tmp_path / "rows.h5", "-q"], check=True)
    assert polyad.load(tmp_path / "rows.h5") == polyad.transform(r.model, t, mode="day").model


def test_rows_of_other_losses_and_bad_options(fitted):
    t, r = fitted
    gaussian = polyad.fit(t, 2, "gaussian", method="cp-als", progress=False, warn=False).model
    basis = np.einsum("jr,kr->jkr", *gaussian.arrays()[1:]).reshape(-1, 2)
    expected = np.linalg.lstsq(basis, t.to_numpy().reshape(12, -1).T, rcond=None)[0].T
    assert np.allclose(gaussian.transform(t, mode=0), expected, rtol=1e-6)
    own = polyad.loss(lambda x, m: (x - m) ** 2, lambda x, m: 2 * (m - x), name="squares")
    model = polyad.fit(t, 2, own, method="gcp-full", starts=1, iterations=5, progress=False, warn=False).model
    basis = np.einsum("jr,kr->jkr", *model.arrays()[1:]).reshape(-1, 2)
    expected = np.linalg.lstsq(basis, t.to_numpy().reshape(12, -1).T, rcond=None)[0].T
    assert np.allclose(polyad.transform(model, t, mode="day").rows, expected, rtol=1e-4)
    with pytest.raises(polyad.UsageError, match="Python function"):
        model.predict([[0, 0, 0]])
    for options, words in (({"mode": "hour"}, "no mode 'hour'"), ({"tolerance": 0}, "tolerance="), ({"loss": "gaussian"}, "loss='poisson'"), ({"lower": 2, "upper": 1}, "lower=")):
        with pytest.raises(polyad.UsageError, match=words):
            polyad.transform(r.model, t, **{"mode": "day", **options})
    empty = t.to_numpy().copy()
    empty[3] = np.nan
    with pytest.warns(UserWarning, match="1 of 12 rows have no data"):
        assert polyad.transform(r.model, polyad.tensor(empty, mode_names=t.mode_names, labels=t.labels), mode="day").states[3] == "no data"


def test_predictions(fitted):
    _, r = fitted
    cells = pd.DataFrame({"kind": [0, 4, 1], "day": ["2024-01-02", "2024-01-12", "2024-01-05"], "shop": ["a", "f", "c"], "value": [3.0, np.nan, 0.0]})
    found = polyad.predict(r, cells, level=0.8)
    means = r.model.values_at(([1, 11, 4], [0, 5, 2], [0, 4, 1]))
    assert list(found.columns) == ["day", "shop", "kind", "value", "expected", "low", "high", "residual"]
    assert list(found["day"]) == list(cells["day"]) and list(found["kind"]) == [0, 4, 1]
    assert np.allclose(found["expected"], means) and np.allclose(found["residual"], cells["value"] - means, equal_nan=True)
    assert np.array_equal(found["low"], scipy.stats.poisson.ppf(0.1, means)) and np.array_equal(found["high"], scipy.stats.poisson.ppf(0.9, means))
    assert np.allclose(r.model.predict([[1, 0, 0], [11, 5, 4]])["expected"], means[:2])
    wrong = cells.assign(shop=["a", "q", "c"])
    with pytest.raises(polyad.DataError, match="does not know 'q' of shop"):
        polyad.predict(r.model, wrong)
    with pytest.warns(UserWarning, match="1 rows"):
        assert len(polyad.predict(r.model, wrong, unknown="ignore")) == 2
    with pytest.raises(polyad.DataError, match="no column 'kind'"):
        polyad.predict(r.model, cells.drop(columns="kind"))
    with pytest.raises(polyad.DataError, match="from 0 to 4"):
        polyad.predict(r.model, cells.assign(kind=[0, 5, 1]))
    with pytest.warns(UserWarning, match="no intervals: .*scale="):
        assert "low" not in polyad.Model([1.0], [np.ones((2, 1))]).predict([[0]], loss="gaussian")


def test_predictions_of_a_file_are_the_same(fitted, tmp_path):
    _, r = fitted
    cells = pd.DataFrame({"day": DAYS[:4], "shop": list("abcd"), "kind": [1, 2, 3, 4]})
    cells.to_csv(tmp_path / "cells.csv", index=False)
    pd.testing.assert_frame_equal(polyad.predict(r.model, tmp_path / "cells.csv"), polyad.predict(r.model, cells.assign(kind=cells["kind"] - 1)))


def test_top_cells_and_missing_ones(fitted):
    t, r = fitted
    full = r.model.full()
    top = polyad.top_cells(r.model, 4, {"shop": "b", "kind": 2})
    assert list(top["day"]) == [DAYS[i] for i in np.argsort(-full[:, 1, 2], kind="stable")[:4]] and set(top["shop"]) == {"b"}
    seen = np.zeros(t.shape)
    seen[full[:, 1, 2].argmax(), 1, 2] = 1
    others = polyad.top_cells(r.model, 3, {"shop": "b", "kind": 2}, seen=polyad.tensor((np.nonzero(seen), [1.0], t.shape), labels=t.labels, mode_names=t.mode_names))
    assert list(others["day"]) == list(top["day"])[1:]
    for where, words in (({"shop": "z"}, "does not know 'z'"), ({"kind": 5}, "from 0 to 4"), ({"hour": 1}, "no mode 'hour'")):
        with pytest.raises(ValueError, match=words):
            polyad.top_cells(r.model, 3, where)
    holes = t.to_numpy().copy()
    holes[2, 3, 4] = holes[0, 0, 0] = np.nan
    filled = polyad.fill_missing(r.model, polyad.tensor(holes, mode_names=t.mode_names, labels=t.labels)).to_numpy()
    assert filled[2, 3, 4] == pytest.approx(full[2, 3, 4]) and filled[0, 0, 0] == pytest.approx(full[0, 0, 0])
    assert np.array_equal(filled[1], t.to_numpy()[1])


def test_interrupted_rows():
    code = """
import os, signal, threading, time, numpy as np, polyad
rng = np.random.default_rng(0)
x = rng.gamma(1.0, 1.0, size=(600, 40, 40))
m = polyad.Model(np.ones(8), [rng.gamma(1.0, 1.0, size=(n, 8)) for n in (600, 40, 40)])
rows = lambda data: polyad.transform(m, data, mode=0, loss="gamma", tolerance=1e-13, warn=False)
began = time.monotonic()
rows(x[:12])
wait = 10 * (time.monotonic() - began)
def strike():
    time.sleep(wait)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=strike, daemon=True).start()
found = rows(x)
print(found.interrupted, 0 < len(found.states) < 600, np.isfinite(found.rows.to_numpy()).all())
"""
    began = time.monotonic()
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ended.stdout.split() == ["True", "True", "True"], ended.stdout + ended.stderr
    assert time.monotonic() - began < 30

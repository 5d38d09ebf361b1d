"""Models: parts, values, arithmetic, exchange; with NumPy as the oracle."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import polyad
import pytest
from conftest import same


@pytest.fixture
def model():
    rng = np.random.default_rng(3)
    factors = [rng.normal(size=(n, 3)) for n in (4, 5, 6)]
    return polyad.Model([3.0, -2.0, 1.0], factors, mode_names=["a", "b", ""], labels=[list("wxyz"), None, None])


def full(model):
    weights, (a, b, c) = model
    return np.einsum("r,ir,jr,kr->ijk", weights, a, b, c)


def test_values_agree_with_einsum(model):
    expected = full(model)
    assert np.allclose(model.full(), expected, rtol=1e-13)
    cells = np.array([[0, 1, 2], [3, 4, 5]])
    assert np.allclose(model.values_at(cells), expected[tuple(cells.T)])
    assert np.allclose(model.values_at((np.arange(4)[:, None], np.arange(5), 0)), expected[:, :, 0])
    assert np.isclose(model.norm(), np.linalg.norm(expected))
    for wrong in ([[9, 0, 0]], [[0, 0]], [[0.5, 0, 0]], ([0], [0])):
        with pytest.raises(polyad.DataError):
            model.values_at(wrong)
    with pytest.raises(polyad.DataError, match="max_bytes"):
        model.full(max_bytes=100)
    assert polyad.Model([2.0], [np.ones((3, 1))]).full().tolist() == [2, 2, 2]


def test_arrangements_keep_the_values(model):
    expected = full(model)
    for other in (model.arrange(), model.arrange(norm="one", sort=False, signs=False), model.arrange(into="a"), model.permute([3, 1, 2])):
        assert np.allclose(full(other), expected)
    arranged = model.arrange()
    assert np.all(np.diff(arranged.weights) <= 0) and np.all(arranged.weights >= 0)
    assert np.allclose(np.linalg.norm(arranged.arrays()[1], axis=0), 1)
    assert np.allclose(model.arrange(into=0).weights, 1)
    assert np.allclose(sum(full(model.component(j)) for j in (1, 2, 3)), expected)
    for wrong in ([0], [4], [1, 1], []):
        with pytest.raises(polyad.UsageError):
            model.permute(wrong)
    with pytest.raises(polyad.UsageError, match="norm="):
        model.arrange(norm="max")


def test_arithmetic(model):
    expected = full(model)
    assert np.allclose(full(model + model), 2 * expected)
    assert np.allclose(full(model - 0.25 * model), 0.75 * expected)
    assert np.allclose(full(-model / 2), -expected / 2)
    with pytest.raises(TypeError):
        model * "x"
    with pytest.raises(TypeError):
        model + 1
    with pytest.raises(polyad.UsageError, match="shapes"):
        model + polyad.Model([1.0], [np.ones((2, 1))] * 3)


def test_equality_and_hash(model):
    other = pickle.loads(pickle.dumps(model))
    assert other == model and hash(other) == hash(model) and len({other, model}) == 1
    assert copy.deepcopy(model) == model
    assert model != -model and model != polyad.Model(*model) and model != 3
    with pytest.raises(ValueError):
        model.arrays()[0][0, 0] = 1


def test_score(model):
    assert model.score(model.permute([2, 3, 1])) == pytest.approx(1)
    assert list(model.match(model.permute([2, 3, 1]))["other"]) == [3, 1, 2]
    assert model.component(1).score(tuple(model)) == pytest.approx(1)
    assert model.score(model.component(2)) == pytest.approx(1 / 3)


def test_frames(model):
    frame = model.factors["a"]
    assert list(frame.index) == list("wxyz") and frame.index.name == "a" and list(frame.columns) == [1, 2, 3]
    assert np.array_equal(frame.to_numpy(), model.arrays()[0])
    assert list(model.factors) == ["a", "b", "mode 3"] and len(model.factors) == 3
    assert model.factors[-1].equals(model.factors["mode 3"])
    with pytest.raises(KeyError, match="the modes are a, b"):
        model.factors["c"]
    top = model.top(2)
    largest = np.argmax(np.abs(model.arrays()[0][:, 1]))
    row = top[(top.component == 2) & (top["mode"] == "a")].iloc[0]
    assert row.label == "wxyz"[largest] and row.value == model.arrays()[0][largest, 1]
    assert np.isclose(row.share, abs(row.value) / np.abs(model.arrays()[0][:, 1]).sum())
    assert top.groupby(["component", "mode"]).size().eq(2).all()


@pytest.mark.parametrize("name", ["m.h5", "m.npz", "m.mat", "m.ktensor"])
def test_files(tmp_path, model, name):
    model.save(tmp_path / name)
    back = polyad.load(tmp_path / name)
    assert isinstance(back, polyad.Model) and np.allclose(full(back), full(model), rtol=1e-14)
    if name == "m.h5":
        assert back == model


def test_bad_parts():
    for weights, factors in (([1.0], []), ([1.0, 2.0], [np.ones((2, 1))]), ([], [np.ones((2, 0))]), ([1.0], [np.ones(3)])):
        with pytest.raises(polyad.DataError):
            polyad.Model(weights, factors)
    with pytest.raises(polyad.UsageError):
        polyad.Model([1.0], [np.ones((2, 1))], labels=[])
    with pytest.raises(polyad.DataError):
        polyad.Model([1.0], [np.ones((2, 1))], labels=[["just one"]])
    with pytest.raises(polyad.FileError):
        polyad.load("/nowhere/m.h5")


def test_pickles_across_processes(tmp_path, counts, short):
    r = polyad.fit(counts, 2, "poisson", mode_names=list("abc"), **short)
    t = polyad.tensor(counts, mode_names=list("abc"), mask=counts > 5)
    listed = polyad.tensor((np.array(np.nonzero(counts)), counts[counts > 0], counts.shape), mask=([0], [0], [0]), zero_weight=0.5)
    (tmp_path / "r.pickle").write_bytes(pickle.dumps((r, r.model, t, listed, polyad.loss("huber:delta=2"))))
    code = f"""
import pickle, numpy as np
r, m, t, listed, loss = pickle.load(open({str(tmp_path / "r.pickle")!r}, "rb"))
assert r.model == m and len(r.trace) > 2 and m.mode_names == ["a", "b", "c"]
assert t.mode_names == ["a", "b", "c"] and np.isnan(t.to_numpy()).any() and loss.spec == "huber:delta=2"
assert listed._core.zero_weight == 0.5 and np.isnan(listed.to_numpy()[0, 0, 0])
print(m.weights.tobytes().hex())
"""
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    assert found == r.model.weights.tobytes().hex()


def test_pyttb_like_models(model):
    from types import SimpleNamespace

    theirs = SimpleNamespace(weights=model.weights, factor_matrices=list(model.arrays()))
    assert model.score(theirs) == pytest.approx(1)
    with pytest.raises(polyad.UsageError, match="pyttb"):
        model.to_pyttb()


def test_same_helper(model):
    assert same(model, model) and not same(model, -model)

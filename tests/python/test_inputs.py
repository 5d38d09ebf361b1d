"""Every kind of input gives the same model to the last bit as the plain array it stands for, and keeps its labels."""

from types import SimpleNamespace

import gzip
import numpy as np
import pandas as pd
import polyad
import pytest
import scipy.sparse
import sparse
import xarray as xr
from conftest import SHORT, same
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


def fitted(data, **more):
    return polyad.fit(data, 2, "gaussian", **{**SHORT, **more}).model


def as_listed(array):
    """(coords, values, shape) of all nonzeros."""
    cells = np.nonzero(array)
    return np.array(cells), array[cells], array.shape


def test_dense_float64_is_borrowed(counts):
    t = polyad.tensor(counts)
    assert t.to_numpy().__array_interface__["data"][0] == counts.__array_interface__["data"][0]
    assert not t.to_numpy().flags.writeable


@pytest.mark.parametrize("dtype", ["f4", ">f8", "f2", "i4", "u1", "i8", "g", "?"])
def test_dtypes(counts, dtype):
    values = np.minimum(counts, 1).astype(dtype)
    assert same(fitted(values), fitted(np.minimum(counts, 1)))


def test_layouts(counts):
    expected = fitted(counts)
    padded = np.zeros((18, 7, 5))
    padded[::2] = counts
    read_only = counts.copy()
    read_only.flags.writeable = False
    for array in (np.asfortranarray(counts), padded[::2], counts[::-1][::-1], read_only, counts.tolist()):
        assert same(fitted(array), expected)


def test_memmap(tmp_path, counts):
    np.save(tmp_path / "x.npy", counts)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert same(fitted(mapped), fitted(counts))
    assert same(fitted(tmp_path / "x.npy"), fitted(counts))


@settings(max_examples=40, deadline=None)
@given(
    array=hnp.arrays(
        st.sampled_from([np.float64, np.float32, np.int16]),
        hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4),
        elements=st.integers(-3, 3),
    ),
    data=st.data(),
)
def test_results_never_depend_on_the_layout(array, data):
    flips = tuple(slice(None, None, data.draw(st.sampled_from([1, -1]))) for _ in array.shape)
    view = np.ascontiguousarray(array[flips])[flips]  # the same values, strides of either sign
    if data.draw(st.booleans()) and array.ndim > 1:
        view = np.asfortranarray(view)
    if array.size == 0:
        with pytest.raises(polyad.DataError, match="extent 0"):
            polyad.tensor(view)
        return
    assert np.array_equal(polyad.tensor(view).to_numpy(), array)
    assert same(polyad.fit(view, 1, "gaussian", method="gcp-full", iterations=2, starts=1).model,
                polyad.fit(array, 1, "gaussian", method="gcp-full", iterations=2, starts=1).model)  # fmt: skip


def test_broadcast_array_with_stride_zero():
    view = np.broadcast_to(np.arange(4.0), (3, 4))
    assert same(fitted(view), fitted(view.copy()))


def test_missing_cells(counts):
    hole = counts.copy()
    hole[2, 3, 4] = np.nan
    mask = np.isnan(hole)
    expected = fitted(hole)
    assert same(fitted(counts, mask=mask), expected)
    assert same(fitted(counts, mask=np.nonzero(mask)), expected)
    assert same(fitted(np.ma.masked_array(counts, mask)), expected)
    assert polyad.tensor(counts, mask=mask)._core.held_out == 1
    assert not same(fitted(counts), expected)


def test_weights(counts):
    weights = np.linspace(0.5, 2, counts.size).reshape(counts.shape)
    weights[0, 0, 0] = 0
    hole = counts.copy()
    hole[0, 0, 0] = np.nan
    expected = fitted(hole, weights=np.where(weights == 0, 1, weights))
    assert same(fitted(counts, weights=weights), expected)


def test_sparse_inputs(counts):
    coords, values, shape = as_listed(counts)
    expected = fitted((coords, values, shape))
    coo = sparse.COO(coords, values, shape)
    sptensor = SimpleNamespace(subs=coords.T, vals=values[:, None], shape=shape)
    order = pd.MultiIndex.from_arrays(coords)
    assert same(fitted(polyad.tensor((coords, values), shape=shape)), expected)
    assert polyad.tensor((coords, values)).shape == tuple(coords.max(axis=1) + 1)
    for data in ((list(coords.astype("u4")), values.astype("f4"), shape), coo, sptensor):
        assert same(fitted(data), expected)
    assert same(fitted(pd.Series(values, index=order)), fitted((coords, values)))
    sparse_nan = sparse.COO(coords, values, shape, fill_value=np.nan)
    assert same(fitted(sparse_nan), fitted((coords, values, shape), unlisted="missing"))
    assert np.array_equal(polyad.tensor(coo).to_numpy(), counts)


def test_scipy_sparse(counts):
    matrix = counts[:, :, 0]
    coords, values, shape = as_listed(matrix)
    for kind in ("csr", "csc", "coo", "lil"):
        assert np.array_equal(polyad.tensor(scipy.sparse.csr_matrix(matrix).asformat(kind)).to_numpy(), matrix)
    cells = SimpleNamespace(coords=tuple(as_listed(counts)[0]), data=as_listed(counts)[1], shape=counts.shape)
    cells.tocoo = lambda: cells  # as a coo_array of three modes, which this scipy may not have
    assert same(fitted(cells), fitted(as_listed(counts)))


def test_sparse_nan_is_missing_and_weights_and_duplicates(counts):
    coords, values, shape = as_listed(counts)
    with_nan = values.copy()
    with_nan[3] = np.nan
    one = tuple(c[3:4] for c in coords)
    assert same(fitted((coords, with_nan, shape)), fitted((coords, values, shape), mask=one))
    twice = (np.hstack([coords, coords[:, :2]]), np.append(values, [1, 1]), shape)
    t = polyad.tensor(twice)
    assert t.remarks == ["2 duplicate entries were summed"]
    weighted = polyad.tensor((coords, values, shape), weights=(coords[:, :1], [3.0]), zero_weight=0.5)
    assert weighted._core.zero_weight == 0.5
    assert sorted(weighted._core.entries()[2])[-1] == 3.0


def test_pyttb_like_dense(counts):
    dense = SimpleNamespace(data=np.asfortranarray(counts), shape=counts.shape)
    assert same(fitted(dense), fitted(counts))


def test_xarray_keeps_names_and_labels(counts):
    days = pd.date_range("2024-01-01", periods=9)
    array = xr.DataArray(counts, dims=("day", "shop", "kind"), coords={"day": days, "shop": list("abcdefg")})
    t = polyad.tensor(array)
    assert t.mode_names == ["day", "shop", "kind"]
    assert t.labels[0][:2] == ["2024-01-01", "2024-01-02"]
    assert t.labels[1] == list("abcdefg") and t.labels[2] is None
    model = fitted(array)
    assert same(model, fitted(counts))
    back = model.to_xarray()
    assert back["shop factor"].dims == ("shop", "component")
    assert back.sel(shop="c", component=2)["shop factor"] == model.arrays()[1][2, 1]
    assert list(model.factors["day"].index[:1]) == ["2024-01-01"]


def test_wide_frame():
    frame = pd.DataFrame([[1, 2.5], [np.nan, 4]], index=pd.Index(["x", "y"], name="row"), columns=["a", "b"])
    t = polyad.tensor(frame)
    assert t.mode_names == ["row", "mode 2"] and t.labels == [["x", "y"], ["a", "b"]]
    assert np.array_equal(t.to_numpy(), frame.to_numpy(), equal_nan=True)
    with pytest.raises(polyad.DataError, match="from_table"):
        polyad.tensor(pd.DataFrame({"a": ["x"], "b": [1]}))


def test_labels_and_names(counts):
    t = polyad.tensor(counts, mode_names=["day", "hour", "kind"], labels={"hour": range(7), 2: list("abcde")})
    assert t.labels == [None, [str(i) for i in range(7)], list("abcde")]
    for wrong in ({"labels": {"hour": [1]}}, {"labels": {"nothing": [1]}}, {"mode_names": ["a"]}, {"labels": [None]}):
        with pytest.raises(polyad.Error):
            polyad.tensor(t, **wrong)
    assert polyad.tensor(t) is t
    assert t.labels[0] is None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.array([["a"]]), "from_table"),
        (np.array([[object()]]), "object"),
        (np.ones((2, 2)) * 1j, "complex"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "times"),
        (np.full((2, 2), np.inf), "finite"),
        (3.0, "no modes"),
        (np.ones((2,) * 17), "modes"),
        (([[0, -1]], [1, 2]), "index -1"),
        (([[0.5]], [1.0]), "whole numbers"),
        (([[0, 1]], [1.0]), "one per entry"),
        (([[0], [1]], [1.0], (5,)), "one row per mode"),
        (([[7]], [1.0], (5,)), "8"),
        (sparse.COO([[0]], [1.0], (3,), fill_value=2.0), "fill_value"),
        ("/nowhere/x.tns", "No such file"),
    ],
)
def test_bad_data_says_what_to_do(data, words):
    with pytest.raises(polyad.Error, match=words) as caught:
        polyad.tensor(data)
    assert "\n" not in str(caught.value)


def test_bad_masks_and_weights(counts):
    for more in ({"mask": counts[:2] > 0}, {"mask": counts + 5}, {"weights": counts[:2]}, {"weights": -1 - counts}, {"zero_weight": 2}, {"mask": ([99], [0], [0])}):
        with pytest.raises(polyad.Error):
            polyad.tensor(counts, **more)
    with pytest.raises(polyad.UsageError, match="base"):
        polyad.tensor(counts, base=1)


def test_options_of_files_reach_the_reader(tmp_path):
    pattern = tmp_path / "edges.tns"
    pattern.write_text("".join(f"{i} {j} {k}\n" for i in range(1, 9) for j in range(1, 9) for k in range(1, 9)))
    with pytest.raises(polyad.DataError, match="values="):
        polyad.tensor(pattern)
    assert polyad.tensor(pattern, values="ones").shape == (8, 8, 8)
    assert polyad.tensor(pattern, values="last").shape == (8, 8)
    packed = tmp_path / "packed.tns.gz"
    packed.write_bytes(gzip.compress(b"1 1 2.5\n" + b"\n" * 2_000_000))
    with pytest.raises(polyad.DataError, match="unpacked_limit="):
        polyad.tensor(packed, unpacked_limit=0.001)
    assert polyad.tensor(packed).shape == (1, 1)
    with pytest.raises(polyad.UsageError, match="values="):
        polyad.tensor(np.ones((2, 2)), values="ones")

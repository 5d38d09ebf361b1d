"""The same data, options and seed give the same factors from Python and from the command, for all samplers and methods."""

import os
import subprocess

import numpy as np
import polyad
import pytest

POLYAD = os.environ.get("POLYAD")
COMMON = dict(starts=2, seed=3, threads=2)
SGD = dict(epochs=3, epoch_iterations=40, samples=90, **COMMON)

pytestmark = pytest.mark.skipif(not POLYAD, reason="the command is not built")


def cases():
    for sampler in ("uniform", "exhaustive"):
        yield f"dense {sampler}", "dense", dict(SGD, loss="poisson", sampler=sampler, samples=None if sampler == "exhaustive" else 90)
    for sampler in ("uniform", "stratified", "semi-stratified", "exact-zeros", "importance", "exhaustive"):
        yield f"sparse {sampler}", "sparse", dict(SGD, loss="poisson", sampler=sampler, samples=None if sampler == "exhaustive" else 90)
    yield "strata", "sparse", dict(SGD, loss="gaussian", sampler="strata", stratum=["nonzeros", "zeros"])
    for loss in ("gaussian", "huber:delta=0.5", "poisson-log", "expr:(x - m)**2"):
        yield f"dense {loss}", "dense", dict(SGD, loss=loss)
    for update in ("mu", "pdnr", "pqnr"):
        yield f"cp-apr {update}", "sparse", dict(COMMON, loss="poisson", method="cp-apr", apr_update=update, iterations=5)
    yield "cp-als", "dense", dict(COMMON, loss="gaussian", method="cp-als", iterations=5)
    yield "gcp-full dense", "dense", dict(COMMON, loss="bernoulli-logit", method="gcp-full", iterations=5)
    yield "gcp-full sparse", "sparse", dict(COMMON, loss="poisson", method="gcp-full", iterations=5)
    yield "single", "sparse", dict(SGD, loss="poisson", precision="single", sampler="stratified")
    for rule in ("adam", "sgd", "adagrad"):
        yield rule, "dense", dict(SGD, loss="gaussian", optimizer=rule, rate=0.01)
    yield "missing", "missing", dict(SGD, loss="gaussian")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(5)
    dense = rng.poisson(0.6, size=(8, 7, 6)).astype(float)
    missing = dense.copy()
    missing[rng.random(dense.shape) < 0.1] = np.nan
    np.save(folder / "dense.npy", dense)
    np.save(folder / "missing.npy", missing)
    cells = np.nonzero(dense)
    order = rng.permutation(len(cells[0]))
    coords, values = np.array(cells)[:, order], dense[cells][order]
    polyad.tensor((coords, values, dense.shape)).save(folder / "sparse.h5")
    return folder, {"dense": dense, "missing": missing, "sparse": (coords, values, dense.shape), "binary": dense}


@pytest.mark.parametrize(("name", "kind", "options"), list(cases()), ids=lambda v: v if isinstance(v, str) else "")
@pytest.mark.filterwarnings("ignore")
def test_python_and_command(files, tmp_path, name, kind, options):
    folder, arrays = files
    data = arrays[kind]
    if options["loss"].startswith("bernoulli"):
        data = np.minimum(data, 1)
        path = tmp_path / "binary.npy"
        np.save(path, data)
    else:
        path = folder / (f"{kind}.h5" if kind == "sparse" else f"{kind}.npy")
    command = [POLYAD, "fit", str(path), "-o", str(tmp_path / "model.h5"), "--quiet", "--rank", "2"]
    options = {k: v for k, v in options.items() if v is not None}
    for key, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            command += [f"--{key.replace('_', '-')}", str(one)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode in (0, 6), ended.stderr
    expected = polyad.load(tmp_path / "model.h5")
    found = polyad.fit(data, 2, progress=False, **options).model
    assert found.weights.tobytes() == expected.weights.tobytes()
    assert [a.tobytes() for a in found.arrays()] == [a.tobytes() for a in expected.arrays()]

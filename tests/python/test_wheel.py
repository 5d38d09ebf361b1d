"""A wheel, installed into an environment of its own, works away from the source tree.

The compiled module is taken from the build under test (POLYAD_PREBUILT); everything else is made as `pip install .` makes it.
"""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import polyad
import pytest

SOURCE = Path(os.environ.get("POLYAD_SOURCE", Path(__file__).resolve().parents[2]))
pytest.importorskip("scikit_build_core")

USE = """
import sys, numpy as np, polyad
assert polyad.__file__.startswith(sys.prefix), polyad.__file__
r = polyad.fit(np.random.default_rng(0).poisson(2.0, (5, 4, 3)), 2, "poisson", starts=1, epochs=2, progress=False, warn=False)
r.save("model.h5")
assert polyad.load("model.h5") == r.model       # HDF5 is read by the program that the wheel brings along
r.report("report.html")
print(polyad.__version__)
"""


def run(*command, **more):
    ended = subprocess.run(command, capture_output=True, text=True, **more)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def test_source_archive_has_all_that_a_build_needs(tmp_path):
    run(sys.executable, "-c", "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])", str(tmp_path), cwd=SOURCE)
    (archive,) = tmp_path.glob("polyad-*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.split("/", 1)[1] for name in file.getnames() if "/" in name}
    for folder in ("src", "include", "apps", "cmake", "python"):
        there = {str(p.relative_to(SOURCE)) for p in (SOURCE / folder).rglob("*") if p.is_file() and p.suffix in (".cpp", ".hpp", ".js", ".css", ".py", ".pyi", ".typed", ".txt", ".cmake", ".in")}
        assert there and there <= names, sorted(there - names)
    assert not [name for name in names if name.startswith(("build/", "out/"))]


def test_wheel(tmp_path):
    prebuilt = Path(polyad._core.__file__).parent
    run(sys.executable, "-m", "pip", "wheel", str(SOURCE), "--no-build-isolation", "--no-deps", "--no-index", "-w", str(tmp_path),
        "--config-settings", f"build-dir={tmp_path}/build", "--config-settings", f"cmake.define.POLYAD_PREBUILT={prebuilt}")  # fmt: skip
    (wheel,) = tmp_path.glob("polyad-*.whl")
    assert wheel.name.startswith(f"polyad-{polyad.__version__}-cp") and "linux" in wheel.name
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("polyad/__init__.py", "polyad/py.typed", "polyad/_fit.pyi", "polyad/_core.pyi", "polyad/polyad-reader"):
        assert name in names, names
    assert not [n for n in names if not n.startswith(("polyad/", "polyad-"))], names
    home = tmp_path / "env"
    run(sys.executable, "-m", "venv", "--system-site-packages", str(home))
    run(str(home / "bin/python"), "-m", "pip", "install", "--no-index", "--no-deps", str(wheel))
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "POLYAD_READER")}
    work = tmp_path / "elsewhere"
    work.mkdir()
    assert run(str(home / "bin/python"), "-c", USE, cwd=work, env=clean).strip() == polyad.__version__
    core = next(home.glob("lib/python*/site-packages/polyad/_core*.so"))
    assert "RUNPATH" not in run("readelf", "-d", str(core)) and "RPATH" not in run("readelf", "-d", str(core))

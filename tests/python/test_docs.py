"""What the documentation shows of Python runs; doctests of the package pass; types and stubs agree with the code."""

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import polyad
import pytest

SOURCE = Path(os.environ.get("POLYAD_SOURCE", Path(__file__).resolve().parents[2]))


def python_blocks(path):
    text = (SOURCE / path).read_text()
    return [b for b in re.findall(r"(?<!-->\n)```python\n(.*?)```", text, flags=re.S)]


def test_docs_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = python_blocks("docs/python.md")
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert (tmp_path / "report.html").stat().st_size > 100_000


@pytest.mark.parametrize("name", ["polyad", "polyad._model", "polyad._tensor", "polyad._table", "polyad._losses", "polyad.estimator"])
@pytest.mark.filterwarnings("ignore")
def test_doctests(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0 and found.attempted > 0


def test_stub_is_current():
    subprocess.run([sys.executable, str(SOURCE / "python/tools/generate_stubs.py"), "--check"], check=True)


USE = """
import numpy as np
import polyad

r: polyad.FitResult = polyad.fit(np.ones((3, 4)), rank=2, loss="gaussian", method="cp-als", starts=3, tolerance=1e-3)
m: polyad.Model = r.model
values = m.full()
score: float = m.score(m)
names: list[str] = m.mode_names
t: polyad.Tensor = polyad.tensor(values, mode_names=["a", "b"])
bad = polyad.fit(values, rank=2, loss="gaussian", method="cp-asl")
worse = polyad.fit(values, rank="x")
unknown = polyad.fit(values, rank=2, epoch=3)
"""


def test_mypy_on_use(tmp_path):
    # Without the types of other packages, which would take a minute to read.
    (tmp_path / "use.py").write_text(USE)
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent", "use.py"],
        cwd=tmp_path, env={**os.environ, "MYPYPATH": str(SOURCE / "python")}, capture_output=True, text=True,
    )  # fmt: skip
    errors = [line for line in ended.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 3, ended.stdout
    assert "Literal" in errors[0] and '"rank"' in errors[1] and '"epoch"' in errors[2], ended.stdout


def test_signature_names_every_option():
    import inspect

    names = inspect.signature(polyad.fit).parameters
    assert "epochs" in names and "kkt_tolerance" in names and "mask" in names

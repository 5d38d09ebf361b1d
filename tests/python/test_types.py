"""Types: the package passes `mypy --strict`, its stubs say what the compiled module and fit() have, and users' mistakes are seen."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("POLYAD_SOURCE", Path(__file__).resolve().parents[2]))
pytest.importorskip("mypy")

USE = """
import numpy as np
import polyad

r: polyad.FitResult = polyad.fit(np.ones((3, 4)), rank=2, loss="gaussian", method="cp-als", starts=3, tolerance=1e-3)
m: polyad.Model = r.model
half: polyad.Model = (m + m.component(1)) / 2
values = m.full()
score: float = m.score(m)
names: list[str] = m.mode_names
t: polyad.Tensor = polyad.tensor(values, mode_names=["a", "b"])
bad = polyad.fit(values, rank=2, loss="gaussian", method="cp-asl")
worse = polyad.fit(values, rank="x")
unknown = polyad.fit(values, rank=2, epoch=3)
wrong: str = m.weights
"""

# Of classes made by pybind11 the metaclass and a constructor that only refuses cannot be written down.
ALLOWED = r"""
polyad\._core\.(Loss|Progress|Tensor)(\.__init__)?
polyad\._core\.Model
"""


def notebook_code():
    cells = json.loads((SOURCE / "examples/city.ipynb").read_text())["cells"]
    code = "".join("".join(c["source"]) + "\n" for c in cells if c["cell_type"] == "code")
    return "# mypy: allow-untyped-defs, allow-untyped-calls\n" + code  # functions of a notebook need no annotations


def mypy(module, folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", module, *arguments], cwd=folder, env={**os.environ, "MYPYPATH": str(SOURCE / "python")}, capture_output=True, text=True
    )


def test_package_examples_and_use(tmp_path):
    docs = "\n".join(re.findall(r"```python\n(.*?)```", (SOURCE / "docs/python.md").read_text(), flags=re.S))
    for name, code in (("use", USE), ("docs", docs), ("notebook", notebook_code())):
        (tmp_path / f"{name}.py").write_text(code)
    ended = mypy("mypy", tmp_path, "--strict", "--config-file", str(SOURCE / "pyproject.toml"), "-p", "polyad", "-m", "use", "-m", "docs", "-m", "notebook")
    errors = [line for line in ended.stdout.splitlines() if ": error:" in line]
    assert all(line.startswith("use.py") for line in errors) and len(errors) == 4, ended.stdout + ended.stderr
    for line, words in zip(errors, ("Literal", '"rank"', '"epoch"', "wrong|assignment")):
        assert re.search(words, line), ended.stdout


def test_stub_is_current():
    subprocess.run([sys.executable, str(SOURCE / "python/tools/generate_stubs.py"), "--check"], check=True)


def test_stubs_agree_with_the_modules(tmp_path):
    (tmp_path / "allowed").write_text(ALLOWED)
    (tmp_path / "config").write_text("[mypy]\nfollow_imports = skip\nignore_missing_imports = True\n")
    ended = mypy("mypy.stubtest", tmp_path, "polyad._core", "polyad._fit", "--mypy-config-file", "config", "--concise", "--allowlist", "allowed")
    assert ended.returncode == 0, ended.stdout + ended.stderr

"""What the documentation shows of Python runs; doctests of the package pass."""

import doctest
import importlib
import os
import re
from pathlib import Path

import polyad
import pytest

SOURCE = Path(os.environ.get("POLYAD_SOURCE", Path(__file__).resolve().parents[2]))


MODULES = ["polyad", "polyad._model", "polyad._tensor", "polyad._table", "polyad._losses", "polyad._new_data", "polyad.estimator"]


def python_blocks(path):
    text = (SOURCE / path).read_text()
    return re.findall(r"(?<!-->\n)```python\n(.*?)```", text, flags=re.S)


def test_docs_python(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = python_blocks("docs/python.md")
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert (tmp_path / "report.html").stat().st_size > 100_000


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.filterwarnings("ignore")
def test_doctests(name):
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0 and found.attempted > 0


def test_signature_names_every_option():
    import inspect

    names = inspect.signature(polyad.fit).parameters
    assert "epochs" in names and "kkt_tolerance" in names and "mask" in names

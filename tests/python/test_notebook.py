"""The notebook in examples/ runs and finds what was planted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("POLYAD_SOURCE", Path(__file__).resolve().parents[2]))
pytest.importorskip("nbconvert")
pytest.importorskip("ipykernel")


def test_city(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", str(SOURCE / "examples/city.ipynb"), "--output-dir", str(tmp_path), "--output", "done"],
        capture_output=True, text=True, env={**{k: v for k, v in os.environ.items() if k != "MPLBACKEND"}, "IPYTHONDIR": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path)},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    cells = json.loads((tmp_path / "done.ipynb").read_text())["cells"]
    outputs = [o for c in cells for o in c.get("outputs", [])]
    assert not [o for o in outputs if o["output_type"] == "error"]
    pages = [o for o in outputs if "text/html" in o.get("data", {}) and "<iframe srcdoc=" in "".join(o["data"]["text/html"])]
    pictures = [o for o in outputs if "image/png" in o.get("data", {})]
    assert len(pages) == 1 and len(pictures) >= 1
    tops = "".join(o["data"]["text/plain"] if isinstance(o["data"]["text/plain"], str) else "".join(o["data"]["text/plain"]) for o in outputs if "text/plain" in o.get("data", {}))
    assert "station" in tops and "harbour" in tops

"""The notebook in examples/ runs and finds what was planted; interrupting a kernel keeps the best model so far."""

import json
import os
import subprocess
import sys
import time
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


LONG = """
import numpy as np, polyad
x = np.random.default_rng(0).poisson(2.0, size=(30, 20, 10)).astype(float)
r = polyad.fit(x, 3, "poisson", method="gcp-sgd", epochs=10**6, starts=2, progress=False, warn=False, callback=lambda p: p.epoch == 1 and print("running", flush=True))
print("interrupted" if r.interrupted else "done", np.isfinite(r.loss), flush=True)
"""


def said(client, wanted, seconds=60):
    """The text that a kernel prints, until `wanted` is in it or the cell has ended."""
    text = ""
    while wanted not in text:
        message = client.get_iopub_msg(timeout=seconds)
        text += message["content"].get("text", "") if message["msg_type"] == "stream" else ""
        if message["msg_type"] == "error":
            raise AssertionError("\n".join(message["content"]["traceback"]))
    return text


def test_interrupting_the_kernel_keeps_the_best_model(tmp_path, monkeypatch):
    manager = pytest.importorskip("jupyter_client.manager")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    kernel = manager.KernelManager()
    kernel.kernel_cmd = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.start_kernel()
    client = kernel.client()
    try:
        client.start_channels()
        client.wait_for_ready(timeout=60)
        client.execute(LONG)
        said(client, "running")
        time.sleep(0.2)
        kernel.interrupt_kernel()
        began = time.monotonic()
        assert "interrupted True" in said(client, "interrupted")
        assert time.monotonic() - began < (0.3 if os.environ.get("POLYAD_TIMING") else 5.0)
        client.execute("print('alive', r.model.rank, flush=True)")  # the kernel goes on, with the model
        said(client, "alive 3")
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)

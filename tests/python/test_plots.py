"""Figures and reports: every kind of mode is drawn, axes are accepted, files are complete."""

import json

import matplotlib
import numpy as np
import pandas as pd
import polyad
import pytest

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


@pytest.fixture
def result(short):
    rng = np.random.default_rng(0)
    x = rng.poisson(2.0, size=(30, 24, 5, 40)).astype(float)
    labels = [[str(d.date()) for d in pd.date_range("2024-01-01", periods=30)], [f"{h:02d}" for h in range(24)], list("abcde"), None]
    t = polyad.tensor(x, mode_names=["day", "hour", "shop", "item"], labels=labels)
    yield polyad.fit(t, 3, "poisson", **{**short, "starts": 2}, warn=False)
    plt.close("all")


def test_components(result):
    figure = result.model.plot.components()
    assert len(figure.axes) == 12 and figure.axes[0].get_title() == "day"
    line = figure.axes[0].lines[0]
    assert np.array_equal(line.get_ydata(), result.model.arrays()[0][:, 0])
    bars = figure.axes[1].patches
    assert np.allclose([b.get_height() for b in bars], result.model.arrays()[1][:, 0])
    names = [t.get_text() for t in figure.axes[2].get_yticklabels()]
    assert names == list("abcde")
    # Components have the numbers and parts that the report gives them.
    shown = json.loads(polyad._core.show_json(result.model._file, 1))["components"]
    parts = [axes.get_ylabel().split("\n")[1] for axes in figure.axes[::4]]
    assert parts == [f"{100 * c['share']:.0f} %" for c in shown] and parts[0] >= parts[1] >= parts[2]
    assert [c["modes"][2]["top"][0]["label"] for c in shown] == list(result.model.top(1).query("mode == 'shop'")["label"])
    _, grid = plt.subplots(1, 4)
    assert result.model.plot.components([2], axes=grid) is grid[0].figure
    with pytest.raises(polyad.UsageError):
        result.model.plot.components([4])
    with pytest.raises(polyad.UsageError, match="grid"):
        result.model.plot.components([1], axes=grid[:2])


def test_trace_fit_and_compare(result, tmp_path):
    _, axes = plt.subplots()
    assert result.model.plot.trace(axes=axes) is axes.figure
    table = result.trace[result.trace["start"] == result.starts["best"].idxmax()]
    exact = table["rate"] == 0
    assert [len(line.get_ydata()) for line in axes.lines if line.get_label().startswith("best start")] == [(~exact).sum(), exact.sum()]
    with pytest.raises(polyad.UsageError, match="judge"):
        result.model.plot.fit("day")
    result.judge()
    figure = result.model.plot.fit("shop")
    table = result.model._file.slices()[2]
    expected = 1 - (table[:, 0] - table[:, 2]) / (table[:, 1] - table[:, 2])
    assert np.allclose([b.get_width() for b in figure.axes[0].patches], expected)
    compared = result.model.plot.compare(result.model.permute([3, 1, 2]))
    image = compared.axes[0].images[0].get_array()
    assert np.allclose(np.diag(image), 1)
    with pytest.raises(polyad.UsageError, match="no trace"):
        polyad.Model([1.0], [np.ones((2, 1))]).plot.trace()
    compared.savefig(tmp_path / "compare.pdf")


def test_numbers_as_labels_are_where_the_entries_stand():
    areas = [str(n) for n in range(1, 78)]
    figure = polyad.Model([1.0], [np.arange(77.0)[:, None], np.ones((2, 1))], mode_names=["area", "side"], labels=[areas, None]).plot()
    assert list(figure.axes[0].lines[0].get_xdata()) == list(range(1, 78))


def test_map(result, tmp_path):
    squares = [{"type": "Feature", "properties": {"name": n}, "geometry": {"type": "Polygon", "coordinates": [[[i, 0], [i + 1, 0], [i + 1, 1], [i, 1], [i, 0]]]}} for i, n in enumerate("abcdef")]
    path = tmp_path / "shops.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": squares}))
    figure = result.model.plot.map("shop", path, component=2)
    shapes = [c for c in figure.axes[0].collections if c.get_array() is not None][0]
    assert np.allclose(sorted(shapes.get_array()), sorted(result.model.arrays()[2][:, 1]))
    result.report(tmp_path / "r.html", maps={"shop": path}, title="Shops")
    text = (tmp_path / "r.html").read_text()
    assert "Shops" in text and "<script" in text


def test_reports(result, tmp_path):
    frame = result._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and 'src="http' not in frame and len(frame) > 100_000
    result.report(tmp_path / "r.svg")
    assert (tmp_path / "r.svg").read_text().startswith("<svg") or "<svg" in (tmp_path / "r.svg").read_text()[:400]
    polyad.report(tmp_path / "two.html", {"a": result, "b": result.model.permute([2, 1, 3])})
    with pytest.raises(polyad.UsageError, match=".html"):
        result.report(tmp_path / "r.txt")
    with pytest.raises(polyad.FileError):
        result.report("/nowhere/r.html")
    result.save(tmp_path / "m.h5")
    assert polyad.load(tmp_path / "m.h5")._file.slices()

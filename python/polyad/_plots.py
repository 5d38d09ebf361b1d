"""Figures for papers, drawn with matplotlib. Every function takes axes or a figure size and returns the figure."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from . import _core
from ._types import AnyArray, Array, PathLike
from .errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._model import Model


_BLUE = "#2b6cb0"
_RED = "#c05621"
_MOST_BARS = 10  # of modes with many names
_ROOM = 0.14  # inches of a bar with its name


def _few_or_largest(values: Array, kind: str) -> AnyArray:
    """Which entries of a mode with names are drawn, in order: all of a few, the largest of many."""
    order = np.argsort(-np.abs(values), kind="stable")
    order = order[~np.isnan(values[order])]
    return np.sort(order) if kind == "few" else order[:_MOST_BARS]


def _row_height(model: Model, k: int) -> float:
    kind = _core.mode_kind(model._file, k)
    bars = {"few": model.shape[k], "many": _MOST_BARS}.get(kind, 0)
    return max(1.4, _ROOM * min(bars, model.shape[k]) + 0.3)


def _part_texts(model: Model) -> list[str]:
    """The part of each component in the sum of all cells, as reports show it; nothing where entries are negative."""
    if (model.weights < 0).any() or any((a < 0).any() for a in model.arrays()):
        return [""] * model.rank
    sums = model.weights * np.prod([a.sum(axis=0) for a in model.arrays()], axis=0)
    return [f"{100 * part:.0f} %" for part in sums / (sums.sum() or 1.0)]


def _figure(axes: Any, width: float, height: float) -> tuple[Figure, Axes]:
    import matplotlib.pyplot as plt

    if axes is not None:
        return axes.figure, axes
    figure, made = plt.subplots(figsize=(width, height), layout="constrained")
    return figure, made


def _positions(labels: Optional[Sequence[str]], kind: str, count: int) -> AnyArray:
    """Where the entries of an ordered mode stand: at their dates, at the numbers that are their labels, or at their indices."""
    if labels is None:
        return np.arange(count)
    try:
        return np.array(labels, dtype="datetime64[s]" if kind == "time" else float)
    except ValueError:
        return np.arange(count)


def _draw_column(axes: Axes, values: Array, labels: Optional[Sequence[str]], kind: str, color: str = _BLUE) -> None:
    """A column as what its mode is: a line over time or positions, bars for hours and names, the largest of many names."""
    if kind in ("time", "index"):
        where = _positions(labels, kind, len(values))
        axes.plot(where, values, color=color, linewidth=1)
        if not (values < 0).any():
            axes.fill_between(where, 0, values, color=color, alpha=0.25, linewidth=0)
        if where.dtype.kind == "M":
            from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

            locator = AutoDateLocator(minticks=2, maxticks=5)
            axes.xaxis.set_major_locator(locator)
            axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
            axes.xaxis.get_offset_text().set_fontsize("x-small")
    elif kind in ("hours", "cycle"):
        axes.bar(np.arange(len(values)), values, color=color, width=0.9)
        ticks = np.arange(0, len(values), 6 if kind == "hours" else 1)
        axes.set_xticks(ticks, [str(i) if kind == "hours" or labels is None else labels[i][:3] for i in ticks])
    else:
        order = _few_or_largest(values, kind)
        names = [str(i) if labels is None else labels[i] for i in order]
        axes.barh(np.arange(len(order)), values[order], color=color, height=0.8)
        axes.set_yticks(np.arange(len(order)), [n if len(n) <= 24 else n[:23] + "…" for n in names], fontsize="x-small")
        axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize="x-small")
    axes.margins(x=0.01)


class ModelPlots:
    """`model.plot`: figures of one model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def __call__(self, **options: Any) -> Figure:
        """The same as components()."""
        return self.components(**options)

    def components(self, components: Optional[Sequence[int]] = None, *, axes: Any = None, width: float = 10.0) -> Figure:
        """A grid: one row per component, one column per mode, each drawn as what it is.

        components: numbers from 1; None: all. axes: a grid of axes of that size to draw into.
        """
        import matplotlib.pyplot as plt

        model = self._model
        chosen = list(range(1, model.rank + 1)) if components is None else list(components)
        rows = [model._column(j) for j in chosen]
        if not rows:
            raise UsageError("components= names none")
        if axes is None:
            height = max(_row_height(model, k) for k in range(model.ndim))
            figure, grid = plt.subplots(len(rows), model.ndim, figsize=(width, height * len(rows) + 0.5), squeeze=False, layout="constrained")
        else:
            grid = np.array(axes, dtype=object).reshape(len(rows), model.ndim) if np.size(axes) == len(rows) * model.ndim else None
            if grid is None:
                raise UsageError(f"axes= must be a grid of {len(rows)} x {model.ndim}")
            figure = grid[0, 0].figure
        parts = _part_texts(model)
        for i, j in enumerate(rows):
            for k, name in enumerate(model.mode_names):
                _draw_column(grid[i, k], model.arrays()[k][:, j], model.labels[k], _core.mode_kind(model._file, k))
                if i == 0:
                    grid[i, k].set_title(name, fontsize="small")
            grid[i, 0].set_ylabel(f"{j + 1}\n{parts[j]}", rotation=0, labelpad=18, va="center", fontsize="small")
        return figure

    def trace(self, *, axes: Any = None) -> Figure:
        """How the objective of each start fell over time; the best start is drawn strongly.

        Estimates from samples are solid lines, exact values dashed ones: they differ by the error of the estimate.
        """
        traces = self._model._file.traces()
        if not traces:
            raise UsageError("this model has no trace: it was not fitted by polyad, or its file does not keep it")
        best = json.loads(self._model._file.summary).get("best-start", 1)
        figure, plot = _figure(axes, 6, 4)
        lowest = min(np.nanmin(t[:, 2]) for t in traces)
        for number, table in enumerate(traces, start=1):
            strong = number == best
            style = {"color": _BLUE if strong else "0.6", "linewidth": 1.6 if strong else 0.8, "zorder": 3 if strong else 2}
            exact = table[:, 3] == 0  # the rate
            for part, dashes, name in ((~exact, "-", "best start"), (exact, "--", "best start, exact")):
                if part.any():
                    plot.plot(table[part, 1], table[part, 2], dashes, label=name if strong else None, **style)
        high = np.median([t[min(1, len(t) - 1), 2] for t in traces])
        if np.isfinite(high) and high > lowest:
            plot.set_ylim(lowest - 0.03 * (high - lowest), high + 0.05 * (high - lowest))
        plot.set_xlabel("seconds")
        plot.set_ylabel("objective")
        plot.legend(frameon=False, fontsize="small")
        plot.spines[["top", "right"]].set_visible(False)
        return figure

    def fit(self, mode: Any = 0, *, axes: Any = None) -> Figure:
        """How much of each slice's deviance is explained, for one mode. Needs judge(data), report() or save() of a result."""
        from ._labels import mode_position

        model = self._model
        slices = model._file.slices()
        if not slices:
            raise UsageError("how well slices are explained is not known yet: call model.judge(data) first")
        k = mode_position(model.mode_names, mode)
        loss, null, best = slices[k][:, 0], slices[k][:, 1], slices[k][:, 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            explained = np.where(null > best, 1 - (loss - best) / (null - best), np.nan)
        figure, plot = _figure(axes, 6, 3)
        kind = _core.mode_kind(model._file, k)
        _draw_column(plot, explained, model.labels[k], kind)
        shown = f", the {_MOST_BARS} best of {len(explained)}" if kind == "many" and len(explained) > _MOST_BARS else ""
        plot.set_title(f"deviance explained by {model.mode_names[k]}{shown}", fontsize="small")
        return figure

    def compare(self, other: Any, *, axes: Any = None) -> Figure:
        """Cosines between the components of two models, in the order of the best match: what is alike is on the diagonal."""
        from ._model import model_of

        model, theirs = self._model, model_of(other)
        value, match, _ = model._file.score(theirs._file)
        order = [j for j in match if j is not None]
        order += [j for j in range(theirs.rank) if j not in order]
        table = np.ones((model.rank, theirs.rank))
        for a, b in zip(model.arrays(), theirs.arrays()):
            norms = np.outer(np.linalg.norm(a, axis=0), np.linalg.norm(b, axis=0))
            table *= np.divide(a.T @ b, norms, out=np.zeros_like(table), where=norms > 0)
        figure, plot = _figure(axes, 4.5, 4)
        image = plot.imshow(table[:, order], vmin=-1, vmax=1, cmap="RdBu")
        plot.set_xticks(range(theirs.rank), [str(j + 1) for j in order])
        plot.set_yticks(range(model.rank), [str(j + 1) for j in range(model.rank)])
        plot.set_xlabel("component of the other model")
        plot.set_ylabel("component")
        plot.set_title(f"score {value:.3f}", fontsize="small")
        figure.colorbar(image, ax=plot, label="product of cosines", shrink=0.8)
        return figure

    def map(self, mode: Any, geojson: PathLike, component: int = 1, *, axes: Any = None) -> Figure:
        """A mode as a map: regions of a GeoJSON file ('FILE:PROPERTY'), coloured by the column of a component."""
        from matplotlib.collections import PolyCollection

        from ._labels import mode_position

        model = self._model
        j = model._column(component)
        k = mode_position(model.mode_names, mode)
        _, width, height, regions, background = _core.regions(model._file, f"{k + 1}={os.fspath(geojson)}")
        figure, plot = _figure(axes, 5, 5 * height / max(width, 1))
        column = model.arrays()[k][:, j]
        rings = [(ring, column[i]) for i, parts in regions for ring in parts]
        areas = [(ring, v) for ring, v in rings if len(ring) > 2]
        points = [(ring[0], v) for ring, v in rings if len(ring) <= 2]
        plot.add_collection(PolyCollection([r for _, parts in background for r in parts if len(r) > 2], facecolor="0.92", edgecolor="white"))
        limit = float(np.abs(column).max()) or 1.0
        signed = bool((column < 0).any())
        style = {"cmap": "RdBu_r" if signed else "Blues", "clim": (-limit if signed else 0.0, limit)}
        shapes = PolyCollection([r for r, _ in areas], array=np.array([v for _, v in areas]), edgecolor="white", linewidth=0.4, **style)
        plot.add_collection(shapes)
        if points:
            plot.scatter(*np.array([p for p, _ in points]).T, c=[v for _, v in points], s=14, cmap=style["cmap"], vmin=style["clim"][0], vmax=limit)
        plot.set_xlim(0, width)
        plot.set_ylim(height, 0)
        plot.set_aspect("equal")
        plot.axis("off")
        plot.set_title(f"{model.mode_names[k]}, component {component}", fontsize="small")
        figure.colorbar(shapes, ax=plot, shrink=0.6)
        return figure

"""Reports: pages, pictures, and pages within a notebook."""

from __future__ import annotations

import html
import os
from typing import Any, Mapping, Optional, Sequence

from . import _core
from ._types import PathLike
from .errors import UsageError


def _maps(maps: Optional[Mapping[str, PathLike]]) -> list[str]:
    return [] if maps is None else [f"{mode}={os.fspath(path)}" for mode, path in maps.items()]


def page(models: Sequence[tuple[str, Any]], title: str = "", maps: Optional[Mapping[str, PathLike]] = None) -> str:
    """One HTML page that opens offline."""
    return _core.report_html([(name, model._file) for name, model in models], title, _maps(maps))


def frame(models: Sequence[tuple[str, Any]], height: int = 720) -> str:
    """The page in a frame of its own, for notebooks: its style and scripts touch nothing else."""
    document = html.escape(page(models), quote=True)
    return f'<iframe srcdoc="{document}" sandbox="allow-scripts allow-downloads" style="width:100%;height:{height}px;border:1px solid #ccc"></iframe>'


def write_report(path: PathLike, models: Sequence[tuple[str, Any]], title: str, maps: Optional[Mapping[str, PathLike]]) -> None:
    """By extension: an interactive page or a picture of the components."""
    name = os.fspath(path)
    if name.endswith((".html", ".htm")):
        _core.write_text(name, page(models, title, maps))
    elif name.endswith(".svg"):
        _core.write_text(name, _core.components_svg(models[0][1]._file, title, _maps(maps), 10, 0))
    else:
        raise UsageError(f"{name}: give the report a name that ends in .html (interactive) or .svg (a picture)")


def report(path: PathLike, models: Mapping[str, Any], *, title: str = "", maps: Optional[Mapping[str, PathLike]] = None) -> None:
    """Compare models on one page: report("compare.html", {"rank 5": a, "rank 6": b})."""
    from ._model import model_of

    if not models:
        raise UsageError("report: give at least one model")
    write_report(path, [(str(name), model_of(model)) for name, model in models.items()], title, maps)

"""A bar while a fit runs, where somebody can see it."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any, Callable, Optional

from .errors import UsageError


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    instance = shell.get_ipython() if shell is not None and hasattr(shell, "get_ipython") else None
    return instance is not None and "IPKernelApp" in getattr(instance, "config", {})


class Bar:
    """Counts the epochs of all starts; shows the lowest objective."""

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make
        self._bar: Any = None
        self._done: dict[int, int] = {}
        self._best = float("inf")

    def __call__(self, progress: Any) -> None:
        if self._bar is None:
            total = progress.starts * progress.epochs or None
            self._bar = self._make(total=total, unit="epoch", desc="polyad", delay=0.5, leave=False)
        before = self._done.get(progress.start, 0)
        after = progress.epochs if progress.last and progress.epochs else max(before, progress.epoch)
        self._done[progress.start] = after
        self._best = min(self._best, progress.best)
        self._bar.set_postfix_str(f"loss {self._best:.6g}", refresh=False)
        self._bar.update(after - before)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()


def make_bar(progress: Any) -> Optional[Bar]:
    """progress= of a fit: 'auto' shows a bar on terminals and in notebooks where tqdm is installed."""
    if not isinstance(progress, bool) and progress != "auto":
        raise UsageError(f"progress= must be True, False or 'auto' (is {progress!r})")
    if progress is False or (progress == "auto" and not (sys.stderr is not None and sys.stderr.isatty()) and not _in_notebook()):
        return None
    try:
        if _in_notebook() and find_spec("ipywidgets") is not None:  # without them tqdm would complain in red
            from tqdm.auto import tqdm
        else:
            from tqdm import tqdm
    except ImportError:
        if progress is True:
            raise UsageError("progress=True needs the package tqdm, which is not installed") from None
        return None
    return Bar(tqdm)

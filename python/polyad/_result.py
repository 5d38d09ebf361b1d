"""What `polyad.fit` returns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from ._model import Model
from ._tensor import Tensor
from ._types import PathLike

if TYPE_CHECKING:
    import pandas


class FitResult:
    """A fitted model, how it was found and what to think of it. `weights, factors = result.model` unpacks the model."""

    def __init__(self, model: Model, data: Optional[Tensor], loss: Any, interrupted: bool, stopped: bool, plan: str, checkpoint_trouble: str) -> None:
        #: The model: unit columns, the largest component first.
        self.model = model
        #: Whether Ctrl-C ended the fit; the model is the best so far.
        self.interrupted = interrupted
        #: Whether a callback ended the fit.
        self.stopped = stopped
        #: What the fit was going to do, in a few lines.
        self.plan = plan
        #: Why the last checkpoint could not be written; empty where it could.
        self.checkpoint_trouble = checkpoint_trouble
        self._data = data
        self._loss = loss
        self._summary: dict[str, Any] = json.loads(model._file.summary)

    @property
    def options(self) -> dict[str, Any]:
        """The options as used: nothing is automatic any more."""
        return self.model.options

    @property
    def seconds(self) -> float:
        """How long the fit took."""
        return float(self._summary["seconds"])

    @property
    def estimate(self) -> float:
        """The model's objective: estimated, or exact after an exact method or finish."""
        return float(self._summary["estimate"])

    @property
    def exact_loss(self) -> Optional[float]:
        """The exact objective, where it costs no more than about a second; else None."""
        return self._summary.get("exact-loss")

    @property
    def loss(self) -> float:
        """The exact objective where it is known, else the estimate."""
        return self.estimate if self.exact_loss is None else float(self.exact_loss)

    @property
    def explained(self) -> float:
        """The part of the data's deviance that the model explains: 1 at best, 0 as good as the best constant."""
        explained = self._summary["verdict"]["explained"]
        return float("nan") if explained is None else float(explained)

    @property
    def why(self) -> str:
        """Why the best start ended: 'converged', 'all epochs done', 'interrupted', ..."""
        return str(self._summary["why"])

    @property
    def converged(self) -> bool:
        """Whether the objective is flat where the model stands, and no component is idle."""
        return bool(self._summary["verdict"]["converged"])

    @property
    def verdict(self) -> str:
        """What to think of the model, in a sentence."""
        return str(self._summary["verdict"]["sentence"])

    @property
    def warnings(self) -> list[str]:
        """What is wrong with the model, if anything."""
        return list(self._summary["verdict"]["warnings"])

    @property
    def trace(self) -> pandas.DataFrame:
        """One row per start and epoch: start, epoch, seconds, estimate, rate (0: an exact iteration), accepted."""
        import pandas

        tables = self.model._file.traces()
        starts = [s["start"] for s in self._summary["starts"]]
        rows = np.concatenate(tables) if tables else np.empty((0, 5))
        frame = pandas.DataFrame(rows, columns=["epoch", "seconds", "estimate", "rate", "accepted"])
        frame.insert(0, "start", np.repeat(starts, [len(t) for t in tables]).astype(int))
        return frame.astype({"epoch": int, "accepted": bool})

    @property
    def starts(self) -> pandas.DataFrame:
        """One row per start: estimate, exact loss (before a finish), seconds, why it ended, and whether it was kept."""
        import pandas

        frame = pandas.DataFrame(self._summary["starts"]).rename(columns=lambda name: name.replace("-", "_"))
        frame["best"] = frame["start"] == self._summary["best-start"]
        return frame.set_index("start")

    def summary(self, top: int = 5, width: int = 100) -> str:
        """The verdict and the strongest entries of each component, as text."""
        known = "exact" if self.exact_loss is not None else "estimated"
        lines = [f"loss {self.loss:.8g} ({known}), {self.why}, {self.seconds:.2f} s", self.verdict]
        lines += [f"warning: {warning}" for warning in self.warnings]
        return "\n".join(lines) + "\n\n" + self.model.summary(top, width)

    def __repr__(self) -> str:
        return f"<polyad.FitResult rank {self.model.rank}, loss {self.loss:.8g}: {self.verdict}>"

    def judge(self) -> None:
        """Compute how well which parts of the data are explained, for report() and save(); done once, by itself."""
        if self._data is not None and "deviance" not in json.loads(self.model._file.diagnostics):
            self.model.judge(self._data, self._loss)

    def report(self, path: PathLike, *, title: str = "", maps: Optional[Mapping[str, PathLike]] = None) -> None:
        """Write an interactive page (.html) that opens offline, or a picture (.svg).

        maps: {mode: GeoJSON file}, or 'FILE:PROPERTY' for the property that holds the labels.
        """
        from ._report import write_report

        self.judge()
        write_report(path, [("model", self.model)], title, maps)

    def save(self, path: PathLike) -> None:
        """Write the model with everything known of the fit and of the data it explains (.h5)."""
        self.judge()
        self.model.save(path)

    def _repr_html_(self) -> str:
        from ._report import frame

        self.judge()
        return frame([("model", self.model)])

    def __reduce__(self) -> Any:
        return FitResult, (self.model, None, None, self.interrupted, self.stopped, self.plan, self.checkpoint_trouble)

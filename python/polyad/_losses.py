"""Losses: those of polyad, formulas, and functions of your own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np

from . import _core
from ._types import Array
from .errors import UsageError

if TYPE_CHECKING:
    import pandas

Function = Callable[[Array, Array], Any]

# The losses of this session by name, so that a model says enough to be judged again.
_known: dict[str, _core.Loss] = {}


class Loss:
    """What is minimised: f(x, m), x the data and m the model. Made by `polyad.loss`; `polyad.losses()` lists polyad's own."""

    def __init__(self, core: _core.Loss) -> None:
        self._core = core

    @property
    def name(self) -> str:
        """Its name."""
        return self._core.name

    @property
    def spec(self) -> str:
        """Name and parameters in one text, which `polyad.loss` and fit(loss=) take too."""
        return self._core.spec

    @property
    def formula(self) -> str:
        """f(x, m), for people."""
        return self._core.formula

    @property
    def lower(self) -> float:
        """Lower bound of the factors; -inf where there is none."""
        return self._core.lower

    @property
    def domain(self) -> str:
        """Which data it takes: real, nonnegative, positive, binary, count or positive-count."""
        return self._core.domain

    def value(self, x: Any, m: Any) -> Array:
        """f(x, m), entry by entry."""
        x, m = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(m, dtype=float))
        return self._core.values(x, m)

    def derivative(self, x: Any, m: Any) -> Array:
        """df/dm, entry by entry."""
        x, m = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(m, dtype=float))
        return self._core.derivatives(x, m)

    def __repr__(self) -> str:
        return f"<polyad.Loss {self.spec}>"

    def __reduce__(self) -> Any:
        if self._core.is_python:
            raise TypeError(f"the loss '{self.name}' is made of Python functions and cannot be pickled; make it again there")
        return _parsed, (self.spec,)


def _parsed(spec: str) -> Loss:
    return Loss(_core.Loss.parse(spec))


def loss_core(loss: Any) -> _core.Loss:
    """Of a Loss or of its name."""
    if isinstance(loss, Loss):
        return loss._core
    if not isinstance(loss, str):
        raise UsageError(f"loss= must be a name such as 'poisson' or a polyad.Loss, not {type(loss).__name__}")
    return _known[loss] if loss in _known else _core.Loss.parse(loss)


def known_function(spec: str) -> Optional[_core.Loss]:
    """The loss of this name where it is made of Python functions of this session."""
    return _known.get(spec)


def losses() -> pandas.DataFrame:
    """polyad's own losses: what data each is for, its formula, what m means, allowed data and bounds, parameters."""
    import pandas

    rows = [
        (c.name, c.data, c.formula, c.link, c.domain, c.lower, ", ".join(f"{k}={v:g}" for k, v in c.parameters))
        for c in _core.losses()
    ]
    columns = ["name", "data", "formula", "model", "domain", "lower", "parameters"]
    return pandas.DataFrame(rows, columns=columns).set_index("name")


def _differences(value: Function, lower: Optional[float]) -> Function:
    def derivative(x: Array, m: Array) -> Array:
        step = np.cbrt(np.finfo(float).eps) * np.maximum(1.0, np.abs(m))
        low = m - step if lower is None else np.maximum(m - step, lower)
        high = m + step
        return np.asarray((np.asarray(value(x, high)) - np.asarray(value(x, low))) / (high - low), dtype=np.float64)

    return derivative


_SAMPLES = {
    "real": [-2.0, -0.5, 0.0, 1.0, 3.0],
    "nonnegative": [0.0, 0.5, 1.0, 3.0],
    "positive": [0.1, 0.5, 1.0, 3.0],
    "binary": [0.0, 1.0],
    "count": [0.0, 1.0, 2.0, 7.0],
    "positive-count": [1.0, 2.0, 7.0],
}


def _check_derivative(core: _core.Loss, value: Function, lower: Optional[float]) -> None:
    points = np.array([0.3, 0.9, 1.7, 4.2])
    if lower is None:
        points = np.concatenate([points, -points])
    x, m = (a.reshape(-1) for a in np.meshgrid(_SAMPLES[core.domain], points))
    found = core.derivatives(x, m)
    expected = _differences(value, lower)(x, m)
    wrong = ~(np.abs(found - expected) <= 1e-4 * (1 + np.abs(expected)))
    if not np.isfinite(core.values(x, m)).all():
        at = int(np.argmin(np.isfinite(core.values(x, m))))
        raise UsageError(f"loss '{core.name}': f(x={x[at]:g}, m={m[at]:g}) is not finite; give lower= where m must not be negative, and domain= for the data")
    if wrong.any():
        at = int(np.argmax(wrong))
        raise UsageError(f"loss '{core.name}': the derivative at x={x[at]:g}, m={m[at]:g} is {found[at]:.6g}, but differences of f give {expected[at]:.6g}; fix it, or leave derivative= out")


def loss(
    function: Union[str, Function],
    derivative: Optional[Function] = None,
    *,
    name: str = "",
    domain: str = "real",
    lower: Optional[float] = None,
    data: str = "",
    link: str = "",
) -> Loss:
    """A loss: the name of one of polyad's ('huber:delta=0.5'), a formula, or a Python function of NumPy arrays.

    function: a name; a formula of x and m as in C ('m - x*log(m)'), which runs at full speed and whose derivative is found
        automatically; or a function f(x, m), which gets two arrays and returns one. Functions run under the interpreter's
        lock, many times slower than the others. Formulas know + - * / **, comparisons, c ? a : b, && || !, pi, abs, cos,
        exp, expm1, log, log1p, max, min, pow, sin, sqrt and tanh.
    derivative: df/dm in the same form; without it, differences of f are taken. It is compared with differences of f.
    name: what reports call it; otherwise the function's own name.
    domain: which data it takes: real, nonnegative, positive, binary, count or positive-count.
    lower: lower bound of the factors; give 0 where m must not be negative.
    data, link: what the data are and what m means, for reports.

    >>> import numpy as np, polyad
    >>> polyad.loss("m - x*log(m)", domain="counts", lower=0)
    <polyad.Loss expr:m - x*log(m); lower=0; domain=count>
    >>> absolute = polyad.loss(lambda x, m: np.sqrt((x - m) ** 2 + 0.01), name="soft-absolute")
    >>> absolute.value(1.0, 1.0)
    array(0.1)
    """
    if isinstance(function, str):
        if derivative is not None:
            raise UsageError("derivative= is for Python functions; the derivative of a formula is found automatically")
        if not function.startswith("expr:") and re.search(r"\bm\b", function):
            return Loss(_core.Loss.of_formula(function, lower, domain))
        if lower is not None or domain != "real":
            raise UsageError(f"lower= and domain= are for formulas and functions; '{function}' has its own")
        return Loss(_core.Loss.parse(function))
    if not callable(function):
        raise UsageError(f"loss: give a name or a function of (x, m), not {type(function).__name__}")
    name = name or getattr(function, "__name__", "").strip("<>") or "function"
    slope = _differences(function, lower) if derivative is None else derivative
    core = _core.Loss.of_functions(name, function, slope, f"{name}(x, m)", data, link, lower, domain)
    _check_derivative(core, function, lower)
    _known[core.spec] = core
    return Loss(core)

"""polyad.fit: from data to a model."""

from __future__ import annotations

import inspect
import os
import textwrap
import warnings as _warnings
from typing import Any, Callable, Optional, Sequence

import numpy as np

from . import _core
from ._labels import mode_position
from ._losses import loss_core
from ._model import Model, model_of
from ._progress import make_bar
from ._result import FitResult
from ._tensor import Tensor, tensor
from .errors import UsageError

# Arguments of fit() that are not in the library's field lists.
_OWN = (
    ("mask", "Any", "None", "cells that are missing; see polyad.tensor"),
    ("weights", "Any", "None", "weights of cells; see polyad.tensor"),
    ("unlisted", "str", '"zero"', "whether cells that sparse data do not list are 'zero' or 'missing'"),
    ("zero_weight", "Optional[float]", "None", "weight of every unlisted zero"),
    ("labels", "Any", "None", "names of indices: a list per mode, or {mode: list}"),
    ("mode_names", "Optional[Sequence[str]]", "None", "names of the modes"),
    ("fixed_modes", "Sequence[Any]", "()", "modes (names, or numbers from 0) whose factors stay as init= gives them"),
    ("random_state", "Any", "None", "another way to give seed=: a whole number, a NumPy Generator or RandomState"),
    ("n_threads", "Optional[int]", "None", "another name for threads="),
    ("callback", "Optional[Callable[[Progress], Any]]", "None", "called after every epoch with a Progress; returning True ends the fit"),
    ("warn", "bool", "True", "whether to warn of what result.warnings says"),
    ("progress", "Any", '"auto"', "whether to show a bar: True, False or 'auto' (terminals and notebooks, with tqdm)"),
)  # fmt: skip


def seed_of(random_state: Any) -> int:
    """A seed from a whole number or from one of NumPy's generators, which moves on by one draw."""
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise UsageError(f"random_state= must be at least 0 (is {random_state})")
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**31 - 1))
    raise UsageError(f"random_state= must be a whole number or a NumPy Generator, not {type(random_state).__name__}")


def _resolve(options: dict[str, Any], random_state: Any, n_threads: Any, fixed_modes: Sequence[Any], data: Tensor) -> None:
    for name, value, field in (("random_state", random_state, "seed"), ("n_threads", n_threads, "threads")):
        if value is None:
            continue
        if options.get(field) is not None:
            raise UsageError(f"{name}= and {field}= are the same option: give one of them")
        options[field] = seed_of(value) if field == "seed" else value
    if isinstance(fixed_modes, (str, int)):
        fixed_modes = [fixed_modes]
    fixed = [f"{mode_position(data.mode_names, mode) + 1}:fixed" for mode in fixed_modes]
    if fixed:
        bounds = options.get("bound") or []
        options["bound"] = ([bounds] if isinstance(bounds, str) else list(bounds)) + fixed


def fit(
    data: Any,
    rank: Any = None,
    loss: Any = None,
    *,
    mask: Any = None,
    weights: Any = None,
    unlisted: str = "zero",
    zero_weight: Optional[float] = None,
    labels: Any = None,
    mode_names: Optional[Sequence[str]] = None,
    init: Any = None,
    fixed_modes: Sequence[Any] = (),
    random_state: Any = None,
    n_threads: Optional[int] = None,
    callback: Optional[Callable[[Any], Any]] = None,
    progress: Any = "auto",
    warn: bool = True,
    **options: Any,
) -> FitResult:
    held = tensor(data, mask=mask, weights=weights, unlisted=unlisted, zero_weight=zero_weight, labels=labels, mode_names=mode_names)
    if rank is None:
        raise UsageError("rank= must be given and at least 1: the number of components to find")
    _resolve(options, random_state, n_threads, fixed_modes, held)
    start: Optional[Model] = None
    if isinstance(init, str) and not os.path.exists(init):
        options["init"] = init
    elif init is not None:
        start = model_of(init)
    # A name goes through the library, which advises where there is none; a Loss brings its own mathematics.
    own = None if loss is None or isinstance(loss, str) else loss_core(loss)
    options.update(rank=rank, loss=loss if own is None else own.spec)
    bar = make_bar(progress)

    def watch(news: _core.Progress) -> bool:
        if bar is not None:
            bar(news)
        return callback is not None and callback(news) is True

    try:
        file, interrupted, stopped, plan, trouble = _core.fit(
            held._core, options, own, None if start is None else start._file, watch if bar is not None or callback is not None else None, callback is not None
        )
    finally:
        if bar is not None:
            bar.close()
    result = FitResult(Model._of(file), held, own if own is None else loss, interrupted, stopped, plan, trouble)
    for warning in result.warnings if warn else []:
        _warnings.warn(warning, stacklevel=2)
    if trouble:
        _warnings.warn(f"the checkpoint could not be written: {trouble}", stacklevel=2)
    return result


def _option_help(name: str, kind: str, text: str) -> str:
    return textwrap.fill(f"{name}: {text}", 118, initial_indent="    ", subsequent_indent="        ")


def _docstring() -> str:
    """Made from the library's field lists, so that it says what the library does."""
    lines = [
        "Find the components of data: fit(X, rank=6, loss='poisson').",
        "",
        "data: an array (NaN is missing), sparse array, DataFrame, xarray, file name or anything else that polyad.tensor takes.",
        "",
        "Ctrl-C ends the fit and returns the best model so far, with result.interrupted; a second one raises",
        "KeyboardInterrupt. Equal data, options and seed give equal results, to the last bit, on any number of threads.",
        "",
        "Arguments beyond those of the library:",
    ]
    lines += [_option_help(name, kind, text) for name, kind, _, text in _OWN]
    lines.append(_option_help("init", "Any", "a model, (weights, factors) or a model file that the first start begins from; or see Start"))
    group = None
    for field in _core.fit_fields():
        if field["group"] != group:
            group = field["group"]
            lines += ["", f"{group}:"]
        words = f" ({', '.join(field['words'])})" if field["words"] else ""
        default = f" [{field['default']}]" if field["default"] else ""
        lines.append(_option_help(field["name"], "", f"{field['help']}{words}{default}"))
    return "\n".join(lines)


def _signature() -> inspect.Signature:
    """fit() with every option by name, for help() and for completion in notebooks."""
    written = [p for p in inspect.signature(fit).parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    there = {p.name for p in written}
    fields = [f["name"] for f in _core.fit_fields() if f["name"] not in there]
    return inspect.Signature(written + [inspect.Parameter(f, inspect.Parameter.KEYWORD_ONLY, default=None) for f in fields])


fit.__doc__ = _docstring()
fit.__signature__ = _signature()  # type: ignore[attr-defined]


def options() -> Any:
    """Every option of a fit as a DataFrame: group, type, default, words and help."""
    import pandas

    frame = pandas.DataFrame(_core.fit_fields()).set_index("name")
    return frame[["group", "type", "default", "words", "help"]]

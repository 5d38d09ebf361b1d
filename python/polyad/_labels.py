"""Names of modes and of their indices."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from . import _core
from ._types import ModeLabels
from .errors import DataError, UsageError


def label_text(value: Any) -> str:
    """A label as text: dates in ISO form without a time of 00:00:00, whole floats without '.0'."""
    if isinstance(value, np.datetime64) or type(value).__name__ in ("Timestamp", "datetime", "date"):
        text = str(np.datetime64(value, "s") if not isinstance(value, np.datetime64) else value.astype("datetime64[s]"))
        return text[:10] if text.endswith("T00:00:00") else text.replace("T", " ")
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def mode_position(names: Sequence[str], mode: Any) -> int:
    """The position of a mode given by its name, or by its number from 0."""
    if isinstance(mode, str):
        if mode in names:
            return list(names).index(mode)
        raise UsageError(f"there is no mode '{mode}'; the modes are {', '.join(names)}")
    try:
        position = int(mode)
    except (TypeError, ValueError):
        raise UsageError(f"a mode is a name or a number from 0, not {mode!r}") from None
    if not -len(names) <= position < len(names):
        raise UsageError(f"there is no mode {mode}: there are {len(names)}, counted from 0")
    return position % len(names)


def set_labels(core: _core.Tensor, names: Optional[Sequence[str]], labels: Optional[ModeLabels]) -> None:
    given = list(core.mode_names)
    if names is not None:
        if len(names) != len(given):
            raise UsageError(f"mode_names= has {len(names)} names, the data have {len(given)} modes")
        given = [str(n) for n in names]
    texts = [core.labels(k) for k in range(len(given))]
    shown = [name or f"mode {k + 1}" for k, name in enumerate(given)]
    if labels is not None:
        if isinstance(labels, Mapping):
            items = [(mode_position(shown, mode), entries) for mode, entries in labels.items()]
        else:
            if len(labels) != len(given):
                raise UsageError(f"labels= has {len(labels)} lists, the data have {len(given)} modes; a dictionary gives some of them")
            items = [(k, entries) for k, entries in enumerate(labels) if entries is not None]
        for k, entries in items:
            if isinstance(entries, (str, os.PathLike)):
                raise UsageError(f"labels= of {shown[k]} must be a list of labels, not the text {entries!r}")
            texts[k] = [label_text(e) for e in entries]
            if len(texts[k]) != core.shape[k]:
                raise DataError(f"labels= of {shown[k]}: {len(texts[k])} labels for {core.shape[k]} indices")
    core.set_labels(given, texts)

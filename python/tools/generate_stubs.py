#!/usr/bin/env python3
"""Writes python/polyad/_fit.pyi, the typed signature of polyad.fit, from the library's field lists.

    PYTHONPATH=build/check/python python/tools/generate_stubs.py [--check]

--check changes nothing; ends with 1 where the file is not what would be written. The tests run it.
"""

import sys
from pathlib import Path

from polyad import _core
from polyad._fit import _OWN

TYPES = {"bool": "bool", "float": "float", "int": "int", "text": "str", "texts": "Union[str, Sequence[str]]"}

HEAD = '''\
# Made by python/tools/generate_stubs.py from the library's field lists; do not edit.
import os
from typing import Any, Callable, Literal, Optional, Sequence, Union

import pandas

from ._core import Progress
from ._losses import Loss
from ._result import FitResult

def seed_of(random_state: Any) -> int: ...
def options() -> pandas.DataFrame: ...
def fit(
    data: Any,
    rank: Optional[int] = ...,
    loss: Union[str, Loss, None] = ...,
    *,
'''


def annotation(field):
    """The type of an option: its words, or what its text stands for."""
    kind = TYPES.get(field["type"]) or f"Literal[{', '.join(repr(w) for w in field['words'])}]"
    kind = kind.replace("'", '"')
    if field["name"] in ("checkpoint", "resume"):
        kind = 'Union[str, os.PathLike[str]]'
    if field["auto"] and field["type"] != "word":
        kind = f'Union[{kind}, Literal["auto"]]'
    return f"Optional[{kind}]"


def stub():
    """The whole file."""
    lines = [f"    {name}: {kind} = ...,\n" for name, kind, _, _ in _OWN]
    lines.append("    init: Any = ...,\n")
    own = {"rank", "loss", "init"}
    lines += [f"    {f['name']}: {annotation(f)} = ...,\n" for f in _core.fit_fields() if f["name"] not in own]
    return HEAD + "".join(lines) + ") -> FitResult: ...\n"


def main():
    path = Path(__file__).resolve().parents[1] / "polyad" / "_fit.pyi"
    text = stub()
    if "--check" in sys.argv[1:]:
        if not path.exists() or path.read_text() != text:
            print(f"{path} is not current: run python/tools/generate_stubs.py", file=sys.stderr)
            return 1
        return 0
    path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

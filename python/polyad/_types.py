"""Names of types that several modules use."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
AnyArray = NDArray[Any]
PathLike = Union[str, "os.PathLike[str]"]
ModeLabels = Union[Mapping[Any, Sequence[Any]], Sequence[Optional[Sequence[Any]]]]

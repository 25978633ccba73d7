"""Warnings, at the line outside this package that led to them."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

_OWN = str(Path(__file__).parent)


def warn(message: str) -> None:
    """Warns at the line that called into this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OWN):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, stacklevel=level)

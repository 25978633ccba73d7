"""Checks numbers in arguments."""

from __future__ import annotations

import math
import operator
from typing import Any

from ._errors import usage


def whole(value: Any, name: str, most: int = 2**64 - 1) -> int:
    """An integer from 0 to a maximum."""
    try:
        number = operator.index(value)
    except TypeError:
        raise usage(f"{name}={value!r} is not a whole number", f"write {name}=42") from None
    if not 0 <= number <= most:
        raise usage(f"{name}={value!r} is out of range", f"give a whole number from 0 to {most}")
    return number


def real(value: Any, name: str) -> float:
    """A finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise usage(f"{name}={value!r} is not a number", f"write {name}=4.0") from None
    if not math.isfinite(number):
        raise usage(f"{name}={value!r} is not a finite number", f"write {name}=4.0")
    return number


def distance(value: Any, name: str) -> float:
    """A number above 0."""
    if isinstance(value, (tuple, list)):
        message = f"{name}={value!r}: samples have one distance, the same between columns and between rows"
        raise usage(message, f"resample the array to squares, and give one number: {name}=30.0")
    number = real(value, name)
    if not 1e-30 <= number <= 1e30:
        raise usage(f"{name}={value!r} is not a distance", "give a number above 0, in the unit of heights")
    return number


def _pair(value: Any, name: str, example: str) -> tuple[Any, Any]:
    try:
        first, second = value
    except (TypeError, ValueError):
        raise usage(f"{name}={value!r} is not a pair", f"write {name}={example}") from None
    return first, second


def whole_pair(value: Any, name: str) -> tuple[int, int]:
    """Columns and rows."""
    columns, rows = _pair(value, name, "(513, 513): columns and rows")
    return whole(columns, name), whole(rows, name)


def real_pair(value: Any, name: str) -> tuple[float, float]:
    """A position."""
    x, y = _pair(value, name, "(0.0, 0.0)")
    return real(x, name), real(y, name)

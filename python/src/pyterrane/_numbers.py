"""Checks numbers in arguments."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._errors import usage


def whole(value: Any, name: str, most: int = 2**64 - 1) -> int:
    """An integer from 0 to a maximum. Floats without a fraction are integers."""
    try:
        is_whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
        number = int(value) if is_whole else operator.index(value)
    except TypeError:
        raise usage(f"{name}={value!r} is not a whole number", f"write {name}=42") from None
    if not 0 <= number <= most:
        raise usage(f"{name}={value!r} is out of range", f"give a whole number from 0 to {most}")
    return number


def real(value: Any, name: str) -> float:
    """A finite number. Text is no number."""
    try:
        number = float("" if isinstance(value, (str, bytes)) else value)
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


def several(values: Any, name: str, example: str) -> list[Any]:
    """The values of an argument that takes several."""
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        raise usage(f"{name}={values!r} is not a list", f"write {name}={example}")
    return list(values)


def by_name(values: Any, name: str, example: str) -> dict[str, Any]:
    """The values of an argument that takes values by name."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise usage(f"{name}={values!r} has no names", f"write {name}={example}")
    return dict(values)

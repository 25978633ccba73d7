"""Converts arrays for Terrane."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import usage


def checked(array: npt.ArrayLike, name: str = "the array") -> npt.NDArray[Any]:
    """The array unchanged, after checking that it has two dimensions and holds numbers."""
    if isinstance(array, np.ma.MaskedArray):
        # Masked samples are missing, whatever their value.
        array = np.ma.filled(array.astype(np.float32), np.nan)
    checked = np.asarray(array)
    if checked.dtype.kind not in "fiub":
        message = f"{name} holds {checked.dtype}, where numbers are wanted"
        raise usage(message, "give floats or integers: array.astype('float32')")
    if checked.ndim != 2:
        message = f"{name} has shape {checked.shape}, where rows and columns are wanted"
        help = "give one band: array[0], or array.squeeze()" if checked.ndim > 2 else "give an array of rows: array.reshape(rows, columns)"
        raise usage(message, help)
    if min(checked.shape) < 1:
        raise usage(f"{name} is empty: its shape is {checked.shape}", "give at least one row and one column")
    return checked


def samples(array: npt.ArrayLike, name: str = "the array") -> npt.NDArray[np.float32]:
    """The array as contiguous rows of 32-bit floats; the array itself if it already has this form."""
    values = checked(array, name)
    with np.errstate(over="ignore"):
        return np.require(values, np.float32, ["C_CONTIGUOUS", "ALIGNED"])


def npy(array: npt.ArrayLike) -> tuple[str, bytes]:
    """A name derived from an array's content, and its NPY file. Missing samples stay missing: imports fill and report them."""
    out = io.BytesIO()
    np.lib.format.write_array(out, samples(array), version=(1, 0), allow_pickle=False)
    content = out.getvalue()
    return f"array-{hashlib.blake2b(content, digest_size=8).hexdigest()}.npy", content

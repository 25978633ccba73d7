"""Converts arrays for Terrane."""

from __future__ import annotations

import hashlib
import io
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import usage


def checked(array: Any, name: str = "the array") -> npt.NDArray[Any]:
    """The array as rows and columns, after checking that it holds numbers. Further axes must have one position, as the band of rioxarray."""
    if hasattr(array, "data_vars") and hasattr(array, "dims"):
        names = ", ".join(map(str, array.data_vars)) or "none"
        first = next(iter(array.data_vars), "height")
        raise usage(f"{name} is a Dataset, where one array is wanted", f"give one of its arrays ({names}): dataset[{first!r}]")
    dims = [str(dim) for dim in getattr(array, "dims", ())]
    if isinstance(array, np.ma.MaskedArray):
        # Masked samples are missing, whatever their value.
        array = np.ma.filled(array.astype(np.float32), np.nan)
    try:
        checked = np.asarray(array)
    except ValueError as error:
        raise usage(f"{name} is no array of rows and columns: {error}", "give rows of equal length") from None
    if checked.dtype.kind not in "fiub":
        message = f"{name} holds {checked.dtype}, where numbers are wanted"
        raise usage(message, "give floats or integers: array.astype('float32')")
    if checked.ndim < 2:
        message = f"{name} has shape {checked.shape}, where rows and columns are wanted"
        raise usage(message, "give an array of rows: array.reshape(rows, columns)")
    if checked.size < 1:
        raise usage(f"{name} is empty: its shape is {checked.shape}", "give at least one row and one column")
    kept = _two_axes(checked.shape)
    if kept is None:
        at = next((axis for axis in range(checked.ndim - 2) if checked.shape[axis] > 1), 0)
        band = f"array.isel({dims[at]}=0)" if len(dims) == checked.ndim else "array[..., 0]" if checked.shape[-1] <= 4 else "array[0]"
        raise usage(f"{name} has several bands: its shape is {checked.shape}, where rows and columns are wanted", f"give one band: {band}")
    return checked.reshape(kept)


def _two_axes(shape: tuple[int, ...]) -> tuple[int, int] | None:
    """Rows and columns of a shape whose other axes have one position, before or after them."""
    before, after = shape[:-2], shape[2:]
    if all(count == 1 for count in before):
        return shape[-2], shape[-1]
    return (shape[0], shape[1]) if all(count == 1 for count in after) else None


def samples(array: Any, name: str = "the array") -> npt.NDArray[np.float32]:
    """The array as contiguous rows of 32-bit floats; the array itself if it already has this form."""
    values = checked(array, name)
    with np.errstate(over="ignore"):
        ordered = np.require(values, np.float32, ["C_CONTIGUOUS", "ALIGNED"])
    # An explicit byte order that equals the machine's survives the conversion, but is another format of buffers.
    return np.asarray(ordered).view(np.float32)


def npy(array: Any) -> tuple[str, bytes]:
    """A name derived from an array's content, and its NPY file. Missing samples stay missing."""
    out = io.BytesIO()
    np.lib.format.write_array(out, samples(array), version=(1, 0), allow_pickle=False)
    content = out.getvalue()
    return f"array-{hashlib.blake2b(content, digest_size=8).hexdigest()}.npy", content

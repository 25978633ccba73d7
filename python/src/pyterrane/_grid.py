"""Positions of the samples of labelled arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import usage

# Names by which dimensions are recognised.
_ACROSS = {"x", "lon", "long", "longitude", "easting", "col", "column", "columns"}
_DOWN = {"y", "lat", "latitude", "northing", "row", "rows"}
# Attributes that also apply to a result, whatever it measures.
_KEPT = ("crs", "transform", "res", "grid_mapping", "spatial_ref")


def is_labelled(value: Any) -> bool:
    """Whether a value is an `xarray.DataArray`, or behaves like one."""
    return hasattr(value, "dims") and hasattr(value, "coords") and hasattr(value, "copy")


@dataclass(frozen=True)
class Grid:
    """A labelled array's samples in Terrane's order: rows from north to south, columns from west to east."""

    dims: tuple[str, str]
    """Names of the dimensions of rows and of columns."""
    is_turned: bool
    """Whether the array has columns first."""
    flips: tuple[bool, bool]
    """Whether rows and columns are in reverse order."""
    spacing: float | None
    """Distance between samples, if coordinates have the same spacing in both directions."""
    steps: tuple[float | None, float | None]
    """Distance between rows and between columns."""
    first: tuple[float, float]
    """The minimum x and y."""
    last: tuple[float, float]
    """The maximum x and y."""
    is_in_degrees: bool
    """Whether the coordinates are in degrees."""

    def oriented(self, array: Any) -> npt.NDArray[Any]:
        """The samples of an array with these dimensions."""
        values: npt.NDArray[Any] = np.asarray(array)
        missing = _nodata(array)
        if missing is not None and values.dtype.kind in "fiu":
            values = np.where(values == missing, np.float32(np.nan), values.astype(np.float32))
        values = values.T if self.is_turned else values
        return self._flipped(values)

    def restored(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Samples in the order of the array."""
        values = self._flipped(values)
        return values.swapaxes(0, 1) if self.is_turned else values

    def _flipped(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        rows, columns = (slice(None, None, -1 if flip else 1) for flip in self.flips)
        return values[rows, columns]

    def like(self, array: Any, name: str, values: npt.NDArray[Any], unit: str) -> Any:
        """A result with the coordinates and the CRS of an array."""
        labelled = array.copy(data=np.ascontiguousarray(self.restored(values)))
        labelled.name = name
        labelled.attrs = {key: value for key, value in array.attrs.items() if key in _KEPT}
        # Heights have the array's unit; the unit of areas and volumes is not known.
        unit = str(array.attrs.get("units", "")) if unit == "world units" else unit
        if unit and "world" not in unit:
            labelled.attrs["units"] = unit
        encoding = getattr(array, "encoding", {})
        labelled.encoding = {key: encoding[key] for key in ("grid_mapping",) if key in encoding}
        return labelled

    def in_metres(self) -> float | None:
        """The spacing, in the unit of heights."""
        if self.is_in_degrees:
            message = "the coordinates are in degrees, from which slopes and areas cannot be computed"
            raise usage(message, "project the array, for example with rioxarray's reproject, or give a spacing: spacing=30.0")
        across, down = self.steps[1], self.steps[0]
        if self.spacing is None and across is not None and down is not None:
            message = f"samples are {across:g} apart in {self.dims[1]} and {down:g} in {self.dims[0]}"
            raise usage(message, "resample the array to squares, or give one distance: spacing=30.0")
        return self.spacing


def grid_of(array: Any) -> Grid | None:
    """The positions of a labelled array's samples; `None` for other arrays."""
    if not is_labelled(array) or len(array.dims) != 2:
        return None
    rows, columns = (str(dim) for dim in array.dims)
    is_turned = rows.lower() in _ACROSS or columns.lower() in _DOWN
    down, across = (columns, rows) if is_turned else (rows, columns)
    down_at, across_at = _axis(array, down), _axis(array, across)
    known = [axis.step for axis in (down_at, across_at) if axis.step is not None]
    is_square = len(known) < 2 or abs(known[0] - known[1]) <= 0.001 * known[0]
    # North is up: y decreases from row to row, if the dimension is recognised as y.
    flips = (down_at.rises, across_at.falls)
    return Grid(
        dims=(down, across),
        is_turned=is_turned,
        flips=flips,
        spacing=known[0] if known and is_square else None,
        steps=(down_at.step, across_at.step),
        first=(across_at.low, down_at.low),
        last=(across_at.high, down_at.high),
        is_in_degrees=_is_in_degrees(array, (down, across)),
    )


def _nodata(array: Any) -> float | None:
    """The number that marks missing samples, if the array declares one."""
    for place in (getattr(array, "attrs", {}), getattr(array, "encoding", {})):
        for name in ("_FillValue", "missing_value", "nodata"):
            if isinstance(place.get(name), (int, float, np.generic)):
                return float(place[name])
    nodata = getattr(getattr(array, "rio", None), "nodata", None)
    return None if nodata is None else float(nodata)


@dataclass(frozen=True)
class _Axis:
    """Coordinates along one dimension."""

    step: float | None
    low: float
    high: float
    rises: bool
    falls: bool


def _axis(array: Any, dim: str) -> _Axis:
    count = int(array.sizes[dim]) if hasattr(array, "sizes") else array.shape[list(array.dims).index(dim)]
    if dim not in array.coords:
        return _Axis(None, 0.0, float(count - 1), False, False)
    try:
        values = np.asarray(array.coords[dim], dtype=np.float64)
    except (TypeError, ValueError):
        raise usage(f"the coordinates `{dim}` are not numbers", "give coordinates in the unit of heights, or none") from None
    if not np.isfinite(values).all():
        raise usage(f"the coordinates `{dim}` are not all numbers", "give all of them, or none")
    low, high = float(values.min()), float(values.max())
    if values.size < 2:
        return _Axis(None, low, high, False, False)
    differences = np.diff(values)
    if differences[0] == 0 or np.abs(differences - differences.mean()).max() > 0.001 * abs(differences.mean()):
        raise usage(f"the coordinates `{dim}` are not evenly spaced", "resample the array to a regular grid")
    rises = bool(differences[0] > 0)
    return _Axis((high - low) / (values.size - 1), low, high, rises, not rises)


def _is_in_degrees(array: Any, dims: tuple[str, str]) -> bool:
    """Whether the CRS or the names of the coordinates imply degrees."""
    for dim in dims:
        units = str(getattr(array.coords.get(dim), "attrs", {}).get("units", "")) if dim in array.coords else ""
        if units.startswith("degree"):
            return True
    crs = getattr(getattr(array, "rio", None), "crs", None)
    if crs is None:
        return False
    return bool(getattr(crs, "is_geographic", False))

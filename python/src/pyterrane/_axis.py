"""Coordinates along one dimension of a labelled array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ._errors import usage
from ._units import DEGREES, Unit, transform_of, unit_of, unit_of_crs

# Names by which dimensions are recognised.
_ACROSS = {"x", "lon", "long", "longitude", "easting", "col", "column", "columns", "rlon", "nav_lon", "projection_x_coordinate"}
_DOWN = {"y", "lat", "latitude", "northing", "row", "rows", "rlat", "nav_lat", "projection_y_coordinate"}
_ANGULAR = {"lon", "long", "longitude", "lat", "latitude", "rlon", "rlat", "nav_lon", "nav_lat", "grid_longitude", "grid_latitude"}


@dataclass(frozen=True)
class Axis:
    """Coordinates along one dimension."""

    step: float | None
    """The distance between coordinates; `None` if there are fewer than two."""
    low: float
    high: float
    rises: bool
    falls: bool
    unit: Unit | None
    """The unit of the coordinates; `None` if nothing says it."""

    is_labelled: bool = True
    """Whether there are coordinates. Otherwise positions are counted from 0."""

    def resampled(self, step: float) -> str:
        """The call of NumPy that makes coordinates of another distance, none of them outside."""
        count = int((self.high - self.low) / step + 1e-9) + 1
        return f"{self.low:.10g} + {step:.10g} * numpy.arange({count})"


def role_of(array: Any, dim: str) -> Literal["across", "down"] | None:
    """Whether a dimension is recognised as x or as y, by its name or by the attributes of its coordinates."""
    attrs = getattr(array.coords.get(dim), "attrs", {}) if dim in array.coords else {}
    name, standard, letter = dim.lower(), str(attrs.get("standard_name", "")), str(attrs.get("axis", "")).upper()
    if name in _ACROSS or standard in _ACROSS or standard == "grid_longitude" or letter == "X":
        return "across"
    if name in _DOWN or standard in _DOWN or standard == "grid_latitude" or letter == "Y":
        return "down"
    return None


def axis_of(array: Any, dim: str) -> Axis:
    """The coordinates along a dimension."""
    count = int(array.sizes[dim]) if hasattr(array, "sizes") else array.shape[list(array.dims).index(dim)]
    if dim not in array.coords:
        return _of_transform(array, dim, count) or Axis(None, 0.0, float(count - 1), False, False, None, is_labelled=False)
    coordinates = array.coords[dim]
    unit = _unit(array, dim, getattr(coordinates, "attrs", {}))
    try:
        values = np.asarray(coordinates, dtype=np.float64)
    except (TypeError, ValueError):
        raise usage(f"the coordinates `{dim}` are not numbers", "give coordinates in the unit of heights, or none") from None
    if not np.isfinite(values).all():
        raise usage(f"the coordinates `{dim}` are not all numbers", "give all of them, or none")
    low, high = float(values.min()), float(values.max())
    if values.size < 2:
        return Axis(None, low, high, False, False, unit)
    differences = np.diff(values)
    if differences[0] == 0 or np.abs(differences - differences.mean()).max() > 0.001 * abs(differences.mean()):
        raise usage(f"the coordinates `{dim}` are not evenly spaced", "resample the array to a regular grid")
    rises = bool(differences[0] > 0)
    return Axis((high - low) / (values.size - 1), low, high, rises, not rises, unit)


def _of_transform(array: Any, dim: str, count: int) -> Axis | None:
    """The positions along a dimension without coordinates, if the CRS has an affine transform as GDAL writes it."""
    numbers = transform_of(array)
    role = role_of(array, dim)
    if numbers is None or role is None:
        return None
    corner, step, turn = (numbers[0], numbers[1], numbers[2]) if role == "across" else (numbers[3], numbers[5], numbers[4])
    if turn != 0.0 or step == 0.0:
        raise usage("the array's transform is turned", "resample the array to rows from west to east: array.rio.reproject(array.rio.crs)")
    ends = sorted((corner + 0.5 * step, corner + (count - 0.5) * step))
    return Axis(abs(step), ends[0], ends[1], step > 0.0, step < 0.0, unit_of_crs(array) if count else None)


def curved(array: Any, dims: tuple[str, str]) -> str | None:
    """The name of a coordinate of each sample that is an angle, as of a grid that is regular in no projection."""
    for name, coordinate in array.coords.items():
        if set(map(str, coordinate.dims)) == set(dims):
            unit = _unit_of_attrs(getattr(coordinate, "attrs", {}), str(name))
            if unit is not None and unit.is_angle:
                return str(name)
    return None


def _unit(array: Any, dim: str, attrs: dict[str, Any]) -> Unit | None:
    """The unit of coordinates: of their attributes, else of the CRS, else degrees if the dimension has the name of an angle."""
    if unit_of(attrs.get("units")) is None and str(attrs.get("standard_name", "")) not in _ANGULAR:
        crs = unit_of_crs(array)
        if crs is not None:
            return crs
    return _unit_of_attrs(attrs, dim)


def _unit_of_attrs(attrs: dict[str, Any], name: str) -> Unit | None:
    """The unit in attributes, or degrees if the standard name or the name is that of an angle."""
    own = unit_of(attrs.get("units"))
    if own is not None:
        return own
    return DEGREES if str(attrs.get("standard_name", "")) in _ANGULAR or name.lower() in _ANGULAR else None

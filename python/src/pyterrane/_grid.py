"""Positions of the samples of labelled arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._axis import Axis, axis_of, curved, role_of
from ._errors import usage
from ._ground import Ground, ground_of
from ._units import Unit, unit_of, unit_of_crs
from ._warn import warn

# Attributes that also apply to a result, whatever it measures.
_KEPT = ("crs", "transform", "res", "grid_mapping", "spatial_ref", "zarr_conventions")
# The attribute of an array of a world's store that other programs do not write.
_STORED = "output"
# The greatest difference between the spacings of rows and columns, as a share of the spacing.
_SQUARE = 0.001


def is_labelled(value: Any) -> bool:
    """Whether a value is an `xarray.DataArray`, or behaves like one."""
    return hasattr(value, "dims") and hasattr(value, "coords") and hasattr(value, "copy") and not is_dataset(value)


def is_dataset(value: Any) -> bool:
    """Whether a value is an `xarray.Dataset`, or behaves like one."""
    return hasattr(value, "data_vars") and hasattr(value, "dims")


@dataclass(frozen=True)
class Grid:
    """A labelled array's samples in Terrane's order: rows from north to south, columns from west to east."""

    dims: tuple[str, str]
    """Names of the dimensions of rows and of columns. Others have one coordinate."""
    is_turned: bool
    """Whether the array has columns first."""
    flips: tuple[bool, bool]
    """Whether rows and columns are in reverse order."""
    axes: tuple[Axis, Axis]
    """Coordinates of rows and of columns."""
    has_crs: bool
    """Whether the array has a CRS."""
    heights: Unit | None
    """The unit of heights, if the array says it."""
    curved: str | None
    """A coordinate of each sample that is an angle."""
    ground: Ground | None
    """Distances on the ground, where those of the map are others."""
    is_downwards: bool
    """Whether y grows to the south, as in stores of worlds that were written before it grew to the north."""

    @property
    def first(self) -> tuple[float, float]:
        """The minimum x and y."""
        return self.axes[1].low, self.axes[0].low

    @property
    def last(self) -> tuple[float, float]:
        """The maximum x and y."""
        return self.axes[1].high, self.axes[0].high

    def oriented(self, array: Any) -> npt.NDArray[Any]:
        """The samples of an array with these dimensions, as rows and columns."""
        values: npt.NDArray[Any] = np.asarray(array)
        missing = _nodata(array)
        scale = _scale(array)
        if values.dtype.kind in "fiu" and (missing is not None or scale is not None):
            numbers = values.astype(np.float32) if scale is None else (values * np.float64(scale[0]) + scale[1]).astype(np.float32)
            values = numbers if missing is None else np.where(values == missing, np.float32(np.nan), numbers)
        rows, columns = (self.dims[1], self.dims[0]) if self.is_turned else self.dims
        values = values.reshape([int(array.shape[list(map(str, array.dims)).index(dim)]) for dim in (rows, columns)])
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
        """A result with the dimensions, the coordinates and the CRS of an array."""
        labelled = array.copy(data=np.ascontiguousarray(self.restored(values)).reshape(array.shape))
        labelled.name = name
        kept = (*_KEPT, _STORED) if self.is_downwards else _KEPT
        labelled.attrs = {key: value for key, value in array.attrs.items() if key in kept or str(key).startswith(("spatial:", "proj:"))}
        # Heights have the array's unit; the unit of areas and volumes is not known.
        unit = str(array.attrs.get("units", "")) if unit == "world units" else unit
        if unit and "world" not in unit:
            labelled.attrs["units"] = unit
        if np.isnan(values).any():
            labelled.attrs["_FillValue"] = np.float32(np.nan)
        encoding = getattr(array, "encoding", {})
        labelled.encoding = {key: encoding[key] for key in ("grid_mapping",) if key in encoding}
        return labelled

    def spacing(self) -> float | None:
        """The distance between samples in the unit of heights; `None` without coordinates."""
        if self.curved is not None and not any(axis.is_labelled for axis in self.axes):
            message = f"each sample has its own angle, `{self.curved}`, from which slopes and areas cannot be computed"
            raise usage(message, "resample the array to a projection with rows and columns of equal distance")
        steps = [self._length(axis, dim) for axis, dim in zip(self.axes, self.dims, strict=True)]
        down, across = steps
        if self.ground is not None and down is not None and across is not None:
            down, across = self.ground.lengths(down, across)
        if down is None or across is None:
            return down if across is None else across
        apart = abs(down - across) / min(down, across)
        if apart <= _SQUARE:
            return across
        message = f"samples are {across:.6g} apart in {self.dims[1]} and {down:.6g} in {self.dims[0]}: they differ by {100 * apart:.2g} %"
        if self.ground is not None:
            message = f"on the ground, {message}"
            raise usage(message, f"project the array to metres that are those of the ground, for example with rioxarray: {self._projected()}")
        down_at, across_at = self.axes
        to = min(down_at.step or 0.0, across_at.step or 0.0)
        lines = (f"{dim}={axis.resampled(to)}" for dim, axis in zip(self.dims, self.axes, strict=True))
        help = f"resample the array to squares: array.interp({', '.join(lines)})"
        if apart < 0.05:
            middle = 0.5 * (down + across)
            help += f", or accept slopes that are wrong by up to {50 * apart:.2g} %: spacing={middle:.6g}"
        raise usage(f"{message}, where at most {100 * _SQUARE:g} % is accepted", help)

    def _length(self, axis: Axis, dim: str) -> float | None:
        """The distance between coordinates, in the unit of heights."""
        if axis.unit is None or axis.step is None and not axis.unit.is_angle:
            return axis.step
        if axis.unit.is_angle:
            message = f"the coordinates `{dim}` are in {axis.unit.word}, from which slopes and areas cannot be computed"
            raise usage(message, f"project the array to metres, for example with rioxarray: {self._projected()}")
        if axis.unit.metres is None:
            message = f"the coordinates `{dim}` are in `{axis.unit.word}`, which is not a known length"
            raise usage(message, "convert them to metres and set units to 'm', or give the distance in the unit of heights: spacing=30.0")
        known = self.heights is not None and self.heights.metres is not None
        if self.heights is not None and not known and not self.heights.is_rate and dim == self.dims[1]:
            warn(f"the unit of heights, `{self.heights.word}`, is not a known length: they are taken for metres; convert them and set units to 'm'")
        elif not known and axis.unit.metres != 1.0 and dim == self.dims[1]:
            word = axis.unit.word
            warn(f"the coordinates are in {word}, and heights are taken for metres: set array.attrs['units'] to the unit of heights")
        metres = self.heights.metres if known and self.heights is not None and self.heights.metres is not None else 1.0
        return (axis.step or 0.0) * axis.unit.metres / metres

    def _projected(self) -> str:
        """The statements that project the array."""
        down, across = self.dims
        found = {(across, down)} & {("x", "y"), ("longitude", "latitude")}
        named = "" if found else f".rio.set_spatial_dims('{across}', '{down}')"
        crs = "" if self.has_crs else ".rio.write_crs(4326)"
        first = f"array = array{named}{crs}; " if named or crs else ""
        return f"{first}array.rio.reproject(array.rio.estimate_utm_crs())"

    def origin(self, spacing: float) -> tuple[float, float]:
        """The world position of the first sample, in the unit of heights. World y grows to the south."""
        across = self.axes[1].low if self.axes[1].is_labelled else 0.0
        down = (self.axes[0].low if self.is_downwards else -self.axes[0].high) if self.axes[0].is_labelled else 0.0
        scale = [spacing / axis.step if axis.step else 1.0 for axis in self.axes]
        return across * scale[1] + 0.0, down * scale[0] + 0.0

    def place(self, column: float, row: float) -> tuple[float, float]:
        """The coordinates of a position, which is given in columns and rows of Terrane's order."""
        down, across = self.axes
        x = across.low + column * (across.step or 1.0)
        is_falling = down.is_labelled and not self.is_downwards
        start = down.high if is_falling else down.low if down.is_labelled else 0.0
        turn = 1.0 if self.is_downwards else -1.0
        return x, start + turn * row * (down.step or 1.0)


def grid_of(array: Any) -> Grid | None:
    """The positions of a labelled array's samples; `None` for other arrays, and for arrays of several bands."""
    if not is_labelled(array):
        return None
    dims = _spatial(array)
    if dims is None:
        return None
    rows, columns = dims
    is_turned = role_of(array, rows) == "across" or role_of(array, columns) == "down"
    down, across = (columns, rows) if is_turned else (rows, columns)
    down_at, across_at = axis_of(array, down), axis_of(array, across)
    is_downwards = _is_downwards(array)
    return Grid(
        dims=(down, across),
        is_turned=is_turned,
        # North is up: y decreases from row to row.
        flips=(down_at.falls if is_downwards else down_at.rises, across_at.falls),
        axes=(down_at, across_at),
        has_crs=unit_of_crs(array) is not None,
        curved=curved(array, (down, across)),
        ground=ground_of(array, down_at, across_at),
        heights=unit_of(array.attrs.get("units")),
        is_downwards=is_downwards,
    )


def _spatial(array: Any) -> tuple[str, str] | None:
    """The dimensions of rows and columns, in the array's order. All others must have one coordinate."""
    dims = [str(dim) for dim in array.dims]
    if len(dims) < 2:
        return None
    known = [dim for dim in dims if role_of(array, dim) is not None]
    kept = known if len(known) == 2 else dims[-2:]
    sizes = dict(zip(dims, array.shape, strict=True))
    return (kept[0], kept[1]) if all(sizes[dim] == 1 for dim in dims if dim not in kept) else None


def _is_downwards(array: Any) -> bool:
    """Whether the array, or the one that it was computed from, is of a store of a world in which y grows to the south."""
    attrs = array.attrs
    transform = np.asarray(attrs.get("spatial:transform", ()), dtype=object).reshape(-1)
    is_own = _STORED in attrs and attrs.get("spatial:registration") == "node" and len(transform) == 6
    return is_own and float(transform[4]) > 0.0


def _nodata(array: Any) -> float | None:
    """The number that marks missing samples, if the array's attributes declare one.

    The encoding does not count: it describes the file that the array was read from, whose missing samples are already NaN.
    """
    attrs = getattr(array, "attrs", {})
    for name in ("_FillValue", "missing_value", "nodata"):
        if name in attrs and attrs[name] is not None:
            return _number(attrs[name], name)
    if "_FillValue" in getattr(array, "encoding", {}):
        return None
    nodata = getattr(getattr(array, "rio", None), "nodata", None)
    return None if nodata is None else _number(nodata, "nodata")


def _scale(array: Any) -> tuple[float, float] | None:
    """Scale and offset of stored numbers, if the array's attributes declare them: a number n means n * scale + offset.

    The encoding does not count: it describes the file that the array was read from, whose numbers are already scaled.
    """
    attrs = getattr(array, "attrs", {})
    scale, offset = (_number(attrs.get(name, plain), name) for name, plain in (("scale_factor", 1.0), ("add_offset", 0.0)))
    return None if (scale, offset) == (1.0, 0.0) else (scale, offset)


def _number(value: Any, name: str) -> float:
    """The number in an attribute. Some programs write it as a list of one number, or as text."""
    try:
        numbers = np.asarray(value, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if len(numbers) != 1:
        message = f"the attribute {name}={value!r} is not a number"
        raise usage(message, f"give one: array.attrs['{name}'] = -9999.0, or remove it: del array.attrs['{name}']")
    return float(numbers[0])

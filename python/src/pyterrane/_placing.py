"""Where the values of a graph lie among the coordinates of the array that the graph covers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._grid import Grid, grid_of

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True)
class Placing:
    """The coordinates of an array, for values of a graph with that array's spacing and origin."""

    like: Any
    """An array with the dimensions, coordinates and attributes. Its samples have no meaning."""
    grid: Grid
    spacing: float
    """The distance between the graph's samples."""
    origin: tuple[float, float]
    """The world x and y of the array's northwest sample."""

    @classmethod
    def over(cls, array: Any, grid: Grid, spacing: float) -> Placing:
        """The coordinates of an array, without its samples."""
        return cls(array.copy(data=np.broadcast_to(False, array.shape)), grid, spacing, grid.origin(spacing))

    def labelled(self, samples: npt.NDArray[Any], name: str, origin: tuple[float, float], spacing: float) -> xarray.DataArray:
        """A map with coordinates and CRS. A map of another size over the same ground has other coordinates."""
        rows, columns = samples.shape
        if samples.shape == self.grid.oriented(self.like).shape:
            labelled: xarray.DataArray = self.grid.like(self.like, name, samples, "")
            return labelled
        import xarray

        (x, y), (end_x, end_y) = self.place(*origin), self.place(origin[0] + spacing, origin[1] + spacing)
        down, across = self.grid.dims
        axes = {down: y + (end_y - y) * np.arange(rows), across: x + (end_x - x) * np.arange(columns)}
        own = self.like.coords
        coords = {dim: (dim, values, own[dim].attrs if dim in own else {}) for dim, values in axes.items()}
        scalars = {name: own[name] for name in own if own[name].ndim == 0}
        attrs = {key: value for key, value in self.like.attrs.items() if key in ("crs", "grid_mapping")}
        labelled = xarray.DataArray(samples, dims=(down, across), coords={**scalars, **coords}, name=name, attrs=attrs)
        labelled.encoding = {key: value for key, value in self.like.encoding.items() if key == "grid_mapping"}
        return labelled

    def place(self, x: float, y: float) -> tuple[float, float]:
        """The array's coordinates of a world position."""
        return self.grid.place((x - self.origin[0]) / self.spacing, (y - self.origin[1]) / self.spacing)

    def lines(self, part: Any) -> Any:
        """GeoJSON in the array's coordinates."""
        if isinstance(part, dict):
            return {key: self.lines(value) if key != "properties" else value for key, value in part.items()}
        if isinstance(part, list):
            if len(part) >= 2 and all(isinstance(number, (int, float)) for number in part):
                return [*self.place(part[0], _world_y(part[1])), *part[2:]]
            return [self.lines(item) for item in part]
        return part


def labelled_like(samples: npt.NDArray[Any], like: Any, name: str) -> Any:
    """A map with the coordinates of another array; `None` if that array has none or another size."""
    grid = grid_of(like)
    if grid is None or np.shape(grid.oriented(like)) != samples.shape:
        return None
    return grid.like(like, name, samples, "")


def _world_y(y: float) -> float:
    """World y of a position in GeoJSON, whose y grows to the north."""
    return 0.0 - y

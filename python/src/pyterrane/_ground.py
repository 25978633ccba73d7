"""Distances on the ground below a labelled array, where those of its map are others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ._axis import Axis
from ._units import crs_text, parsed
from ._warn import warn

# The difference to the map's own distance from which that of the ground counts, as in imported files.
_DIFFERENT = 0.01


@dataclass(frozen=True)
class Ground:
    """How long a step of rows and of columns is on the ground, as a share of that on the map, in the middle."""

    name: str
    down: float
    across: float

    def lengths(self, down: float, across: float) -> tuple[float, float]:
        """The distances of rows and of columns on the ground."""
        factors = self.down, self.across
        if abs(self.down / self.across - 1.0) < _DIFFERENT:
            # Cells that are squares on the map stay squares.
            both = (self.down * self.across) ** 0.5
            factors = both, both
        warn(
            f"samples are {across * factors[1]:.6g} apart on the ground and {across:.6g} on the map ({self.name}): slopes and areas are those "
            f"of the ground; for those of the map, give spacing={across:.6g}"
        )
        return down * factors[0], across * factors[1]


def ground_of(array: Any, down: Axis, across: Axis) -> Ground | None:
    """The distances in the middle of an array; `None` if those of its map are right, or if no package that knows its CRS is installed."""
    text = crs_text(array)
    if not (text and down.step and across.step) or down.unit is None or across.unit is None or down.unit != across.unit:
        return None
    middle = 0.5 * (across.low + across.high), 0.5 * (down.low + down.high)
    return _of(text, middle, (across.step, down.step), down.unit.metres)


@lru_cache(maxsize=64)
def _of(text: str, middle: tuple[float, float], steps: tuple[float, float], metres: float | None) -> Ground | None:
    """The distances about a position of a map whose coordinates have a length in metres."""
    crs = parsed(text)
    if crs is None or not crs.is_projected:
        return None
    unit = float(crs.axis_info[0].unit_conversion_factor)
    # Coordinates in another unit than that of the CRS are no positions of it.
    if metres is None or abs(metres / unit - 1.0) > 1e-6:
        return None
    from pyproj import Transformer
    from pyproj.exceptions import ProjError

    def distance(across: float, down: float) -> float:
        (x, y), half = middle, (0.5 * across, 0.5 * down)
        ends = [to_degrees(x - half[0], y - half[1]), to_degrees(x + half[0], y + half[1])]
        return float(crs.get_geod().inv(*ends[0], *ends[1])[2]) / (unit * max(across, down))

    try:
        to_degrees = Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True).transform
        factors = distance(0.0, steps[1]), distance(steps[0], 0.0)
    except ProjError:
        # A projection without an inverse.
        return None
    if not all(0.0 < factor < float("inf") for factor in factors) or all(abs(factor - 1.0) < _DIFFERENT for factor in factors):
        return None
    code = crs.to_epsg()
    return Ground(f"EPSG:{code}" if code else str(crs.name), *factors)

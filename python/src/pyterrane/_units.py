"""Units of coordinates and of heights: lengths, and angles, from which no slopes and areas can be computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_FOOT, _US_FOOT = 0.3048, 1200 / 3937

# Metres, by names without spaces, underscores, hyphens, dots and capitals.
_LENGTHS: dict[str, tuple[float, str]] = {
    name: (metres, word)
    for metres, word, names in [
        (1.0, "metres", "m metre meter metres meters"),
        (1000.0, "kilometres", "km kilometre kilometer kilometres kilometers"),
        (0.1, "decimetres", "dm decimetre decimeter decimetres decimeters"),
        (0.01, "centimetres", "cm centimetre centimeter centimetres centimeters"),
        (0.001, "millimetres", "mm millimetre millimeter millimetres millimeters"),
        (_FOOT, "feet", "ft foot feet internationalfoot internationalfeet footint footinternational"),
        (_US_FOOT, "US survey feet", "usft ftus footus feetus usfoot usfeet ussurveyfoot ussurveyfeet surveyfoot surveyfeet"),
        (_FOOT / 12, "inches", "in inch inches"),
        (6 * _FOOT, "fathoms", "ftm fathom fathoms"),
        (3 * _FOOT, "yards", "yd yard yards"),
        (5280 * _FOOT, "miles", "mi mile miles"),
        (1852.0, "nautical miles", "nmi nauticalmile nauticalmiles"),
    ]
    for name in names.split()
}
_ANGLES = {"deg", "degs", "°", "rad", "rads", "radian", "radians", "grad", "gon", "arcsec", "arcmin", "arcsecond", "arcminute"}
# Units of coordinates that count samples, or that say nothing.
_NONE = {"", "1", "none", "unknown", "dimensionless", "unitless", "pixel", "pixels", "px", "cell", "cells", "index", "worldunits"}


@dataclass(frozen=True)
class Unit:
    """A unit of coordinates or heights."""

    word: str
    """Its name in messages."""
    metres: float | None
    """Its length; `None` for an angle, and for a unit that is not known."""
    is_angle: bool = False
    """Whether it is an angle."""

    @property
    def is_rate(self) -> bool:
        """Whether it is a unit of something else than lengths, such as of heights a year."""
        return any(mark in self.word for mark in ("/", "^", "**", "-1", "-2", " per ")) or self.word in {"K", "degC", "%"}


DEGREES = Unit("degrees", None, is_angle=True)


def unit_of(text: Any) -> Unit | None:
    """The unit that an attribute names; `None` if it says nothing."""
    plain = str("" if text is None else text).strip()
    name = "".join(letter for letter in plain.lower() if letter not in " _-.()")
    if name in _NONE:
        return None
    if name in _LENGTHS:
        metres, word = _LENGTHS[name]
        return Unit(word, metres)
    if name in _ANGLES or name.startswith("degree") or name.endswith("degrees"):
        return Unit("degrees" if "deg" in name or name == "°" else plain, None, is_angle=True)
    return Unit(plain, None)


def unit_of_crs(array: Any) -> Unit | None:
    """The unit of the coordinates in the array's CRS; `None` if it has none, or if no package that reads it is installed."""
    try:
        crs = getattr(getattr(array, "rio", None), "crs", None)
    except Exception:
        # A CRS that rioxarray cannot read. The classes of its errors differ between versions.
        crs = None
    if crs is None:
        text = _text_of(array)
        if not text:
            return None
        if text == "latitude_longitude" or text.lstrip().startswith(("GEOGCS", "GEOGCRS", "GEODCRS")) or "+proj=longlat" in text:
            return DEGREES
        crs = parsed(text)
    if getattr(crs, "is_geographic", False):
        return DEGREES
    # A CRS of rasterio.
    length = getattr(crs, "linear_units_factor", None)
    if length is None:
        axes = getattr(crs, "axis_info", ())
        length = (axes[0].unit_name, axes[0].unit_conversion_factor) if axes else None
    if length is None:
        return None
    name, metres = str(length[0]), float(length[1])
    known = unit_of(name)
    return known if known is not None and known.metres is not None else Unit(name, metres) if metres > 0 else None


def crs_text(array: Any) -> str:
    """The array's CRS as a text that pyproj reads; empty if it has none."""
    try:
        crs = getattr(getattr(array, "rio", None), "crs", None)
    except Exception:
        # A CRS that rioxarray cannot read. The classes of its errors differ between versions.
        crs = None
    return str(crs.to_wkt()) if crs is not None and hasattr(crs, "to_wkt") else _text_of(array)


def transform_of(array: Any) -> tuple[float, ...] | None:
    """The six numbers of the affine transform that GDAL writes beside a CRS; `None` without them."""
    try:
        numbers = tuple(map(float, str(_mapping(array).get("GeoTransform", "")).split()))
    except ValueError:
        return None
    return numbers if len(numbers) == 6 else None


def _mapping(array: Any) -> dict[str, Any]:
    """The attributes of the coordinate that describes the CRS."""
    name = array.attrs.get("grid_mapping") or getattr(array, "encoding", {}).get("grid_mapping") or "spatial_ref"
    return dict(getattr(array.coords[name], "attrs", {})) if name in array.coords else {}


def _text_of(array: Any) -> str:
    """The CRS in the array's attributes, as WKT, a code, or the name of a mapping."""
    attrs, mapping = array.attrs, _mapping(array)
    places = [(mapping, "crs_wkt"), (mapping, "spatial_ref"), (attrs, "crs_wkt"), (attrs, "crs"), (attrs, "proj:code")]
    for place, key in [*places, (mapping, "grid_mapping_name")]:
        text = place.get(key)
        if isinstance(text, str) and text:
            return text
    return ""


def parsed(text: str) -> Any:
    """A CRS from its text; `None` if it cannot be read."""
    try:
        from pyproj import CRS
    except ImportError:
        return None
    try:
        return CRS.from_user_input(text)
    except Exception:
        # The classes of errors differ between versions of pyproj.
        return None

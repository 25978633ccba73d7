"""Georeferenced files for the cases, and what other programs say of their samples."""

import numpy as np
import rasterio
from pyproj import CRS, Geod, Transformer
from rasterio.transform import Affine

EARTH = Geod(ellps="WGS84")


def tiff(path, heights, transform=None, crs=None, **more):
    """Writes a GeoTIFF with GDAL; `transform` leads from columns and rows to the map, from the corner of the first sample."""
    heights = np.asarray(heights)
    profile = {"driver": "GTiff", "count": 1, "dtype": str(heights.dtype), "crs": crs, "transform": transform}
    profile |= {"height": heights.shape[0], "width": heights.shape[1]} | more
    with rasterio.open(path, "w", **{key: value for key, value in profile.items() if value is not None}) as file:
        file.write(heights, 1)
    return path


def upright(first, step):
    """The transform of a raster whose first sample is centred at `first`, with steps to the east and to the south."""
    (x, y), (across, down) = first, step
    return Affine(across, 0.0, x - across / 2, 0.0, -down, y + down / 2)


def centre(transform, column, row):
    """The position of the centre of a sample."""
    return transform * (column + 0.5, row + 0.5)


def opened(path):
    """Samples, transform and reference system of a raster, as GDAL gives them."""
    with rasterio.open(path) as file:
        return file.read(1), file.transform, file.crs


def lonlat(crs, x, y):
    """Longitude and latitude in WGS 84 of positions on a map."""
    return Transformer.from_crs(CRS.from_user_input(crs), 4326, always_xy=True).transform(x, y)


def ground_steps(crs, at, step, geod=EARTH):
    """The true distances in metres of a step to the east and of one to the south, about a position on a map."""
    crs = CRS.from_user_input(crs)
    unit = crs.geodetic_crs.axis_info[0].unit_conversion_factor
    transformer = Transformer.from_crs(crs, crs.geodetic_crs, always_xy=True)
    degrees = lambda x, y: np.degrees(unit * np.array(transformer.transform(x, y)))
    apart = lambda a, b: geod.inv(*degrees(*a), *degrees(*b))[2]
    (x, y), (across, down) = at, step
    return apart((x - across / 2, y), (x + across / 2, y)), apart((x, y - down / 2), (x, y + down / 2))


def ramp(rows, columns, east=3.0, south=0.0):
    """Heights that rise by the same amount from column to column and from row to row."""
    y, x = np.mgrid[0:rows, 0:columns]
    return (100.0 + east * x + south * y).astype("f4")

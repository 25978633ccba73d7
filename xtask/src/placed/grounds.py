"""Random ground that other libraries write: rasters on maps of the Earth and without a place."""

import warnings

import numpy as np
import pyproj
import rasterio
from PIL import Image
from rasterio.transform import Affine

warnings.filterwarnings("ignore")

# Metres, feet, degrees, the poles, Web Mercator, and systems whose datum is not that of WGS 84.
SYSTEMS = [32611, 32719, 32633, 2193, 2154, 3031, 3857, 2056, 27700, 2263, 2229, 4326, 4269]


class Case:
    """A folder with its files, its random numbers, the commands to run there, and what should be found then."""

    def __init__(self, folder, seed, number):
        self.rng = np.random.default_rng([seed, number])
        self.folder = folder / f"{number:05}"
        self.folder.mkdir()
        self.commands, self.checks = [], []

    def pick(self, *options):
        return options[self.rng.integers(len(options))]

    def whole(self, low, high):
        return int(self.rng.integers(low, high))

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def check(self, kind, **more):
        self.checks.append({"kind": kind, "seed": self.whole(0, 1 << 30), **more})


def place(case):
    """A reference system or none, and the coordinates of a first sample and a step there."""
    code = case.pick(*SYSTEMS, None)
    if code is None:
        return None, [case.whole(-9000, 9000) / 4, case.whole(-9000, 9000) / 4], case.pick(0.5, 1.0, 30.0)
    system = pyproj.CRS.from_epsg(code)
    west, south, east, north = system.area_of_use.bounds
    if code in (3857, 4326):
        south, north = -70, 70
    along = case.rng.uniform(0.3, 0.7, 2)
    longitude, latitude = west + along[0] * ((east - west) % 360 or 360), south + along[1] * (north - south)
    longitude = (longitude + 180) % 360 - 180
    if system.is_geographic:
        return code, [round(longitude, 4), round(latitude, 4)], case.pick(1 / 3600, 1 / 1200, 0.001)
    forward = pyproj.Transformer.from_crs(system.geodetic_crs, system, always_xy=True).transform
    digits = case.pick(0, 2)
    return code, [round(at, digits) for at in forward(longitude, latitude)], case.pick(0.5, 1.0, 7.3, 30.0, 100.0)


def heights_of(case, columns, rows):
    y, x = np.mgrid[0:rows, 0:columns]
    a, b, c = case.rng.uniform(4, 14, 3)
    waves = 150 * np.sin(x / a + c) * np.cos(y / b) + 40 * np.sin((x + 2 * y) / c)
    return 400 + waves + case.rng.normal(0, 2, (rows, columns))


def ground(case):
    """Writes a raster. Returns its name, its grid or none, its EPSG code or none, and saves its heights, north up.

    A grid has the coordinates of its first sample, the distances of columns to the east and of rows to the south, and its size.
    """
    code, first, step = place(case)
    columns, rows = case.whole(4, 90), case.whole(4, 90)
    # Proportions for which no number of square rows is halfway between two.
    steps = [step, step * case.pick(1.0, 1.0, 1.0, 1.2, 0.6)]
    grid = {"first": first, "steps": steps, "size": [columns, rows]}
    heights, known = heights_of(case, columns, rows), np.ones((rows, columns), bool)
    kind = case.pick("tif", "tif", "tif", "tif", "png", "npy")
    if kind == "npy":
        grid, code, heights = None, None, heights.astype("f4")
        np.save(case.folder / "dem.npy", heights)
    elif kind == "png":
        code, heights = None, np.round(heights).astype("u2")
        Image.fromarray(heights).save(case.folder / "dem.png")
        numbers = [float(number) for number in (steps[0], 0, 0, -steps[1], *first)]
        case.write("dem.pgw", "".join(f"{number!r}\n" for number in numbers))
    else:
        heights, known = geotiff(case, grid, code, heights)
    np.save(case.folder / "truth.npy", heights.astype("f4"))
    np.save(case.folder / "known.npy", known)
    return f"dem.{kind}", grid, code


def geotiff(case, grid, code, heights):
    """Writes a GeoTIFF of any type and any turn. Returns the heights that it means, and which are known."""
    dtype = np.dtype(case.pick("f4", "f4", "f8", "i2", "u2"))
    scale, offset = case.pick((1.0, 0.0), (1.0, 0.0), (0.1, 50.0))
    stored = (heights - offset) / scale
    stored = stored.astype(dtype) if dtype.kind == "f" else np.round(stored).astype(dtype)
    means = (stored.astype("f4").astype("f8") * scale + offset).astype("f4")
    options = {"driver": "GTiff", "dtype": dtype.name, "count": 1, "crs": code and f"EPSG:{code}"}
    known = np.ones(heights.shape, bool)
    if case.rng.random() < 0.25:
        known = case.rng.random(known.shape) > 0.03
        known.flat[0] = True
        options["nodata"] = 65535 if dtype.kind == "u" else -9999
        stored[~known] = options["nodata"]
    (east, north), (across, down), (columns, rows) = grid["first"], grid["steps"], grid["size"]
    # The first corner of the raster with north up, and the same samples in another order.
    matrix = Affine(across, 0, east - across / 2, 0, -down, north + down / 2)
    turned, turn = {
        "upright": (stored, Affine.identity()),
        "south up": (stored[::-1], Affine(1, 0, 0, 0, -1, rows)),
        "mirrored": (stored[:, ::-1], Affine(-1, 0, columns, 0, 1, 0)),
        "transposed": (stored.T, Affine(0, 1, 0, 1, 0, 0)),
        "turned": (stored.T[::-1], Affine(0, -1, columns, 1, 0, 0)),
    }[case.pick("upright", "upright", "upright", "south up", "mirrored", "transposed", "turned")]
    options |= {"transform": matrix * turn, "height": turned.shape[0], "width": turned.shape[1]}
    with rasterio.open(case.folder / "dem.tif", "w", **options) as file:
        if case.rng.random() < 0.3:
            file.update_tags(AREA_OR_POINT="Point")
        file.scales, file.offsets = (scale,), (offset,)
        file.write(np.ascontiguousarray(turned), 1)
    return means, known

"""Reads what Terrane wrote of the cases of make.py with other libraries, and says what lies elsewhere or has other values.

Usage: check.py FOLDER. Prints each difference, and at the end how many files of each kind were read.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pyproj
import rasterio
import xarray
from PIL import Image

warnings.filterwarnings("ignore")

# Of the steps of single precision in which heights of at most a height h are rounded.
ULP = 2.0**-23


class Differs(Exception):
    """What differs."""


def demand(holds, text):
    if not holds:
        raise Differs(text)


def axes(grid):
    """Coordinates of columns and rows, and how exactly double precision keeps them through sixteen roundings."""
    (east, north), (across, down), (columns, rows) = grid["first"], grid["steps"], grid["size"]
    x, y = east + across * np.arange(columns), north - down * np.arange(rows)
    return x, y, 16 * np.spacing(max(np.abs(x).max(), np.abs(y).max(), abs(x[-1] - x[0]), abs(y[-1] - y[0])))


def bilinear(heights, known, column, row):
    """Heights between samples, clamped to the border, and whether all samples that they are made of are known."""
    rows, columns = heights.shape
    column, row = np.clip(column, 0, columns - 1), np.clip(row, 0, rows - 1)
    i, j = np.minimum(column.astype(int), max(columns - 2, 0)), np.minimum(row.astype(int), max(rows - 2, 0))
    u, v = column - i, row - j
    k, l = np.minimum(i + 1, columns - 1), np.minimum(j + 1, rows - 1)
    around = [(j, i), (j, k), (l, i), (l, k)]
    a, b, c, d = (heights[at].astype("f8") for at in around)
    sure = np.logical_and.reduce([known[at] for at in around])
    return (a * (1 - u) + b * u) * (1 - v) + (c * (1 - u) + d * u) * v, sure


def read(folder, check):
    """The heights of a raster whose reference system and coordinates are as they should be."""
    grid, code = check["grid"], check["code"]
    x, y, exact = axes(grid)
    with rasterio.open(folder / check["file"]) as file:
        found = file.crs.to_epsg() if file.crs else None
        demand(found == code, f"its reference system is {found} instead of {code}")
        demand([file.width, file.height] == grid["size"], f"has {file.width} x {file.height} samples instead of {grid['size']}")
        for column, row in [(0, 0), (len(x) - 1, 0), (0, len(y) - 1), (len(x) - 1, len(y) - 1)]:
            at, wanted = file.xy(row, column), (x[column], y[row])
            demand(np.abs(np.subtract(at, wanted)).max() <= exact, f"sample {column}, {row} lies at {at} instead of {wanted}")
        heights = file.read(1)
        rng = np.random.default_rng(check["seed"])
        columns, rows = rng.integers(0, len(x), 10), rng.integers(0, len(y), 10)
        at = np.concatenate(list(file.sample(zip(x[columns], y[rows]))))
        demand(np.array_equal(at, heights[rows, columns]), "its samples are not those at their coordinates")
        return heights


def raster(folder, check):
    heights = read(folder, check)
    demand(np.array_equal(heights, np.load(folder / check["equals"])), f"its heights are not those of {check['equals']}")
    source = check["source"]
    if source is None:
        return
    truth, known = np.load(folder / "truth.npy"), np.load(folder / "known.npy")
    x, y, _ = axes(check["grid"])
    (east, north), (across, down) = source["first"], source["steps"]
    column, row = np.meshgrid((x - east) / across, (north - y) / down)
    wanted, sure = bilinear(truth, known, column, row)
    # Coordinates are rounded, and so are heights: four times on the way.
    _, _, exact = axes(check["grid"])
    bound = 4 * ULP * np.abs(truth[known]).max() + 2 * exact / min(across, down) * np.ptp(truth[known])
    apart = np.abs(heights - wanted)[sure]
    demand(apart.size == 0 or apart.max() <= bound, f"heights are up to {apart.max() if apart.size else 0} beside those of the source (bound {bound})")


def sidecar(folder, check):
    page = json.loads((folder / f"{check['file']}.json").read_text())
    heights = np.load(folder / check["equals"]).astype("f8")
    codes = np.asarray(Image.open(folder / check["file"])).astype("f8")
    demand(codes.shape == heights.shape and page["size"] == list(heights.shape[::-1]), "its size differs")
    step = (page["maximum"] - page["minimum"]) / (page["code_maximum"] - page["code_minimum"])
    apart = np.abs(page["minimum"] + (codes - page["code_minimum"]) * step - heights).max()
    demand(apart <= 0.5 * step * (1 + 1e-6) + ULP * np.abs(heights).max(), f"heights are {apart} away, with {step} a code")
    demand(np.allclose(page["origin"], check["origin"], rtol=0, atol=1e-9), f"its origin is {page['origin']} instead of {check['origin']}")
    # A sphere is within 1/150 of the ellipsoid's distances.
    bound = 1e-12 if check["is_exact"] else 1 / 150
    demand(abs(page["spacing"] / check["spacing"] - 1) <= bound, f"its spacing is {page['spacing']} instead of {check['spacing']}")


def points(folder, check):
    spacing = json.loads((folder / "out/out.png.json").read_text())["spacing"]
    found = np.array(json.loads((folder / check["file"]).read_text()))
    wanted = np.array(check["origin"]) + spacing * np.array(check["columns"])
    demand(found.shape == (len(wanted), 3), f"has {len(found)} points instead of {len(wanted)}")
    demand(np.array_equal(found[:, 2], np.arange(len(wanted))), "the heights of points differ")
    apart = np.abs(found[:, :2] - wanted).max()
    bound = spacing * check["near"]
    demand(apart <= bound, f"points are {apart} away (bound {bound})")


def of_wgs84(code):
    """From longitude and latitude to the place that PROJ puts there.

    PROJ's own way back starts from a height of 0 over the ellipsoid of WGS 84, where the way there did not end: millimetres aside.
    """
    there = pyproj.Transformer.from_crs(code, 4326, always_xy=True).transform
    back = pyproj.Transformer.from_crs(4326, code, always_xy=True).transform

    def inverse(longitude, latitude):
        x, y = wanted = np.array(back(longitude, latitude))
        for _ in range(3):
            x, y = [x, y] + wanted - np.array(back(*there(x, y)))
        return x, y

    return inverse


def vertices(folder, check):
    """Properties, columns and rows of the vertices of each line, and how far off these may be."""
    page, code, grid = json.loads((folder / check["file"]).read_text()), check["code"], check["grid"]
    (east, north), (across, down) = grid["first"], grid["steps"]
    demand("crs" not in page, f"names the reference system {page.get('crs')}")
    back = of_wgs84(code) if code else lambda x, y: (x, y)
    near = check["near"]
    for feature in page["features"]:
        x, y = back(*np.array(feature["geometry"]["coordinates"]).T)
        if code and pyproj.CRS.from_epsg(code).is_geographic:
            x = east + (np.subtract(x, east) + 180) % 360 - 180
        yield feature["properties"], (x - east) / across, (north - y) / down, near


def lines(folder, check):
    heights = np.load(folder / check["heights"])
    count = 0
    for properties, column, row, near in vertices(folder, check):
        count += 1
        off = np.minimum(np.abs(column - np.round(column)), np.abs(row - np.round(row)))
        demand(off.max() <= near, f"a vertex is {off.max()} columns beside the edges of the grid (bound {near})")
        # On an edge heights are linear: what the vertex may be off along it, and the rounding of heights.
        column_is_whole = np.abs(column - np.round(column)) < np.abs(row - np.round(row))
        column = np.where(column_is_whole, np.round(column), column)
        row = np.where(column_is_whole, row, np.round(row))
        height, _ = bilinear(heights, np.ones(heights.shape, bool), column, row)
        bound = 2 * near * np.ptp(heights) + 4 * ULP * np.abs(heights).max()
        apart = np.abs(height - properties["level"]).max()
        demand(apart <= bound, f"a line of level {properties['level']} is {apart} beside it (bound {bound})")
    demand(count > 0 or np.ptp(heights) < 10, "has no lines")


def rivers(folder, check):
    columns, rows = check["grid"]["size"]
    for _, column, row, near in vertices(folder, check):
        off = max(np.abs(column - np.round(column)).max(), np.abs(row - np.round(row)).max())
        demand(off <= near, f"a vertex is {off} columns beside a sample (bound {near})")
        demand(column.min() > -0.5 and row.min() > -0.5 and column.max() < columns - 0.5 and row.max() < rows - 0.5, "leaves the map")


def part(folder, check):
    (i, j), (columns, rows) = check["at"], check["grid"]["size"]
    return np.load(folder / check["whole"])[j : j + rows, i : i + columns]


def mosaic(folder, check):
    demand(np.array_equal(read(folder, check), part(folder, check)), "its heights are not those of the whole map")


def store(folder, check):
    whole, (x, y, exact) = part(folder, check), axes(check["grid"])
    levels = sorted(path.name for path in (folder / check["file"]).iterdir() if path.name.isdigit())
    for level in levels:
        step = 2 ** int(level)
        data = xarray.open_zarr(folder / check["file"], group=level)
        code = f"EPSG:{check['code']}" if check["code"] else None
        for attributes in (data.attrs, data.h.attrs):
            demand(attributes.get("proj:code") == code, f"the code of level {level} is {attributes.get('proj:code')} instead of {code}")
        demand(data.h.dims == ("y", "x"), f"level {level} has the dimensions {data.h.dims}")
        for name, wanted in (("x", x[::step]), ("y", y[::step])):
            found = data[name].values
            demand(found.shape == wanted.shape, f"level {level} has {found.size} positions of {name} instead of {wanted.size}")
            apart = np.abs(found - wanted).max()
            demand(apart <= exact, f"level {level} lies {apart} beside, from {name} = {found[0]} instead of {wanted[0]}")
        demand(np.array_equal(data.h.values, whole[::step, ::step]), f"the heights of level {level} are not those of the whole map")
        rng = np.random.default_rng(check["seed"])
        for column, row in zip(rng.integers(0, data.x.size, 10), rng.integers(0, data.y.size, 10)):
            value = data.h.sel(x=x[::step][column], y=y[::step][row], method="nearest").item()
            demand(value == whole[::step, ::step][row, column], f"level {level} has another height at its coordinates")


KINDS = {check.__name__: check for check in (raster, sidecar, points, lines, rivers, mosaic, store)}


def main(folder):
    counts, wrong = {}, 0
    for case in json.loads((folder / "cases.json").read_text()):
        for check in case["checks"]:
            kind = check["kind"]
            counts[kind] = counts.get(kind, 0) + 1
            try:
                KINDS[kind](folder / case["folder"], check)
            except Exception as error:  # Whatever a library raises, the file was not read.
                wrong += 1
                name = "" if isinstance(error, Differs) else f"{type(error).__name__}: "
                print(f"{case['folder']}/{check['file']} ({kind}): {name}{error}")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), f"read by others: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

"""Holes: what becomes of missing samples on their way through a graph."""

import numpy as np
import rasterio
from frame import case, demand, demand_equal, hills
from missing import SHAPE, marked, voids
from rasters import gdal_raster, imported

KIND = "missing"


@case(KIND)
def filled_holes_of_both_ways_are_equal(at):
    """`voids: Fill` and `FillHoles` after `voids: Keep` give the same map, and FillHoles' mask is the rest of the import's."""
    gdal_raster(at / "dem.tif", marked("f4", -9999), nodata=-9999)
    imported(at, "dem.tif", SHAPE).demand_success(quiet=False)
    filled = at.array("h.npy")
    outputs = '"h.npy": "whole", "mask.npy": "dem.mask", "holes.npy": "whole.mask"'
    imported(at, "dem.tif", SHAPE, "voids: Keep", '"whole": FillHoles(height: "dem")', outputs).demand_success()
    demand_equal(at.array("h.npy"), filled)
    demand_equal(at.array("holes.npy"), 1 - at.array("mask.npy"), "holes")


@case(KIND)
def single_missing_samples_become_the_mean_of_their_neighbours(at):
    """Holes of one sample: inside of four neighbours, at a border of three, in a corner of two; all others keep their bits."""
    heights = hills(*SHAPE).astype("f4")
    hole = np.zeros(SHAPE, bool)
    spots = [(0, 0), (0, 30), (10, 0), (20, 25), (36, 52), (36, 10)]
    for spot in spots:
        hole[spot] = True
    gdal_raster(at / "dem.tif", np.where(hole, np.float32(np.nan), heights))
    imported(at, "dem.tif", SHAPE).demand_success("6 missing samples")
    right = heights.copy()
    for row, column in spots:
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        right[row, column] = np.mean([heights[y, x] for y, x in around if 0 <= y < 37 and 0 <= x < 53], dtype="f8")
    demand_equal(at.array("h.npy"), right)


@case(KIND)
def a_mask_without_a_missing_sample(at):
    """A mask and a nodata value that no sample has: all heights are known, and nothing is said."""
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        heights = marked("i2", 0, np.zeros(SHAPE, bool))
        gdal_raster(at / "dem.tif", heights, nodata=-9999)
        with rasterio.open(at / "dem.tif", "r+") as file:
            file.write_mask(np.ones(SHAPE, bool))
    imported(at, "dem.tif", SHAPE).demand_success()
    demand_equal(at.array("h.npy"), heights)
    demand_equal(at.array("mask.npy"), np.ones(SHAPE), "mask")


@case(KIND)
def holes_in_files_that_come_out(at):
    """A GeoTIFF declares its holes, as GDAL reads it; filled heights are not missing, also where they equal the old nodata."""
    samples = marked("f4", 0)
    gdal_raster(at / "dem.tif", samples, nodata=0, crs="EPSG:32611", transform=rasterio.transform.from_origin(5e5, 4e6, 1, 1))
    imported(at, "dem.tif", SHAPE, "voids: Keep", "", '"h.tif": "dem"').demand_success()
    with rasterio.open(at / "out" / "h.tif") as file:
        demand_equal(file.read_masks(1) > 0, ~voids(), "mask")
        demand(np.isnan(file.nodata), f"declares {file.nodata}")
    nodes = '"low": Remap(height: "dem", from: Some((100.0, 200.0)), to: (0.0, 1.0))'
    imported(at, "dem.tif", SHAPE, "", nodes, '"h.tif": "low", "mask.tif": "dem.mask"').demand_success("missing", quiet=False)
    for name in ("h.tif", "mask.tif"):
        with rasterio.open(at / "out" / name) as file:
            demand(file.read_masks(1).all(), f"{name}: heights of 0 are declared missing by {file.nodata}")


@case(KIND)
def whole_numbers_have_no_code_for_a_hole(at):
    """A PNG of a map that can have holes is a mistake before the run, whose remedy works."""
    gdal_raster(at / "dem.tif", marked("f4", -9999), nodata=-9999)
    imported(at, "dem.tif", SHAPE, "voids: Keep", "", '"h.png": "dem"', check=True).demand_refusal("h.png", "FillHoles")
    fixed = imported(at, "dem.tif", SHAPE, "voids: Keep", '"whole": FillHoles(height: "dem")', '"h.png": "whole"')
    fixed.demand_success()


@case(KIND)
def stretched_holes_by_the_larger_part(at):
    """Half the samples: a cell covers one sample, four halves and four quarters; it is a hole if more than half is missing."""
    heights = hills(41, 61).astype("f4")
    known = np.random.default_rng(1).random((41, 61)) < 0.5
    gdal_raster(at / "dem.tif", np.where(known, heights, np.float32(-9999)), nodata=-9999)
    imported(at, "dem.tif", (21, 31), "voids: Keep").demand_success(quiet=False)
    weights = [(1 - abs(dy) / 2) * (1 - abs(dx) / 2) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    around = [slice(2 + step, step - 2, 2) for step in (-1, 0, 1)]
    inner = lambda map: [map[rows, columns] for rows in around for columns in around]
    part = sum(weight * cell for weight, cell in zip(weights, inner(known.astype("f8"))))
    total = sum(weight * cell for weight, cell in zip(weights, inner(np.where(known, heights.astype("f8"), 0.0))))
    is_hole, found = part < 0.5 * sum(weights), at.array("h.npy")[1:-1, 1:-1]
    demand_equal(np.isnan(found), is_hole, "holes")
    # Steps of 32-bit numbers below 1024: one for the weighted sum, one for its division.
    demand_equal(found, np.where(is_hole, np.nan, total / np.maximum(part, 0.1)), exact=2.0**-13)


@case(KIND)
def nodata_of_codes_with_a_range(at):
    """Code 0 of a 16-bit picture is missing, and `range` gives heights to the others: code 1 is not the lowest height."""
    codes = marked("u2", 0)
    gdal_raster(at / "dem.tif", codes)
    ran = imported(at, "dem.tif", SHAPE, "nodata: Some(0.0), range: Some((0.0, 655350.0)), voids: Keep").demand_success()
    demand("nodata" not in ran.said, ran.said[:200])
    # Half a step of 32-bit numbers at 2000.
    demand_equal(at.array("h.npy"), np.where(voids(), np.nan, codes * 10.0), exact=2.0**-14)


@case(KIND)
def holes_of_a_raster_that_is_turned_round(at):
    """A mask and nodata in a raster whose first row is the southernmost: they are turned with the heights."""
    heights = hills(*SHAPE).astype("f4")
    south_up = rasterio.Affine(10.0, 0.0, 5e5, 0.0, 10.0, 4e6)
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=False):
        samples = np.where(voids(5), np.float32(-1), heights)
        gdal_raster(at / "dem.tif", samples, nodata=-1, transform=south_up, crs="EPSG:32611")
        with rasterio.open(at / "dem.tif", "r+") as file:
            file.write_mask(~voids())
    imported(at, "dem.tif", SHAPE, "voids: Keep").demand_success("southernmost")
    hole = (voids() | voids(5))[::-1]
    demand_equal(at.array("mask.npy"), ~hole, "mask")
    demand_equal(at.array("h.npy"), np.where(hole, np.nan, heights[::-1]))


@case(KIND)
def cubics_beside_a_hole(at):
    """A plane with holes, made twice as fine: no mark and no not-a-number leaks into heights, and far away it is the plane."""
    y, x = np.mgrid[0:21, 0:31]
    plane = (1000 + 2 * x + 3 * y).astype("f4")
    hole = np.zeros(plane.shape, bool)
    hole[8:12, 10:16] = hole[0, :] = True
    gdal_raster(at / "dem.tif", np.where(hole, np.float32(-9999), plane), nodata=-9999)
    y, x = np.mgrid[0:41, 0:61] / 2
    right, far = 1000 + 2 * x + 3 * y, np.zeros((41, 61), bool)
    far[30:36, 40:56] = True
    for name in ("Bilinear", "Bicubic"):
        for kept in ("Keep", "Fill"):
            imported(at, "dem.tif", (41, 61), f"voids: {kept}, filter: Some({name})").demand_success(quiet=False)
            found = at.array("h.npy")
            known = np.isfinite(found)
            demand(known.all() or kept == "Keep", f"{name}: holes after filling")
            demand(found[known].min() > 999 and found[known].max() < 1121, f"{name}, {kept}: heights beyond the plane's")
            demand_equal(found[far], right[far], exact=2.0**-12)
            # Beside a hole a height is the mean of what is there: at most one sample of the file away, in both directions.
            if kept == "Keep":
                demand((np.abs(found - right)[known] <= 5.0 + 2.0**-12).all(), f"{name}: off the plane beside a hole")


@case(KIND)
def statistics_leave_missing_samples_out(at):
    """Numbers of a map with holes: least, highest and mean of the known heights, and the count of the others."""
    samples = marked("f4", -9999)
    gdal_raster(at / "dem.tif", samples, nodata=-9999)
    imported(at, "dem.tif", SHAPE, "voids: Keep", '"s": Statistics(height: "dem")', '"s.json": "s"').demand_success()
    known, found = samples[~voids()].astype("f8"), at.json("s.json")
    demand(found["not_finite"] == voids().sum(), f"counts {found}")
    for name, right in [("minimum", known.min()), ("maximum", known.max()), ("mean", known.mean())]:
        key = name if name in found else name[:3]
        demand(abs(found[key] - right) <= 1e-9 * abs(right), f"{name}: {found[key]} instead of {right}")


@case(KIND)
def left_out_tiles_of_a_sparse_file(at):
    """Tiles that a sparse file leaves out: missing if it has a nodata value, which GDAL gives them, otherwise zeros."""
    heights = np.zeros((64, 64), "f4")
    heights[:32, :32] = hills(32, 32)
    size = dict(width=64, height=64, count=1, dtype="float32", tiled=True, blockxsize=32, blockysize=32, SPARSE_OK=True)
    for nodata in (None, -5.0, 0.0):
        with rasterio.open(at / "dem.tif", "w", driver="GTiff", compress="DEFLATE", nodata=nodata, **size) as file:
            file.write(heights[:32, :32], 1, window=rasterio.windows.Window(0, 0, 32, 32))
        imported(at, "dem.tif", (64, 64), "voids: Keep").demand_success(quiet=False)
        with rasterio.open(at / "dem.tif") as file:
            right = file.read(1, masked=True).filled(np.nan)
        demand_equal(at.array("h.npy"), right, f"with nodata {nodata}")

"""Missing samples that files do not declare: the hint at them, and files without any height."""

import numpy as np
import rasterio
from frame import case, demand, hills
from missing import SHAPE, marked, voids, with_nodata
from rasters import demand_import, gdal_raster, imported

KIND = "missing"


@case(KIND)
def numbers_that_look_missing_are_pointed_out(at):
    """Undeclared marks of many programs: the warning gives the number for `nodata`, and following it leaves no such height."""
    whole = [("i2", -32768), ("i2", -32767), ("u2", 65535), ("i4", -(2**31))]
    real = [("f4", -9999), ("f8", -9999), ("f4", -99999), ("f4", 9.96921e36), ("f4", np.finfo("f4").min)]
    for kind, mark in whole + real:
        samples = marked(kind, mark)
        gdal_raster(at / "dem.tif", samples)
        ran = imported(at, "dem.tif", SHAPE).demand_success(f"{voids().sum()} samples are", "set `nodata: ")
        number = ran.said.split("set `nodata: ")[1].split("`")[0]
        demand_import(at, "dem.tif", samples, missing=voids(), parameters=f"nodata: Some({number})")


@case(KIND)
def numbers_that_no_height_has(at):
    """Undeclared 1e20 of climate models and -1e10: no ground is there in any unit, and the hint says so."""
    for mark in (1e20, -1e10):
        gdal_raster(at / "dem.tif", marked("f4", mark))
        imported(at, "dem.tif", SHAPE).demand_success(f"{voids().sum()} samples are", "set `nodata: ")


@case(KIND)
def marks_below_high_mountains(at):
    """-9999 among heights from 100 to 8848 m: no ground lies there, however high the mountains are."""
    heights = hills(*SHAPE, low=100.0, high=8848.0).astype("f4")
    heights[voids()] = -9999.0
    gdal_raster(at / "dem.tif", heights)
    imported(at, "dem.tif", SHAPE).demand_success("samples are -9999", "nodata: -9999")


@case(KIND)
def two_marks_that_hide_each_other(at):
    """-9999 and -32768 in one file, as mosaics of two sources have them: each is pointed out once the other is declared."""
    heights = hills(*SHAPE, low=100.0, high=2500.0).astype("i2")
    heights[voids()] = -32768
    heights[voids(5) & ~voids()] = -9999
    gdal_raster(at / "dem.tif", heights)
    imported(at, "dem.tif", SHAPE).demand_success("nodata: -32768")
    gdal_raster(at / "dem.tif", heights, nodata=-32768)
    imported(at, "dem.tif", SHAPE).demand_success("nodata: -9999")


@case(KIND)
def zeros_in_the_corners_that_a_reprojection_leaves(at):
    """`gdalwarp` without nodata fills corners with 0: in ground from 1500 to 1900 m they are pointed out."""
    for kind in ("f4", "i2", "u2"):
        heights = hills(*SHAPE, low=1500.0, high=1900.0).astype(kind)
        heights[voids()] = 0
        gdal_raster(at / "dem.tif", heights)
        ran = imported(at, "dem.tif", SHAPE).demand_success(quiet=False)
        demand("samples are 0" in ran.said and "nodata: 0" in ran.said, f"{kind}: zeros are heights without a word")


@case(KIND)
def a_file_without_any_height(at):
    """All samples missing: filling is refused with the number of samples, keeping gives a map of holes that can be measured."""
    for samples, more in [(np.full(SHAPE, -9999, "i2"), dict(nodata=-9999)), (np.full(SHAPE, np.nan, "f4"), {})]:
        gdal_raster(at / "dem.tif", samples, **more)
        imported(at, "dem.tif", SHAPE).demand_refusal("all 1961 samples are missing", "nodata")
        nodes = '"s": Statistics(height: "dem"), "slope": SlopeMap(height: "dem")'
        outputs = '"h.npy": "dem", "s.json": "s", "sl.npy": "slope"'
        imported(at, "dem.tif", SHAPE, "voids: Keep", nodes, outputs).demand_success(quiet=False)
        demand(np.isnan(at.array("h.npy")).all() and np.isnan(at.array("sl.npy")).all(), "there is a height")
        demand(at.json("s.json")["not_finite"] == 1961, f"counts {at.json('s.json')}")
        ran = imported(at, "dem.tif", SHAPE, "voids: Keep", '"w": FillHoles(height: "dem")', '"h.npy": "w"')
        demand(ran.code != 0 or "warning" in ran.said, f"fills a map without a height: {ran.said[:200]}")


@case(KIND)
def everything_masked_is_said_to_be_masked(at):
    """A mask without a height: the refusal does not send people to a nodata value that the file does not have."""
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        gdal_raster(at / "dem.tif", marked("i2", 0))
        with rasterio.open(at / "dem.tif", "r+") as file:
            file.write_mask(np.zeros(SHAPE, bool))
    imported(at, "dem.tif", SHAPE).demand_refusal("all 1961 samples are missing", "mask")


@case(KIND)
def nodata_parameter_of_every_size(at):
    """The parameter accepts what its page says, from -1e39 to 1e39, and marks samples to the last digit of their type."""
    for kind, mark, text in [
        ("f4", -9999.9, "-9999.9"),
        ("f8", 1e-5, "1e-5"),
        ("u4", 2**32 - 1, "4294967295.0"),
        ("f4", 1e31, "1e31"),
        ("f4", np.finfo("f4").min, "-3.4028235e38"),
    ]:
        gdal_raster(at / "dem.tif", marked(kind, mark))
        demand_import(at, "dem.tif", marked(kind, mark), missing=voids(), parameters=f"nodata: Some({text})")


@case(KIND)
def limits_of_64_bits_in_the_parameter(at):
    """The lowest and highest 64-bit number, undeclared: what the hint says to set marks them, and so does the number itself."""
    for kind, mark in [("i8", -(2**63)), ("i8", 2**63 - 1), ("u8", 2**64 - 1)]:
        gdal_raster(at / "dem.tif", marked(kind, mark))
        ran = imported(at, "dem.tif", SHAPE).demand_success(f"{voids().sum()} samples are", "set `nodata: ")
        for number in (ran.said.split("set `nodata: ")[1].split("`")[0], str(mark)):
            demand_import(at, "dem.tif", marked(kind, mark), missing=voids(), parameters=f"nodata: Some({number})")


@case(KIND)
def codes_that_use_their_whole_range_are_no_voids(at):
    """Heights with a lowest or highest number of the type but near others, seas of 0, and depths of -9999: nothing is said."""
    sea = np.maximum(hills(*SHAPE, low=-50.0, high=200.0), 0.0)
    trench = hills(*SHAPE, low=-10000.0, high=-9000.0).round()
    trench[trench.argmin() // 53, trench.argmin() % 53] = -9999
    whole = hills(*SHAPE, low=-32768.0, high=32767.0).round()
    seas, trenches = [(sea, kind) for kind in ("f4", "i2", "u1")], [(trench, kind) for kind in ("i2", "f4")]
    for heights, kind in [*seas, *trenches, (whole, "i2"), (whole + 32768, "u2")]:
        gdal_raster(at / "dem.tif", heights.astype(kind))
        demand_import(at, "dem.tif", heights.astype(kind))


@case(KIND)
def a_nodata_text_that_is_no_number(at):
    """`none` and `N/A`: heights are read, and the text is said not to be a number."""
    heights = marked("f4", 105)
    for text in ("none", "N/A"):
        with_nodata(at / "dem.tif", heights, text)
        demand_import(at, "dem.tif", heights, "nodata value is not a number")


@case(KIND)
def undeclared_marks_of_scaled_numbers(at):
    """-9999 in tenths and hundredths: the hint names the stored number, which is what `nodata` is compared with."""
    for kind in ("i2", "i4", "f4"):
        samples = marked(kind, -9999)
        gdal_raster(at / "dem.tif", samples)
        with rasterio.open(at / "dem.tif", "r+") as file:
            file.scales, file.offsets = (0.1,), (50.0,)
        imported(at, "dem.tif", SHAPE).demand_success("samples are", "set `nodata: -9999`")
        right = (samples.astype("f8") * 0.1 + 50.0).astype("f4")
        demand_import(at, "dem.tif", right, missing=voids(), parameters="nodata: Some(-9999.0)")


@case(KIND)
def a_declared_nodata_that_is_not_the_mark(at):
    """Whole numbers whose tag names the lowest 32-bit number, as a conversion from floats leaves it: voids are pointed out."""
    samples = marked("i2", -32768)
    with_nodata(at / "dem.tif", samples, "-3.4028234663852886e+38")
    imported(at, "dem.tif", SHAPE).demand_success("samples are -32768", "nodata: -32768")

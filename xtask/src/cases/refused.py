"""Formats and kinds of files that are not read: the refusal's remedy must help."""

import gzip
import io
import zipfile

import numpy as np
from compressed import numbers
from frame import case, demand, hills
from rasters import demand_import, follow, gdal_raster, imported

KIND = "compressed"


@case(KIND)
def text_grids_are_refused_with_a_command_that_works(at):
    """Esri's and Golden Software's grids and points on a grid: the help's command converts them."""
    heights = np.round(hills(3, 4, low=2.0, high=90.0))
    rows = "\n".join(" ".join(f"{height:.0f}" for height in row) for row in heights)
    esri = f"ncols 4\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n{rows}\n"
    golden = "DSAA\n4 3\n0 30\n0 20\n0 100\n" + "\n".join(reversed(rows.split("\n"))) + "\n"
    points = "".join(f"{10 * x} {-10 * y} {heights[y, x]}\n" for y in range(3) for x in range(4))
    for name, text in [("dem.asc", esri), ("dem.grd", golden), ("dem.xyz", points)]:
        at.write(name, text)
        ran = imported(at, name, (3, 4)).demand_refusal("known format")
        demand_import(at, follow(at, ran, name, "new.tif"), heights, quiet=False)


@case(KIND)
def files_that_gdal_cannot_convert_are_refused_without_its_name(at):
    """Archives of NumPy and clouds of points: a help that names `gdal_translate` for them sends people in a circle."""
    packed = io.BytesIO()
    np.savez(packed, height=numbers("f4"))
    for name, content in [("dem.npz", packed.getvalue()), ("dem.las", b"LASF" + bytes(400))]:
        at.write(name, content)
        ran = imported(at, name, (37, 53)).demand_refusal("known format")
        demand(f"gdal_translate {name}" not in ran.said, f"{name}: {ran.said[:300]}")


@case(KIND)
def arrays_that_are_no_map_are_refused_by_their_shape(at):
    """Three axes, complex numbers, records: the help says what to store instead, not a command of GDAL."""
    heights = numbers("f4")
    records = heights.view([("h", "f4")])
    for array, word in [(np.stack([heights] * 3), "shape"), (heights.astype("c8"), "c8"), (records, "record")]:
        np.save(at / "dem.npy", array)
        ran = imported(at, "dem.npy", heights.shape).demand_refusal("not read", word)
        demand("gdal_translate" not in ran.said, f"GDAL does not read NPY: {ran.said[:300]}")


@case(KIND)
def names_with_blanks_in_a_command(at):
    """A file with a blank or a bracket in its name, as browsers save it: the help's command works when it is pasted."""
    for name in ("my dem.asc", "dem(1).asc"):
        at.write(name, "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n")
        ran = imported(at, name, (2, 2)).demand_refusal("known format")
        demand("(" not in name or f"'{name}'" in ran.said or f'"{name}"' in ran.said, f"a shell cannot read it: {ran.said[:300]}")
        demand_import(at, follow(at, ran, name, "new.tif"), [[1, 2], [3, 4]], quiet=False)


@case(KIND)
def srtm_is_refused_with_a_command_that_works(at):
    """A tile of SRTM with voids, big-endian without a header: GDAL knows it by its name, and what it makes has its voids."""
    heights = hills(1201, 1201, low=300.0, high=2000.0).astype("i2")
    heights[100:130, 400:450] = -32768
    at.write("N46E007.hgt", heights.astype(">i2").tobytes())
    ran = imported(at, "N46E007.hgt", heights.shape).demand_refusal("known format")
    demand_import(at, follow(at, ran, "N46E007.hgt", "new.tif"), heights, missing=heights == -32768)


@case(KIND)
def packed_files_are_to_be_unpacked(at):
    """A model in a `.zip` or `.gz`, as portals deliver it: the help says to unpack it, or its command works."""
    heights = numbers("i2")
    gdal_raster(at / "dem.tif", heights)
    content = (at / "dem.tif").read_bytes()
    with zipfile.ZipFile(at / "dem.zip", "w") as file:
        file.writestr("dem.tif", content)
    at.write("dem.tif.gz", gzip.compress(content))
    for name in ("dem.zip", "dem.tif.gz"):
        ran = imported(at, name, heights.shape).demand_refusal("known format")
        if "unpack" not in ran.said:
            demand_import(at, follow(at, ran, name, "new.tif"), heights)


@case(KIND)
def a_virtual_raster_and_a_grid_with_a_header_beside(at):
    """A `.vrt` of GDAL and Esri's `.bil` and `.flt`: the help's command converts them."""
    heights = numbers("f4")
    gdal_raster(at / "source.tif", heights)
    gdal_raster(at / "dem.flt", heights, driver="EHdr")
    gdal_raster(at / "dem.img", heights, driver="HFA")
    size = 'rasterXSize="53" rasterYSize="37"'
    source = '<SourceFilename relativeToVRT="1">source.tif</SourceFilename><SourceBand>1</SourceBand>'
    band = f'<VRTRasterBand dataType="Float32" band="1"><SimpleSource>{source}</SimpleSource></VRTRasterBand>'
    at.write("dem.vrt", f"<VRTDataset {size}>{band}</VRTDataset>")
    for name in ("dem.vrt", "dem.flt", "dem.img"):
        ran = imported(at, name, heights.shape).demand_refusal("known format")
        demand_import(at, follow(at, ran, name, "new.tif"), heights)


@case(KIND)
def raw_samples_of_an_unknown_size(at):
    """16-bit samples that are no square: the help names the parameter that `Import` has, and following it reads them."""
    codes = numbers("u2")
    at.write("dem.raw", codes.astype("<u2").tobytes())
    imported(at, "dem.raw", codes.shape).demand_refusal("not a square", "raw_size")
    demand_import(at, "dem.raw", codes, parameters="raw_size: Some((53, 37))")
    at.write("dem.raw", codes.astype(">u2").tobytes())
    demand_import(at, "dem.raw", codes, parameters="raw_size: Some((53, 37)), byte_order: Some(Big)")


@case(KIND)
def an_array_without_a_sample(at):
    """An array of 0 x 5: it is said to be empty, not to be too large."""
    np.save(at / "dem.npy", np.zeros((0, 5), "f4"))
    ran = imported(at, "dem.npy", (4, 5)).demand_refusal("0")
    demand("too many" not in ran.said and "smaller" not in ran.said, ran.said[:300])

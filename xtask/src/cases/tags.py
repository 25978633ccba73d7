"""Tags and files beside a raster that give its stored numbers their meaning."""

import struct
import zlib

import numpy as np
import rasterio
import tifffile
from compressed import numbers
from frame import case, demand, demand_equal
from rasters import demand_import, follow, gdal_raster, imported, png, tagged

KIND = "tags"


def described(at, name, heights, scale=1.0, offset=0.0, unit=None, **options):
    """A raster with scale, offset and unit, as GDAL writes them."""
    gdal_raster(at / name, heights, **options)
    with rasterio.open(at / name, "r+") as file:
        file.scales, file.offsets = (scale,), (offset,)
        if unit:
            file.units = (unit,)


def beside(at, name, band, whole=""):
    """An auxiliary file of GDAL."""
    at.write(f"{name}.aux.xml", f'<PAMDataset>{whole}<PAMRasterBand band="1">{band}</PAMRasterBand></PAMDataset>')


def scaled(stored, scale, offset):
    """Heights: computed with 64 bits, and rounded once."""
    return (stored.astype("f8") * scale + offset).astype("f4")


@case(KIND)
def scale_and_offset_of_every_type(at):
    """Centimetres above a datum, depths that count downwards, 32-bit millimetres: computed before numbers are rounded."""
    pairs = {"u1": (12.5, -100.0), "i2": (0.01, 0.0), "u2": (-0.1, 11000.0), "i4": (0.001, -1e4), "f8": (1e-3, 5.0)}
    for kind, (scale, offset) in pairs.items():
        stored = numbers(kind)
        described(at, "dem.tif", stored, scale, offset, compress="DEFLATE")
        demand_import(at, "dem.tif", scaled(stored, scale, offset))


@case(KIND)
def scale_in_the_file_and_offset_beside_it(at):
    """An auxiliary file that names only one of them, as an edit of the layer writes it: GDAL takes the other from the file."""
    stored = numbers("i2")
    for band in ("<Offset>500</Offset>", "<Scale>0.5</Scale>"):
        described(at, "dem.tif", stored, 0.1, 20.0)
        beside(at, "dem.tif", band)
        with rasterio.open(at / "dem.tif") as file:
            scale, offset = file.scales[0], file.offsets[0]
        demand_import(at, "dem.tif", scaled(stored, scale, offset))


@case(KIND)
def auxiliary_file_of_a_png(at):
    """Scale, offset, unit and nodata of a picture, in a file with a byte order mark, as GDAL and ArcGIS write them."""
    codes = numbers("u2")
    codes[5:9, 3:8] = 0
    at.write("dem.png", png(codes, 16))
    text = "<PAMDataset><PAMRasterBand band='1'><NoDataValue>0.0</NoDataValue><UnitType>m</UnitType>"
    text += "<Offset>-500</Offset><Scale>0.25</Scale></PAMRasterBand></PAMDataset>"
    at.write("dem.png.aux.xml", b"\xef\xbb\xbf" + text.encode())
    with rasterio.open(at / "dem.png") as file:
        demand((file.scales[0], file.offsets[0], file.nodata) == (0.25, -500.0, 0.0), "GDAL reads another file")
    demand_import(at, "dem.png", scaled(codes, 0.25, -500.0), missing=codes == 0)


@case(KIND)
def scale_of_another_band_and_texts_that_only_look_like_it(at):
    """Items without a role, of a second band, or in another domain are no scale of the heights."""
    heights = numbers("f4")
    items = [
        '<Item name="SCALE">9</Item><Item name="scale" sample="0">9</Item>',
        '<Item name="OFFSET" sample="1" role="offset">9</Item>',
        '<Item name="SCALE_FACTOR" sample="0">9</Item><Item name="UNITS" sample="0">ft</Item>',
        '<Item name="DESCRIPTION" sample="0" role="description">H&#246;he &lt;m&gt;</Item>',
    ]
    for item in items:
        text = f"<GDALMetadata>{item}</GDALMetadata>"
        tifffile.imwrite(at / "dem.tif", heights, metadata=None, extratags=[(42112, 2, 0, text, True)])
        with rasterio.open(at / "dem.tif") as file:
            demand((file.scales[0], file.offsets[0]) == (1.0, 0.0), "GDAL takes it for a scale")
        demand_import(at, "dem.tif", heights)


@case(KIND)
def white_is_the_lowest_number(at):
    """The hint for display in whole numbers of 1 to 16 bits: heights are the stored numbers, also under `range`."""
    for kind, more in [("u1", {}), ("u2", {}), ("i2", {}), ("u1", {"NBITS": 1}), ("u1", {"NBITS": 4})]:
        heights = numbers(kind) & np.array((1 << more.get("NBITS", 15)) - 1).astype(kind)
        gdal_raster(at / "dem.tif", heights, photometric="MINISWHITE", **more)
        demand_import(at, "dem.tif", heights)
    demand_import(at, "dem.tif", heights / np.float32(15) * 300, parameters="range: Some((0.0, 300.0))", exact=1e-4)


@case(KIND)
def palette_of_a_land_cover_raster(at):
    """Numbers of classes with a palette, as GDAL writes them: a palette has no meaning for heights."""
    classes = (numbers("u1") // 50 * 10).astype("u1")
    gdal_raster(at / "cover.tif", classes, photometric="PALETTE")
    with rasterio.open(at / "cover.tif", "r+") as file:
        file.write_colormap(1, {index: (index, 255 - index, 7, 255) for index in range(256)})
    demand_import(at, "cover.tif", classes)


@case(KIND)
def orientation_of_a_camera(at):
    """Orientation 2 to 8: samples stay where GDAL has them, and a warning names the number and what it says."""
    heights = numbers("u1")
    for code in range(2, 9):
        at.write("dem.tif", tagged(heights.tobytes(), 53, 37, {274: ("H", [code])}))
        with rasterio.open(at / "dem.tif") as file:
            demand_equal(file.read(1), heights, "GDAL's")
        demand_import(at, "dem.tif", heights, f"Orientation is {code}", "not applied")


@case(KIND)
def format_of_samples_that_is_left_out_or_undefined(at):
    """Without SampleFormat 8 to 32 bits have no sign; format 4, undefined, is a number without sign, as GDAL reads it."""
    for kind in ("u1", "u2", "u4"):
        heights = numbers(kind)
        bits = {258: ("H", [8 * heights.itemsize])}
        for more in (bits, bits | {339: ("H", [4])}):
            at.write("dem.tif", tagged(heights.tobytes(), 53, 37, more))
            with rasterio.open(at / "dem.tif") as file:
                demand_equal(file.read(1), heights, "GDAL's")
            demand_import(at, "dem.tif", heights)


@case(KIND)
def several_bands_of_different_roles(at):
    """Heights, their error and a count: refused as several channels; the help's command gives the first one, with its scale."""
    stored = numbers("i2")
    gdal_raster(at / "dem.tif", [stored, stored % 7, stored % 3], interleave="band")
    with rasterio.open(at / "dem.tif", "r+") as file:
        file.scales, file.descriptions = (0.1, 1.0, 1.0), ("height", "error", "count")
    ran = imported(at, "dem.tif", stored.shape).demand_refusal("several channels")
    demand_import(at, follow(at, ran, "dem.tif", "new.tif"), scaled(stored, 0.1, 0.0))


@case(KIND)
def complex_numbers_are_refused_with_a_remedy_that_helps(at):
    """Radar products of complex numbers: a command that keeps the type makes a file that is refused again."""
    heights = numbers("f4")
    gdal_raster(at / "dem.tif", heights.astype("c8"))
    ran = imported(at, "dem.tif", heights.shape).demand_refusal("not read")
    demand_import(at, follow(at, ran, "dem.tif", "new.tif"), heights)


@case(KIND)
def colours_of_a_png_change_no_number(at):
    """Gamma, profile, significant bits, background, size of dots and scale of a 16-bit height map."""
    codes = numbers("u2")
    profile = b"icc\0\0" + zlib.compress(bytes(200))
    for chunk in [
        (b"gAMA", struct.pack(">I", 100000)),
        (b"gAMA", struct.pack(">I", 45455)),
        (b"sBIT", bytes([12])),
        (b"sRGB", b"\0"),
        (b"iCCP", profile),
        (b"bKGD", struct.pack(">H", 77)),
        (b"pHYs", struct.pack(">IIB", 100, 100, 1)),
        (b"cHRM", struct.pack(">8I", *range(1, 9))),
    ]:
        at.write("dem.png", png(codes, 16, chunks=[chunk]))
        demand_import(at, "dem.png", codes)


@case(KIND)
def range_of_real_numbers_from_zero_to_one(at):
    """Floats that use only a part of 0 to 1: `range` gives the heights of 0 and 1, as its page says."""
    stored = (numbers("f4") - numbers("f4").min()) / 20000.0 + np.float32(0.25)
    tifffile.imwrite(at / "dem.tif", stored.astype("f4"), metadata=None)
    np.save(at / "dem.npy", stored.astype("f4"))
    for name in ("dem.tif", "dem.npy"):
        # Half a step of 32-bit numbers at 1000.
        right = stored.astype("f4").astype("f8") * 1000.0
        demand_import(at, name, right, parameters="range: Some((0.0, 1000.0))", exact=2.0**-14)


@case(KIND)
def range_replaces_scale_with_a_warning(at):
    """Codes of an engine in a file that has a scale too: `range` counts, and the warning says so."""
    stored = numbers("i2")
    described(at, "dem.tif", stored, 0.1, 5.0)
    right = (stored.astype("f8") + 32768) / 65535 * 2000.0 - 1000.0
    more = dict(parameters="range: Some((-1000.0, 1000.0))", exact=2.0**-14)
    demand_import(at, "dem.tif", right, "scale and offset are not applied", **more)


@case(KIND)
def a_scale_that_cannot_be_one_is_named(at):
    """Scale 0 and a scale that is no number, in the file and beside it: a warning that quotes it, and heights as stored."""
    heights = numbers("i2")
    for text in ("0", "none"):
        item = f'<GDALMetadata><Item name="SCALE" sample="0" role="scale">{text}</Item></GDALMetadata>'
        tifffile.imwrite(at / "dem.tif", heights, metadata=None, extratags=[(42112, 2, 0, item, True)])
        demand_import(at, "dem.tif", heights, f"the scale is `{text}`")
        tifffile.imwrite(at / "other.tif", heights, metadata=None)
        beside(at, "other.tif", f"<Scale>{text}</Scale>")
        demand_import(at, "other.tif", heights, f"the scale is `{text}`")


@case(KIND)
def profiles_and_curves_of_a_tiff_change_no_number(at):
    """A colour profile, a tone curve, smallest and largest values, a page and a name: nothing is changed and nothing said."""
    heights = numbers("u2")
    for tag in [
        (34675, 7, 200, bytes(200), True),
        (301, "H", 256, tuple(range(0, 65536, 256)), True),
        (340, "H", 1, 7, True),
        (341, "H", 1, 99, True),
        (297, "H", 2, (0, 1), True),
        (285, 2, 0, "page", True),
        (291, "H", 4, (0, 1, 2, 3), True),
        (700, 1, 20, bytes(20), True),
    ]:
        tifffile.imwrite(at / "dem.tif", heights, metadata=None, extratags=[tag])
        demand_import(at, "dem.tif", heights)


@case(KIND)
def a_tag_of_unknown_meaning_is_named(at):
    """Coefficients of a camera model and a private tag: the heights as stored, and a warning with the numbers of the tags."""
    heights = numbers("i2")
    camera = (50844, "d", 92, tuple(float(n) for n in range(92)), True)
    tifffile.imwrite(at / "dem.tif", heights, metadata=None, extratags=[camera, (60000, "H", 1, 5, True)])
    demand_import(at, "dem.tif", heights, "50844 (RPC coefficients)", "60000", "not used")


@case(KIND)
def alpha_without_meaning_for_heights(at):
    """Heights with a second band that is no alpha but an unspecified extra sample: refused, and the command gives the heights."""
    heights = numbers("f4")
    gdal_raster(at / "dem.tif", [heights, heights * 2], photometric="MINISBLACK", compress="LZW", predictor=3)
    ran = imported(at, "dem.tif", heights.shape).demand_refusal("several channels")
    demand("Multiband {" not in ran.said, f"a name of the program's insides: {ran.said[:300]}")
    demand_import(at, follow(at, ran, "dem.tif", "new.tif"), heights)

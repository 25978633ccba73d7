"""Missing samples: how files mark them, what becomes of them, and which numbers look like them."""

import numpy as np
import OpenEXR
import rasterio
import tifffile
from compressed import numbers
from frame import case, demand, demand_equal
from PIL import Image
from rasters import demand_import, follow, gdal_raster, imported, png

KIND = "missing"
SHAPE = (37, 53)


def voids(seed=3):
    """A hole inside, a corner, a whole row at the border, a column, and single samples."""
    hole = np.zeros(SHAPE, bool)
    hole[10:17, 20:31] = hole[:4, :6] = hole[-1, :] = hole[:, 40] = True
    hole[np.random.default_rng(seed).random(SHAPE) < 0.03] = True
    return hole


def marked(kind, mark, hole=None):
    """Heights above 100 with a mark where they are missing."""
    heights = (np.abs(numbers(kind).astype("f8")) % 20 + 100).astype(kind)
    return np.where(voids() if hole is None else hole, np.array(mark).astype(kind), heights).astype(kind)


def with_nodata(path, samples, text):
    """A TIFF with a nodata tag of any text."""
    tifffile.imwrite(path, samples, metadata=None, extratags=[(42113, 2, 0, text, True)])


@case(KIND)
def every_spelling_of_a_number(at):
    """Signs, zeros, exponents, blanks, a closing line, a decimal comma, and the spellings of not-a-number."""
    plain = ["-9999", "-9999.0", "-9999.000000", "-9999,0", "-9999.", "-09999", " -9999 ", "-9999\n"]
    for text in [*plain, "-9.999e3", "-9.999E+03"]:
        for kind in ("i2", "f4", "f8", "i4"):
            with_nodata(at / "dem.tif", marked(kind, -9999), text)
            demand_import(at, "dem.tif", marked(kind, -9999), missing=voids())
    for text in ("nan", "NaN", "-1.#IND", "1.#QNAN", "-1.#QNAN"):
        with_nodata(at / "dem.tif", marked("f4", np.nan), text)
        demand_import(at, "dem.tif", marked("f4", np.nan), missing=voids())
        with rasterio.open(at / "dem.tif") as file:
            demand(np.isnan(file.nodata), f"GDAL reads `{text}` as {file.nodata}")
        ran = imported(at, "dem.tif", SHAPE)
        demand("nodata value is not a number" not in ran.said, f"`{text}` is a spelling of not-a-number: {ran.said[:200]}")


@case(KIND)
def numbers_that_have_no_exact_text(at):
    """Lowest 32-bit number with 2 to 17 digits, NetCDF's default, 1e20, tenths: the marks of GDAL's own files and of Esri's."""
    lowest = np.finfo("f4").min
    for mark, texts in [
        (lowest, ["-3.4e38", "-3.40282e+38", "-3.40282306073709653e+38", "-3.4028234663852886e+38", str(int(lowest))]),
        (np.float32(9.96920996838687e36), ["9.96921e+36", "9.969209968386869e+36"]),
        (np.float32(1e20), ["1e+20", "100000000000000000000"]),
        (np.float32(-9999.9), ["-9999.9", "-9999.900390625"]),
        (np.float32(0.1), ["0.1", "0.100000001490116"]),
        (np.inf, ["inf", "-inf", "1e39"]),
    ]:
        for text in texts:
            with_nodata(at / "dem.tif", marked("f4", mark), text)
            demand_import(at, "dem.tif", marked("f4", mark), missing=voids())


@case(KIND)
def limits_of_every_whole_type(at):
    """The lowest and the highest number as nodata, as GDAL writes it, beside samples one away from it."""
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"):
        for mark in (np.iinfo(kind).min, np.iinfo(kind).max):
            samples = marked(kind, mark)
            samples[20, 10] = mark + (1 if mark <= 0 else -1)
            with_nodata(at / "dem.tif", samples, str(mark))
            demand_import(at, "dem.tif", samples, missing=voids(), quiet=False)


@case(KIND)
def numbers_that_the_type_cannot_hold(at):
    """A nodata of -9999 in 8 bits, 65536 in 16, 0.5 in whole numbers: no sample is missing."""
    for kind, text in [("u1", "-9999"), ("u1", "256"), ("u2", "65536"), ("i2", "32768"), ("i2", "0.5"), ("i4", "1e20")]:
        samples = np.abs(numbers(kind)).astype(kind)
        with_nodata(at / "dem.tif", samples, text)
        demand_import(at, "dem.tif", samples, quiet=False)


@case(KIND)
def nodata_of_halves(at):
    """-9999 in 16-bit real numbers is stored as -10000, since they have no nearer one: the voids are missing, or are named."""
    samples = marked("f4", -9999).astype("f2")
    with_nodata(at / "dem.tif", samples, "-9999")
    ran = imported(at, "dem.tif", SHAPE).demand_success(quiet=False)
    named = "-10000" in ran.said and "nodata" in ran.said
    demand(named or (at.array("h.npy") > 0).all(), f"heights of -10000 without a word: {ran.said[:300]}")


@case(KIND)
def nodata_is_a_stored_number_and_the_scale_comes_later(at):
    """Nodata with scale and offset, in the file, beside it, and as parameter: it is compared with what is stored."""
    for kind in ("i2", "i4", "f4"):
        samples = marked(kind, -9999)
        right = (samples.astype("f8") * 0.1 + 7.0).astype("f4")
        gdal_raster(at / "dem.tif", samples)
        with rasterio.open(at / "dem.tif", "r+") as file:
            file.scales, file.offsets = (0.1,), (7.0,)
        demand_import(at, "dem.tif", right, missing=voids(), parameters="nodata: Some(-9999.0)")
        with rasterio.open(at / "dem.tif", "r+") as file:
            file.nodata = -9999
        demand_import(at, "dem.tif", right, missing=voids())


@case(KIND)
def masks_inside_and_beside(at):
    """GDAL's mask in the file and as `.msk`, of a TIFF, a PNG, and a TIFF with smaller copies and a nodata value besides."""
    heights = marked("i2", 0)
    for inside in (True, False):
        with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=inside):
            size = dict(width=53, height=37, count=1, dtype="int16", tiled=True, blockxsize=16, blockysize=16)
            name = f"dem{inside:d}.tif"
            with rasterio.open(at / name, "w", driver="GTiff", compress="LZW", **size) as file:
                file.write(heights, 1)
                file.write_mask(~voids())
                file.build_overviews([2], rasterio.enums.Resampling.nearest)
        demand_import(at, name, heights, missing=voids())
        demand_import(at, name, heights, missing=voids(), parameters="voids: Keep")
    codes = marked("u2", 0)
    at.write("dem.png", png(codes, 16))
    (at / "dem.png.msk").write_bytes((at / "dem0.tif.msk").read_bytes())
    demand_import(at, "dem.png", codes, missing=voids())


@case(KIND)
def transparent_samples_of_png(at):
    """A key for transparency in grey of 1 to 16 bits, and alpha of 0; samples of half transparency are heights."""
    for bits in (2, 4, 8, 16):
        codes = (numbers("u2").astype("u4") % (1 << bits)).astype("u2")
        key = int(codes[3, 3])
        for interlaced in (False, True):
            at.write("dem.png", png(codes, bits, interlaced=interlaced, chunks=[(b"tRNS", key.to_bytes(2, "big"))]))
            demand_import(at, "dem.png", codes, missing=codes == key)
    codes = numbers("u2")
    alpha = np.where(voids(), 0, np.where(codes % 2, 1, 65535))
    at.write("dem.png", png(np.dstack([codes, alpha]), 16, colour=4))
    demand_import(at, "dem.png", codes, missing=voids())


@case(KIND)
def transparent_samples_of_other_pictures(at):
    """A PNG with a palette, TGA and WebP with alpha: fully transparent samples are missing."""
    codes = marked("u1", 0)
    indices = np.where(voids(), 0, codes % 15 + 1)
    chunks = [(b"PLTE", bytes(index * 9 for index in range(16) for _ in range(3))), (b"tRNS", b"\0")]
    at.write("dem.png", png(indices, 4, colour=3, chunks=chunks))
    demand_import(at, "dem.png", indices * 9, "channels are equal was read as grey", missing=voids())
    picture = Image.fromarray(np.dstack([codes] * 3 + [np.where(voids(), 0, 255).astype("u1")]), "RGBA")
    picture.save(at / "dem.tga")
    picture.save(at / "dem.webp", lossless=True, exact=True)
    for name in ("dem.tga", "dem.webp"):
        demand_import(at, name, codes, "channels are equal was read as grey", missing=voids())


@case(KIND)
def alpha_of_a_tiff_survives_the_remedy(at):
    """A band of alpha beside heights, as `gdalwarp -dstalpha` writes it: the help's command keeps what is missing missing."""
    heights = marked("u2", 0)
    gdal_raster(at / "dem.tif", [heights, np.where(voids(), 0, 65535).astype("u2")], photometric="MINISBLACK", ALPHA="YES")
    with rasterio.open(at / "dem.tif") as file:
        demand_equal(file.read_masks(1) > 0, ~voids(), "GDAL's mask")
    ran = imported(at, "dem.tif", SHAPE).demand_refusal("alpha")
    demand_import(at, follow(at, ran, "dem.tif", "new.tif"), heights, missing=voids())


@case(KIND)
def not_a_number_and_infinities_in_every_format(at):
    """NaN of any payload and both infinities are missing in TIFF, NPY, EXR and raw files, with a nodata value besides."""
    samples = marked("f4", np.nan)
    samples[2, 2], samples[3, 1] = np.inf, -np.inf
    samples.view("u4")[12, 22] = 0xFFC12345
    samples[30, 30] = -9999.0
    hole = voids()
    hole[30, 30] = True
    with_nodata(at / "dem.tif", samples, "-9999")
    demand_import(at, "dem.tif", samples, missing=hole)
    np.save(at / "dem.npy", samples)
    OpenEXR.File({"type": OpenEXR.scanlineimage}, {"Y": samples}).write(str(at / "dem.exr"))
    at.write("dem.r32", samples.tobytes())
    for name, more in [("dem.npy", ""), ("dem.exr", ""), ("dem.r32", ", raw_size: Some((53, 37))")]:
        demand_import(at, name, samples, missing=hole, parameters="nodata: Some(-9999.0)" + more)


@case(KIND)
def nodata_beside_the_file_replaces_its_own(at):
    """An auxiliary file with another nodata value, as an edit in QGIS leaves it: GDAL's mask is the right one."""
    samples = marked("i2", -9999)
    samples[voids(5) & ~voids()] = 111
    gdal_raster(at / "dem.tif", samples, nodata=-9999)
    band = '<PAMRasterBand band="1"><NoDataValue>1.11E+02</NoDataValue></PAMRasterBand>'
    at.write("dem.tif.aux.xml", f"<PAMDataset>{band}</PAMDataset>")
    with rasterio.open(at / "dem.tif") as file:
        missing = file.read_masks(1) == 0
    demand_import(at, "dem.tif", samples, missing=missing, quiet=False)
    demand_equal(missing, samples == 111, "GDAL's mask")

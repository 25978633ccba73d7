"""Valid compressed and uncommonly laid out files, which must be read to the bit."""

import numpy as np
import rasterio
import tifffile
from frame import case, demand, demand_equal, hills
from rasterio.enums import Resampling
from rasters import demand_import, follow, gdal_raster, imported, tagged

TIFF = "compressed"


def numbers(kind, rows=37, columns=53, seed=0):
    """Heights of a type that use its signs, its lowest bits, and as many digits as 32-bit numbers hold."""
    heights = hills(rows, columns, seed, -3000.0, 6000.0)
    low, high = {"u1": (0, 255), "i1": (-128, 127), "u2": (0, 65535)}.get(kind, (None, None))
    if kind[0] == "f":
        return heights.astype(kind)
    if low is not None:
        heights = low + (heights + 3000.0) / 9000.0 * (high - low)
    return np.abs(heights).round().astype(kind) if kind[0] == "u" else heights.round().astype(kind)


@case(TIFF)
def every_type_and_codec_of_gdal_in_tiles_that_reach_over_the_border(at):
    """Eleven types, LZW, Deflate and PackBits, with each predictor that they have, in tiles of 16 that do not fit the size."""
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"):
        heights = numbers(kind)
        for codec, predictors in [("LZW", "12"), ("DEFLATE", "12"), ("PACKBITS", "1")]:
            for predictor in predictors + ("3" if kind[0] == "f" and codec != "PACKBITS" else ""):
                tiles = dict(tiled=True, blockxsize=16, blockysize=16)
                gdal_raster(at / "dem.tif", heights, compress=codec, predictor=predictor, **tiles)
                demand_import(at, "dem.tif", heights)


@case(TIFF)
def big_endian_big_tiff_in_strips_of_five_rows(at):
    """The other byte order with 64-bit offsets, predictors 2 and 3 of 16 to 64 bits, and a last strip of two rows."""
    for kind in ("i2", "u4", "f4", "f8", "i8"):
        heights = numbers(kind)
        more = dict(compress="DEFLATE", predictor=3 if kind[0] == "f" else 2, blockysize=5)
        gdal_raster(at / "dem.tif", heights, BIGTIFF="YES", ENDIANNESS="BIG", **more)
        demand((at / "dem.tif").read_bytes()[:4] == b"MM\0+", "GDAL writes another order")
        demand_import(at, "dem.tif", heights)


@case(TIFF)
def halves_with_the_predictor_of_real_numbers(at):
    """16-bit real numbers, as `gdal_translate -co NBITS=16 -co PREDICTOR=3` and tifffile write them."""
    heights = numbers("f4").astype("f2")
    gdal_raster(at / "dem.tif", heights.astype("f4"), NBITS=16, compress="DEFLATE", predictor=3)
    demand_import(at, "dem.tif", heights)
    tifffile.imwrite(at / "other.tif", heights, compression="lzw", predictor=True, byteorder=">", tile=(16, 32))
    demand_import(at, "other.tif", heights)


@case(TIFF)
def few_bits_in_tiles_and_strips(at):
    """1, 2 and 4 bits a sample, in rows that end within a byte."""
    for bits in (1, 2, 4):
        heights = (numbers("u1") % (1 << bits)).astype("u1")
        for more in (dict(compress="DEFLATE", tiled=True, blockxsize=16, blockysize=16), dict(compress="LZW", blockysize=7)):
            gdal_raster(at / "dem.tif", heights, NBITS=bits, **more)
            demand_import(at, "dem.tif", heights)


@case(TIFF)
def bits_of_bytes_in_reverse_order(at):
    """FillOrder 2, which reverses the bits of each byte of the file, of 8 and 16 bits and in Deflate: GDAL is the judge."""
    import zlib

    for kind, bits, pack in [("u1", 8, bytes), ("<u2", 16, bytes), ("u1", 8, zlib.compress)]:
        heights = numbers(kind[-2:]).astype(kind)
        reversed_bits = lambda data: bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)
        stored = reversed_bits(pack(heights.tobytes()))
        more = {258: ("H", [bits]), 266: ("H", [2]), 259: ("H", [1 if pack is bytes else 8])}
        at.write("dem.tif", tagged(stored, 53, 37, more))
        with rasterio.open(at / "dem.tif") as file:
            demand_equal(file.read(1), heights, "GDAL's")
        demand_import(at, "dem.tif", heights)


@case(TIFF)
def a_predictor_without_a_compression_that_has_one(at):
    """A tag Predictor beside no compression or PackBits: TIFF 6.0 has one for LZW only, and GDAL does not apply it."""
    heights = numbers("u1")
    for compression, stored in [(1, heights.tobytes()), (32773, b"".join(b"\x34" + row.tobytes() for row in heights))]:
        more = {317: ("H", [2]), 259: ("H", [compression])}
        at.write("dem.tif", tagged(stored, 53, 37, more))
        with rasterio.open(at / "dem.tif") as file:
            demand_equal(file.read(1), heights, "GDAL's")
        demand_import(at, "dem.tif", heights)


@case(TIFF)
def a_cloud_optimised_file_with_smaller_copies_and_left_out_tiles(at):
    """A COG with overviews, whose first pictures must not be taken, and a sparse file whose left out tiles are zeros."""
    heights = numbers("f4", 600, 530)
    options = dict(compress="DEFLATE", predictor="FLOATING_POINT", blocksize=128, resampling="AVERAGE")
    gdal_raster(at / "dem.tif", heights, driver="COG", **options)
    demand_import(at, "dem.tif", heights)
    sparse = np.zeros((100, 90), "i2")
    sparse[40:60, 40:50] = numbers("i2", 20, 10)
    size = dict(width=90, height=100, count=1, dtype="int16", tiled=True, blockxsize=32, blockysize=32, SPARSE_OK=True)
    with rasterio.open(at / "sparse.tif", "w", driver="GTiff", compress="LZW", **size) as file:
        file.write(sparse, 1)
        file.build_overviews([2, 4], Resampling.average)
    demand_import(at, "sparse.tif", sparse)


@case(TIFF)
def chunks_in_any_place_with_tables_of_short_numbers(at):
    """Strips from the last to the first, tables of 16-bit numbers, and a last strip that holds more rows than the raster."""
    heights = numbers("u1", 10, 6)
    strips = [heights[row : row + 4].tobytes().ljust(24, b"\xee") for row in (8, 4, 0)]
    tags = {278: ("H", [4]), 273: ("H", [56, 32, 8]), 279: ("H", [24, 24, 24])}
    at.write("dem.tif", tagged(b"".join(strips), 6, 10, tags))
    demand_import(at, "dem.tif", heights)
    at.write("huge.tif", tagged(heights.tobytes(), 6, 10, {278: ("I", [2**32 - 1])}))
    demand_import(at, "huge.tif", heights)


@case(TIFF)
def tags_that_old_programs_leave_out(at):
    """No samples per pixel and no rows per strip, which have defaults."""
    heights = numbers("u1")
    for left_out in (277, 278):
        at.write("dem.tif", tagged(heights.tobytes(), 53, 37, {left_out: None}))
        demand_import(at, "dem.tif", heights)


@case(TIFF)
def a_strip_without_its_number_of_bytes(at):
    """An uncompressed strip whose number of bytes is 0 or left out: libtiff and GDAL compute it, and no sample is a zero."""
    heights = numbers("u1")
    for count in (("I", [0]), None):
        at.write("dem.tif", tagged(heights.tobytes(), 53, 37, {279: count}))
        with rasterio.open(at / "dem.tif") as file:
            demand_equal(file.read(1), heights, "GDAL's")
        demand_import(at, "dem.tif", heights)


@case(TIFF)
def codecs_that_are_refused_by_name_and_whose_remedy_helps(at):
    """ZSTD, LERC, LZMA, JPEG and fax, as GDAL writes them: the help's command makes a file that is read."""
    for codec, kind, name, more in [
        ("ZSTD", "f4", "ZSTD", dict(predictor=3)),
        ("LERC_DEFLATE", "f4", "LERC", dict(MAX_Z_ERROR=0)),
        ("LZMA", "i2", "LZMA", {}),
        ("JPEG", "u1", "JPEG", {}),
        ("CCITTFAX4", "u1", "CCITT fax 4", dict(NBITS=1)),
    ]:
        gdal_raster(at / "dem.tif", numbers(kind), compress=codec, **more)
        with rasterio.open(at / "dem.tif") as file:
            heights = file.read(1)
        ran = imported(at, "dem.tif", heights.shape).demand_refusal("not read", f"compression with {name}")
        demand_import(at, follow(at, ran, "dem.tif", "new.tif"), heights)


@case(TIFF)
def bits_that_fit_no_type_are_refused_with_a_remedy_that_helps(at):
    """12 bits, as survey cameras and NBITS write them: GDAL keeps the number of bits unless another type is asked for."""
    heights = (numbers("u2") >> 4).astype("u2")
    gdal_raster(at / "dem.tif", heights, NBITS=12)
    ran = imported(at, "dem.tif", heights.shape).demand_refusal("12 bits")
    demand_import(at, follow(at, ran, "dem.tif", "new.tif"), heights)


@case(TIFF)
def lzw_of_the_first_writers_is_refused_with_a_remedy_that_helps(at):
    """LZW with the bits of codes in the order of files before 1992, which libtiff still reads: the file is not damaged."""
    heights = numbers("u1", 4, 50)
    codes = [code for row in heights for code in [256, *row.tolist()]] + [257]
    bits = "".join(f"{code:09b}"[::-1] for code in codes)
    stored = bytes(int(bits[i : i + 8].ljust(8, "0")[::-1], 2) for i in range(0, len(bits), 8))
    at.write("dem.tif", tagged(stored, 50, 4, {259: ("H", [5])}))
    with rasterio.open(at / "dem.tif") as file:
        demand_equal(file.read(1), heights, "GDAL's")
    ran = imported(at, "dem.tif", heights.shape).demand_refusal("1992")
    demand("damaged" not in ran.said, f"calls a valid file damaged: {ran.said[:300]}")
    demand_import(at, follow(at, ran, "dem.tif", "new.tif"), heights)


@case(TIFF)
def every_photometric_interpretation_of_one_channel(at):
    """Palettes, masks, Lab, cameras and none: heights are the stored numbers, as the page of `Import` and GDAL say."""
    heights = numbers("u1")
    for interpretation in (0, 2, 3, 4, 5, 8, 9, 32803, 34892, None):
        tag = interpretation if interpretation is None else ("H", [interpretation])
        at.write("dem.tif", tagged(heights.tobytes(), 53, 37, {262: tag}))
        with rasterio.open(at / "dem.tif") as file:
            demand_equal(file.read(1), heights, f"GDAL's of {interpretation}")
        demand_import(at, "dem.tif", heights)


@case(TIFF)
def noise_that_no_codec_makes_smaller(at):
    """Random bits in tiles of 128, which fill LZW's table many times and are larger packed than not."""
    bits = np.random.default_rng(4).integers(0, 2**16, (140, 150))
    for codec in ("LZW", "DEFLATE", "PACKBITS"):
        gdal_raster(at / "dem.tif", bits.astype("u2"), compress=codec, tiled=True, blockxsize=128, blockysize=128)
        demand_import(at, "dem.tif", bits)
        gdal_raster(at / "dem.tif", bits.astype("u2"), compress=codec)
        demand_import(at, "dem.tif", bits)


@case(TIFF)
def rasters_of_one_row_one_column_and_one_sample(at):
    """The smallest rasters, in strips and in tiles that are larger than they are."""
    for rows, columns in [(1, 1), (1, 70), (70, 1)]:
        for kind, predictor in [("f4", 3), ("i2", 2), ("u1", 1)]:
            heights = numbers(kind, rows + 1, columns + 1)[:rows, :columns]
            for tiles in ({}, dict(tiled=True, blockxsize=64, blockysize=48)):
                gdal_raster(at / "dem.tif", heights, compress="LZW", predictor=predictor, **tiles)
                demand_import(at, "dem.tif", heights)


@case(TIFF)
def a_tile_that_is_much_larger_than_the_raster(at):
    """One tile of 4096 x 4112 floats for a small raster, as a fixed choice of tiles in a script makes it: it is not damaged."""
    heights = numbers("f4")
    gdal_raster(at / "dem.tif", heights, compress="DEFLATE", ZLEVEL=1, tiled=True, blockxsize=4096, blockysize=4112)
    demand_import(at, "dem.tif", heights)

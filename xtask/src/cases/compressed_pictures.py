"""PNG, OpenEXR, NPY and other files that must be read to the bit."""

import io
import struct

import numpy as np
import OpenEXR
import tifffile
from compressed import numbers
from frame import case, demand_equal
from PIL import Image
from rasters import demand_import, imported, png

KIND = "compressed"


@case(KIND)
def png_of_every_depth_of_grey(at):
    """Grey of 1 to 16 bits, in rows and interlaced, in a size that leaves passes of the interlacing empty."""
    for bits in (1, 2, 4, 8, 16):
        for rows, columns in [(37, 53), (1, 1), (3, 2), (5, 1)]:
            codes = np.arange(rows * columns).reshape(rows, columns) * 257 % (1 << bits)
            for interlaced in (False, True):
                at.write("dem.png", png(codes, bits, interlaced=interlaced))
                demand_import(at, "dem.png", codes)


@case(KIND)
def png_of_grey_saved_in_colour_and_with_a_palette(at):
    """16-bit grey as RGB, and a palette in which index n is the grey n: the numbers are the greys."""
    codes = numbers("u2")
    at.write("rgb.png", png(np.repeat(codes[:, :, None], 3, 2), 16, colour=2))
    demand_import(at, "rgb.png", codes, "channels are equal was read as grey")
    palette = bytes(grey for index in range(16) for grey in [index * 10] * 3)
    indices = (codes % 16).astype("u1")
    at.write("palette.png", png(indices, 4, colour=3, chunks=[(b"PLTE", palette)]))
    demand_import(at, "palette.png", indices * 10.0, "channels are equal was read as grey")


@case(KIND)
def png_of_several_pictures_and_with_a_text_of_a_megabyte(at):
    """An animated PNG, whose own picture counts, and chunks of text and of unknown names."""
    codes = numbers("u2")
    later = struct.pack(">IIIIIHHBB", 0, 53, 37, 0, 0, 1, 10, 0, 0)
    chunks = [(b"acTL", struct.pack(">II", 1, 0)), (b"fcTL", later), (b"teXt", b"a\0" + bytes(1 << 20))]
    at.write("dem.png", png(codes, 16, chunks=[*chunks, (b"prVt", b"12345")]))
    demand_import(at, "dem.png", codes)


@case(KIND)
def exr_of_every_compression_without_loss(at):
    """Floats, halves and whole numbers in scan lines and tiles, by the library of OpenEXR."""
    for compression in ("NO", "RLE", "ZIPS", "ZIP", "PIZ"):
        for kind in ("f4", "f2", "u4"):
            heights = numbers(kind)
            for storage in (OpenEXR.scanlineimage, OpenEXR.tiledimage):
                head = {"compression": getattr(OpenEXR, f"{compression}_COMPRESSION"), "type": storage}
                if storage == OpenEXR.tiledimage:
                    head["tiles"] = OpenEXR.TileDescription()
                    head["tiles"].xSize = head["tiles"].ySize = 16
                OpenEXR.File(head, {"Y": np.ascontiguousarray(heights)}).write(str(at / "dem.exr"))
                demand_import(at, "dem.exr", heights)


@case(KIND)
def exr_from_the_last_line_to_the_first(at):
    """Lines in decreasing order, and a window that does not begin at 0: samples are where the picture has them."""
    heights = numbers("f4")
    window = (np.array([-5, 7], "i4"), np.array([47, 43], "i4"))
    for more in ({"lineOrder": OpenEXR.DECREASING_Y}, {"dataWindow": window, "displayWindow": window}):
        head = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
        OpenEXR.File(head | more, {"Y": heights}).write(str(at / "dem.exr"))
        demand_equal(OpenEXR.File(str(at / "dem.exr")).channels()["Y"].pixels, heights, "OpenEXR's")
        demand_import(at, "dem.exr", heights)


@case(KIND)
def exr_with_24_bits_and_blocks_as_the_library_gives_them(at):
    """PXR24 and B44, which lose bits of floats or halves: the right values are those that OpenEXR reads."""
    for compression, kind in [("PXR24", "f4"), ("PXR24", "f2"), ("B44", "f2"), ("B44A", "f2"), ("B44", "f4")]:
        head = {"compression": getattr(OpenEXR, f"{compression}_COMPRESSION"), "type": OpenEXR.scanlineimage}
        OpenEXR.File(head, {"Y": numbers(kind)}).write(str(at / "dem.exr"))
        demand_import(at, "dem.exr", OpenEXR.File(str(at / "dem.exr")).channels()["Y"].pixels)


@case(KIND)
def exr_compressions_that_are_refused_by_name(at):
    """DWAA, which loses heights, and the JPEG 2000 of new versions of OpenEXR: each by its name."""
    for name, word in [("DWAA", "dwaa"), ("HTJ2K256", "j2k")]:
        head = {"compression": getattr(OpenEXR, f"{name}_COMPRESSION"), "type": OpenEXR.scanlineimage}
        OpenEXR.File(head, {"Y": numbers("f4")}).write(str(at / "dem.exr"))
        imported(at, "dem.exr", (37, 53)).demand_refusal("not read", word)


@case(KIND)
def npy_of_every_type_order_and_version(at):
    """Both byte orders, rows and columns, axes of length one, and headers of versions 1 to 3."""
    for kind in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"):
        heights = numbers(kind)
        for order in "<>":
            for layout in "CF":
                for version in [(1, 0), (2, 0), (3, 0)]:
                    stored = np.array(heights.astype(order + kind), order=layout)
                    with open(at / "dem.npy", "wb") as file:
                        np.lib.format.write_array(file, stored, version)
                    if version == (1, 0) or kind == "f4":
                        demand_import(at, "dem.npy", heights)
    np.save(at / "dem.npy", heights[None, :, :, None])
    demand_import(at, "dem.npy", heights)


@case(KIND)
def npy_of_python_2_and_of_wide_headers(at):
    """Shapes with an `L` behind numbers, as NumPy wrote them under Python 2, and a header that is padded to a page."""
    heights = numbers("f4")
    for shape, padding in [("(37L, 53L)", 0), ("(37, 53)", 4000)]:
        head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}" + " " * padding + "\n"
        content = b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode() + heights.tobytes()
        demand_equal(np.load(io.BytesIO(content)), heights, "NumPy's")
        at.write("dem.npy", content)
        demand_import(at, "dem.npy", heights)


@case(KIND)
def wide_numbers_are_rounded_once(at):
    """Numbers of 32 and 64 bits with more digits than a 32-bit float has: the nearest float of each, from TIFF and NPY."""
    rng = np.random.default_rng(8)
    for kind in ("i4", "u4", "i8", "u8", "f8"):
        whole = rng.integers(0, 2**62, (37, 53)) >> rng.integers(0, 40, (37, 53))
        samples = (whole / 3.0**20 if kind == "f8" else whole >> max(0, 63 - 8 * np.dtype(kind).itemsize)).astype(kind)
        tifffile.imwrite(at / "dem.tif", samples, metadata=None, compression="zlib")
        np.save(at / "dem.npy", samples)
        for name in ("dem.tif", "dem.npy"):
            demand_import(at, name, samples, quiet=False)


@case(KIND)
def bitmaps_and_targa_pictures_from_the_bottom_and_in_runs(at):
    """Grey of 8 bits: BMP with a palette of greys, TGA in runs and from the top or the bottom."""
    codes = numbers("u1") // 8 * 8
    picture = Image.fromarray(codes)
    picture.save(at / "dem.bmp")
    demand_import(at, "dem.bmp", codes, quiet=False)
    for orientation in (1, -1):
        for more in ({}, {"compression": "tga_rle"}):
            picture.save(at / "dem.tga", orientation=orientation, **more)
            demand_import(at, "dem.tga", codes)

"""What the cases of rasters share: files written tag by tag, imports at a file's own size, and GDAL's own `gdal_translate`."""

import ctypes
import glob
import os
import re
import shlex
import struct
import zlib

import numpy as np
import rasterio
from frame import demand, demand_equal

def gdal_raster(path, bands, driver="GTiff", **options):
    """A raster as GDAL writes it, of one band or a list of bands."""
    bands = np.asarray(bands)
    bands = bands[None] if bands.ndim == 2 else bands
    count, height, width = bands.shape
    size = dict(width=width, height=height, count=count, dtype=bands.dtype.name)
    with rasterio.open(path, "w", driver=driver, **size, **options) as file:
        file.write(bands)


def tagged(stored, width, height, tags, order="<", also=(), after=b""):
    """A TIFF of one strip by hand: its bytes, and tags (code, type, values) besides those of an 8-bit grey raster."""
    base = {
        256: ("H", [width]), 257: ("H", [height]), 258: ("H", [8]), 259: ("H", [1]), 262: ("H", [1]), 277: ("H", [1]),
        278: ("H", [height]), 273: ("I", [8]), 279: ("I", [len(stored)]),
    }  # fmt: skip
    entries, offset = base | dict(tags), 8 + len(stored) + len(stored) % 2
    entries = {code: entry for code, entry in sorted(entries.items()) if entry}
    types = {"B": 1, "s": 2, "H": 3, "I": 4, "d": 12}
    table, behind = struct.pack(order + "H", len(entries)), b""
    start = offset + 2 + 12 * len(entries) + 4
    for code, (kind, values) in entries.items():
        data = values if kind == "s" else struct.pack(f"{order}{len(values)}{kind}", *values)
        count, place = len(values), data.ljust(4, b"\0")
        if len(data) > 4:
            place, behind = struct.pack(order + "I", start + len(behind)), behind + data + b"\0" * (len(data) % 2)
        table += struct.pack(order + "HHI", code, types[kind], count) + place
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", offset)
    return head + stored + b"\0" * (len(stored) % 2) + table + bytes(4) + behind


def png(samples, bits, colour=0, interlaced=False, chunks=()):
    """A PNG by hand; samples as rows of pixels of channels, chunks between the header and the palette or samples."""
    samples = np.atleast_3d(np.asarray(samples, "u2"))

    def rows(part):
        if bits == 16:
            return [row.astype(">u2").tobytes() for row in part]
        spread = lambda row: np.unpackbits(row.astype("u1")[:, None], axis=1)[:, 8 - bits :]
        return [np.packbits(spread(row.ravel())).tobytes() for row in part]

    passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    parts = [samples[y::dy, x::dx] for y, x, dy, dx in passes] if interlaced else [samples]
    data = b"".join(b"\0" + row for part in parts if part.size for row in rows(part))
    height, width = samples.shape[:2]
    head = struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, int(interlaced))
    whole = [(b"IHDR", head), *chunks, (b"IDAT", zlib.compress(data)), (b"IEND", b"")]
    pack = lambda name, body: struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return b"\x89PNG\r\n\x1a\n" + b"".join(pack(name, body) for name, body in whole)


def imported(at, name, shape, parameters="", nodes="", outputs='"h.npy": "dem", "mask.npy": "dem.mask"', check=False):
    """Runs a graph with an import of a file at its own size, of rows and columns."""
    text = f'"dem": Import(file: "{name}"{", " if parameters else ""}{parameters}){", " if nodes else ""}{nodes}'
    at.graph(text, outputs, size=f"({shape[1]}, {shape[0]})")
    return at.terrane("check", "g.ron") if check else at.run()


def demand_import(at, name, right, *texts, parameters="", missing=None, exact=0.0, quiet=None):
    """The heights that are not missing are the right ones, and exactly the missing ones are marked."""
    right = np.asarray(right, "f4")
    missing = np.zeros(right.shape, bool) if missing is None else missing
    if missing.any() and "Keep" not in parameters:
        texts, quiet = (*texts, f"{int(missing.sum())} missing samples were filled in"), False
    imported(at, name, right.shape, parameters).demand_success(*texts, quiet=quiet)
    demand_equal(at.array("mask.npy"), ~missing, f"mask of {name}")
    heights = at.array("h.npy")
    demand_equal(heights[~missing], right[~missing], f"heights of {name}", exact)
    filled = heights[missing]
    if "Keep" in parameters:
        demand(np.isnan(filled).all(), f"{name}: missing samples are heights")
    elif missing.any():
        known = right[~missing]
        demand(((filled >= known.min()) & (filled <= known.max())).all(), f"{name}: filled beyond the heights around")


def gdal():
    """GDAL's library, as rasterio brings it."""
    folder = os.path.join(os.path.dirname(rasterio.__file__), "..", "rasterio.libs")
    library = ctypes.CDLL(glob.glob(os.path.join(folder, "libgdal*"))[0])
    for name in ("GDALOpen", "GDALTranslate", "GDALTranslateOptionsNew"):
        getattr(library, name).restype = ctypes.c_void_p
    library.CPLPushErrorHandler(library.CPLQuietErrorHandler)
    library.GDALAllRegister()
    return library


def follow(at, ran, source, target):
    """Does what a help says, as a person does: the `gdal_translate` in it, with the file's names if it leaves them out."""
    found = re.search(r"`gdal_translate ([^`]*)`", ran.said)
    demand(found, f"names no command of GDAL: {ran.said[:400]}")
    words = shlex.split(found[1])
    if words[-2:-1] != ["-co"] and not words[-1].startswith("-"):
        *words, source, target = words
    library, options = gdal(), [word.encode() for word in words]
    opened = library.GDALOpen(os.fsencode(at / source), 0)
    demand(opened, f"GDAL cannot open {source}, which the help `{found[0]}` converts")
    parsed = library.GDALTranslateOptionsNew((ctypes.c_char_p * (len(words) + 1))(*options, None), None)
    made = library.GDALTranslate(os.fsencode(at / target), ctypes.c_void_p(opened), ctypes.c_void_p(parsed), None)
    library.GDALTranslateOptionsFree(ctypes.c_void_p(parsed))
    library.GDALClose(ctypes.c_void_p(opened))
    demand(made, f"GDAL cannot do what the help says: {found[0]}")
    library.GDALClose(ctypes.c_void_p(made))
    return target

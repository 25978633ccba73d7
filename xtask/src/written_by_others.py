"""Writes random rasters with other libraries, each with the heights that a reader should find.

Usage: written_by_others.py FOLDER COUNT SEED. The folder gets the files, the expected heights as `.npy`, and files.json. Missing
libraries are named, and files that only they write are left out.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np

warnings.filterwarnings("ignore")
folder, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
rng = np.random.default_rng(seed)
entries, lacking = [], set()


def library(name):
    try:
        return __import__(name)
    except ImportError:
        lacking.add(name)
        return None


rasterio, tifffile, OpenEXR, pillow = (library(name) for name in ("rasterio", "tifffile", "OpenEXR", "PIL"))
if pillow:
    from PIL import Image
TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4", "f8"]


def pick(*options):
    return options[rng.integers(len(options))]


def heights(kind, size=None):
    rows, columns = size or (int(rng.integers(1, 130)), int(rng.integers(1, 130)))
    y, x = np.mgrid[0:rows, 0:columns]
    ground = 400 + 300 * np.sin(x / 9 + rng.random() * 9) * np.cos(y / 13) + rng.normal(0, 20, (rows, columns))
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        return ground.astype(dtype)
    info = np.iinfo(dtype)
    if dtype.itemsize == 1:
        ground = ground / 12 + (0 if dtype.kind == "u" else -40)
    return np.clip(np.round(ground), info.min, info.max).astype(dtype)


def entry(name, samples, mask=None, **more):
    """Records what a reader should find: heights, and which of them are known."""
    samples = np.asarray(samples)
    np.save(folder / f"{name}.heights.npy", np.ascontiguousarray(samples.astype("<f4")))
    if mask is not None and not mask.all():
        np.save(folder / f"{name}.known.npy", np.ascontiguousarray(mask.astype("u1")))
        more["masked"] = True
    entries.append({"file": name, "size": [samples.shape[1], samples.shape[0]], **more})


def gdal_tiff(name):
    kind = pick("u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8")
    samples = heights(kind)
    rows, columns = samples.shape
    dtype = np.dtype(kind)
    more = {}
    options = {"compress": pick("none", "lzw", "deflate", "packbits")}
    if options["compress"] in ("lzw", "deflate"):
        options["predictor"] = pick(1, 2, 3) if dtype.kind == "f" else pick(1, 2)
    if rng.random() < 0.5:
        options |= {"tiled": True, "blockxsize": pick(16, 32, 64, 256), "blockysize": pick(16, 32, 64, 256)}
    elif rng.random() < 0.5:
        options["blockysize"] = int(rng.integers(1, rows + 1))
    options["bigtiff"] = pick("yes", "no")
    options["endianness"] = pick("big", "little")
    if rng.random() < 0.1:
        options["photometric"] = "MINISWHITE"
    transform = None
    place = pick("none", "upright", "upright", "geographic", "south", "point", "turned", "mirrored", "rotated")
    affine = rasterio.transform.Affine
    east, north, step = float(rng.integers(300_000, 700_000)), float(rng.integers(1_000_000, 5_000_000)), float(pick(0.5, 1, 10, 30))
    if place == "geographic":
        transform, options["crs"] = affine(1 / 3600, 0, float(rng.integers(-170, 170)), 0, -1 / 3600, 47.0), "EPSG:4326"
    elif place != "none":
        options["crs"] = pick("EPSG:32611", "EPSG:2056", "EPSG:32719", "EPSG:2154", None)
        transform = {
            "upright": affine(step, 0, east, 0, -step, north),
            "point": affine(step, 0, east, 0, -step, north),
            "south": affine(step, 0, east, 0, step, north),
            "mirrored": affine(-step, 0, east, 0, -step, north),
            "turned": affine(0, step, east, -step, 0, north),
            "rotated": affine(step * 0.9, step * 0.3, east, step * 0.3, -step * 0.9, north),
        }[place]
    known = np.ones(samples.shape, bool)
    missing = pick("none", "none", "nodata", "nan", "mask")
    hole = rng.random(samples.shape) < 0.1
    hole.flat[0] = False
    if missing == "nodata":
        value = {"u1": 255, "i1": -128, "u2": 65535, "i2": pick(-32768, -9999), "u4": 0, "i4": -(2**31)}.get(kind)
        value = pick(-9999.0, float(np.finfo("f4").min), -1.5) if value is None else value
        samples[samples == value] = 100
        samples[hole] = value
        options["nodata"] = value
        known &= ~hole
    elif missing == "nan" and dtype.kind == "f":
        samples[hole] = np.nan
        options["nodata"] = pick(None, float("nan"))
        known &= ~hole
    profile = {"driver": "GTiff", "dtype": dtype.name, "count": 1, "height": rows, "width": columns, **options}
    scaled = samples.astype("f8")
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True):
        with rasterio.open(folder / name, "w", transform=transform, **profile) as file:
            if place == "point":
                file.update_tags(AREA_OR_POINT="Point")
            if rng.random() < 0.25:
                scale, offset = float(pick(0.1, 0.01, 2.0)), float(pick(0, -100, 12.5))
                file.scales, file.offsets = (scale,), (offset,)
                scaled = scaled * scale + offset
            file.write(samples, 1)
            if missing == "mask":
                file.write_mask(~hole)
                known &= ~hole
    if missing == "mask" and (folder / f"{name}.msk").exists():
        raise SystemExit("the mask is not internal")
    if place == "rotated":
        entry(name, scaled, known, refused="turned")
        return
    if place != "none":
        x, y = transform * (0.5, 0.5)
        across, down = (transform.a, transform.e) if place != "turned" else (transform.b, transform.d)
        if place == "turned":
            scaled, known = scaled.T, known.T
        if across < 0:
            scaled, known, x = scaled[:, ::-1], known[:, ::-1], x + across * (scaled.shape[1] - 1)
        if down > 0:
            scaled, known, y = scaled[::-1], known[::-1], y + down * (scaled.shape[0] - 1)
        more["axes"] = [x, y, abs(across), -abs(down)]
        if options.get("crs"):
            more["epsg"] = int(options["crs"][5:])
    entry(name, scaled, known, **more)


def other_tiff(name):
    kind = pick(*TYPES)
    samples = heights(kind)
    options = {"byteorder": pick("<", ">"), "compression": pick(None, "zlib", "lzw", "packbits"), "photometric": pick("minisblack", "miniswhite")}
    if options["compression"] in ("zlib", "lzw"):
        options["predictor"] = pick(1, 3) if np.dtype(kind).kind == "f" else pick(1, 2)
    if rng.random() < 0.4:
        options["tile"] = (pick(16, 32, 64), pick(16, 32, 64))
    elif rng.random() < 0.5:
        options["rowsperstrip"] = int(rng.integers(1, samples.shape[0] + 1))
    more = {}
    tags = pick(None, None, "unknown", "pages", "two bits")
    if tags == "unknown":
        options["extratags"] = [(33918, 3, 1, 7, True)]
        more["warned"] = "33918"
    if tags == "two bits":
        bits = pick(1, 2, 4)
        if bits == 1:
            samples = heights("u1") % 2
            tifffile.imwrite(folder / name, samples.astype(bool), photometric="minisblack")
            entry(name, samples)
            return
    tifffile.imwrite(folder / name, samples, bigtiff=bool(rng.integers(2)), **options)
    if tags == "pages":
        tifffile.imwrite(folder / name, samples + samples.dtype.type(1), append=True)
        more["warned"] = "second picture"
    entry(name, samples, **more)


def exr(name):
    kind = pick("f2", "f4", "u4")
    samples = heights(kind)
    other = heights("f4", samples.shape)
    compression = pick(OpenEXR.NO_COMPRESSION, OpenEXR.RLE_COMPRESSION, OpenEXR.ZIPS_COMPRESSION, OpenEXR.ZIP_COMPRESSION, OpenEXR.PIZ_COMPRESSION)
    header = {"compression": compression, "type": OpenEXR.scanlineimage}
    case = pick("one", "one", "grey", "colour", "depth", "layers", "alpha", "parts")
    more = {}
    if case == "parts":
        parts = [OpenEXR.Part(dict(header), {"Y": other}, "other"), OpenEXR.Part(dict(header), {"Y": samples}, "ground")]
        OpenEXR.File(parts).write(str(folder / name))
        more = {"channel": "ground/Y"} if rng.random() < 0.7 else {"refused": "`ground/Y`"}
        entry(name, samples, **more)
        return
    channels = {
        "one": {pick("Y", "Z", "height", "R", "depth.Z"): samples},
        "grey": {"R": samples, "G": samples, "B": samples},
        "colour": {"R": samples, "G": samples, "B": other.astype(samples.dtype)},
        "depth": {"R": samples, "G": samples, "B": samples, "Z": other},
        "layers": {"height.Y": samples, "mask.Y": other},
        "alpha": {"Y": samples, "A": np.ones_like(other)},
    }[case]
    OpenEXR.File(header, channels).write(str(folder / name))
    if case == "colour":
        same = np.array_equal(channels["B"], samples)
        more = {} if same else pick({"refused": "colour"}, {"channel": "R"})
    elif case == "depth":
        more = pick({"refused": "`Z`"}, {"channel": "R"})
    elif case == "layers":
        more = pick({"refused": "`height.Y`"}, {"channel": "height.Y"})
    elif case == "alpha":
        more = {"warned": "transparency"}
    entry(name, samples, **more)


def picture(name):
    mode = pick("L", "I;16", "1", "LA")
    if mode == "1":
        samples = heights("u1") % 2
        Image.fromarray((samples * 255).astype("u1")).convert("1").save(folder / name)
        entry(name, samples)
    elif mode == "LA":
        samples = heights("u1")
        known = rng.random(samples.shape) > 0.1
        known.flat[0] = True
        Image.fromarray(np.dstack([samples, np.where(known, 255, 0).astype("u1")]), "LA").save(folder / name)
        entry(name, samples, known)
    else:
        samples = heights("u1" if mode == "L" else "u2")
        Image.fromarray(samples).save(folder / name)
        if rng.random() < 0.4:
            (folder / name).with_suffix(".pgw").write_text("30\n0\n0\n-30\n400015\n3999985\n")
            entry(name, samples, axes=[400015.0, 3999985.0, 30.0, -30.0])
        else:
            entry(name, samples)


def array(name):
    samples = heights(pick("<", ">") + pick(*TYPES))
    layout = pick("C", "F")
    np.save(folder / name, np.asarray(samples, order=layout))
    entry(name, samples)


writers = [(gdal_tiff, "tif", 10, rasterio), (other_tiff, "tif", 4, tifffile), (exr, "exr", 3, OpenEXR), (picture, "png", 2, pillow), (array, "npy", 1, np)]
turns = [writer for writer in writers for _ in range(writer[2]) if writer[3]]
for number in range(count):
    write, extension, _, _ = turns[number % len(turns)]
    write(f"{number:05}.{extension}")
(folder / "files.json").write_text(json.dumps(entries))
if lacking:
    print("without", ", ".join(sorted(lacking)))

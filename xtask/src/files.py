"""Times other libraries that write the files of the table, on one thread: `file<TAB>library and
setting<TAB>milliseconds of processor time<TAB>bytes`.

Missing libraries are left out. Values lie in memory as the library takes them.
"""

import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GDAL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

folder, side = sys.argv[1], int(sys.argv[2])
half = (side + 1) // 2


def read(name, kind, *shape):
    return np.fromfile(os.path.join(folder, name), kind).reshape(shape)


heights = read("heights", "<f4", side, side)
low, high = float(heights.min()), float(heights.max())
codes = np.rint((heights - low) * (65535 / (high - low))).astype("<u2")
colours = read("colours", "u1", side, side, 3)
target = os.path.join(folder, "peer")


def library(name):
    try:
        return __import__(name, fromlist=["*"])
    except ImportError:
        return None


def peer(file, name, write):
    path = target + os.path.splitext(file)[1]
    times = []
    for _ in range(3):
        if os.path.exists(path):
            os.remove(path)
        start = time.process_time()
        write(path)
        times.append(time.process_time() - start)
        if sum(times) > 10:
            break
    print(f"{file}\t{name}\t{min(times) * 1000:.2f}\t{os.path.getsize(path)}", flush=True)


def save(path, data):
    with open(path, "wb") as file:
        file.write(data)


if rasterio := library("rasterio"):
    from rasterio.transform import Affine

    place = {"driver": "GTiff", "width": side, "height": side, "count": 1, "transform": Affine.scale(4.0)}

    def raster(path, samples, **options):
        with rasterio.open(path, "w", dtype=samples.dtype, **place, **options) as file:
            file.write(samples, 1)

    settings = [("zlevel", "deflate", level) for level in (1, 3, 6, 9)]
    settings += [("zstd_level", "zstd", level) for level in (1, 9)]
    for option, kind, level in settings:
        for file, samples, predictor in (("height.tif", heights, 3), ("codes.tif", codes, 2)):
            for layout in ({}, {"tiled": True, "blockxsize": 256, "blockysize": 256}):
                options = {"compress": kind, "predictor": predictor, option: level, **layout}
                name = f"GDAL {kind} {level}" + (" tiled" if layout else "")
                peer(file, name, lambda path: raster(path, samples, **options))

if tifffile := library("tifffile"):
    for kind, level in (("zlib", 1), ("zlib", 6), ("zstd", 1), ("lzw", None)):
        for file, samples, predictor in (("height.tif", heights, 3), ("codes.tif", codes, 2)):
            options = {"compression": kind, "predictor": predictor, "maxworkers": 1, "rowsperstrip": 64}
            options["compressionargs"] = {"level": level} if level else None
            name = f"tifffile {kind} {level or ''}".strip()
            peer(file, name, lambda path: tifffile.imwrite(path, samples, **options))

if openexr := library("OpenEXR"):
    for kind in ("ZIP_COMPRESSION", "ZIPS_COMPRESSION", "PIZ_COMPRESSION", "PXR24_COMPRESSION", "RLE_COMPRESSION"):
        header = {"compression": getattr(openexr, kind), "type": openexr.scanlineimage}
        write = lambda path: openexr.File(header, {"Y": heights}).write(path)
        if kind != "PXR24_COMPRESSION":  # It loses bits.
            peer("height.exr", f"OpenEXR {kind.split('_')[0]}", write)

if cv2 := library("cv2"):
    cv2.setNumThreads(1)
    swapped = np.ascontiguousarray(colours[..., ::-1])
    for level in (1, 3, 6):
        for file, samples in (("height.png", codes), ("relief.png", swapped)):
            options = [cv2.IMWRITE_PNG_COMPRESSION, level]
            peer(file, f"OpenCV PNG {level}", lambda path: cv2.imwrite(path, samples, options))

if image := library("PIL.Image"):
    pictures = (("height.png", image.fromarray(codes)), ("relief.png", image.fromarray(colours)))
    for level in (1, 6):
        for file, picture in pictures:
            peer(file, f"Pillow {level}", lambda path: picture.save(path, compress_level=level))

if imagecodecs := library("imagecodecs"):
    for level in (1, 5):
        for file, samples in (("height.png", codes), ("relief.png", colours)):
            write = lambda path: save(path, imagecodecs.png_encode(samples, level=level))
            peer(file, f"libpng {level}", write)
    if hasattr(imagecodecs, "apng_encode"):
        peer("relief.png", "libpng apng 1", lambda path: save(path, imagecodecs.apng_encode(colours, level=1)))

peer("height.npy", "numpy", lambda path: np.save(path, heights))

lines = os.path.join(folder, "lines.geojson")
if orjson := library("orjson"):
    collection = orjson.loads(open(lines, "rb").read())
    peer("lines.geojson", "orjson", lambda path: save(path, orjson.dumps(collection)))
if pyogrio := library("pyogrio"):
    from pyogrio import raw

    meta, _, shapes, fields = raw.read(lines)
    place = {"geometry_type": meta["geometry_type"], "crs": meta["crs"], "driver": "GeoJSON"}
    for digits in (15, 7):
        write = lambda path: raw.write(path, shapes, fields, meta["fields"], COORDINATE_PRECISION=digits, **place)
        peer("lines.geojson", f"GDAL {digits} digits", write)

if trimesh := library("trimesh"):
    positions, normals = (read(name, "<f4", half * half, 3) for name in ("positions", "normals"))
    uvs, triangles = read("uvs", "<f4", half * half, 2), read("triangles", "<u4", -1, 3)
    visual = trimesh.visual.TextureVisuals(uv=uvs)
    mesh = trimesh.Trimesh(positions, triangles, vertex_normals=normals, visual=visual, process=False)
    peer("ground.glb", "trimesh", lambda path: save(path, mesh.export(file_type="glb", include_normals=True)))

    # What a file of these buffers costs at least: copies of bytes.
    buffers = (positions, normals, uvs, triangles)
    peer("ground.glb", "numpy, buffers alone", lambda path: save(path, b"".join(part.tobytes() for part in buffers)))

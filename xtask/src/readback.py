"""Reads files that Terrane wrote and compares every value with what was written.

The folder has files.json, the files, and a file with the expected values next to each. Missing libraries are named, and files
that only they read are not compared.
"""

import importlib
import json
import sys
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

LIBRARIES = {}

# Further packages that a library needs to read all files.
NEEDS = {"tifffile": ["imagecodecs"]}


def library(name):
    """Imports a library. Returns None if it is not installed."""
    if name not in LIBRARIES:
        try:
            for needed in NEEDS.get(name, []):
                importlib.import_module(needed)
            LIBRARIES[name] = importlib.import_module(name)
        except ImportError:
            LIBRARIES[name] = None
    return LIBRARIES[name]


numpy = library("numpy")
if numpy is None:
    sys.exit("numpy is missing: nothing was compared")


def rasterio_heights(rasterio, path, _):
    with rasterio.open(path) as raster:
        return raster.read(1)


def pillow_samples(image, path, _):
    image.MAX_IMAGE_PIXELS = None
    with image.open(path) as picture:
        return numpy.asarray(picture)


def pillow_frames(image, path, _):
    with image.open(path) as picture:
        frames = []
        for frame in range(picture.n_frames):
            picture.seek(frame)
            frames.append(numpy.asarray(picture.convert("RGB")))
        return numpy.stack(frames)


def openexr_heights(openexr, path, _):
    with openexr.File(str(path)) as file:
        (channel,) = file.channels().values()
        return channel.pixels


def numpy_heights(_, path, entry):
    if path.suffix == ".npy":
        return numpy.load(path)
    return numpy.fromfile(path, {"u16": "<u2", "f32": "<f4"}[entry["type"]])


def tifffile_heights(tifffile, path, _):
    return tifffile.imread(path)


def trimesh_mesh(trimesh, path, _):
    mesh = trimesh.load(path, force="mesh", process=False, maintain_order=True)
    triangles = numpy.fromfile(f"{path}.triangles.wanted", "<u4").reshape(-1, 3)
    if not numpy.array_equal(mesh.faces, triangles):
        raise ValueError("the triangles differ")
    return mesh.vertices.astype("<f4")


READERS = {
    ("heights", ".tif"): [("rasterio", rasterio_heights), ("tifffile", tifffile_heights)],
    ("heights", ".png"): [("PIL.Image", pillow_samples), ("rasterio", rasterio_heights)],
    ("heights", ".exr"): [("OpenEXR", openexr_heights)],
    ("heights", ".npy"): [("numpy", numpy_heights)],
    ("heights", ".r16"): [("numpy", numpy_heights)],
    ("heights", ".r32"): [("numpy", numpy_heights)],
    ("picture", ".png"): [("PIL.Image", pillow_samples)],
    ("frames", ".gif"): [("PIL.Image", pillow_frames)],
    ("mesh", ".obj"): [("trimesh", trimesh_mesh)],
    ("mesh", ".gltf"): [("trimesh", trimesh_mesh)],
    ("mesh", ".glb"): [("trimesh", trimesh_mesh)],
}


def equal(read, wanted, kind):
    """Whether the same values were read. Floats are compared bit by bit."""
    read = numpy.asarray(read)
    if kind in ("picture", "frames"):
        return numpy.array_equal(read.ravel(), wanted)
    values = read.astype("<f4").ravel()
    return numpy.array_equal(values.view("<u4"), wanted.view("<u4"))


def main(folder):
    counts, wrong, unread = {}, [], set()
    for entry in json.loads((folder / "files.json").read_text()):
        path = folder / entry["file"]
        kind = entry["kind"]
        dtype = "u1" if kind in ("picture", "frames") else "<f4"
        wanted = numpy.fromfile(f"{path}.wanted", dtype)
        readers = READERS.get((kind, path.suffix), [])
        present = [(name, read) for name, read in readers if library(name)]
        if not present:
            unread.add(path.suffix)
        for name, read in present:
            label = f"{kind} {path.suffix} by {name}"
            try:
                same = equal(read(library(name), path, entry), wanted, kind)
            except Exception as error:  # Whatever a library raises, the file was not read.
                same = False
                label = f"{label}: {error}"
            if same:
                counts[label] = counts.get(label, 0) + 1
            else:
                wrong.append(f"{entry['file']}: {label}")
    for label, count in sorted(counts.items()):
        print(f"{count:4} equal: {label}")
    for name in sorted(name for name, found in LIBRARIES.items() if found is None):
        print(" or ".join([name, *NEEDS.get(name, [])]) + " is missing")
    if unread:
        print(f"nothing here reads {', '.join(sorted(unread))}")
    for line in wrong:
        print(f"differs: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

"""Times what other libraries need for the nodes of the table, on one thread: `node<TAB>library<TAB>milliseconds`.

Missing libraries are left out. A library writes into memory that it has, where it can, as in a loop of frames.
"""

import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

folder, side = sys.argv[1], int(sys.argv[2])
a, b, unit = (np.fromfile(os.path.join(folder, name), "<f4").reshape(side, side) for name in ("a", "b", "unit"))
out = np.empty_like(a)
half = np.ascontiguousarray(a[::2, ::2])


def library(name):
    try:
        return __import__(name, fromlist=["*"])
    except ImportError:
        return None


def best(work):
    times = []
    for _ in range(4):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
        if sum(times) > 4:
            break
    return min(times) * 1000


def peer(node, name, work):
    print(f"{node}\t{name}\t{best(work):.4f}", flush=True)


def smooth_max():
    difference = np.abs(a - b)
    reach = np.maximum(1.0 - difference, 0.0)
    return np.maximum(a, b) + reach * reach * 0.25


def remap():
    low, high = a.min(), a.max()
    np.subtract(a, low, out=out)
    np.multiply(out, 1 / (high - low), out=out)


def gradient():
    y, x = np.gradient(a, 4.0)
    return x, y


def hillshade():
    x, y = gradient()
    return np.clip((0.5 * x - 0.5 * y + 0.7) / np.sqrt(1 + x * x + y * y), 0, 1)


def laplacian():
    p = np.pad(a, 1, mode="edge")
    return (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * a) / 16


def aspect():
    x, y = gradient()
    return np.degrees(np.arctan2(-x, y)) % 360


def mesh():
    y, x = np.mgrid[0:side, 0:side].astype("f4")
    positions = np.stack([x, a, y], axis=-1)
    dy, dx = np.gradient(a)
    normals = np.stack([-dx, np.ones_like(a), -dy], axis=-1)
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    corner = (np.arange(side - 1, dtype="u4")[:, None] * side + np.arange(side - 1, dtype="u4")).ravel()
    squares = [corner, corner + side, corner + 1, corner + 1, corner + side, corner + side + 1]
    return positions, normals, np.stack(squares, axis=-1)


peer("Constant", "numpy", lambda: out.fill(3.0))
peer("Clamp", "numpy", lambda: np.clip(a, 10, 90, out=out))
peer("Invert", "numpy", lambda: np.subtract(a.min() + a.max(), a, out=out))
peer("Remap", "numpy", remap)
peer("Combine Add", "numpy", lambda: np.add(a, b, out=out))
peer("Combine Multiply", "numpy", lambda: np.multiply(a, b, out=out))
peer("Combine Max", "numpy", lambda: np.maximum(a, b, out=out))
peer("Combine SmoothMax", "numpy", smooth_max)
peer("Combine Power", "numpy", lambda: np.power(unit, np.float32(1.7), out=out))
peer("Blend", "numpy", lambda: a + (b - a) * unit)
peer("Curve", "numpy", lambda: np.interp(unit.ravel(), [0, 0.4, 1], [0, 0.1, 1]))
peer("Select Curvature", "numpy", lambda: laplacian() >= 0)
peer("Select Aspect", "numpy", lambda: (lambda d: (d >= 90) & (d <= 180))(aspect()))
peer("SlopeMap", "numpy", lambda: np.hypot(*gradient()))
peer("Statistics", "numpy", lambda: (a.min(), a.max(), a.mean(), a.std()))
peer("Hillshade", "numpy", hillshade)
peer("Mesh", "numpy", mesh)

if ndimage := library("scipy.ndimage"):
    for samples in (2, 8, 32):
        work = lambda: ndimage.gaussian_filter(a, samples / 2, truncate=3, output=out)
        peer(f"Blur {samples}", "scipy", work)
    peer("Resample Bilinear", "scipy", lambda: ndimage.zoom(half, side / half.shape[0], order=1))
    peer("Transform", "scipy", lambda: ndimage.affine_transform(a, [[0.58, -0.33], [0.33, 0.58]], order=1))

if cv2 := library("cv2"):
    cv2.setNumThreads(1)
    size = (side, side)
    for samples in (2, 8, 32):
        reach = int(np.ceil(3 * samples / 2)) * 2 + 1
        peer(f"Blur {samples}", "OpenCV", lambda: cv2.GaussianBlur(a, (reach, reach), samples / 2))
    peer("Combine Power", "OpenCV", lambda: cv2.pow(unit, 1.7, out))
    peer("Resample Area", "OpenCV", lambda: cv2.resize(a, half.shape[::-1], interpolation=cv2.INTER_AREA))
    peer("Resample Bilinear", "OpenCV", lambda: cv2.resize(half, size, interpolation=cv2.INTER_LINEAR))
    peer("Resample Bicubic", "OpenCV", lambda: cv2.resize(half, size, interpolation=cv2.INTER_CUBIC))
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), -30, 1.5)
    peer("Transform", "OpenCV", lambda: cv2.warpAffine(a, matrix, size))

if image := library("PIL.Image"):
    picture, small = image.fromarray(a), image.fromarray(half)
    peer("Resample Area", "Pillow", lambda: picture.resize(small.size, image.Resampling.BOX))
    peer("Resample Bilinear", "Pillow", lambda: small.resize(picture.size, image.Resampling.BILINEAR))
    peer("Resample Bicubic", "Pillow", lambda: small.resize(picture.size, image.Resampling.BICUBIC))
    corners = (0.58, -0.33, 200.0, 0.33, 0.58, 100.0)
    turned = lambda: picture.transform(picture.size, image.Transform.AFFINE, corners, image.Resampling.BILINEAR)
    peer("Transform", "Pillow", turned)

if contourpy := library("contourpy"):
    levels = np.arange(np.floor(a.min() / 20) + 1, np.floor(a.max() / 20) + 1) * 20
    cv2 = library("cv2")

    def contours():
        picture = np.full((side, side, 3), 255, "u1")
        for lines in contourpy.contour_generator(z=a).multi_lines(levels):
            if cv2:
                points = [np.rint(line * 16).astype("i4")[:, None] for line in lines]
                cv2.polylines(picture, points, False, (40, 28, 20), 1, cv2.LINE_AA, 4)

    peer("Contours", "contourpy and OpenCV's lines" if cv2 else "contourpy, not drawn", contours)

if library("matplotlib"):
    from matplotlib import colormaps

    terrain = colormaps["terrain"]
    peer("ColorRelief", "matplotlib", lambda: terrain((a - a.min()) / (a.max() - a.min()), bytes=True))

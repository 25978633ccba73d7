"""Compares the drainage of real ground with holes with fastscapelib and pysheds, in twenty random cases.

`cargo xtask python --speed` installs the libraries and runs it. Raw directions must be equal on all samples that have eight neighbours; those of
pysheds may differ where two directions are equally steep. With hollows, the areas at outlets must agree, with the outlets of fastscapelib
set to those of Terrane.
"""

from __future__ import annotations

import math
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import pyterrane as tr

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("bigtujunga_30m", "jacksboro_3s", "maungawhau_2m", "front_range_3s")
SPACING = 30.0
# The offsets of Terrane's directions, and the codes of pysheds for them.
OFFSETS = ((0, 0), (-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))
CODES = {64: 1, 16: 2, 1: 3, 4: 4, 32: 5, 128: 6, 8: 7, 2: 8}


def ground(model: str, seed: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A model with round holes, cut corners and, for every second case of a model, many single ones. Noise below a centimetre removes most ties."""
    text = f'Graph(spacing: File("dem"), nodes: {{ "dem": Import(file: "{model}.tif") }})'
    graph = tr.Graph.from_ron(text, folder=ROOT / "graphs" / "data")
    random = np.random.default_rng(seed)
    height = np.asarray(graph.run("dem").value).copy()
    height += 0.01 * random.random(height.shape, np.float32)
    rows, columns = height.shape
    y, x = np.mgrid[:rows, :columns]
    hole = (x + y < rows // 4) | (x - y > 0.75 * columns)
    for _ in range(6):
        at, radius = random.random(2) * (columns, rows), 1 + 0.08 * rows * random.random()
        hole |= np.hypot(x - at[0], y - at[1]) < radius
    if seed % 8 >= 4:
        hole |= random.random(height.shape) < 0.002
    height[hole] = np.nan
    return height


def receivers(directions: Any, at: Any) -> Any:
    """The positions to which samples drain."""
    columns = directions.shape[1]
    steps = np.array([down * columns + right for down, right in OFFSETS])
    return at + steps[np.nan_to_num(directions).astype(int)]


def compared(height: Any) -> list[float]:
    """Shares of equal raw directions (fastscapelib; pysheds, ties apart), and the worst difference of an area at an outlet."""
    import fastscapelib as fs

    # pysheds 0.5 uses a name that NumPy 2.4 has removed.
    np.in1d = np.isin  # type: ignore[attr-defined]
    from pysheds.grid import Grid
    from pysheds.view import Raster, ViewFinder

    hole = np.isnan(height)
    at = np.arange(height.size).reshape(height.shape)
    surrounded = np.pad(hole, 1, constant_values=True)
    inner = ~np.any([surrounded[1 + y : 1 + y + len(hole), 1 + x : 1 + x + hole.shape[1]] for y, x in OFFSETS], axis=0)
    raw = tr.apply.Drainage(height, lakes=False, spacing=SPACING, output="receivers")
    area, directions = tr.apply.Drainage(height, spacing=SPACING, output=("area", "receivers"))

    grid = fs.RasterGrid(list(height.shape), [SPACING, SPACING], fs.NodeStatus.FIXED_VALUE)
    filled = np.where(hole, 0.0, height.astype(np.float64))
    flow = fs.FlowGraph(grid, [fs.SingleFlowRouter()])
    flow.mask = hole
    flow.update_routes(filled)
    first = (receivers(raw, at) == flow.impl().receivers[:, 0].reshape(height.shape))[inner].mean()

    raster = Raster(np.where(hole, -9999.0, height), ViewFinder(shape=height.shape, nodata=np.float64(-9999)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        codes = np.asarray(Grid.from_raster(raster).flowdir(raster, flats=-1, pits=-2, nodata_out=0))
    theirs = np.vectorize(lambda code: CODES.get(int(code), 0))(codes)
    tied = 0
    for row, column in np.argwhere((theirs != raw) & inner):
        drops = [(filled[row, column] - filled[row + y, column + x]) / max(math.hypot(y, x), 1) for y, x in OFFSETS]
        tied += math.isclose(drops[theirs[row, column]], drops[int(raw[row, column])], rel_tol=1e-6)
    second = ((theirs == raw)[inner].sum() + tied) / inner.sum()

    flow = fs.FlowGraph(grid, [fs.SingleFlowRouter(), fs.MSTSinkResolver(fs.MSTMethod.KRUSKAL, fs.MSTRouteMethod.CARVE)])
    flow.mask = hole
    outlets = np.flatnonzero((directions == 0) & ~hole)
    flow.base_levels = outlets.tolist()
    flow.update_routes(filled)
    other = flow.accumulate(np.where(hole, 0.0, 1.0)).ravel()
    own = np.asarray(area, np.float64).ravel()
    large = [outlet for outlet in outlets if own[outlet] > 0.01 * SPACING**2 * (~hole).sum()]
    apart = [abs(own[outlet] - other[outlet]) / own[outlet] for outlet in large]
    return [first, second, float(np.mean(np.array(apart) <= 0.01)), max(apart)]


def main() -> int:
    print("| ground | directions as fastscapelib | as pysheds, ties apart | outlets within 1 % | worst outlet |\n|---|---|---|---|---|")
    right = True
    for number in range(20):
        model = MODELS[number % len(MODELS)]
        first, second, near, worst = compared(ground(model, number))
        right &= first == 1 and second == 1
        print(f"| {model} | {100 * first:.4f} % | {100 * second:.4f} % | {100 * near:.1f} % | {100 * worst:.3g} % |")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())

"""Compares Terrane with other Python libraries, each on one thread: medians of several runs, and ratios to Terrane's time.

`cargo xtask python --speed` installs the libraries and prints the tables. If the method is the same, results are compared too.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import contextlib
import io
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import pyterrane as tr

ROOT = Path(__file__).resolve().parents[2]
ONE = tr.Engine(threads=1, cache=False, keep_in_memory="0")


def median(work: Callable[[], Any], rounds: int = 5) -> tuple[float, Any]:
    """The median time of the runs in seconds, and the result."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - started)
    return sorted(times)[rounds // 2], result


def table(title: str, rows: dict[str, float]) -> bool:
    """Prints a table. Returns whether the fastest other library takes at least 1.5 times as long."""
    ours, *others = rows.values()
    print(f"\n{title}\n\n| | ms | times Terrane |\n|---|---|---|")
    for name, seconds in rows.items():
        print(f"| {name} | {1000 * seconds:.1f} | {seconds / ours:.2f} |")
    return min(others) >= 1.5 * ours


def noise() -> bool:
    size, octaves, wavelength = 1024, 8, 256.0
    graph = tr.Graph(size=(size, size))
    node = graph.Perlin(octaves=octaves, wavelength=wavelength)
    rows = {"Terrane, `Perlin`": median(lambda: graph.run(node, engine=ONE).value)[0]}
    step = np.arange(size) / wavelength

    import pyfastnoiselite.pyfastnoiselite as fnl

    other = fnl.FastNoiseLite(1)
    other.noise_type = fnl.NoiseType.NoiseType_Perlin
    other.fractal_type = fnl.FractalType.FractalType_FBm
    other.fractal_octaves = octaves
    other.frequency = 1.0 / wavelength
    x, y = np.meshgrid(np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32))
    places = np.stack([x.ravel(), y.ravel(), np.zeros(size * size, np.float32)])
    rows["pyfastnoiselite, Perlin"] = median(lambda: other.gen_from_coords(places))[0]

    import opensimplex

    def simplex() -> Any:
        return sum(opensimplex.noise2array(step * 2.0**i, step * 2.0**i) * 0.5**i for i in range(octaves))

    simplex()
    rows["opensimplex with numba"] = median(simplex, 3)[0]

    import noise as c_noise

    def loop() -> Any:
        return np.array([[c_noise.pnoise2(x, y, octaves) for x in step] for y in step], np.float32)

    rows["noise, a call a sample"] = median(loop, 3)[0]
    return table(f"Noise of {octaves} octaves, {size} x {size}", rows)


def ground() -> np.ndarray:
    """A real elevation model."""
    graph = tr.load(ROOT / "graphs" / "real_dem.ron")
    source = next(node for node in graph.nodes if node.kind == "Import")
    return np.array(graph.run(source, engine=ONE).value)


def drainage() -> bool:
    dem = ground()
    rows_, columns = dem.shape
    spacing = 30.0
    apply = lambda: tr.apply.Drainage(dem, spacing=spacing, engine=ONE)  # noqa: E731
    seconds, ours = median(apply)
    rows = {"Terrane, `Drainage`": seconds}

    import fastscapelib as fs

    grid = fs.RasterGrid([rows_, columns], [spacing, spacing], fs.NodeStatus.FIXED_VALUE)
    flow = fs.FlowGraph(grid, [fs.SingleFlowRouter(), fs.MSTSinkResolver()])
    heights = dem.astype(np.float64)

    def fastscape() -> Any:
        flow.update_routes(heights)
        return flow.accumulate(1.0)

    rows["fastscapelib, with sinks resolved"], theirs = median(fastscape)

    # pysheds 0.5 uses a name that NumPy 2.4 has removed.
    np.in1d = np.isin  # type: ignore[attr-defined]
    from pysheds.grid import Grid
    from pysheds.view import Raster, ViewFinder

    def sheds() -> Any:
        raster = Raster(heights.copy(), ViewFinder(shape=heights.shape, nodata=np.float64(-9999)))
        own = Grid.from_raster(raster)
        filled = own.resolve_flats(own.fill_depressions(own.fill_pits(raster)))
        return own.accumulation(own.flowdir(filled))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sheds()
        rows["pysheds, filled"] = median(sheds, 3)[0]

    from landlab import RasterModelGrid
    from landlab.components import PriorityFloodFlowRouter

    model = RasterModelGrid((rows_, columns), xy_spacing=spacing)
    model.add_field("topographic__elevation", heights.ravel().copy(), at="node")
    with contextlib.redirect_stdout(io.StringIO()):
        router = PriorityFloodFlowRouter(model, flow_metric="D8", suppress_out=True)
        rows["landlab, PriorityFloodFlowRouter"] = median(router.run_one_step, 3)[0]
    holds = table(f"Drainage with hollows resolved, {columns} x {rows_} of real ground", rows)
    ours = np.asarray(ours, np.float64)
    inner = (slice(1, -1), slice(1, -1))
    same = np.isclose(ours[inner], theirs[inner], rtol=1e-4).mean()
    print(f"\n{100 * same:.1f} % of the inner samples have the same drainage area as with fastscapelib (all borders open).")
    return holds


def relaxed(heights: np.ndarray, talus: float, iterations: int) -> np.ndarray:
    """`ThermalErosion(scheme="Reference", distance="Steps", fraction=0.5)` in NumPy."""
    steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    rows, columns = heights.shape
    for _ in range(iterations):
        padded = np.pad(heights, 1, constant_values=np.inf)
        drops = [heights - padded[1 + i : 1 + i + rows, 1 + j : 1 + j + columns] for i, j in steps]
        # Only neighbours that are too low count, in proportion to how low they are.
        drops = [np.where(drop > talus, drop, 0) for drop in drops]
        total, most = sum(drops), np.maximum.reduce(drops)
        share = np.divide(0.5 * (most - talus), total, out=np.zeros_like(total), where=total > 0)
        moved = np.zeros_like(padded)
        for (i, j), drop in zip(steps, drops, strict=True):
            moved[1 + i : 1 + i + rows, 1 + j : 1 + j + columns] += share * drop
        heights = heights + moved[1:-1, 1:-1] - share * total
    return heights


def thermal() -> bool:
    graph = tr.Graph(size=(513, 513))
    hills = np.array(graph.run(graph.MidpointDisplacement(amplitude=200.0), engine=ONE).value)

    def ours(iterations: int) -> Any:
        return tr.apply.ThermalErosion(
            hills, talus=0.5, iterations=iterations, scheme="Reference", distance="Steps", neighbourhood="Moore",
            fraction=0.5, engine=ONE,
        )

    talus = np.float32(0.5)
    rows = {"Terrane, `ThermalErosion`": median(lambda: ours(50))[0]}
    rows["NumPy, the same rule"] = median(lambda: relaxed(hills, talus, 50), 3)[0]
    holds = table("Thermal erosion, 50 iterations, 513 x 513", rows)
    # The last bit of a difference decides whether a neighbour counts, so rounding shows after many iterations.
    for iterations in (1, 3, 50):
        difference = np.abs(ours(iterations) - relaxed(hills, talus, iterations))
        print(f"\nAfter {iterations}: maximum difference {difference.max():.2g}, median {np.median(difference):.2g}.")
    return holds


def applied() -> bool:
    """Compares the time of `apply` with the times of its parts, measured in the same rounds."""
    graph = tr.Graph(size=(4096, 4096))
    node = graph.MidpointDisplacement(amplitude=900.0)
    heights = np.array(graph.run(node, engine=ONE).value)
    # A constant map is hashed like any other, and costs little more than that.
    flat = tr.Graph(size=(4096, 4096))
    flat.Constant()

    def seconds(graph: tr.Graph, name: str) -> float:
        return next(seconds for node, _, seconds in graph.run(name, engine=ONE).nodes if node == name)

    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "heights.npy", heights)
        inner = tr.Graph(size=(4096, 4096), folder=folder)
        inner.ThermalErosion(inner.Import(file="heights.npy"), iterations=5, talus=0.2, name="worn")
        parts: dict[str, list[float]] = {
            "`apply`, whole": [], "the node in a graph": [], "a copy of the array": [], "a constant map, hashed": []
        }
        for _ in range(7):
            works: list[Callable[[], float]] = [
                lambda: median(lambda: tr.apply.ThermalErosion(heights, iterations=5, talus=0.2, engine=ONE), 1)[0],
                lambda: seconds(inner, "worn"),
                lambda: median(heights.copy, 1)[0],
                lambda: seconds(flat, "constant"),
            ]
            for times, work in zip(parts.values(), works, strict=True):
                times.append(work())
    print("\n`apply.ThermalErosion` of 4096 x 4096, 5 iterations\n\n| | ms |\n|---|---|")
    whole, *others = (sorted(times)[len(times) // 2] for times in parts.values())
    for name, middle in zip(parts, [whole, *others], strict=True):
        print(f"| {name} | {1000 * middle:.1f} |")
    print(f"\n`apply` takes {whole / sum(others):.3f} of the time of the other rows together.")
    return whole <= 1.05 * sum(others)


def main() -> int:
    print(f"One thread each; {sys.version.split()[0]} on {os.uname().machine}.")
    results = {work.__name__: work() for work in (noise, drainage, thermal, applied)}
    missed = [name for name, holds in results.items() if not holds]
    print(f"\nMissed: {', '.join(missed)}" if missed else "\nAll hold.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Hollows of random and real ground: water.py PROGRAM DATA GROUNDS. Needs numpy, tifffile, topotoolbox and
fastscapelib.

Random grounds have no sea: OpenSimplex and Perlin noise of random wavelength, octaves and spacing. On each,
`Depressions` must leave no hollow; `Fill` must equal topotoolbox's fillsinks to the bit. `FluvialErosion` and
`UpliftErosion` with `drain: true` may leave 0.6 % of the land in hollows. `Drainage` without lakes must equal
fastscapelib's single flow on ground where no sample has two equally steep ways. With landlab, a river that deposits
must be within 1 % of its ErosionDeposition.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import fastscapelib
import numpy as np
import tifffile
import topotoolbox

PROGRAM, DATA, GROUNDS = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
REAL = [("bigtujunga_30m", 30), ("front_range_3s", 90), ("jacksboro_3s", 90), ("mars_hellas_4ppd", 14820),
        ("maungawhau_2m", 2)]
MOST = 0.006

NODES = """
    "fill": Depressions(height: "ground", method: Fill),
    "breach": Depressions(height: "ground", method: Breach),
    "least": Depressions(height: "ground"),
    "kept": FluvialErosion(height: "ground", sea_level: -100000.0, iterations: 30),
    "drained": FluvialErosion(height: "ground", sea_level: -100000.0, iterations: 30, drain: true),
    "area": Drainage(height: "ground", lakes: false),
    "worn": UpliftErosion(height: "ground", iterations: 5, time_step: 20000.0, drain: true),
"""
NAMES = ["ground", "fill", "breach", "least", "kept", "drained", "worn", "area"]


def filled(heights):
    grid = topotoolbox.GridObject()
    grid.z = heights
    grid.cellsize = 1.0
    return np.asarray(grid.fillsinks().z)


def accumulated(heights):
    """Drainage areas in cells, and where a sample has two equally steep ways or lies on flat ground."""
    rows, columns = heights.shape
    # The library needs a sample at which water ends: the lowest.
    lowest = tuple(int(at) for at in np.unravel_index(heights.argmin(), heights.shape))
    status = fastscapelib.NodeStatus
    grid = fastscapelib.RasterGrid([rows, columns], [1.0, 1.0], status.CORE, {lowest: status.FIXED_VALUE})
    graph = fastscapelib.FlowGraph(grid, [fastscapelib.SingleFlowRouter()])
    graph.update_routes(heights.astype(float))
    return np.asarray(graph.accumulate(1.0))


def has_ties(heights):
    """Whether some sample has two equally steep ways down, or a neighbour of its height."""
    padded = np.pad(heights, 1, constant_values=np.inf)
    slopes = []
    for row in (-1, 0, 1):
        for column in (-1, 0, 1):
            if (row, column) != (0, 0):
                there = padded[1 + row:padded.shape[0] - 1 + row, 1 + column:padded.shape[1] - 1 + column]
                slopes.append((heights - there) / np.float32(np.sqrt(abs(row) + abs(column))))
    slopes = np.sort(np.stack(slopes), axis=0)
    return bool(((slopes[-1] == slopes[-2]) & (slopes[-1] > 0)).any() or (slopes == 0).any())


def run(name, ground, header, spacing, folder):
    outputs = ", ".join(f'"{node}.tif": "{node}"' for node in NAMES)
    graph = folder / "g.ron"
    graph.write_text(f'Graph({header}nodes: {{ "ground": {ground}, {NODES} }}, outputs: {{ {outputs} }})')
    subprocess.run([PROGRAM, "run", str(graph), "--no-cache", "-o", str(folder)], check=True, capture_output=True)
    heights = {node: tifffile.imread(next(folder.rglob(f"{node}.tif"))).astype(np.float32) for node in NAMES}
    cells = heights.pop("area").astype(float) / spacing**2
    full = {node: filled(heights[node]) for node in heights}
    share = {node: float((full[node] > heights[node]).mean()) for node in heights}
    # Whole numbers of cells above 2^24 are rounded. Of equally steep ways, each program takes another.
    ties = has_ties(heights["ground"])
    other = int((np.abs(accumulated(heights["ground"]) - cells) > 0.01).sum())
    differs = int((full["ground"] != heights["fill"]).sum())
    print(f"{name}: in hollows {100 * share['ground']:.2f} % of the ground, {100 * share['kept']:.2f} % after erosion, "
          f"{100 * share['drained']:.3f} % with drain, {100 * share['worn']:.3f} % after UpliftErosion with drain; "
          f"{differs} samples differ from topotoolbox, {other} drain another area than fastscapelib's"
          f"{' (the ground has ties)' if ties else ''}")
    right = differs == 0 and (ties or other == 0) and max(share[node] for node in ["fill", "breach", "least"]) == 0
    return right and max(share["drained"], share["worn"]) <= MOST


def sediment(folder, years, step):
    """The largest difference of a rising river of 40 samples from landlab's, as a share of its height."""
    import landlab
    from landlab.components import ErosionDeposition, FlowAccumulator
    count, spacing, rock, rise = 41, 100.0, 2e-5, 1e-3
    noise = np.random.default_rng(1).uniform(0, 0.1, count)
    start = (5.0 + 0.5 * np.arange(count) + noise).astype(np.float32)
    start[0] = 0
    # The middle row of three. Nodes on the perimeter of landlab's rasters have no area.
    grid = landlab.RasterModelGrid((3, count + 1), xy_spacing=spacing)
    heights = grid.add_field("topographic__elevation", np.full(3 * count + 3, 1e4), at="node")
    river = np.arange(count + 1, 2 * count + 1)
    heights[river] = start
    grid.status_at_node[:] = 4
    grid.status_at_node[river] = 0
    grid.status_at_node[river[0]] = 1
    flow = FlowAccumulator(grid, flow_director="D8")
    eroder = ErosionDeposition(grid, K=rock, v_s=1.0, m_sp=0.5, n_sp=1.0, F_f=0.0, solver="basic")
    for _ in range(years // step):
        heights[river[1:]] += rise * step
        flow.run_one_step()
        eroder.run_one_step(step)
    np.save(folder / "start.npy", start[None])
    np.save(folder / "outlet.npy", (np.arange(count)[None] == 0).astype(np.float32))
    graph = folder / "river.ron"
    graph.write_text(f"""Graph(size: ({count}, 1), spacing: {spacing}, nodes: {{
        "start": Import(file: "start.npy"), "outlet": Import(file: "outlet.npy"),
        "river": UpliftErosion(height: "start", uplift: {rise}, outlets: "outlet", border: Wall, jitter: 0.0,
            talus: None, erodibility: {rock}, deposition: 1.0, iterations: {years // step}, time_step: {step}.0),
        }}, outputs: {{ "river.npy": "river" }})""")
    subprocess.run([PROGRAM, "run", str(graph), "--no-cache", "-o", str(folder)], check=True, capture_output=True)
    ours = np.load(next(folder.rglob("river.npy")))[0]
    return float(np.abs(ours[1:] / heights[river[1:]] - 1).max())


def plain(folder):
    """The mean height of the plain beside a range after five million years, and landlab's."""
    import landlab
    from landlab.components import ErosionDeposition, FlowAccumulator
    side, spacing, rock, years = 51, 1024.0, 1.5e-6, 5_000_000
    start = np.random.default_rng(1).uniform(0, 0.5, (side, side)).astype(np.float32)
    start[[0, -1]] = start[:, [0, -1]] = 0
    np.save(folder / "start.npy", start)
    graph = folder / "plain.ron"
    graph.write_text(f"""Graph(size: ({side}, {side}), spacing: {spacing}, seed: 5, nodes: {{
        "start": Import(file: "start.npy"),
        "noise": OpenSimplex(wavelength: 25000.0, octaves: 2, amplitude: 0.0016, offset: -0.0008),
        "uplift": Clamp(height: "noise", min: 0.0, max: 1.0),
        "range": UpliftErosion(height: "start", uplift: "uplift", border: Sea, jitter: 0.0, talus: None,
            valley_width: 0.0, erodibility: {rock}, deposition: 1.0, iterations: {years // 5000}, time_step: 5000.0),
        }}, outputs: {{ "range.npy": "range", "uplift.npy": "uplift" }})""")
    subprocess.run([PROGRAM, "run", str(graph), "--no-cache", "-o", str(folder)], check=True, capture_output=True)
    ours, uplift = (np.load(next(folder.rglob(f"{name}.npy"))).astype(float) for name in ("range", "uplift"))
    grid = landlab.RasterModelGrid((side, side), xy_spacing=spacing)
    heights = grid.add_field("topographic__elevation", start.astype(float).ravel(), at="node")
    flow = FlowAccumulator(grid, flow_director="D8", depression_finder="DepressionFinderAndRouter")
    eroder = ErosionDeposition(grid, K=rock, v_s=1.0, m_sp=0.5, n_sp=1.0, F_f=0.0, solver="adaptive")
    for _ in range(years // 2500):
        heights[grid.core_nodes] += uplift.ravel()[grid.core_nodes] * 2500
        flow.run_one_step()
        eroder.run_one_step(2500)
    inner = np.zeros((side, side), bool)
    inner[1:-1, 1:-1] = uplift[1:-1, 1:-1] == 0
    return ours[inner].mean(), heights.reshape(side, side)[inner].mean()


def main():
    random.seed(7)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for number in range(GROUNDS):
            kind = random.choice(["OpenSimplex", "Perlin"])
            spacing = random.choice([5, 10, 30, 100])
            wavelength = spacing * random.uniform(60, 300)
            amplitude = wavelength * random.uniform(0.05, 0.3)
            ground = (f"{kind}(wavelength: {wavelength:.0f}.0, octaves: {random.randint(4, 9)}, "
                      f"amplitude: {amplitude:.0f}.0)")
            header = f"size: (257, 257), spacing: {spacing}.0, seed: {random.randrange(1 << 30)}, "
            wrong += not run(f"{number} {ground} at {spacing} m", ground, header, spacing, folder)
        for name, spacing in REAL:
            path = DATA / f"{name}.tif"
            if not path.exists():
                continue
            rows, columns = tifffile.imread(path).shape
            header = f"size: ({columns}, {rows}), spacing: {spacing}.0, "
            shutil.copy(path, folder)
            wrong += not run(name, f'Import(file: "{path.name}")', header, spacing, folder)
        try:
            for years, step in [(50000, 50), (200000, 50), (200000, 10), (1000000, 100)]:
                difference = sediment(folder, years, step)
                print(f"a river that deposits, {years} years in steps of {step}: within {100 * difference:.2f} % of landlab")
                wrong += difference > 0.01
            ours, other = plain(folder)
            print(f"the plain beside a range, 5 million years: {ours:.1f} m, {other:.1f} m with landlab")
            wrong += abs(ours / other - 1) > 0.01
        except ImportError:
            print("landlab is not installed")
    print(f"{wrong} are wrong")
    sys.exit(wrong > 0)


main()

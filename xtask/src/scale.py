"""Erosion of the same ground at three spacings: scale.py PROGRAM DATA GROUNDS. Needs numpy and scipy.

Random grounds of 256, 512 and 1,024 spacings are eroded with the defaults. Each map is compared with that of half the
samples along each side: how much is eroded, where (the correlation of the change, means over five widths of the smallest
valleys), and what share of the rivers lies within two widths of the other map's. A river drains at least 250 squares of
such a width.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.ndimage import distance_transform_edt, maximum_filter, uniform_filter

PROGRAM, GROUNDS = sys.argv[1], int(sys.argv[3])
TREES = "passed_on: 1.0, drainage_exponent: 0.5, gradient_strength: 0.02"
NODES = {
    "FluvialErosion": 'FluvialErosion(height: "ground")',
    "FluvialErosion, drain": 'FluvialErosion(height: "ground", drain: true)',
    "FluvialErosion, trees": f'FluvialErosion(height: "ground", {TREES})',
    "FluvialErosion, trees, drain": f'FluvialErosion(height: "ground", drain: true, {TREES})',
    "UpliftErosion of a terrain": 'UpliftErosion(height: "ground")',
    "UpliftErosion": "UpliftErosion()",
}
GRAPH = """Graph(size: ({size}, {size}), spacing: {spacing}, seed: {seed}, nodes: {{
    "ground": {ground},
    "eroded": {node},
    "flow": Drainage(height: "eroded"),
}}, outputs: {{ "ground.npy": "ground", "eroded.npy": "eroded", "flow.npy": "flow" }})"""


def eroded(folder, seed, ground, node, times, spacing):
    text = GRAPH.format(size=256 * times + 1, spacing=spacing / times, seed=seed, ground=ground, node=node)
    (folder / "g.ron").write_text(text)
    subprocess.run([PROGRAM, "run", str(folder / "g.ron"), "--no-cache", "-o", str(folder)], check=True,
                   capture_output=True)
    return [np.load(folder / f"{each}.npy").astype(float) for each in ("ground", "eroded", "flow")]


def compared(few, many, spacing):
    "The eroded share, the correlation and the rivers' share of a map with twice the samples."
    changes = [few[1] - few[0], (many[1] - many[0])[::2, ::2]]
    share = changes[1].mean() / changes[0].mean()
    correlation = np.corrcoef(*(uniform_filter(change, 5).ravel() for change in changes))[0, 1]
    rivers = [few[2] > 250 * spacing**2, maximum_filter(many[2], 3)[::2, ::2] > 250 * spacing**2]
    near = [distance_transform_edt(~river) <= 2 for river in rivers]
    return share, correlation, min(near[1][rivers[0]].mean(), near[0][rivers[1]].mean())


def main():
    random.seed(4)
    found = {}
    for number in range(GROUNDS):
        spacing, steep = random.choice([5, 20, 80]), random.choice([0.06, 0.3])
        wavelength = random.uniform(60, 200) * spacing
        ground = (f"PolynomialNoise(wavelength: {wavelength}, octaves: 7, amplitude: {steep * wavelength}, "
                  f"offset: {0.3 * steep * wavelength})")
        for name, node in NODES.items():
            # Without a terrain the ground is flat, and the spacing that of a range.
            side, start = (200, "Constant(value: 0.0)") if name == "UpliftErosion" else (spacing, ground)
            with tempfile.TemporaryDirectory() as folder:
                maps = [eroded(Path(folder), number, start, node, times, side) for times in (1, 2, 4)]
            for step, pair in enumerate(zip(maps, maps[1:])):
                values = compared(*pair, side)
                found.setdefault((name, step), []).append(values)
                print(f"{number} {name}, {256 * 2**step + 1} and {512 * 2**step + 1}: erodes {values[0]:.3f} times as "
                      f"much, correlation {values[1]:.3f}, {100 * values[2]:.0f} % of rivers near", flush=True)
    for (name, step), values in found.items():
        shares, correlations, rivers = np.array(values).T
        print(f"{name}, {256 * 2**step + 1} and {512 * 2**step + 1}: erodes {shares.min():.2f} to {shares.max():.2f} "
              f"(median {np.median(shares):.2f}) times as much, correlation {np.median(correlations):.2f} (at least "
              f"{correlations.min():.2f}), {100 * np.median(rivers):.0f} % of rivers near (at least "
              f"{100 * rivers.min():.0f} %)")


main()

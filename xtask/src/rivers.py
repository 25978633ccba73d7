"""Carved rivers of random and real ground: rivers.py PROGRAM DATA GROUNDS. Needs numpy and tifffile.

Rivers are traced and carved on noise, on eroded noise and on elevation models, with lakes, as they come and with
meanders. No river may climb, none may end on dry ground inside of the map, and no water may stand above dry ground
beside it. Where a river joins another, its level may not differ from that of the other by more than the banks' height.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import tifffile

PROGRAM, DATA, GROUNDS = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
REAL = [("bigtujunga_30m", 30), ("jacksboro_3s", 90)]

GRAPH = """Graph({header} nodes: {{
    "ground": {ground},
    "lakes": Lakes(height: "ground"),
    "flow": Drainage(height: "ground"),
    "lines": Rivers(receivers: "flow.receivers", drainage: "flow", height: "ground", water: "lakes",
        threshold: {threshold}),
    "carved": CarveRivers(height: "ground", rivers: "lines", water: "lakes", width_factor: {width},
        depth_factor: {depth}, meanders: {meanders}),
}}, outputs: {{ "ground.npy": "ground", "lakes.npy": "lakes", "carved.npy": "carved", "level.npy": "carved.level",
    "rivers.json": "carved.rivers" }})"""


def neighbours(values, fill):
    padded = np.pad(values, 1, constant_values=fill)
    rows, columns = values.shape
    return [padded[1 + r:rows + 1 + r, 1 + c:columns + 1 + c] for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def measure(name, ground, header, spacing, meanders, folder):
    text = GRAPH.format(header=header, ground=ground, threshold=400.0 * spacing**2, width=1.5 * spacing,
                        depth=0.1 * spacing, meanders=meanders)
    (folder / "g.ron").write_text(text)
    subprocess.run([PROGRAM, "run", str(folder / "g.ron"), "--no-cache", "-o", str(folder)], check=True,
                   capture_output=True)
    heights, lakes, carved, level = (np.load(folder / f"{each}.npy").astype(float)
                                     for each in ("ground", "lakes", "carved", "level"))
    features = json.loads((folder / "rivers.json").read_text())["features"]
    rows, columns = heights.shape
    courses = [np.array(feature["geometry"]["coordinates"]) for feature in features]
    along = [feature["properties"]["along"] for feature in features]
    climbs = sum(int((np.diff(course[:, 2]) > 0).any()) for course in courses)
    # World y of files grows to the north.
    place = [(int(round(-course[-1, 1] / spacing)), int(round(course[-1, 0] / spacing))) for course in courses]
    points = {}
    for course in courses:
        for x, y, z in course:
            points.setdefault((x, y), []).append(z)
    dry, steps = 0, []
    for course, (row, column), own in zip(courses, place, along):
        joined = points[course[-1, 0], course[-1, 1]]
        if len(joined) > 1:
            # The difference of levels, in heights of the banks.
            steps.append((max(joined) - min(joined)) / max(0.3 * own["depth"][-1], 1e-9))
        elif 0 < row < rows - 1 and 0 < column < columns - 1 and np.isnan(lakes[row, column]):
            dry += 1
    wet = level > carved
    above = 0.0
    for levels, grounds, wets in zip(neighbours(level, np.nan), neighbours(carved, np.inf), neighbours(wet, True)):
        above = max(above, float(np.nanmax(np.where(wet & ~wets, level - grounds, -np.inf))))
    cut, raised = float((heights - carved).max()), float((carved - heights).max())
    print(f"{name}: {len(courses)} rivers, {climbs} climb, {dry} end dry, {len(steps)} join with a step of at most "
          f"{max(steps, default=0.0):.3f} banks, water above banks {max(above, 0.0):.4f} m; "
          f"cut {cut:.1f} m, raised {raised:.1f} m")
    return len(courses), climbs + dry + (max(steps, default=0.0) > 1.0) + (above > 1e-3)


def main():
    random.seed(9)
    wrong = total = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        grounds = []
        for number in range(GROUNDS):
            spacing = random.choice([5, 10, 20, 40])
            noise = (f"OpenSimplex(wavelength: {spacing * random.uniform(100, 300):.0f}.0, octaves: 8, "
                     f"amplitude: {spacing * random.uniform(10, 60):.0f}.0)")
            header = f"size: (257, 257), spacing: {spacing}.0, seed: {random.randrange(1 << 30)},"
            grounds.append((f"{number} {noise} at {spacing} m", noise, header, spacing))
        for name, spacing in REAL:
            shutil.copy(DATA / f"{name}.tif", folder)
            rows, columns = tifffile.imread(DATA / f"{name}.tif").shape
            header = f"size: ({columns}, {rows}), spacing: {spacing}.0,"
            grounds.append((name, f'Import(file: "{name}.tif")', header, spacing))
        for name, ground, header, spacing in grounds:
            for meanders in ("0.0", "2.0"):
                count, faults = measure(f"{name}, meanders {meanders}", ground, header, spacing, meanders, folder)
                total, wrong = total + count, wrong + faults
    print(f"{total} rivers, {wrong} faults")
    sys.exit(wrong > 0)


main()

"""Makes random ground, and graphs and worlds that use it, each with what their outputs should be.

Usage: make.py FOLDER COUNT SEED. The folder gets a folder for each case, and cases.json: for each case the arguments of the commands
to run in its folder, and what check.py should find then. Coordinates are those of the ground's map, or x and -y of a world that has
none. They are computed here from how the ground was made.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pyproj
from grounds import Case, ground


def number_pair(pair):
    return f"({pair[0]!r}, {pair[1]!r})"


def stretched(grid, size):
    """The grid of the same extent with other samples."""
    steps = [step * (old - 1) / (new - 1) for step, old, new in zip(grid["steps"], grid["size"], size)]
    return {"first": grid["first"], "steps": steps, "size": list(size)}


def moved(grid, columns, rows, size):
    (east, north), (across, down) = grid["first"], grid["steps"]
    return {"first": [east + columns * across, north - rows * down], "steps": grid["steps"], "size": list(size)}


def own_rows(grid, code):
    """The rows of a grid with cells that are squares on the ground."""
    _, rows = grid["size"]
    across, down = distances(grid, code)
    return math.floor((rows - 1) * down / across + 0.5) + 1


def distances(grid, code):
    """Metres between columns and between rows, in the middle: those of the map, or those on the ground if they differ by 1 %."""
    (east, north), (across, down), (columns, rows) = grid["first"], grid["steps"], grid["size"]
    if not code:
        return across, down
    system = pyproj.CRS.from_epsg(code)
    to_degrees = pyproj.Transformer.from_crs(system, system.geodetic_crs, always_xy=True).transform
    x, y = east + across * (columns - 1) / 2, north - down * (rows - 1) / 2
    between = lambda dx, dy: system.get_geod().inv(*to_degrees(x - dx, y - dy), *to_degrees(x + dx, y + dy))[2]
    ground = between(across / 2, 0), between(0, down / 2)
    unit = system.axis_info[0].unit_conversion_factor
    is_same = all(abs(own / (unit * step) - 1) < 0.01 for own, step in zip(ground, (across, down)))
    return (unit * across, unit * down) if is_same and not system.is_geographic else ground


def metres(grid, code):
    """Metres between columns, in the middle."""
    return distances(grid, code)[0]


def near(grid, code):
    """The columns or rows by which longitudes and latitudes may differ from those of PROJ."""
    system = code and pyproj.CRS.from_epsg(code)
    # A degree is at most 112 km.
    unit = 1 if not system else 112_000 if system.is_geographic else system.axis_info[0].unit_conversion_factor
    # A millimetre. The datum of Great Britain is turned by three angles, which have four digits behind the point where the Ordnance
    # Survey published them, and three in PROJ's database: half of a thousandth of a second at the Earth's surface, thrice.
    metres = 3**0.5 * math.radians(0.0005 / 3600) * 6.4e6 if code == 27700 else 1e-3
    return metres / (unit * min(grid["steps"]))


def graph_case(case):
    """A graph that imports a raster, or one of noise, with its files."""
    file, source, code = ground(case) if case.rng.random() < 0.85 else (None, None, None)
    size, spacing = [case.whole(4, 80), case.whole(4, 80)], case.pick(0.5, 1.0, 7.5, 30.0)
    origin = case.pick([0.0, 0.0], [case.whole(-400, 400) / 2, case.whole(-400, 400) / 2])
    modes = ["stretched", "placed", "crop", "resample", "onto"] + (["own"] * 3 if source else [])
    mode = case.pick(*modes) if file else "noise"
    header = f"size: {number_pair(size)}, spacing: {spacing!r}, origin: {number_pair(origin)}, seed: 5"
    own = lambda size, at: {"first": [at[0], -at[1]], "steps": [spacing, spacing], "size": list(size)}
    nodes, start, last, distance = [], [0.0, 0.0], "dem", spacing
    if file:
        truth = np.load(case.folder / "truth.npy", mmap_mode="r").shape[::-1]
        import_ = f'Import(file: "{file}", filter: Some(Bilinear)'
    if mode == "noise":
        nodes.append(f'"dem": Perlin(octaves: 3, wavelength: {20 * spacing!r}, amplitude: 100.0)')
        grid, source = own(size, origin), None
    elif mode == "own":
        header = f'spacing: File("dem"), origin: {number_pair(origin)}'
        size = [truth[0], own_rows(source, code)]
        grid, distance = stretched(source, size), metres(source, code)
        nodes.append(f'"dem": {import_})')
    elif mode == "stretched":
        source = source or stretched(own(size, origin), truth)
        grid = stretched(source, size)
        nodes.append(f'"dem": {import_})')
    else:
        start = [origin[0] + case.whole(-9, 9) * spacing / 2, origin[1] + case.whole(-9, 9) * spacing / 2]
        nodes.append(f'"dem": {import_}, origin: Some({number_pair(start)}))')
        source = source or own(truth, start)
        grid = source
        if mode == "crop":
            size = [case.whole(2, truth[0] + 1), case.whole(2, truth[1] + 1)]
            skipped = [case.whole(0, truth[0] - size[0] + 1), case.whole(0, truth[1] - size[1] + 1)]
            corner = [start[0] + skipped[0] * spacing, start[1] + skipped[1] * spacing]
            nodes.append(f'"part": Crop(height: "dem", origin: Some({number_pair(corner)}), size: {number_pair(size)})')
            grid, last = moved(source, *skipped, size), "part"
        elif mode == "resample":
            nodes.append(f'"part": Resample(height: "dem", size: Some({number_pair(size)}))')
            # Cells keep their proportions, and the first and the last column their places.
            factor = (truth[0] - 1) / (size[0] - 1)
            grid, last = {"first": source["first"], "steps": [step * factor for step in source["steps"]], "size": size}, "part"
            distance = spacing * factor
        elif mode == "onto":
            nodes.append('"part": Resample(height: "dem")')
            away = [(origin[0] - start[0]) / spacing, (origin[1] - start[1]) / spacing]
            grid, last = moved(source, *away, size), "part"
    nodes += [
        f'"lines": Contours(height: "{last}", interval: {case.pick(10.0, 7.3)!r}, base: 3.1)',
        f'"water": Drainage(height: "{last}")',
        '"rivers": Rivers(receivers: "water.receivers", drainage: "water", threshold: 1e-3)',
    ]
    outputs = [f'"{name}": "{last}"' for name in ("out.tif", "out.npy", "out.png")]
    outputs += ['"lines.geojson": "lines.lines"', '"rivers.geojson": "rivers"']
    common = {"grid": grid, "code": code, "near": near(grid, code)}
    if mode in ("own", "stretched"):
        points = case.rng.uniform(0, 1, (5, 2)) * (np.array(grid["size"]) - 1)
        points = write_points(case, grid, code, points)
        nodes.append('"points": Points(file: Some("points.geojson"))')
        outputs.append('"points.json": "points"')
        case.check("points", file="out/points.json", origin=origin, columns=points.tolist(), near=common["near"])
    case.write("graph.ron", f"Graph({header}, nodes: {{ {', '.join(nodes)} }}, outputs: {{ {', '.join(outputs)} }})")
    case.commands.append(["run", "graph.ron", "--no-cache", "--threads", "1"])
    case.check("raster", file="out/out.tif", equals="out/out.npy", source=source if file else None, **common)
    first = {"crop": lambda: corner, "placed": lambda: start, "resample": lambda: start}.get(mode, lambda: origin)()
    case.check("sidecar", file="out/out.png", equals="out/out.npy", origin=first, spacing=distance, is_exact=mode != "own")
    case.check("lines", file="out/lines.geojson", heights="out/out.npy", **common)
    case.check("rivers", file="out/rivers.geojson", **common)


def write_points(case, grid, code, points):
    """GeoJSON of points near these columns and rows, in longitude and latitude if the map is one of the Earth.

    Returns their columns and rows. A shift of the datum and back is not the same place, since GeoJSON has no heights.
    """
    first, steps = np.array(grid["first"]), np.array(grid["steps"]) * [1, -1]
    places = first + points * steps
    if code:
        to_wgs84 = pyproj.Transformer.from_crs(code, 4326, always_xy=True)
        back = pyproj.Transformer.from_crs(4326, code, always_xy=True)
        places = np.transpose(to_wgs84.transform(*places.T))
        points = (np.transpose(back.transform(*places.T)) - first) / steps
    features = [
        {"type": "Feature", "properties": {"height": at}, "geometry": {"type": "Point", "coordinates": list(place)}}
        for at, place in enumerate(places)
    ]
    case.write("points.geojson", json.dumps({"type": "FeatureCollection", "features": features}))
    return points


def world_case(case):
    """A world of noise, perhaps placed on the map by a raster, in patches, mosaics and stores."""
    file, source, code = ground(case) if case.rng.random() < 0.6 else (None, None, None)
    side, spacing = [case.whole(8, 40), case.whole(8, 40)], case.pick(0.5, 1.0, 7.5, 30.0)
    origin = [case.whole(-40, 40) * spacing, case.whole(-40, 40) * spacing]
    start = [case.whole(-90, 90) * spacing, case.whole(-90, 90) * spacing]
    level = case.pick(0, 0, 0, 1)
    low, count = [case.whole(-3, 3), case.whole(-3, 3)], [case.whole(1, 4), case.whole(1, 4)]
    nodes = [f'"noise": Perlin(octaves: 4, wavelength: {25 * spacing!r}, amplitude: 90.0)', '"h": Blur(height: "noise", radius: 2.0)']
    if file:
        nodes.append(f'"dem": Import(file: "{file}", origin: Some({number_pair(start)}))')
    graph = lambda size, spacing, origin: (
        f"Graph(size: {number_pair(size)}, spacing: {spacing!r}, origin: {number_pair(origin)}, seed: 9, nodes: {{ {', '.join(nodes)} }}, "
        'outputs: { "h.tif": "h", "h.npy": "h", "s.png": Export(from: "h", range: Some((-200.0, 200.0))) })'
    )
    case.write("patch.ron", graph(side, spacing, origin))
    case.write("world.ron", 'World(patch: "patch.ron")')
    step = spacing * 2**level
    # The whole map reaches a patch farther on every side, beyond the six samples that `Blur` reads.
    extent = [side[0] - 1, side[1] - 1]
    begin = [origin[axis] + (low[axis] - 1) * extent[axis] * step for axis in (0, 1)]
    case.write("whole.ron", graph([(count[axis] + 2) * extent[axis] + 1 for axis in (0, 1)], step, begin))
    first = [origin[axis] + low[axis] * extent[axis] * step for axis in (0, 1)]
    size = [count[axis] * extent[axis] + 1 for axis in (0, 1)]
    if source:
        per = [source["steps"][axis] / spacing for axis in (0, 1)]
        east, north = source["first"][0] + (first[0] - start[0]) * per[0], source["first"][1] - (first[1] - start[1]) * per[1]
        grid = {"first": [east, north], "steps": [step * per[0], step * per[1]], "size": size}
    else:
        grid = {"first": [first[0], -first[1]], "steps": [step, step], "size": size}
    ranges = ",".join(f"{low[axis]}..{low[axis] + count[axis]}" for axis in (0, 1))
    patches = ["world.ron", "--patches", ranges, "--no-cache", "--threads", "1", *(["--level", str(level)] if level else [])]
    within = "/level_1" if level else ""
    store = [f"--block={case.pick(1, 2, 8)}"] if case.rng.random() < 0.7 else []
    case.commands += [
        ["run", "whole.ron", "--no-cache", "--threads", "1", "-o", "whole"],
        ["run", *patches, "--mosaic", "-o", "out"],
        ["run", *patches, *store, "-o", "store.zarr"],
        ["world", "verify", "store.zarr"],
        ["world", "geotiff", "store.zarr", "h", "-o", "store.tif"],
        ["run", *patches, "--share", "1/1", "-o", "shares"],
        ["world", "verify", f"shares{within}"],
        ["world", "vrt", f"shares{within}", "h.tif"],
    ]
    common = {"code": code, "whole": "whole/h.npy"}
    for name in (f"out{within}/h.tif", f"out{within}/h.vrt", f"shares{within}/h.vrt"):
        case.check("mosaic", file=name, grid=grid, at=extent, **common)
    for i, j in np.ndindex(*count):
        part = moved(grid, i * extent[0], j * extent[1], side)
        at = [(i + 1) * extent[0], (j + 1) * extent[1]]
        case.check("mosaic", file=f"out{within}/{low[0] + i}_{low[1] + j}/h.tif", grid=part, at=at, **common)
    stored = {**grid, "size": [size[0] - 1, size[1] - 1]}
    case.check("mosaic", file="store.tif", grid=stored, at=extent, **common)
    case.check("store", file="store.zarr", grid=stored, at=extent, **common)


folder, count, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
cases = []
for number in range(count):
    case = Case(folder, seed, number)
    world_case(case) if number % 4 == 3 else graph_case(case)
    cases.append({"folder": case.folder.name, "commands": case.commands, "checks": case.checks})
(folder / "cases.json").write_text(json.dumps(cases))

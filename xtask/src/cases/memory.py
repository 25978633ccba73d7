"""Graphs that need much memory, honest ones and others: `--memory` holds, or the command refuses before anything runs.

A run may take what its budget allows and 60 MiB more, for the program itself and for what it writes.
"""

from frame import case, demand
from peak import ran_within

GROUND = '"n": Perlin(amplitude: 300, wavelength: 20.0)'
RIVERS = f'{GROUND}, "d": Drainage(height: "n"), "r": Rivers(receivers: "d.receivers", drainage: "d.area")'


def within(at, budget, *arguments, seconds=30):
    """Runs the command on `g.ron` with a budget in MiB; it does its work within it, or refuses beforehand."""
    more = ["--memory", f"{budget}M", "--threads", 2]
    ran = ran_within(at, *(arguments or ("run", "g.ron")), *more, megabytes=round((budget + 60) * 1.0486), seconds=seconds)
    if ran.code:
        ran.demand_refusal()
    return ran


def refused(at, budget, node):
    """The forecast names the node, nothing is written, and the memory that it names suffices."""
    ran = within(at, budget)
    ran.demand_refusal("of memory", f"`{node}`", "--memory")
    demand(not (at / "out").exists(), "something is written")
    return ran


def enough(at, budget):
    return within(at, budget).demand_success(quiet=False)


@case("memory")
def lines_of_rivers(at):
    """Every river of 769 x 769 samples as GeoJSON: about fifty megabytes of text."""
    at.graph(RIVERS, '"r.geojson": "r"', size="(769, 769)")
    refused(at, 20, "r")
    enough(at, 200)


@case("memory")
def lines_of_rivers_that_other_nodes_draw_and_measure(at):
    """The same rivers in a picture, a mask of bounds and a density, without a file of lines."""
    at.graph(
        f'{RIVERS}, "c": ColorRelief(height: "n"), "o": Overlay(picture: "c", height: "n", paths: "r", thicken: "order"),'
        '"b": SubdivideMask(height: "n", paths: "r", width: 1.0, border: 3), "w": DrainageDensity(drainage: "d")',
        '"o.png": "o", "m.npy": "b.mask", "w.json": "w"',
        size="(513, 513)",
    )
    enough(at, 200)


@case("memory")
def contour_lines(at):
    """Contours in steps of 2 m of steep noise, as lines and as a picture."""
    nodes = '"n": Perlin(amplitude: 1500, wavelength: 20.0), "c": Contours(height: "n", interval: 2.0)'
    at.graph(nodes, '"c.geojson": "c.lines", "c.png": "c"', size="(385, 385)")
    within(at, 100)


@case("memory")
def fields_and_edges_of_graphs(at):
    """Graphs of a hundred thousand fields of four kinds, with their fields, edges and kinds as files."""
    for kind in ("GridGraph(columns: 250, rows: 250)", "HexGraph(columns: 250, rows: 250)", "VoronoiGraph(count: 40000)",
                 "RandomGraph(count: 40000)"):
        at.graph(
            f'"a": {kind}, "s": Section(graph: "a"), "t": AssignTerrain(fields: "s", descriptions: [("A", Noise())])',
            '"e.geojson": "s.edges", "f.json": "s", "a.json": "a", "k.npy": "t.kinds", "c.csv": "t.counts"',
        )
        within(at, 150)
        within(at, 40)


@case("memory")
def a_graph_that_is_edited(at):
    """Merging, splitting and planar checks of a graph of 90,000 nodes."""
    at.graph('"a": GridGraph(columns: 300, rows: 300), "b": EditGraph(graph: "a", merge: 0.001)', '"b.json": "b"')
    within(at, 60)


@case("memory")
def frames_and_histories(at):
    """Two hundred frames of an erosion as an animation, and a history of 20,000 rows as table and chart."""
    for node in ("FluvialErosion", "ThermalErosion"):
        nodes = f'{GROUND}, "f": {node}(height: "n", iterations: 200, history_every: 1), "a": Animate(frames: "f.frames")'
        at.graph(nodes, '"a.gif": "a", "h.csv": "f.history"', size="(257, 257)")
        refused(at, 50, "a")
    nodes = f'{GROUND}, "f": ThermalErosion(height: "n", iterations: 20000, history_every: 1), "p": Plot(table: "f.history")'
    at.graph(nodes, '"a.svg": "p", "h.csv": "f.history", "h.json": "f.history"', size="(9, 9)")
    within(at, 60)


@case("memory")
def meshes(at):
    """Two million triangles as OBJ and glTF: refused with a small budget, done with a larger one."""
    at.graph(f'{GROUND}, "m": Mesh(height: "n")', '"m.obj": "m", "m.glb": "m"', size="(769, 769)")
    refused(at, 40, "m")
    enough(at, 90)


@case("memory")
def a_map_that_a_node_makes_larger(at):
    """`Resample` to 8000 x 8000 samples, and a histogram with a million bins."""
    at.graph(f'{GROUND}, "f": Resample(height: "n", size: (8000, 8000))', '"f.npy": "f"')
    refused(at, 100, "f")
    at.graph(f'{GROUND}, "f": Histogram(height: "n", bins: 1000000)', '"f.csv": "f", "f.json": "f"')
    within(at, 60)


@case("memory")
def bounds_and_exact_optima(at):
    """The exact optimum of paths over 201 x 201 samples, and the distance between two terrains of 129 x 129."""
    at.graph(
        f'{GROUND}, "p": PathGraph(nodes: [(5, 5), (190, 190)], edges: [(0, 1)]),'
        '"b": SubdividePath(height: "n", graph: "p"), "o": OptimalPath(height: "n", subdivision: "b")',
        '"o.npy": "o"',
        size="(201, 201)",
    )
    refused(at, 60, "o")
    at.graph(f'{GROUND}, "b": Perlin(seed: 5), "f": EarthMoversDistance(a: "n", b: "b")', '"f.csv": "f"', size="(129, 129)")
    within(at, 60)


@case("memory")
def patches_and_mosaics(at):
    """Sixteen patches of 257 x 257 samples that are joined, as maps and pictures, and a level of detail."""
    nodes = f'{GROUND}, "c": ColorRelief(height: "n", range: (0, 300))'
    at.graph(nodes, '"n.tif": "n", "c.png": "c", "n.npy": "n"', size="(257, 257)", name="p.ron")
    at.write("w.ron", 'World(patch: "p.ron")')
    within(at, 40, "run", "w.ron", "--patches", "0..4,0..4", "--mosaic").demand_success(quiet=False)
    within(at, 40, "run", "w.ron", "--patches", "0..4,0..4", "--level", 2).demand_success(quiet=False)


@case("memory")
def sweeps_with_a_sheet(at):
    """Sixty variants of a relief of 513 x 513 samples, with a contact sheet and an animation of all."""
    at.graph(f'{GROUND}, "c": ColorRelief(height: "n")', '"c.png": "c"', size="(513, 513)")
    for sheet in ("s.png", "s.gif"):
        options = ["--seeds", "0..30", "--metric", "n.mean", "-o", f"{sheet}.csv", "--sheet", sheet, "--picture", "c.png"]
        within(at, 60, "sweep", "g.ron", *options).demand_success(quiet=False)


@case("memory")
def one_property_of_lines_without_end(at):
    """GeoJSON of one short line whose property is a list of five million numbers: 10 MB."""
    line = '"geometry": {"type": "LineString", "coordinates": [[1, -1], [5, -5]]}'
    at.write("l.geojson", '{"type": "Feature", "properties": {"x": [' + ",".join(["0"] * 5_000_000) + f"]}}, {line}}}")
    at.graph('"i": PathGraph(file: "l.geojson")', '"i.json": "i"')
    within(at, 100)


@case("memory")
def columns_of_points_without_end(at):
    """A table of points with ten million columns and one row: 20 MB."""
    at.write("p.csv", "x,y,height" + ",z" * 10_000_000 + "\n1,1,5" + "," * 10_000_000 + "\n")
    at.graph('"p": Points(file: "p.csv"), "h": MidpointDisplacement(points: "p")', '"h.npy": "h"')
    within(at, 100)


@case("memory")
def elements_of_a_drawing_without_end(at):
    """SVG with two million empty groups around one path: 8 MB."""
    groups = "<g/>" * 2_000_000
    at.write("l.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{groups}<path d="M0 0L5 5"/></svg>')
    at.graph('"i": PlanarGraph(file: "l.svg")', '"i.json": "i"')
    within(at, 100)


@case("memory")
def rasters_that_are_larger_than_the_budget(at):
    """A sparse NPY and a RAW of 400 MB each: their heads alone tell that they do not fit."""
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (10000, 10000), }"
    head = b"\x93NUMPY\x01\x00v\x00" + head + b" " * (117 - len(head)) + b"\n"
    for name, start, more in (("dem.npy", head, ""), ("dem.raw", b"", ", raw_size: (20000, 10000)")):
        with open(at.write(name, start), "r+b") as file:
            file.truncate(400_000_000 + len(start))
        at.graph(f'"i": Import(file: "{name}"{more})', '"i.npy": "i"')
        refused(at, 100, "i")

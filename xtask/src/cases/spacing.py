"""The true distance of a file's samples in metres differs from the graph's spacing."""

import numpy as np
from frame import case, demand, demand_equal
from geo import ground_steps, ramp, tiff, upright
from rasterio.transform import Affine
from spacing_said import SPHERE, demand_near, demand_slope, demand_told, said_spacing, slopes


@case("spacing")
def cells_that_are_no_squares(at):
    """UTM, 10 m by 20 m: `File` makes squares with twice the rows, and the slope in both directions is the true one."""
    for east, south, right in ((3.0, 0.0, 0.3), (0.0, 4.0, 0.2)):
        tiff(at / "dem.tif", ramp(40, 60, east, south), upright((5.0e5, 4.0e6), (10.0, 20.0)), "EPSG:32611")
        slopes(at, "(60, 40)", "10")
        demand_told(at, (10.0, 20.0))
        slopes(at, None, 'File("dem")')
        at.run().demand_success("rows were resampled by 2", "10 m apart from west to east and 20 m from north to south")
        # Rounding of heights near 300 to single precision, over a distance of 10 m.
        demand_equal(at.array("s.npy"), np.full((79, 60), right), "slope", 1e-5)


@case("spacing")
def a_quarter_turn_exchanges_the_two_distances(at):
    """Rows lead north, 20 m apart along a row: the upright raster has 10 m from west to east and 20 m from north to south."""
    turned = Affine(0.0, 10.0, 5.0e5, 20.0, 0.0, 4.0e6)
    tiff(at / "dem.tif", ramp(40, 60), turned, "EPSG:32611")
    slopes(at, "(40, 60)", "30")
    demand_told(at, (10.0, 20.0))


@case("spacing")
def a_raster_turned_by_thirty_degrees(at):
    """A rotated GeoTIFF has no rows that lead east: refused; what `gdalwarp` makes of it has the spacing of its cells."""
    turn = Affine.translation(5.0e5, 4.0e6) @ Affine.rotation(30.0) @ Affine.scale(10.0, -10.0)
    tiff(at / "dem.tif", ramp(40, 60), turn, "EPSG:32611")
    slopes(at, "(60, 40)", 'File("dem")')
    for ran in (at.terrane("check", "g.ron"), at.run()):
        ran.demand_refusal("degrees", "gdalwarp")


@case("spacing")
def a_world_file_without_a_reference_system(at):
    """A 16-bit PNG with a `.pgw`: the numbers are the map's, taken for metres."""
    tiff(at / "dem.png", ramp(40, 60).astype("u2"), driver="PNG")
    at.write("dem.pgw", "12.5\r\n0\r\n0\r\n-12.5\r\n500006.25\r\n3999993.75\r\n")
    slopes(at, "(60, 40)", "1", file="dem.png")
    demand_told(at, (12.5, 12.5))
    demand_slope(at, 3 / 12.5, 1e-5)


@case("spacing")
def a_model_stretched_to_the_size_of_an_engine(at):
    """1009 samples of a landscape from 64 samples 30 m apart, and 33 of 129: 1.875 m and 120 m."""
    for samples, wanted, right in ((64, 1009, 63 * 30 / 1008), (129, 33, 120.0)):
        tiff(at / "dem.tif", ramp(samples, samples), upright((5.0e5, 4.0e6), (30.0, 30.0)), "EPSG:32611")
        slopes(at, f"({wanted}, {wanted})", "30")
        demand_told(at, (right, right))
        demand_slope(at, 3 / 30.0, 2e-4)


@case("spacing")
def two_files_of_different_spacing(at):
    """Models of 10 m and 25 m in one graph: the one that is not the graph's is named, whichever that is, by `check` too."""
    for name, step in (("a", 10.0), ("b", 25.0)):
        tiff(at / f"{name}.tif", ramp(40, 60), upright((5.0e5, 4.0e6), (step, step)), "EPSG:32611")
    for own, other, right in (("a", "b", "25"), ("b", "a", "10")):
        nodes = '"a": Import(file: "a.tif"), "b": Import(file: "b.tif"), "d": Combine(a: "a", b: "b", mode: Subtract)'
        at.graph(nodes, '"d.npy": "d"', size=None, spacing=f'File("{own}")')
        for ran in (at.terrane("check", "g.ron"), at.run()):
            ran.demand_success(f"{other}: the file's samples are {right} m apart")
            demand(f"{own}: the file's samples" not in ran.said, ran.said[:300])


@case("spacing")
def an_import_that_no_output_uses(at):
    """It may give the graph its place, so its spacing is compared by `check` and `run`."""
    tiff(at / "dem.tif", ramp(40, 60), upright((5.0e5, 4.0e6), (10.0, 10.0)), "EPSG:32611")
    at.graph('"dem": Import(file: "dem.tif"), "n": Perlin()', '"n.npy": "n"', size="(60, 40)", spacing="1")
    for ran in (at.terrane("check", "g.ron"), at.run()):
        demand_near(said_spacing(ran), (10.0, 10.0), 1e-5)


@case("spacing")
def the_patch_of_a_world(at):
    """The graph of the patches places the world by an Import with `origin`, whose samples are 10 m apart, not 30."""
    tiff(at / "dem.tif", ramp(9, 9), upright((5.0e5, 4.0e6), (10.0, 10.0)), "EPSG:32611")
    nodes = '"n": Perlin(wavelength: 300.0), "dem": Import(file: "dem.tif", origin: (0, 0))'
    at.graph(nodes, '"n.tif": "n"', size="(9, 9)", spacing="30", name="patch.ron")
    at.write("w.ron", 'World(patch: "patch.ron")')
    for ran in (at.terrane("check", "w.ron"), at.run("--patches", "0..2,0..1", graph="w.ron"), at.run(graph="patch.ron")):
        demand_near(said_spacing(ran), (10.0, 10.0), 1e-5)


@case("spacing")
def file_with_a_size_of_its_own(at):
    """`File` in degrees with `size`: the spacing is that of the stretched columns."""
    tiff(at / "dem.tif", ramp(41, 61), upright((10.0, 60.0), (1 / 3600, 1 / 3600)), "EPSG:4326")
    right = ground_steps("EPSG:4326", (10.0 + 30 / 3600, 60.0 - 20 / 3600), (1 / 3600, 1 / 3600))
    slopes(at, "(121, 161)", 'File("dem")')
    at.run().demand_success("rows were resampled by 2 for square cells", quiet=False)
    demand_slope(at, 3 / right[0], SPHERE)


@case("spacing")
def file_of_a_single_column_and_of_a_single_sample(at):
    """A profile of one column has a distance from north to south; nothing is divided by zero."""
    for shape in ((40, 1), (1, 40), (1, 1)):
        tiff(at / "dem.tif", ramp(*shape, 3.0, 3.0), upright((5.0e5, 4.0e6), (10.0, 10.0)), "EPSG:32611")
        slopes(at, None, 'File("dem")')
        at.run().demand_success()
        slope = at.array("s.npy")
        demand(slope.shape == shape, f"shape {slope.shape} instead of {shape}")
        demand_near(float(np.median(slope)), 0.3 if max(shape) > 1 else 0.0, 1e-5, f"slope of {shape}")


@case("spacing")
def a_preview_of_fewer_samples(at):
    """`--size` keeps the extent: neither a warning nor another slope, with `File` and with a number."""
    tiff(at / "dem.tif", ramp(41, 61), upright((5.0e5, 4.0e6), (10.0, 10.0)), "EPSG:32611")
    for size, spacing in ((None, 'File("dem")'), ("(61, 41)", "10")):
        slopes(at, size, spacing)
        at.run("--size", "31x21").demand_success()
        demand_slope(at, 0.3, 1e-4)


@case("spacing")
def a_sidecar_counts_before_a_world_file(at):
    """The sidecar that Terrane wrote says 5 m; beside it lies a `.pgw` of another program with 10 m."""
    at.graph('"n": Perlin(wavelength: 100.0)', '"dem.png": "n"', size="(60, 40)", spacing="5")
    at.run().demand_success()
    for name in ("dem.png", "dem.png.json"):
        (at / name).write_bytes((at / "out" / name).read_bytes())
    at.write("dem.pgw", "10\n0\n0\n-10\n500005\n3999995\n")
    slopes(at, "(60, 40)", "10", file="dem.png")
    demand_told(at, (5.0, 5.0))

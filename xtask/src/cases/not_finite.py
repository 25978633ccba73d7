"""Numbers that are not finite: where they begin the node is named in a warning, and no picture or file of heights hides them.

Single precision ends at 3.4e38, and parameters at 1e30, so that a product of two or a quotient of small ones is beyond.
"""

import math

import numpy as np
import rasterio

from frame import case, demand, demand_equal

STEEP = '"h": Ramp(to: (16e-12, 0), high: 1e30, low: -1e30)'


def told(at, node, nodes, outputs='"o.npy": "{}"', **settings):
    """A run warns of a node, or fails at it, exactly if its values are not finite."""
    at.graph(nodes, outputs.format(node), size="(17, 17)", **settings)
    run = at.run()
    name = node.split(".")[0]
    if run.code == 0:
        lost = int((~np.isfinite(at.array("o.npy"))).sum())
        demand(lost > 0, "the values are finite: the case is wrong")
        demand(any(text.startswith(f"{name}:") for text in run.warnings), f"{lost} of 289 values of `{node}`: {run.said[:300]}")
    else:
        run.demand_refusal(f"`{name}`")
    return run


@case("not finite")
def parameters_that_are_no_numbers(at):
    """NaN, infinities and numbers beyond the range, written directly, through parameters, `--set` and profiles."""
    for value in ("NaN", "inf", "-inf", "1e39", "-1e400"):
        at.graph(f'"h": Perlin(amplitude: {value})', '"h.npy": "h"')
        at.terrane("check", "g.ron").demand_refusal("`amplitude`", "out of range")
    at.graph('"h": Perlin(amplitude: "$a")', '"h.npy": "h"', params='{"a": 1}', profiles='{"p": {"a": inf}}')
    at.terrane("check", "g.ron").demand_refusal("`amplitude`", "out of range")
    for value in ("a=NaN", "a=inf", "@p", "a=1e999"):
        at.run("--set", value).demand_refusal("out of range")


@case("not finite")
def arithmetic_that_has_no_result(at):
    """Divisions by zero, of zero by zero, of a parameter that becomes zero by `--set`, and products that overflow."""
    for text in ("$a / 0", "$z / $z", "1 / ($a - $a)", "$b * $b * $b", "-$b * $b", "$b * $b - $b * $b", "$a / ($a - 1)"):
        at.graph(f'"h": Perlin(wavelength: "{text}")', '"h.npy": "h"', params='{"a": 1, "z": 0, "b": 1e200}')
        at.terrane("check", "g.ron").demand_refusal(text, "finite number")
    at.graph('"h": Perlin(wavelength: "3 / $d")', '"h.npy": "h"', params='{"d": 2}')
    at.run("--set", "d=0").demand_refusal("3 / $d", "finite number")
    at.graph('"h": Perlin()', '"h.npy": "h"', params='{"z": 0, "unused": "1 / $z"}')
    at.terrane("check", "g.ron").demand_refusal("1 / $z")


@case("not finite")
def arithmetic_without_result_where_a_map_could_be(at):
    """The same divisions at a port that takes a number or a map: they are no names of nodes, however they begin."""
    for text in ("$a / 0", "1 / ($a - $a)", "3 / $z", "(1 - $a) / $z", "-1 / $z"):
        at.graph(f'"h": Perlin(amplitude: "{text}")', '"h.npy": "h"', params='{"a": 1, "z": 0}')
        at.terrane("check", "g.ron").demand_refusal(text, "finite number")


@case("not finite")
def products_and_quotients_of_maps(at):
    """Products beyond single precision and quotients by tiny numbers; quotients by zero."""
    big, small = '"a": Constant(value: 1e30)', '"b": Constant(value: 1e-30)'
    told(at, "h", f'{big}, "h": Combine(a: "a", b: "a", mode: Multiply)')
    told(at, "h", f'{big}, {small}, "h": Combine(a: "a", b: "b", mode: Divide)')
    by_zero = f'{big}, "r": Ramp(to: (16, 0), high: 1), "h": Combine(a: "a", b: "r", mode: Divide)'
    at.graph(by_zero, '"h.npy": "h"', size="(17, 17)")
    at.run().demand_success("h:", "divided by 0")


@case("not finite")
def heights_that_are_mapped_beyond_the_range(at):
    """`Remap` from a range of 1e-30 to one of 1e30: what lies outside the range becomes infinite."""
    told(at, "h", '"a": Ramp(to: (16, 0), high: 1), "h": Remap(height: "a", from: (0, 1e-30), to: (0, 1e30))')


@case("not finite")
def curves_through_points_close_together(at):
    """A smooth curve that rises by 1e30 over 1e-30, and a linear one: the slope is beyond single precision."""
    points = "[(0, 0), (1e-30, 1e30), (1, -1e30)]"
    told(at, "h", f'"a": Ramp(to: (16, 0), high: 1), "h": Curve(height: "a", points: {points})')


@case("not finite")
def steps_of_almost_nothing(at):
    """`Terrace` in steps of 1e-30 over heights of 1e30: the number of a step is 1e60."""
    told(at, "h", '"a": Ramp(to: (16, 0), high: 1e30), "h": Terrace(height: "a", step: 1e-30)')


@case("not finite")
def coefficients_beyond_the_range(at):
    """`Voronoi` with a coefficient of 1e30 and an amplitude of 1e30: a source that is infinite everywhere."""
    told(at, "h", '"h": Voronoi(amplitude: 1e30, coefficients: [1e30, 1])')


@case("not finite")
def slopes_of_noise(at):
    """Slopes of Perlin, OpenSimplex and polynomial noise with octaves of ever shorter waves."""
    for kind in ("Perlin", "OpenSimplex", "PolynomialNoise"):
        told(at, "h.slope_x", f'"h": {kind}(octaves: 32, lacunarity: 1e6, persistence: 1.0)')


@case("not finite")
def slopes_of_a_cliff(at):
    """The slope of a ramp of 2e30 over 16 samples that are 1e-12 apart is 1.25e41."""
    told(at, "s", f'{STEEP}, "s": SlopeMap(height: "h")', spacing="1e-12")


@case("not finite")
def curvature_and_roughness_of_a_cliff(at):
    """The second derivative and the sum of squared slopes of the same ramp."""
    for kind in ("Curvature", "Roughness"):
        ramp = STEEP.replace("16e-12", "11e-12")
        told(at, "c", f'{ramp}, "c": {kind}(height: "h")', spacing="1e-12")


@case("not finite")
def roughness_alone_of_a_cliff(at):
    """Roughness of a rise of 1e25 over a sample: its square, 1e50, is beyond single precision, the root 1e25 is not."""
    at.graph('"h": Ramp(to: (16, 0), high: 16e25), "r": Roughness(height: "h")', '"o.npy": "r"', size="(17, 17)")
    run = at.run()
    run.demand_success(quiet=False)
    found = at.array("o.npy")[1:-1, 1:-1]
    if not np.isfinite(found).all():
        demand(any(text.startswith("r:") for text in run.warnings), f"not finite: {run.said[:300]}")
        return
    # Of eight neighbours, two have the slope 1e25, four that divided by the root of two, or the same rise over a diagonal.
    demand(found.min() > 1e25 and found.max() < 1e26, f"roughness {found.min()} to {found.max()}")


@case("not finite")
def pictures_of_heights_that_are_infinite(at):
    """An infinite map as PNG, raw, OBJ and glTF is refused; as relief and hillshade its source is warned of."""
    nodes = '"a": Constant(value: 1e30), "h": Combine(a: "a", b: "a", mode: Multiply)'
    for name in ("h.png", "h.raw"):
        at.graph(nodes, f'"{name}": "h"', size="(17, 17)")
        at.run().demand_refusal(name, "NaN or infinite")
        demand(not (at / "out" / name).exists(), f"{name} is written")
    pictures = f'{nodes}, "c": ColorRelief(height: "h"), "l": Hillshade(height: "h")'
    at.graph(pictures, '"c.png": "c", "l.png": "l"', size="(17, 17)")
    at.run().demand_success("h:", "are not finite")


@case("not finite")
def meshes_beyond_the_range(at):
    """A mesh whose exaggeration makes its vertices infinite, as OBJ and as glTF."""
    for name in ("m.obj", "m.glb"):
        nodes = '"h": Ramp(to: (16, 0), high: 1e30), "m": Mesh(height: "h", exaggeration: 1e10)'
        at.graph(nodes, f'"{name}": "m"', size="(17, 17)")
        at.run().demand_refusal(name, "NaN or infinite")


@case("not finite")
def files_with_infinities(at):
    """A TIFF, an NPY and a RAW with NaN and both infinities: missing samples, told by `mask`, and filled between."""
    heights = np.full((9, 9), 5, "f4")
    heights[2, 3], heights[4, 4], heights[6, 1] = math.nan, math.inf, -math.inf
    np.save(at / "dem.npy", heights)
    (at / "dem.raw").write_bytes(heights.tobytes())
    with rasterio.open(at / "dem.tif", "w", driver="GTiff", width=9, height=9, count=1, dtype="float32") as file:
        file.write(heights, 1)
    for name in ("dem.npy", "dem.tif"):
        at.graph(f'"d": Import(file: "{name}")', '"h.npy": "d", "m.npy": "d.mask"', size="(9, 9)")
        at.run().demand_success(quiet=False)
        demand_equal(at.array("h.npy"), np.full((9, 9), 5))
        demand_equal(at.array("m.npy"), np.isfinite(heights))


@case("not finite")
def numbers_of_tables_and_lines(at):
    """Points and lines whose coordinates or heights are NaN, infinite or beyond single precision."""
    for row in ("1,1,NaN", "inf,1,5", "1,1,1e39", "1,-Infinity,5", "1,1,1e999"):
        at.write("p.csv", f"x,y,height\n4,4,9\n{row}\n")
        at.graph('"p": Points(file: "p.csv"), "h": MidpointDisplacement(points: "p")', '"h.npy": "h"', size="(9, 9)")
        at.run().demand_refusal("p.csv")
    for number in ("1e999", "1e39", "NaN"):
        at.write("l.geojson", '{"type": "LineString", "coordinates": [[1, -1], [%s, -5]]}' % number)
        at.graph('"l": PathGraph(file: "l.geojson", cut: false)', '"l.json": "l"', size="(9, 9)")
        at.run().demand_refusal("l.geojson")


@case("not finite")
def scales_and_ranges_beyond_the_range(at):
    """A GeoTIFF whose scale makes its heights infinite, and a sidecar-less PNG with an infinite `range`."""
    with rasterio.open(at / "dem.tif", "w", driver="GTiff", width=9, height=9, count=1, dtype="float32") as file:
        file.write(np.full((9, 9), 1e30, "f4"), 1)
        file.scales = (1e30,)
    at.graph('"d": Import(file: "dem.tif")', '"h.npy": "d"', size="(9, 9)")
    run = at.run()
    if run.code == 0:
        demand("d:" in run.said, f"without a word: {run.said[:200]}")
    else:
        run.demand_refusal("dem.tif")
    at.graph('"d": Import(file: "dem.tif", range: (0, inf))', '"h.npy": "d"', size="(9, 9)")
    at.run().demand_refusal("out of range")


@case("not finite")
def numbers_in_tables_that_are_written(at):
    """Statistics of an infinite map as JSON and CSV: valid JSON, which has no NaN, and the count of what is left out."""
    nodes = '"a": Constant(value: 1e30), "h": Combine(a: "a", b: "a", mode: Multiply), "s": Statistics(height: "h")'
    at.graph(nodes, '"s.json": "s", "s.csv": "s"', size="(17, 17)")
    at.run().demand_success("are not finite")
    text = (at / "out/s.json").read_text()
    demand(not any(word in text.replace("are not finite", "") for word in ("NaN", "nan", "inf")), f"JSON: {text[:200]}")
    demand(at.json("s.json").get("not_finite") in (289, [289]), f"JSON: {text[:200]}")
    ran = at.terrane("sweep", "g.ron", "--metric", "h.max", "-o", "t.csv", "--summary", "t.json")
    ran.demand_success(quiet=False)
    summary = (at / "t.json").read_text()
    demand("inf" not in summary.lower().replace("are not finite", ""), f"summary: {summary[:300]}")


@case("not finite")
def a_range_of_export_beyond_single_precision(at):
    """`Export(range: ...)` with no width, with NaN, and from a finite map to one beyond the range."""
    for value in ("(NaN, 1)", "(0, inf)", "(0, 1e39)", "(5, 5)"):
        at.graph('"h": Perlin()', f'"h.png": Export(from: "h", range: {value})')
        at.terrane("check", "g.ron").demand_refusal("range")

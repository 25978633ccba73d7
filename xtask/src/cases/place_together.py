"""Several files and drawn lines on one ground: where Terrane finds them."""

import numpy as np
from frame import case, demand, demand_equal, hills
from geo import centre, lonlat, opened, ramp, tiff, upright
from place_in import FIRST, HEIGHTS, STEP, TRANSFORM, UTM, demand_place
from place_out import vertices
from place_systems import demand_same
from pyproj import Transformer


@case("place")
def neighbouring_tiles_by_their_origin(at):
    """A mosaic by hand: the right tile with `origin`. In the wrong order a warning says where the file lies."""
    both = hills(11, 29).astype("f4")
    tiff(at / "a.tif", both[:, :15], TRANSFORM, UTM)
    tiff(at / "b.tif", both[:, 14:], upright((FIRST[0] + 14 * 30.0, FIRST[1]), STEP), UTM)
    for origin, words in (("(420, 0)", ()), ("(0, 0)", ("b: the file lies elsewhere on the map", "400435"))):
        nodes = f'"a": Import(file: "a.tif"), "b": Import(file: "b.tif", origin: {origin})'
        at.graph(nodes, '"b.tif": "b", "a.tif": "a"', size="(15, 11)", spacing="30")
        at.run().demand_success(*words)
        demand_place(at, both[:, :15], TRANSFORM, name="a.tif")
    at.graph(nodes.replace("(0, 0)", "(420, 0)"), '"b.tif": "b"', size="(15, 11)", spacing="30")
    at.run().demand_success()
    demand_place(at, both[:, 14:], upright((FIRST[0] + 14 * 30.0, FIRST[1]), STEP), name="b.tif")


@case("place")
def points_and_roads_drawn_in_a_gis(at):
    """GeoJSON in WGS 84, and in the reference system of the ground: the samples are those of the map."""
    tiff(at / "dem.tif", HEIGHTS, TRANSFORM, UTM)
    spots = [(3, 2), (12, 9), (7, 5)]
    on_map = [centre(TRANSFORM, *spot) for spot in spots]
    named = '"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32611"}},'
    for crs, places in (("", [lonlat(UTM, *place) for place in on_map]), (named, on_map)):
        points = ", ".join(f"[{float(x)!r}, {float(y)!r}]" for x, y in places)
        shape = f'{{"type": "MultiPoint", "coordinates": [{points}]}}'
        feature = f'{{"type": "Feature", "properties": {{}}, "geometry": {shape}}}'
        at.write("p.geojson", f'{{"type": "FeatureCollection", {crs} "features": [{feature}]}}')
        nodes = '"dem": Import(file: "dem.tif"), "p": Points(file: "p.geojson", height: "dem")'
        at.graph(nodes, '"p.json": "p"', size="(15, 11)", spacing="30")
        at.run().demand_success()
        # UTM and its inverse are exact to less than a millimetre.
        right = [[30.0 * x, 30.0 * y, HEIGHTS[y, x]] for x, y in spots]
        demand_equal(at.json("p.json"), right, "points", 1e-3)


@case("place")
def the_place_of_a_graph_with_several_files(at):
    """A scan with a world file only comes first: the place is that of the second file, which has a code, and a warning tells."""
    tiff(at / "scan.png", (HEIGHTS / 4).astype("u1"), driver="PNG")
    at.write("scan.pgw", "30\n0\n0\n-30\n15\n-15\n")
    tiff(at / "dem.tif", HEIGHTS, TRANSFORM, UTM)
    nodes = '"a": Import(file: "scan.png"), "b": Import(file: "dem.tif"), "c": Combine(a: "a", b: "b")'
    at.graph(nodes, '"c.tif": "c"', size="(15, 11)", spacing="30")
    at.run().demand_success("a: the file lies elsewhere on the map")
    demand_same(at / "out/c.tif", UTM, FIRST, "place")
    demand(opened(at / "out/c.tif")[1] == TRANSFORM, f"transform {opened(at / 'out/c.tif')[1]}")


@case("place")
def lines_of_a_part(at):
    """Contours of a `Crop` of a ramp lie at the eastings of the whole."""
    tiff(at / "dem.tif", ramp(9, 9, 1.0), upright((400015.0, 3999985.0), (30.0, 30.0)), "EPSG:32611")
    nodes = '"dem": Import(file: "dem.tif"), "p": Crop(height: "dem", origin: Some((90, 60)), size: (5, 4))'
    at.graph(f'{nodes}, "c": Contours(height: "p", interval: 4.5)', '"c.geojson": "c.lines"', size="(9, 9)", spacing="30")
    at.run().demand_success()
    json = at.json("c.geojson")
    for feature, line in zip(json["features"], vertices(json)):
        east = 400015.0 + 30.0 * (feature["properties"]["level"] - 100)
        right = np.transpose(lonlat("EPSG:32611", np.full(4, east), 3999985.0 - 30.0 * np.arange(2, 6)))
        demand_equal(line[np.argsort(-line[:, 1])], right, "contours of a part", 1e-8)


@case("place")
def one_zone_in_two_datums(at):
    """The same eastings in EPSG:32611 and 26911: the warning names the reference systems, for the numbers are equal."""
    tiff(at / "a.tif", HEIGHTS, TRANSFORM, UTM)
    tiff(at / "b.tif", HEIGHTS, TRANSFORM, "EPSG:26911")
    nodes = '"a": Import(file: "a.tif"), "b": Import(file: "b.tif"), "c": Combine(a: "a", b: "b")'
    at.graph(nodes, '"c.tif": "c"', size="(15, 11)", spacing="30")
    at.run().demand_success("26911", "32611")


@case("place")
def points_beyond_the_antimeridian(at):
    """Fiji (EPSG:3460): points at 180, -180 and -179.99 degrees lie beside each other on the ground."""
    to_map = Transformer.from_crs(4326, 3460, always_xy=True).transform
    x, y = to_map(179.98, -17.0)
    tiff(at / "dem.tif", ramp(9, 81), upright((x, y), (60.0, 60.0)), "EPSG:3460")
    points = [(180.0, -17.001), (-180.0, -17.002), (-179.99, -17.001)]
    at.write("p.geojson", f'{{"type": "MultiPoint", "coordinates": {[list(point) for point in points]}}}')
    nodes = '"dem": Import(file: "dem.tif"), "p": Points(file: "p.geojson", height: "dem")'
    at.graph(nodes, '"p.json": "p"', size="(81, 9)", spacing="60")
    at.run().demand_success()
    right = [(east - x, y - north) for east, north in (to_map(*point) for point in points)]
    # A centimetre: the datum of Fiji is moved by whole metres.
    demand_equal([point[:2] for point in at.json("p.json")], right, "points", 1e-2)

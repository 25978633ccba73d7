"""Position on the way out: where samples and vertices of Terrane's files lie, as GDAL, PROJ and xarray say."""

import numpy as np
import pyproj
import rasterio
import xarray
from frame import case, demand, demand_equal, hills
from geo import centre, lonlat, opened, ramp, tiff, upright

UTM = "EPSG:32611"
FIRST, STEP = (400015.0, 3999985.0), (30.0, 30.0)
HEIGHTS = hills(11, 15).astype("f4")
TRANSFORM = upright(FIRST, STEP)
# Rounding of coordinates of 1e7 in double precision; a millimetre in degrees, as the book says of projections.
EXACT, PROJECTED = 1e-6, 1e-8


def graph(at, nodes, outputs, size="(15, 11)", spacing="30", crs=UTM, transform=TRANSFORM, heights=HEIGHTS, **more):
    """A graph over a georeferenced file."""
    tiff(at / "dem.tif", heights, transform, crs)
    return at.graph(f'"dem": Import(file: "dem.tif"), {nodes}', outputs, size=size, spacing=spacing, **more)


def demand_at(path, first, step, size=None, crs=UTM, exact=EXACT):
    """A raster's first and last samples lie where they belong."""
    samples, transform, system = opened(path)
    rows, columns = samples.shape
    demand(size is None or (columns, rows) == size, f"{columns} x {rows} samples")
    demand_equal(centre(transform, 0, 0), first, f"first sample of {path.name}", exact)
    last = (first[0] + (columns - 1) * step[0], first[1] - (rows - 1) * step[1])
    demand_equal(centre(transform, columns - 1, rows - 1), last, f"last sample of {path.name}", exact)
    demand(system == (crs and rasterio.CRS.from_user_input(crs)), f"reference system {system} instead of {crs}")
    return samples


def vertices(json):
    """All vertices of the lines of GeoJSON."""
    lines = []
    for shape in (feature["geometry"] for feature in json["features"]):
        lines += shape["coordinates"] if "Multi" in shape["type"] else [shape["coordinates"]]
    demand(lines, "no lines")
    return [np.array(line, "f8") for line in lines]


@case("place")
def a_part_keeps_its_place(at):
    """`Crop` is the window that rasterio reads, heights and transform."""
    graph(at, '"part": Crop(height: "dem", origin: Some((120, 60)), size: (6, 5))', '"part.tif": "part"')
    at.run().demand_success()
    found = demand_at(at / "out/part.tif", (FIRST[0] + 120, FIRST[1] - 60), STEP, (6, 5))
    demand_equal(found, HEIGHTS[2:7, 4:10])


@case("place")
def other_samples_keep_their_place(at):
    """`Resample` to 29 x 21 keeps the first and the last column; heights of a plane are those of their positions."""
    plane = ramp(11, 15, 3.0, -2.0)
    graph(at, '"fine": Resample(height: "dem", size: (29, 21))', '"fine.tif": "fine"', heights=plane)
    at.run().demand_success()
    # Heights of 100 to 150 in single precision.
    demand_equal(demand_at(at / "out/fine.tif", FIRST, (15.0, 15.0), (29, 21)), ramp(21, 29, 1.5, -1.0), exact=1e-5)


@case("place")
def a_moved_terrain_stays_in_its_frame(at):
    """`Transform` moves heights by two columns within the map: the frame stays, so each height lies 60 m farther east."""
    graph(at, '"moved": Transform(height: "dem", translate: (60, 0))', '"moved.tif": "moved"')
    at.run().demand_success()
    found = demand_at(at / "out/moved.tif", FIRST, STEP, (15, 11))
    demand_equal(found[:, 2:], HEIGHTS[:, :-2], exact=1e-3)


@case("place")
def stretched_and_previewed_maps_keep_their_extent(at):
    """A file of 15 x 11 samples over 29 x 21, and `--size 8x6`: the first and the last samples lie where the file's lie."""
    graph(at, '"n": Perlin()', '"dem.tif": "dem", "n.tif": "n"', size="(29, 21)", spacing="15")
    at.run().demand_success()
    demand_at(at / "out/dem.tif", FIRST, (15.0, 15.0), (29, 21))
    demand_at(at / "out/n.tif", FIRST, (15.0, 15.0), (29, 21))
    at.run("--size", "8x6").demand_success()
    demand_at(at / "out/dem.tif", FIRST, (60.0, 60.0), (8, 6))
    demand_at(at / "out/n.tif", FIRST, (60.0, 60.0), (8, 6))


@case("place")
def one_output_by_eval(at):
    """`terrane eval` writes the same place as `run`."""
    graph(at, '"s": SlopeMap(height: "dem")', '"s.tif": "s"', origin="(1000, 2000)")
    at.terrane("eval", "g.ron", "s", "-o", "s.tif").demand_success()
    demand_at(at / "s.tif", FIRST, STEP, (15, 11))


@case("place")
def contours_of_a_ramp_in_wgs84(at):
    """Contours of a ramp lie at its eastings; each vertex has the longitude and latitude that PROJ computes."""
    grounds = {UTM: FIRST, "EPSG:2193": (1.6e6, 5.2e6), "EPSG:3031": (-2.0e6, 1.0e6), "EPSG:2056": (2.6e6, 1.2e6)}
    for crs, first in grounds.items():
        plane = ramp(11, 15, 1.0)
        graph(at, '"c": Contours(height: "dem", interval: 4.5)', '"c.geojson": "c.lines"', crs=crs,
              transform=upright(first, STEP), heights=plane)
        at.run().demand_success()
        json = at.json("c.geojson")
        demand("crs" not in json, "WGS 84 needs no `crs`")
        for feature, line in zip(json["features"], vertices(json)):
            east = first[0] + 30 * (feature["properties"]["level"] - 100)
            right = np.transpose(lonlat(crs, np.full(11, east), first[1] - 30.0 * np.arange(11)))
            turned = line if np.abs(line - right).max() < np.abs(line[::-1] - right).max() else line[::-1]
            demand_equal(turned, right, f"{crs}: longitude and latitude", PROJECTED)


def demand_no_jump(at, crs, first, step):
    """Contours of a ramp to the south lead across 180 degrees, and no line leads round the Earth instead."""
    graph(at, '"c": Contours(height: "dem", interval: 4.5)', '"c.geojson": "c.lines"', crs=crs,
          transform=upright(first, step), heights=ramp(11, 15, 0.0, 1.0), spacing='File("dem")', size=None)
    ran = at.run()
    demand(ran.code == 0, ran.said)
    lines = vertices(at.json("c.geojson"))
    demand(np.concatenate(lines)[:, 0].max() > 179.99, "the case is empty")
    for line in lines:
        jump = np.abs(np.diff(line[:, 0])).max()
        demand(jump < 1, f"{crs}: a line jumps by {jump:.1f} degrees of longitude: {line[:, 0].tolist()}")


@case("place")
def lines_across_the_antimeridian(at):
    """Ground in UTM zone 60 across 180 degrees: RFC 7946 asks to cut such lines."""
    first = pyproj.Transformer.from_crs(4326, 32760, always_xy=True).transform(179.999, -17.0)
    demand_no_jump(at, "EPSG:32760", first, STEP)


@case("place")
def lines_of_degrees_across_the_antimeridian(at):
    """A model in degrees whose longitudes run from 179.999 to 180.003."""
    demand_no_jump(at, "EPSG:4326", (179.999, -17.0), (0.0003, 0.0003))


@case("place")
def a_reference_system_without_a_code(at):
    """A projection of the user's own: the GeoTIFF keeps it, and GeoJSON is in WGS 84, as its datum is known."""
    plains = "+proj=laea +lat_0=45 +lon_0=-100 +x_0=400000 +y_0=4000000 +datum=WGS84 +units=m"
    own = pyproj.CRS.from_proj4(plains).to_wkt()
    crs = rasterio.CRS.from_wkt(own.replace('"unknown"', '"Our Plains"', 1))
    graph(at, '"c": Contours(height: "dem", interval: 4.5)', '"c.geojson": "c.lines", "dem.tif": "dem"', crs=crs,
          heights=ramp(11, 15, 1.0))
    at.run().demand_success()
    demand_at(at / "out/dem.tif", FIRST, STEP, (15, 11), opened(at / "dem.tif")[2])
    json = at.json("c.geojson")
    back = pyproj.Transformer.from_crs(4326, own, always_xy=True)
    for feature, line in zip(json["features"], vertices(json)):
        east, north = back.transform(line[:, 0], line[:, 1])
        right = FIRST[0] + 30 * (feature["properties"]["level"] - 100)
        demand_equal(east, np.full(len(line), right), "easting", 0.02)
        demand_equal([north.max(), north.min()], [FIRST[1], FIRST[1] - 300], "northing", 0.02)
    demand("crs" not in json, f"crs {json.get('crs')}")


@case("place")
def ground_without_a_place(at):
    """One convention for y: GeoTIFF, GeoJSON, `.vrt` and store of (x, y) are at easting x, northing -y."""
    nodes = '"r": Ramp(from: (0, 0), to: (0, 1000), low: 0, high: 1000), "c": Contours(height: "r", interval: 75)'
    at.graph(nodes, '"r.tif": "r", "c.geojson": "c.lines"', size="(9, 11)", spacing="20", origin="(100, 240)")
    at.run().demand_success()
    found = demand_at(at / "out/r.tif", (100.0, -240.0), (20.0, 20.0), (9, 11), None)
    # Heights up to 440 in single precision.
    demand_equal(found, np.repeat(240.0 + 20.0 * np.arange(11)[:, None], 9, 1), exact=1e-4)
    json = at.json("c.geojson")
    for feature, line in zip(json["features"], vertices(json)):
        # The lines are found between heights in single precision.
        demand_equal(line[:, 1], np.full(len(line), -feature["properties"]["level"]), "northing", 1e-3)
        demand_equal([line[:, 0].min(), line[:, 0].max()], [100.0, 260.0], "easting", EXACT)
    demand("crs" not in json, "a reference system of nowhere")


@case("place")
def meshes_and_points_have_world_coordinates(at):
    """OBJ: x to the east, y up, z to the south, as a right-handed system needs; points as JSON: x and y of the world."""
    nodes = '"m": Mesh(height: "dem"), "p": Points(points: [(130.0, 60.0, None)], height: "dem")'
    graph(at, nodes, '"m.obj": "m", "p.json": "p"', origin="(100, 0)")
    at.run().demand_success()
    lines = (at / "out/m.obj").read_text().splitlines()
    found = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], "f8")
    y, x = np.mgrid[0:11, 0:15]
    right = np.stack([100.0 + 30.0 * x, HEIGHTS, 30.0 * y], -1).reshape(-1, 3)
    # Written with the digits of single precision.
    demand_equal(found, right, "vertices", 1e-3)
    demand_equal(at.json("p.json"), [[130.0, 60.0, HEIGHTS[2, 1]]], "points", 1e-4)


WORLD = '"n": Perlin(wavelength: 300.0, amplitude: 50.0), "dem": Import(file: "dem.tif", origin: (0, 0))'


def world(at, outputs='"n.tif": "n"'):
    """A world of patches of 9 x 9 samples that lies where a file lies; what its samples are, from one larger graph."""
    tiff(at / "dem.tif", HEIGHTS, TRANSFORM, UTM)
    at.graph(WORLD, outputs, size="(9, 9)", spacing="30", name="patch.ron")
    at.write("w.ron", 'World(patch: "patch.ron")')
    at.graph(WORLD.split(', "dem"')[0], '"all.npy": "n"', size="(25, 17)", spacing="30", origin="(-240, -240)")
    at.run().demand_success()
    return at.array("all.npy")


@case("place")
def patches_and_mosaics_of_a_placed_world(at):
    """Patches (-1, -1) to (1, 0): each GeoTIFF, the `.vrt` and the joined file lie on the map of the imported file."""
    right = world(at)
    at.run("--patches=-1..2,-1..1", "--mosaic", "-o", "w", graph="w.ron").demand_success()
    west, north = FIRST[0] - 240, FIRST[1] + 240
    for column in (-1, 0, 1):
        for row in (-1, 0):
            i, j = 8 * (column + 1), 8 * (row + 1)
            found = demand_at(at / f"w/{column}_{row}/n.tif", (west + 30 * i, north - 30 * j), STEP, (9, 9))
            demand_equal(found, right[j : j + 9, i : i + 9])
    for joined in ("n.vrt", "n.tif"):
        demand_equal(demand_at(at / "w" / joined, (west, north), STEP, (25, 17)), right)


@case("place")
def the_store_of_a_placed_world(at):
    """xarray finds each sample at its easting and northing, and `world geotiff` writes it there."""
    right = world(at)[:-1, :-1]
    ran = at.run("--patches=-1..2,-1..1", "-o", "w.zarr", graph="w.ron")
    if "feature" in ran.said:  # A build without stores.
        return
    ran.demand_success()
    store = xarray.open_zarr(at / "w.zarr", group="0", consolidated=False)
    west, north = FIRST[0] - 240, FIRST[1] + 240
    demand_equal(store.x.values, west + 30.0 * np.arange(24), "x", EXACT)
    demand_equal(store.y.values, north - 30.0 * np.arange(16), "y", EXACT)
    demand_equal(store.n.sel(x=west + 60, y=north - 120).item(), right[4, 2])
    demand("32611" in str(store.attrs | store.n.attrs), f"no code: {store.attrs} {store.n.attrs}")
    at.terrane("world", "geotiff", "w.zarr", "n", "-o", "n.tif").demand_success()
    demand_equal(demand_at(at / "n.tif", (west, north), STEP, (24, 16)), right)


@case("place")
def a_coarser_level_of_a_placed_world(at):
    """`--level 1`: samples twice as far apart, from the same first sample on."""
    world(at)
    at.run("--patches", "0..2,0..1", "--level", "1", "--mosaic", "-o", "w", graph="w.ron").demand_success()
    demand_at(at / "w/level_1/1_0/n.tif", (FIRST[0] + 480, FIRST[1]), (60.0, 60.0), (9, 9))
    demand_at(next((at / "w").rglob("n.vrt")), FIRST, (60.0, 60.0), (17, 9))


@case("place")
def what_terrane_wrote_is_read_where_it_was(at):
    """A GeoTIFF and a PNG with its sidecar, imported again without a word, give the same ground at the same place."""
    graph(at, '"n": Perlin()', '"dem.tif": "dem", "dem.png": "dem"', origin="(60, 30)")
    at.run().demand_success()
    for name in ("dem.tif", "dem.tif.json", "dem.png", "dem.png.json"):
        (at / name).write_bytes((at / "out" / name).read_bytes())
    nodes = '"a": Import(file: "dem.tif"), "b": Import(file: "dem.png")'
    at.graph(nodes, '"a.tif": "a", "b.tif": "b"', size="(15, 11)", spacing="30", origin="(60, 30)")
    at.run().demand_success()
    demand_equal(demand_at(at / "out/a.tif", FIRST, STEP, (15, 11)), HEIGHTS)
    # Half a code of 16 bits.
    demand_equal(demand_at(at / "out/b.tif", FIRST, STEP, (15, 11)), HEIGHTS, exact=0.51 * np.ptp(HEIGHTS) / 65535)

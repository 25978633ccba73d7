"""The reference system of what Terrane writes: longitude and latitude of a sample are those of the file that it came from."""

import numpy as np
import rasterio
import tifffile
from frame import case, demand, demand_equal, hills
from geo import lonlat, opened, ramp, tiff, upright
from place_out import vertices
from pyproj import CRS

HEIGHTS = hills(9, 9).astype("f4")


def system(text):
    return rasterio.CRS.from_wkt(CRS.from_user_input(text).to_wkt())


def beside(at, crs, first, step, kind="aux"):
    """A TIFF without tags, placed by `.aux.xml`, or by a world file and a `.prj`."""
    tiff(at / "dem.tif", HEIGHTS)
    if kind == "aux":
        wkt = CRS.from_user_input(crs).to_wkt("WKT1_GDAL").replace('"', "&quot;")
        numbers = ", ".join(map(repr, upright(first, step).to_gdal()))
        at.write("dem.tif.aux.xml", f"<PAMDataset><SRS>{wkt}</SRS><GeoTransform>{numbers}</GeoTransform></PAMDataset>")
    else:
        at.write("dem.tfw", "\n".join(map(repr, (step[0], 0, 0, -step[1], *first))))
        at.write("dem.prj", CRS.from_user_input(crs).to_wkt("WKT1_ESRI"))


def demand_same(written, crs, first, what, exact=1e-8):
    """A raster's reference system gives the first sample the same longitude and latitude, to a millimetre."""
    found = opened(written)[2]
    demand(found, f"{what}: {written.name} has no reference system")
    demand_equal(lonlat(found.to_wkt(), *first), lonlat(crs, *first), f"{what}: longitude and latitude", exact)


def mosaic(at, crs, first, step=(30.0, 30.0)):
    """A patch of a world that lies where a file lies, and its mosaic."""
    tiff(at / "dem.tif", HEIGHTS, upright(first, step), system(crs))
    at.graph('"n": Perlin(), "dem": Import(file: "dem.tif", origin: (0, 0))', '"n.tif": "n"', size="(9, 9)", spacing="30",
             name="patch.ron")
    at.write("w.ron", 'World(patch: "patch.ron")')
    ran = at.run("--patches", "0..1,0..1", "--mosaic", "-o", "w", graph="w.ron")
    demand(ran.code == 0, ran.said)
    demand_same(at / "w/0_0/n.tif", crs, first, crs)
    return ran


@case("place")
def mosaics_of_maps_by_parameters(at):
    """Projections without a code, in a `.vrt` as in the files that it joins, also with feet, and of Mars."""
    for crs in (
        "+proj=laea +lat_0=45 +lon_0=-100 +datum=WGS84 +units=m",
        "+proj=stere +lat_0=90 +lon_0=-45 +k=0.994 +x_0=2000000 +y_0=2000000 +datum=WGS84 +units=m",
        "+proj=lcc +lat_1=33 +lat_2=45 +lat_0=40 +lon_0=-100 +datum=NAD83 +units=us-ft",
        "+proj=merc +lat_ts=30 +lon_0=10 +datum=WGS84 +units=m",
        "+proj=sinu +lon_0=0 +R=6371007.181 +units=m",
    ):
        mosaic(at, crs, (3.0e5, 4.0e5))
        demand_same(at / "w/n.vrt", crs, (3.0e5, 4.0e5), crs)


@case("place")
def mosaics_of_maps_that_a_text_of_proj_lacks(at):
    """Equal-area cylindrical, Cassini, polyconic and a UTM zone of an old ellipsoid: in the `.vrt` too, or named as left out."""
    for crs in (
        "+proj=cea +lat_ts=30 +lon_0=0 +datum=WGS84 +units=m",
        "+proj=cass +lat_0=10 +lon_0=-61 +datum=WGS84 +units=m",
        "+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +datum=WGS84 +units=m",
        "+proj=utm +zone=11 +ellps=intl +units=m",
    ):
        ran = mosaic(at, crs, (3.0e5, 4.0e5))
        if "reference system" not in ran.said:
            demand_same(at / "w/n.vrt", crs, (3.0e5, 4.0e5), crs)


@case("place")
def the_mosaic_of_web_mercator_by_parameters(at):
    """Google's old code 900913: the sphere of Web Mercator has the latitudes of the ellipsoid, so `@null` belongs to it."""
    crs = "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs"
    mosaic(at, crs, (1.0e6, 5.6e6))
    demand_same(at / "w/n.vrt", crs, (1.0e6, 5.6e6), "sphere of Web Mercator")


@case("place")
def the_mosaic_of_degrees_counted_from_paris(at):
    """Longitudes from the meridian of Paris, 2.3372 degrees east of Greenwich."""
    crs = "+proj=longlat +ellps=bessel +pm=paris +no_defs"
    mosaic(at, crs, (1.0, 45.0), (0.001, 0.001))
    demand_same(at / "w/n.vrt", crs, (1.0, 45.0), "Paris")


@case("place")
def degrees_counted_from_paris_by_a_text(at):
    """The same without a code in `.aux.xml`: the GeoTIFF lies there, or has no reference system; it never lies in Greenwich."""
    crs = "+proj=longlat +ellps=bessel +pm=paris +no_defs"
    beside(at, crs, (1.0, 45.0), (0.001, 0.001))
    at.graph('"dem": Import(file: "dem.tif")', '"dem.tif": "dem"', size="(9, 9)", spacing="79")
    demand(at.run().code == 0, "does not run")
    if opened(at / "out/dem.tif")[2]:
        demand_same(at / "out/dem.tif", crs, (1.0, 45.0), "Paris", 1e-4)


@case("place")
def the_rotated_pole_of_a_weather_model(at):
    """Degrees about a rotated pole: GDAL keeps them in `.aux.xml`. The result lies there, or has no reference system."""
    crs = "+proj=ob_tran +o_proj=longlat +o_lon_p=-162 +o_lat_p=39.25 +lon_0=180 +datum=WGS84"
    tiff(at / "dem.tif", HEIGHTS, upright((1.0, 2.0), (0.02, 0.02)), system(crs))
    demand((at / "dem.tif.aux.xml").exists(), "GDAL keeps it otherwise")
    at.graph('"dem": Import(file: "dem.tif")', '"dem.tif": "dem"', size="(9, 9)", spacing="2224")
    ran = at.run()
    demand(ran.code == 0, ran.said)
    if opened(at / "out/dem.tif")[2]:
        demand_same(at / "out/dem.tif", crs, (1.0, 2.0), "rotated pole")


@case("place")
def grads_in_geojson(at):
    """NTF (Paris) in grads, EPSG:4807, in tags and in `.aux.xml`: GeoJSON is in degrees of WGS 84 or named as EPSG:4807."""
    for kind in ("tags", "aux"):
        if kind == "tags":
            tiff(at / "dem.tif", HEIGHTS, upright((1.0, 50.0), (0.001, 0.001)), "EPSG:4807")
        else:
            beside(at, "EPSG:4807", (1.0, 50.0), (0.001, 0.001))
        at.graph('"dem": Import(file: "dem.tif"), "c": Contours(height: "dem", interval: 50)', '"c.geojson": "c.lines"',
                 size="(9, 9)", spacing="70")
        demand(at.run().code == 0, "does not run")
        json = at.json("c.geojson")
        middle = np.mean([line.mean(0) for line in vertices(json)], 0)
        right = lonlat("EPSG:4807", 1.004, 49.996)
        named = json.get("crs", {}).get("properties", {}).get("name", "")
        # The middle of the lines lies within the map of 0.008 grads.
        demand_equal(middle, (1.004, 49.996) if "4807" in named else right, f"{kind}: middle", 0.005)


@case("place")
def a_zone_of_utm_in_feet(at):
    """The code of UTM zone 11 with coordinates in US survey feet, as the keys say: GDAL honours the unit of the keys."""
    keys = (1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32611, 3076, 0, 1, 9003)
    foot, first = 1200 / 3937, (400015.0 * 3937 / 1200, 3999985.0 * 3937 / 1200)
    tie = (0.5, 0.5, 0.0, *first, 0.0)
    tags = [(33550, "d", 3, (100.0, 100.0, 0.0), True), (33922, "d", 6, tie, True), (34735, "H", 20, keys, True)]
    tifffile.imwrite(at / "dem.tif", ramp(9, 9, 1.0), extratags=tags, metadata=None)
    demand_equal(lonlat(opened(at / "dem.tif")[2].to_wkt(), *first), lonlat("EPSG:32611", 400015.0, 3999985.0), "GDAL", 1e-8)
    at.graph('"dem": Import(file: "dem.tif"), "c": Contours(height: "dem", interval: 4)', '"c.geojson": "c.lines"',
             size="(9, 9)", spacing=repr(100 * foot))
    at.run().demand_success()
    json = at.json("c.geojson")
    found, level = vertices(json)[0], json["features"][0]["properties"]["level"]
    easting = 400015.0 + 100 * foot * (level - 100)
    right = np.transpose(lonlat("EPSG:32611", np.full(9, easting), 3999985.0 - 100 * foot * np.arange(9)))
    demand_equal(found[np.argsort(-found[:, 1])], right, "contours", 1e-8)


@case("place")
def the_unit_of_heights_is_not_that_of_slopes(at):
    """NAVD88 heights in US survey feet (EPSG:2263 + 6360): a map of slopes or of metres does not say that it is in feet."""
    first, step = (1.0e6, 2.0e5), (100.0, 100.0)
    tiff(at / "dem.tif", HEIGHTS, upright(first, step), "EPSG:2263+6360")
    nodes = '"dem": Import(file: "dem.tif"), "f": Constant(value: 0.3048006), "m": Combine(a: "dem", b: "f", mode: Multiply)'
    at.graph(f'{nodes}, "s": SlopeMap(height: "m")', '"m.tif": "m", "s.tif": "s"', size="(9, 9)", spacing="30.48006096")
    demand(at.run().code == 0, "does not run")
    for name in ("m.tif", "s.tif"):
        demand_same(at / "out" / name, "EPSG:2263", first, name)
        with rasterio.open(at / "out" / name) as file:
            demand(file.units[0] in (None, "", "metre"), f"{name} is in `{file.units[0]}`")

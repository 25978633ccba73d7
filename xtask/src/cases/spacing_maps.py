"""Maps whose unit is not a metre of ground, while the graph's spacing is that of the map."""

from frame import case
from geo import EARTH, ground_steps, ramp, tiff, upright
from pyproj import CRS, Geod
from spacing_said import SPHERE, demand_slope, demand_told, slopes


def projected(at, crs, first, step, spacing="30", part=1e-3, geod=EARTH):
    """A ramp on a map, with what geodesics say of its middle."""
    tiff(at / "dem.tif", ramp(40, 60), upright(first, step), crs)
    slopes(at, "(60, 40)", spacing)
    right = ground_steps(crs, (first[0] + 29.5 * step[0], first[1] - 19.5 * step[1]), step, geod)
    demand_told(at, right, part)
    demand_slope(at, 3 / right[0], part + 0.01)


@case("spacing")
def degrees_near_the_poles_and_at_the_equator(at):
    """EPSG:4326 and 4269, an arc second, at latitudes 0, -33.5, 60 and 71."""
    for crs, latitude in (("EPSG:4326", 0.005), ("EPSG:4326", -33.5), ("EPSG:4269", 60.0), ("EPSG:4326", 71.0)):
        projected(at, crs, (10.0, latitude), (1 / 3600, 1 / 3600), "100", SPHERE)


@case("spacing")
def a_map_in_feet_of_a_survey(at):
    """Cells of three US survey feet (EPSG:2263): 3 x 1200 / 3937 m; the map's own scale is within 0.01 %."""
    projected(at, "EPSG:2263", (1.0e6, 2.0e5), (3.0, 3.0), "3")


@case("spacing")
def a_map_in_international_feet(at):
    """EPSG:2913 (Oregon North, ft); the difference to survey feet is 2 in a million, and `File` follows the unit's definition."""
    tiff(at / "dem.tif", ramp(40, 60), upright((7.6e6, 7.0e5), (10000.0, 10000.0)), "EPSG:2913")
    slopes(at, None, 'File("dem")')
    at.run().demand_success()
    demand_slope(at, 3 / 3048.0, 1e-6)


@case("spacing")
def heights_in_feet_by_the_vertical_reference_system(at):
    """EPSG:2263 + 6360 (NAVD88 height, US survey feet): GDAL writes only the code of the vertical system, not its unit."""
    for vertical, metres in (("6360", 1200 / 3937), ("8228", 0.3048)):
        tiff(at / "dem.tif", ramp(40, 60, 30.0), upright((1.0e6, 2.0e5), (100.0, 100.0)), f"EPSG:2263+{vertical}")
        slopes(at, None, 'File("dem")')
        at.run().demand_success("heights are in", "multiply them by", str(metres)[:6])


@case("spacing")
def a_map_in_kilometres(at):
    """A projection with `+units=km`, as climate models have it."""
    crs = "+proj=lcc +lat_1=44.9 +lat_2=45.1 +lat_0=45 +lon_0=10 +datum=WGS84 +units=km +no_defs"
    projected(at, crs, (100.0, 5.0), (0.25, 0.25), "0.25", 1e-4)


@case("spacing")
def web_mercator_far_north(at):
    """EPSG:3857 at 59.7 degrees north: a metre of the map is half a metre of ground."""
    projected(at, "EPSG:3857", (1.0e6, 8.3e6), (30.0, 30.0), "30", SPHERE)


@case("spacing")
def web_mercator_of_other_programs(at):
    """ESRI's old code 102113, which GeoTIFF can only describe by the parameters of a Mercator projection of a sphere."""
    projected(at, "ESRI:102113", (1.0e6, 8.3e6), (30.0, 30.0), "30", SPHERE)


@case("spacing")
def web_mercator_by_a_text_without_a_code(at):
    """A `.prj` of ESRI's WGS_1984_Web_Mercator (102113) beside a PNG with a world file."""
    steps = ground_steps("ESRI:102113", (1.0e6, 8.3e6), (30.0, 30.0))
    tiff(at / "dem.png", ramp(40, 60).astype("u2"), driver="PNG")
    at.write("dem.pgw", "30\n0\n0\n-30\n999115\n8300585\n")
    at.write("dem.prj", CRS.from_user_input("ESRI:102113").to_wkt("WKT1_ESRI"))
    slopes(at, "(60, 40)", "30", file="dem.png")
    demand_told(at, steps, SPHERE)


@case("spacing")
def the_mercator_projection_of_the_ellipsoid(at):
    """EPSG:3395 (World Mercator) at 59.8 degrees north stretches as Web Mercator does."""
    projected(at, "EPSG:3395", (1.0e6, 8.3e6), (30.0, 30.0), "30", SPHERE)


@case("spacing")
def an_equidistant_cylindrical_map(at):
    """EPSG:4087 at 59.3 degrees north: metres along a meridian, but twice the true metres along a parallel."""
    projected(at, "EPSG:4087", (1.0e6, 6.6e6), (30.0, 30.0), "30", SPHERE)


@case("spacing")
def an_equal_area_cylindrical_map(at):
    """EASE-Grid 2.0 (EPSG:6933), as satellite products come: at 54 degrees north 19.9 m by 45.1 m of ground."""
    projected(at, "EPSG:6933", (1.0e6, 6.0e6), (30.0, 30.0), "30", SPHERE)


@case("spacing")
def mars_by_tags_and_by_a_text_beside_the_file(at):
    """Degrees of Mars: the radius is 3396.19 km, whether tags say so or `dem.tif.aux.xml` does."""
    mars = Geod(a=3396190.0, b=3396190.0)
    projected(at, "IAU_2015:49900", (10.0, 50.0), (0.001, 0.001), "30", 1e-5, mars)
    tiff(at / "dem.tif", ramp(40, 60))
    wkt = CRS.from_user_input("IAU_2015:49900").to_wkt("WKT1_GDAL").replace('"', "&quot;")
    numbers = "9.9995, 0.001, 0.0, 50.0005, 0.0, -0.001"
    at.write("dem.tif.aux.xml", f"<PAMDataset><SRS>{wkt}</SRS><GeoTransform>{numbers}</GeoTransform></PAMDataset>")
    slopes(at, "(60, 40)", "30")
    demand_told(at, ground_steps("IAU_2015:49900", (10.0295, 49.9805), (0.001, 0.001), mars), 1e-5)


@case("spacing")
def an_equirectangular_map_of_mars(at):
    """IAU_2015:49910, the projection of most models of Mars: at 50 degrees a metre of the map along a parallel is 0.64 m."""
    mars = Geod(a=3396190.0, b=3396190.0)
    projected(at, "IAU_2015:49910", (1.0e5, 3.0e6), (100.0, 100.0), "100", SPHERE, mars)


@case("spacing")
def degrees_in_grads(at):
    """NTF (Paris) (EPSG:4807) is in grads: 0.9 degrees, in tags and in a `.prj`."""
    projected(at, "EPSG:4807", (2.0, 50.0), (0.0003, 0.0003), "30", SPHERE)
    tiff(at / "dem.tif", ramp(40, 60))
    at.write("dem.tfw", "0.0003\n0\n0\n-0.0003\n2\n50\n")
    at.write("dem.prj", CRS.from_epsg(4807).to_wkt("WKT1_GDAL"))
    slopes(at, "(60, 40)", "30")
    demand_told(at, ground_steps("EPSG:4807", (2.009, 49.994), (0.0003, 0.0003)), SPHERE)


@case("spacing")
def a_prj_in_feet_without_a_code(at):
    """A county's grid: a TIFF with `.tfw` and ESRI's `.prj`, whose unit is Foot_US and which has no EPSG code."""
    tiff(at / "dem.tif", ramp(40, 60))
    at.write("dem.tfw", "10.0\n0.0\n0.0\n-10.0\n1000005.0\n199995.0\n")
    wkt = CRS.from_epsg(2263).to_wkt("WKT1_ESRI").replace("NAD_1983_StatePlane_New_York_Long_Island_FIPS_3104_Feet", "Our_County")
    at.write("dem.prj", wkt)
    slopes(at, "(60, 40)", "10")
    demand_told(at, (12000 / 3937,) * 2)
    demand_slope(at, 3 / (12000 / 3937), 1e-5)


@case("spacing")
def a_conic_map_between_its_parallels(at):
    """EPSG:3034 (Europe, parallels at 35 and 65 degrees): at 53 degrees 30 m of the map are 31.05 m of ground, 3.5 % more."""
    projected(at, "EPSG:3034", (4.0e6, 2.9e6), (30.0, 30.0), "30", SPHERE)


@case("spacing")
def heights_in_feet_by_a_text(at):
    """A `.prj` of ESRI whose VERTCS is in Foot_US, and GDAL's `.aux.xml` with a compound system."""
    tiff(at / "dem.tif", ramp(40, 60, 30.0))
    first, step = (1.0e6, 2.0e5), (100.0, 100.0)
    horizontal, vertical = CRS.from_epsg(2263).to_wkt("WKT1_ESRI"), CRS.from_epsg(6360).to_wkt("WKT1_ESRI")
    at.write("dem.tfw", f"{step[0]}\n0\n0\n{-step[1]}\n{first[0]}\n{first[1]}\n")
    at.write("dem.prj", f"{horizontal},{vertical}")
    slopes(at, None, 'File("dem")')
    at.run().demand_success("heights are in", "0.3048")
    (at / "dem.prj").unlink()
    (at / "dem.tfw").unlink()
    wkt = CRS.from_user_input("EPSG:2263+6360").to_wkt("WKT1_GDAL").replace('"', "&quot;")
    numbers = ", ".join(map(repr, upright(first, step).to_gdal()))
    at.write("dem.tif.aux.xml", f"<PAMDataset><SRS>{wkt}</SRS><GeoTransform>{numbers}</GeoTransform></PAMDataset>")
    at.run().demand_success("heights are in", "0.3048")

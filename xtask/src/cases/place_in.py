"""Orientation and position on the way in: where the samples of a file lie, as GDAL and QGIS say."""

import numpy as np
import rasterio
import rioxarray  # noqa: F401  (adds `rio` to arrays)
import tifffile
import xarray
from frame import case, demand, demand_equal, hills
from geo import centre, opened, tiff, upright
from pyproj import CRS
from rasterio.control import GroundControlPoint
from rasterio.transform import Affine
from rasterio.warp import Resampling, reproject

UTM = "EPSG:32611"
FIRST, STEP = (400015.0, 3999985.0), (30.0, 30.0)
HEIGHTS = hills(11, 15).astype("f4")
TRANSFORM = upright(FIRST, STEP)
# The keys of UTM zone 11 with areas and with points.
KEYS = {kind: (1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, kind, 3072, 0, 1, 32611) for kind in (1, 2)}


def imports(at, file="dem.tif", size="(15, 11)", rest="", spacing="30"):
    return at.graph(f'"dem": Import(file: "{file}"{rest})', '"dem.tif": "dem"', size=size, spacing=spacing)


def demand_place(at, heights, transform, crs=UTM, exact=1e-6, name="dem.tif"):
    """The output has these heights, and its samples lie where they belong, except for rounding of 1e7 in double precision."""
    found, at_map, system = opened(at / "out" / name)
    demand_equal(found, heights)
    for column, row in ((0, 0), (heights.shape[1] - 1, 0), (0, heights.shape[0] - 1)):
        demand_equal(centre(at_map, column, row), centre(transform, column, row), f"position of {column}, {row}", exact)
    demand(crs is None or system == rasterio.CRS.from_user_input(crs), f"reference system {system} instead of {crs}")


def tagged(at, heights, kind=1, **tags):
    """A TIFF by tifffile with tags of its own."""
    codes = {"scale": (33550, "d"), "tie": (33922, "d"), "matrix": (34264, "d")}
    extra = [(codes[name][0], codes[name][1], len(values), values, True) for name, values in tags.items()]
    tifffile.imwrite(at / "dem.tif", heights, extratags=[*extra, (34735, "H", 16, KEYS[kind], True)], metadata=None)


@case("place")
def pixels_that_are_points_or_areas(at):
    """The same ground with PixelIsPoint and PixelIsArea: GDAL moves the corner by half a sample, and the samples stay."""
    for kind in ("Point", "Area"):
        tiff(at / "dem.tif", HEIGHTS, TRANSFORM, UTM)
        with rasterio.open(at / "dem.tif", "r+") as file:
            file.update_tags(AREA_OR_POINT=kind)
        imports(at)
        at.run().demand_success()
        demand_place(at, HEIGHTS, TRANSFORM)
        with rasterio.open(at / "out/dem.tif") as file:
            demand(file.tags()["AREA_OR_POINT"] == kind, f"{file.tags()} instead of {kind}")


@case("place")
def tie_points_elsewhere_than_at_the_first_sample(at):
    """The tie point is the last sample, the middle, or outside of the raster, of points and of areas."""
    for kind, half in ((1, 0.5), (2, 0.0)):
        for column, row in ((15.0, 11.0), (7.25, 5.5), (-100.0, 2000.0)):
            east, north = FIRST[0] + (column - half) * 30.0, FIRST[1] - (row - half) * 30.0
            tagged(at, HEIGHTS, kind, scale=(30.0, 30.0, 0.0), tie=(column, row, 0.0, east, north, 0.0))
            demand_equal(centre(opened(at / "dem.tif")[1], 0, 0), FIRST, "GDAL's position")
            imports(at)
            at.run().demand_success()
            demand_place(at, HEIGHTS, TRANSFORM)


@case("place")
def a_matrix_of_areas_and_of_points(at):
    """ModelTransformation instead of scale and tie point, also of a raster that is south-up."""
    for kind, half in ((1, 0.5), (2, 0.0)):
        for up in (-30.0, 30.0):
            first = FIRST if up < 0 else (FIRST[0], FIRST[1] - 10 * 30.0)
            matrix = (30.0, 0, 0, first[0] - half * 30.0, 0, up, 0, first[1] - half * up, 0, 0, 0, 0, 0, 0, 0, 1.0)
            tagged(at, HEIGHTS if up < 0 else HEIGHTS[::-1], kind, matrix=matrix)
            demand_equal(centre(opened(at / "dem.tif")[1], 0, 0), first, "GDAL's position")
            imports(at)
            at.run().demand_success(*(["southernmost", "turned so that north is up"] if up > 0 else []))
            demand_place(at, HEIGHTS, TRANSFORM)


@case("place")
def a_scale_and_a_matrix_in_one_file(at):
    """Some writers leave a matrix of zeros beside scale and tie point; GDAL takes the scale."""
    tagged(at, HEIGHTS, scale=(30.0, 30.0, 0.0), tie=(0.0, 0.0, 0.0, 4.0e5, 4.0e6, 0.0), matrix=(0.0,) * 16)
    demand(opened(at / "dem.tif")[1] == TRANSFORM, "GDAL says otherwise")
    imports(at)
    ran = at.run()
    demand(ran.code == 0, ran.said)
    demand_place(at, HEIGHTS, TRANSFORM)


@case("place")
def all_mirrored_and_quarter_turned_rasters(at):
    """Seven positions of one ground, with a mask beside the file that must be turned with it."""
    known = np.ones(HEIGHTS.shape, "u1") * 255
    known[2, 3:5] = 0
    right = np.where(known == 255, HEIGHTS, np.nan)
    width, height = HEIGHTS.shape[::-1]
    mirror_x = Affine.translation(width, 0) @ Affine.scale(-1, 1)
    mirror_y = Affine.translation(0, height) @ Affine.scale(1, -1)
    swap = Affine(0, 1, 0, 1, 0, 0)
    for turn, move in (
        (mirror_x, lambda a: a[:, ::-1]),
        (mirror_y, lambda a: a[::-1]),
        (mirror_x @ mirror_y, lambda a: a[::-1, ::-1]),
        (swap, lambda a: a.T),
        (mirror_x @ swap, lambda a: a[:, ::-1].T),
        (mirror_y @ swap, lambda a: a[::-1].T),
        (mirror_x @ mirror_y @ swap, lambda a: a[::-1, ::-1].T),
    ):
        tiff(at / "dem.tif", move(HEIGHTS), TRANSFORM @ turn, UTM)
        tiff(at / "dem.tif.msk", move(known))
        imports(at, rest=", voids: Keep")
        at.run().demand_success("turned so that north is up")
        demand_place(at, right, TRANSFORM)


@case("place")
def a_raster_of_xarray_whose_rows_start_in_the_south(at):
    """`rio.to_raster` of an array with ascending y, as NetCDF has it, and longitudes from 0 to 360."""
    y, x = 45.0 + 0.01 * np.arange(11), 237.0 + 0.01 * np.arange(15)
    array = xarray.DataArray(HEIGHTS[::-1], coords={"y": y, "x": x}, dims=("y", "x")).rio.write_crs(4326)
    array.rio.to_raster(at / "dem.tif")
    imports(at, spacing="785")
    at.run().demand_success("southernmost")
    demand_place(at, HEIGHTS, upright((237.0, 45.1), (0.01, 0.01)), "EPSG:4326", 1e-11)


@case("place")
def world_files_of_all_names(at):
    """`.tfw`, `.TFW`, `.tifw`, `.wld` of TIFF, `.pgw` of PNG, with decimal commas, CR and exponents; GDAL finds the same."""
    text = "30.0\n0.0\n0.0\n-30.0\n400015.0\n3999985.0\n"
    short = "  3.0E+01 \n 0 \n -0 \n -3.0e1\n  4.00015e5\n3999985"
    names = {"dem.tfw": text, "dem.TFW": text, "dem.tifw": text.replace("\n", "\r\n"), "dem.wld": text, "dem.TIFW": short}
    for name, content in names.items():
        tiff(at / "dem.tif", HEIGHTS)
        at.write(name, content)
        demand(opened(at / "dem.tif")[1] == TRANSFORM, f"GDAL reads {name} otherwise")
        imports(at)
        at.run().demand_success()
        demand_place(at, HEIGHTS, TRANSFORM, None)
        (at / name).unlink()
    whole = HEIGHTS.round().astype("u2")
    tiff(at / "dem.png", whole, driver="PNG")
    at.write("dem.pgw", text.replace(".", ","))
    imports(at, "dem.png")
    at.run().demand_success()
    demand_place(at, whole, TRANSFORM, None)


@case("place")
def a_world_file_that_contradicts_the_tags(at):
    """GDAL takes the tags of a GeoTIFF, and the world file only without them; `.aux.xml` counts before both."""
    tiff(at / "dem.tif", HEIGHTS, TRANSFORM, UTM)
    at.write("dem.tfw", "10\n0\n0\n-10\n0\n0\n")
    imports(at)
    at.run().demand_success()
    demand_place(at, HEIGHTS, TRANSFORM)
    numbers = "4.2e5, 3.0e1, 0, 4.1e6, 0, -3.0e1"
    at.write("dem.tif.aux.xml", f"<PAMDataset><GeoTransform>{numbers}</GeoTransform></PAMDataset>")
    moved = Affine(30.0, 0.0, 4.2e5, 0.0, -30.0, 4.1e6)
    demand(opened(at / "dem.tif")[1] == moved, "GDAL says otherwise")
    at.run().demand_success()
    demand_place(at, HEIGHTS, moved)


@case("place")
def a_world_file_that_cannot_be_used(at):
    """Five numbers, or a rotation by ten degrees: named, never half used."""
    tiff(at / "dem.tif", HEIGHTS)
    at.write("dem.tfw", "30\n0\n0\n-30\n400015\n")
    imports(at, spacing="1")
    at.run().demand_success("dem.tfw", "six numbers")
    at.write("dem.tfw", "29.5\n5.2\n5.2\n-29.5\n400015\n3999985\n")
    at.run().demand_refusal("10.0 degrees", "gdalwarp")


@case("place")
def what_gdalwarp_makes_of_a_turned_raster(at):
    """The remedy of the refusal: the warped file, with its empty corners, lies where GDAL says."""
    turn = Affine.translation(4.0e5, 4.0e6) @ Affine.rotation(30.0) @ Affine.scale(30.0, -30.0)
    tiff(at / "dem.tif", HEIGHTS, turn, UTM)
    imports(at)
    at.run().demand_refusal("degrees south of east", "`gdalwarp turned.tif upright.tif`")
    warped = np.full((25, 25), np.nan, "f4")
    to = upright((399900.0, 4000200.0), STEP)
    same = {"src_crs": UTM, "dst_crs": UTM, "resampling": Resampling.nearest, "dst_nodata": np.nan}
    reproject(HEIGHTS, warped, src_transform=turn, dst_transform=to, **same)
    tiff(at / "dem.tif", warped, to, UTM, nodata=np.nan)
    imports(at, size="(25, 25)", rest=", voids: Keep")
    at.run().demand_success()
    demand(np.isnan(warped).any() and not np.isnan(warped).all(), "the case is empty")
    demand_place(at, warped, to)


@case("place")
def reference_systems_as_texts(at):
    """`.prj` beside a world file in WKT 1 of GDAL and of ESRI, WKT 2, and a compound system."""
    utm, compound = CRS.from_epsg(32611), CRS.from_user_input("EPSG:32611+5703")
    texts = [utm.to_wkt(kind) for kind in ("WKT1_GDAL", "WKT1_ESRI", "WKT2_2015", "WKT2_2019")]
    for text in (*texts, utm.to_wkt("WKT1_GDAL", pretty=True), compound.to_wkt("WKT2_2019")):
        tiff(at / "dem.tif", HEIGHTS)
        at.write("dem.tfw", "30\n0\n0\n-30\n400015\n3999985\n")
        at.write("dem.prj", text)
        imports(at)
        at.run().demand_success()
        demand_place(at, HEIGHTS, TRANSFORM)


@case("place")
def ground_control_points(at):
    """Four points instead of a transform: named, with a remedy that works, and the heights are the file's."""
    corners = [GroundControlPoint(row, column, *(TRANSFORM * (column, row))) for row in (0, 11) for column in (0, 15)]
    tiff(at / "dem.tif", HEIGHTS, crs=UTM, gcps=corners)
    imports(at)
    at.run().demand_success("4 ground control points", "gdalwarp")
    demand_equal(opened(at / "out/dem.tif")[0], HEIGHTS)
    demand(opened(at / "out/dem.tif")[1] != TRANSFORM, "placed by points that are said not to be used")

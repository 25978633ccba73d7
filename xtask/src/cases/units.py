"""Units of heights: in a band, in a reference system, and in a file beside the raster."""

import rasterio
import tifffile
from compressed import numbers
from frame import case, demand
from rasters import demand_import, gdal_raster, imported
from tags import beside, described

KIND = "tags"
PLACE = dict(transform=rasterio.transform.from_origin(5e5, 4e6, 1.0, 1.0))


@case(KIND)
def feet_in_the_unit_of_a_band(at):
    """Heights stay the file's; the warning names the unit and the factor: feet, US survey feet, kilometres."""
    heights = numbers("f4")
    for unit, factor in [("ft", "0.3048"), ("US survey foot", "0.3048006096012192"), ("km", "1000")]:
        described(at, "dem.tif", heights, unit=unit, crs="EPSG:26911", **PLACE)
        demand_import(at, "dem.tif", heights, f"the heights are in {unit}", factor)
    described(at, "dem.tif", heights, unit="metre", crs="EPSG:26911", **PLACE)
    demand_import(at, "dem.tif", heights)


@case(KIND)
def feet_of_a_vertical_reference_system(at):
    """A compound system, of whose vertical part GDAL writes only the code: heights above NAVD88 in feet and in survey feet."""
    heights = numbers("f4")
    for code, name in [("5703", None), ("6360", "US survey feet"), ("8228", "feet"), ("5702", "US survey feet")]:
        gdal_raster(at / "dem.tif", heights, crs=f"EPSG:26911+{code}", **PLACE)
        demand_import(at, "dem.tif", heights, *([f"the heights are in {name}"] if name else []))


@case(KIND)
def feet_of_a_reference_system_beside_the_file(at):
    """A compound system as text, in an auxiliary file and in a `.prj`: its vertical part is in survey feet."""
    heights = numbers("f4")
    text = rasterio.CRS.from_user_input("EPSG:26911+6360").to_wkt()
    gdal_raster(at / "dem.tif", heights, **PLACE)
    beside(at, "dem.tif", "", f"<SRS>{text.replace('&', '&amp;')}</SRS>")
    demand_import(at, "dem.tif", heights, "the heights are in US survey feet")
    gdal_raster(at / "other.tif", heights, **PLACE)
    at.write("other.prj", text)
    demand_import(at, "other.tif", heights, "the heights are in US survey feet")


@case(KIND)
def vertical_units_by_their_own_names(at):
    """Codes of vertical units: the warning's name and factor fit each other."""
    heights = numbers("f4")
    place = [(33550, "d", 3, (1.0, 1.0, 0.0), True), (33922, "d", 6, (0.0, 0.0, 0.0, 5e5, 4e6, 0.0), True)]
    for code, factor, wrong in [(1025, "0.001", "centi"), (1033, "0.01", "millimetres"), (9041, "0.30479947", "millimetres")]:
        keys = (1, 1, 0, 4, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 26911, 4099, 0, 1, code)
        tifffile.imwrite(at / "dem.tif", heights, metadata=None, extratags=[*place, (34735, "H", len(keys), keys, True)])
        ran = imported(at, "dem.tif", heights.shape).demand_success("the heights are in", f"multiply them by {factor}")
        demand(wrong not in ran.said, f"code {code}: {ran.said[:300]}")


@case(KIND)
def unit_beside_the_file_counts_before_its_own(at):
    """An auxiliary file that corrects a wrong unit, as GDAL reads it: no warning of feet is left, and one of feet comes."""
    heights = numbers("i2")
    described(at, "dem.tif", heights, unit="ft")
    beside(at, "dem.tif", "<UnitType>metre</UnitType>")
    demand_import(at, "dem.tif", heights)
    described(at, "dem.tif", heights, unit="m")
    beside(at, "dem.tif", "<UnitType>ft</UnitType>")
    demand_import(at, "dem.tif", heights, "the heights are in ft")

"""Units of coordinates: lengths are converted to the unit of heights, and degrees are rejected."""

import warnings

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr

# A plane that rises by half a unit of height for each metre.
METRES = 30.0
PLANE = np.tile(0.5 * METRES * np.arange(12), (10, 1)).astype(np.float32)


def plane(step=(METRES, METRES), dims=("y", "x"), units=None, heights=None, standard=None):
    coords = {dims[0]: step[0] * (9 - np.arange(10.0)), dims[1]: step[1] * np.arange(12.0)}
    array = xr.DataArray(PLANE, coords=coords, dims=dims)
    for at, dim in enumerate(dims):
        if units:
            array[dim].attrs["units"] = units
        if standard:
            array[dim].attrs["standard_name"] = standard[at]
    if heights:
        array.attrs["units"] = heights
    return array


def slope(array):
    return float(tr.apply.SlopeMap(array)[5, 6])


@pytest.mark.parametrize("units", ["m", "metre", "meters", "Metres", None, "1", "pixels"])
def test_metres_need_no_conversion(units):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert slope(plane(units=units)) == pytest.approx(0.5, rel=1e-6)


@pytest.mark.parametrize(
    ("units", "metres"),
    [
        ("km", 1000.0), ("kilometer", 1000.0), ("ft", 0.3048), ("feet", 0.3048), ("US survey foot", 1200 / 3937),
        ("us-ft", 1200 / 3937), ("US_survey_foot", 1200 / 3937), ("cm", 0.01), ("miles", 1609.344),
    ],
)
def test_other_lengths_are_converted(units, metres):
    step = METRES / metres
    with pytest.warns(UserWarning, match="heights are taken for metres"):
        assert slope(plane((step, step), units=units)) == pytest.approx(0.5, rel=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert slope(plane((step, step), units=units, heights="m")) == pytest.approx(0.5, rel=1e-5)
        # Heights in the same unit: nothing is converted.
        assert slope(plane(units=units, heights=units)) == pytest.approx(0.5, rel=1e-5)
    contours = tr.apply.Contours(plane((step, step), units=units, heights="m"), interval=60.0, output="lines").to_geojson()
    for feature in contours["features"]:
        x = {round(point[0] / step, 3) for point in feature["geometry"]["coordinates"]}
        assert len(x) == 1 and x.pop() % 4 == 0, "a contour is where the plane has its height, in the array's unit"


def test_heights_in_feet_over_metres():
    assert slope(plane(units="m", heights="ft")) == pytest.approx(0.5 * 0.3048, rel=1e-5)


@pytest.mark.parametrize(("heights", "metres"), [("dm", 0.1), ("inch", 0.0254), ("fathoms", 1.8288)])
def test_heights_in_other_lengths(heights, metres):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert slope(plane(units="m", heights=heights)) == pytest.approx(0.5 * metres, rel=1e-5)


def test_an_unknown_unit_of_heights_is_told():
    with pytest.warns(UserWarning, match="unit of heights, `furlong`, is not a known length"):
        assert slope(plane(units="m", heights="furlong")) == pytest.approx(0.5, rel=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A rate of uplift is no height.
        slope(plane(units="m", heights="m/yr"))


@pytest.mark.parametrize("missing", [None, 0])
def test_scale_and_offset_count_as_in_imported_files(missing):
    stored = np.arange(120, dtype=np.int16).reshape(10, 12)
    array = plane().copy(data=stored)
    array.attrs = {"scale_factor": 0.1, "add_offset": 100.0} | ({} if missing is None else {"_FillValue": missing})
    heights = tr.apply.Clamp(array, max=1000.0)
    expected = (stored * 0.1 + 100.0).astype(np.float32)
    if missing is not None:
        expected[0, 0] = np.nan
    assert np.array_equal(heights, expected, equal_nan=True)
    assert "scale_factor" not in heights.attrs and "add_offset" not in heights.attrs
    array.attrs["scale_factor"] = "much"
    with pytest.raises(tr.UsageError, match="the attribute scale_factor='much' is not a number"):
        tr.apply.Clamp(array, max=1000.0)


def test_a_map_whose_metres_are_not_those_of_the_ground():
    pyproj = pytest.importorskip("pyproj")

    def placed(code):
        x, y = pyproj.Transformer.from_crs(4326, code, always_xy=True).transform(10.0, 60.0)
        array = plane(units="m")
        array = array.assign_coords(x=array.x + x, y=array.y + y)
        return array.assign_coords(spatial_ref=xr.DataArray(0, attrs={"crs_wkt": pyproj.CRS.from_epsg(code).to_wkt()}))

    # At 60 degrees, Web Mercator is twice as long as the ground, on a sphere; the geometric mean of both axes here.
    with pytest.warns(UserWarning, match="apart on the ground and 30 on the map \\(EPSG:3857\\)"):
        assert slope(placed(3857)) == pytest.approx(1.0, rel=0.004)
    assert float(tr.apply.SlopeMap(placed(3857), spacing=METRES)[5, 6]) == pytest.approx(0.5, rel=1e-6)
    # Columns and rows of an equal-area map of the world are stretched differently.
    with pytest.raises(tr.UsageError, match="on the ground, samples are"):
        slope(placed(6933))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert slope(placed(32632)) == pytest.approx(0.5, rel=1e-6)


def test_a_transform_without_coordinates_counts(tmp_path):
    rioxarray = pytest.importorskip("rioxarray")
    plane().rio.write_crs(32611).rio.to_raster(tmp_path / "dem.tif")
    array = rioxarray.open_rasterio(tmp_path / "dem.tif", parse_coordinates=False)
    assert "x" not in array.coords
    assert np.array_equal(array.terrane.SlopeMap(), rioxarray.open_rasterio(tmp_path / "dem.tif").terrane.SlopeMap())
    degrees = array.assign_coords(spatial_ref=array.spatial_ref.rio.write_crs(4326).spatial_ref)
    degrees.spatial_ref.attrs["GeoTransform"] = array.spatial_ref.attrs["GeoTransform"]
    with pytest.raises(tr.UsageError, match="in degrees"):
        degrees.terrane.SlopeMap()


def test_angles_of_each_sample_are_rejected():
    array = xr.DataArray(PLANE, dims=("y", "x"))
    array = array.assign_coords(lat=(("y", "x"), PLANE), lon=(("y", "x"), PLANE))
    with pytest.raises(tr.UsageError, match="each sample has its own angle, `lat`"):
        slope(array)
    assert tr.apply.SlopeMap(array, spacing=METRES).coords.equals(array.coords)
    assert slope(array.drop_vars(["lat", "lon"])) == pytest.approx(0.5 * METRES)


@pytest.mark.parametrize("units", ["furlong", "s", "counts"])
def test_other_units_are_refused_by_name(units):
    with pytest.raises(tr.UsageError, match=f"in `{units}`, which is not a known length"):
        slope(plane(units=units))
    assert np.array_equal(tr.apply.SlopeMap(plane(units=units), spacing=METRES), tr.apply.SlopeMap(PLANE, spacing=METRES))


DEGREES = [
    plane(dims=("lat", "lon")),
    plane(dims=("latitude", "longitude")),
    plane(dims=("Lat", "Lon")),
    plane(standard=("latitude", "longitude")),
    plane(standard=("grid_latitude", "grid_longitude")),
    *(plane(units=units) for units in ["deg", "degree", "degrees", "degrees_north", "degree_east", "Degrees", "decimal degrees", "°", "rad", "arcsec"]),
    plane().assign_coords(spatial_ref=xr.DataArray(0, attrs={"crs_wkt": 'GEOGCRS["WGS 84"]'})),
    plane().assign_coords(spatial_ref=xr.DataArray(0, attrs={"grid_mapping_name": "latitude_longitude"})),
]


@pytest.mark.parametrize("array", DEGREES)
def test_angles_are_rejected(array):
    for call in (tr.apply.SlopeMap, tr.Graph.over):
        with pytest.raises(tr.UsageError, match="from which slopes and areas cannot be computed") as error:
            call(array)
        assert "spacing" not in error.value.help
    assert tr.apply.SlopeMap(array, spacing=METRES).dims == array.dims


def test_names_of_angles_with_lengths_are_lengths():
    assert slope(plane(dims=("lat", "lon"), units="m")) == pytest.approx(0.5)


def test_the_unit_of_the_crs_counts():
    pytest.importorskip("rioxarray")
    for epsg, metres in [(2263, 1200 / 3937), (2222, 0.3048), (32611, 1.0)]:
        step = METRES / metres
        array = plane((step, step), heights="m").rio.write_crs(epsg)
        assert slope(array) == pytest.approx(0.5, rel=1e-5)
    with pytest.warns(UserWarning, match="US survey feet"):
        assert slope(plane((METRES, METRES)).rio.write_crs(2263)) == pytest.approx(0.5 * 3937 / 1200, rel=1e-5)
    with pytest.raises(tr.UsageError, match="in degrees"):
        slope(plane().rio.write_crs(4326))


def test_the_code_of_a_store_counts_as_a_crs():
    array = plane()
    array.attrs["proj:code"] = "EPSG:2263"
    feet = METRES / (1200 / 3937)
    with pytest.warns(UserWarning, match="heights are taken for metres"):
        assert slope(plane((feet, feet)).assign_attrs(array.attrs)) == pytest.approx(0.5, rel=1e-5)
    assert tr.apply.Blur(array.assign_attrs(units="m")).attrs["proj:code"] == "EPSG:2263"
    with pytest.raises(tr.UsageError, match="in degrees"):
        slope(array.assign_attrs({"proj:code": "EPSG:4326"}))


@pytest.mark.parametrize("dims", [("lat", "lon"), ("latitude", "longitude"), ("y", "x")])
def test_the_help_for_degrees_works(dims):
    pytest.importorskip("rioxarray")
    step = 1 / 1200
    coords = {dims[0]: 46.0 - step * np.arange(40), dims[1]: 8.0 + step * np.arange(30)}
    array = xr.DataArray(np.tile(np.arange(30.0, dtype=np.float32), (40, 1)), coords=coords, dims=dims)
    array = array if dims[1] != "x" else array.rio.write_crs(4326)
    with pytest.raises(tr.UsageError) as error:
        array.terrane.SlopeMap()
    *before, projected = error.value.help.split("rioxarray: ")[1].split("; ")
    names = {"array": array}
    exec("; ".join(before), names)
    result = eval(projected, names)
    graph = tr.Graph.over(result)
    assert graph.run(graph.SlopeMap(result)).value.to_xarray("slope").rio.crs == result.rio.crs


def test_cells_that_are_not_square():
    assert slope(plane((30.02, 30.0))) == pytest.approx(0.5, rel=1e-3)
    with pytest.raises(tr.UsageError, match=r"30 apart in x and 30.06 in y: they differ by 0.2 %, where at most 0.1 % is accepted") as error:
        slope(plane((30.06, 30.0)))
    assert "spacing=30.03" in error.value.help
    with pytest.raises(tr.UsageError, match="differ by 50 %") as error:
        slope(plane((20.0, 30.0)))
    assert "spacing" not in error.value.help
    pytest.importorskip("scipy")
    resampled = eval(error.value.help.split(": ")[1], {"array": plane((20.0, 30.0)), "numpy": np})
    assert resampled.shape == (10, 17) and not np.isnan(resampled).any()
    assert slope(resampled) == pytest.approx(0.5, rel=1e-3)


@pytest.mark.parametrize("value", [-9999, -9999.0, [-9999], np.array([-9999.0]), "-9999", np.float32(-9999)])
@pytest.mark.parametrize("name", ["_FillValue", "missing_value", "nodata"])
def test_one_missing_value_in_any_form(name, value):
    array = plane()
    array[4, 5] = -9999.0
    array.attrs[name] = value
    assert np.argwhere(np.isnan(array.terrane.SlopeMap().values)).tolist() == [[4, 5]]
    for wrong in ([-9999, -1], "none", [[]]):
        array.attrs[name] = wrong
        with pytest.raises(tr.UsageError, match=f"the attribute {name}="):
            slope(array)


def test_samples_filled_after_reading_are_there(tmp_path):
    rioxarray = pytest.importorskip("rioxarray")
    array = plane().rio.write_crs(32611)
    array[4, 5] = 0.0
    array.rio.write_nodata(0.0).rio.to_raster(tmp_path / "dem.tif")
    masked = rioxarray.open_rasterio(tmp_path / "dem.tif", masked=True)
    assert np.array_equal(np.isnan(masked.terrane.SlopeMap()), np.isnan(masked))
    masked.values[np.isnan(masked.values)] = 0.0
    assert np.array_equal(masked.terrane.SlopeMap().squeeze(), tr.apply.SlopeMap(array))

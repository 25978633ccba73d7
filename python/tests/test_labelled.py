"""Tests of arrays with coordinates: orientation, spacing and missing samples."""

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr

DEM = (50 * np.random.default_rng(3).random((40, 30)) + 100 * np.linspace(0, 1, 40)[:, None]).astype(np.float32)


def dem(**attrs):
    """Ten units apart, north up."""
    coords = {"y": 400.0 - 10.0 * np.arange(40), "x": 100.0 + 10.0 * np.arange(30)}
    return xr.DataArray(DEM.copy(), dims=("y", "x"), coords=coords, attrs=attrs, name="dem")


@pytest.mark.parametrize("function", ["ThermalErosion", "Drainage", "SlopeMap", "Blur"])
def test_the_order_of_rows_and_dimensions_changes_nothing(function):
    function = getattr(tr.apply, function)
    plain = function(dem())
    for turned in (dem().isel(y=slice(None, None, -1)), dem().T, dem().isel(x=slice(None, None, -1)).T):
        result = function(turned)
        assert result.dims == turned.dims and result.coords.equals(turned.coords)
        assert np.array_equal(result.transpose("y", "x").reindex_like(plain), plain)


def test_degrees_are_rejected_unless_a_spacing_is_given():
    coords = {"lat": 46.0 - np.arange(40) / 3600, "lon": 8.0 + np.arange(30) / 3600}
    array = xr.DataArray(DEM, dims=("lat", "lon"), coords=coords)
    array.lat.attrs["units"] = "degrees_north"
    with pytest.raises(tr.UsageError, match="degrees"):
        tr.apply.ThermalErosion(array)
    worn = tr.apply.ThermalErosion(array, spacing=30.0)
    assert np.array_equal(worn, tr.apply.ThermalErosion(DEM, spacing=30.0))


def test_declared_missing_samples_are_missing():
    array = dem(_FillValue=-9999.0)
    array[4, 5] = -9999.0
    masked = np.ma.masked_equal(np.asarray(array), -9999.0)
    for given in (array, masked):
        with pytest.raises(tr.GraphError, match="takes no holes, but the value there has 1, the first at row 4"):
            tr.apply.ThermalErosion(given)
        assert np.isfinite(tr.apply.ThermalErosion(tr.apply.FillHoles(given))).all()
    graph = tr.Graph.over(masked)
    results = graph.run(graph.array(masked, fill=True))
    assert np.asarray(results.value).min() > -1.0 and any("1 missing" in told for told in results.warnings)


def test_missing_samples_come_back_in_the_form_in_which_they_were_given():
    array = dem(_FillValue=-9999.0)
    array[4, 5] = -9999.0
    hole = np.asarray(array) == -9999.0
    plain = np.where(hole, np.nan, np.asarray(array))
    labelled, masked = tr.apply.SlopeMap(array), tr.apply.SlopeMap(np.ma.masked_array(np.asarray(array), hole))
    assert isinstance(masked, np.ma.MaskedArray) and np.array_equal(masked.mask, hole)
    assert np.array_equal(np.isnan(labelled), hole) and np.isnan(labelled.attrs["_FillValue"])
    assert np.array_equal(labelled, tr.apply.SlopeMap(plain, spacing=array.x.values[1] - array.x.values[0]), equal_nan=True)
    # The result is an input again.
    assert np.array_equal(np.isnan(tr.apply.Blur(labelled, radius=3.0)), hole)
    assert tr.apply.Statistics(array)["not_finite"][0] == 1
    assert tr.apply.Statistics(array)["min"][0] == np.asarray(array)[~hole].min()


def test_units_follow_what_is_measured():
    heights = tr.apply.ThermalErosion(dem(units="m", long_name="height above sea"))
    assert heights.attrs["units"] == "m" and "long_name" not in heights.attrs
    assert tr.apply.Hillshade(dem(units="m")).attrs.get("units") != "m"


def test_arrays_at_other_positions_are_rejected():
    with pytest.raises(tr.UsageError, match="differ from those of"):
        tr.apply.Blend(dem(), dem().assign_coords(x=dem().x + 1000.0))


def test_lines_lie_on_the_array():
    array = dem()
    contours = tr.apply.Contours(array, interval=20.0, output="lines").to_geojson()
    points = np.array([point for feature in contours["features"] for point in feature["geometry"]["coordinates"]])
    across, down = (points[:, 0] - 100.0) / 10.0, (400.0 - points[:, 1]) / 10.0
    left, top = np.minimum(across.astype(int), 28), np.minimum(down.astype(int), 38)
    east, south = across - left, down - top
    upper = DEM[top, left] * (1 - east) + DEM[top, left + 1] * east
    lower = DEM[top + 1, left] * (1 - east) + DEM[top + 1, left + 1] * east
    levels = (upper * (1 - south) + lower * south) / 20.0
    assert np.abs(levels - np.round(levels)).max() < 1e-3, "contours cross edges of cells at their heights"


def test_a_graph_over_an_array_has_its_size_and_spacing():
    graph = tr.Graph.over(dem(), seed=3)
    assert "size: (30, 40)" in graph.to_ron() and "spacing: 10" in graph.to_ron()
    worn = graph.run(graph.ThermalErosion(dem(), talus=0.6)).value
    assert np.array_equal(worn, tr.apply.ThermalErosion(dem(), talus=0.6))
    assert worn.to_xarray("worn", like=dem()).coords.equals(dem().coords)
    with pytest.warns(UserWarning, match="stretched") as told:
        tr.Graph(size=(40, 30)).array(DEM)
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="slopes follow the graph's"):
        tr.Graph(size=(30, 40)).Invert(dem())


def test_y_decreases_without_a_georeference():
    graph = tr.Graph(size=(30, 40), spacing=2.0)
    array = graph.run(graph.array(DEM)).value.to_xarray("dem")
    assert array.y[0] > array.y[1] and np.array_equal(array, DEM)


def test_the_accessor_knows_the_nodes():
    array = dem()
    assert "ThermalErosion" in dir(array.terrane) and "talus" in array.terrane.ThermalErosion.__doc__
    with pytest.raises(AttributeError, match="did you mean `ThermalErosion`"):
        array.terrane.ThermalErosio()


def test_nested_lists_are_arrays():
    assert tr.apply.Invert([[1.0, 2.0], [3.0, 4.0]]).shape == (2, 2)
    assert np.array_equal(tr.apply.Invert(np.longdouble(DEM)), tr.apply.Invert(DEM))

"""Tests of single nodes on arrays."""

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr

DEM = 50 * np.random.default_rng(3).random((40, 30)).astype(np.float32)


def test_apply_matches_a_graph():
    graph = tr.Graph(size=(30, 40), spacing=2.0)
    worn = graph.run(graph.ThermalErosion(DEM, talus=0.6)).value
    assert np.array_equal(tr.apply.ThermalErosion(DEM, talus=0.6, spacing=2.0), worn)


def test_several_outputs_and_tables():
    height, moved = tr.apply.ThermalErosion(DEM, output=("height", "moved"))
    assert height.shape == moved.shape == DEM.shape
    assert tr.apply.Statistics(DEM)["max"][0] == DEM.max()


def test_masks_and_numbers_at_ports():
    talus = np.full(DEM.shape, 0.4)
    assert np.array_equal(tr.apply.ThermalErosion(DEM, talus=talus), tr.apply.ThermalErosion(DEM, talus=0.4))


def test_coordinates_and_crs_stay():
    array = xr.DataArray(
        DEM, dims=("y", "x"), coords={"y": 400.0 - 10.0 * np.arange(40), "x": 100.0 + 10.0 * np.arange(30)},
        attrs={"units": "m"}, name="dem",
    ).assign_coords(spatial_ref=xr.DataArray(0, attrs={"crs_wkt": "EPSG:32611"}))
    worn = tr.apply.ThermalErosion(array, talus=0.6)
    assert isinstance(worn, xr.DataArray) and worn.name == "height"
    assert worn.coords.equals(array.coords) and worn.attrs["units"] == "m"
    assert worn.spatial_ref.attrs == array.spatial_ref.attrs
    assert np.array_equal(worn, tr.apply.ThermalErosion(DEM, talus=0.6, spacing=10.0))
    assert array.terrane.ThermalErosion(talus=0.6).equals(worn)
    with pytest.raises(tr.UsageError, match="not evenly spaced"):
        tr.apply.ThermalErosion(array.assign_coords(x=np.arange(30.0) ** 2))
    with pytest.raises(tr.UsageError, match="apart in x"):
        tr.apply.ThermalErosion(array.assign_coords(x=np.arange(30.0)))


def test_warnings_of_nodes_are_python_warnings():
    graph = tr.Graph(size=(30, 40))
    assert isinstance(graph.run(graph.ThermalErosion(DEM)).warnings, list)

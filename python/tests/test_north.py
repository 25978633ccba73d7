"""North: y grows to the north in coordinates, and to the south in Terrane's own world."""

import json

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr
from pyterrane import _pyterrane

PATCH = """Graph(size: (17, 17), spacing: 30.0, seed: 5, nodes: {
    "hills": Perlin(wavelength: 200.0, octaves: 5, amplitude: 200.0),
}, outputs: { "hills.npy": "hills" })"""


@pytest.fixture
def world(tmp_path):
    (tmp_path / "patch.ron").write_text(PATCH)
    (tmp_path / "world.ron").write_text('World(patch: "patch.ron")')
    return tr.World(tmp_path / "world.ron")


def opened(store):
    pytest.importorskip("zarr")
    return xr.open_zarr(store, group="0").hills


def begun_earlier(world, store):
    """Begins a store as versions did whose y grew to the south: the description does not say it."""
    part = _pyterrane.WorldPart(world.path, ((-1, -1), (2, 1)))
    _pyterrane.WorldStore(tr.default_engine(), part, str(store), block=2)
    claim = store / "terrane/zarr.json"
    page = json.loads(claim.read_text())
    assert page["attributes"]["terrane"].pop("y_grows") == "north"
    claim.write_text(json.dumps(page, indent=2) + "\n")
    (store / "zarr.json").unlink()


@pytest.mark.parametrize("is_earlier", [False, True])
def test_a_store_is_shown_as_terrane_shows_it(world, tmp_path, is_earlier):
    store = tmp_path / "s.zarr"
    if is_earlier:
        begun_earlier(world, store)
    world.write((range(-1, 3), range(-1, 2)), store, block=2)
    hills = opened(store)
    rows = np.arange(48) - 16
    assert np.array_equal(hills.x, 30.0 * (np.arange(64) - 16))
    assert np.array_equal(hills.y, 30.0 * rows if is_earlier else -30.0 * rows)
    left, top, right, bottom = -480.0, -480.0, 1410.0, 930.0
    box = [left, top, right, bottom] if is_earlier else [left, -bottom, right, -top]
    assert hills.attrs["spatial:bbox"] == box
    assert hills.attrs["spatial:transform"] == [30.0, 0.0, left, 0.0, 30.0 if is_earlier else -30.0, top if is_earlier else -top]
    plain = {name: getattr(tr.apply, name)(hills.values, spacing=30.0) for name in ("Hillshade", "SlopeMap", "Blur")}
    for name, expected in plain.items():
        for turned in (hills, hills.isel(y=slice(None, None, -1)), hills.T, hills.isel(x=slice(None, None, -1))):
            result = getattr(turned.terrane, name)()
            assert result.coords.equals(turned.coords) and result.dims == turned.dims
            assert np.array_equal(result.transpose("y", "x").reindex_like(hills), expected)
            # Results of results are not turned over either.
            assert np.array_equal(result.terrane.Blur().transpose("y", "x").reindex_like(hills), tr.apply.Blur(expected, spacing=30.0))
    graph = tr.Graph.over(hills)
    assert np.array_equal(graph.run(graph.Hillshade(hills)).value, plain["Hillshade"])
    assert "origin: (-480.0, -480.0)" in graph.to_ron(), "the graph covers the same part of the world"
    assert np.array_equal(graph.run(graph.Perlin(wavelength=200.0, octaves=5, amplitude=200.0, seed=5)).value.to_xarray("h").y, hills.y)
    assert tr.verify(store)


def test_other_programs_show_the_first_row_at_the_top(world, tmp_path):
    rasterio = pytest.importorskip("rasterio")
    pytest.importorskip("rioxarray")
    world.write((range(-1, 3), range(-1, 2)), tmp_path / "s.zarr", block=2)
    hills = opened(tmp_path / "s.zarr")
    hills.rio.write_crs(32611).rio.to_raster(tmp_path / "hills.tif")
    with rasterio.open(tmp_path / "hills.tif") as file:
        assert np.array_equal(file.read(1), hills.values)
        assert (file.transform.e, file.transform.c, file.transform.f) == (-30.0, -495.0, 495.0)


def test_a_store_of_an_earlier_version_is_continued_as_it_is(world, tmp_path):
    store = tmp_path / "s.zarr"
    begun_earlier(world, store)
    patches = (range(-1, 3), range(-1, 2))
    world.write(patches, store, block=2, share=(1, 2))
    page = json.loads((store / "zarr.json").read_text())["attributes"]["terrane"]
    assert "y_grows" not in page
    world.write(patches, store, block=2)
    assert tr.verify(store)


def test_rows_from_the_south_are_those_of_other_programs():
    """An array whose y rises, and that no store of a world wrote, starts in the south, whatever its attributes say."""
    heights = np.random.default_rng(2).random((8, 9)).astype(np.float32)
    array = xr.DataArray(heights, coords={"y": np.arange(8.0), "x": np.arange(9.0)}, dims=("y", "x"))
    array.attrs = {"spatial:transform": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "spatial:registration": "node"}
    assert np.array_equal(array.terrane.Hillshade()[::-1], tr.apply.Hillshade(heights[::-1]))


def test_a_graph_over_an_array_keeps_its_coordinates(tmp_path):
    pytest.importorskip("rioxarray")
    heights = 50 * np.random.default_rng(2).random((20, 30)).astype(np.float32)
    coords = {"y": 4_200_000.0 - 10.0 * np.arange(20), "x": 500_000.0 + 10.0 * np.arange(30)}
    array = xr.DataArray(heights, coords=coords, dims=("y", "x"), name="dem").rio.write_crs(32611)
    import copy
    import pickle

    graph = tr.Graph.over(array)
    contours = graph.Contours(array, interval=20.0).lines
    worn = graph.ThermalErosion(array, talus=0.6)
    for own in (graph, copy.copy(graph), pickle.loads(pickle.dumps(graph))):
        results = own.run(worn.name, str(contours))
        labelled = results[worn.name].to_xarray("worn")
        assert labelled.coords.equals(array.coords) and labelled.rio.crs == array.rio.crs
        assert labelled.equals(array.terrane.ThermalErosion(talus=0.6))
        assert results[worn.name].origin == (500_000.0, -4_200_000.0)
        assert results[str(contours)].to_geojson() == array.terrane.Contours(interval=20.0, output="lines").to_geojson()
        assert pickle.loads(pickle.dumps(results[worn.name])).to_xarray("worn").equals(labelled)
    coarse = graph.at(size=(15, 10)).run(worn).value.to_xarray("worn")
    assert coarse.rio.crs == array.rio.crs and coarse.shape == (10, 15)
    assert (float(coarse.x[-1]), float(coarse.y[-1])) == pytest.approx((500_290.0, 4_199_810.0), abs=20.0)
    series = graph.at(size=(30, 20)).run(graph.ThermalErosion(array, talus=0.6, history_every=10).frames).value.to_xarray("worn")
    assert series.dims == ("frame", "y", "x") and series.rio.crs == array.rio.crs

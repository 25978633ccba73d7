"""Time series and ensembles of maps as arrays."""

import pickle

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr

DEM = (50 * np.random.default_rng(3).random((12, 15))).astype(np.float32)


def test_frames_are_arrays():
    worn, frames = tr.apply.ThermalErosion(DEM, talus=0.3, iterations=20, history_every=5, output=("height", "frames"))
    array = np.asarray(frames)
    assert isinstance(frames, tr.Frames) and array.dtype == np.float32
    assert array.shape == frames.shape == (len(frames), 12, 15) and len(frames) == 5
    assert np.array_equal(array, frames.to_numpy()) and np.array_equal(frames[-1], worn)
    assert np.array_equal(frames[0], DEM), "the first frame is the given terrain"
    assert frames.spacing == 1.0 and frames.origin == (0.0, 0.0)
    assert np.array_equal(pickle.loads(pickle.dumps(frames)), frames)
    assert np.asarray(frames, dtype=np.float64).dtype == np.float64
    for wrong in (lambda: np.array(frames, copy=False), lambda: frames.stacked() and tr.apply.Statistics(DEM).stacked()):
        with pytest.raises(ValueError):
            wrong()


@pytest.mark.parametrize("node", ["ThermalErosion", "OlsenErosion", "HydraulicErosion", "FluvialErosion", "UpliftErosion"])
def test_each_eroder_has_a_time_series(node):
    frames = getattr(tr.apply, node)(DEM, iterations=6, history_every=2, output="frames")
    assert frames.to_numpy().shape == (len(frames), 12, 15) and len(frames) >= 3


def test_frames_have_coordinates():
    array = xr.DataArray(DEM, coords={"y": 110.0 - 10.0 * np.arange(12), "x": 10.0 * np.arange(15)}, dims=("y", "x"))
    turned = array.isel(y=slice(None, None, -1)).T
    for given in (array, turned):
        series = given.terrane.ThermalErosion(talus=0.3, iterations=20, history_every=5, output="frames").to_xarray("worn")
        assert series.dims == ("frame", *given.dims) and series.frame.values.tolist() == [0, 1, 2, 3, 4]
        assert np.array_equal(series[-1], given.terrane.ThermalErosion(talus=0.3, iterations=20))
    with pytest.raises(tr.EvaluationError, match="history_every"):
        array.terrane.ThermalErosion(output="frames")


def test_animations_are_arrays():
    graph = tr.Graph(size=(15, 12))
    frames = graph.ThermalErosion(DEM, iterations=20, history_every=5).frames
    animation = graph.run(graph.Animate(frames)).value
    array = animation.to_numpy()
    assert isinstance(animation, tr.Animation) and array.dtype == np.uint8
    assert array.shape == (len(animation), 12, 15, 3) and len(animation) >= 5
    assert np.array_equal(animation[0], array[0])


def test_maps_and_pictures_have_the_same_methods():
    graph = tr.Graph(size=(15, 12))
    relief = graph.run(graph.ColorRelief(DEM)).value
    assert np.array_equal(graph.run(graph.array(DEM)).value.to_numpy(), DEM)
    assert relief.to_numpy().shape == (12, 15, 3)


def test_an_ensemble_is_one_dataset():
    graph = tr.Graph(size=(15, 12), params={"talus": 0.5, "length": 8.0})
    hills = graph.Perlin(amplitude=60.0, wavelength=tr.Param("length"))
    worn = graph.ThermalErosion(hills, talus=tr.Param("talus"))
    slope = graph.SlopeMap(worn)
    heard = []
    vary = {"talus": [0.25, 0.5], "length": [4.0, 8.0]}
    made = graph.ensemble(worn, slope, seeds=range(3), vary=vary, progress=heard.append)
    assert made[worn.name].dims == ("seed", "talus", "length", "y", "x") and made[slope.name].shape == (3, 2, 2, 12, 15)
    assert heard[0] == {"event": "planned", "nodes": 12} and len(heard) == 13
    one = graph.at(seed=2).set(talus=0.25, length=4.0).run(worn, slope)
    for node in (worn, slope):
        assert np.array_equal(made[node.name].sel(seed=2, talus=0.25, length=4.0), one[node])
        assert made[node.name].isel(seed=0, talus=0, length=0, drop=True).coords.equals(one[node].to_xarray().coords)
    assert made[worn.name].std("seed").shape == (2, 2, 12, 15)


def test_an_ensemble_over_an_array_has_its_coordinates():
    array = xr.DataArray(DEM, coords={"y": 10.0 * np.arange(12), "x": 10.0 * np.arange(15)}, dims=("y", "x"))
    graph = tr.Graph.over(array, params={"talus": 0.5})
    made = graph.ensemble(graph.ThermalErosion(array, talus=tr.Param("talus"), name="worn"), vary={"talus": [0.25, 0.5]})
    assert made.worn.dims == ("talus", "y", "x") and made.y.equals(array.y)
    assert np.array_equal(made.worn.sel(talus=0.25), array.terrane.ThermalErosion(talus=0.25))


def test_wrong_ensembles():
    graph = tr.Graph(size=(15, 12), params={"talus": 0.5})
    worn = graph.ThermalErosion(DEM, talus=tr.Param("talus"))
    for wrong, said in [
        (lambda: graph.ensemble(worn), "nothing is varied"),
        (lambda: graph.ensemble(seeds=range(2)), "no map is given"),
        (lambda: graph.ensemble(worn, seeds=3), "seeds=3 is not a list"),
        (lambda: graph.ensemble(worn, vary={"talus": 0.5}), "is not a list"),
        (lambda: graph.ensemble(worn, vary=["talus"]), "has no names"),
        (lambda: graph.ensemble(worn, vary={"x": [1]}), "named after the parameter `x`"),
        (lambda: graph.ensemble(graph.Statistics(worn), seeds=range(2)), "is a table, where maps are wanted"),
        (lambda: graph.ensemble(worn, seeds=range(2), vry={}), "did you mean `vary`"),
    ]:
        with pytest.raises(tr.UsageError, match=said):
            wrong()
    with pytest.raises(tr.GraphError, match="no parameter `q`"):
        graph.ensemble(worn, vary={"q": [1.0]})

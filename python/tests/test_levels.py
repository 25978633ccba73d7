"""Levels of water keep their kind: an array would be a depth."""

import pickle

import numpy as np
import pytest

import pyterrane as tr

Y, X = np.mgrid[-8:9, -8:9].astype(np.float32)
BOWL = np.minimum(np.hypot(X, Y), 5).astype(np.float32)
BOWL[8, 12:] = 3.0
DRY = np.isnan


def lake():
    return tr.apply.Lakes(BOWL, least_area=0.0, least_depth=0.0)


def test_a_level_is_an_array_with_nan_where_it_is_dry():
    level = lake()
    assert isinstance(level, tr.Levels) and isinstance(level, tr.Map) and level.kind == "level"
    array = np.asarray(level)
    assert array.dtype == np.float32 and set(np.unique(array[~DRY(array)])) == {np.float32(3.0)}
    assert (DRY(array) == (BOWL >= 3.0)).all()
    assert repr(level) == "<level of water on 25 of 17 x 17 samples, from 3 to 3>"
    again = pickle.loads(pickle.dumps(level))
    assert isinstance(again, tr.Levels) and again.digest == level.digest
    depth = tr.apply.Lakes(BOWL, least_area=0.0, least_depth=0.0, output="depth")
    assert np.array_equal(depth, np.where(DRY(array), 0.0, array - BOWL))


def test_a_level_stays_a_level_at_ports():
    level = lake()
    raised = BOWL + 2.0
    water = tr.apply.Water(raised, water=level, output="depth")
    assert np.array_equal(water, np.where(np.asarray(level) > raised, np.asarray(level) - raised, 0.0))
    # A plain array is a depth.
    assert np.array_equal(tr.apply.Water(raised, water=np.ones_like(BOWL), output="depth"), np.ones_like(BOWL))
    graph = tr.Graph(size=(17, 17))
    graph.Water(graph.array(raised), water=level, name="water")
    assert np.array_equal(graph.run("water.depth").value, water)
    with pytest.raises(tr.GraphError, match="takes a map, but .* is of kind level"):
        graph.Blur(level, name="blurred")
        graph.run("blurred")


def test_levels_of_nodes_in_python(tmp_path):
    @tr.node
    def Tide(height: tr.Map, level: float = 2.0) -> tr.Levels:
        """Water below a level."""
        return np.where(height < level, level, np.nan)

    graph = tr.Graph(size=(17, 17))
    graph.Water(graph.array(BOWL), water=graph.Tide(graph.array(BOWL), name="tide"), name="water")
    tide = graph.run("tide").value
    assert isinstance(tide, tr.Levels)
    assert np.array_equal(graph.run("water.mask").value, BOWL < 2.0)
    tide.save(tmp_path / "tide.npy")
    assert np.array_equal(np.load(tmp_path / "tide.npy"), tide, equal_nan=True)
    with pytest.raises(tr.UsageError, match="a level cannot be"):
        tide.save(tmp_path / "tide.png")

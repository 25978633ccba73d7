"""Tests of values: arrays share their memory and stay valid as long as they are used."""

import gc
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import pyterrane as tr

DATA = Path(__file__).parents[2] / "graphs/data"


def test_maps_are_arrays_without_a_copy(hills):
    value = hills.run("worn").value
    array = np.asarray(value)
    assert np.shares_memory(array, np.asarray(value))
    assert (array.dtype, array.shape, array.flags.writeable) == (np.float32, (65, 65), False)
    with pytest.raises(ValueError):
        array[0, 0] = 1.0
    view = memoryview(value)
    assert (view.format, view.shape, view.strides, view.readonly) == ("f", (65, 65), (260, 4), True)
    assert np.array(value, dtype=float).flags.writeable
    assert value.nbytes == 65 * 65 * 4 and value.spacing == 4.0 and value.origin == (0.0, 0.0)


def test_arrays_outlive_graph_and_engine(tmp_path):
    engine = tr.Engine(threads=1, cache_dir=tmp_path / "own")
    graph = tr.Graph(size=(65, 65))
    array = np.asarray(graph.run(graph.Perlin(), engine=engine).value)
    kept = array.copy()
    del graph, engine
    gc.collect()
    assert np.array_equal(array, kept)


def test_tables_are_columns(hills):
    table = hills.run(hills.Statistics("worn")).value
    assert table["max"][0] == np.asarray(hills.run("worn").value).max()
    assert set(table) == set(table.to_pandas().columns)


def test_pictures_and_notebook_output(hills):
    shade = hills.run(hills.Hillshade("worn")).value
    assert np.asarray(shade).ndim in (2, 3)
    assert hills.run("worn").value._repr_png_().startswith(b"\x89PNG")


def test_lines_are_geojson(hills):
    drainage = hills.Drainage("worn")
    lines = hills.run(hills.Rivers(drainage.receivers, drainage.area, threshold=200.0).rivers).value
    collection = lines.to_geojson()
    assert collection["type"] == "FeatureCollection" and collection["features"]
    with pytest.raises(tr.UsageError, match="no lines"):
        hills.run("worn").value.to_geojson()


def test_kinds_without_samples_are_no_arrays(hills):
    drainage = hills.Drainage("worn")
    lines = hills.run(hills.Rivers(drainage.receivers, drainage.area, threshold=200.0).rivers).value
    table = hills.run(hills.Statistics("worn")).value
    picture = hills.run(hills.ColorRelief("worn")).value
    for value, help in [(lines, "to_geojson()"), (table, "to_pandas()")]:
        for call in (lambda: np.asarray(value), value.to_numpy, value.to_xarray, lambda: tr.apply.Blur(value)):
            with pytest.raises(tr.UsageError, match=f"a {value.kind} is not an array") as error:
                call()
            assert help in error.value.help
    with pytest.raises(tr.UsageError, match="a picture is not an array of samples with coordinates"):
        picture.to_xarray()
    assert picture.to_numpy().shape == (65, 65, 3)


def test_values_are_files(hills, tmp_path):
    value = hills.run("worn").value
    value.save(tmp_path / "worn.npy")
    assert np.array_equal(np.load(tmp_path / "worn.npy"), value)
    with pytest.raises(tr.UsageError, match="cannot be written"):
        value.save(tmp_path / "worn.docx")


NUMBERS = st.sampled_from(["<f4", ">f4", "<f8", ">f8", "<f2", "i1", "u1", "<i2", ">i2", "<u4", "<i8", "?"])


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_strides_and_any_numbers(data):
    dtype = np.dtype(data.draw(NUMBERS))
    shape = data.draw(st.tuples(st.integers(2, 7), st.integers(2, 7)))
    elements = {"min_value": -1000, "max_value": 1000} if dtype.kind == "f" else {}
    array = data.draw(npst.arrays(dtype, shape, elements=npst.from_dtype(dtype, allow_nan=False, allow_infinity=False, **elements)))
    steps = data.draw(st.tuples(st.sampled_from([1, -1]), st.sampled_from([1, -1])))
    view = array[:: steps[0], :: steps[1]]
    view = view.T if data.draw(st.booleans()) else view
    expected = view.astype(np.float32)
    inverted = tr.apply.Invert(tr.apply.Invert(view))
    assert inverted.shape == expected.shape
    graph = tr.Graph(size=expected.shape[::-1])
    assert np.array_equal(graph.run(graph.array(view)).value, expected)


PLACED = """Graph(size: (65, 65), spacing: 240.0, nodes: {
    "dem": Import(file: "dem.tif"), "lines": Contours(height: "dem", interval: 200.0), "noise": Perlin(),
}, outputs: { "lines.geojson": "lines.lines", "noise.tif": "noise" })"""


def test_values_of_a_graph_over_placed_ground_are_written_as_the_command_writes_them(tmp_path):
    (tmp_path / "dem.tif").write_bytes((DATA / "bigtujunga_30m.tif").read_bytes())
    (tmp_path / "g.ron").write_text(PLACED)
    graph = tr.load(tmp_path / "g.ron")
    graph.write(tmp_path / "out")
    lines, noise = graph.run("lines.lines", "noise").values()
    written = (tmp_path / "out" / "lines.geojson").read_bytes()
    assert lines.to_geojson() == json.loads(written)
    (longitude, latitude), *_ = lines.to_geojson()["features"][0]["geometry"]["coordinates"]
    assert -118.3 < longitude < -118.0 and 34.2 < latitude < 34.5
    again = pickle.loads(pickle.dumps(lines))
    for value in (lines, again):
        value.save(tmp_path / "lines.geojson")
        assert (tmp_path / "lines.geojson").read_bytes() == written
    noise.save(tmp_path / "noise.tif")
    assert (tmp_path / "noise.tif").read_bytes() == (tmp_path / "out" / "noise.tif").read_bytes()
    assert noise.epsg == 32611
    x = noise.to_xarray().x
    assert 370_000 < float(x[0]) < float(x[-1]) < 420_000

"""Tests that mistakes raise exceptions that say what to do."""

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr

DEM = np.ones((9, 9))


def dataset():
    return xr.Dataset({"dem": (("y", "x"), DEM)})


def swept(**arguments):
    graph = tr.Graph(size=(9, 9), params={"talus": 0.5})
    worn = graph.ThermalErosion(graph.Perlin(), talus=tr.Param("talus"))
    return graph.sweep(graph.Statistics(worn), **arguments)


@pytest.mark.parametrize(
    ("wrong", "message", "help"),
    [
        (lambda: tr.apply.Invert(DEM.astype(str)), "holds <U32", "floats or integers"),
        (lambda: tr.apply.Invert(DEM.astype(complex)), "complex128", "floats or integers"),
        (lambda: tr.apply.Invert(DEM[0]), "shape (9,)", "array of rows"),
        (lambda: tr.apply.Invert(np.stack([DEM] * 2)), "several bands: its shape is (2, 9, 9)", "give one band: array[0]"),
        (lambda: tr.apply.Invert(np.stack([DEM] * 3, axis=-1)), "several bands", "array[..., 0]"),
        (lambda: tr.apply.Invert([[1.0, 2.0], [3.0]]), "no array of rows and columns", "equal length"),
        (lambda: tr.apply.Invert(DEM, spacing=(30.0, 20.0)), "one distance", "resample the array to squares"),
        (lambda: tr.Graph(spacing=(30.0, 20.0)), "one distance", "resample the array to squares"),
        (lambda: tr.apply.Invert(DEM[:0]), "is empty", "at least one row"),
        (lambda: tr.apply.Perturb(np.where(np.eye(9) > 0, np.nan, DEM)), "has 9, the first at row 0, column 0", "FillHoles"),
        (lambda: tr.apply.Invert(DEM * 1e300), "inf at row 0", "isfinite"),
        (lambda: tr.apply.Blend(DEM, DEM[1:]), "shape", "maps of one size"),
        (lambda: tr.apply.Invert(3.0), "no array", "NumPy array"),
        (lambda: tr.apply.ThermalErosion(DEM, output="mass"), "no output `mass`", "its outputs are"),
        (lambda: tr.apply.ThermalErosion(DEM, talus=-1.0), "out of range", "at least 0"),
        (lambda: tr.apply.ThermalErosion(DEM, scheme="Quick"), "scheme", ""),
        (lambda: tr.apply.ThermalErosion(DEM, iterations=2.5), "iterations", ""),
        (lambda: tr.Graph().add("Perlim"), "no type of node `Perlim`", "did you mean `Perlin`?"),
        (lambda: tr.Graph().add("Perlin", octavs=3), "no field `octavs`", "did you mean"),
        (lambda: tr.Graph().run(), "no output is requested", "name outputs"),
        (lambda: tr.Graph().Invert(DEM > 0).output("mass"), "", ""),
        (lambda: tr.load("/nowhere/g.ron"), "/nowhere/g.ron", "path of a graph file"),
        (lambda: tr.Graph.from_ron("Graph(nodes: {"), "", ""),
        (lambda: tr.Engine(memory="lots"), "is not a size", "8G"),
        (lambda: tr.Engine(threads=5000), "threads=5000 is out of range", "1024"),
        (lambda: tr.Graph(size=(0, 5)).check(), "size", "at least 1"),
        (lambda: tr.Graph().Perlin(amplitude=object()), "cannot be written in a graph", "give a number"),
        (lambda: tr.Graph().Perlin(octaves=3.5), "octaves", "whole number"),
        (lambda: tr.Graph().Perlin(octaves="3"), "found the text \"3\"", ""),
        (lambda: tr.apply.Blur(DEM, radius="3"), "`radius` of `Blur`: expected a number, found the text", ""),
        (lambda: tr.apply.ThermalErosion(DEM, talus="0.5"), "`talus` is the text '0.5'", "names of nodes are for graphs"),
        (lambda: tr.Graph(spacing="4"), "spacing='4' is not a number", "spacing=4.0"),
        (lambda: tr.Graph(seed=1.5), "seed=1.5 is not a whole number", "seed=42"),
        (lambda: tr.Graph(params=[1]), "params=[1] has no names", "params={"),
        (lambda: swept(seeds=3), "seeds=3 is not a list", "write seeds=range(3)"),
        (lambda: swept(seeds=["x"]), "seeds='x' is not a whole number", ""),
        (lambda: swept(vary={"talus": 0.5}), "vary['talus']=0.5 is not a list", "[0.3, 0.6]"),
        (lambda: swept(vary=["talus"]), "vary=['talus'] has no names", "write vary={"),
        (lambda: swept(sizes=(65, 65)), "sizes=65 is not a pair", ""),
        (lambda: swept(sizes=5), "sizes=5 is not a list", ""),
        (lambda: swept(sed=[1]), "Graph.sweep(): got an unexpected keyword argument 'sed'", "did you mean `seeds`?"),
        (lambda: tr.Graph().write("out", only="worn.png"), "only='worn.png' is not a list", "only=['worn.png']"),
        (lambda: tr.Graph(sise=(3, 3)), "Graph(): got an unexpected keyword argument 'sise'", "did you mean `size`?"),
        (lambda: tr.Graph.over(DEM, spacin=3.0), "unexpected keyword argument 'spacin'", "did you mean `spacing`?"),
        (lambda: tr.Graph().run(progres=True), "unexpected keyword argument 'progres'", "did you mean `progress`?"),
        (lambda: tr.Graph().at(sed=3), "unexpected keyword argument 'sed'", "did you mean `seed`?"),
        (lambda: tr.Engine(thread=3), "Engine(): got an unexpected keyword argument 'thread'", "did you mean `threads`?"),
        (lambda: tr.load("g.ron", outside=True), "load(): got an unexpected", "allow_outside"),
        (lambda: tr.World("w.ron").write((0, 0), levle=2), "World.write(): got an unexpected", "did you mean `level`?"),
        (lambda: tr.apply.Perlin(DEM), "Perlin(): too many positional arguments", "by name, such as persistence=, amplitude="),
        (lambda: tr.apply.Blur(), "missing a required argument: 'height'", ""),
        (lambda: tr.apply.Drainage(DEM, output=3), "output=3 is not a list", "area"),
        (lambda: tr.apply.SlopeMap(dataset()), "`height` is a Dataset, where one array is wanted", "dataset['dem']"),
        (lambda: tr.Graph.over(dataset()), "is a Dataset, where one array is wanted", "dataset['dem']"),
        (lambda: tr.Graph().Invert(dataset()), "is a Dataset, where one array is wanted", "dataset['dem']"),
        (lambda: tr.Graph().array(dataset()), "is a Dataset, where one array is wanted", "dataset['dem']"),
        (lambda: dataset().terrane.SlopeMap(), "is a Dataset, where one array is wanted", "dataset['dem']"),
        (lambda: dataset().dem.terrane.SlopeMap(height=DEM), "`height` is the array itself", "pyterrane.apply.SlopeMap"),
        (lambda: dataset().dem.terrane.Perlin(), "`Perlin` makes a map of its own", "takes arrays by name"),
    ],
)
def test_messages_and_help(wrong, message, help):
    with pytest.raises((tr.TerraneError, AttributeError)) as error:
        wrong()
    assert message in str(error.value)
    assert help in str(error.value)


def test_an_unknown_argument_is_a_type_error():
    with pytest.raises(TypeError, match="octavs"):
        tr.Graph().Perlin(octavs=3)


def test_mistakes_have_codes_and_positions():
    with pytest.raises(tr.GraphError) as error:
        tr.Graph.from_ron('Graph(nodes: { "h": Perlin(),\n  "a": ThermalErosion(height: "h", talus: -3.0),\n})')
    problem = error.value.problems[0]
    assert (problem["line"], problem["code"], error.value.code) == (2, "out-of-range", "out-of-range")
    assert error.value.help


def test_a_failing_node_is_reported(tmp_path):
    graph = tr.Graph(size=(9, 9), folder=tmp_path)
    (tmp_path / "bad.npy").write_bytes(b"nothing")
    graph.Import(file="bad.npy", name="dem")
    with pytest.raises(tr.EvaluationError, match="bad.npy"):
        graph.run("dem")


def test_nodes_of_another_graph_are_rejected():
    one, other = tr.Graph(), tr.Graph()
    with pytest.raises(tr.UsageError, match="of another graph"):
        other.Invert(one.Perlin())


def test_whole_floats_are_whole_numbers():
    dem = np.random.default_rng(1).random((9, 9))
    expected = tr.apply.ThermalErosion(dem, talus=0.1, iterations=3)
    for three in (3.0, np.float64(3), np.array(3.0), np.int8(3)):
        assert np.array_equal(tr.apply.ThermalErosion(dem, talus=0.1, iterations=three), expected)
    graph = tr.Graph(size=(9.0, 9), seed=3.0)
    graph.ThermalErosion(dem, iterations=3.0)
    assert "iterations: 3" in graph.to_ron() and "3.0" not in graph.to_ron() and "seed: 3" in graph.to_ron()
    large = tr.Graph()
    large.Perlin(seed=2**64 - 1)
    assert str(2**64 - 1) in large.to_ron()


@pytest.mark.parametrize(
    "wrong",
    [
        {"vary": {"talus": [-1.0]}},
        {"vary": {"q": [1]}},
        {"sizes": [(0, 1)]},
        {"seeds": [1], "picture": "nothing"},
    ],
)
def test_errors_name_no_temporary_files(wrong):
    with pytest.raises(tr.TerraneError) as error:
        swept(**wrong)
    for text in (str(error.value), repr(error.value.problems)):
        assert "/." not in text and "graph.py.ron" not in text and "tmp" not in text, text


def test_errors_name_the_graphs_own_file(tmp_path):
    path = tmp_path / "own.ron"
    path.write_text('Graph(size: (9, 9), params: { "talus": 0.5 }, nodes: { "s": Statistics(map: "h"), "h": Ramp() })')
    with pytest.raises(tr.TerraneError, match="own.ron"):
        tr.load(path)
    path.write_text('Graph(size: (9, 9), params: { "talus": 0.5 }, nodes: { "h": Ramp() })')
    graph = tr.load(path)
    graph.Statistics("h", name="s")
    with pytest.raises(tr.TerraneError) as error:
        graph.sweep("s", vary={"q": [1]})
    assert "own.ron" in str(error.value) and "/." not in str(error.value)
    with pytest.raises(tr.TerraneError) as error:
        tr.Graph().sweep("nothing", seeds=[1])
    assert "--metric" not in str(error.value) and "metric nothing: there is no node `nothing`" in str(error.value)

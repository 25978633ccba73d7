"""Tests that mistakes raise exceptions that say what to do."""

import numpy as np
import pytest

import pyterrane as tr

DEM = np.ones((9, 9))


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
        (lambda: tr.apply.Invert(np.where(np.eye(9) > 0, np.nan, DEM)), "NaN at row 0, column 0", "nan_to_num"),
        (lambda: tr.apply.Invert(DEM * 1e300), "inf at row 0", "nan_to_num"),
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

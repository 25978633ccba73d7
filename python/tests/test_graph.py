"""Tests of graphs that are built in Python."""

import numpy as np
import pytest

import pyterrane as tr
from conftest import ROOT


def test_the_text_of_a_graph_gives_the_same_results(hills, tmp_path):
    assert hills.to_ron() == """\
Graph(
    size: (65, 65),
    spacing: 4.0,
    seed: 42,
    params: {},
    nodes: {
        "hills": Perlin(amplitude: 60.0, wavelength: 120.0),
        "worn": ThermalErosion(height: "hills", talus: 0.5),
    },
    outputs: {},
)
"""
    hills.save(tmp_path / "g.ron")
    again = tr.load(tmp_path / "g.ron")
    assert again.run("worn").value.digest == hills.run("worn").value.digest
    assert tr.Graph.from_ron(hills.to_ron()).run("worn").value.digest == hills.run("worn").value.digest


def test_names_derive_from_types_and_are_unique():
    graph = tr.Graph(size=(17, 17))
    names = [graph.Perlin().name, graph.Perlin().name, graph.MidpointDisplacement().name]
    assert names == ["perlin", "perlin_2", "midpoint_displacement"]
    assert [node.name for node in graph.nodes] == names
    with pytest.raises(tr.UsageError, match="taken|already"):
        graph.Perlin(name="perlin")


def test_outputs_are_attributes(hills):
    worn = hills.node("worn")
    results = hills.run(worn, worn.moved, "hills")
    assert list(results) == ["worn", "worn.moved", "hills"]
    assert results[worn.moved].digest == hills.run("worn.moved").value.digest
    with pytest.raises(AttributeError, match="its outputs are height, moved"):
        worn.mass  # noqa: B018


def test_every_shape_of_parameter():
    graph = tr.Graph(size=(33, 33))
    base = graph.Perlin(octaves=np.int64(3), amplitude=np.float32(2.0), seed=2**63)
    graph.Curve(base, points=[(0, 0), (0.5, 0.25), (1, 1)], name="curve")
    graph.ThermalErosion(base, scheme="Fast", fraction=None, talus=graph.Ramp(), name="worn")
    graph.Perlin(octaves=3, name="same", keep="Never")
    assert "seed: 9223372036854775808" in graph.to_ron()
    assert 'scheme: Fast' in graph.to_ron() and "keep: Never" in graph.to_ron()
    assert graph.run("curve", "worn", "same")


def test_parameters_of_a_graph_are_set_for_runs():
    graph = tr.Graph(size=(33, 33), params={"height": 10.0})
    graph.Perlin(amplitude=tr.Param("2 * $height"), name="hills")
    low = np.asarray(graph.run("hills").value)
    high = np.asarray(graph.set(height=20.0).run("hills").value)
    assert np.allclose(high, 2 * low, rtol=1e-6)
    with pytest.raises(tr.GraphError, match="no parameter `heigth`") as error:
        graph.set(heigth=3.0)
    assert error.value.problems[0]["help"]
    assert np.array_equal(graph.run("hills").value, high), "a parameter that is refused changes nothing"


def test_seed_and_size_for_runs(hills):
    assert hills.at(size=(33, 33)).run("hills").value.shape == (33, 33)
    other = hills.at(seed=7).run("hills").value
    assert other.digest != hills.at(seed=42).run("hills").value.digest


def test_arrays_are_imports(tmp_path):
    rng = np.random.default_rng(1)
    dem = rng.random((40, 30))
    graph = tr.Graph(size=(30, 40))
    source = graph.array(dem, name="dem")
    inverted = graph.Invert(dem[:, ::-1])
    assert np.array_equal(graph.run(source).value, dem.astype(np.float32))
    assert graph.run(inverted).value.shape == (40, 30)
    graph.save(tmp_path / "deep" / "g.ron")
    again = tr.load(tmp_path / "deep" / "g.ron")
    assert again.run("dem").value.digest == graph.run("dem").value.digest


def test_gaps_of_arrays_are_kept_or_filled_and_reported():
    dem = np.ones((9, 9))
    dem[4, 4] = np.nan
    graph = tr.Graph(size=(9, 9))
    results = graph.run(graph.array(dem, fill=True))
    assert np.isfinite(np.asarray(results.value)).all()
    assert any("1 missing samples" in warning for warning in results.warnings)
    slope = graph.run(graph.SlopeMap(dem))
    assert not slope.warnings and np.array_equal(np.isnan(np.asarray(slope.value)), np.isnan(dem))
    assert "from 0 to 0, 1 of them missing" in repr(slope.value)
    with pytest.raises(tr.GraphError, match="takes no holes, but `array_.` can have some"):
        graph.run(graph.ThermalErosion(dem))


def test_real_ground(tmp_path):
    graph = tr.load(ROOT / "graphs" / "quickstart.ron").at(size=(129, 129))
    written = graph.write(tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json") not in written
    assert written and all(path.exists() for path in written)
    assert graph.write(tmp_path / "out") == [], "what is there need not be written again"


def test_events_and_progress(hills):
    heard = []
    hills.run("worn", progress=heard.append)
    assert heard[0]["event"] == "planned" and heard[0]["nodes"] == 2
    assert {event["node"] for event in heard if event["event"] == "finished"} == {"hills", "worn"}
    with pytest.raises(ZeroDivisionError):
        hills.at(seed=1).run("worn", progress=lambda event: 1 / 0)
    hills.run("worn", progress=True)


def test_edits(hills):
    hills.change("worn", iterations=3, talus=0.25)
    assert 'ThermalErosion(height: "hills", talus: 0.25, iterations: 3)' in hills.to_ron()
    hills.remove("worn")
    assert "worn" not in hills.to_ron()
    hills.output("hills.npy", "hills")
    assert list(hills.run()) == ["hills"]

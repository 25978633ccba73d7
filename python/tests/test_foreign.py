"""Nodes that are written in Python."""

import inspect
import subprocess
import sys
import threading
import time
import typing

import numpy as np
import pytest
import xarray as xr

import pyterrane as tr

CALLS = []


@tr.node(version=1, unit="m", tiles="pointwise")
def Stairs(height: tr.Map, step: float = 2.0) -> tr.Map:
    """Steps of a height."""
    CALLS.append(threading.current_thread().name)
    return np.floor(height / step) * step


@tr.node(outputs={"low": tr.Map, "facts": tr.Table})
def Halves(height: tr.Map, mask: tr.Map | None = None, bands: int = 2, deep: bool = False, title: str = "halves"):
    assert mask is None or mask.shape == height.shape
    return height / bands, {"bands": [bands, len(title)], "deep": [deep, 0.5]}


@tr.node
def Slanted(place: tr.Context, slope: float = 0.5) -> tr.Map:
    columns, rows = place.size
    place.warn("it is slanted")
    return np.tile(place.origin[0] + place.spacing * slope * np.arange(columns), (rows, 1))


@tr.node
def Nested(height: tr.Map) -> tr.Map:
    inner = tr.Graph(size=height.shape[::-1])
    return np.asarray(inner.run(inner.ThermalErosion(height, talus=0.1)).value)


def test_a_node_is_also_a_function(hills):
    stepped = hills.Stairs(hills.node("worn"), step=4.0)
    assert 'Stairs(height: "worn", step: 4.0)' in hills.to_ron()
    results = hills.run(stepped, "worn")
    worn = np.asarray(results["worn"])
    assert np.array_equal(results[stepped], np.floor(worn / 4.0) * 4.0)
    assert np.array_equal(Stairs(worn, 4.0), results[stepped])
    assert results[stepped].spacing == 4.0


def test_results_are_cached_by_version_source_and_parameters(hills, tmp_path):
    stepped = hills.Stairs("worn")
    first = hills.run(stepped).value.digest
    tr.default_engine().flush()
    before = len(CALLS)
    other = tr.Engine(threads=1, cache_dir=tmp_path / "cache")
    assert hills.run(stepped, engine=other).value.digest == first and len(CALLS) == before
    hills.change(stepped, step=3.0)
    hills.run(stepped, engine=other)
    assert len(CALLS) == before + 1
    assert "terrane-foreign" not in threading.current_thread().name


def test_a_definition_can_be_replaced(hills):
    @tr.node
    def Shifted(height: tr.Map) -> tr.Map:
        return height + 1.0

    shifted = hills.Shifted("worn")
    first = np.asarray(hills.run(shifted).value)

    @tr.node
    def Shifted(height: tr.Map) -> tr.Map:
        return height + 2.0

    assert np.allclose(hills.run(shifted).value, first + 1.0)


def test_several_outputs_and_every_parameter(hills):
    halves = hills.Halves("worn", bands=4, deep=True, title="four")
    results = hills.run(halves, halves.facts, "worn")
    assert np.allclose(results[halves], np.asarray(results["worn"]) / 4)
    assert results[halves.facts]["bands"].tolist() == [4.0, 4.0]
    masked = hills.Halves("worn", mask="hills")
    assert hills.run(masked).value.shape == (65, 65)


class Parted(typing.NamedTuple):
    low: tr.Map
    high: tr.Map


@tr.node
def Doubled(height: tr.Map, factor: float = 2.0) -> tuple[tr.Map, tr.Table]:
    """Twice the height."""
    return height * factor, {"max": [height.max()]}


@tr.node
def Cut(height: tr.Map, place: tr.Context, at: float = 1.0) -> Parted:
    """What is below and above a height."""
    place.progress(0.5)
    return Parted(np.minimum(height, at), np.maximum(height, at) * place.spacing)


DEM = np.arange(12.0, dtype=np.float32).reshape(3, 4)


def test_return_annotations_name_several_outputs(hills):
    doubled = hills.Doubled("worn")
    results = hills.run(doubled, doubled.out_2, "worn")
    assert np.array_equal(results[doubled], 2 * np.asarray(results["worn"]))
    assert results[doubled.out_2]["max"][0] == np.asarray(results["worn"]).max()
    cut = hills.Cut("worn", at=20.0)
    results = hills.run(cut, cut.high)
    assert np.asarray(results[cut]).max() == 20.0 and np.asarray(results[cut.high]).min() >= 80.0


def test_own_nodes_are_functions_and_methods_of_arrays():
    assert np.array_equal(tr.apply.Doubled(DEM, factor=3.0), 3 * DEM)
    doubled, table = tr.apply.Doubled(DEM, output=("out", "out_2"))
    assert np.array_equal(doubled, 2 * DEM) and table["max"][0] == 11.0
    array = xr.DataArray(DEM, dims=("y", "x"), coords={"y": [20.0, 10.0, 0.0], "x": [0.0, 10.0, 20.0, 30.0]})
    high = array.terrane.Cut(at=4.0, output="high")
    assert high.coords.equals(array.coords) and np.array_equal(high, 10 * np.maximum(DEM, 4.0))
    assert list(inspect.signature(array.terrane.Cut).parameters)[:2] == ["at", "output"]
    assert "Twice the height" in tr.apply.Doubled.__doc__
    with pytest.raises(TypeError, match="did you mean `factor`"):
        tr.apply.Doubled(DEM, facto=1.0)
    with pytest.raises(AttributeError, match="reads no map"):
        tr.apply.Slanted  # noqa: B018


def test_calls_without_a_graph_have_a_context():
    low, high = Cut(DEM, at=4.0)
    assert np.array_equal(low, np.minimum(DEM, 4.0)) and np.array_equal(high, np.maximum(DEM, 4.0))
    alone = tr.Context.alone((4, 3), spacing=5.0)
    assert np.array_equal(Cut(DEM, alone, 4.0).high, 5 * np.maximum(DEM, 4.0))
    with pytest.raises(tr.UsageError, match="without a graph and without a map") as error:
        Slanted(slope=1.0)
    assert "pyterrane.Context.alone((513, 513))" in error.value.help
    with pytest.warns(UserWarning, match="it is slanted"):
        assert Slanted(tr.Context.alone((5, 3), spacing=2.0, origin=(10.0, 0.0)), 1.0).shape == (3, 5)
    with pytest.raises(TypeError, match="did you mean `at`"):
        Cut(DEM, att=3)


def test_undeclared_outputs_are_explained(hills):
    @tr.node
    def Pair(height: tr.Map) -> tr.Map:
        return height, height

    with pytest.raises(tr.EvaluationError, match="returned 2 values"):
        hills.run(hills.Pair("worn"))


def test_context_and_warnings():
    graph = tr.Graph(size=(5, 3), spacing=2.0, origin=(10.0, 0.0))
    results = graph.run(graph.Slanted(slope=1.0))
    assert np.asarray(results.value)[1].tolist() == [10.0, 12.0, 14.0, 16.0, 18.0]
    assert results.warnings == ["slanted: it is slanted"]


def test_a_node_may_run_a_graph_on_one_thread():
    tr.set_default_engine(tr.Engine(threads=1, cache=False))
    graph = tr.Graph(size=(257, 257))
    done = []

    def work():
        done.append(graph.run(graph.Nested(graph.Nested(graph.Perlin(amplitude=40.0)))).value.shape)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(20)
    assert done == [(257, 257)]


def test_exceptions_are_the_nodes_errors(hills):
    @tr.node
    def Wrong(height: tr.Map) -> tr.Map:
        return height[0] / len(height)

    @tr.node
    def Raises(height: tr.Map) -> tr.Map:
        raise RuntimeError("no such ground")

    with pytest.raises(tr.EvaluationError) as error:
        hills.run(hills.Wrong("worn"))
    assert error.value.problems[0]["message"].endswith("ValueError: `out` has shape (65,), where rows and columns are wanted")
    with pytest.raises(tr.EvaluationError, match="RuntimeError: no such ground") as error:
        hills.run(hills.Raises("worn"))
    assert "test_foreign.py:" in str(error.value), "the line is told"
    assert isinstance(error.value.__cause__, RuntimeError)


def test_invalid_definitions():
    factor = 3.0
    with pytest.raises(tr.UsageError, match="uses `factor`"):

        @tr.node
        def Closed(height: tr.Map) -> tr.Map:
            return height * factor

    @tr.node(version=2)
    def Versioned(height: tr.Map) -> tr.Map:
        return height * factor

    with pytest.raises(tr.UsageError, match="Terrane's own"):

        @tr.node
        def Perlin(height: tr.Map) -> tr.Map:
            return height

    with pytest.raises(tr.UsageError, match="neither a port nor a parameter"):

        @tr.node
        def Untyped(height) -> tr.Map:
            return height

    with pytest.raises(tr.UsageError, match="use capitals"):

        @tr.node
        def lower(height: tr.Map) -> tr.Map:
            return height


def test_impure_nodes_run_each_time(hills):
    @tr.node(pure=False)
    def Clock(height: tr.Map) -> tr.Map:
        # A sample has 32 bits: too few for the nanoseconds since the machine started.
        return height * 0 + time.perf_counter_ns() % 10_000_019

    clock = hills.Clock("worn")
    assert hills.run(clock).value.digest != hills.run(clock).value.digest
    del tr._foreign._nodes["Clock"]


def test_a_run_that_is_stopped_stops_the_node(hills):
    stopped = threading.Event()

    @tr.node(version=1)
    def Endless(height: tr.Map, context: tr.Context) -> tr.Map:
        try:
            while True:
                context.progress(0.5)
                time.sleep(0.005)
        except tr.Cancelled:
            stopped.set()
            raise

    def hear(event):
        if event["event"] == "started" and event["node"] == "endless":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hills.run(hills.Endless("worn"), progress=hear)
    assert stopped.wait(2.0)


def test_graphs_in_files_run_from_the_shell(tmp_path):
    (tmp_path / "nodes.py").write_text(
        "import pyterrane as tr\n\n@tr.node\ndef Doubled(height: tr.Map) -> tr.Map:\n    return 2 * height\n"
    )
    (tmp_path / "g.ron").write_text(
        'Graph(size: (17, 17), params: { "a": 1.0 }, nodes: { "h": Ramp(), "d": Doubled(height: "h") }, outputs: { "d.npy": "d", "h.npy": "h" })'
    )
    command = [sys.executable, "-m", "pyterrane", "run", "g.ron", "--nodes", "nodes.py", "--no-cache", "--seed", "3", "--set", "a=2"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert np.array_equal(np.load(tmp_path / "out" / "d.npy"), 2 * np.load(tmp_path / "out" / "h.npy"))
    ran = subprocess.run(command[:5], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 2 and "Doubled" in ran.stderr

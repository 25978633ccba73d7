"""Tests of the end of a process, forks and pickles."""

import copy
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import pyterrane as tr

ENDS = """
import threading, time
import pyterrane as tr

@tr.node
def Sleeps(height: tr.Map) -> tr.Map:
    time.sleep({node})
    return height

def work():
    graph = tr.Graph(size=(1025, 1025))
    graph.ThermalErosion(graph.Perlin(), talus=0.01, iterations=5000, name="worn")
    graph.run("worn")

def waits():
    graph = tr.Graph(size=(65, 65))
    graph.run(graph.Sleeps(graph.Perlin()))

tr.set_default_engine(tr.Engine(cache=False))
for thread in (threading.Thread(target=work, daemon=True), threading.Thread(target=waits, daemon=True)):
    thread.start()
time.sleep(0.3)
"""


@pytest.mark.parametrize("node", [0.35, 30.0])
def test_a_process_can_end_during_runs(tmp_path, node):
    (tmp_path / "ends.py").write_text(ENDS.format(node=node))
    for _ in range(3):
        ran = subprocess.run([sys.executable, "ends.py"], cwd=tmp_path, capture_output=True, text=True, timeout=20)
        assert ran.returncode == 0, ran.stderr
        assert "panicked" not in ran.stderr and "Fatal" not in ran.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_a_fork_has_a_separate_engine(hills, engine):
    before = hills.run("worn").value
    tr.set_default_engine(None)
    tr.default_engine()
    child = os.fork()
    if child == 0:
        try:
            other = tr.Graph.from_ron(hills.to_ron())
            same = other.run("worn").value.digest == before.digest
            try:
                hills.run("hills", engine=engine)
                refused = False
            except tr.UsageError as error:
                refused = "fork" in str(error)
            os._exit(0 if same and refused else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_graphs_and_values_are_pickled(hills):
    dem = np.arange(65 * 65, dtype=np.float32).reshape(65, 65)
    hills.array(dem, name="dem")
    again = pickle.loads(pickle.dumps(hills))
    assert again.to_ron() == hills.to_ron() and np.array_equal(again.run("dem").value, dem)
    other = copy.copy(hills)
    other.change("worn", talus=0.1)
    assert "talus: 0.5" in hills.to_ron() and "talus: 0.1" in other.to_ron()
    value = hills.run("worn").value
    restored = pickle.loads(pickle.dumps(value))
    assert restored.digest == value.digest and restored.spacing == value.spacing
    table = hills.run(hills.Statistics("worn")).value
    assert pickle.loads(pickle.dumps(table)).to_pandas().equals(table.to_pandas())
    assert copy.deepcopy(value) is value


def test_subclasses_of_engine_are_engines(hills, tmp_path):
    class Own(tr.Engine):
        pass

    engine = Own(threads=1, cache_dir=tmp_path / "own")
    assert hills.run("worn", engine=engine).value.shape == (65, 65)


def test_graphs_are_changed_by_many_threads():
    graph = tr.Graph(size=(17, 17))
    threads = [threading.Thread(target=lambda: [graph.Perlin() for _ in range(20)]) for _ in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len({node.name for node in graph.nodes}) == 120

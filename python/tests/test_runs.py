"""Tests of runs: they match the command's, can be repeated, and can be stopped at any time."""

import os
import re
import resource
import shutil
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import pyterrane as tr
from conftest import ROOT

PAGES = sorted(page for page in (ROOT / "nodes-docs").glob("[A-Z]*.md") if page.name != "README.md")
COMMAND = os.environ.get("TERRANE") or shutil.which("terrane")


def example(page):
    found = re.search(r"```ron\n(.*?)```", page.read_text(), re.S)
    return found and found[1]


@pytest.mark.skipif(not COMMAND, reason="the command is not there: name it in TERRANE")
@pytest.mark.parametrize("page", [page for page in PAGES if example(page)], ids=lambda page: page.stem)
def test_every_page_gives_the_same_as_the_command(page, tmp_path):
    text = example(page)
    if not text.lstrip().startswith("Graph"):
        pytest.skip("no graph")
    graph_file = ROOT / "graphs" / f"page-{page.stem}-{os.getpid()}.ron"
    graph_file.write_text(text)
    try:
        command = [COMMAND, "run", graph_file, "--out", tmp_path / "command", "--cache-dir", tmp_path / "a", "--size", "65x65"]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        graph = tr.load(graph_file).at(size=(65, 65))
        if ran.returncode:
            with pytest.raises(tr.TerraneError):
                graph.write(tmp_path / "python")
            return
        graph.write(tmp_path / "python")
    finally:
        graph_file.unlink()
    files = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "python").iterdir())
    for name in files:
        assert (tmp_path / "command" / name).read_bytes() == (tmp_path / "python" / name).read_bytes(), name


def test_the_cache_is_shared_with_the_command(hills, tmp_path):
    hills.run("worn")
    tr.default_engine().flush()
    engine = tr.Engine(threads=1, cache_dir=tmp_path / "cache")
    assert {outcome for _, outcome, _ in hills.run("worn", engine=engine).nodes} == {"cached"}


def test_a_thousand_runs_take_no_more_memory(hills):
    def run(seeds):
        for seed in seeds:
            np.asarray(hills.at(seed=seed).run("worn").value)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    tr.set_default_engine(tr.Engine(threads=2, cache=False, keep_in_memory="0"))
    before = run(range(100))
    after = run(range(100, 1100))
    assert after - before < 8 << 10, f"{before} kB before, {after} kB after"


def test_the_lock_is_free_while_a_graph_runs():
    graph = tr.Graph(size=(1025, 1025))
    graph.ThermalErosion(graph.Perlin(), iterations=200, name="worn")
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    started = time.monotonic()
    graph.run("worn")
    took = time.monotonic() - started
    done.set()
    thread.join()
    gaps = np.diff([started, *counted])
    assert gaps.max() < max(0.1, took / 2), f"{gaps.max()} s of {took} s"


def test_ctrl_c_stops_a_run():
    # A shell starts background jobs with this signal ignored; Python then leaves it so.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    graph = tr.Graph(size=(2049, 2049))
    graph.ThermalErosion(graph.MidpointDisplacement(amplitude=900.0), talus=0.01, iterations=4000, name="worn")
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.0, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        graph.run("worn")
    assert time.monotonic() - sent[0] < 0.2


def test_threads_run_graphs_side_by_side(hills):
    digests = []

    def work(seed):
        graph = tr.Graph.from_ron(hills.to_ron()).at(seed=seed)
        digests.append((seed, graph.run("worn").value.digest))

    threads = [threading.Thread(target=work, args=(seed % 3,)) for seed in range(12)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(digests) == 12 and len(set(digests)) == 3

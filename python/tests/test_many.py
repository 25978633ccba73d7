"""Sweeps, worlds and snapshots."""

import csv
import shutil
import time

import pytest

import pyterrane as tr
from conftest import ROOT

pytest_plugins = ["pytester"]


@pytest.fixture
def scored():
    graph = tr.Graph(size=(65, 65), seed=1, params={"talus": 0.5})
    worn = graph.ThermalErosion(graph.MidpointDisplacement(amplitude=90.0), talus=tr.Param("talus"), iterations=20)
    graph.ErosionScore(worn, name="score")
    return graph


def test_sweeps_are_tables(scored, tmp_path):
    swept = scored.sweep("score.score", seeds=range(4), vary={"talus": [0.25, 0.5]})
    assert len(swept["seed"]) == 8 and swept.problems == []
    frame = swept.to_pandas()
    assert frame.groupby("talus").size().tolist() == [4, 4]
    assert list(swept)[:3] == ["seed", "talus", "score.score.mean"] and set(swept["error"]) == {""}
    at = scored.at(seed=2).set(talus=0.25).run("score").value
    assert swept["score.score.score"][(swept["seed"] == 2) & (swept["talus"] == 0.25)] == pytest.approx(at["score"], rel=1e-12)


def test_sweeps_write_what_the_command_writes(scored, tmp_path):
    files = {"table": "t.csv", "summary": "s.md", "plot": "p.svg"}
    paths = {name: tmp_path / file for name, file in files.items()}
    heard = []
    scored.sweep("score.score", seeds=[1, 2], vary={"talus": [0.25, 0.5]}, progress=heard.append, **paths)
    assert all(path.stat().st_size for path in paths.values())
    assert heard[0] == {"event": "planned", "nodes": 4}
    again = []
    scored.sweep("score.score", seeds=[1, 2], vary={"talus": [0.25, 0.5]}, progress=again.append, **paths)
    with paths["table"].open() as file:
        assert len(list(csv.reader(file))) == 5
    with pytest.raises(tr.UsageError, match="has no known format"):
        scored.sweep("score.score", plot=tmp_path / "p.docx")
    assert not [path for path in (ROOT / "python").glob(".*.ron")], "nothing is left beside"


def test_a_sweep_is_stopped_at_once(scored):
    def stop(event):
        if event["event"] == "finished":
            raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        scored.at(size=(257, 257)).sweep("score.score", seeds=range(2000), progress=stop)
    assert time.monotonic() - started < 10.0


def test_worlds_are_made_patch_by_patch(tmp_path):
    worlds = [path for path in (ROOT / "graphs").glob("**/*.ron") if path.read_text().lstrip("/ \n").startswith("World") or "\nWorld(" in path.read_text()]
    assert worlds
    folder = tmp_path / "graphs"
    shutil.copytree(worlds[0].parent, folder)
    world = tr.World(folder / worlds[0].name)
    heard = []
    together = world.write((range(2), range(1)), tmp_path / "out", progress=heard.append)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"0_0", "1_0", *(path.name for path in together)}
    assert [event["node"] for event in heard if event["event"] == "finished"]
    with pytest.raises(ValueError, match="is not a range of patches"):
        world.write((range(0, 4, 2), range(1)), tmp_path / "out")
    with pytest.raises(tr.TerraneError):
        tr.World(tmp_path / "none.ron").write((0, 0), tmp_path / "out")


def test_worlds_of_any_graph_at_levels_and_in_shares(tmp_path):
    graph = tr.Graph(size=(17, 17), spacing=30.0, seed=3)
    graph.output("worn.npy", graph.ThermalErosion(graph.Perlin(amplitude=200.0, wavelength=400.0), talus=0.3, iterations=3))
    graph.save(tmp_path / "patch.ron")
    (tmp_path / "world.ron").write_text('World(patch: "patch.ron")')
    world = tr.World(tmp_path / "world.ron")
    patches = (range(-1, 2), range(2))
    world.write(patches, tmp_path / "whole")
    for number in (2, 1):
        world.write(patches, tmp_path / "shares", share=(number, 2))
    made = sorted(path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").glob("*/worn.npy"))
    assert len(made) == 6
    for path in made:
        assert (tmp_path / "whole" / path).read_bytes() == (tmp_path / "shares" / path).read_bytes()
    with pytest.raises(tr.UsageError, match="counted from 1 to 2"):
        world.write(patches, tmp_path / "shares", share=(3, 2))
    with pytest.raises(tr.UsageError, match="has shares of"):
        world.write(patches, tmp_path / "shares", share=(1, 2), level=1)
    world.write((0, 0), tmp_path / "coarse", level=2)
    assert (tmp_path / "coarse" / "0_0" / "worn.npy").read_bytes() != (tmp_path / "whole" / "0_0" / "worn.npy").read_bytes()


def test_snapshots_of_graphs(hills, tmp_path):
    hills.output("worn.png", "worn")
    hills.save(tmp_path / "hills.ron")
    with pytest.raises(tr.EvaluationError, match="new"):
        tr.test(tmp_path / "hills.ron")
    assert {each.outcome for each in tr.test(tmp_path / "hills.ron", accept=True)} == {"accepted"}
    assert {each.outcome for each in tr.test(tmp_path / "hills.ron")} == {"passed"}
    hills.change("worn", talus=0.25)
    hills.save(tmp_path / "hills.ron")
    with pytest.raises(tr.EvaluationError, match="changed") as error:
        tr.test(tmp_path / "hills.ron")
    assert "worn.png" in str(error.value) and error.value.help


TEST = """
import pyterrane as tr

def test_hills(terrane_snapshot):
    graph = tr.Graph(size=(33, 33))
    terrane_snapshot(graph.run(graph.Perlin(amplitude={amplitude})).value)

def test_twice(terrane_snapshot):
    graph = tr.Graph(size=(33, 33))
    value = graph.run(graph.Perlin()).value
    terrane_snapshot(value, "a")
    terrane_snapshot(value, "b")
"""


def test_the_fixture(pytester):
    pytester.makepyfile(test_it=TEST.format(amplitude=3.0))
    run = lambda *args: pytester.runpytest_subprocess("-q", *args)  # noqa: E731
    run().assert_outcomes(failed=2)
    run("--terrane-accept").assert_outcomes(passed=2)
    run().assert_outcomes(passed=2)
    pytester.makepyfile(test_it=TEST.format(amplitude=4.0))
    changed = run()
    changed.assert_outcomes(passed=1, failed=1)
    changed.stdout.fnmatch_lines(["*changed*"])
    names = sorted(path.name for path in (pytester.path / "snapshots").iterdir())
    assert "test_it__test_hills.snap" in names and "test_it__test_twice-a.snap" in names

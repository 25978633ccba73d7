"""Tests that rejected changes leave a graph unchanged, and tests of unusual names."""

import numpy as np
import pytest

import pyterrane as tr
from conftest import ROOT


def test_handles_of_other_graphs_are_rejected(hills):
    other = tr.Graph()
    node = other.Perlin()
    text = hills.to_ron()
    for wrong in (
        lambda: hills.run(node),
        lambda: hills.Invert(node),
        lambda: hills.remove(node),
        lambda: hills.change(node, octaves=2),
        lambda: hills.output("a.png", node),
        lambda: hills.sweep(node),
        lambda: hills.run("worn")[node],
    ):
        with pytest.raises(tr.UsageError, match="of another graph"):
            wrong()
    assert hills.to_ron() == text


@pytest.mark.parametrize("name", ['with "quotes"', "back\\slash", "Übergröße 山", "a b", "$odd", '"#'])
def test_unusual_names(name, tmp_path):
    graph = tr.Graph(size=(9, 9))
    try:
        node = graph.Perlin(name=name)
    except tr.TerraneError as error:
        assert name[:1] == "$" or "name" in str(error)
        return
    inverted = graph.Invert(node)
    graph.output("a.npy", inverted)
    assert graph.run(inverted).value.shape == (9, 9)
    graph.save(tmp_path / "g.ron")
    assert tr.load(tmp_path / "g.ron").nodes[0].name == name
    graph.remove("invert")


@pytest.mark.parametrize(
    "fields",
    [
        {"amplitude": float("nan")},
        {"amplitude": float("inf")},
        {"amplitude": [[1.0]] * 3},
        {"octaves": 2.5},
        {"octaves": -1},
        {"octaves": 10**30},
        {"ampitude": 3.0},
    ],
)
def test_a_rejected_field_changes_nothing(hills, fields):
    text = hills.to_ron()
    with pytest.raises((tr.TerraneError, TypeError)):
        hills.add("Perlin", **fields)
        hills.check()
    if hills.to_ron() != text:
        pytest.fail(f"{fields} were put into the graph")
    with pytest.raises(tr.TerraneError):
        hills.change("hills", **fields)
        hills.check()


def test_deeply_nested_lists_are_rejected():
    deep = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(tr.UsageError, match="deep"):
        tr.Graph().add("Curve", points=deep)


def test_invalid_sizes_and_seeds_change_nothing(hills):
    for wrong in ({"size": (0, 5)}, {"size": 7}, {"size": (3.5, 3)}, {"seed": -1}, {"seed": 1.5}, {"seed": 2**64}):
        with pytest.raises(tr.TerraneError):
            hills.at(**wrong)
    assert hills.run("worn").value.shape == (65, 65)


def test_sweeps_use_the_overrides_of_runs(hills):
    facts = hills.Statistics("worn", name="facts")
    swept = hills.at(seed=7, size=(33, 33)).sweep(facts)
    assert swept["seed"].tolist() == [7]
    assert swept["facts.max"][0] == pytest.approx(hills.run(facts).value["max"][0])


def test_handles_hold_no_numbers(hills):
    with pytest.raises(tr.UsageError, match="holds no numbers before it is run"):
        np.asarray(hills.node("worn"))


def test_a_loaded_file_keeps_its_content(tmp_path):
    path = tmp_path / "g.ron"
    path.write_text('Graph(size: (9, 9), nodes: { "h": Perlin() }, outputs: { "h.npy": "h" })')
    graph = tr.load(path)
    before = graph.run("h").value.digest
    path.write_text('Graph(size: (9, 9), nodes: { "h": Ramp() }, outputs: { "h.npy": "h" })')
    assert graph.run("h").value.digest == before
    assert graph.at(seed=0).run("h").value.digest == before


def test_files_outside_need_permission(tmp_path):
    np.save(tmp_path / "dem.npy", np.ones((9, 9), dtype=np.float32))
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "g.ron"
    path.write_text('Graph(size: (9, 9), nodes: { "h": Import(file: "../dem.npy") }, outputs: {})')
    with pytest.raises(tr.TerraneError, match="allow_outside"):
        tr.load(path).run("h")
    assert tr.load(path, allow_outside=True).run("h").value.shape == (9, 9)


def test_examples_of_the_repository_are_copied(tmp_path):
    graph = tr.load(ROOT / "graphs" / "quickstart.ron")
    assert graph.to_ron() == (ROOT / "graphs" / "quickstart.ron").read_text()

"""Tests of the cache keys of Python nodes."""

import threading

import numpy as np
import pytest

import pyterrane as tr

FACTOR = 2.0
WEIGHTS = np.ones(3)


def twice(height):
    return height * FACTOR


@tr.node
def Weighted(height: tr.Map) -> tr.Map:
    return twice(height) * WEIGHTS[0]


def test_globals_and_functions_that_a_node_uses_are_in_its_key(hills, monkeypatch):
    weighted = hills.Weighted("worn")
    first = np.asarray(hills.run(weighted).value)
    monkeypatch.setitem(globals(), "FACTOR", 4.0)
    assert np.allclose(hills.run(weighted).value, first * 2)
    WEIGHTS[0] = 3.0
    try:
        assert np.allclose(hills.run(weighted).value, first * 6)
    finally:
        WEIGHTS[0] = 1.0
    monkeypatch.setitem(globals(), "twice", lambda height: height)
    assert np.allclose(hills.run(weighted).value * np.float32(2.0), first)


def test_methods_need_a_version(hills):
    class Maker:
        factor = 3.0

        def Tripled(self, height: tr.Map) -> tr.Map:
            return height * self.factor

    with pytest.raises(tr.UsageError, match="is a method"):
        tr.node(Maker().Tripled)
    tr.node(Maker().Tripled, version=1)
    results = hills.run(hills.Tripled("worn"), "worn")
    assert np.allclose(results["tripled"], 3 * np.asarray(results["worn"]))


def test_a_node_that_evaluates_itself_is_an_error(hills):
    tr.set_default_engine(tr.Engine(threads=2, cache=False))

    @tr.node(version=1)
    def Turning(height: tr.Map) -> tr.Map:
        return np.asarray(hills.run("turning").value)

    hills.Turning("worn", name="turning")
    told = []

    def work():
        with pytest.raises(tr.EvaluationError, match=r"evaluates\W+a\W+graph\W+that\W+contains\W+itself"):
            hills.run("turning")
        told.append(True)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(20)
    assert told == [True]


def test_sweeps_and_tests_of_files_know_the_nodes(hills, tmp_path):
    hills.Weighted("worn", name="twice")
    hills.Statistics("twice", name="facts")
    swept = hills.sweep("facts", seeds=range(3))
    assert len(swept["seed"]) == 3 and set(swept["error"]) == {""}
    hills.output("twice.npy", "twice")
    hills.save(tmp_path / "hills.ron")
    assert tr.test(tmp_path / "hills.ron", accept=True)[0].outcome == "accepted"


@pytest.mark.parametrize(
    ("name", "result", "message"),
    [
        ("NoReturn", lambda height: None, "is None"),
        ("Smaller", lambda height: height[:3], r"\(65, 65\) is wanted"),
        ("Text", lambda height: height.astype(str), "holds <U32"),
        ("Gap", lambda height: np.where(height == height[1, 2], np.nan, height), "NaN"),
    ],
)
def test_invalid_results_are_errors(hills, name, result, message):
    def function(height: tr.Map) -> tr.Map:
        return result(height)

    tr.node(function, name=name, version=1)
    with pytest.raises(tr.EvaluationError, match=message):
        hills.run(hills.add(name, height="worn"))
    assert hills.run("worn").value.shape == (65, 65)


def test_kinds_of_results_are_checked(hills):
    @tr.node
    def Pretends(height: tr.Map) -> tr.Table:
        return height

    with pytest.raises(tr.EvaluationError, match="is a ndarray"):
        hills.run(hills.Pretends("worn"))

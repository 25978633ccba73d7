"""Fixtures that tests share."""

from pathlib import Path

import pytest

import pyterrane as tr

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def engine(tmp_path):
    """An engine with a separate cache for the test."""
    engine = tr.Engine(threads=2, cache_dir=tmp_path / "cache")
    tr.set_default_engine(engine)
    yield engine
    tr.set_default_engine(None)


@pytest.fixture
def hills():
    """A graph of eroded hills."""
    graph = tr.Graph(size=(65, 65), spacing=4.0, seed=42)
    graph.ThermalErosion(graph.Perlin(amplitude=60.0, wavelength=120.0, name="hills"), talus=0.5, name="worn")
    return graph

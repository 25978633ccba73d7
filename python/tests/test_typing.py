"""What type checkers know of functions for arrays and of methods of `array.terrane`."""

import pytest

TEXT = '''
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt
import xarray as xr

import pyterrane as tr
from pyterrane._accessor import Accessor

DEM = np.ones((9, 9))
ARRAY = xr.DataArray(DEM)
assert_type(tr.apply.ThermalErosion(DEM), npt.NDArray[np.float32])
assert_type(tr.apply.ThermalErosion([[1.0, 2.0]], output="moved"), npt.NDArray[np.float32])
assert_type(tr.apply.ThermalErosion(ARRAY, talus=0.6), xr.DataArray)
assert_type(tr.apply.ThermalErosion(DEM, output="history"), tr.Table)
assert_type(tr.apply.ThermalErosion(ARRAY, output="frames"), tr.Frames)
assert_type(tr.apply.ThermalErosion(DEM, output=("height", "moved")), tuple[Any, ...])
assert_type(tr.apply.ThermalErosion(DEM, output=["height", "moved"]), tuple[Any, ...])
assert_type(tr.apply.UpliftErosion(ARRAY), xr.DataArray)
assert_type(tr.apply.ColorRelief(ARRAY), npt.NDArray[np.uint8])
assert_type(tr.apply.Statistics(DEM), tr.Table)
assert_type(tr.apply.Contours(DEM, output="lines"), tr.Value)
assert_type(tr.apply.Perlin(), npt.NDArray[np.float32])
methods = Accessor(ARRAY)
assert_type(methods.SlopeMap(kind="Gradient"), xr.DataArray)
assert_type(methods.ThermalErosion(output="frames"), tr.Frames)
graph = tr.Graph()
assert_type(graph.run(graph.Perlin()).value, tr.Value)
assert_type(graph.run(graph.Perlin()).value.to_xarray("hills"), xr.DataArray)
'''

WRONG = """
import numpy as np

import pyterrane as tr
from pyterrane._accessor import Accessor

tr.apply.SlopeMap(np.ones((9, 9)), kind="Horn")
tr.apply.SlopeMap(np.ones((9, 9)), output="area")
tr.apply.SlopeMap(np.ones((9, 9)), kid="Olsen")
Accessor(None).SlopeMap(kid="Olsen")
tr.Graph(sise=(3, 3))
tr.Graph().sweep(seeds=3)
"""


def checked(path, text):
    api = pytest.importorskip("mypy.api")
    path.write_text(text)
    said, failed, status = api.run(["--strict", "--no-incremental", "--cache-dir", str(path.parent), str(path)])
    assert not failed, failed
    return status, [line for line in said.splitlines() if ": error: " in line]


def test_results_have_types(tmp_path):
    status, errors = checked(tmp_path / "right.py", TEXT)
    assert status == 0 and not errors, errors


def test_wrong_calls_are_found(tmp_path):
    _, errors = checked(tmp_path / "wrong.py", WRONG)
    lines = WRONG.splitlines()
    first = lines.index('tr.apply.SlopeMap(np.ones((9, 9)), kind="Horn")') + 1
    assert sorted({int(error.split(":")[1]) for error in errors}) == list(range(first, len(lines) + 1)), errors

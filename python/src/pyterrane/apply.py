"""One node on arrays: `pyterrane.apply.ThermalErosion(dem, talus=0.6)`.

Arrays are two-dimensional; an `xarray.DataArray` gives one back, with its coordinates and CRS.
"""

from typing import Any

from ._nodes import *
from ._nodes import __all__ as __all__
from ._unknown import unknown_node


def __getattr__(name: str) -> Any:
    raise AttributeError(unknown_node(name, __all__, "help(pyterrane.apply) lists the nodes that take arrays"))


def __dir__() -> list[str]:
    return __all__

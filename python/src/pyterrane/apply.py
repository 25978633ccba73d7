"""One node on arrays: `pyterrane.apply.ThermalErosion(dem, talus=0.6)`.

Arrays are two-dimensional; an `xarray.DataArray` gives one back, with its coordinates and CRS.
"""

from typing import Any

from . import _pyterrane
from ._declared import function
from ._foreign import registered
from ._nodes import *
from ._nodes import __all__ as __all__
from ._unknown import unknown_node


def __getattr__(name: str) -> Any:
    """Makes nodes that are written in Python available as functions."""
    written = registered(name)
    if written is not None:
        _, of_arrays = _pyterrane.callables_of(name)
        if of_arrays is None:
            raise AttributeError(f"`{name}` reads no map, or needs something else than maps: use it in a graph")
        return function(of_arrays, __name__)
    raise AttributeError(unknown_node(name, __all__, "help(pyterrane.apply) lists the nodes that take arrays"))


def __dir__() -> list[str]:
    return __all__

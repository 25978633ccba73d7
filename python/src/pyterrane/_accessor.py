"""`array.terrane.ThermalErosion(talus=0.6)`, where xarray is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import apply


class Accessor:
    """Every node that takes a map, as a method of arrays."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = None if name.startswith("_") else getattr(apply, name, None)
        if function is None:
            raise AttributeError(f"there is no node `{name}` that takes an array: see help(pyterrane.apply)")
        return lambda **arguments: function(self._array, **arguments)

    def __dir__(self) -> list[str]:
        return [name for name in dir(apply) if name[:1].isupper()]


def register() -> None:
    """Registers the accessor; nothing where there is no xarray."""
    try:
        import xarray
    except ImportError:
        return
    xarray.register_dataarray_accessor("terrane")(Accessor)  # type: ignore[no-untyped-call]

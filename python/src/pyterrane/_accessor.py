"""`array.terrane.ThermalErosion(talus=0.6)`, if xarray is installed."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

from . import apply
from ._arrays import checked
from ._grid import is_dataset
from ._nodes import ArrayNodes


class Accessor(ArrayNodes):
    """Every node that reads a map, as a method of arrays."""

    def __init__(self, array: Any) -> None:
        if is_dataset(array):
            checked(array, "the array")
        self._array = array

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Makes nodes that are written in Python available as methods."""
        if name.startswith("_"):
            raise AttributeError(name)
        function = getattr(apply, name)
        if name in apply.__all__:
            help = f"pyterrane.apply.{name} takes arrays by name"
            raise AttributeError(f"`{name}` makes a map of its own, and has no first array: {help}")

        def applied(*arguments: Any, **fields: Any) -> Any:
            return function(self._array, *arguments, **fields)

        applied.__name__, applied.__doc__ = name, function.__doc__
        signature = inspect.signature(function)
        applied.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
        return applied


def register() -> None:
    """Registers the accessor when xarray is imported. Importing xarray here would take longer than importing Terrane."""
    if "xarray" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _WithXarray())


def _register() -> None:
    import xarray

    xarray.register_dataarray_accessor("terrane")(Accessor)  # type: ignore[no-untyped-call]
    xarray.register_dataset_accessor("terrane")(Accessor)  # type: ignore[no-untyped-call]


class _WithXarray(MetaPathFinder):
    """Finds only xarray, once, and registers the accessor after xarray is loaded."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "xarray":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and isinstance(spec.loader, Loader):
            execute = spec.loader.exec_module

            def executed(module: Any) -> None:
                execute(module)
                _register()

            spec.loader.exec_module = executed  # type: ignore[method-assign]
        return spec

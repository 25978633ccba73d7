"""Every type of node: a method that adds one to a graph, a class with its outputs, and a function for arrays.

They are made here from what the native part declares. `_nodes.pyi` describes them for type checkers and editors.
"""

from . import _pyterrane
from ._declared import function, handle, method, of_array
from ._handles import Adder

__all__: list[str] = []


class Nodes(Adder):
    """A method per type of node."""


class ArrayNodes:
    """A method per type of node that reads a map: the first one is the array."""


def _make() -> None:
    for of_graphs, of_arrays in _pyterrane.callables():
        made = handle(of_graphs, __name__)
        if of_graphs.outputs:
            globals()[made.__name__] = made
        setattr(Nodes, of_graphs.name, method(of_graphs, made, __name__))
        if of_arrays is not None:
            globals()[of_arrays.name] = function(of_arrays, "pyterrane.apply")
            __all__.append(of_arrays.name)
            own = of_array(of_arrays, globals()[of_arrays.name], __name__)
            if own is not None:
                setattr(ArrayNodes, of_arrays.name, own)


_make()

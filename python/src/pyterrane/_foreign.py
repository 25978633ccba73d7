"""Nodes that are written in Python."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from . import _pyterrane
from ._calls import Context, started
from ._code import used
from ._definition import TAKEN, definition_of
from ._errors import call_error, usage
from ._keywords import keywords
from ._unknown import nearest
from ._values import Value


class PythonNode:
    """A function that is also a type of node. Calling it with arrays calls the function, with a context of its own if none is given."""

    def __init__(self, function: Callable[..., Any], definition: dict[str, Any]) -> None:
        self._function = function
        self._definition = definition
        self.__name__ = definition["name"]
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self.__signature__ = inspect.signature(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        context = self._definition["context"]
        if context is None or context in kwargs or any(isinstance(value, Context) for value in args):
            return self._function(*args, **kwargs)
        fields = self.fields(args, kwargs)
        shapes = [np.shape(fields[port["name"]]) for port in self._definition["inputs"] if fields.get(port["name"]) is not None]
        shape = next((shape for shape in shapes if len(shape) >= 2), None)
        if shape is None:
            message = f"`{self.__name__}` reads the graph's size, and is called without a graph and without a map"
            raise usage(message, f"give a context: {context}=pyterrane.Context.alone((513, 513))")
        return self._function(**fields, **{context: Context.alone((shape[1], shape[0]))})

    def __repr__(self) -> str:
        return f"<node {self.__name__}>"

    @property
    def pure(self) -> bool:
        """Whether the same input always gives the same result."""
        return bool(self._definition["pure"])

    @property
    def adding(self) -> inspect.Signature:
        """The signature of the method that adds such a node to a graph."""
        context = self._definition["context"]
        own = [argument for name, argument in self.__signature__.parameters.items() if name != context]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in TAKEN]
        return inspect.Signature([*own, *more])

    def is_changed(self) -> bool:
        """Whether something that the function uses has changed."""
        return bool(self._definition["used"] != used(self._function))

    def fields(self, args: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
        """Arguments by name, except the context, which the engine provides."""
        context = self._definition["context"]
        signature = self.__signature__
        rest = [argument for name, argument in signature.parameters.items() if name != context]
        own = signature.replace(parameters=rest)
        try:
            return dict(own.bind(*args, **fields).arguments)
        except TypeError as error:
            unknown = next((name for name in fields if name not in own.parameters), "")
            known = list(own.parameters)
            help = nearest(unknown, known, "the arguments are") if unknown else f"the arguments are: {', '.join(known)}"
            raise call_error(f"{self.__name__}(): {error}", help) from None


_nodes: dict[str, PythonNode] = {}
_generation = 0


def generation() -> int:
    """A value that changes with every registered node, and on every call if a node is not pure."""
    global _generation
    for written in list(_nodes.values()):
        if written.is_changed():
            _register(written._function, written._definition)
    if any(not node.pure for node in _nodes.values()):
        _generation += 1
    return _generation


def _register(function: Callable[..., Any], definition: dict[str, Any]) -> None:
    """Registers a node under the key of its current code and of what it uses."""
    global _generation
    definition["used"] = used(function)
    code = repr((definition["source"], definition["used"])).encode(errors="backslashreplace")
    definition["code"] = hashlib.blake2b(code, digest_size=32).hexdigest()
    _pyterrane.register(definition, started(function, definition))
    _generation += 1


def registered(name: str) -> PythonNode | None:
    """The Python node with that name."""
    return _nodes.get(name)


@keywords
def node(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    version: int | None = None,
    outputs: dict[str, type[Value]] | None = None,
    unit: str = "",
    tiles: Literal["pointwise", "global"] | int = "global",
    pure: bool = True,
) -> Any:
    """Makes a function a type of node, for graphs built in Python and for graph files.

    Annotations define the function's arguments. `Map`, `Levels`, `Table` and `Picture` are ports: the function receives arrays, and
    tables as dicts of arrays. `float`, `int`, `bool` and `str` are parameters. A `Context` describes the graph. The function returns an array, or
    the kind of value that its return annotation names. With `outputs`, or if the return annotation is a tuple or a `NamedTuple` of kinds,
    it returns a dict, or a tuple in the order of the outputs. The outputs of a plain tuple are named `out`, `out_2`, `out_3` and so on.

    The cache identifies results by the function's source, by `version`, and by what the function uses: global variables that are
    numbers, texts, arrays or Python functions. Raise the version when something else changes, such as an object or a file. A method, or
    a function that uses variables of an enclosing function, needs a version. A node that is not `pure` is evaluated again in every run.

    `tiles` says how worlds may be cut into patches: "pointwise" if a sample depends only on the inputs' samples at the same position, a
    number if it depends on that many samples around it, and "global" if it depends on all samples.
    """
    if function is None:
        return lambda function: node(
            function, name=name, version=version, outputs=outputs, unit=unit, tiles=tiles, pure=pure
        )
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise usage(f"{function!r} is not a function", "write a function with `def` that calls it")
    definition = definition_of(function, name or function.__name__, version, outputs, unit, tiles, pure)
    made = PythonNode(function, definition)
    _register(function, definition)
    _nodes[definition["name"]] = made
    return made

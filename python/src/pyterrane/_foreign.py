"""Nodes that are written in Python."""

from __future__ import annotations

import hashlib
import inspect
import textwrap
import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _pyterrane
from ._arrays import samples
from ._errors import usage
from ._values import Map, Picture, Table, Value, wrapped

_KINDS: dict[type[Value], str] = {Map: "map", Picture: "picture", Table: "table"}
_PARAMETERS: dict[type, str] = {float: "float", int: "int", bool: "bool", str: "str"}


class Cancelled(Exception):
    """Nobody wants what a node makes any more: let it pass through."""


class Context:
    """What a node written in Python knows beside its inputs: the part of the world that its graph covers."""

    def __init__(self, native: _pyterrane.NodeContext) -> None:
        self._native = native
        self.size: tuple[int, int] = native.size
        """Columns and rows of the graph's maps."""
        self.spacing: float = native.spacing
        """Distance between samples."""
        self.origin: tuple[float, float] = native.origin
        """World x and y of the first sample."""

    def progress(self, fraction: float) -> None:
        """Tells how far the node is; raises `Cancelled` where it should stop."""
        if not self._native.progress(fraction):
            raise Cancelled

    def warn(self, message: str) -> None:
        """Tells the author something that does not stop the run."""
        self._native.warn(message)


class PythonNode:
    """A function that is a type of node. Called with arrays it is the function itself."""

    def __init__(self, function: Callable[..., Any], definition: dict[str, Any]) -> None:
        self._function = function
        self._definition = definition
        self.__name__ = definition["name"]
        self.__doc__ = function.__doc__
        self.__wrapped__ = function
        self.__signature__ = inspect.signature(function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<node {self.__name__}>"

    @property
    def pure(self) -> bool:
        """Whether the same input gives the same."""
        return bool(self._definition["pure"])

    def fields(self, args: tuple[Any, ...], fields: dict[str, Any]) -> dict[str, Any]:
        """Arguments by name, but for the context, which the engine gives."""
        context = self._definition["context"]
        signature = self.__signature__
        rest = [argument for name, argument in signature.parameters.items() if name != context]
        return dict(signature.replace(parameters=rest).bind(*args, **fields).arguments)


_nodes: dict[str, PythonNode] = {}
_generation = 0


def generation() -> int:
    """Changes with every node that is registered, and always while there is one that is not pure."""
    global _generation
    if any(not node.pure for node in _nodes.values()):
        _generation += 1
    return _generation


def registered(name: str) -> PythonNode | None:
    """The node of that name which was written in Python."""
    return _nodes.get(name)


def node(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    version: int | None = None,
    outputs: dict[str, type[Value]] | None = None,
    unit: str = "",
    tiles: str = "global",
    pure: bool = True,
) -> Any:
    """Makes a function a type of node, for graphs that are made here and for those in files.

    Annotations say what its arguments are: `Map`, `Table` and `Picture` are ports, which come as arrays (tables as dicts of
    arrays), `float`, `int`, `bool` and `str` are parameters, and a `Context` tells of the graph. It gives an array, or what the
    annotation of its result says; with `outputs` a dict, or a tuple in their order.

    Results are kept by the function's source and `version`: raise that when something changes which the source does not show. A
    function that uses variables of the functions around it needs a version. `pure=False` keeps nothing.
    """
    if function is None:
        return lambda function: node(
            function, name=name, version=version, outputs=outputs, unit=unit, tiles=tiles, pure=pure
        )
    definition = _definition(function, name or function.__name__, version, outputs, unit, tiles, pure)
    made = PythonNode(function, definition)
    _pyterrane.register(definition, _called(function, definition))
    global _generation
    _generation += 1
    _nodes[definition["name"]] = made
    return made


def _definition(
    function: Callable[..., Any],
    name: str,
    version: int | None,
    outputs: dict[str, type[Value]] | None,
    unit: str,
    tiles: str,
    pure: bool,
) -> dict[str, Any]:
    if not name.isidentifier() or not name[0].isupper():
        raise usage(f"`{name}` cannot be the name of a type of node", "use capitals, as in `RiverValleys`")
    if tiles not in ("pointwise", "halo", "global"):
        raise usage(f"tiles={tiles!r} is no way to be made in tiles", "say 'pointwise', 'halo' or 'global'")
    hints = typing.get_type_hints(function)
    inputs, params, context = [], [], None
    for argument in inspect.signature(function).parameters.values():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD, argument.POSITIONAL_ONLY):
            raise usage(f"`{argument.name}` of `{name}` has no name of its own", "give each argument a name")
        hint = hints.get(argument.name)
        given = None if argument.default is argument.empty else argument.default
        optional = type(None) in typing.get_args(hint)
        if optional:
            hint = next(part for part in typing.get_args(hint) if part is not type(None))
        if hint is Context:
            context = argument.name
        elif hint in _KINDS:
            if argument.default is not argument.empty and argument.default is not None:
                raise usage(f"`{argument.name}` of `{name}` is a port: its default can be None", "write `= None`")
            inputs.append({"name": argument.name, "kind": _KINDS[hint], "optional": argument.default is None})
        elif hint in _PARAMETERS and not optional:
            default = None if given is None else _PARAMETERS[hint] and hint(given)
            params.append({"name": argument.name, "type": _PARAMETERS[hint], "default": default})
        else:
            known = "pyterrane.Map, Table, Picture or Context, or float, int, bool or str"
            raise usage(f"`{argument.name}` of `{name}` is no port and no parameter", f"annotate it: {known}")
    if outputs is None:
        outputs = {"out": hints["return"] if hints.get("return") in _KINDS else Map}
    unknown = [output for output, kind in outputs.items() if kind not in _KINDS]
    if unknown or not outputs:
        raise usage(f"`{name}` has no kind for its outputs", "say outputs={'height': pyterrane.Map}")
    has_map = any(port["kind"] == "map" and not port["optional"] for port in inputs)
    return {
        "name": name,
        "docs": inspect.getdoc(function) or f"{name}, written in Python.",
        "version": 1 if version is None else int(version),
        "code": _code(function, name, version),
        "inputs": inputs,
        "params": params,
        "outputs": [{"name": output, "kind": _KINDS[kind], "unit": unit} for output, kind in outputs.items()],
        "tiles": tiles,
        "header": context is not None or not has_map,
        "context": context,
        "pure": pure,
    }


def _code(function: Callable[..., Any], name: str, version: int | None) -> str:
    """What stands for the function's code: the digest of its source."""
    if function.__code__.co_freevars and version is None:
        variables = ", ".join(f"`{variable}`" for variable in function.__code__.co_freevars)
        message = f"`{name}` uses {variables} of the function around it, which its source does not show"
        raise usage(message, "hand it in as a parameter, or give a version: @node(version=1)")
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        if version is None:
            raise usage(f"the source of `{name}` cannot be found", "give a version: @node(version=1)") from None
        source = ""
    return hashlib.blake2b(source.encode(), digest_size=32).hexdigest()


def _called(function: Callable[..., Any], definition: dict[str, Any]) -> Callable[..., list[Any]]:
    """The function as the engine calls it: values in, arrays in the order of outputs out."""
    names = [output["name"] for output in definition["outputs"]]

    def call(
        values: dict[str, _pyterrane.Value | None], params: dict[str, Any], native: _pyterrane.NodeContext
    ) -> list[Any]:
        arguments: dict[str, Any] = {name: _shown(value) for name, value in values.items()} | params
        if definition["context"] is not None:
            arguments[definition["context"]] = Context(native)
        result = function(**arguments)
        if isinstance(result, dict) and len(names) > 1:
            missing = [name for name in names if name not in result]
            if missing:
                raise ValueError(f"`{definition['name']}` gave no `{missing[0]}`")
            result = [result[name] for name in names]
        results = list(result) if len(names) > 1 else [result]
        if len(results) != len(names):
            raise ValueError(f"`{definition['name']}` gave {len(results)} values, where {len(names)} are wanted")
        kinds = [output["kind"] for output in definition["outputs"]]
        return [_given(*each) for each in zip(names, kinds, results, strict=True)]

    return call


def _shown(value: _pyterrane.Value | None) -> Any:
    if value is None:
        return None
    own = wrapped(value)
    return {name: own[name] for name in own} if isinstance(own, Table) else np.asarray(own)


def _given(name: str, kind: str, result: Any) -> Any:
    """A result as the engine takes it."""
    if isinstance(result, _pyterrane.Value):
        return result
    if kind == "map":
        return samples(result, f"`{name}`")
    if kind == "picture":
        picture = np.ascontiguousarray(result, dtype=np.uint8)
        if picture.ndim != 3 or picture.shape[2] != 3:
            raise ValueError(f"`{name}` has shape {picture.shape}, where rows, columns and 3 colours are wanted")
        return picture
    columns = {str(column): np.atleast_1d(np.asarray(numbers, dtype=np.float64)) for column, numbers in result.items()}
    if len({len(numbers) for numbers in columns.values()}) > 1:
        raise ValueError(f"the columns of `{name}` differ in length")
    return {column: numbers.tolist() for column, numbers in columns.items()}

"""Nodes that are written in Python."""

from __future__ import annotations

import hashlib
import inspect
import textwrap
import threading
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _pyterrane
from ._arrays import samples
from ._errors import UsageError, usage
from ._values import Map, Picture, Table, Value, wrapped

_KINDS: dict[type[Value], str] = {Map: "map", Picture: "picture", Table: "table"}
# What methods that add nodes take beside fields.
_TAKEN = ("name", "keep")
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

    @property
    def adding(self) -> inspect.Signature:
        """What the method takes that adds such a node to a graph."""
        context = self._definition["context"]
        own = [argument for name, argument in self.__signature__.parameters.items() if name != context]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in _TAKEN]
        return inspect.Signature([*own, *more])

    def is_changed(self) -> bool:
        """Whether something that the function uses is no longer what it was."""
        return bool(self._definition["used"] != _used(self._function))

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
    for written in list(_nodes.values()):
        if written.is_changed():
            _register(written._function, written._definition)
    if any(not node.pure for node in _nodes.values()):
        _generation += 1
    return _generation


def _register(function: Callable[..., Any], definition: dict[str, Any]) -> None:
    """Registers a node, under the key that its code and what it uses have now."""
    global _generation
    definition["used"] = _used(function)
    code = repr((definition["source"], definition["used"])).encode(errors="backslashreplace")
    definition["code"] = hashlib.blake2b(code, digest_size=32).hexdigest()
    _pyterrane.register(definition, _started(function, definition))
    _generation += 1


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

    Results are kept by the function's source and `version`, and by what it uses: global variables that are numbers, texts, arrays or
    functions of Python. Raise the version when something else changes, such as an object or a file. A function that uses variables of a
    function around it, and a method, needs one. What is not `pure` is evaluated anew in every run.
    """
    if function is None:
        return lambda function: node(
            function, name=name, version=version, outputs=outputs, unit=unit, tiles=tiles, pure=pure
        )
    if not (inspect.isfunction(function) or inspect.ismethod(function)):
        raise usage(f"{function!r} is no function", "write one with `def` that calls it")
    definition = _definition(function, name or function.__name__, version, outputs, unit, tiles, pure)
    made = PythonNode(function, definition)
    _register(function, definition)
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
    if version is not None and (not isinstance(version, int) or not 0 <= version < 2**32):
        raise usage(f"version={version!r} is no version", "count from 1: @node(version=2)")
    if inspect.iscoroutinefunction(function):
        raise usage(f"`{name}` is asynchronous", "write it with `def`")
    if not name.isidentifier() or not name[0].isupper():
        raise usage(f"`{name}` cannot be the name of a type of node", "use capitals, as in `RiverValleys`")
    if tiles not in ("pointwise", "halo", "global"):
        raise usage(f"tiles={tiles!r} is no way to be made in tiles", "say 'pointwise', 'halo' or 'global'")
    hints = typing.get_type_hints(function)
    inputs, params, context = [], [], None
    for argument in inspect.signature(function).parameters.values():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD, argument.POSITIONAL_ONLY):
            raise usage(f"`{argument.name}` of `{name}` has no name of its own", "give each argument a name")
        if argument.name in _TAKEN:
            raise usage(f"`{argument.name}` of `{name}` is what every node has", "choose another name for it")
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
    for output in outputs:
        if not output.isidentifier() or output in ("name", "kind", "output"):
            raise usage(f"{output!r} cannot be the name of an output of `{name}`", "write a word, as in {'height': Map}")
    unknown = [output for output, kind in outputs.items() if kind not in _KINDS]
    if unknown or not outputs:
        raise usage(f"`{name}` has no kind for its outputs", "say outputs={'height': pyterrane.Map}")
    has_map = any(port["kind"] == "map" and not port["optional"] for port in inputs)
    header = context is not None or not has_map
    interface = [inputs, [(param["name"], param["type"]) for param in params], [str(kind) for kind in outputs.items()], header]
    return {
        "name": name,
        "docs": inspect.getdoc(function) or f"{name}, written in Python.",
        "version": 1 if version is None else int(version),
        "source": _source(function, name, version, interface),
        "inputs": inputs,
        "params": params,
        "outputs": [{"name": output, "kind": _KINDS[kind], "unit": unit} for output, kind in outputs.items()],
        "tiles": tiles,
        "header": header,
        "context": context,
        "pure": pure,
    }


def _source(function: Callable[..., Any], name: str, version: int | None, interface: object) -> tuple[Any, ...]:
    """What stands for the function's code: its source, what Python made of it, and its ports and parameters."""
    hidden = _hidden(function)
    if hidden and version is None:
        message = f"`{name}` {hidden}, which its source does not show"
        raise usage(message, "hand it in as a parameter, or give a version: @node(version=1)")
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        source = ""
    return source, _compiled(function.__code__), interface


def _used(function: Any, seen: frozenset[int] = frozenset()) -> list[tuple[str, str]]:
    """The global variables that a function uses, and those that the functions which it calls use, as far as their content can be told:
    numbers, texts, tuples of them, arrays, and functions of Python. Of others the name alone is known."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    seen |= {id(function)}
    used = []
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, (bool, int, float, complex, str, bytes, tuple, frozenset, np.generic)):
            used.append((name, _constant(value)))
        elif isinstance(value, np.ndarray):
            content = np.ascontiguousarray(value).tobytes()
            used.append((name, f"{value.dtype} {value.shape} {hashlib.blake2b(content, digest_size=16).hexdigest()}"))
        elif inspect.isfunction(value) and id(value) not in seen:
            used.append((name, repr(_compiled(value.__code__))))
            used.extend((f"{name}.{inner}", content) for inner, content in _used(value, seen))
    return used


def _names(code: types.CodeType) -> set[str]:
    """Names that a function looks up, also within the functions in it."""
    inner = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _hidden(function: Callable[..., Any]) -> str:
    """What a function depends on beside its arguments and its source."""
    if inspect.ismethod(function):
        return "is a method, and uses what its object holds"
    variables = ", ".join(f"`{variable}`" for variable in function.__code__.co_freevars)
    return f"uses {variables} of the function around it" if variables else ""


def _compiled(code: types.CodeType) -> tuple[Any, ...]:
    """What Python made of a function, without the places in its file."""
    constants = [_compiled(part) if isinstance(part, types.CodeType) else _constant(part) for part in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, constants


def _constant(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)


def _started(function: Callable[..., Any], definition: dict[str, Any]) -> Callable[..., None]:
    """What the engine calls: it starts a thread that calls the function, and tells the engine what came of it.

    Such threads are Python's own: at the interpreter's end it drops them wherever they are.
    """
    call = _called(function, definition)

    def work(
        values: dict[str, _pyterrane.Value | None],
        params: dict[str, Any],
        native: _pyterrane.NodeContext,
        reply: _pyterrane.Reply,
    ) -> None:
        native.enter()
        try:
            results = call(values, params, native)
        except BaseException as error:
            reply.fail(error)
        else:
            reply.give(results)

    def start(*args: Any) -> None:
        threading.Thread(target=work, args=args, daemon=True, name=f"terrane {definition['name']}").start()

    return start


def _called(function: Callable[..., Any], definition: dict[str, Any]) -> Callable[..., list[Any]]:
    """The function with values as arguments and arrays, in the order of outputs, as what it gives."""
    names = [output["name"] for output in definition["outputs"]]
    kinds = [output["kind"] for output in definition["outputs"]]

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
        return [_given(*each) for each in zip(names, kinds, results, strict=True)]

    return call


def _shown(value: _pyterrane.Value | None) -> Any:
    if value is None:
        return None
    own = wrapped(value)
    return {name: own[name] for name in own} if isinstance(own, Table) else np.asarray(own)


def _given(name: str, kind: str, result: Any) -> Any:
    """A result as the engine takes it."""
    if result is None:
        raise ValueError(f"`{name}` is None, where a {kind} is wanted: does the function return it?")
    if isinstance(result, _pyterrane.Value):
        return result
    if kind == "map":
        try:
            return samples(result, f"`{name}`")
        except UsageError as error:
            raise ValueError(error.problems[0]["message"]) from None
    if kind == "picture":
        given = np.asarray(result)
        if given.dtype != np.uint8:
            raise ValueError(f"`{name}` holds {given.dtype}, where 8-bit colours are wanted: array.astype('uint8')")
        picture = np.ascontiguousarray(given)
        if picture.ndim != 3 or picture.shape[2] != 3:
            raise ValueError(f"`{name}` has shape {picture.shape}, where rows, columns and 3 colours are wanted")
        return picture
    if not isinstance(result, Mapping):
        raise ValueError(f"`{name}` is a {type(result).__name__}, where a dict of columns is wanted")
    columns = {str(column): np.atleast_1d(np.asarray(numbers, dtype=np.float64)) for column, numbers in result.items()}
    if len({len(numbers) for numbers in columns.values()}) > 1:
        raise ValueError(f"the columns of `{name}` differ in length")
    if len(columns) < len(result):
        raise ValueError(f"two columns of `{name}` have one name")
    return {column: numbers.tolist() for column, numbers in columns.items()}

"""The definition of a node type, derived from a function."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from ._calls import Context
from ._code import source
from ._errors import usage
from ._values import Levels, Map, Picture, Table, Value

_KINDS: dict[type[Value], str] = {Map: "map", Levels: "level", Picture: "picture", Table: "table"}
TAKEN = ("name", "keep")
"""Arguments of the methods that add nodes, in addition to fields."""
_PARAMETERS: dict[type, str] = {float: "float", int: "int", bool: "bool", str: "str"}


def _returned(hint: Any) -> dict[str, type[Value]]:
    """The outputs that a return annotation describes: a kind, a tuple of kinds, or a `NamedTuple` with kinds as fields."""
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        return dict(typing.get_type_hints(hint))
    kinds = typing.get_args(hint) if typing.get_origin(hint) is tuple else ()
    if kinds and kinds[-1] is not Ellipsis:
        return {"out" if at == 0 else f"out_{at + 1}": kind for at, kind in enumerate(kinds)}
    try:
        return {"out": hint if hint in _KINDS else Map}
    except TypeError:
        # An annotation that cannot be looked up, such as a list.
        return {"out": Map}


def definition_of(
    function: Callable[..., Any],
    name: str,
    version: int | None,
    outputs: dict[str, type[Value]] | None,
    unit: str,
    tiles: str | int,
    pure: bool,
) -> dict[str, Any]:
    if version is not None and (not isinstance(version, int) or not 0 <= version < 2**32):
        raise usage(f"version={version!r} is not a version", "count from 1: @node(version=2)")
    if inspect.iscoroutinefunction(function):
        raise usage(f"`{name}` is asynchronous", "write it with `def`")
    if not name.isidentifier() or not name[0].isupper():
        raise usage(f"`{name}` cannot be the name of a type of node", "use capitals, as in `RiverValleys`")
    if not (tiles in ("pointwise", "global") or isinstance(tiles, int) and 0 <= tiles < 2**31):
        help = "give 'pointwise', 'global', or the number of samples that the function reads around each one: tiles=3"
        raise usage(f"tiles={tiles!r} is not known", help)
    halo = tiles if isinstance(tiles, int) else 0
    hints = typing.get_type_hints(function)
    inputs, params, context = [], [], None
    for argument in inspect.signature(function).parameters.values():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD, argument.POSITIONAL_ONLY):
            raise usage(f"`{argument.name}` of `{name}` cannot be passed by name", "give each argument a name")
        if argument.name in TAKEN:
            raise usage(f"`{argument.name}` of `{name}` is a field of every node", "choose another name for it")
        hint = hints.get(argument.name)
        given = None if argument.default is argument.empty else argument.default
        optional = type(None) in typing.get_args(hint)
        if optional:
            hint = next(part for part in typing.get_args(hint) if part is not type(None))
        if hint is Context:
            context = argument.name
        elif hint in _KINDS:
            if argument.default is not argument.empty and argument.default is not None:
                raise usage(f"`{argument.name}` of `{name}` is a port: its default can only be None", "write `= None`")
            inputs.append({"name": argument.name, "kind": _KINDS[hint], "optional": argument.default is None})
        elif hint in _PARAMETERS and not optional:
            default = None if given is None else _PARAMETERS[hint] and hint(given)
            params.append({"name": argument.name, "type": _PARAMETERS[hint], "default": default})
        else:
            known = "pyterrane.Map, Levels, Table, Picture or Context, or float, int, bool or str"
            raise usage(f"`{argument.name}` of `{name}` is neither a port nor a parameter", f"annotate it: {known}")
    if outputs is None:
        outputs = _returned(hints.get("return"))
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
        "source": source(function, name, version, interface),
        "inputs": inputs,
        "params": params,
        "outputs": [{"name": output, "kind": _KINDS[kind], "unit": unit} for output, kind in outputs.items()],
        "tiles": tiles if isinstance(tiles, str) else "halo" if halo else "pointwise",
        "halo": halo,
        "header": header,
        "context": context,
        "pure": pure,
    }

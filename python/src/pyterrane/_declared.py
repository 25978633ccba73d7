"""Methods, functions and classes for node types, made from what the native part declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from inspect import signature as inspect_signature
from typing import Any, Literal

from . import _pyterrane
from ._apply import Array, ScalarArray, evaluate
from ._engine import Engine
from ._errors import call_error
from ._handles import Adder, Input, Node, Output, Param, ScalarInput
from ._unknown import nearest

# `Array`, `Engine`, `Input`, `Literal`, `Param`, `ScalarArray`, `ScalarInput` and `Sequence` are in annotations of methods and functions:
# `typing.get_type_hints` looks for them here.


def handle(declared: _pyterrane.Callable, module: str) -> type[Node]:
    """The class of a node's handle, which has a property per output."""
    if not declared.outputs:
        return Node
    name, doc = declared.returns, f"Outputs of a `{declared.name}`."
    properties = {output: _output(output, kind, docs) for output, kind, _, docs in declared.outputs}
    return type(name, (Node,), {"__doc__": doc, "__module__": module, **properties})


def _output(name: str, kind: str, docs: str) -> property:
    return property(lambda node: Output(node, name, kind), doc=docs)


def method(declared: _pyterrane.Callable, made: type[Node], module: str) -> Callable[..., Node]:
    """The method of graphs that adds a node."""
    own = _Arguments(declared, [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)])

    def add(*args: Any, **arguments: Any) -> Node:
        given = own.bound(args, arguments)
        graph: Adder = given["self"]
        return graph._add(made, declared.name, own.fields(given), own.defaults, given.get("name"), given.get("keep"))

    own.describe(add, f"Nodes.{declared.name}", module, made)
    return add


def function(declared: _pyterrane.Callable, module: str) -> Callable[..., Any]:
    """The function that evaluates a node with arrays at its ports."""
    own = _Arguments(declared, [])
    outputs = {name: (kind, unit) for name, kind, unit, _ in declared.outputs}

    def applied(*args: Any, **arguments: Any) -> Any:
        given = own.rest | own.bound(args, arguments)
        output, spacing, seed, engine = (given[name] for name in own.rest)
        return evaluate(declared.name, own.fields(given), own.defaults, outputs, output, spacing, seed, engine)

    own.describe(applied, declared.name, module, Any)
    return applied


def of_array(declared: _pyterrane.Callable, applied: Callable[..., Any], module: str) -> Callable[..., Any] | None:
    """The function as a method of `array.terrane`: the array is the first port. `None` if no port takes an array by position."""
    arguments = declared.arguments
    if not arguments or not arguments[0].is_positional:
        return None
    leading, names = arguments[0].name, [argument.name for argument in arguments]
    own = [parameter for parameter in inspect_signature(applied).parameters.values() if parameter.name != leading]

    def method(self: Any, *args: Any, **given: Any) -> Any:
        if leading in given:
            raise call_error(f"{declared.name}(): `{leading}` is the array itself", f"use pyterrane.apply.{declared.name} for another array")
        return applied(self._array, *args, **given)

    method.__name__, method.__qualname__, method.__module__ = declared.name, f"ArrayNodes.{declared.name}", module
    method.__doc__ = declared.docs
    first = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    method.__signature__ = Signature([first, *own], return_annotation=declared.returns)  # type: ignore[attr-defined]
    method.__annotations__ = {name: applied.__annotations__[name] for name in [*names, "return"] if name != leading}
    return method


class _Arguments:
    """The arguments of a method or a function."""

    def __init__(self, declared: _pyterrane.Callable, before: list[Parameter]) -> None:
        self._declared = declared
        self._fields = declared.fields
        named = dict((name, field) for field, name in declared.fields)
        arguments = declared.arguments
        self.signature = Signature([*before, *map(_parameter, arguments)], return_annotation=declared.returns)
        defaults = {argument.name: argument.default for argument in arguments if not argument.is_required}
        self.defaults = {named[name]: default for name, default in defaults.items() if name in named}
        """Defaults of fields."""
        self.rest = {name: default for name, default in defaults.items() if name not in named}
        """Defaults of the arguments that every node has."""

    def bound(self, args: tuple[Any, ...], arguments: dict[str, Any]) -> dict[str, Any]:
        """The given arguments by name."""
        try:
            return self.signature.bind(*args, **arguments).arguments
        except TypeError as error:
            known = self.signature.parameters
            unknown = next((name for name in arguments if name not in known), "")
            message = f"{self._declared.name}(): {error}"
            if unknown:
                raise call_error(message, nearest(unknown, list(known), "the arguments are")) from None
            ports = [argument.name for argument in self._declared.arguments if "Array" in argument.annotation or "Input" in argument.annotation]
            by_name = ", ".join(f"{port}=" for port in ports)
            help = f"pass the others by name, such as {by_name}" if by_name else "pass arguments by name"
            raise call_error(message, help if "positional" in str(error) else f"help(pyterrane.Graph.{self._declared.name}) shows it") from None

    def fields(self, given: dict[str, Any]) -> dict[str, Any]:
        """The given fields, in the order of the node's declaration."""
        return {field: given[name] for field, name in self._fields if name in given}

    def describe(self, function: Any, qualified: str, module: str, returns: object) -> None:
        """Gives a function its name, its docstring and its signature."""
        function.__name__, function.__qualname__, function.__module__ = self._declared.name, qualified, module
        function.__doc__, function.__signature__ = self._declared.docs, self.signature
        named = {argument.name: argument.annotation for argument in self._declared.arguments}
        function.__annotations__ = named | {"return": returns}


def _parameter(argument: _pyterrane.Argument) -> Parameter:
    kind = Parameter.POSITIONAL_OR_KEYWORD if argument.is_positional else Parameter.KEYWORD_ONLY
    default = Parameter.empty if argument.is_required else argument.default
    return Parameter(argument.name, kind, default=default, annotation=argument.annotation)

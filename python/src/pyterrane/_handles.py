"""Handles for nodes, outputs and parameters while a graph is built."""

from __future__ import annotations

import json
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy.typing as npt

from ._errors import usage


class Owner(Protocol):
    """The graph of a node."""

    def outputs_of(self, node: str) -> dict[str, str]:
        """Names and kinds of the outputs of a node."""

    def _own(self, value: Node | Output) -> None:
        """Raises an error if the graph does not have this node."""


class Handle:
    """A handle that can be used where a number is expected."""

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        raise usage(f"`{self}` holds no numbers before it is run", f"take np.asarray(graph.run({self}).value)")


class Node(Handle):
    """A node of a graph. Used as an input, it means its first output; other outputs are attributes."""

    def __init__(self, graph: Owner, name: str, kind: str) -> None:
        self._graph = graph
        self.name = name
        self.kind = kind

    @property
    def __ron__(self) -> str:
        return _quoted(self.name)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r}>"

    def output(self, name: str) -> Output:
        """An output by its name."""
        known = self._graph.outputs_of(self.name)
        if name not in known:
            raise AttributeError(f"`{self.kind}` has no output `{name}`: its outputs are {', '.join(known)}")
        return Output(self, name, known[name])

    def __getattr__(self, name: str) -> Output:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.output(name)


class Output(Handle):
    """An output of a node."""

    def __init__(self, node: Node, name: str, kind: str) -> None:
        self.node = node
        self.name = name
        self.kind = kind

    @property
    def __ron__(self) -> str:
        return _quoted(str(self))

    def __str__(self) -> str:
        return f"{self.node.name}.{self.name}"

    def __repr__(self) -> str:
        return f"<{self.kind} {str(self)!r}>"


class Param:
    """A parameter of the graph, or arithmetic with some: `Param("height")`, `Param("2 * $height")`."""

    def __init__(self, text: str) -> None:
        self.text = text if "$" in text else f"${text}"

    @property
    def __ron__(self) -> str:
        return _quoted(self.text)

    def __repr__(self) -> str:
        return f"Param({self.text!r})"


class Raw:
    """Text that is inserted into a graph without quoting."""

    def __init__(self, text: str) -> None:
        self.__ron__ = text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


Input: TypeAlias = Node | Output | Param | str | npt.NDArray[Any]
ScalarInput: TypeAlias = Input | float

N = TypeVar("N", bound=Node)


def is_given(value: object, defaults: dict[str, Any], field: str) -> bool:
    """Whether a field must be written: false if it has its default."""
    if field not in defaults or getattr(value, "ndim", 0) >= 1:
        return True
    default = defaults[field]
    if isinstance(value, list):
        value = tuple(value)
    if type(value) is bool and type(default) is not bool:
        return True
    try:
        return bool(value != default)
    except (TypeError, ValueError):
        # Lists that contain arrays, and other objects that cannot be compared.
        return True


class Adder:
    """An object that adds nodes."""

    def _add(
        self,
        handle: type[N],
        kind: str,
        fields: dict[str, Any],
        defaults: dict[str, Any],
        name: str | None,
        keep: str | None,
    ) -> N:
        raise NotImplementedError

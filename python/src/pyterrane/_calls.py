"""Calls the functions of Python nodes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from . import _pyterrane
from ._arrays import samples
from ._errors import UsageError
from ._numbers import distance, real_pair, whole_pair
from ._values import Table, wrapped
from ._warn import warn


class Cancelled(Exception):
    """The result of a node is no longer needed. Do not catch it."""


class _Part(Protocol):
    """What a context knows of its graph, and what it reports."""

    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def spacing(self) -> float: ...
    @property
    def origin(self) -> tuple[float, float]: ...
    def progress(self, fraction: float) -> bool: ...
    def warn(self, message: str) -> None: ...


class Context:
    """The context of a Python node: the part of the world that its graph covers."""

    def __init__(self, part: _Part) -> None:
        self._part = part
        self.size: tuple[int, int] = part.size
        """Columns and rows of the graph's maps."""
        self.spacing: float = part.spacing
        """Distance between samples."""
        self.origin: tuple[float, float] = part.origin
        """World x and y of the first sample."""

    @classmethod
    def alone(cls, size: tuple[int, int], *, spacing: float = 1.0, origin: tuple[float, float] = (0.0, 0.0)) -> Context:
        """A context for calling a node's function without a graph. Warnings become warnings of Python."""
        return cls(_Alone(whole_pair(size, "size"), distance(spacing, "spacing"), real_pair(origin, "origin")))

    def progress(self, fraction: float) -> None:
        """Reports the node's progress; raises `Cancelled` if the node should stop."""
        if not self._part.progress(fraction):
            raise Cancelled

    def warn(self, message: str) -> None:
        """Reports a warning, which does not stop the run."""
        self._part.warn(message)


@dataclass(frozen=True)
class _Alone:
    """The part of the world of a call without a graph."""

    size: tuple[int, int]
    spacing: float
    origin: tuple[float, float]

    def progress(self, fraction: float) -> bool:
        return True

    def warn(self, message: str) -> None:
        warn(message)


def started(function: Callable[..., Any], definition: dict[str, Any]) -> Callable[..., None]:
    """Returns what the engine calls: it starts a thread that calls the function and sends the result to the engine.

    These are daemon threads: Python abandons them when the interpreter ends.
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
    """Wraps the function: it takes values, and returns results in the order of outputs."""
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
                raise ValueError(f"`{definition['name']}` returned no `{missing[0]}`")
            result = [result[name] for name in names]
        if isinstance(result, (dict, tuple)) and names == ["out"] and kinds != ["table"]:
            several = "outputs={'height': pyterrane.Map, 'mask': pyterrane.Map}"
            raise ValueError(f"`{definition['name']}` returned {len(result)} values, where 1 is declared: give @node({several})")
        results = list(result) if len(names) > 1 else [result]
        if len(results) != len(names):
            raise ValueError(f"`{definition['name']}` returned {len(results)} values, where {len(names)} are wanted")
        return [_given(*each) for each in zip(names, kinds, results, strict=True)]

    return call


def _shown(value: _pyterrane.Value | None) -> Any:
    if value is None:
        return None
    own = wrapped(value)
    return {name: own[name] for name in own} if isinstance(own, Table) else np.asarray(own)


def _given(name: str, kind: str, result: Any) -> Any:
    """Converts a result for the engine."""
    if result is None:
        raise ValueError(f"`{name}` is None, where a {kind} is wanted: does the function return it?")
    if isinstance(result, _pyterrane.Value):
        return result
    if kind in ("map", "level"):
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
        raise ValueError(f"two columns of `{name}` have the same name")
    return {column: numbers.tolist() for column, numbers in columns.items()}

"""Identifies the code of a function, for the cache keys of its results."""

from __future__ import annotations

import hashlib
import inspect
import textwrap
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ._errors import usage


def source(function: Callable[..., Any], name: str, version: int | None, interface: object) -> tuple[Any, ...]:
    """The identity of the function's code: its source, its bytecode, and its ports and parameters."""
    hidden = _hidden(function)
    if hidden and version is None:
        message = f"`{name}` {hidden}, which its source does not show"
        raise usage(message, "pass it as a parameter, or give a version: @node(version=1)")
    try:
        text = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        text = ""
    return text, _compiled(function.__code__), interface


def used(function: Any, seen: frozenset[int] = frozenset()) -> list[tuple[str, str]]:
    """The global variables that a function and the functions it calls use, with their content: numbers, texts, tuples of these, arrays,
    and Python functions. The content of other variables is not known, only their names."""
    function = inspect.unwrap(getattr(function, "__func__", function))
    seen |= {id(function)}
    found = []
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, (bool, int, float, complex, str, bytes, tuple, frozenset, np.generic)):
            found.append((name, _constant(value)))
        elif isinstance(value, np.ndarray):
            content = np.ascontiguousarray(value).tobytes()
            found.append((name, f"{value.dtype} {value.shape} {hashlib.blake2b(content, digest_size=16).hexdigest()}"))
        elif inspect.isfunction(value) and id(value) not in seen:
            found.append((name, repr((_compiled(value.__code__), value.__defaults__, value.__kwdefaults__))))
            found.extend((f"{name}.{inner}", content) for inner, content in used(value, seen))
    return found


def _names(code: types.CodeType) -> set[str]:
    """The global names that a function and its inner functions use."""
    inner = (part for part in code.co_consts if isinstance(part, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _hidden(function: Callable[..., Any]) -> str:
    """The dependencies of a function other than its arguments and its source."""
    if inspect.ismethod(function):
        return "is a method, and depends on its object"
    variables = ", ".join(f"`{variable}`" for variable in function.__code__.co_freevars)
    return f"uses {variables} of the enclosing function" if variables else ""


def _compiled(code: types.CodeType) -> tuple[Any, ...]:
    """The bytecode of a function, without positions in its file."""
    constants = [_compiled(part) if isinstance(part, types.CodeType) else _constant(part) for part in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, constants


def _constant(value: object) -> str:
    return repr(sorted(map(repr, value))) if isinstance(value, frozenset) else repr(value)

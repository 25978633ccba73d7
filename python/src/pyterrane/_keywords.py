"""Calls with wrong arguments raise errors that say what to do, as all other mistakes do."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ._errors import call_error
from ._unknown import nearest

P = ParamSpec("P")
R = TypeVar("R")


def keywords(function: Callable[P, R]) -> Callable[P, R]:
    """Checks the arguments of a call against the signature, and suggests the most similar name for one that is not known."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def checked(*args: P.args, **given: P.kwargs) -> R:
        try:
            signature.bind(*args, **given)
        except TypeError as error:
            hidden = ("self", "cls")
            known = [name for name, each in signature.parameters.items() if name not in hidden and each.kind is not each.VAR_KEYWORD]
            unknown = next((name for name in given if name not in known), "")
            name = _called(function.__name__, next(iter(signature.parameters), ""), args)
            help = nearest(unknown, known, "the arguments are") if unknown else f"the arguments are: {', '.join(known)}"
            raise call_error(f"{name}(): {error}", help) from None
        return function(*args, **given)

    return checked


def _called(name: str, first: str, args: tuple[object, ...]) -> str:
    """The name of a function in a call, with the class that the caller knows rather than the one that defines the method."""
    if not args or first not in ("self", "cls"):
        return name
    owner = type(args[0]).__name__ if first == "self" else getattr(args[0], "__name__", "")
    return owner if name in ("__init__", "__new__") else f"{owner}.{name}"

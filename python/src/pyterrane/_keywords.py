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
            name = function.__qualname__.removesuffix(".__init__").removesuffix(".__new__")
            help = nearest(unknown, known, "the arguments are") if unknown else f"the arguments are: {', '.join(known)}"
            raise call_error(f"{name}(): {error}", help) from None
        return function(*args, **given)

    return checked

"""The engine that evaluates where no other is given."""

from __future__ import annotations

import threading

from ._pyterrane import Engine as Engine

_lock = threading.Lock()
_common: Engine | None = None


def default_engine() -> Engine:
    """The engine that evaluates where no other is given: all cores, and the cache of the `terrane` command."""
    global _common
    with _lock:
        if _common is None:
            _common = Engine()
        return _common


def set_default_engine(engine: Engine | None) -> None:
    """Lets another engine evaluate where none is given; `None` makes a new one when it is needed."""
    global _common
    with _lock:
        _common = engine

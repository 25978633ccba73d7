"""Engines, and the default engine."""

from __future__ import annotations

import atexit
import os
import threading

from . import _pyterrane
from ._errors import usage
from ._keywords import keywords


class Engine(_pyterrane.Engine):
    """Evaluates graphs, with threads, a memory limit, and a disk cache shared with the `terrane` command.

    `threads` is the number of threads that run nodes; 0 means one per core. `memory`, such as `"4G"`, limits the memory of values and
    running nodes together. `cache=False` neither uses results of earlier runs nor stores results on disk. `cache_dir` is the folder of
    the disk cache (default: the command's), and `cache_size` its maximum size. `keep_all` also stores results that are faster to compute
    than to read. `keep_in_memory` limits the results that are cached in memory.
    """

    @keywords
    def __new__(
        cls,
        *,
        threads: int = 0,
        memory: str | None = None,
        cache: bool = True,
        cache_dir: str | os.PathLike[str] | None = None,
        cache_size: str = "8G",
        keep_all: bool = False,
        keep_in_memory: str = "1G",
    ) -> Engine:
        if not isinstance(threads, int) or not 0 <= threads <= 1024:
            raise usage(f"threads={threads!r} is out of range", "give a whole number from 0 (one per core) to 1024")
        for name, size in (("memory", memory), ("cache_size", cache_size), ("keep_in_memory", keep_in_memory)):
            if size is not None and not isinstance(size, str):
                raise usage(f"{name}={size!r} is not a size", "write \"500M\", \"8G\" or \"1T\"")
        engine: Engine = super().__new__(  # type: ignore[assignment]
            cls,
            threads=threads,
            memory=memory,
            cache=cache,
            cache_dir=cache_dir,
            cache_size=cache_size,
            keep_all=keep_all,
            # Without a cache, nothing would read results from memory.
            keep_in_memory=keep_in_memory if cache else "0",
        )
        return engine


_lock = threading.Lock()
_common: Engine | None = None


def default_engine() -> Engine:
    """The default engine: all cores, and the cache of the `terrane` command."""
    global _common
    with _lock:
        if _common is None:
            _common = Engine()
        return _common


def set_default_engine(engine: Engine | None) -> None:
    """Sets the default engine; with `None`, a new one is created when needed."""
    global _common
    with _lock:
        _common = engine


def _forked() -> None:
    """Drops the default engine in a forked process, which lacks the engine's threads."""
    global _lock, _common
    _lock, _common = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
atexit.register(_pyterrane.leave)

"""What workers of a Dask cluster do: each makes blocks of a world in a store."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _pyterrane
from ._engine import Engine
from ._errors import usage

Block = tuple[int, int]


@dataclass(frozen=True)
class Task:
    """The world and the store that blocks belong to: the same for all blocks."""

    path: str
    low: Block
    high: Block
    to: str
    only: tuple[str, ...]
    set: tuple[tuple[str, Any], ...]
    seed: int | None
    level: int
    block: int | None
    cache_dir: str | None
    key: str = ""
    """The key of the world on the calling machine. A worker whose files differ makes no block."""


_lock = threading.Lock()
_stores: dict[str, _pyterrane.WorldStore] = {}
_engine: Engine | None = None


def make_block(task: Task, block: Block) -> tuple[bytes, bool, list[str]]:
    """Makes a block in a worker. Returns its digest, whether the store had it already, and warnings."""
    with _lock:
        # The world's files may have changed and the store may have been removed since the last task, so the store is looked up by task.
        store = _stores.get(repr(task))
        if store is None:
            # The stores of earlier tasks are not needed again.
            _stores.clear()
            store = open_store(task, _worker_engine(task))
            if store.key_of((0, 0)) != task.key:
                raise usage(
                    f"{task.path} on {platform.node()} differs from the world on the calling machine",
                    "copy the same files to all machines, then run again",
                )
            _stores[repr(task)] = store
    digest, was_there, _ran, warnings = store.make(block)
    return digest, was_there, warnings


def _worker_engine(task: Task) -> Engine:
    """The engine of this process. It has the worker's threads, and half of its memory, since samples need memory outside the engine."""
    global _engine
    if _engine is None:
        _keep_freed_memory()
        threads, memory = 1, None
        try:
            from distributed import get_worker

            worker: Any = get_worker()
            threads = worker.state.nthreads
            memory = getattr(worker.memory_manager, "memory_limit", None)
        except ValueError:
            pass
        _engine = Engine(
            threads=threads,
            memory=None if not memory else str(max(int(memory) // 2, 1 << 28)),
            cache=task.cache_dir is not None,
            cache_dir=task.cache_dir,
            keep_in_memory="64M",
        )
    return _engine


def _keep_freed_memory() -> None:
    """Lets the allocator of the GNU C library keep freed memory.

    Dask makes it return freed memory above 64 KiB to the system. Engines allocate and free that much for every patch, and spend a quarter
    of the time on it. The kept memory is bounded, and far below an engine's memory.
    """
    if sys.platform == "linux" and "MALLOC_TRIM_THRESHOLD_" in os.environ:
        trim_threshold, mmap_threshold = -1, -3
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(trim_threshold, 64 << 20)
            library.mallopt(mmap_threshold, 16 << 20)


def open_store(task: Task, engine: Engine) -> _pyterrane.WorldStore:
    part = _pyterrane.WorldPart(
        Path(task.path), (task.low, task.high), only=list(task.only), set=list(task.set), seed=task.seed, level=task.level
    )
    return _pyterrane.WorldStore(engine, part, task.to, block=task.block)

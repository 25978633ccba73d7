"""Worlds in stores, made on a Dask cluster."""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _pyterrane
from ._engine import Engine
from ._errors import EvaluationError, TerraneError, usage
from ._numbers import whole
from ._many import Ends, World, ends, store_of

if TYPE_CHECKING:
    from distributed import Client, Future

Block = tuple[int, int]

AT_ONCE = 4
"""Blocks that wait or run, for each thread of the cluster: few, so that a worker's end takes few with it."""


FETCHED = 32
"""Digests that are fetched from workers at once."""

NAMED, MOST = 8, 20
"""Blocks that are named of each cause, and causes that are told."""

LATE = 0.5
"""Seconds after which fewer are fetched, too."""


@dataclass(frozen=True)
class Made:
    """What a world in a store came to."""

    to: str
    """The store."""
    made: int
    """How many blocks were made."""
    there: int
    """How many the store had already."""
    alone: int
    """How many were lost with several workers, and were tried once more, alone."""
    digest: str
    """A digest of all that the store holds, as `terrane world verify` prints it."""
    warnings: list[str] = field(repr=False)
    """What nodes warn of, each once."""


@dataclass(frozen=True)
class _Task:
    """What a worker needs to know of the world: the same for all blocks."""

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
    """Of the world as whoever asks has it, in this store: a worker whose files are others, or were, makes none of it."""


def run_world(
    world: World | str | os.PathLike[str],
    patches: tuple[range, range] | tuple[int, int, int, int],
    to: str | os.PathLike[str],
    client: Client,
    *,
    only: Sequence[str] = (),
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    level: int = 0,
    block: int | None = None,
    retries: int = 2,
    cache_dir: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int, Block], object] | None = None,
) -> Made:
    """Makes patches of a world, `(range(64), range(64))` or `(0, 64, 0, 64)`, into a store that all workers of a Dask cluster reach: a
    shared folder `NAME.zarr`, or `s3://BUCKET/NAME.zarr`.

    One task makes one block of patches, which is one whole object of each array; what it gives back is a digest of 32 bytes. Blocks that
    the store has are compared with what was written down of them, and made again only where they are damaged: so the same call goes on
    where an earlier one, here or elsewhere, was ended. All calls give the same bytes.

    The world's files must be at the same path on all workers. Each worker has one engine, of as many threads as the worker and within
    its memory, and a cache only where `cache_dir` names one. A block that fails is tried `retries` times more; one that ends its workers
    is tried once more when all else is done, alone. What cannot be made is told at the end, as an `EvaluationError` that names the
    blocks; the rest is there. `progress` is called with blocks done, all blocks and the block.
    """
    _needed()
    _check_client(client)
    if not isinstance(world, (World, str, os.PathLike)):
        raise usage(f"{world!r} is not a world", 'give its file: "world.ron"')
    if progress is not None and not callable(progress):
        raise usage(f"progress={progress!r} cannot be called", "give a function of blocks done, all blocks and the block")
    own = world.path if isinstance(world, World) else Path(world)
    (left, right), (top, bottom) = _ranges(patches)
    asked = _Task(
        path=str(own.resolve()),
        low=(left, top),
        high=(right, bottom),
        to=store_of(to),
        only=(only,) if isinstance(only, str) else tuple(only),
        set=tuple(dict(set or {}).items()),
        seed=None if seed is None else whole(seed, "seed", 2**64 - 1),
        level=whole(level, "level", 30),
        block=None if block is None else whole(block, "block", 1024),
        cache_dir=None if cache_dir is None else str(cache_dir),
    )
    retries = whole(retries, "retries", 100)
    # Mistakes are found here, before any worker begins; and what stands before the blocks is written once.
    store = _store(asked, Engine(threads=1, cache=False))
    columns, rows = store.blocks
    # The same blocks in another store are other tasks.
    task = replace(asked, key=store.key_of((0, 0)))
    name = hashlib.sha256(f"{task.key} {task.to}".encode()).hexdigest()[:32]
    run = _Run(client, task, f"{own.stem}-{name}", retries, columns * rows, progress)
    run.all((i, j) for j in range(rows) for i in range(columns))
    if run.problems:
        raise _failed(run.problems, columns * rows)
    digests = [run.digests[i, j] for j in range(rows) for i in range(columns)]
    return Made(
        to=task.to,
        made=columns * rows - run.there,
        there=run.there,
        alone=run.alone,
        digest=_pyterrane.WorldStore.digest_of(digests),
        warnings=list(dict.fromkeys(run.warnings)),
    )


class _Run:
    """Blocks on their way."""

    def __init__(
        self,
        client: Client,
        task: _Task,
        name: str,
        retries: int,
        count: int,
        progress: Callable[[int, int, Block], object] | None,
    ) -> None:
        self.client, self.task, self.name, self.retries = client, task, name, retries
        self.count, self.progress = count, progress
        self.digests: dict[Block, bytes] = {}
        self.problems: dict[Block, BaseException] = {}
        self.warnings: list[str] = []
        self.there = self.alone = 0

    def all(self, blocks: Iterator[Block]) -> None:
        """Makes blocks, few at a time; then those alone that ended their workers."""
        suspects = self._through(blocks, self._room(), "")
        for block in suspects:
            self._through(iter([block]), 1, "alone")

    def _room(self) -> int:
        threads: int = sum(worker["nthreads"] for worker in self.client.scheduler_info(n_workers=-1)["workers"].values())
        return AT_ONCE * max(threads, 1)

    def _through(self, blocks: Iterator[Block], room: int, way: str) -> list[Block]:
        """Makes blocks, so many at a time; gives those to be tried alone."""
        from distributed import as_completed

        suspects: list[Block] = []
        of: dict[Any, Block] = {}
        waiting = as_completed()
        kept: list[Future[Any]] = []
        fetched = time.monotonic()
        try:
            self._submit(list(islice(blocks, room)), way, of, waiting)
            for future in waiting:
                # Each question to the cluster takes its time, so that blocks are sent and fetched some at a time. What was made stays
                # in the store, also where a digest is lost with its worker.
                if future.status == "finished":
                    kept.append(future)
                else:
                    self._failed(of.pop(future.key), future, way, suspects)
                if waiting.count() <= room // 2:
                    self._submit(list(islice(blocks, room - waiting.count())), way, of, waiting)
                is_late = time.monotonic() - fetched > LATE
                if len(kept) >= FETCHED or is_late or not waiting.count():
                    self._fetch(kept, of, way, suspects)
                    kept, fetched = [], time.monotonic()
        except BaseException:
            # Whatever ends this lets go of what waits; what runs comes to its end, and stays. Others who want the same keep it.
            for future in [*kept, *waiting.futures]:
                future.release()
            raise
        return suspects

    def _submit(self, blocks: list[Block], way: str, of: dict[Any, Block], waiting: Any) -> None:
        if not blocks:
            return
        # All of a name are one line of the dashboard; it has the content's key, so that others who make the same share tasks.
        name = f"{self.name}-{way}" if way else self.name
        futures = self.client.map(
            _make, [self.task] * len(blocks), blocks, key=[(name, *block) for block in blocks], retries=self.retries, pure=True
        )
        of.update(zip((future.key for future in futures), blocks, strict=True))
        waiting.update(futures)

    def _fetch(self, futures: list[Future[Any]], of: dict[Any, Block], way: str, suspects: list[Block]) -> None:
        """Fetches what came of blocks that were made."""
        try:
            results = self.client.gather(futures)
        except Exception:
            # One was lost with its worker, and failed when it was made anew: then one by one.
            results = None
        for at, future in enumerate(futures):
            block = of.pop(future.key)
            if results is None and (future.status != "finished" or future.exception() is not None):
                self._failed(block, future, way, suspects)
                continue
            digest, was_there, warnings = results[at] if results is not None else future.result()
            self.digests[block] = digest
            self.there += was_there
            self.warnings += warnings
            self._tell(block)

    def _failed(self, block: Block, future: Future[Any], way: str, suspects: list[Block]) -> None:
        """A block was not made: it is to be tried alone where workers ended over it."""
        from distributed import KilledWorker

        error = future.exception() if future.status == "error" else None
        if error is None:
            # Somebody else cancelled it.
            error = RuntimeError("it was cancelled, and not by this call")
        if isinstance(error, TerraneError) and not isinstance(error, EvaluationError):
            # What a worker refuses it would refuse for every block.
            raise error
        if isinstance(error, KilledWorker):
            if not way:
                self.alone += 1
                suspects.append(block)
                return
        self.problems[block] = error
        self._tell(block)

    def _tell(self, block: Block) -> None:
        if self.progress is not None:
            self.progress(len(self.digests) + len(self.problems), self.count, block)


_lock = threading.Lock()
_stores: dict[str, _pyterrane.WorldStore] = {}
_engine: Engine | None = None


def _make(task: _Task, block: Block) -> tuple[bytes, bool, list[str]]:
    """Makes a block in a worker."""
    with _lock:
        # The world's files may have changed since, and the store may have been removed: a task says of which it is.
        store = _stores.get(repr(task))
        if store is None:
            # Of another world than the last: what that kept is not needed again.
            _stores.clear()
            store = _store(task, _own_engine(task))
            if store.key_of((0, 0)) != task.key:
                raise usage(
                    f"{task.path} is another world on {platform.node()} than where it was asked for",
                    "give all machines the same files, then run again",
                )
            _stores[repr(task)] = store
    digest, was_there, _ran, warnings = store.make(block)
    return digest, was_there, warnings


def _own_engine(task: _Task) -> Engine:
    """The engine of this process: as many threads as the worker has, and half of its memory, since samples wait beside the engine's."""
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
    """Dask has the allocator of the GNU C library give back freed memory from 64 KiB on, and engines free and take as much for every
    patch: a quarter of the time goes into that. What is kept here is bounded, and far below an engine's memory."""
    if sys.platform == "linux" and "MALLOC_TRIM_THRESHOLD_" in os.environ:
        trim_threshold, mmap_threshold = -1, -3
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(trim_threshold, 64 << 20)
            library.mallopt(mmap_threshold, 16 << 20)


def _store(task: _Task, engine: Engine) -> _pyterrane.WorldStore:
    return _pyterrane.WorldStore(
        engine,
        Path(task.path),
        task.low,
        task.high,
        task.to,
        only=list(task.only),
        set=list(task.set),
        seed=task.seed,
        level=task.level,
        block=task.block,
    )


def _needed() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        help = 'install it: pip install "pyterrane[dask]"; or run shares with the command: terrane run WORLD --share 1/4'
        raise usage("clusters need Dask, which is not installed", help) from None


def _check_client(client: Any) -> None:
    from distributed import Client

    if not isinstance(client, Client):
        raise usage(f"{client!r} is not a client of Dask", "give a distributed.Client")
    if client.asynchronous:
        raise usage("run_world waits, which an asynchronous client cannot", "call it in a thread, with a Client of its own")
    if client.status != "running":
        raise usage(f"the client is {client.status}", "connect another: distributed.Client(ADDRESS)")


def _ranges(patches: Sequence[range | int]) -> tuple[Ends, Ends]:
    """The first and the last column, and the first and the last row."""
    if isinstance(patches, (tuple, list)):
        match list(patches):
            case [range() as across, range() as down]:
                return ends(across), ends(down)
            case [int() as left, int() as right, int() as top, int() as bottom]:
                return ends(range(left, right)), ends(range(top, bottom))
    raise usage(f"{patches!r} are no patches", "give two ranges, (range(64), range(64)), or four numbers, (0, 64, 0, 64)")


def _failed(problems: Mapping[Block, BaseException], count: int) -> EvaluationError:
    """The error for blocks that could not be made. Of many with one cause some are named."""
    told: dict[tuple[str, str], list[str]] = {}
    for (i, j), error in sorted(problems.items(), key=lambda item: item[0][::-1]):
        if isinstance(error, TerraneError) and error.problems:
            message, help = str(error.problems[0]["message"]), error.help
        elif type(error).__name__ == "KilledWorker":
            message = "each worker that made it was ended"
            help = "look at the worker's log: it may need more memory, a smaller block, or fewer threads"
        else:
            message, help = str(error) or type(error).__name__, "look at the worker's log"
        told.setdefault((message.removeprefix(f"block {i},{j}: "), help), []).append(f"{i},{j}")
    parts = []
    for (message, help), blocks in told.items():
        more = f" and {len(blocks) - NAMED} others" if len(blocks) > NAMED else ""
        noun = "block" if len(blocks) == 1 else "blocks"
        named = "; ".join(blocks[:NAMED]) + more
        parts.append({"message": f"{noun} {named}: {message}", "help": help, "code": ""})
    noun = "block is" if len(problems) == 1 else "blocks are"
    head = f"{len(problems)} of {count} {noun} not made; the rest is there"
    left = [f"and {len(parts) - MOST} other causes"] if len(parts) > MOST else []
    lines = [line for part in parts[:MOST] for line in (part["message"], f"  help: {part['help']}")]
    return EvaluationError("\n".join([head, *lines, *left]), parts[:MOST])

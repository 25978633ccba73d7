"""Worlds in stores, made on a Dask cluster."""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _pyterrane
from ._engine import Engine
from ._errors import EvaluationError, TerraneError, usage
from ._many import Ends, World, ends, store_of

if TYPE_CHECKING:
    from distributed import Client, Future

Block = tuple[int, int]

AT_ONCE = 4
"""Blocks that wait or run, for each thread of the cluster: few, so that a worker's end takes few with it."""


FETCHED = 32
"""Digests that are fetched from workers at once."""


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
    own = world.path if isinstance(world, World) else Path(world)
    (left, right), (top, bottom) = _ranges(patches)
    task = _Task(
        path=str(own.resolve()),
        low=(left, top),
        high=(right, bottom),
        to=store_of(to),
        only=tuple(only),
        set=tuple((set or {}).items()),
        seed=seed,
        level=level,
        block=block,
        cache_dir=None if cache_dir is None else str(cache_dir),
    )
    # Mistakes are found here, before any worker begins; and what stands before the blocks is written once.
    store = _store(task, Engine(threads=1, cache=False))
    columns, rows = store.blocks
    # The same blocks in another store are other tasks.
    key = hashlib.sha256(f"{store.key_of((0, 0))} {task.to}".encode()).hexdigest()[:32]
    run = _Run(client, task, f"{own.stem}-{key}", retries, columns * rows, progress)
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
                if len(kept) >= FETCHED or not waiting.count():
                    self._fetch(kept, of, way, suspects)
                    kept = []
        except BaseException:
            # Whatever ends this ends what waits; what runs comes to its end, and stays.
            self.client.cancel(list(waiting.futures), force=True)
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

        error = future.exception() if future.status == "error" else RuntimeError("it was cancelled")
        if isinstance(error, KilledWorker):
            if not way:
                self.alone += 1
                suspects.append(block)
                return
        self.problems[block] = error or RuntimeError("it was lost")
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
        store = _stores.get(repr(task))
        if store is None:
            # Of another world than the last: what that kept is not needed again.
            _stores.clear()
            store = _stores[repr(task)] = _store(task, _own_engine(task))
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


def _ranges(patches: Sequence[range | int]) -> tuple[Ends, Ends]:
    """The first and the last column, and the first and the last row."""
    match list(patches):
        case [range() as across, range() as down]:
            return ends(across), ends(down)
        case [int() as left, int() as right, int() as top, int() as bottom]:
            return ends(range(left, right)), ends(range(top, bottom))
    raise usage(f"{patches!r} are no patches", "give two ranges, (range(64), range(64)), or four numbers, (0, 64, 0, 64)")


def _failed(problems: Mapping[Block, BaseException], count: int) -> EvaluationError:
    """The error for blocks that could not be made."""
    told = []
    for (i, j), error in sorted(problems.items()):
        if isinstance(error, TerraneError) and error.problems:
            told += [dict(problem) for problem in error.problems]
        elif type(error).__name__ == "KilledWorker":
            help = "look at the worker's log: it may need more memory, a smaller block, or fewer threads"
            told.append({"message": f"block {i},{j}: each worker that made it was ended", "help": help, "code": ""})
        else:
            told.append({"message": f"block {i},{j}: {error}", "help": "look at the worker's log", "code": ""})
    noun = "block is" if len(problems) == 1 else "blocks are"
    head = f"{len(problems)} of {count} {noun} not made; the rest is there"
    lines = [line for problem in told for line in (problem["message"], f"  help: {problem['help']}")]
    return EvaluationError("\n".join([head, *lines]), told)

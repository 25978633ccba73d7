"""Worlds in stores, made on a Dask cluster."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Made:
    """What a world in a store came to."""

    to: str
    """The store."""
    made: int
    """How many blocks were made."""
    there: int
    """How many the store had already."""
    again: int
    """How many were begun again, since a worker was lost."""
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
        again=run.again,
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
        self.there = self.again = 0

    def all(self, blocks: Iterator[Block]) -> None:
        """Makes blocks, few at a time; then those alone that ended their workers."""
        suspects = self._through(blocks, self._room(), "")
        for block in suspects:
            self._through(iter([block]), 1, "alone")

    def _room(self) -> int:
        threads = sum(worker["nthreads"] for worker in self.client.scheduler_info(n_workers=-1)["workers"].values())
        return AT_ONCE * max(threads, 1)

    def _through(self, blocks: Iterator[Block], room: int, way: str) -> list[Block]:
        from distributed import as_completed

        suspects: list[Block] = []
        of: dict[Any, Block] = {}
        done = as_completed()

        def submit() -> None:
            block = next(blocks, None)
            if block is not None:
                future = self._submit(block, way)
                of[future.key] = block
                done.add(future)

        try:
            for _ in range(room):
                submit()
            for future in done:
                block = of.pop(future.key)
                if self._take(block, future, way):
                    suspects.append(block)
                future.release()
                submit()
        except BaseException:
            # Whatever ends this ends what waits; what runs comes to its end, and stays.
            self.client.cancel(list(done.futures), force=True)
            raise
        return suspects

    def _submit(self, block: Block, way: str) -> Future[Any]:
        # All of a name are one line of the dashboard; the name has the content's key, so that others that make the same share tasks.
        return self.client.submit(
            _make,
            self.task,
            block,
            key=(f"{self.name}-{way}" if way else self.name, *block),
            retries=self.retries,
            pure=True,
            priority=-(block[1] * self.count + block[0]) if not way else 0,
        )

    def _take(self, block: Block, future: Future[Any], way: str) -> bool:
        """Takes what came of a block; whether it is to be tried alone."""
        from distributed import KilledWorker

        error = future.exception() if future.status != "cancelled" else RuntimeError("it was cancelled")
        if isinstance(error, KilledWorker):
            self.again += 1
            if not way:
                return True
        if error is not None:
            self.problems[block] = error
        else:
            digest, was_there, warnings = future.result()
            self.digests[block] = digest
            self.there += was_there
            self.warnings += warnings
        if self.progress is not None:
            self.progress(len(self.digests) + len(self.problems), self.count, block)
        return False


_lock = threading.Lock()
_stores: dict[_Task, _pyterrane.WorldStore] = {}
_engine: Engine | None = None


def _make(task: _Task, block: Block) -> tuple[bytes, bool, list[str]]:
    """Makes a block in a worker."""
    with _lock:
        store = _stores.get(task)
        if store is None:
            # Of another world than the last: what that kept is not needed again.
            _stores.clear()
            store = _stores[task] = _store(task, _own_engine(task))
    digest, was_there, _ran, warnings = store.make(block)
    return digest, was_there, warnings


def _own_engine(task: _Task) -> Engine:
    """The engine of this process: as many threads as the worker has, and half of its memory, since samples wait beside the engine's."""
    global _engine
    if _engine is None:
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


def _ranges(patches: tuple[range, range] | tuple[int, int, int, int]) -> tuple[Ends, Ends]:
    if len(patches) == 4:
        left, right, top, bottom = patches
        return ends(range(left, right)), ends(range(top, bottom))
    across, down = patches
    return ends(across), ends(down)


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

"""Makes worlds in stores on a Dask cluster."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _pyterrane
from ._dask_worker import Block, Task, make_block, open_store
from ._engine import Engine
from ._errors import EvaluationError, TerraneError, usage
from ._keywords import keywords
from ._numbers import whole
from ._many import Ends, World, ends, store_of

if TYPE_CHECKING:
    from distributed import Client, Future

AT_ONCE = 4
"""Blocks that wait or run for each thread of the cluster: few, so that few are lost if a worker ends."""

FETCHED = 32
"""Maximum number of digests fetched from workers at once."""

NAMED, MOST = 8, 20
"""Maximum number of blocks listed per cause, and of causes, in an error."""

LATE = 0.5
"""Seconds after which digests are fetched even if there are fewer than `FETCHED`."""


@dataclass(frozen=True)
class Made:
    """The result of making a world in a store."""

    to: str
    """The store."""
    made: int
    """The number of blocks that were made."""
    there: int
    """The number of blocks that the store already had."""
    alone: int
    """The number of blocks whose workers ended, and that were tried once more on their own."""
    digest: str
    """A digest of the whole store, as `terrane world verify` prints it."""
    warnings: list[str] = field(repr=False)
    """The warnings of nodes, without duplicates."""


@keywords
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
    """Makes patches of a world in a store, on a Dask cluster.

    Patches are given as `(range(64), range(64))` or `(0, 64, 0, 64)`. All workers must be able to reach the store: a shared folder
    `NAME.zarr`, or `s3://BUCKET/NAME.zarr`.

    One task makes one block of patches, which is one whole object of each array, and returns a digest of 32 bytes. Blocks that the store
    already has are checked against their recorded digests, and made again only if they are damaged. The same call therefore continues
    where an earlier one, here or elsewhere, was interrupted. All calls produce the same bytes.

    The world's files must be at the same path on all workers. Each worker has one engine with the worker's number of threads, within its
    memory. It has a disk cache only if `cache_dir` is given. A block that fails is tried up to `retries` more times. A block that ends
    its workers is tried once more on its own, after all others. Blocks that cannot be made are named in an `EvaluationError` at the end;
    the other blocks are in the store. `progress` is called with the number of blocks done, the number of all blocks, and the block.
    """
    _needed()
    _check_client(client)
    if not isinstance(world, (World, str, os.PathLike)):
        raise usage(f"{world!r} is not a world", 'give its file: "world.ron"')
    if progress is not None and not callable(progress):
        raise usage(f"progress={progress!r} cannot be called", "give a function of blocks done, all blocks and the block")
    own = world.path if isinstance(world, World) else Path(world)
    (left, right), (top, bottom) = _ranges(patches)
    asked = Task(
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
    # Errors are found here, before any worker starts. The store's metadata is written once, before the blocks.
    store = open_store(asked, Engine(threads=1, cache=False))
    columns, rows = store.blocks
    # The same blocks in another store are different tasks, so the name depends on the store.
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
    """The blocks of one call: which are submitted, done, or failed."""

    def __init__(
        self,
        client: Client,
        task: Task,
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
        """Makes blocks, few at a time; then, one by one, those that ended their workers."""
        suspects = self._through(blocks, self._room(), "")
        for block in suspects:
            self._through(iter([block]), 1, "alone")

    def _room(self) -> int:
        threads: int = sum(worker["nthreads"] for worker in self.client.scheduler_info(n_workers=-1)["workers"].values())
        return AT_ONCE * max(threads, 1)

    def _through(self, blocks: Iterator[Block], room: int, way: str) -> list[Block]:
        """Makes blocks, at most `room` at a time. Returns those to be tried on their own."""
        from distributed import as_completed

        suspects: list[Block] = []
        of: dict[Any, Block] = {}
        waiting = as_completed()
        kept: list[Future[Any]] = []
        fetched = time.monotonic()
        try:
            self._submit(list(islice(blocks, room)), way, of, waiting)
            for future in waiting:
                # Each request to the cluster takes time, so blocks are submitted and fetched in batches. A block stays in the store even
                # if its digest is lost with its worker.
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
            # Releases waiting tasks. Running tasks finish, and their blocks stay. Tasks that other clients also need continue.
            for future in [*kept, *waiting.futures]:
                future.release()
            raise
        return suspects

    def _submit(self, blocks: list[Block], way: str, of: dict[Any, Block], waiting: Any) -> None:
        if not blocks:
            return
        # Tasks with the same name are one line of the dashboard. The name has the content's key, so clients that make the same world share
        # tasks.
        name = f"{self.name}-{way}" if way else self.name
        futures = self.client.map(
            make_block, [self.task] * len(blocks), blocks, key=[(name, *block) for block in blocks], retries=self.retries, pure=True
        )
        of.update(zip((future.key for future in futures), blocks, strict=True))
        waiting.update(futures)

    def _fetch(self, futures: list[Future[Any]], of: dict[Any, Block], way: str, suspects: list[Block]) -> None:
        """Fetches the results of blocks that were made."""
        try:
            results = self.client.gather(futures)
        except Exception:
            # A result was lost with its worker, and the block failed when it was made again. Fetch them one by one.
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
            self._report(block)

    def _failed(self, block: Block, future: Future[Any], way: str, suspects: list[Block]) -> None:
        """Records a block that was not made. If it ended its workers, it is to be tried on its own."""
        from distributed import KilledWorker

        error = future.exception() if future.status == "error" else None
        if error is None:
            error = RuntimeError("it was cancelled by another client")
        if isinstance(error, TerraneError) and not isinstance(error, EvaluationError):
            # A worker would reject every other block for the same reason.
            raise error
        if isinstance(error, KilledWorker):
            if not way:
                self.alone += 1
                suspects.append(block)
                return
        self.problems[block] = error
        self._report(block)

    def _report(self, block: Block) -> None:
        if self.progress is not None:
            self.progress(len(self.digests) + len(self.problems), self.count, block)


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
        raise usage("run_world blocks, which an asynchronous client cannot", "call it in a thread, with its own synchronous Client")
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
    raise usage(f"{patches!r} does not describe patches", "give two ranges, (range(64), range(64)), or four numbers, (0, 64, 0, 64)")


def _failed(problems: Mapping[Block, BaseException], count: int) -> EvaluationError:
    """The error for blocks that could not be made, grouped by cause."""
    causes: dict[tuple[str, str], list[str]] = {}
    for (i, j), error in sorted(problems.items(), key=lambda item: item[0][::-1]):
        if isinstance(error, TerraneError) and error.problems:
            message, help = str(error.problems[0]["message"]), error.help
        elif type(error).__name__ == "KilledWorker":
            message = "every worker that tried to make it ended"
            help = "check the worker's log: it may need more memory, smaller blocks, or fewer threads"
        else:
            message, help = str(error) or type(error).__name__, "check the worker's log"
        causes.setdefault((message.removeprefix(f"block {i},{j}: "), help), []).append(f"{i},{j}")
    parts = []
    for (message, help), blocks in causes.items():
        more = f" and {len(blocks) - NAMED} others" if len(blocks) > NAMED else ""
        noun = "block" if len(blocks) == 1 else "blocks"
        named = "; ".join(blocks[:NAMED]) + more
        parts.append({"message": f"{noun} {named}: {message}", "help": help, "code": ""})
    noun = "block is" if len(problems) == 1 else "blocks are"
    head = f"{len(problems)} of {count} {noun} not made; the others are in the store"
    left = [f"and {len(parts) - MOST} other causes"] if len(parts) > MOST else []
    lines = [line for part in parts[:MOST] for line in (part["message"], f"  help: {part['help']}")]
    return EvaluationError("\n".join([head, *lines, *left]), parts[:MOST])

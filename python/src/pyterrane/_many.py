"""Sweeps over parameters and seeds, snapshots, and worlds of patches."""

from __future__ import annotations

import csv
import operator
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _pyterrane
from ._engine import Engine, default_engine
from ._errors import EvaluationError, usage
from ._handles import Node, Output
from ._keywords import keywords
from ._numbers import by_name, several, whole
from ._progress import Progress, hearer
from ._values import Value

if TYPE_CHECKING:
    import pandas


class Swept(Mapping[str, npt.NDArray[Any]]):
    """The table of a sweep: a mapping of column names to arrays, with one row per run."""

    def __init__(self, table: Path, problems: list[str]) -> None:
        with table.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        names, *rest = rows or [[]]
        columns = {name: [row[at] for row in rest] for at, name in enumerate(names)}
        errors = np.array(columns.pop("error", []), dtype=object)
        # The sweep uses keys to recognise its rows. They are not data.
        columns.pop("key", None)
        self._columns = {name: _column(cells) for name, cells in columns.items()} | {"error": errors}
        self.problems = problems
        """The problems of runs that failed. The column `error` has them too."""

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), ()))
        return f"<sweep of {rows} runs: {', '.join(self._columns)}>"

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)


def _column(cells: list[str]) -> npt.NDArray[Any]:
    """Integers or floats if all cells are numbers or empty, otherwise text."""
    if all(cell.isdigit() for cell in cells):
        return np.array([int(cell) for cell in cells])
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells, dtype=object)


def run_sweep(
    path: Path,
    metrics: Sequence[Node | Output | str],
    *,
    seeds: Iterable[int] = (),
    sizes: Sequence[str] = (),
    vary: Mapping[str, Sequence[Any]] | None = None,
    set: Mapping[str, Any] | None = None,
    profile: str | None = None,
    table: str | os.PathLike[str] | None = None,
    summary: str | os.PathLike[str] | None = None,
    plot: str | os.PathLike[str] | None = None,
    curves: str | os.PathLike[str] | None = None,
    sheet: str | os.PathLike[str] | None = None,
    picture: Node | Output | str | None = None,
    measure: bool = False,
    progress: Progress = None,
    engine: Engine | None = None,
) -> Swept:
    """Runs a graph file for all combinations of the varied values."""
    varied = by_name(vary, "vary", "{'talus': [0.3, 0.6]}")
    with tempfile.TemporaryDirectory() as folder, hearer(progress) as hears:
        rows = Path(folder) / "table.csv" if table is None else Path(table)
        problems = _pyterrane.run_sweep(
            engine or default_engine(),
            path,
            rows,
            [str(metric) for metric in metrics],
            seeds=list(seeds),
            sizes=list(sizes),
            vary=[(name, several(values, f"vary[{name!r}]", "[0.3, 0.6]")) for name, values in varied.items()],
            set=list((set or {}).items()),
            profile=profile,
            summary=summary,
            plot=plot,
            curves=curves,
            sheet=sheet,
            picture=None if picture is None else str(picture),
            measure=measure,
            on_event=hears,
        )
        return Swept(rows, problems)


class World:
    """An unbounded world, loaded from its file. Any of its patches can be made, and neighbouring patches match."""

    @keywords
    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"World({str(self.path)!r})"

    @keywords
    def write(
        self,
        patches: tuple[range, range] | tuple[int, int],
        folder: str | os.PathLike[str] = "out",
        *,
        only: Sequence[str] = (),
        set: Mapping[str, Any] | None = None,
        seed: int | None = None,
        level: int = 0,
        share: tuple[int, int] | None = None,
        mosaic: bool = False,
        block: int | None = None,
        progress: Progress = None,
        engine: Engine | None = None,
    ) -> list[Path]:
        """Makes one patch, `(3, -2)`, or many, `(range(4), range(4))`. Each patch writes its outputs into a separate folder, as with the
        command. At each `level`, samples are twice as far apart as at the level below. `share=(2, 4)` makes the second of four parts.
        With `mosaic`, the patches of each map are also joined into one file; the paths of these files are returned.

        A folder `NAME.zarr`, or `s3://BUCKET/NAME.zarr`, becomes a store: one array of all patches for each map and picture, made in
        blocks with `block` patches along a side. Nothing is returned in this case."""
        if not isinstance(patches, tuple) or len(patches) != 2:
            raise usage(f"{patches!r} does not describe patches", "give one patch, (3, -2), or two ranges, (range(4), range(4))")
        (left, right), (top, bottom) = [ends(part) for part in patches]
        own = engine or default_engine()
        part = _pyterrane.WorldPart(
            self.path,
            ((left, top), (right, bottom)),
            only=several(only, "only", "['worn.tif']"),
            set=list(by_name(set, "set", "{'talus': 0.5}").items()),
            seed=seed,
            level=whole(level, "level", 30),
            share=share,
        )
        with hearer(progress) as hears:
            if not is_store(folder):
                if block is not None:
                    raise usage(f"block={block} is only for stores, and {folder} is a folder", "leave it out, or name a folder NAME.zarr")
                return _pyterrane.make_world(own, part, Path(folder), mosaic=mosaic, on_event=hears)
            if mosaic:
                raise usage("mosaic=True joins files, and a store has none", "leave it out")
            store = _pyterrane.WorldStore(own, part, store_of(folder), block=block)
            _pyterrane.fill_store(store, on_event=hears)
            return []


def is_store(name: str | os.PathLike[str]) -> bool:
    """Whether a name refers to a store rather than to a folder of files."""
    text = os.fspath(name)
    return "://" in text or text.rstrip("/").endswith(".zarr")


def store_of(name: str | os.PathLike[str]) -> str:
    """The name of a store in a form that every process can use."""
    text = os.fspath(name)
    if not is_store(text):
        raise usage(f"{text} is not a store", "name a folder NAME.zarr, or s3://BUCKET/NAME.zarr")
    return text if "://" in text else str(Path(text).resolve())


@keywords
def verify(store: str | os.PathLike[str]) -> str:
    """Reads all of a world's store and compares it with its checksums. Returns one digest of the whole store; raises `EvaluationError`
    if anything is missing or damaged."""
    _blocks, digest = _pyterrane.verify_store(store_of(store))
    return digest


Ends = tuple[int, int]


def ends(part: range | int) -> Ends:
    """The first and the last of a range of patches; the range must have no gaps."""
    if isinstance(part, range):
        if part.step != 1 or not len(part):
            raise usage(f"{part} is not a range of patches", "take one with a step of 1 that is not empty")
        found = part.start, part.stop - 1
    else:
        try:
            found = operator.index(part), operator.index(part)
        except TypeError:
            raise usage(f"{part!r} is not a patch", "give two numbers, (3, -2), or two ranges") from None
    if max(map(abs, found)) > 2**30:
        raise usage(f"{part!r} is too far away", "patches are counted from -2**30 to 2**30")
    return found


@dataclass(frozen=True)
class Snapshot:
    """The outcome for a snapshot: `passed`, `changed`, `new`, `accepted`, `unused` or `removed`."""

    name: str
    outcome: str
    file: Path
    difference: str


@keywords
def test(
    *graphs: str | os.PathLike[str],
    ports: Sequence[Node | Output | str] = (),
    accept: bool = False,
    threads: int = 0,
) -> list[Snapshot]:
    """Compares the outputs of graph files with their snapshots, as `terrane test` does. Raises an `EvaluationError` if any differ."""
    files, names = [Path(graph) for graph in graphs], [str(port) for port in several(ports, "ports", "['worn']")]
    is_right, told = _pyterrane.test_graphs(files, ports=names, accept=accept, threads=threads)
    snapshots = [Snapshot(*each) for each in told]
    if not is_right:
        raise differs([snapshot for snapshot in snapshots if snapshot.outcome not in ("passed", "accepted")])
    return snapshots


def test_value(beside: Path, name: str, value: Value, accept: bool) -> Snapshot:
    """Compares a value with its snapshot next to a file."""
    return Snapshot(*_pyterrane.test_value(beside, name, value, accept))


def differs(snapshots: list[Snapshot]) -> EvaluationError:
    """The error for snapshots that differ."""
    lines = [f"{each.name}: {each.outcome}: {each.file}\n{each.difference}".rstrip() for each in snapshots]
    help = "review the `.snap.new` files, and accept those that are right"
    problems = [{"message": line, "help": help, "code": ""} for line in lines]
    return EvaluationError("\n".join([*lines, f"  help: {help}"]), problems)

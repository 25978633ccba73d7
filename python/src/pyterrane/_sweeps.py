"""Runs of a graph for all combinations of seeds, sizes and parameters."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._document import Document
from ._engine import Engine
from ._ensemble import run_ensemble
from ._errors import usage
from ._handles import Node, Output
from ._keywords import keywords
from ._many import Swept, run_sweep
from ._numbers import several, whole, whole_pair
from ._progress import Progress
from ._results import Results

if TYPE_CHECKING:
    import xarray

Wanted = Node | Output | str


class Sweeps(Document):
    """A graph that is run many times, with different values."""

    def _name(self, wanted: Wanted) -> str:
        raise NotImplementedError

    def run(self, *wanted: Wanted, progress: Progress = None, engine: Engine | None = None) -> Results:
        """Evaluates outputs."""
        raise NotImplementedError

    @keywords
    def sweep(
        self,
        *metrics: Wanted,
        seeds: Iterable[int] = (),
        vary: Mapping[str, Sequence[Any]] | None = None,
        sizes: Sequence[tuple[int, int]] = (),
        table: str | os.PathLike[str] | None = None,
        summary: str | os.PathLike[str] | None = None,
        plot: str | os.PathLike[str] | None = None,
        curves: str | os.PathLike[str] | None = None,
        sheet: str | os.PathLike[str] | None = None,
        picture: Wanted | None = None,
        measure: bool = False,
        progress: Progress = None,
        engine: Engine | None = None,
    ) -> Swept:
        """Runs the graph for all combinations of seeds, sizes and parameters. Returns a table of the metrics, with one row per run.

        `metrics` are nodes or outputs with numbers, or columns of them, such as `"score.mean"`. `table` is a file; rows that it already
        has are kept. `summary`, `plot`, `curves` and `sheet` are the files that `terrane sweep` writes with the options of these names.
        """
        if not metrics:
            raise usage("no metric is given", "name a node with numbers: graph.sweep(graph.Statistics(node), seeds=range(3))")
        own = self._overrides
        seeds = [whole(seed, "seeds") for seed in several(seeds, "seeds", "range(3)")] or ([own["seed"]] if "seed" in own else [])
        sizes = several(sizes, "sizes", "[(65, 65), (129, 129)]") or ([own["size"]] if "size" in own else [])
        with self._on_disk() as path:
            return run_sweep(
                path,
                [self._name(metric) for metric in metrics],
                seeds=seeds,
                vary=vary,
                sizes=[f"{width}x{height}" for width, height in (whole_pair(size, "sizes") for size in sizes)],
                set=own.get("set"),
                profile=own.get("profile"),
                table=table,
                summary=summary,
                plot=plot,
                curves=curves,
                sheet=sheet,
                picture=None if picture is None else self._name(picture),
                measure=measure,
                progress=progress,
                engine=engine,
            )


    @keywords
    def ensemble(
        self,
        *maps: Wanted,
        seeds: Iterable[int] = (),
        vary: Mapping[str, Sequence[Any]] | None = None,
        progress: Progress = None,
        engine: Engine | None = None,
    ) -> xarray.Dataset:
        """Runs the graph for all combinations of seeds and parameters. Returns the maps as an `xarray.Dataset`: an array for each output,
        with a dimension `seed`, one for each varied parameter, and those of the map."""
        if not maps:
            raise usage("no map is given", "name a node: graph.ensemble(worn, seeds=range(3))")
        names = [self._name(wanted) for wanted in maps]
        return run_ensemble(self, names, seeds=seeds, vary=vary, progress=progress, engine=engine)

"""Maps of a graph for all combinations of seeds and parameters, as one array."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from ._engine import Engine
from ._errors import usage
from ._numbers import by_name, several, whole
from ._progress import Progress, hearer
from ._results import Results
from ._values import Map

if TYPE_CHECKING:
    import xarray


class Runnable(Protocol):
    """A graph whose seed and parameters can be set."""

    def at(self, *, seed: int | None = None) -> Self: ...
    def set(self, profile: str | None = None, /, **params: Any) -> Self: ...
    def run(self, *wanted: str, engine: Engine | None = None) -> Results: ...


def run_ensemble(
    graph: Runnable,
    names: Sequence[str],
    *,
    seeds: Any,
    vary: Mapping[str, Sequence[Any]] | None,
    progress: Progress,
    engine: Engine | None,
) -> xarray.Dataset:
    """Runs a copy of a graph for all combinations. The dimensions are the seed, the varied parameters, and those of a map."""
    import xarray

    varied: dict[str, list[Any]] = {"seed": [whole(seed, "seeds") for seed in several(seeds, "seeds", "range(3)")]}
    varied = {name: values for name, values in varied.items() if values}
    for name, values in by_name(vary, "vary", "{'talus': [0.3, 0.6]}").items():
        if name in ("seed", "x", "y"):
            raise usage(f"a dimension cannot be named after the parameter `{name}`", "rename the parameter, or give seeds=range(3)")
        varied[name] = several(values, f"vary[{name!r}]", "[0.3, 0.6]")
    if not varied or not all(varied.values()):
        raise usage("nothing is varied", "give seeds=range(3), or vary={'talus': [0.3, 0.6]}")
    counts = [len(values) for values in varied.values()]
    found: dict[str, Any] = {}
    like: dict[str, xarray.DataArray] = {}
    with hearer(progress) as hears:
        tell: Callable[[dict[str, Any]], object] = hears or (lambda _: None)
        tell({"event": "planned", "nodes": int(np.prod(counts))})
        for place in itertools.product(*map(range, counts)):
            given = {name: values[at] for (name, values), at in zip(varied.items(), place, strict=True)}
            own = copy.copy(graph)
            if "seed" in given:
                own.at(seed=given.pop("seed"))
            if given:
                own.set(**given)
            results = own.run(*names, engine=engine)
            for name in names:
                value = results[name]
                if not isinstance(value, Map):
                    raise usage(f"`{name}` is a {value.kind}, where maps are wanted", "Graph.sweep measures tables")
                if name not in found:
                    like[name] = value.to_xarray(name)
                    found[name] = np.empty((*counts, *like[name].shape), np.float32)
                found[name][place] = value.to_xarray(name)
            tell({"event": "finished", "node": "run", "seconds": 0.0})
    labels = {name: _labels(values) for name, values in varied.items()}
    arrays = {}
    for name, samples in found.items():
        coords: dict[Any, Any] = labels | dict(like[name].coords)
        arrays[name] = xarray.DataArray(samples, dims=(*varied, *like[name].dims), coords=coords, attrs=like[name].attrs)
    return xarray.Dataset(arrays)


def _labels(values: list[Any]) -> Any:
    """The coordinates of a varied parameter. Values that are no numbers and no text are written as text."""
    plain = all(isinstance(value, (bool, int, float, str, np.generic)) for value in values)
    return values if plain else [str(value) for value in values]

"""Evaluates single nodes on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _pyterrane
from ._arrays import checked, samples
from ._engine import Engine, default_engine
from ._errors import usage
from ._grid import Grid, grid_of, is_dataset
from ._handles import is_given
from ._numbers import distance, several, whole
from ._placing import Placing
from ._values import Levels, Map, Picture, Value, wrapped

if TYPE_CHECKING:
    import xarray

Array: TypeAlias = "npt.ArrayLike | xarray.DataArray"
ScalarArray: TypeAlias = "npt.ArrayLike | xarray.DataArray | float"


def evaluate(
    kind: str,
    fields: dict[str, Any],
    defaults: dict[str, Any],
    outputs: dict[str, tuple[str, str]],
    output: str | Sequence[str],
    spacing: float | None,
    seed: int,
    engine: Engine | None,
) -> Any:
    """Evaluates a node with arrays at its ports. `outputs` maps the names of its outputs to kinds and units."""
    wanted = [output] if isinstance(output, str) else several(output, "output", f"{tuple(outputs)!r}")
    unknown = [name for name in wanted if name not in outputs]
    if unknown:
        raise usage(f"`{kind}` has no output `{unknown[0]}`", f"its outputs are: {', '.join(outputs)}")
    ports = _pyterrane.ports(kind)
    arrays: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for field, value in fields.items():
        if field in ports and _is_array(value):
            arrays[field] = value
        elif field in ports and isinstance(value, (str, bytes)):
            raise usage(f"`{field}` is the text {value!r}, where an array or a number is wanted", "names of nodes are for graphs")
        elif is_given(value, defaults, field):
            rest[field] = value
    if not arrays:
        types = ", ".join(f"{field}: {type(fields[field]).__name__}" for field in ports if fields.get(field) is not None)
        raise usage(f"`{kind}` has no array to work on (given: {types})", "give a NumPy array or an xarray.DataArray")
    grids = {field: grid for field, value in arrays.items() if (grid := grid_of(value)) is not None}
    leading = next(iter(grids), None)
    grid = None if leading is None else grids[leading]
    for field, other in grids.items():
        if grid is not None and (other.first, other.last) != (grid.first, grid.last):
            message = f"the coordinates of `{field}` differ from those of `{leading}`"
            raise usage(message, "resample both to one grid, for example with b.interp_like(a)")
    given = {field: _samples(field, value, grids.get(field)) for field, value in arrays.items()}
    rows, columns = next(iter(given.values())).shape
    step = grid.spacing() if spacing is None and grid is not None else spacing
    apart = 1.0 if step is None else distance(step, "spacing")
    origin = (0.0, 0.0) if grid is None else grid.origin(apart)
    values = _pyterrane.apply(
        engine or default_engine(), kind, given, rest, (columns, rows), apart, origin, whole(seed, "graph_seed"), wanted
    )
    first = arrays[leading or next(iter(arrays))]
    masks = any(isinstance(value, np.ma.MaskedArray) for value in arrays.values())
    placing = None if grid is None else Placing.over(first, grid, apart)
    results = tuple(
        _like(first, placing, name, outputs[name][1], wrapped(value), masks) for name, value in zip(wanted, values, strict=True)
    )
    return results[0] if isinstance(output, str) else results


def _is_array(value: Any) -> bool:
    """Whether a value is an array, or can be converted to one. Numbers at ports are not arrays."""
    if isinstance(value, (str, bytes)) or value is None or np.isscalar(value):
        return False
    if isinstance(value, (list, tuple)):
        return len(value) > 0 and isinstance(value[0], (list, tuple, np.ndarray))
    if is_dataset(value):
        # Refused with the other arrays that are not of one band.
        return True
    return getattr(value, "ndim", 0) >= 1 or hasattr(value, "__array__") and np.ndim(value) >= 1


def _samples(field: str, value: Any, grid: Grid | None) -> npt.NDArray[np.float32] | Levels:
    if isinstance(value, Levels):
        # As an array, it would be a depth.
        return value
    checked(value, f"`{field}`")
    return samples(value if grid is None else grid.oriented(value), f"`{field}`")


def _like(first: Any, placing: Placing | None, name: str, unit: str, value: Value, masks: bool) -> Any:
    """A result in the form of the first array: an array of its shape, or a DataArray with its coordinates and CRS.

    Missing samples are NaN, or masked if those of an array were. Lines and levels of water get the same coordinates.
    """
    if not isinstance(value, (Map, Picture)) or isinstance(value, Levels):
        value._placing = placing
        return value
    result = np.asarray(value)
    if masks and isinstance(value, Map):
        result = np.ma.masked_invalid(result)
    if placing is None:
        shape = np.shape(first)
        return result.reshape(shape) if len(shape) > 2 and result.size == np.prod(shape) else result
    if isinstance(value, Map) and result.shape == placing.grid.oriented(placing.like).shape:
        return placing.grid.like(placing.like, name, result, unit)
    return placing.grid.restored(result)

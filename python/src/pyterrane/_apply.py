"""One node on arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _pyterrane
from ._arrays import samples
from ._engine import Engine, default_engine
from ._errors import usage
from ._handles import is_given
from ._values import wrapped

if TYPE_CHECKING:
    import xarray

Array: TypeAlias = "npt.ArrayLike | xarray.DataArray"
ScalarArray: TypeAlias = "npt.ArrayLike | xarray.DataArray | float"


def evaluate(
    kind: str,
    fields: dict[str, Any],
    defaults: dict[str, Any],
    outputs: dict[str, str],
    output: str | Sequence[str],
    spacing: float | None,
    seed: int,
    engine: Engine | None,
) -> Any:
    """Evaluates a node whose ports hold arrays."""
    arrays: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for field, value in fields.items():
        if getattr(value, "ndim", 0) >= 1 or hasattr(value, "__array_interface__"):
            arrays[field] = value
        elif is_given(value, defaults, field):
            rest[field] = value
    if not arrays:
        raise usage(f"`{kind}` has no array to work on", "give a NumPy array or an xarray.DataArray")
    first = next((value for value in arrays.values() if _is_labelled(value)), next(iter(arrays.values())))
    distance, origin = _place(first, spacing)
    given = {field: samples(value, f"`{field}`") for field, value in arrays.items()}
    rows, columns = next(iter(given.values())).shape
    wanted = [output] if isinstance(output, str) else list(output)
    unknown = [name for name in wanted if name not in outputs]
    if unknown:
        raise usage(f"`{kind}` has no output `{unknown[0]}`", f"its outputs are: {', '.join(outputs)}")
    values = _pyterrane.apply(
        engine or default_engine(), kind, given, rest, (columns, rows), distance, origin, seed, wanted
    )
    results = tuple(_like(first, name, wrapped(value)) for name, value in zip(wanted, values, strict=True))
    return results[0] if isinstance(output, str) else results


def _is_labelled(value: Any) -> bool:
    return hasattr(value, "dims") and hasattr(value, "coords")


def _place(array: Any, spacing: float | None) -> tuple[float, tuple[float, float]]:
    """Spacing and origin of the samples, from coordinates where there are some."""
    if not _is_labelled(array):
        return (1.0 if spacing is None else float(spacing)), (0.0, 0.0)
    steps, first = [], []
    for dim in array.dims[::-1]:
        values = np.asarray(array.coords[dim], dtype=np.float64) if dim in array.coords else None
        first.append(0.0 if values is None else float(values.min()))
        if values is None or values.size < 2:
            continue
        differences = np.abs(np.diff(values))
        if differences.max() > 1.001 * differences.min():
            raise usage(f"the coordinates `{dim}` are not evenly spaced", "resample the array to a regular grid")
        steps.append(float(abs(values[-1] - values[0]) / (values.size - 1)))
    if spacing is not None:
        return float(spacing), (first[0], first[1])
    if len(steps) == 2 and abs(steps[0] - steps[1]) > 0.001 * steps[0]:
        message = f"samples are {steps[0]:g} apart in x and {steps[1]:g} in y"
        raise usage(message, "resample to squares, or say what counts with spacing=")
    return (steps[0] if steps else 1.0), (first[0], first[1])


def _like(array: Any, name: str, value: Any) -> Any:
    """A map as what was given: an array, or a DataArray with the same coordinates and CRS."""
    if value.kind == "table":
        return dict(value)
    if value.kind not in ("map", "picture"):
        return value
    result = np.asarray(value)
    if _is_labelled(array) and result.shape == array.shape:
        labelled = array.copy(data=result)
        labelled.name = name
        return labelled
    return result

"""What runs give."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _pyterrane
from ._engine import default_engine
from ._errors import usage

if TYPE_CHECKING:
    import pandas
    import xarray


class Value(_pyterrane.Value):
    """A value that a node gave: `kind` says what it is, `digest` its content. It outlives graph and engine."""

    def __repr__(self) -> str:
        return f"<{self.kind} {self.digest[:12]}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the value to a file, its format by extension; `extensions` are those that there are."""
        self.write(default_engine(), Path(path))

    def content(self, extension: str) -> bytes:
        """What a file of that extension would hold."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"value.{extension}"
            self.save(path)
            return path.read_bytes()

    def to_geojson(self) -> dict[str, Any]:
        """Lines and points as GeoJSON."""
        if "geojson" not in self.extensions:
            raise usage(f"a {self.kind} is no lines and no points", f"save it as {', '.join(self.extensions)}")
        value: dict[str, Any] = json.loads(self.content("geojson"))
        return value

    def _repr_png_(self) -> bytes | None:
        return self.png()

    def _repr_svg_(self) -> str | None:
        return self.content("svg").decode() if self.kind == "chart" else None


def _seen(value: Any, own: type[Any], wanted: npt.DTypeLike | None, copy: bool | None) -> npt.NDArray[Any]:
    """The samples where they lie, or as other numbers."""
    array: npt.NDArray[Any] = np.frombuffer(value, dtype=own).reshape(value.shape)
    if wanted is not None and np.dtype(wanted) != own:
        if copy is False:
            raise ValueError(f"samples are {np.dtype(own)}: as {np.dtype(wanted)} they have to be copied")
        return array.astype(wanted)
    return array.copy() if copy else array


class Map(Value):
    """Heights, masks and any other number per sample: an array with rows and columns, without a copy, read-only."""

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return _seen(self, np.float32, dtype, copy)

    @property
    def spacing(self) -> float:
        """Distance between samples."""
        return self._placed()[0]

    @property
    def origin(self) -> tuple[float, float]:
        """World x and y of the first sample."""
        return self._placed()[1]

    @property
    def epsg(self) -> int | None:
        """The number of the CRS, where it has one."""
        return self._placed()[2]

    def _placed(self) -> tuple[float, tuple[float, float], int | None]:
        place = self.place
        assert place is not None
        return place

    def to_xarray(self, name: str | None = None) -> xarray.DataArray:
        """The map with its coordinates."""
        import xarray

        rows, columns = self.shape
        (x, y), spacing = self.origin, self.spacing
        coords = {"y": y + spacing * np.arange(rows), "x": x + spacing * np.arange(columns)}
        attrs = {} if self.epsg is None else {"crs": f"EPSG:{self.epsg}"}
        return xarray.DataArray(np.asarray(self), dims=("y", "x"), coords=coords, name=name, attrs=attrs)


class Picture(Value):
    """A picture: an array of rows, columns and colours, without a copy, read-only."""

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return _seen(self, np.uint8, dtype, copy)


class Table(Value, Mapping[str, npt.NDArray[np.float64]]):
    """Numbers in columns: a mapping of names to arrays."""

    @property
    def _arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {name: np.frombuffer(content) for name, content in self.columns()}

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame."""
        import pandas

        return pandas.DataFrame(self._arrays)


_KINDS: dict[str, type[Value]] = {"map": Map, "picture": Picture, "table": Table}


def wrapped(value: _pyterrane.Value) -> Value:
    """A value with what its kind can do."""
    return _KINDS.get(value.kind, Value)(value)


class Results(Mapping[object, Value]):
    """What a run gave: by handle or name, and in the order of asking."""

    def __init__(
        self,
        names: list[str],
        values: list[Value],
        warnings: list[str],
        nodes: list[tuple[str, str, float]],
    ) -> None:
        self._values = dict(zip(names, values, strict=True))
        self.warnings = warnings
        """What nodes warned of."""
        self.nodes = nodes
        """Per node its name, what became of it (`ran`, `cached`), and the seconds that it ran."""

    def __getitem__(self, wanted: object) -> Value:
        try:
            return self._values[str(wanted)]
        except KeyError:
            raise usage(f"`{wanted}` was not asked for", f"asked for were: {', '.join(self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def value(self) -> Value:
        """The one value, where one was asked for."""
        if len(self._values) != 1:
            raise usage(f"{len(self._values)} values were asked for", "name one: results['node']")
        return next(iter(self._values.values()))

    def __repr__(self) -> str:
        return f"Results({self._values!r})"

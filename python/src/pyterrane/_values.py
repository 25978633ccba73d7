"""Values that runs return."""

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
from ._errors import TerraneError, UsageError, usage
from ._grid import is_labelled
from ._keywords import keywords
from ._placing import Placing, labelled_like

if TYPE_CHECKING:
    import pandas
    import xarray


class Value(_pyterrane.Value):
    """A value of a node: `kind` is its kind, `digest` identifies its content. It stays valid without its graph and engine."""

    _placing: Placing | None = None
    """The coordinates of the array that the value was computed from."""

    def __repr__(self) -> str:
        return f"<{self.kind} {self.digest[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.kind, self.encoded(), self.ground), {} if self._placing is None else {"_placing": self._placing}

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        return self

    @keywords
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the value to a file. The extension chooses the format; `extensions` lists those available."""
        self.write(default_engine(), Path(path))

    @keywords
    def content(self, extension: str) -> bytes:
        """The content of a file with that extension."""
        return self._content(extension, True)

    def _content(self, extension: str, placed: bool) -> bytes:
        """The content of a file, in the coordinates of the graph's place or, if not `placed`, of its world."""
        if extension not in self.extensions:
            raise usage(f"a {self.kind} cannot be written as `{extension}`", f"extensions are: {', '.join(self.extensions)}")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"value.{extension}"
            try:
                self.write(default_engine(), path, placed)
            except TerraneError as error:
                error.rename({str(path): path.name})
                raise
            return path.read_bytes()

    def to_geojson(self) -> dict[str, Any]:
        """Lines and points as GeoJSON: in the coordinates of the array that they were computed from, otherwise in those of the files that
        `terrane run` writes: longitude and latitude if the graph imports ground with a known CRS."""
        if "geojson" not in self.extensions:
            raise usage(f"a {self.kind} has no lines and no points", f"save it as {', '.join(self.extensions)}")
        value: dict[str, Any] = json.loads(self._content("geojson", self._placing is None))
        if self._placing is not None:
            value = self._placing.lines(value)
        return value

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Kinds with samples are arrays. NumPy would make an array of one object of any other."""
        raise self._no_array()

    def to_numpy(self) -> npt.NDArray[Any]:
        """The samples of a map, a picture, or a sequence of these."""
        return np.asarray(self)

    def to_xarray(self, name: str | None = None, *, like: xarray.DataArray | None = None) -> xarray.DataArray:
        """The samples of a map or of a time series of maps, with coordinates."""
        raise self._no_array()

    def _no_array(self) -> UsageError:
        if isinstance(self, Mapping):
            help = "take a column by its name, or all of them: to_pandas()"
        elif "geojson" in self.extensions:
            help = "take its lines and points: to_geojson()"
        else:
            help = f"save it as {', '.join(self.extensions)}" if self.extensions else "connect it to a node that reads this kind"
        return usage(f"a {self.kind} is not an array of samples with coordinates", help)

    def _repr_png_(self) -> bytes | None:
        return self.png(default_engine())

    def _repr_svg_(self) -> str | None:
        return self.content("svg").decode() if self.kind == "chart" else None


def _seen(value: Any, own: type[Any], wanted: npt.DTypeLike | None, copy: bool | None) -> npt.NDArray[Any]:
    """The samples without a copy, or converted to another type."""
    array: npt.NDArray[Any] = np.frombuffer(value, dtype=own).reshape(value.shape)
    if wanted is not None and np.dtype(wanted) != own:
        if copy is False:
            raise ValueError(f"samples are {np.dtype(own)}: as {np.dtype(wanted)} they have to be copied")
        return array.astype(wanted)
    return array.copy() if copy else array


class _Placed(Value):
    """A value with samples at positions of the world."""

    @property
    def spacing(self) -> float:
        """Distance between samples."""
        return self._placed()[0]

    @property
    def origin(self) -> tuple[float, float]:
        """The world x and y of the first sample."""
        return self._placed()[1]

    @property
    def epsg(self) -> int | None:
        """The number of the CRS, if it has one."""
        return self._placed()[2]

    def _placed(self) -> tuple[float, tuple[float, float], int | None]:
        place = self.place
        if place is None:
            raise usage(f"the {self.kind} has no maps, and so no place", "give history_every=1 or more")
        return place

    def _labelled(self, samples: npt.NDArray[Any], name: str | None, like: xarray.DataArray | None) -> xarray.DataArray:
        """A map of these samples, with coordinates."""
        import xarray

        if like is not None and is_labelled(like):
            labelled: xarray.DataArray | None = labelled_like(samples, like, name or "")
            if labelled is None:
                raise usage(f"the map has shape {samples.shape}, and `like` has shape {like.shape}", "give an array of the same size")
            return labelled
        if self._placing is not None:
            return self._placing.labelled(samples, name or "", self.origin, self.spacing)
        rows, columns = samples.shape
        (x, y), spacing = self.origin, self.spacing
        (x, y), (across, down) = self.axes or ((x, 0.0 - y), (spacing, -spacing))
        coords = {"y": y + down * np.arange(rows), "x": x + across * np.arange(columns)}
        attrs = {} if self.epsg is None or self.axes is None else {"crs": f"EPSG:{self.epsg}"}
        return xarray.DataArray(samples, dims=("y", "x"), coords=coords, name=name, attrs=attrs)


class Map(_Placed):
    """Heights, masks or any other number per sample: a read-only array with rows and columns, without a copy."""

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return _seen(self, np.float32, dtype, copy)

    def __repr__(self) -> str:
        rows, columns = self.shape
        samples = np.asarray(self)
        known = samples[~np.isnan(samples)]
        holes = samples.size - known.size
        extent = f", from {known.min():g} to {known.max():g}" if known.size else ""
        return f"<map of {columns} columns and {rows} rows{extent}{f', {holes} of them missing' * (holes > 0)}>"

    def to_numpy(self) -> npt.NDArray[np.float32]:
        """The samples, as rows and columns."""
        return np.asarray(self)

    @keywords
    def to_xarray(self, name: str | None = None, *, like: xarray.DataArray | None = None) -> xarray.DataArray:
        """The map with coordinates: those of an array `like` of the same size, of the array that the graph is over, of the graph's place on a
        map if it imports a georeferenced file, or of the georeferenced file that the map comes from.

        Otherwise, y is the graph's, counted upwards: it decreases from row to row, since the first row is the north.
        """
        return self._labelled(np.asarray(self), name, like)


class Levels(Map):
    """The level of water: a read-only array of heights, with NaN where it is dry."""

    def __repr__(self) -> str:
        rows, columns = self.shape
        samples = np.asarray(self)
        wet = samples[~np.isnan(samples)]
        extent = f", from {wet.min():g} to {wet.max():g}" if wet.size else ""
        return f"<level of water on {wet.size} of {columns} x {rows} samples{extent}>"


class Frames(_Placed):
    """A time series of maps: an array of frames, rows and columns, as a copy."""

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, index: Any) -> npt.NDArray[Any]:
        part: npt.NDArray[Any] = np.asarray(self)[index]
        return part

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return _stacked(self, np.float32, dtype, copy)

    def to_numpy(self) -> npt.NDArray[np.float32]:
        """The samples, as frames, rows and columns."""
        return np.asarray(self)

    @keywords
    def to_xarray(self, name: str | None = None, *, like: xarray.DataArray | None = None) -> xarray.DataArray:
        """The maps with the coordinates of `Map.to_xarray`, along a first dimension `frame`, which counts from 0."""
        import xarray

        samples = self.to_numpy()
        if not len(samples):
            raise usage("the time series has no frames", "give history_every=1 or more")
        frames = [self._labelled(each, name, like) for each in samples]
        return xarray.concat(frames, xarray.Variable("frame", np.arange(len(frames))), coords="minimal", compat="override")


class Animation(Value):
    """An animation: an array of frames, rows, columns and colours, as a copy."""

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, index: Any) -> npt.NDArray[Any]:
        part: npt.NDArray[Any] = np.asarray(self)[index]
        return part

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return _stacked(self, np.uint8, dtype, copy)

    def to_numpy(self) -> npt.NDArray[np.uint8]:
        """The colours, as frames, rows, columns and 3 colours."""
        return np.asarray(self)


def _stacked(value: Value, own: type[Any], wanted: npt.DTypeLike | None, copy: bool | None) -> npt.NDArray[Any]:
    """The samples of a sequence, which are not next to each other in memory."""
    if copy is False:
        raise ValueError("the parts of a sequence have to be copied")
    array: npt.NDArray[Any] = np.frombuffer(value.stacked(), dtype=own).reshape(value.shape)
    return array if wanted is None else array.astype(wanted, copy=False)


class Picture(Value):
    """A picture: a read-only array of rows, columns and colours, without a copy."""

    def to_numpy(self) -> npt.NDArray[np.uint8]:
        """The colours, as rows, columns and 3 colours."""
        return np.asarray(self)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return _seen(self, np.uint8, dtype, copy)


class Table(Value, Mapping[str, npt.NDArray[np.float64]]):
    """A table: a mapping of column names to arrays."""

    @property
    def _arrays(self) -> dict[str, npt.NDArray[np.float64]]:
        return {name: np.frombuffer(content) for name, content in self.columns()}

    def __getitem__(self, name: str) -> npt.NDArray[np.float64]:
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        arrays = self._arrays
        rows = len(next(iter(arrays.values()), ()))
        if rows == 1:
            return f"<table: {', '.join(f'{name} {numbers[0]:g}' for name, numbers in arrays.items())}>"
        return f"<table of {rows} rows: {', '.join(arrays)}>"

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a DataFrame."""
        import pandas

        return pandas.DataFrame(self._arrays)


_KINDS: dict[str, type[Value]] = {
    "map": Map,
    "level": Levels,
    "picture": Picture,
    "table": Table,
    "frames": Frames,
    "animation": Animation,
}


def _restored(kind: str, content: bytes, ground: bytes | None = None) -> Value:
    """Restores a pickled value."""
    return wrapped(_pyterrane.Value.decoded(kind, content, ground))


def wrapped(value: _pyterrane.Value) -> Value:
    """Wraps a value in the class of its kind."""
    return _KINDS.get(value.kind, Value)(value)

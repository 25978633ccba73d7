"""Graphs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _pyterrane
from ._arrays import checked, npy, samples
from ._engine import Engine, default_engine
from ._errors import GraphError, UsageError, usage
from ._foreign import registered
from ._grid import Grid, grid_of, is_dataset
from ._handles import N, Node, Output, Param, Raw, is_given
from ._keywords import keywords
from ._nodes import Nodes
from ._numbers import by_name, distance, real_pair, several, whole, whole_pair
from ._placing import Placing
from ._results import Results
from ._sweeps import Sweeps, Wanted
from ._progress import Progress, hearer
from ._unknown import unknown_node
from ._values import Levels, Map, wrapped
from ._warn import warn


class Graph(Sweeps, Nodes):
    """A graph of nodes that make terrain, over a part of the world.

    Each type of node has a method that adds a node and returns its handle: `graph.Perlin(octaves=6)`. The graph is text, which `to_ron`
    returns and the `terrane` command reads too. Both compute the same bits and share one cache.
    """

    @keywords
    def __init__(
        self,
        size: tuple[int, int] = (513, 513),
        *,
        spacing: float | None = None,
        origin: tuple[float, float] | None = None,
        seed: int | None = None,
        params: dict[str, Any] | None = None,
        folder: str | os.PathLike[str] = ".",
        allow_outside: bool = False,
    ) -> None:
        """Creates a graph without nodes.

        File names in nodes are relative to `folder`. Files outside it can be read only if `allow_outside` is set.
        `size` is (columns, rows); an array's `shape` is (rows, columns).
        """
        header = [f"size: {whole_pair(size, 'size')}"]
        if spacing is not None:
            header.append(f"spacing: {distance(spacing, 'spacing')!r}")
        if origin is not None:
            header.append(f"origin: {real_pair(origin, 'origin')!r}")
        if seed is not None:
            header.append(f"seed: {whole(seed, 'seed')}")
        self._begin("Graph(" + ", ".join(header) + ", params: {}, nodes: {}, outputs: {})", Path(folder), None)
        self._overrides["allow_outside"] = allow_outside
        for name, value in by_name(params, "params", "{'talus': 0.5}").items():
            self.declare(name, value)

    @classmethod
    @keywords
    def from_ron(cls, text: str, *, folder: str | os.PathLike[str] = ".") -> Graph:
        """Loads a graph from its text."""
        if not isinstance(text, str):
            raise usage(f"a {type(text).__name__} is not the text of a graph", "read a file with pyterrane.load(path)")
        graph = cls.__new__(cls)
        graph._begin(text, Path(folder), None)
        graph.check()
        return graph

    def _add(
        self,
        handle: type[N],
        kind: str,
        fields: dict[str, Any],
        defaults: dict[str, Any],
        name: str | None,
        keep: str | None,
    ) -> N:
        ports = _pyterrane.ports(kind)
        given = {
            field: self._port(value) if field in ports else value
            for field, value in fields.items()
            if is_given(value, defaults, field)
        }
        if keep is not None:
            if keep not in ("Never", "Always"):
                raise usage(f"keep={keep!r} is not known", "write keep='Never' or keep='Always'")
            given["keep"] = Raw(keep)
        with self._lock:
            own = self._free_name(kind) if name is None else name
            self._edit(lambda text: text.add_node(own, kind, given))
        return handle(self, own, kind)

    def add(self, kind: str, /, *, name: str | None = None, **fields: Any) -> Node:
        """Adds a node by the name of its type, such as a type that is written in Python."""
        return self._add(Node, kind, fields, {}, name, None)

    def __getattr__(self, name: str) -> Callable[..., Node]:
        """Makes nodes that are written in Python available as methods."""
        written = registered(name)
        if written is None:
            raise AttributeError(unknown_node(name, dir(Nodes), "help(pyterrane.Graph) shows all"))

        def add(*args: Any, name: str | None = None, keep: str | None = None, **fields: Any) -> Node:
            given = written.fields(args, fields)
            return self._add(Node, written.__name__, given, {}, name, keep)

        add.__name__, add.__doc__ = written.__name__, written.__doc__
        add.__signature__ = written.adding  # type: ignore[attr-defined]
        return add

    def _port(self, value: Any) -> Any:
        """Adds nodes that import arrays with rows and columns."""
        if isinstance(value, (Node, Output)):
            self._own(value)
            return value
        if isinstance(value, Levels):
            return self._add(Node, "Level", {"surface": self.array(value)}, {}, None, None)
        is_array = isinstance(value, Map) or getattr(value, "ndim", 0) >= 1 or is_dataset(value)
        return self.array(value) if is_array else value

    def _own(self, value: Node | Output) -> None:
        owner = value if isinstance(value, Node) else value.node
        if owner._graph is not self:
            raise usage(f"`{value}` is a node of another graph", "use a node of this graph")

    def _name(self, wanted: Wanted) -> str:
        """The name of a node or an output of this graph."""
        if isinstance(wanted, (Node, Output)):
            self._own(wanted)
        elif not isinstance(wanted, str):
            raise usage(f"{wanted!r} is neither a node nor an output", "give a handle that a method of the graph returned, or a name")
        return str(wanted)

    @keywords
    def array(self, array: npt.ArrayLike, *, name: str | None = None, fill: bool = False) -> Node:
        """Adds a node that imports an array. An array whose size differs from the graph's is stretched over the graph.

        Missing samples (NaN, masked, or equal to the declared nodata) are holes of the map, unless `fill` asks for heights from their surroundings.
        """
        checked(array)
        own = grid_of(array)
        ordered = array if own is None else own.oriented(array)
        values = samples(ordered)
        if np.isinf(values).any():
            row, column = np.argwhere(np.isinf(values))[0]
            message = f"the array has {values[row, column]} at row {row}, column {column}"
            raise usage(message, "mark missing samples by NaN: numpy.where(numpy.isfinite(array), array, numpy.nan)")
        file, content = npy(values)
        missing = not np.isfinite(values).all()
        self._warn_of_stretching(checked(ordered).shape, own)
        with self._lock:
            if file not in self._arrays:
                self._arrays[file] = content
                self._files.put(self._folder / file, content)
            node = name or self._free_name("array")
            fields = {"file": file} if fill or not missing else {"file": file, "voids": "Keep"}
            self._edit(lambda text: text.add_node(node, "Import", fields))
        return Node(self, node, "Import")

    def _warn_of_stretching(self, shape: tuple[int, ...], own: Grid | None) -> None:
        """Warns if an array's shape or coordinates differ from the graph's samples."""
        try:
            (columns, rows), spacing = self.check().samples
        except GraphError:
            return
        if shape != (rows, columns):
            message = f"the array has {shape[1]} columns and {shape[0]} rows, and the graph {columns} and {rows}: the array is stretched"
            warn(f"{message}. A graph's size is (columns, rows); Graph.over(array) uses the array's size")
            return
        try:
            apart = None if own is None or self._placing is not None and own == self._placing.grid else own.spacing()
        except UsageError:
            # The graph has a spacing, so the array needs none.
            return
        if apart is not None and abs(apart - spacing) > 0.001 * spacing:
            message = f"the array's samples are {apart:g} apart, and the graph's {spacing:g}: slopes follow the graph's spacing"
            warn(f"{message}. Graph.over(array) uses the array's spacing")

    @classmethod
    @keywords
    def over(cls, array: Any, *, spacing: float | None = None, seed: int | None = None, **rest: Any) -> Graph:
        """Creates a graph with an array's size. An `xarray.DataArray` also gives its spacing, its origin, and coordinates of the results."""
        checked(array)
        own = grid_of(array)
        rows, columns = checked(array if own is None else own.oriented(array)).shape
        if own is None:
            return cls(size=(columns, rows), spacing=spacing, seed=seed, **rest)
        given = own.spacing() if spacing is None else distance(spacing, "spacing")
        apart = 1.0 if given is None else given
        graph = cls(size=(columns, rows), spacing=apart, seed=seed, **{"origin": own.origin(apart)} | rest)
        graph._placing = Placing.over(array, own, apart)
        return graph

    def _free_name(self, kind: str) -> str:
        plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()
        text, name, count = self._ron(), plain, 1
        while f'"{name}"' in text:
            count += 1
            name = f"{plain}_{count}"
        return name

    @keywords
    def node(self, name: str) -> Node:
        """Returns a node by its name. `sub/inner` names a node of a subgraph."""
        kinds = dict(self.check().nodes)
        if name not in kinds:
            raise usage(f"there is no node `{name}`", f"the nodes are: {', '.join(kinds)}")
        return Node(self, name, kinds[name])

    @property
    def nodes(self) -> list[Node]:
        """The nodes, in order."""
        return [Node(self, name, kind) for name, kind in self.check().nodes]

    def outputs_of(self, node: str) -> dict[str, str]:
        """Names and kinds of the outputs of a node."""
        return dict(self.check().outputs_of(node))

    @keywords
    def remove(self, node: Node | str) -> None:
        """Removes a node."""
        name = self._name(node)
        self._edit(lambda text: text.remove_node(name))

    @keywords
    def change(self, node: Node | str, **fields: Any) -> None:
        """Sets fields of a node."""
        handle = self.node(node) if isinstance(node, str) else node
        self._own(handle)
        ports = _pyterrane.ports(handle.kind)
        given = {field: self._port(value) if field in ports else value for field, value in fields.items()}

        def change(text: _pyterrane.GraphText) -> None:
            for field, value in given.items():
                text.set_field(handle.name, handle.kind, field, value)

        self._edit(change)

    @keywords
    def output(self, file: str, source: Wanted) -> None:
        """Adds an output file; its extension chooses the format."""
        name = self._name(source)
        self._edit(lambda text: text.add_output(file, name))

    # Parameters.

    @keywords
    def declare(self, name: str, value: Any) -> Param:
        """Declares a parameter of the graph, which nodes can use instead of a value."""
        self._edit(lambda text: text.add_parameter(name, value))
        return Param(name)

    # Runs.

    @keywords
    def run(
        self,
        *wanted: Wanted,
        progress: Progress = None,
        engine: Engine | None = None,
    ) -> Results:
        """Evaluates outputs, given as handles or as names such as `"node"` and `"node.output"`. Default: the graph's output files.

        `progress` is `True` for a progress bar, or a function that is called with each event as a dict. Ctrl-C stops the run.
        """
        loaded = self.check()
        names = [self._name(item) for item in wanted] or list(dict.fromkeys(name for _, name in loaded.outputs))
        if not names:
            raise usage("no output is requested", "name outputs: graph.run(node)")
        with hearer(progress) as hears, self._named():
            values, told, nodes = _pyterrane.run(engine or default_engine(), loaded, names, hears)
        results = [wrapped(value) for value in values]
        for value in results:
            value._placing = self._placing
        return Results(self, names, results, told, nodes)

    @keywords
    def write(
        self,
        folder: str | os.PathLike[str] = "out",
        *,
        only: list[str] | None = None,
        progress: Progress = None,
        engine: Engine | None = None,
    ) -> list[Path]:
        """Writes the graph's output files and the manifest, as `terrane run` does. Returns the files that changed."""
        names = several(only or [], "only", "['worn.png']")
        with hearer(progress) as hears, self._named():
            files, told = _pyterrane.write(engine or default_engine(), self.check(), Path(folder), names, hears)
        for warning in told:
            warn(warning)
        return files


@keywords
def load(path: str | os.PathLike[str], *, allow_outside: bool = False) -> Graph:
    """Loads a graph from a file. The graph can read files outside its folder only if `allow_outside` is set."""
    graph = Graph.__new__(Graph)
    file = Path(path).absolute()
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise usage(f"{path}: {error}", "give the path of a graph file") from None
    graph._begin(text, file.parent, file)
    graph._overrides["allow_outside"] = allow_outside
    graph.check()
    return graph

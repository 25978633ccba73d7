"""Graphs."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from . import _pyterrane
from ._arrays import npy
from ._engine import Engine, default_engine
from ._errors import usage
from ._foreign import generation, registered
from ._handles import N, Node, Output, Param, Raw, is_given
from ._many import Swept, run_sweep
from ._nodes import Nodes
from ._progress import Progress, hearer
from ._values import Results, wrapped

Wanted = Node | Output | str


class Graph(Nodes):
    """A graph of nodes that make terrain, over a part of the world.

    A method per type of node adds one, `graph.Perlin(octaves=6)`, and gives a handle on it. The graph is text, `to_ron`, which
    the `terrane` command reads too; what it evaluates has the same keys and bits, and the same cache.
    """

    def __init__(
        self,
        size: tuple[int, int] = (513, 513),
        *,
        spacing: float | None = None,
        origin: tuple[float, float] | None = None,
        seed: int | None = None,
        params: dict[str, Any] | None = None,
        folder: str | os.PathLike[str] = ".",
    ) -> None:
        """A graph without nodes. Files that its nodes name are found from `folder`."""
        header = [f"size: ({int(size[0])}, {int(size[1])})"]
        if spacing is not None:
            header.append(f"spacing: {float(spacing)!r}")
        if origin is not None:
            header.append(f"origin: ({float(origin[0])!r}, {float(origin[1])!r})")
        if seed is not None:
            header.append(f"seed: {int(seed)}")
        self._begin("Graph(" + ", ".join(header) + ", params: {}, nodes: {}, outputs: {})", Path(folder), None)
        for name, value in (params or {}).items():
            self.declare(name, value)

    def _begin(self, text: str, folder: Path, path: Path | None) -> None:
        self._text = text
        self._edits: _pyterrane.GraphText | None = None
        self._files = _pyterrane.Files()
        self._arrays: dict[str, bytes] = {}
        self._folder = Path(folder).absolute()
        self._path = path
        self._loaded: _pyterrane.Loaded | None = None
        self._overrides: dict[str, Any] = {}
        self._seen = 0

    @classmethod
    def from_ron(cls, text: str, *, folder: str | os.PathLike[str] = ".") -> Graph:
        """A graph from its text."""
        graph = cls.__new__(cls)
        graph._begin(text, Path(folder), None)
        graph.check()
        return graph

    # Text.

    def to_ron(self) -> str:
        """The graph's text, in the usual layout where it was made here."""
        if self._path is not None or self._edits is None:
            return self._ron()
        return self._edits.formatted()

    def _ron(self) -> str:
        return self._text if self._edits is None else self._edits.text

    def __repr__(self) -> str:
        return self.to_ron()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text to a file, and arrays that the graph reads beside it."""
        path = Path(path)
        for name, content in self._arrays.items():
            _write(path.parent / name, content)
        _write(path, self.to_ron().encode())

    def _edit(self) -> _pyterrane.GraphText:
        if self._edits is None:
            self._edits = _pyterrane.GraphText(self._text)
        self._loaded = None
        return self._edits

    # Parts.

    def _add(
        self,
        handle: type[N],
        kind: str,
        fields: dict[str, Any],
        defaults: dict[str, Any],
        name: str | None,
        keep: str | None,
    ) -> N:
        given = {field: self._port(value) for field, value in fields.items() if is_given(value, defaults, field)}
        if keep is not None:
            given["keep"] = Raw(keep)
        name = self._free_name(kind) if name is None else name
        self._edit().add_node(name, kind, given)
        return handle(self, name, kind)

    def add(self, kind: str, /, *, name: str | None = None, **fields: Any) -> Node:
        """Adds a node of a type by its name, such as one that was registered here."""
        return self._add(Node, kind, fields, {}, name, None)

    def __getattr__(self, name: str) -> Callable[..., Node]:
        """Nodes that are written in Python are methods like all others."""
        written = registered(name)
        if written is None:
            raise AttributeError(f"there is no node `{name}`: help(pyterrane.Graph) shows all")

        def add(*args: Any, name: str | None = None, keep: str | None = None, **fields: Any) -> Node:
            given = written.fields(args, fields)
            return self._add(Node, written.__name__, given, {}, name, keep)

        return add

    def _port(self, value: Any) -> Any:
        """Arrays with rows and columns become nodes that import them."""
        if isinstance(value, (Node, Output)):
            owner = value if isinstance(value, Node) else value.node
            if owner._graph is not self:
                raise usage(f"`{value}` is of another graph", "use a node of the graph that it is given to")
            return value
        array = value if getattr(value, "ndim", 0) == 2 else None
        return value if array is None else self.array(np.asarray(array))

    def array(self, array: npt.ArrayLike, *, name: str | None = None) -> Node:
        """A node that gives an array's numbers: a map of the graph's size as it is, any other stretched over the graph."""
        file, content = npy(array)
        if file not in self._arrays:
            self._arrays[file] = content
            self._files.put(self._folder / file, content)
        node = name or self._free_name("array")
        self._edit().add_node(node, "Import", {"file": file})
        return Node(self, node, "Import")

    def _free_name(self, kind: str) -> str:
        plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()
        text, name, count = self._ron(), plain, 1
        while f'"{name}"' in text:
            count += 1
            name = f"{plain}_{count}"
        return name

    def node(self, name: str) -> Node:
        """A node by its name, those of subgraphs as `sub/inner`."""
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

    def remove(self, node: Node | str) -> None:
        """Removes a node."""
        self._edit().remove_node(str(node))

    def change(self, node: Node | str, **fields: Any) -> None:
        """Changes fields of a node."""
        handle = self.node(node) if isinstance(node, str) else node
        for field, value in fields.items():
            self._edit().set_field(handle.name, handle.kind, field, self._port(value))

    def output(self, file: str, source: Wanted) -> None:
        """Asks for a file: its format is that of its extension."""
        self._edit().add_output(file, str(source))

    # Parameters.

    def declare(self, name: str, value: Any) -> Param:
        """Declares a parameter of the graph, which nodes can have in place of a value."""
        self._edit().add_parameter(name, value)
        return Param(name)

    def set(self, profile: str | None = None, /, **params: Any) -> Graph:
        """Sets parameters that the graph declares, or those of one of its profiles, for runs from here. Gives the graph."""
        settings = dict(self._overrides.get("set") or {}) | params
        before = dict(self._overrides)
        self._overrides["set"] = settings
        if profile is not None:
            self._overrides["profile"] = profile
        self._loaded = None
        try:
            self.check()
        except Exception:
            self._overrides, self._loaded = before, None
            raise
        return self

    def at(self, *, seed: int | None = None, size: tuple[int, int] | None = None) -> Graph:
        """Another seed, or another number of samples over the same part of the world, for runs from here. Gives the graph."""
        if seed is not None:
            self._overrides["seed"] = seed
        if size is not None:
            self._overrides["size"] = size
        self._loaded = None
        return self

    # Runs.

    def check(self) -> _pyterrane.Loaded:
        """Reads the text as the engine does; what is wrong is a `GraphError`."""
        if self._loaded is None or self._seen != generation():
            self._seen = generation()
            path = self._path
            if path is None or self._edits is not None:
                path = path or self._folder / "graph.py.ron"
                self._files.put(path, self.to_ron().encode())
            self._loaded = _pyterrane.load(path, self._files, **self._overrides)
        return self._loaded

    def run(
        self,
        *wanted: Wanted,
        progress: Progress = None,
        engine: Engine | None = None,
    ) -> Results:
        """Evaluates outputs: handles, or names as `"node"` and `"node.output"`; without any, those that the graph writes to files.

        `progress` is `True` for a bar, or a function that is called with each event as a dict. Ctrl-C stops the run.
        """
        loaded = self.check()
        names = [str(item) for item in wanted] or list(dict.fromkeys(name for _, name in loaded.outputs))
        if not names:
            raise usage("nothing is asked for", "name outputs: graph.run(node)")
        with hearer(progress) as hears:
            values, warnings, nodes = _pyterrane.run(engine or default_engine(), loaded, names, hears)
        return Results(names, [wrapped(value) for value in values], warnings, nodes)

    def write(
        self,
        folder: str | os.PathLike[str] = "out",
        *,
        only: list[str] | None = None,
        progress: Progress = None,
        engine: Engine | None = None,
    ) -> list[Path]:
        """Writes the files that the graph asks for, as `terrane run` does, with the manifest. Gives those that are new."""
        with hearer(progress) as hears:
            return _pyterrane.write(engine or default_engine(), self.check(), Path(folder), only or [], hears)


    @contextmanager
    def _on_disk(self) -> Iterator[Path]:
        """The graph's file: its own where it was not changed, else one beside it that lasts as long as it is needed."""
        if self._path is not None and self._edits is None:
            yield self._path
            return
        path = self._folder / f".{os.getpid()}-{uuid4().hex[:8]}.ron"
        arrays = [self._folder / name for name in self._arrays if not (self._folder / name).exists()]
        try:
            self.save(path)
            yield path
        finally:
            for file in [path, *arrays]:
                file.unlink(missing_ok=True)

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
        """Runs the graph for all combinations of seeds, sizes and parameters, and gives the numbers that are asked for, a row a run.

        `metrics` are nodes or outputs that give numbers, or their columns as `"score.mean"`. With `table` rows that the file has
        already are kept; `summary`, `plot`, `curves` and `sheet` are files as of `terrane sweep`. Nodes that are written in
        Python take no part.
        """
        with self._on_disk() as path:
            return run_sweep(
                path,
                metrics,
                seeds=seeds,
                vary=vary,
                sizes=[f"{width}x{height}" for width, height in sizes],
                set=self._overrides.get("set"),
                table=table,
                summary=summary,
                plot=plot,
                curves=curves,
                sheet=sheet,
                picture=picture,
                measure=measure,
                progress=progress,
                engine=engine,
            )


def load(path: str | os.PathLike[str]) -> Graph:
    """A graph from a file."""
    graph = Graph.__new__(Graph)
    file = Path(path).absolute()
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise usage(f"{path}: {error}", "give the path of a graph file") from None
    graph._begin(text, file.parent, file)
    graph.check()
    return graph


def _write(path: Path, content: bytes) -> None:
    """Writes a file whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise

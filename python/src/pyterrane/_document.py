"""The text of a graph, the files that it reads, and the overrides for runs."""

from __future__ import annotations

import os
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from . import _pyterrane
from ._errors import TerraneError
from ._foreign import generation
from ._keywords import keywords
from ._numbers import whole, whole_pair
from ._placing import Placing


class Document:
    """A graph's text, which is loaded again after each change. Copies and pickles contain it with the arrays that it reads."""

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
        self._placing: Placing | None = None
        self._lock = threading.RLock()
        self._lent: Counter[str] = Counter()

    def to_ron(self) -> str:
        """The graph's text. The text of a graph built in Python has the usual layout."""
        if self._path is not None or self._edits is None:
            return self._ron()
        return self._edits.formatted()

    def _ron(self) -> str:
        return self._text if self._edits is None else self._edits.text

    def __repr__(self) -> str:
        return self.to_ron()

    @keywords
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the text to a file, and the arrays that the graph reads next to it."""
        path = Path(path)
        for name, content in self._arrays.items():
            _write(path.parent / name, content)
        _write(path, self.to_ron().encode())

    def _edit(self, change: Callable[[_pyterrane.GraphText], None]) -> None:
        """Changes the text, and discards the loaded graph."""
        with self._lock:
            if self._edits is None:
                self._edits = _pyterrane.GraphText(self._text)
            change(self._edits)
            self._loaded = None

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {
                "text": self._ron(),
                "is_edited": self._edits is not None,
                "folder": self._folder,
                "path": self._path,
                "arrays": dict(self._arrays),
                "overrides": dict(self._overrides),
                "placing": self._placing,
            }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._begin(state["text"], state["folder"], state["path"])
        if state["is_edited"]:
            self._edits = _pyterrane.GraphText(self._text)
        self._arrays, self._overrides, self._placing = state["arrays"], state["overrides"], state.get("placing")
        for file, content in self._arrays.items():
            self._files.put(self._folder / file, content)

    def __copy__(self) -> Self:
        copy = type(self).__new__(type(self))
        copy.__setstate__(self.__getstate__())
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.__copy__()

    # Overrides for runs.

    def check(self) -> _pyterrane.Loaded:
        """Loads the text as the engine does; raises a `GraphError` if it has errors."""
        with self._lock:
            loaded, now = self._loaded, generation()
            if loaded is None or self._seen != now:
                path = self._shown_path()
                # A file keeps the content that was read, even if it changes later.
                self._files.put(path, self.to_ron().encode())
                with self._named():
                    loaded = _pyterrane.load(path, self._files, **self._overrides)
                self._loaded, self._seen = loaded, now
            return loaded

    def set(self, profile: str | None = None, /, **params: Any) -> Self:
        """Sets parameters that the graph declares, or all parameters of a profile, for later runs. Returns the graph."""
        changes: dict[str, Any] = {"set": dict(self._overrides.get("set") or {}) | params}
        if profile is not None:
            changes["profile"] = profile
        return self._override(changes)

    @keywords
    def at(self, *, seed: int | None = None, size: tuple[int, int] | None = None) -> Self:
        """Sets the seed, or the number of samples over the same part of the world, for later runs. Returns the graph."""
        changes: dict[str, Any] = {}
        if seed is not None:
            changes["seed"] = whole(seed, "seed")
        if size is not None:
            changes["size"] = whole_pair(size, "size")
        return self._override(changes)

    def _override(self, changes: dict[str, Any]) -> Self:
        """Changes the overrides for later runs; keeps the old ones if the graph has errors with the new ones."""
        with self._lock:
            before = self._overrides
            self._overrides, self._loaded = before | changes, None
            try:
                self.check()
            except Exception:
                self._overrides, self._loaded = before, None
                raise
        return self

    def _shown_path(self) -> Path:
        """The graph's file. A graph without a file has a name in its folder, which errors do not show."""
        return self._path or self._folder / "graph.py.ron"

    @contextmanager
    def _named(self, temporary: Path | None = None) -> Iterator[None]:
        """Names the graph in errors by its own file, or as the graph, instead of by a file that only the package knows."""
        path, own = temporary or self._shown_path(), self._path
        try:
            yield
        except TerraneError as error:
            if path != own:
                error.rename({str(path): str(own or "the graph"), path.name: own.name if own else "the graph"})
            raise

    @contextmanager
    def _on_disk(self) -> Iterator[Path]:
        """The graph's file. If the graph has been changed, a temporary file in the same folder."""
        if self._path is not None and self._edits is None and self._is_as_read(self._path):
            yield self._path
            return
        path = self._folder / f".{os.getpid()}-{uuid4().hex[:8]}.ron"
        with self._lock:
            arrays = {name for name in self._arrays if name in self._lent or not (self._folder / name).exists()}
            self._lent.update(arrays)
        try:
            self.save(path)
            with self._named(path):
                yield path
        finally:
            path.unlink(missing_ok=True)
            with self._lock:
                self._lent.subtract(arrays)
                for name in arrays:
                    if self._lent[name] <= 0:
                        (self._folder / name).unlink(missing_ok=True)
                        del self._lent[name]

    def _is_as_read(self, path: Path) -> bool:
        try:
            return path.read_bytes() == self._text.encode()
        except OSError:
            return False


def _write(path: Path, content: bytes) -> None:
    """Writes a file completely or not at all."""
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

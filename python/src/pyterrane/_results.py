"""The results of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ._errors import usage
from ._handles import Node, Output, Owner
from ._values import Value


class Results(Mapping[object, Value]):
    """The values of a run, by handle or name, in the order of the request."""

    def __init__(
        self,
        graph: Owner,
        names: list[str],
        values: list[Value],
        warnings: list[str],
        nodes: list[tuple[str, str, float]],
    ) -> None:
        self._graph = graph
        self._values = dict(zip(names, values, strict=True))
        self.warnings = warnings
        """The warnings of nodes."""
        self.nodes = nodes
        """For each node its name, its outcome (`ran`, `cached`) and its run time in seconds."""

    def __getitem__(self, wanted: object) -> Value:
        if isinstance(wanted, (Node, Output)):
            self._graph._own(wanted)
        try:
            return self._values[str(wanted)]
        except KeyError:
            raise usage(f"`{wanted}` was not requested", f"the requested outputs are: {', '.join(self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def value(self) -> Value:
        """The value, if exactly one was requested."""
        if len(self._values) != 1:
            raise usage(f"{len(self._values)} values were requested", "name one: results['node']")
        return next(iter(self._values.values()))

    def __repr__(self) -> str:
        return f"Results({self._values!r})"

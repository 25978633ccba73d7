"""Progress of runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Event = dict[str, Any]
Progress = bool | Callable[[Event], object] | None


@contextmanager
def hearer(progress: Progress) -> Iterator[Callable[[Event], object] | None]:
    """The receiver of events: the given function, a progress bar, or none."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield progress
    else:
        with _bar() as bar:
            yield bar


@contextmanager
def _bar() -> Iterator[Callable[[Event], object]]:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _lines
        return
    with tqdm(unit="node") as bar:

        def hear(event: Event) -> None:
            if event["event"] == "planned":
                bar.reset(total=event["nodes"])
            elif event["event"] == "started":
                bar.set_postfix_str(event["node"])
            elif event["event"] in ("finished", "cached", "failed", "skipped", "cancelled"):
                bar.update()

        yield hear


def _lines(event: Event) -> None:
    """Prints a line per node that ran, if tqdm is not installed."""
    if event["event"] == "finished":
        print(f"{event['node']}: {event['seconds']:.2f} s", file=sys.stderr)

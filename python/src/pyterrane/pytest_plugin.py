"""The fixture `terrane_snapshot` for pytest: values compared with snapshots beside the test."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from ._many import differs, test_value
from ._values import Value


def pytest_addoption(parser: pytest.Parser) -> None:
    help = "take what values are now as right"
    parser.getgroup("terrane").addoption("--terrane-accept", action="store_true", help=help)


@pytest.fixture
def terrane_snapshot(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`terrane_snapshot(value)` fails where a value is not that of its snapshot, a file of the format of `insta` in
    `snapshots/` beside the test; `--terrane-accept` takes what there is now as right. A test with several gives them names."""
    seen: set[str] = set()

    def check(value: Value, name: str | None = None) -> None:
        whole = re.sub(r"[^\w.-]+", "_", request.node.name) + ("" if name is None else f"-{name}")
        if whole in seen:
            raise ValueError(f"`{whole}` is compared twice: give each value a name")
        seen.add(whole)
        accept = bool(request.config.getoption("--terrane-accept"))
        snapshot = test_value(request.path, whole, value, accept)
        if snapshot.outcome not in ("passed", "accepted"):
            raise differs([snapshot])

    return check

"""The fixture `terrane_snapshot` for pytest: compares values with snapshots next to the test."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

import pytest

from ._many import differs, test_value
from ._values import Value


def pytest_addoption(parser: pytest.Parser) -> None:
    help = "accept the current values as snapshots"
    parser.getgroup("terrane").addoption("--terrane-accept", action="store_true", help=help)


def _file_name(test: str) -> str:
    """The file name of a test's snapshots: class and function. If characters must be replaced, a digest keeps the name unique."""
    own = test.partition("::")[2].replace("::", ".")
    plain = re.sub(r"[^\w.\[\]-]+", "_", own)
    if plain != own:
        plain += "-" + hashlib.blake2b(own.encode(), digest_size=4).hexdigest()
    return re.sub(r"[\[\]]", "_", plain).rstrip("_")


@pytest.fixture
def terrane_snapshot(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`terrane_snapshot(value)` fails if the value differs from its snapshot, a file in the format of `insta` in `snapshots/` next to the
    test. `--terrane-accept` accepts the current values. A test that compares several values gives each a name."""
    seen: set[str] = set()

    def check(value: Value, name: str | None = None) -> None:
        whole = _file_name(request.node.nodeid) + ("" if name is None else f"-{name}")
        if whole in seen:
            raise ValueError(f"`{whole}` is compared twice: give each value a name")
        seen.add(whole)
        accept = bool(request.config.getoption("--terrane-accept"))
        snapshot = test_value(request.path, whole, value, accept)
        if snapshot.outcome not in ("passed", "accepted"):
            raise differs([snapshot])

    return check

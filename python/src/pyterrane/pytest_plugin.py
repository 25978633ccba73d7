"""The fixture `terrane_snapshot` for pytest: values compared with snapshots beside the test."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

import pytest

from ._many import differs, test_value
from ._values import Value


def pytest_addoption(parser: pytest.Parser) -> None:
    help = "take what values are now as right"
    parser.getgroup("terrane").addoption("--terrane-accept", action="store_true", help=help)


def _file_name(test: str) -> str:
    """A name for a test's snapshots: that of class and function; where characters have to go, a digest keeps it apart from others."""
    own = test.partition("::")[2].replace("::", ".")
    plain = re.sub(r"[^\w.\[\]-]+", "_", own)
    if plain != own:
        plain += "-" + hashlib.blake2b(own.encode(), digest_size=4).hexdigest()
    return re.sub(r"[\[\]]", "_", plain).rstrip("_")


@pytest.fixture
def terrane_snapshot(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`terrane_snapshot(value)` fails where a value is not that of its snapshot, a file of the format of `insta` in
    `snapshots/` beside the test; `--terrane-accept` takes what there is now as right. A test with several gives them names."""
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

"""Messages for unknown names."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def unknown_node(name: str, known: Sequence[str], otherwise: str) -> str:
    """The message for an unknown node, with the most similar name. Names of nodes have capitals."""
    near = difflib.get_close_matches(name, [node for node in known if node[:1].isupper()], 1)
    return f"there is no node `{name}`: " + (f"did you mean `{near[0]}`?" if near else otherwise)


def nearest(name: str, known: Sequence[str], otherwise: str) -> str:
    """The help for an unknown name: the most similar one, or all of them."""
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean `{near[0]}`?" if near else f"{otherwise}: {', '.join(known)}"

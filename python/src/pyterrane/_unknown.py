"""Messages for unknown names."""

from __future__ import annotations

import difflib


def unknown_node(name: str, among: object, otherwise: str) -> str:
    """The message for an unknown node, with the most similar name."""
    known = [node for node in dir(among) if node[:1].isupper()]
    near = difflib.get_close_matches(name, known, 1)
    return f"there is no node `{name}`: " + (f"did you mean `{near[0]}`?" if near else otherwise)

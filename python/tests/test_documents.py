"""Tests that every Python block in the documents runs."""

import re

import pytest

from conftest import ROOT

DOCUMENTS = ["python/README.md", "book/src/python.md", "book/src/cluster.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_blocks_run(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if document.endswith("cluster.md"):
        pytest.importorskip("distributed")
        for name, text in re.findall(r"```ron\n// (\S+)\n(.*?)```", (ROOT / document).read_text(), re.S):
            (tmp_path / name).write_text(text)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / document).read_text(), re.S)
    assert blocks
    # The source of functions that become nodes must be in a file.
    file = tmp_path / "blocks.py"
    file.write_text("\n\n".join(blocks))
    exec(compile(file.read_text(), file, "exec"), {"__name__": "blocks"})

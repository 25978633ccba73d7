"""Measures how soon Ctrl-C returns control, and how soon the running node then stops, for the example on every node's page.

`cargo xtask python --interrupt` prints a table at 4096 x 4096 samples. Nodes that finish before they are stopped are omitted.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SIZE = int(os.environ.get("SIDE", "4096"))
# Seconds that a node runs before it is stopped, and seconds until a page's node must have started.
WORKS, PATIENCE = 0.3, 240.0


def one(page: Path) -> None:
    """Stops the node of one page, and prints the two times."""
    import pyterrane as tr

    found = re.search(r"```ron\n(.*?)```", page.read_text(), re.S)
    if found is None or not found[1].lstrip().startswith("Graph"):
        return
    engine = tr.Engine(threads=1, cache=False, keep_in_memory="0")
    graph = tr.Graph.from_ron(found[1], folder=ROOT / "graphs").at(size=(SIZE, SIZE))
    kinds = {node.name: node.kind for node in graph.nodes}
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def hear(event: dict[str, str]) -> None:
        if event["event"] == "started" and kinds[event["node"]] == page.stem:
            timer = threading.Timer(WORKS, interrupt)
            timer.daemon = True
            timer.start()
        elif event["event"] == "finished" and kinds[event["node"]] == page.stem and not sent:
            # The node finished before it could be stopped.
            os._exit(0)

    try:
        graph.run(engine=engine, progress=hear)
    except KeyboardInterrupt:
        back = time.monotonic() - sent[0]
        small = tr.Graph(size=(2, 2))
        small.run(small.Constant(), engine=engine)
        print(f"{page.stem} {back:.3f} {time.monotonic() - sent[0]:.3f}", flush=True)
    os._exit(0)


def main() -> int:
    pages = sorted((ROOT / "nodes-docs").glob("[A-Z]*.md"))
    print(f"| node at {SIZE} x {SIZE} | control returns after, s | the node stops after, s |\n|---|---|---|", flush=True)
    slow = []
    for page in pages:
        command = [sys.executable, __file__, str(page)]
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            print(f"| {page.stem} | its node does not run within {PATIENCE:.0f} s | |", flush=True)
            continue
        for line in ran.stdout.splitlines():
            name, back, stops = line.split()
            print(f"| {name} | {back} | {stops} |", flush=True)
            if float(back) > 0.2:
                slow.append(name)
    print(f"\nControl returns late: {', '.join(slow)}" if slow else "\nControl returns within 0.2 s for every node.")
    return 1 if slow else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        one(Path(sys.argv[1]))
    else:
        sys.exit(main())

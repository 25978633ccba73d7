"""Compares a cluster with shares: 1,000 blocks on two workers, and in two processes of the command."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

from pyterrane.distributed import run_world
from worlds import TERRANE, check, cluster, digests, write_world

ASKED = 0.9
COLUMNS, ROWS, BLOCK = 40, 25, 8


def main() -> None:
    from distributed import Client

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world = write_world(folder, side=65, iterations=20)
        patches = COLUMNS * BLOCK * ROWS * BLOCK
        rates: dict[str, list[float]] = {"shares": [], "cluster": []}
        for turn in range(3):
            to = folder / f"shares{turn}.zarr"
            asked = [TERRANE, "run", world, "--patches", f"0..{COLUMNS * BLOCK},0..{ROWS * BLOCK}", "--no-cache", "--threads", "1"]
            started = time.monotonic()
            running = [
                subprocess.Popen([*map(str, asked), "-o", str(to), "--share", f"{share}/2"], stderr=subprocess.DEVNULL)
                for share in (1, 2)
            ]
            done = [process.wait() for process in running]
            rates["shares"].append(patches / (time.monotonic() - started))
            check("two shares", done == [0, 0])
            with cluster(2) as own, Client(own) as client:
                client.wait_for_workers(2)
                other = folder / f"cluster{turn}.zarr"
                started = time.monotonic()
                made = run_world(world, (0, COLUMNS * BLOCK, 0, ROWS * BLOCK), other, client)
                rates["cluster"].append(patches / (time.monotonic() - started))
            check("1,000 blocks", made.made == COLUMNS * ROWS)
            if turn == 0:
                check("the bytes are the same", digests(to) == digests(other))
        best = {way: max(each) for way, each in rates.items()}
        for way, each in rates.items():
            print(f"    {way}: {', '.join(f'{rate:.0f}' for rate in each)} patches/s")
        ratio = best["cluster"] / best["shares"]
        check(f"at least {ASKED} of the rate of shares", ratio >= ASKED, f"({ratio:.3f})")


if __name__ == "__main__":
    main()

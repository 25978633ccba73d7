"""Kills workers and clients while a cluster of three processes makes a world, and compares the bytes with those of one process."""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path

import pyterrane as tr
from pyterrane.distributed import run_world
from worlds import check, cluster, command, digests, end, made, observer, start_client, until, write_world

PATCHES, BLOCK, BLOCKS = "0,32,0,32", 2, 256


def main() -> None:
    from distributed import Client

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world = write_world(folder, iterations=60)
        command("run", world, "--patches", "0..32,0..32", "--block", str(BLOCK), "--no-cache", "-o", folder / "whole.zarr")
        whole = digests(folder / "whole.zarr")
        with cluster() as own, Client(own) as client:
            killed_workers(folder, world, client, whole)
            killed_clients(folder, world, client, whole)
            two_clients(folder, world, client, whole)
            client.unregister_worker_plugin("observer")
            poisoned(folder, world, client, whole)
            mistakes(folder, world, client)


def killed_workers(folder: Path, world: Path, client: object, whole: dict[str, str]) -> None:
    """Kills workers at random times while blocks run."""
    chance, log, to = random.Random(7), folder / "workers.log", folder / "workers.zarr"
    client.register_plugin(observer(log))
    process = start_client(client.scheduler.address, world, PATCHES, to, BLOCK)
    for kill in range(6):
        before = sum(made(log).values())
        until(lambda: sum(made(log).values()) >= before + 12 or process.poll() is not None)
        time.sleep(chance.random() * 0.1)
        found = client.run(os.getpid)
        end(chance.choice(sorted(found.values())))
        until(lambda: len(client.scheduler_info(n_workers=-1)["workers"]) == 3)
    out, error = process.communicate(timeout=300)
    check("a client finishes although workers are killed", process.returncode == 0, error[-2000:])
    check("six killed workers: bytes as of one process", digests(to) == whole)
    times = made(log)
    check("every block was made", len(times) >= BLOCKS - 6, f"({len(times)} of {BLOCKS} heard of)")
    print(f"    {sum(times.values()) - len(times)} blocks were made twice; {out.strip()}")


def killed_clients(folder: Path, world: Path, client: object, whole: dict[str, str]) -> None:
    """Kills clients until one finishes."""
    log, to = folder / "clients.log", folder / "clients.zarr"
    client.register_plugin(observer(log))
    for kill in range(3):
        before = sum(made(log).values())
        process = start_client(client.scheduler.address, world, PATCHES, to, BLOCK)
        until(lambda: sum(made(log).values()) >= before + 30)
        end(process.pid)
        process.wait()
    # The scheduler drops the tasks of a lost client. Running tasks finish.
    time.sleep(2.0)
    there = len(list((to / "terrane/blocks").glob("*.json")))
    process = start_client(client.scheduler.address, world, PATCHES, to, BLOCK)
    out, error = process.communicate(timeout=300)
    check("three clients are killed, and one finishes", process.returncode == 0, error[-2000:])
    check("it makes the blocks that the store lacks", f"made={BLOCKS - there}, there={there}" in out, out.strip())
    check("bytes as of one process", digests(to) == whole)
    times = made(log)
    print(f"    {sum(times.values()) - len(times)} blocks were made twice")


def two_clients(folder: Path, world: Path, client: object, whole: dict[str, str]) -> None:
    """Two clients and a process of the command write into one store."""
    log, to = folder / "two.log", folder / "two.zarr"
    client.register_plugin(observer(log))
    with cluster(1) as other:
        first = start_client(client.scheduler.address, world, PATCHES, to, BLOCK)
        second = start_client(other.scheduler_address, world, PATCHES, to, BLOCK)
        command("run", world, "--patches", "0..32,0..32", "--block", str(BLOCK), "--no-cache", "--threads", "1", "-o", to)
        said = [process.communicate(timeout=300) for process in (first, second)]
    check("two clients of two clusters and the command at once", first.returncode == second.returncode == 0, said)
    check("bytes as of one process", digests(to) == whole)


def poisoned(folder: Path, world: Path, client: object, whole: dict[str, str]) -> None:
    """A block ends every worker that makes it."""
    to = folder / "poisoned.zarr"
    client.register_plugin(observer(folder / "poisoned.log", poisoned=(5, 3)))
    try:
        run_world(world, (0, 32, 0, 32), to, client, block=BLOCK)
        check("a poisoned block is an error", False)
    except tr.EvaluationError as error:
        check("a poisoned block is named", "block 5,3: every worker that tried to make it ended" in str(error), f"\n    {error}")
        check("and no other", len(error.problems) == 1)
    there = {path.stem for path in (to / "terrane/blocks").glob("*.json")}
    check("all others are there", len(there) == BLOCKS - 1 and "5_3" not in there)
    client.unregister_worker_plugin("observer")
    client.restart()
    made = run_world(world, (0, 32, 0, 32), to, client, block=BLOCK)
    check("without the poison the rest is made", (made.made, made.there) == (1, BLOCKS - 1) and digests(to) == whole)
    check("all of it is as written", tr.verify(to) == made.digest)


def mistakes(folder: Path, world: Path, client: object) -> None:
    """Mistakes are reported before any worker starts."""
    other = write_world(folder, iterations=61, name="other")
    for what, said, call in [
        ("another world", "holds another world", lambda: run_world(other, (0, 32, 0, 32), folder / "two.zarr", client, block=BLOCK)),
        ("no such world", "nowhere.ron", lambda: run_world("nowhere.ron", (0, 2, 0, 2), folder / "x.zarr", client)),
        ("no store", "is no store", lambda: run_world(world, (0, 2, 0, 2), folder / "x", client)),
        ("no patches", "no range of patches", lambda: run_world(world, (2, 2, 0, 2), folder / "x.zarr", client)),
    ]:
        try:
            call()
            check(what, False)
        except tr.TerraneError as error:
            check(f"{what} is an error", said in str(error).replace("\n", " "))
    check("and nothing was written", not (folder / "x.zarr").exists())


if __name__ == "__main__":
    main()

"""Worlds, stores and clusters that the checks in this folder share."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

BEGUN = time.monotonic()

TERRANE = os.environ.get("TERRANE", "terrane")

PATCH = """Graph(size: ({side}, {side}), spacing: 30.0, seed: 3, nodes: {{
    "hills": Perlin(wavelength: 900.0, octaves: 6, amplitude: 400.0),
    "worn": ThermalErosion(height: "hills", talus: 0.6, iterations: {iterations}),
    "shade": Hillshade(height: "worn"),
}}, outputs: {{ "worn.tif": "worn", "shade.tif": "shade" }})
"""


def write_world(folder: Path, side: int = 33, iterations: int = 20, name: str = "world") -> Path:
    """Writes a world of eroded hills."""
    (folder / f"{name}_patch.ron").write_text(PATCH.format(side=side, iterations=iterations))
    world = folder / f"{name}.ron"
    world.write_text(f'World(patch: "{name}_patch.ron")\n')
    return world


def command(*arguments: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:
    """Runs the command to completion."""
    words = [TERRANE, *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
    return done


def digests(store: Path) -> dict[str, str]:
    """The digest of every object of a store in a folder, except temporary files of killed processes."""
    files = [path for path in sorted(store.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    return {str(path.relative_to(store)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def check(what: str, holds: bool, more: object = "") -> None:
    """Prints whether a condition holds, and exits if it does not."""
    print(f"{time.monotonic() - BEGUN:5.1f} s, {'ok' if holds else 'FAILED'}: {what} {more}".rstrip(), flush=True)
    if not holds:
        raise SystemExit(1)


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Waits until a condition holds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise SystemExit("it took too long")
        time.sleep(0.01)


@contextmanager
def cluster(workers: int = 3) -> Iterator[Any]:
    """A cluster of processes on this machine, with one thread each."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as own:
        yield own


def observer(log: Path, poisoned: tuple[int, int] | None = None) -> Any:
    """A worker plugin that logs each block that is made, and can make one block kill its worker."""
    from distributed import WorkerPlugin

    class Observer(WorkerPlugin):
        name = "observer"

        def __init__(self, log: str, poisoned: tuple[int, int] | None) -> None:
            self.log, self.poisoned = log, poisoned

        def setup(self, worker: Any) -> None:
            import os
            import signal

            from pyterrane import _dask_worker

            own = getattr(_dask_worker, "_own_make", _dask_worker.make_block)
            _dask_worker._own_make = own  # type: ignore[attr-defined]

            def make(task: Any, block: tuple[int, int]) -> Any:
                if block == self.poisoned:
                    os.kill(os.getpid(), signal.SIGKILL)
                made = own(task, block)
                line = f"{block[0]},{block[1]} {'there' if made[1] else 'made'}\n"
                file = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
                os.write(file, line.encode())
                os.close(file)
                return made

            _dask_worker.make_block = make

    return Observer(str(log), poisoned)


def made(log: Path) -> Counter[str]:
    """How many times each block was made."""
    lines = log.read_text().splitlines() if log.exists() else []
    return Counter(line.split()[0] for line in lines if line.endswith(" made"))


CLIENT = """
import sys
from distributed import Client
from pyterrane.distributed import run_world
if __name__ == "__main__":
    address, world, patches, to, block = sys.argv[1:]
    with Client(address) as client:
        print(run_world(world, tuple(map(int, patches.split(","))), to, client, block=int(block)), flush=True)
"""


def start_client(address: str, world: Path, patches: str, to: str | Path, block: int) -> subprocess.Popen[str]:
    """Starts a client in a separate process."""
    words = [sys.executable, "-c", CLIENT, address, str(world), patches, str(to), str(block)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def end(process: int) -> None:
    """Kills a process without a signal that it could handle."""
    os.kill(process, signal.SIGKILL)

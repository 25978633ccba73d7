"""Worlds in stores, and on clusters where Dask is installed."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from pathlib import Path

import pytest

import pyterrane as tr
from pyterrane import _pyterrane
from pyterrane.distributed import run_world

PATCH = """Graph(size: (17, 17), spacing: 30.0, seed: 5, params: { "talus": 0.6 }, nodes: {
    "hills": Perlin(wavelength: 400.0, octaves: 5, amplitude: 200.0),
    "worn": ThermalErosion(height: "hills", talus: "$talus", iterations: 4),
}, outputs: { "worn.tif": "worn", "hills.npy": "hills" })"""


@pytest.fixture
def world(tmp_path: Path) -> tr.World:
    (tmp_path / "patch.ron").write_text(PATCH)
    (tmp_path / "world.ron").write_text('World(patch: "patch.ron")')
    return tr.World(tmp_path / "world.ron")


def objects(store: Path) -> dict[str, bytes]:
    return {str(path.relative_to(store)): path.read_bytes() for path in store.rglob("*") if path.is_file()}


def test_a_store_is_filled_by_shares(world: tr.World, tmp_path: Path) -> None:
    patches = (range(-3, 4), range(5))
    heard: list[dict[str, object]] = []
    assert world.write(patches, tmp_path / "whole.zarr", block=2, progress=heard.append) == []
    assert heard[0] == {"event": "planned", "nodes": 12}
    assert sorted(event["node"] for event in heard[1:])[0] == "0,0"
    for share in [(2, 3), (1, 3), (3, 3), (1, 2)]:
        world.write(patches, tmp_path / "shares.zarr", block=2, share=share)
    assert objects(tmp_path / "shares.zarr") == objects(tmp_path / "whole.zarr")
    assert tr.verify(tmp_path / "shares.zarr") == tr.verify(str(tmp_path / "whole.zarr"))


def test_blocks_are_made_one_by_one(world: tr.World, tmp_path: Path) -> None:
    engine = tr.Engine(threads=2, cache=False)
    part = _pyterrane.WorldPart(world.path, ((0, 0), (3, 3)))
    store = _pyterrane.WorldStore(engine, part, str(tmp_path / "s.zarr"), block=2)
    assert store.blocks == (2, 2) and store.notes == []
    keys = {store.key_of((i, j)) for i in range(2) for j in range(2)}
    assert len(keys) == 4
    digest, was_there, ran, warnings = store.make((1, 0), threads=2)
    assert len(digest) == 32 and not was_there and ran > 8
    assert all("nothing slides" in warning for warning in warnings)
    assert store.make((1, 0))[:3] == (digest, True, 0)
    for wrong in [(2, 0), (0, -1)]:
        with pytest.raises(tr.UsageError, match="blocks are from 0,0 to 1,1"):
            store.make(wrong)
    with pytest.raises(tr.EvaluationError, match=r"3 of 4 blocks are missing: \(0, 0\)"):
        tr.verify(tmp_path / "s.zarr")


def test_mistakes_are_errors(world: tr.World, tmp_path: Path) -> None:
    for arguments, said in [
        ({"block": 2}, "only for|is of stores"),
        ({"folder": "x.zarr", "mosaic": True}, "joins files"),
        ({"folder": "x.zarr", "block": 0}, "cannot have 0 patches"),
        ({"folder": "x.zarr", "only": ["sea.tif"]}, "sea.tif"),
        ({"folder": "x.zarr", "share": (0, 4)}, r"share=\(1, 4\) for the first"),
    ]:
        folder = tmp_path / str(arguments.pop("folder", "files"))
        with pytest.raises(tr.UsageError, match=said):
            world.write((range(4), range(4)), folder, **arguments)  # type: ignore[arg-type]
    with pytest.raises(tr.UsageError, match="is not a store"):
        tr.verify(tmp_path)
    for patches in [range(2), (0, 2, 0, 2), 3]:
        with pytest.raises(tr.UsageError, match="does not describe patches"):
            world.write(patches, tmp_path / "x.zarr")  # type: ignore[arg-type]
    assert repr(world).startswith("World('") and not (tmp_path / "x.zarr").exists()
    world.write((range(4), range(4)), tmp_path / "own.zarr")
    with pytest.raises(tr.UsageError, match="holds another world"):
        world.write((range(4), range(4)), tmp_path / "own.zarr", set={"talus": 0.5})


def test_without_dask_it_says_what_to_install(world: tr.World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(tr.UsageError, match=r"pip install \"pyterrane\[dask\]\""):
        run_world(world, (0, 2, 0, 2), tmp_path / "s.zarr", None)  # type: ignore[arg-type]
    assert not (tmp_path / "s.zarr").exists()


def test_on_a_cluster(world: tr.World, tmp_path: Path) -> None:
    dask = pytest.importorskip("distributed")
    world.write((range(6), range(6)), tmp_path / "whole.zarr", block=2)
    heard: list[tuple[int, int]] = []
    with dask.LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None) as cluster:
        with dask.Client(cluster) as client:
            made = run_world(
                world, (0, 6, 0, 6), tmp_path / "s.zarr", client, block=2, set={"talus": 0.6}, progress=lambda done, all, _: heard.append((done, all))
            )
            assert (made.made, made.there, made.alone) == (9, 0, 0)
            assert heard == [(done, 9) for done in range(1, 10)]
            assert objects(tmp_path / "s.zarr") == objects(tmp_path / "whole.zarr")
            assert tr.verify(tmp_path / "s.zarr") == made.digest
            # Another store of the same world is not confused with this one, even while the scheduler knows its tasks.
            other = run_world(world, (range(6), range(6)), tmp_path / "t.zarr", client, block=2)
            assert other.digest == made.digest and objects(tmp_path / "t.zarr") == objects(tmp_path / "whole.zarr")
            # An object that cannot be replaced: its block is named, and the others are in the store.
            broken = tmp_path / "t.zarr/0/worn/c/1/2"
            broken.unlink()
            broken.mkdir()
            with pytest.raises(tr.EvaluationError, match="1 of 9 block is not made") as wrong:
                run_world(world, (0, 6, 0, 6), tmp_path / "t.zarr", client, block=2, retries=0)
            assert wrong.value.problems[0]["message"].startswith("block 2,1: ")
            again = pickle.loads(pickle.dumps(wrong.value))
            assert again.problems == wrong.value.problems
            broken.rmdir()
            (tmp_path / "t.zarr/terrane/blocks/0_0.json").write_text("{")
            mended = run_world(world, (0, 6, 0, 6), tmp_path / "t.zarr", client, block=2)
            assert (mended.made, mended.there, mended.digest) == (2, 7, made.digest)
            # As in a notebook: the graph is changed, the store is removed, and the call is repeated.
            shutil.rmtree(tmp_path / "t.zarr")
            (tmp_path / "patch.ron").write_text(PATCH.replace("seed: 5", "seed: 6"))
            changed = run_world(world, (0, 6, 0, 6), tmp_path / "t.zarr", client, block=2)
            assert changed.made == 9 and changed.digest != made.digest
            assert tr.verify(tmp_path / "t.zarr") == changed.digest
            (tmp_path / "patch.ron").write_text(PATCH)
            # Another call may need tasks that a call leaves behind when it is stopped.
            def ended(done: int, all: int, block: tuple[int, int]) -> None:
                raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                run_world(world, (0, 6, 0, 6), tmp_path / "u.zarr", client, block=2, progress=ended)
            assert run_world(world, (0, 6, 0, 6), tmp_path / "u.zarr", client, block=2).digest == made.digest
            for wrong_one, said in [
                ({"retries": -1}, "retries=-1"),
                ({"level": 99}, "level=99"),
                ({"block": 1.5}, "block=1.5"),
                ({"progress": 3}, "cannot be called"),
                ({"client": None}, "not a client"),
                ({"seed": "x"}, "seed='x'"),
            ]:
                keywords = {"client": client, **wrong_one}
                with pytest.raises(tr.UsageError, match=said):
                    run_world(world, (0, 6, 0, 6), tmp_path / "v.zarr", **keywords)  # type: ignore[arg-type]
            assert not (tmp_path / "v.zarr").exists()
            # Values that do not describe patches.
            for patches, said in [((0, 6), "does not describe patches"), ((range(0), range(3)), "not a range"), ((0, 6, 0), "does not describe patches"), (range(4), "does not describe patches"), (5, "does not describe patches")]:
                with pytest.raises(tr.UsageError, match=said):
                    run_world(world, patches, tmp_path / "t.zarr", client)  # type: ignore[arg-type]


@pytest.mark.skipif(not os.environ.get("TERRANE"), reason="the command is not there")
def test_the_command_continues_where_python_stopped(world: tr.World, tmp_path: Path) -> None:
    import subprocess

    world.write((range(4), range(4)), tmp_path / "s.zarr", block=2, share=(1, 2))
    words = [os.environ["TERRANE"], "run", str(world.path), "--patches", "0..4,0..4", "--block", "2", "-o", str(tmp_path / "s.zarr")]
    done = subprocess.run(words, capture_output=True, text=True)
    if "was built without Zarr stores" in done.stderr:
        pytest.skip("this command has no stores")
    assert done.returncode == 0 and "2 blocks made, 2 already there" in done.stderr, done.stderr
    shutil.rmtree(tmp_path / "s.zarr")

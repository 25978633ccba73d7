"""Writes a world into an S3 bucket through a proxy that drops connections and delays answers."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import threading
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

import pyterrane as tr
from pyterrane.distributed import run_world
from worlds import check, cluster, command, digests, end, made, observer, start_client, until, write_world

BLOCK, BLOCKS = 4, 64


class Unreliable:
    """A proxy between a program and a server that drops connections during requests and answers, and delays answers."""

    def __init__(self, to: int, share: float) -> None:
        self.to, self.share, self.chance = to, share, random.Random(11)
        self.dropped = self.late = 0
        self.loop = asyncio.new_event_loop()
        self.port = 0
        started = threading.Event()
        threading.Thread(target=self._serve, args=(started,), daemon=True).start()
        started.wait()

    def _serve(self, started: threading.Event) -> None:
        async def begin() -> None:
            server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await server.serve_forever()

        self.loop.run_until_complete(begin())

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.to)
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        except (ConnectionError, OSError):
            pass
        finally:
            writer.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            turn = self.chance.random()
            if turn < self.share:
                self.dropped += 1
                # Part of the data arrives.
                writer.write(data[: self.chance.randrange(len(data))])
                writer.transport.abort()
                raise ConnectionResetError
            if turn < 2 * self.share:
                self.late += 1
                await asyncio.sleep(self.chance.random() * 1.5)
            writer.write(data)
            await writer.drain()
        writer.close()


def objects(s3: object, bucket: str, name: str) -> dict[str, bytes]:
    """All objects of a store in a bucket."""
    found = {}
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=f"{name}/"):
        for entry in page.get("Contents", []):
            body = s3.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read()
            found[entry["Key"].removeprefix(f"{name}/")] = body
    return found


def main() -> None:
    from distributed import Client

    server = ThreadedMotoServer(port=0)
    server.start()
    _host, port = server.get_host_and_port()
    proxy = Unreliable(port, 0.04)
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
        "AWS_ENDPOINT": f"http://127.0.0.1:{proxy.port}",
    }
    s3 = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}", region_name="us-east-1")
    s3.create_bucket(Bucket="worlds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world = write_world(folder, iterations=30)
        asked = ["run", world, "--patches", "0..32,0..32", "--block", str(BLOCK), "--no-cache", "-o"]
        command(*asked, folder / "whole.zarr")
        whole = {file: (folder / "whole.zarr" / file).read_bytes() for file in digests(folder / "whole.zarr")}

        command(*asked, "s3://worlds/one.zarr")
        check("one process: bytes as in a folder", objects(s3, "worlds", "one.zarr") == whole)
        again = command(*asked, "s3://worlds/one.zarr").stderr
        check("again: nothing is made", f"0 blocks made, {BLOCKS} already there" in again)
        command("world", "verify", "s3://worlds/one.zarr")
        check("terrane world verify reads it", True)

        key = "one.zarr/0/worn/c/1/1"
        body = s3.get_object(Bucket="worlds", Key=key)["Body"].read()
        s3.put_object(Bucket="worlds", Key=key, Body=body[:-3] + b"abc")
        again = command(*asked, "s3://worlds/one.zarr").stderr
        check("a damaged object is made again", f"1 block made, {BLOCKS - 1} already there" in again)
        check("bytes as before", objects(s3, "worlds", "one.zarr") == whole)

        with cluster() as own, Client(own) as client:
            log = folder / "bucket.log"
            client.register_plugin(observer(log))
            process = start_client(own.scheduler_address, world, "0,32,0,32", "s3://worlds/many.zarr", BLOCK)
            until(lambda: sum(made(log).values()) >= 8)
            end(sorted(client.run(os.getpid).values())[0])
            until(lambda: sum(made(log).values()) >= 20)
            end(process.pid)
            process.wait()
            result = run_world(world, (0, 32, 0, 32), "s3://worlds/many.zarr", client, block=BLOCK)
            check("a cluster, with a worker and a client killed: bytes as in a folder", objects(s3, "worlds", "many.zarr") == whole)
            check("all of it is as written", tr.verify("s3://worlds/many.zarr") == result.digest)
        check("two shares at once", shares(asked))
        check("bytes as in a folder", objects(s3, "worlds", "shares.zarr") == whole)

        for what, to, change in [
            ("no such bucket", "s3://nowhere/w.zarr", {}),
            ("no name", "s3://worlds", {}),
        ]:
            done = try_command(*asked, to, change=change)
            check(f"{what} is an error", done.returncode != 0 and to in done.stderr.replace("\n", ""), done.stderr[-600:])
    print(f"    {proxy.dropped} connections dropped, {proxy.late} answers delayed")
    check("connections were dropped", proxy.dropped > 20)
    server.stop()


def shares(asked: list[object]) -> bool:
    """Runs two shares in separate processes, and one of them twice."""
    import subprocess

    from worlds import TERRANE

    words = [TERRANE, *map(str, asked), "s3://worlds/shares.zarr", "--share"]
    running = [subprocess.Popen([*words, share], stderr=subprocess.DEVNULL) for share in ("1/2", "2/2", "2/2")]
    return all(process.wait() == 0 for process in running)


def try_command(*arguments: object, change: dict[str, str]) -> object:
    import subprocess

    from worlds import TERRANE

    return subprocess.run([TERRANE, *map(str, arguments)], capture_output=True, text=True, env={**os.environ, **change})


if __name__ == "__main__":
    main()

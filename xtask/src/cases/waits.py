"""Pipes, sockets, devices, folders and files that cannot be read, at each file that a command reads or writes.

No command waits: all of them end within seconds. Each failure names the file, and what lies in the way stays there.
"""

import os
import socket
import stat

from frame import case, demand

NODES = '"h": Perlin(wavelength: 4.0), "p": Hillshade(height: "h"), "s": Statistics(height: "h")'
OUTPUTS = '"h.png": "h", "s.csv": "s"'
SHARE = ("run", "w.ron", "--patches", "0..2,0..1", "--share", "1/1")
SECONDS = 30


def made(at):
    at.graph(NODES, OUTPUTS, size="(9, 9)")
    at.write("w.ron", 'World(patch: "g.ron")')


def pipe(path):
    os.mkfifo(path)


def listener(path):
    """A socket on disk; its path is given from its own folder, because a path to a socket has at most 108 letters."""
    with socket.socket(socket.AF_UNIX) as made_socket:
        folder = os.open(path.parent, os.O_RDONLY)
        made_socket.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def folder_of_that_name(path):
    path.mkdir()


def stopped(at, place, *command, ways=(pipe, listener, folder_of_that_name), fails=True, stays=True):
    """The command ends although another kind of file lies at a place, which stays; it names the place unless it need not."""
    for way in ways:
        path = at / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            path.unlink()
        way(path)
        kind = stat.S_IFMT(path.lstat().st_mode)
        run = at.terrane(*command, timeout=SECONDS)
        what = f"{way.__name__} at {place}, `{' '.join(map(str, command))}`"
        demand("panicked" not in run.said and run.code in (0, 1, 2), f"{what}: ends with {run.code}: {run.said[:300]}")
        if fails:
            demand(run.code != 0 and "help: " in run.said, f"{what}: ends with {run.code}: {run.said[:300]}")
            demand(path.name in run.said, f"{what}: does not name it: {run.said[:300]}")
        if fails:
            demand(path.exists(), f"{what}: it was removed")
        if path.exists():
            demand(not stays or stat.S_IFMT(path.lstat().st_mode) == kind, f"{what}: it was replaced")
            path.rmdir() if path.is_dir() else path.unlink()


@case("waits")
def files_that_a_graph_reads(at):
    """A raster, points, lines, a drawing, colours and a graph in a graph that are a pipe, a socket or a folder."""
    for node in ('Import(file: "x.tif")', 'Import(file: "x.raw")', 'Points(file: "x.csv")', 'PathGraph(file: "x.geojson")',
                 'PlanarGraph(file: "x.svg")', 'Gradient(file: "x.png")', 'Subgraph(file: "x.ron")'):
        at.graph(f'"i": {node}, {NODES}', OUTPUTS, size="(9, 9)")
        for command in ("check", "run", "explain"):
            stopped(at, node.split('"')[1], command, "g.ron")


@case("waits")
def files_beside_a_raster(at):
    """The sidecar, the companion of GDAL, the mask, the world file and the projection of a raster."""
    at.write("dem.raw", bytes(324))
    at.graph(f'"i": Import(file: "dem.raw"), {NODES}', '"i.npy": "i"', size="(9, 9)")
    for name in ("dem.raw.json", "dem.raw.aux.xml", "dem.raw.msk", "dem.rww", "dem.raww", "dem.prj"):
        stopped(at, name, "check", "g.ron", fails=False)
        stopped(at, name, "run", "g.ron", "--no-cache", ways=(pipe, listener))


@case("waits")
def graphs_worlds_and_values(at):
    """The graph itself, the graph of a world, its lines, and the values of `--set`, for each command that loads."""
    made(at)
    for command in (("check",), ("run",), ("fmt",), ("explain",), ("graph",), ("test",), ("eval", "h", "-o", "x.npy"),
                    ("sweep", "--metric", "h.mean", "-o", "t.csv")):
        stopped(at, "x.ron", command[0], "x.ron", *command[1:])
    stopped(at, "v.ron", "run", "g.ron", "--set", "@v.ron")
    at.write("y.ron", 'World(patch: "x.ron", file: "x.geojson")')
    stopped(at, "x.ron", "check", "y.ron")
    at.write("x.ron", (at / "g.ron").read_bytes())
    stopped(at, "x.geojson", "check", "y.ron")


@case("waits")
def devices(at):
    """Devices without an end as graph, values, raster and lines, by the user and through a link of a stranger."""
    made(at)
    (at / "zero").symlink_to("/dev/zero")
    (at / "zero.ron").symlink_to("/dev/zero")
    (at / "tty.ron").symlink_to("/dev/tty")
    for name in ("zero.ron", "tty.ron"):
        for command in (("check", name), ("fmt", name), ("run", "g.ron", "--set", f"@{name}"), ("run", name)):
            at.terrane(*command, timeout=SECONDS).demand_refusal("not a regular file")
    for node in ('Import(file: "zero")', 'PathGraph(file: "zero")', 'Points(file: "/dev/zero")', 'Subgraph(file: "zero")'):
        at.graph(f'"i": {node}, {NODES}', OUTPUTS, name="d.ron")
        for more in ((), ("--allow-outside",)):
            at.terrane("run", "d.ron", *more, timeout=SECONDS).demand_refusal()


@case("waits")
def outputs_and_what_lies_beside_them(at):
    """Outputs, a sidecar and the manifest of a run that are something else than files."""
    made(at)
    for place in ("out/h.png", "out/h.png.json", "out/s.csv", "out/manifest.json"):
        stopped(at, place, "run", "g.ron")
    stopped(at, "out/manifest.json.lock", "run", "g.ron", fails=False)
    at.terrane("run", "g.ron").demand_success(quiet=False)


@case("waits")
def folders_that_are_something_else(at):
    """`out`, a folder in it, the folder of a patch and of a level that are a pipe, a socket or a file."""
    made(at)
    other = (pipe, listener, lambda path: path.write_bytes(b"mine"))
    for way in other:
        for place, command in (("o1", ("run", "g.ron", "-o", "o1")), ("o2/0_0", ("run", "w.ron", "--patch", "0,0", "-o", "o2")),
                               ("o3/level_1", ("run", "w.ron", "--patch", "0,0", "--level", "1", "-o", "o3")),
                               ("snapshots", ("test", "g.ron", "--accept"))):
            path = at / place
            path.parent.mkdir(exist_ok=True)
            way(path)
            run = at.terrane(*command, timeout=SECONDS)
            run.demand_refusal(path.name)
            demand(not path.is_dir(), f"{place} was replaced")
            path.unlink()


@case("waits")
def files_that_the_user_names(at):
    """`eval -o`, `sweep -o` with summary, chart and sheet, and `new`, at something else than a file."""
    made(at)
    stopped(at, "e.png", "eval", "g.ron", "h", "-o", "e.png")
    stopped(at, "e.png.json", "eval", "g.ron", "h", "-o", "e.png")
    sweep = ("sweep", "g.ron", "--seeds", "0..2", "--metric", "h.mean")
    stopped(at, "t.csv", *sweep, "-o", "t.csv")
    for option, name in (("--summary", "s.md"), ("--plot", "p.svg"), ("--sheet", "i.png"), ("--sheet", "i.gif")):
        more = ("--picture", "p") if option == "--sheet" else ()
        stopped(at, name, *sweep, "-o", "u.csv", option, name, *more)
    stopped(at, "n.ron", "new", "n")
    for name in ("/dev/full", "/dev/null", "/dev/zero"):
        for command in (("eval", "g.ron", "s", "-o", name), (*sweep, "-o", name)):
            demand(at.terrane(*command, timeout=SECONDS).code != 0, f"writes to {name}")


@case("waits")
def records_of_shares_and_worlds(at):
    """Records of shares and of the world, files of patches and lists, under `run --share`, `world verify` and `world vrt`."""
    at.graph(NODES, '"h.tif": "h"', size="(9, 9)")
    at.write("w.ron", 'World(patch: "g.ron")')
    for place in ("shares/0_0-1_0/1-of-1.json", "world.json", "0_0/h.tif", "0_0/manifest.json"):
        at.terrane(*SHARE).demand_success(quiet=False)
        kept = (at / "out" / place).read_bytes()
        stopped(at, f"out/{place}", "world", "verify", "out", fails=place != "0_0/manifest.json")
        (at / "out" / place).write_bytes(kept)
        stopped(at, f"out/{place}", "world", "vrt", "out", "h.tif", fails=False)
        (at / "out" / place).write_bytes(kept)
        stopped(at, f"out/{place}", *SHARE, fails=False)
        (at / "out" / place).write_bytes(kept)
        (at / "out/h.vrt").unlink(missing_ok=True)


@case("waits")
def listed_files_of_a_manifest(at):
    """`verify` where a listed output, its sidecar or the list is a pipe, a socket or a folder."""
    made(at)
    at.run().demand_success(quiet=False)
    for place in ("out/h.png", "out/h.png.json", "out/manifest.json"):
        kept = (at / place).read_bytes()
        stopped(at, place, "verify", "out")
        (at / place).write_bytes(kept)


@case("waits")
def snapshots(at):
    """Each file of a snapshot, for `test` and `test --accept`."""
    made(at)
    at.terrane("test", "g.ron", "--accept").demand_success(quiet=False)
    for name in ("g__h.png.snap", "g__h.png-picture.snap", "g__h.png-picture.snap.png", "g__h.png.snap.new", "g__h.png.diff.png"):
        path = at / "snapshots" / name
        kept = path.read_bytes() if path.exists() else None
        for command in (("test", "g.ron"), ("test", "g.ron", "--accept")):
            stopped(at, f"snapshots/{name}", *command, ways=(pipe, listener))
            stopped(at, f"snapshots/{name}", *command, ways=(folder_of_that_name,), fails=False)
        if kept is not None:
            path.write_bytes(kept)


@case("waits")
def the_cache(at):
    """Entries, keys, notes and folders of a cache that are pipes: each command of the cache ends, and runs are right."""
    made(at)
    at.run("--keep", "all", "--cache-dir", "kept").demand_success(quiet=False)
    right = (at / "out/h.png").read_bytes()
    entries = sorted(path for path in (at / "kept").rglob("*") if path.is_file() and path.name != "CACHEDIR.TAG")
    demand(len(entries) >= 4, "the cache has too few files: the case is wrong")
    for entry in entries:
        place = str(entry.relative_to(at.folder))
        for command in (("cache", "stat"), ("cache", "verify"), ("cache", "gc"), ("explain", "g.ron"), ("run", "g.ron")):
            stopped(at, place, *command, "--cache-dir", "kept", ways=(pipe, folder_of_that_name), fails=False, stays=False)
    for name in ("objects-3", "tmp"):
        place = at / "kept" / name
        place.rename(at / f"was_{name}")
        stopped(at, f"kept/{name}", "run", "g.ron", "--cache-dir", "kept", ways=(pipe,), fails=False, stays=False)
    demand((at / "out/h.png").read_bytes() == right, "the picture changed")
    stopped(at, "cache_is_a_pipe", "run", "g.ron", "--cache-dir", "cache_is_a_pipe", ways=(pipe,), fails=False)


@case("waits")
def files_that_may_not_be_read_or_written(at):
    """Files and folders without permissions: the error names them and says what to do. A superuser reads all."""
    made(at)
    if os.geteuid() == 0:
        # Instead: a file that vanished, and one that became a link to nothing.
        for node in ('Import(file: "x.raw")', 'Points(file: "x.csv")', 'PathGraph(file: "x.geojson")', 'Subgraph(file: "x.ron")'):
            at.graph(f'"i": {node}, {NODES}', OUTPUTS, "d.ron", size="(9, 9)")
            name = node.split('"')[1]
            at.terrane("run", "d.ron").demand_refusal(f"cannot read `{name}`")
            (at / name).symlink_to("nowhere")
            at.terrane("run", "d.ron").demand_refusal(f"cannot read `{name}`")
        return
    for name in ("g.ron", "out"):
        if name == "out":
            at.run().demand_success(quiet=False)
        (at / name).chmod(0)
        at.run().demand_refusal(name)
        (at / name).chmod(0o755)


@case("waits")
def standard_input(at):
    """`fmt -` with nothing, with bytes that are no text, and with a graph; `check -` and `run -` name a file of that name."""
    for content, code in ((b"", None), (b"\xff\xfe\x00", 2), (b"Graph(", 2), (b"Graph(nodes: {})", 0)):
        run = at.terrane("fmt", "-", stdin=content, timeout=SECONDS)
        demand(code is None or run.code == code, f"{content}: ends with {run.code}: {run.said[:200]}")
        demand("panicked" not in run.said, run.said[:200])
    for command in ("check", "run"):
        at.terrane(command, "-", stdin=b"", timeout=SECONDS).demand_refusal("`-`")

"""Links in the folder of a graph from a stranger, at each file and folder that a command writes, reads or removes."""

import os
import shutil
from pathlib import Path

from frame import case, demand

NODES = '"h": Perlin(wavelength: 4.0), "p": Hillshade(height: "h"), "s": Statistics(height: "h")'
OUTPUTS = '"h.tif": "h", "h.png": "h", "sub/p.npy": "p", "s.csv": "s"'
SHARE = ("run", "w.ron", "--patches", "0..2,0..1", "--share", "1/1")


def made(at):
    """A folder `in` with a graph, a world and a text that is not formatted, beside a folder `outside`."""
    at.folder = at.folder / "in"
    at.folder.mkdir()
    at.graph(NODES, OUTPUTS, size="(9, 9)")
    at.write("w.ron", 'World(patch: "g.ron")')
    at.write("f.ron", "Graph(nodes:{})")
    outside = at.folder.parent / "outside"
    for name in ("precious", "h.tif", "t.csv", "sub/precious", "0_0/precious"):
        (outside / name).parent.mkdir(parents=True, exist_ok=True)
        (outside / name).write_bytes(b"mine")
    return outside


def bytes_of(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def untouched(at, outside, place, target, *command, fails=True, hard=False):
    """A link at a place leaves what is outside as it is; the command fails with a word about the link, unless it need not."""
    path = at / place
    path.parent.mkdir(parents=True, exist_ok=True)
    removed(path)
    before = bytes_of(outside)
    os.link(target, path) if hard else path.symlink_to(target)
    run = at.terrane(*command)
    demand(bytes_of(outside) == before, f"`{' '.join(command)}` changes what {place} leads to: {run.said[:200]}")
    if fails:
        demand(run.code in (1, 2) and "link" in run.said, f"{place}: ends with {run.code}: {run.said[:300]}")
        demand("help: " in run.said, f"without help: {run.said[:300]}")
    removed(path)
    return run


def removed(path):
    """Removes a link or a file, or a folder of outputs."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@case("links")
def outputs_and_what_lies_beside_them(at):
    """Links at an output, at its sidecar, at the manifest, and to files that do not exist yet."""
    outside = made(at)
    for place in ("out/h.tif", "out/h.png.json", "out/sub/p.npy", "out/manifest.json"):
        untouched(at, outside, place, outside / "precious", "run", "g.ron")
        untouched(at, outside, place, outside / "new", "run", "g.ron")
    untouched(at, outside, "out/manifest.json.lock", outside / "precious", "run", "g.ron", fails=False)


@case("links")
def folders_of_outputs(at):
    """Links at `out`, at a folder in it, relative ones, and one that leads through another link in the folder."""
    outside = made(at)
    untouched(at, outside, "out", outside, "run", "g.ron")
    untouched(at, outside, "out", "../outside", "run", "g.ron")
    untouched(at, outside, "out/sub", outside / "sub", "run", "g.ron")
    (at / "inner").symlink_to("../outside")
    untouched(at, outside, "out", "inner/sub", "run", "g.ron")
    untouched(at, outside, "results", "inner", "run", "g.ron", "--out", "results/new")
    untouched(at, outside, "results", outside, "eval", "g.ron", "h", "-o", "results/e.png")


@case("links")
def folders_of_patches_and_levels(at):
    """Links at the folder of a patch, at that of a level, at a patch in it, and at the joined files."""
    outside = made(at)
    patches = ("run", "w.ron", "--patches", "0..2,0..1")
    untouched(at, outside, "out/0_0", outside / "0_0", *patches)
    untouched(at, outside, "out/level_1", outside, *patches, "--level", "1")
    untouched(at, outside, "out/level_2/0_0", outside / "0_0", *patches, "--level", "2")
    untouched(at, outside, "out/1_0/manifest.json", outside / "precious", *patches)
    for name in ("h.vrt", "h.png"):
        untouched(at, outside, f"out/{name}", outside / "precious", *patches, "--mosaic")


@case("links")
def records_of_shares(at):
    """Links at the record of a share, at its folders and at the record of the world."""
    outside = made(at)
    record = "shares/0_0-1_0/1-of-1.json"
    for place, target in (("world.json", "precious"), ("shares", "sub"), ("shares/0_0-1_0", "sub"), (record, "precious")):
        run = untouched(at, outside, f"out/{place}", outside / target, *SHARE)
        demand(not (outside / "sub/1-of-1.json").exists(), f"a record is written outside: {run.said[:200]}")
        (at / "out/world.json").unlink(missing_ok=True)


@case("links")
def what_verify_and_vrt_read(at):
    """Patches, records and listed files that lead outside are refused by `world verify` and `verify`, unread."""
    outside = made(at)
    at.terrane(*SHARE).demand_success(quiet=False)
    (at / "out/0_0").rename(outside / "patch")
    (at / "out/0_0").symlink_to(outside / "patch")
    at.terrane("world", "verify", "out").demand_refusal("link")
    at.terrane("run", "g.ron", "-o", "made").demand_success(quiet=False)
    text = (at / "made/manifest.json").read_text()
    (at / "made/leads.tif").symlink_to(outside / "precious")
    for name in ("../../outside/precious", str(outside / "precious"), "leads.tif", "/dev/zero"):
        (at / "made/manifest.json").write_text(text.replace('"file": "h.tif"', f'"file": "{name}"'))
        at.terrane("verify", "made", timeout=20).demand_refusal("leads out of its folder")


@case("links")
def tables_charts_and_sheets_of_sweeps(at):
    """Links at the table, its lock, the summary, the chart and the sheet of a sweep."""
    outside = made(at)
    options = ("sweep", "g.ron", "--seeds", "0..2", "--metric", "s.mean")
    untouched(at, outside, "t.csv", outside / "t.csv", *options, "-o", "t.csv")
    untouched(at, outside, "u.csv.lock", outside / "new", *options, "-o", "u.csv", fails=False)
    for option, place in (("--summary", "s.md"), ("--plot", "p.svg"), ("--sheet", "i.png"), ("--sheet", "i.gif")):
        more = ("--picture", "h.png") if option == "--sheet" else ()
        untouched(at, outside, place, outside / "precious", *options, "-o", f"{place}.csv", option, place, *more)


@case("links")
def snapshots(at):
    """Links at the folder of snapshots, at a snapshot, its picture, its new text and the picture of a difference."""
    outside = made(at)
    untouched(at, outside, "snapshots", outside, "test", "g.ron", "--accept")
    for name in ("g__h.tif.snap", "g__h.tif-picture.snap", "g__h.tif-picture.snap.png", "g__s.csv.snap.new", "g__h.tif.diff.png"):
        untouched(at, outside, f"snapshots/{name}", outside / "precious", "test", "g.ron", "--accept")
        untouched(at, outside, f"snapshots/{name}", outside / "new", "test", "g.ron")


@case("links")
def texts_that_are_formatted_and_made(at):
    """`fmt` of a graph that is a link outside, through a folder, and `new` at links to nothing and to a file."""
    outside = made(at)
    (outside / "f.ron").write_text("Graph(nodes:{})")
    untouched(at, outside, "l.ron", outside / "f.ron", "fmt", "l.ron")
    untouched(at, outside, "folder", outside, "fmt", "folder/f.ron")
    untouched(at, outside, "n.ron", outside / "new.ron", "new", "n")
    untouched(at, outside, "there", outside, "new", "there/n")


@case("links")
def folders_of_the_cache(at):
    """Links at each folder of a cache, under `run`, `gc`, `verify` and `clear`: nothing outside is written or removed."""
    outside = made(at)
    for place in ("objects-3", "index-3", "outputs", "explain", "tmp"):
        target = outside / place
        for name in ("precious", "ab/" + "ab" * 32, "ab" * 16, "ab" * 16 + ".json", "terrane-x"):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(b"mine")
            os.utime(target / name, (0, 0))
        upkeep = (("cache", "verify"), ("cache", "gc", "--cache-size", "0"), ("cache", "clear"))
        for command in (("run", "g.ron", "--keep", "all"), *upkeep):
            untouched(at, outside, f"kept/{place}", target, *command, "--cache-dir", "kept", fails=False)


@case("links")
def hard_links(at):
    """Hard links at outputs, manifest, table, snapshot and graph replace a name and leave the other file's bytes."""
    outside = made(at)
    manifest = outside / "manifest.json"
    manifest.write_text('{\n  "manifest": 1,\n  "runs": []\n}\n')
    (outside / "f.ron").write_text("Graph(nodes:{})")
    (outside / "rows.csv").write_text("seed,key\n")
    for place, target in (("out/h.tif", "h.tif"), ("out/h.png.json", "precious"), ("out/manifest.json.lock", "precious")):
        untouched(at, outside, place, outside / target, "run", "g.ron", fails=False, hard=True)
    untouched(at, outside, "out/manifest.json", manifest, "run", "g.ron", fails=False, hard=True)
    untouched(at, outside, "l.ron", outside / "f.ron", "fmt", "l.ron", fails=False, hard=True)
    for place, target, *command in (
        ("snapshots/g__s.csv.snap", "precious", "test", "g.ron", "--accept"),
        ("e.png", "precious", "eval", "g.ron", "h", "-o", "e.png"),
        ("t.csv", "rows.csv", "sweep", "g.ron", "--metric", "s.mean", "-o", "t.csv"),
    ):
        untouched(at, outside, place, outside / target, *command, fails=False, hard=True)


@case("links")
def files_that_a_graph_reads(at):
    """Links outside at a raster, its companions, points, lines, a graph in a graph, and the graph of a world."""
    outside = made(at)
    (outside / "r.raw").write_bytes(bytes(324))
    (outside / "p.csv").write_text("x,y,height\n1,1,5\n")
    (outside / "l.geojson").write_text('{"type": "LineString", "coordinates": [[1, -1], [5, -5]]}')
    (outside / "g.ron").write_bytes((at / "g.ron").read_bytes())
    at.write("r.raw", bytes(324))
    for link, target, node in (
        ("a.raw", "r.raw", 'Import(file: "a.raw")'), ("r.raw.json", "precious", 'Import(file: "r.raw")'),
        ("r.raw.aux.xml", "precious", 'Import(file: "r.raw")'), ("r.prj", "precious", 'Import(file: "r.raw")'),
        ("l.geojson", "l.geojson", 'PathGraph(file: "l.geojson")'), ("sub.ron", "g.ron", 'Subgraph(file: "sub.ron")'),
        ("folder", "", 'Points(file: "folder/p.csv")'), ("again", "", 'Import(file: "again/../outside/r.raw")'),
    ):
        at.graph(f'"i": {node}, "h": Perlin()', '"h.npy": "h"', "read.ron", size="(9, 9)")
        (at / link).symlink_to(outside / target)
        for command in ("check", "run", "explain"):
            at.terrane(command, "read.ron").demand_refusal("outside the graph's folder")
        (at / link).unlink()
    (at / "patch.ron").symlink_to(outside / "g.ron")
    at.write("v.ron", 'World(patch: "patch.ron")')
    at.terrane("check", "v.ron").demand_refusal("outside")


@case("links")
def links_that_stay_inside(at):
    """What need not be refused: an output folder that is a link inside, and outputs that are links to files inside."""
    made(at)
    (at / "data").mkdir()
    (at / "data/old.tif").write_bytes(b"old")
    (at / "out").symlink_to("data")
    (at / "data/h.tif").symlink_to("old.tif")
    at.run().demand_success()
    demand((at / "data/h.tif").is_symlink() and (at / "data/old.tif").read_bytes()[:2] in (b"II", b"MM"), "not written")
    demand(Path(at / "data/manifest.json").is_file(), "no manifest")


@case("links")
def circles_of_links(at):
    """Links that lead to each other or to themselves, at outputs, folders, imports and snapshots: told, without a wait."""
    outside = made(at)
    untouched(at, outside, "out", "out", "run", "g.ron")
    (at / "a").symlink_to("b")
    (at / "b").symlink_to("a")
    untouched(at, outside, "out/h.tif", "../a", "run", "g.ron")
    untouched(at, outside, "snapshots", "b", "test", "g.ron", "--accept")
    at.graph('"i": Import(file: "a")', '"i.npy": "i"', "read.ron")
    at.terrane("check", "read.ron", timeout=20).demand_refusal("cannot read `a`")

"""Two things that would be one file, on this system or on another that a graph is shared with."""

import numpy as np
from PIL import Image

from frame import case, demand, demand_equal

NODES = '"h": Perlin(wavelength: 4.0), "k": Constant(value: 7), "p": Hillshade(height: "h"), "s": Statistics(height: "h")'
BOTH = "would overwrite each other"


def refused(at, first, second, *texts, command=("check", "g.ron")):
    """Two outputs, each as (name, node), are refused before anything is written."""
    outputs = ", ".join(f'"{name}": "{node}"' for name, node in (first, second))
    at.graph(NODES, outputs, size="(9, 9)")
    at.terrane(*command).demand_refusal(*(texts or (BOTH,)))
    demand(not (at / "out").exists(), "something is written")


def world(at, outputs, nodes=NODES):
    at.graph(nodes, outputs, "p.ron", size="(9, 9)")
    at.write("w.ron", 'World(patch: "p.ron")')


def kept(at, names, *command, texts=()):
    """A command is refused, and these files keep their bytes."""
    before = {name: (at / name).read_bytes() for name in names}
    ran = at.terrane(*command)
    for name, content in before.items():
        demand((at / name).read_bytes() == content, f"`{' '.join(command)}` overwrites {name}: {ran.said[:200]}")
    ran.demand_refusal(*texts)


@case("one file")
def letters_without_case(at):
    """Names that differ in case alone, in letters of several alphabets: NTFS and APFS keep one of the two."""
    for upper in ("H.npy", "Ä.npy", "ЖАР.npy", "A/h.npy", "\u212a.npy"):
        refused(at, (upper, "h"), (upper.lower(), "k"))


@case("one file")
def letters_that_fold_and_have_two_small_forms(at):
    """`ς` and `σ` are the small forms of one capital: APFS, ext4 with `casefold` and NTFS keep one file."""
    for first, second in (("ς.npy", "σ.npy"), ("ὈΔΟΣ1.npy", "ὀδος1.npy")):
        demand(first.casefold() == second.casefold(), "these names are two files: the case is wrong")
        refused(at, (first, "h"), (second, "k"))


@case("one file")
def letters_that_fold_to_two(at):
    """`straße` and `STRASSE`, `ﬁ` and `fi`, `ſ` and `s`: one file on APFS and ext4 with `casefold`, which fold in full."""
    for first, second in (("straße.npy", "STRASSE.npy"), ("ﬁeld.npy", "field.npy"), ("ſ.npy", "S.npy")):
        demand(first.casefold() == second.casefold(), "these names are two files: the case is wrong")
        refused(at, (first, "h"), (second, "k"))


@case("one file")
def letters_in_two_unicode_forms(at):
    """A letter and its accent as one sign and as two, in Latin, in Hangul and in a name of a folder: one file on macOS."""
    hangul = ("한.npy", "\u1112\u1161\u11ab.npy")
    for first, second in (("é.npy", "e\u0301.npy"), hangul, ("É/h.npy", "e\u0301/h.npy"), ("Å.npy", "\u212b.npy")):
        refused(at, (first, "h"), (second, "k"))


@case("one file")
def dots_and_slashes_in_names(at):
    """`./h.npy`, `.//a/./h.npy` and `a//h.npy` are other spellings; `..` is refused; a dot or blank at the end too."""
    refused(at, ("h.npy", "h"), ("./h.npy", "k"))
    refused(at, ("a/h.npy", "h"), (".//a/./h.npy", "k"))
    refused(at, ("h.npy", "h"), ("a/../h.npy", "k"), "outside the folder")
    refused(at, ("a/h.npy", "h"), ("a /h.npy", "k"), "dot or a space")
    refused(at, ("a/h.npy", "h"), ("a./h.npy", "k"), "dot or a space")
    refused(at, ("h.npy", "h"), ("h.npy::$DATA", "k"), "Windows")


@case("one file")
def a_file_that_is_a_folder(at):
    """`h.npy` beside `h.npy/x.npy`: no system has a file and a folder with the same name, which `check` reports."""
    refused(at, ("h.npy", "h"), ("h.npy/x.npy", "k"), "h.npy/x.npy")
    refused(at, ("h.png", "h"), ("H.PNG.json/x.npy", "k"), "x.npy")


@case("one file")
def sidecars_of_every_format(at):
    """A table named as the sidecar of a map that is stored as whole numbers, in both orders and in other case."""
    for name in ("h.png", "h.raw", "h.r16"):
        refused(at, (name, "h"), (f"{name}.json", "s"))
        refused(at, (f"{name.upper()}.json", "s"), (name, "h"))
        refused(at, (f"a/{name}", "h"), (f"./a//{name}.json", "s"))


@case("one file")
def the_manifest_and_its_lock(at):
    """Outputs named as the list of outputs, as its lock or as a folder of that name, in any case and form."""
    for name, node in (("manifest.json", "s"), ("Manifest.JSON", "s"), ("./manifest.json", "s"), ("manifest.json/h.npy", "h")):
        at.graph(NODES, f'"{name}": "{node}"', size="(9, 9)")
        at.terrane("check", "g.ron").demand_refusal("cannot be named")


@case("one file")
def joined_files_of_a_world(at):
    """A mosaic beside an output in a folder named as a patch, as a level and as the folder of shares."""
    for name in ("0_0/h.npy", "-1_3/h.npy", "level_2/h.npy"):
        world(at, f'"h.npy": "h", "{name}": "k"')
        run = at.terrane("run", "w.ron", "--patches", "0..2,0..1", "--mosaic")
        run.demand_refusal("help")
        demand(not (at / "out").exists(), "something is written")


@case("one file")
def joined_files_with_other_extensions(at):
    """`h.tif`, `h.tiff` and `sub/../h.tif` of a world would all be joined into `h.vrt`."""
    for first, second in (("h.tif", "h.tiff"), ("H.tif", "h.TIFF"), ("é.tif", "e\u0301.tiff")):
        world(at, f'"{first}": "h", "{second}": "k"')
        at.terrane("run", "w.ron", "--patches", "0..2,0..1").demand_refusal("would both be joined")


@case("one file")
def a_mosaic_over_a_file_that_the_patches_read(at):
    """`--mosaic -o .` with an output named as the imported raster: the raster stays, and before any patch is made."""
    np.save(at / "dem.npy", np.full((9, 9), 5, "f4"))
    world(at, '"dem.npy": "h"', '"d": Import(file: "dem.npy", origin: (0, 0)), "h": Perlin()')
    kept(at, ["dem.npy"], "run", "w.ron", "--patches", "0..2,0..1", "--mosaic", "-o", ".", texts=["the graph reads this file"])


@case("one file")
def eval_over_a_file_that_the_graph_reads(at):
    """`eval -o dem.npy` of a graph that imports `dem.npy`, by several spellings: the measured heights would be lost."""
    np.save(at / "dem.npy", np.full((9, 9), 5, "f4"))
    at.graph('"d": Import(file: "dem.npy"), "h": Remap(height: "d", from: (0, 1), to: (0, 3))', '"h.npy": "h"', size="(9, 9)")
    for name in ("dem.npy", "./dem.npy", str(at / "dem.npy")):
        kept(at, ["dem.npy"], "eval", "g.ron", "h", "-o", name, texts=["the graph reads this file"])


@case("one file")
def tables_over_files_that_the_graph_reads(at):
    """`eval -o` and `sweep --summary` over the table of points that the graph reads, and over the values of `--set`."""
    points = '"pt": Points(file: "p.csv"), "m": MidpointDisplacement(points: "pt"), "s": Statistics(height: "m")'
    at.graph(points, '"m.npy": "m"', size="(9, 9)", params='{ "a": 1 }')
    at.write("p.csv", "x,y,height\n1,1,5\n4,4,9\n")
    at.write("v.json", '{ "a": 2 }\n')
    read = ["p.csv", "v.json"]
    kept(at, read, "eval", "g.ron", "s", "-o", "p.csv", texts=["the graph reads this file"])
    kept(at, read, "eval", "g.ron", "s", "-o", "v.json", "--set", "@v.json", texts=["reads this file"])
    for option in ("--summary", "-o", "--curves"):
        more = [] if option == "-o" else ["-o", "t.csv"]
        kept(at, read, "sweep", "g.ron", "--seeds", "0..2", "--metric", "m.mean", *more, option, "p.csv")


@case("one file")
def a_sheet_over_a_picture_that_the_graph_reads(at):
    """`sweep --sheet hill.png` of a graph whose gradient is read from the photograph `hill.png`."""
    Image.fromarray(np.arange(192, dtype="u1").reshape(8, 8, 3)).save(at / "hill.png")
    nodes = f'{NODES}, "g": Gradient(file: "hill.png"), "c": ColorRelief(height: "h", gradient: "g")'
    at.graph(nodes, '"c.png": "c"', size="(9, 9)")
    options = ["--seeds", "0..2", "--metric", "h.mean", "-o", "t.csv", "--sheet", "hill.png", "--picture", "c.png"]
    kept(at, ["hill.png"], "sweep", "g.ron", *options)


@case("one file")
def run_over_files_that_the_graph_reads(at):
    """`run -o .` with outputs named as each file that the graph reads: raster, sidecar, points, lines, values of `--set`."""
    at.graph(NODES, '"a.png": "h"', "a.ron", size="(9, 9)")
    at.terrane("run", "a.ron", "-o", ".").demand_success(quiet=False)
    at.write("p.csv", "x,y,height\n1,1,5\n4,4,9\n")
    at.write("l.geojson", '{"type": "LineString", "coordinates": [[1, -1], [5, -5]]}')
    at.write("v.json", '{ "a": 2 }\n')
    nodes = f'{NODES}, "i": Import(file: "a.png"), "pt": Points(file: "p.csv"), "l": PathGraph(file: "l.geojson"),' \
        '"m": MidpointDisplacement(points: "pt"), "c": Contours(height: "h", interval: 0.2)'
    for name, node in (("a.png", "p"), ("a.png.json", "s"), ("p.csv", "s"), ("l.geojson", "c.lines"), ("v.json", "s")):
        at.graph(nodes, f'"{name}": "{node}", "m.npy": "m", "l.json": "l", "i.npy": "i"', size="(9, 9)", params='{ "a": 1 }')
        kept(at, [name], "run", "g.ron", "-o", ".", "--set", "@v.json")


@case("one file")
def outputs_of_sweeps(at):
    """Two files of one sweep with one name, by case, by `./`, by Unicode form and by an absolute path."""
    at.graph(NODES, '"p.png": "p"', size="(9, 9)")
    plain = [("t.csv", other) for other in ("T.csv", "./t.csv", str(at / "t.csv"))]
    for first, second in (*plain, ("é.csv", "e\u0301.csv"), ("ς.csv", "σ.csv")):
        run = at.terrane("sweep", "g.ron", "--seeds", "0..2", "--metric", "h.mean", "-o", first, "--summary", second)
        run.demand_refusal("the same file")


@case("one file")
def snapshots_of_two_graphs(at):
    """`a.ron` with the output `b__c.npy` and `a__b.ron` with `c.npy` both name the snapshot `a__b__c.npy.snap`."""
    at.graph(NODES, '"b__c.npy": "h"', "a.ron", size="(9, 9)")
    at.graph(NODES, '"c.npy": "k"', "a__b.ron", size="(9, 9)")
    at.terrane("test", "a.ron", "--accept").demand_success(quiet=False)
    snapshot = at / "snapshots/a__b__c.npy.snap"
    before = snapshot.read_bytes()
    second = at.terrane("test", "a__b.ron", "--accept")
    demand(snapshot.read_bytes() == before, f"the snapshot of another graph is replaced: {second.said[:200]}")
    second.demand_refusal("a__b__c.npy.snap")


@case("one file")
def a_hard_link_to_a_file_that_the_graph_reads(at):
    """`out/h.npy` is a hard link to the imported raster: the output replaces the name and leaves the raster."""
    np.save(at / "dem.npy", np.full((9, 9), 5, "f4"))
    (at / "out").mkdir()
    (at / "out/h.npy").hardlink_to(at / "dem.npy")
    at.graph('"d": Import(file: "dem.npy"), "h": Remap(height: "d", from: (0, 5), to: (0, 15))', '"h.npy": "h"', size="(9, 9)")
    at.run().demand_success()
    demand_equal(np.load(at / "dem.npy"), np.full((9, 9), 5))
    demand_equal(at.array("h.npy"), np.full((9, 9), 15))

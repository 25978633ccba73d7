"""Files with several channels, parts, windows or pages: the heights are named, or asked for, and never guessed."""

import re
import struct

import numpy as np
import OpenEXR
from frame import case, demand, demand_equal, hills

HEIGHTS = hills(12, 16).astype("f4")
OTHER = hills(12, 16, 5, 0.0, 50.0).astype("f4")


def exr(at, channels, parts=None, **header):
    """Writes `h.exr`, of parts by their names if they are given."""
    scanlines = {"type": OpenEXR.scanlineimage}
    made = [OpenEXR.Part(dict(scanlines), own, name) for name, own in parts.items()] if parts else None
    # The library changes the dictionary that it is given.
    (OpenEXR.File(made) if parts else OpenEXR.File(header, dict(channels))).write(str(at / "h.exr"))


def read(at, file="h.exr", rest=""):
    at.graph(f'"d": Import(file: "{file}"{rest})', '"d.npy": "d"', size="(16, 12)")
    return at.run("--no-cache")


def demand_read(at, file="h.exr", rest="", right=HEIGHTS, texts=()):
    read(at, file, rest).demand_success(*texts)
    demand_equal(at.array("d.npy"), right)


def demand_named(at, names, right):
    """Without a name the file is refused with all its names; with one, these samples are read; the remedy works."""
    ran = read(at).demand_refusal("several channels", *(f"`{name}`" for name in names))
    remedy = re.search(r'`(channel: ".*?")`', ran.said)
    demand(remedy, f"no remedy: {ran.said[:300]}")
    read(at, rest=f", {remedy[1]}").demand_success()
    for name, samples in right.items():
        demand_read(at, rest=f', channel: "{name}"', right=samples)


def windows(data, display):
    """The two windows of an EXR, each as its first and last column and row."""
    box = lambda corners: tuple(np.array(corner, "i4") for corner in corners)
    return {"dataWindow": box(data), "displayWindow": box(display)}


@case("channels")
def layers_of_a_render(at):
    """Blender's multilayer file: colour, transparency and the depth, which is the height above a plane here."""
    colour = {f"ViewLayer.Combined.{c}": OTHER for c in "RGBA"}
    exr(at, colour | {"ViewLayer.Depth.Z": HEIGHTS})
    demand_named(at, [*colour, "ViewLayer.Depth.Z"], {"ViewLayer.Depth.Z": HEIGHTS, "ViewLayer.Combined.R": OTHER})


@case("channels")
def parts_with_channels_of_one_name(at):
    """Two parts, each with a channel Y: `part/Y` names one of them; `Y` alone is not one."""
    exr(at, None, {"mask": {"Y": OTHER}, "height": {"Y": HEIGHTS}})
    demand_named(at, ["mask/Y", "height/Y"], {"mask/Y": OTHER, "height/Y": HEIGHTS})
    read(at, rest=', channel: "Y"').demand_refusal("no channel `Y`", "`mask/Y`, `height/Y`")


@case("channels")
def the_two_eyes_of_a_stereo_file(at):
    """Views as layers, left and right."""
    exr(at, {"left.Y": HEIGHTS, "right.Y": OTHER})
    demand_named(at, ["left.Y", "right.Y"], {"left.Y": HEIGHTS, "right.Y": OTHER})


@case("channels")
def a_name_with_accents(at):
    """OpenEXR's names are UTF-8: the message shows `Höhe (m)`, and `channel` finds it."""
    exr(at, {"Höhe (m)": HEIGHTS, "Maske": OTHER})
    demand_named(at, ["Höhe (m)", "Maske"], {"Höhe (m)": HEIGHTS})


@case("channels")
def more_channels_than_a_message_lists(at):
    """Fifteen channels: twelve are listed, the rest counted, and each can be named; a wrong name lists them too."""
    exr(at, {f"c{number:02}": HEIGHTS if number == 14 else OTHER for number in range(15)})
    demand_named(at, ["c00", "c11"], {"c14": HEIGHTS})
    read(at).demand_refusal("and 3 more")
    read(at, rest=', channel: "C14"').demand_refusal("no channel `C14`", "`c00`")


@case("channels")
def numbers_of_three_types_in_one_file(at):
    """A channel of halves, of whole numbers and of floats, in tiles with smaller copies: each to the bit at full size."""
    tiles = OpenEXR.TileDescription()
    tiles.xSize, tiles.ySize, tiles.mode = 8, 8, OpenEXR.MIPMAP_LEVELS
    channels = {"half": HEIGHTS.astype("f2"), "id": HEIGHTS.astype("u4"), "z": HEIGHTS}
    exr(at, channels, type=OpenEXR.tiledimage, tiles=tiles)
    demand_named(at, list(channels), {name: samples.astype("f4") for name, samples in channels.items()})


@case("channels")
def windows_beyond_and_beside_the_picture(at):
    """Overscan (stored samples all around the picture) is named; two equal windows that begin elsewhere need no word."""
    exr(at, {"Y": HEIGHTS}, **windows(((-4, -3), (11, 8)), ((0, 0), (7, 5))))
    demand_read(at, texts=("16 x 12 samples from column -4, row -3 of a picture of 8 x 6",))
    exr(at, {"Y": HEIGHTS}, **windows(((100, -200), (115, -189)), ((100, -200), (115, -189))))
    demand_read(at)


@case("channels")
def transparency_beside_heights_and_alone(at):
    """Y and A: the heights, and A is named. A file with A only has one channel, which is read."""
    exr(at, {"Y": HEIGHTS, "A": OTHER})
    demand_read(at, texts=("`A`, transparency, is not used",))
    exr(at, {"A": HEIGHTS})
    demand_read(at)


def brightness_and_colour(path):
    """An EXR by hand with a full Y and colour differences for every second sample, as cameras' pictures have them."""
    attribute = lambda name, kind, value: name + b"\0" + kind + b"\0" + struct.pack("<i", len(value)) + value
    listed = b"".join(n + b"\0" + struct.pack("<iiii", 2, 0, s, s) for n, s in ((b"BY", 2), (b"RY", 2), (b"Y", 1))) + b"\0"
    box = struct.pack("<4i", 0, 0, 15, 11)
    head = struct.pack("<ii", 20000630, 2) + attribute(b"channels", b"chlist", listed)
    head += attribute(b"compression", b"compression", b"\0") + attribute(b"dataWindow", b"box2i", box)
    head += attribute(b"displayWindow", b"box2i", box) + attribute(b"lineOrder", b"lineOrder", b"\0")
    head += attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1))
    head += attribute(b"screenWindowCenter", b"v2f", bytes(8)) + attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1))
    lines = [bytes(64 if row % 2 == 0 else 0) + HEIGHTS[row].tobytes() for row in range(12)]
    lines = [struct.pack("<ii", row, len(line)) + line for row, line in enumerate(lines)]
    ends = len(head) + 1 + 8 * 12 + np.cumsum([0] + [len(line) for line in lines[:-1]])
    path.write_bytes(head + b"\0" + struct.pack("<12q", *ends) + b"".join(lines))


@case("channels")
def colour_differences_of_half_the_size(at):
    """Y, RY and BY, of which two have every second sample: Y can be read, or the file is refused by that word at once."""
    brightness_and_colour(at / "h.exr")
    demand_equal(OpenEXR.File(str(at / "h.exr"), separate_channels=True).channels()["Y"].pixels, HEIGHTS, "OpenEXR's own Y")
    if "subsampl" in read(at).said:
        read(at).demand_refusal("subsampl")
    else:
        demand_named(at, ["BY", "RY", "Y"], {"Y": HEIGHTS})

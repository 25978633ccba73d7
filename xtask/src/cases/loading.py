"""Texts of graphs that are small and stand for much, and big files beside a graph: what loading them takes.

The bounds are far above what a graph of their size takes in a build for tests: 300 MB and 10 seconds of a processor.
"""

from frame import case, demand
from peak import ran_within

GROUND = '"h": Perlin()'
AGAIN = '"h": Perlin(), "i": Invert(height: "h")'


def each(count, entry):
    return ", ".join(entry(number) for number in range(count))


def doubling(steps):
    """Parameters that each name the one before twice; the last has 4 bytes for each of 2^steps pairs."""
    return '"p0": [1, 1], ' + each(steps, lambda step: f'"p{step + 1}": ["$p{step}", "$p{step}"]')


def graph(at, nodes=GROUND, outputs='"h.npy": "h"', name="g.ron", **settings):
    at.graph(nodes, outputs, name, size="(9, 9)", **settings)


def loaded(at, *arguments, megabytes=300, seconds=10):
    return ran_within(at, *arguments, megabytes=megabytes, seconds=seconds)


@case("loading")
def parameters_of_a_repeated_graph(at):
    """A graph with 2,000 parameters that no node uses, repeated 10,000 times: 25 kB of text."""
    graph(at, AGAIN, '"h.npy": "i"', "s.ron", params="{" + each(2000, lambda n: f'"q{n}": 1') + "}")
    graph(at, '"x": Perlin(), "h": Repeat(file: "s.ron", times: 10000, carry: {"h": "h"}, inputs: {"h": "x"})')
    loaded(at, "check", "g.ron")


@case("loading")
def parameters_of_a_graph_that_is_used_often(at):
    """A library graph with 2,000 parameters, used 1,000 times."""
    graph(at, name="s.ron", params="{" + each(2000, lambda n: f'"q{n}": {n}') + "}")
    graph(at, each(1000, lambda n: f'"a{n}": Subgraph(file: "s.ron")') + ", " + GROUND)
    loaded(at, "check", "g.ron")


@case("loading")
def arithmetic_of_a_graph_that_is_used_often(at):
    """A library graph with 300 parameters that are computed from the first, used 3,000 times."""
    graph(at, name="s.ron", params='{"a": 1, ' + each(300, lambda n: f'"q{n}": "$a + 1"') + "}")
    graph(at, each(3000, lambda n: f'"a{n}": Subgraph(file: "s.ron")') + ", " + GROUND)
    loaded(at, "check", "g.ron")


@case("loading")
def outputs_of_a_graph_that_is_used_often(at):
    """A library graph with 200 outputs, used 4,000 times: 138 kB of text stand for 800,000 outputs."""
    graph(at, outputs='"h.npy": "h", ' + each(200, lambda n: f'"{n}.npy": "h"'), name="s.ron")
    graph(at, each(4000, lambda n: f'"a{n}": Subgraph(file: "s.ron")') + ", " + GROUND)
    loaded(at, "check", "g.ron", seconds=20)


@case("loading")
def mistakes_of_a_graph_that_is_used_often(at):
    """A library graph with 100 wires to nowhere, used 800 times: 29 kB of text with 80,000 mistakes."""
    graph(at, each(100, lambda n: f'"q{n}": Invert(height: "z{n}")'), '"h.npy": "q0"', "s.ron")
    graph(at, each(800, lambda n: f'"a{n}": Subgraph(file: "s.ron")') + ", " + GROUND)
    loaded(at, "check", "g.ron", seconds=20).demand_refusal("there is no node `a0/z0`", "more mistakes")


@case("loading")
def doubling_through_a_file_of_values(at):
    """`--set @values.ron` whose value names a parameter of 2 MB fifty times; `check`, `run` and `sweep` read it."""
    graph(at, params="{" + doubling(17) + ', "z": 1}')
    at.write("v.ron", '{ "z": [' + ", ".join(['"$p17"'] * 50) + "] }")
    for command in (["run", "g.ron"], ["explain", "g.ron"], ["sweep", "g.ron", "--metric", "h.mean", "-o", "t.csv"]):
        loaded(at, *command, "--set", "@v.ron").demand_refusal("longer than 4 MiB")


@case("loading")
def doubling_through_profiles(at):
    """300 profiles, each with 60 values that name a list thrice, one of them chosen."""
    values = each(60, lambda n: f'"q{n}": ["$p14", "$p14", "$p14"]')
    profiles = "{" + each(300, lambda n: f'"f{n}": {{{values}}}') + "}"
    graph(at, params="{" + doubling(14) + ", " + each(60, lambda n: f'"q{n}": 1') + "}", profiles=profiles)
    loaded(at, "check", "g.ron")
    loaded(at, "run", "g.ron", "--set", "@f7").demand_refusal("more than 8 MiB together")


@case("loading")
def doubling_through_options_of_outputs_in_subgraphs(at):
    """Options of 50 outputs of a subgraph that is used 200 times, each a list of half a megabyte."""
    options = each(50, lambda n: f'"h{n}.npy": Export(from: "h", range: ["$p16"])')
    graph(at, outputs=options, name="s.ron", params="{" + doubling(16) + "}")
    graph(at, each(200, lambda n: f'"a{n}": Subgraph(file: "s.ron")') + ", " + GROUND)
    loaded(at, "check", "g.ron").demand_refusal("more than 8 MiB together")


@case("loading")
def brackets_without_end(at):
    """200,000 opened brackets, closed and not closed, of lists, of calls and in arithmetic."""
    deep = 100_000
    for value in ("[" * deep, "[" * deep + "]" * deep, "A(" * deep + ")" * deep, "{" * deep):
        graph(at, f'"h": Voronoi(coefficients: {value})')
        for command in (["check"], ["fmt"], ["explain"], ["graph"]):
            loaded(at, *command, "g.ron").demand_refusal("brackets")
    for value in ("(" * deep + "1" + ")" * deep, "-" * deep + "1"):
        graph(at, f'"h": Perlin(amplitude: "$a + {value}")', params='{"a": 1}')
        loaded(at, "check", "g.ron").demand_refusal("nested too deeply")


@case("loading")
def numbers_and_sums_without_end(at):
    """Numbers of half a million digits, exponents as long, and a sum of 200,000 parts that is valid."""
    for value in ("9" * 500_000, "1e" + "9" * 500_000, "0." + "0" * 500_000 + "1"):
        graph(at, f'"h": Perlin(amplitude: {value})')
        loaded(at, "check", "g.ron")
        graph(at, f'"h": Perlin(amplitude: "$a * {value}")', params='{"a": 1}')
        loaded(at, "check", "g.ron")
    graph(at, '"h": Perlin(amplitude: "$a' + " + $a" * 200_000 + '")', params='{"a": 1}')
    loaded(at, "check", "g.ron").demand_success()


@case("loading")
def the_name_of_an_output_without_end(at):
    """An output in 200,000 folders inside each other, and one whose name has 260 letters: no system can write these."""
    for name in ("a/" * 200_000 + "h.npy", "a" * 260 + ".npy"):
        graph(at, outputs=f'"{name}": "h"')
        for command in ("check", "run"):
            ran = loaded(at, command, "g.ron")
            demand(ran.code == 2, f"{command} ends with {ran.code} instead of 2: {ran.said[:200]}")
            ran.demand_refusal("long")


@case("loading")
def names_of_nested_graphs(at):
    """Sixty graphs inside each other, each under a name of 199 letters, the inmost with 1,500 nodes."""
    name = "n" * 199
    for level in range(60):
        graph(at, f'"{name}": Subgraph(file: "d{level + 1}.ron")', f'"h.npy": "{name}"', f"d{level}.ron")
    graph(at, each(1500, lambda n: f'"x{n}": Perlin()') + ", " + GROUND, name="d60.ron")
    loaded(at, "check", "d0.ron").demand_success()
    loaded(at, "graph", "d0.ron")
    loaded(at, "explain", "d0.ron")


@case("loading")
def a_list_of_millions_of_numbers(at):
    """An honest graph of 6 MB, most of it a table of 3,000,000 numbers in one parameter."""
    graph(at, params='{"table": [' + ",".join(["1"] * 3_000_000) + "]}")
    loaded(at, "check", "g.ron").demand_success()


@case("loading")
def formatting_a_list_of_millions_of_numbers(at):
    """The same graph under `fmt --check`, as a hook before each commit runs it."""
    graph(at, params='{"table": [' + ",".join(["1"] * 3_000_000) + "]}")
    loaded(at, "fmt", "--check", "g.ron").demand_texts(["is not formatted"])


@case("loading")
def a_snapshot_of_any_length(at):
    """`test` in a folder whose snapshot has 400 MB: those that Terrane writes have some kilobytes."""
    graph(at)
    at.terrane("test", "g.ron", "--accept").demand_success(quiet=False)
    with open(at / "snapshots/g__h.npy.snap", "r+b") as file:
        file.truncate(400 << 20)
    loaded(at, "test", "g.ron").demand_texts(["g__h.npy.snap"])


@case("loading")
def a_table_of_a_sweep_of_any_length(at):
    """`sweep -o` into a table of 400 MB that is none."""
    graph(at)
    with open(at.write("t.csv", "seed,key\n"), "r+b") as file:
        file.truncate(400 << 20)
    loaded(at, "sweep", "g.ron", "--metric", "h.mean", "-o", "t.csv").demand_refusal("t.csv")


@case("loading")
def a_manifest_of_millions_of_numbers(at):
    """`run` and `verify` in a folder whose `manifest.json` has a list of ten million numbers: 20 MB."""
    graph(at)
    for command in (["verify", "out"], ["run", "g.ron"]):
        at.write("out/manifest.json", '{\n  "manifest": 1, "x": [' + ",".join(["0"] * 10_000_000) + "]}")
        loaded(at, *command)


@case("loading")
def files_beside_a_raster_of_any_length(at):
    """A raster whose projection, world file, sidecar or companion has a gigabyte."""
    at.write("dem.raw", bytes(162))
    graph(at, '"h": Import(file: "dem.raw")')
    for name in ("dem.raw.json", "dem.raw.aux.xml", "dem.rww", "dem.prj"):
        with open(at.write(name, b""), "r+b") as file:
            file.truncate(1 << 30)
        loaded(at, "check", "g.ron")
        loaded(at, "run", "g.ron")
        (at / name).unlink()


@case("loading")
def texts_that_stand_for_more(at):
    """SVG with entities and with `use` that multiply by ten at each step, and GeoJSON of a million brackets."""
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    uses = "".join(f'<g id="a{n}">' + f'<use xlink:href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 12))
    open_svg = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    at.write("a.svg", f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a0 "l">{entities}]>{open_svg}<text>&a9;</text></svg>')
    at.write("b.svg", f'{open_svg}<defs><path id="a0" d="M0 0L5 5"/>{uses}</defs><use xlink:href="#a11"/></svg>')
    at.write("c.geojson", "[" * 1_000_000)
    for name in ("a.svg", "b.svg", "c.geojson"):
        graph(at, f'"i": PlanarGraph(file: "{name}")', '"i.json": "i"')
        loaded(at, "run", "g.ron").demand_refusal(name)

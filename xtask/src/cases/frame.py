"""What the cases share: a folder of their own, the command, and how its results are read.

A case is a function with a decorator that names its kind and a docstring that says which ground, file or name it is about.
It writes its files, runs the command, and demands what other programs or a calculation by hand say.
"""

import json
import math
import os
import re
import subprocess
from pathlib import Path

import numpy as np

CASES = []


class Wrong(Exception):
    """What a case gives instead of the right value."""


def case(kind):
    """Declares a case of a kind."""

    def declare(function):
        CASES.append((kind, function))
        return function

    return declare


def demand(holds, text):
    """Fails the case with a text unless something holds."""
    if not holds:
        raise Wrong(text)


class Ran:
    """What a command printed, in one line without drawn frames, and how it ended."""

    def __init__(self, done):
        clean = lambda text: " ".join(text.decode("utf-8", "replace").replace("│", " ").split())
        self.code, self.out, self.said = done.returncode, clean(done.stdout), clean(done.stderr)

    @property
    def warnings(self):
        return [part.strip() for part in re.split(r"\bwarning: ", self.said)[1:]]

    def demand_success(self, *texts, quiet=None):
        """The command succeeded and printed these texts; `quiet`: without any warning (by default, if no texts are given)."""
        demand(self.code == 0, f"ends with {self.code}: {self.said[:400]}")
        self.demand_texts(texts)
        if not texts if quiet is None else quiet:
            demand("warning" not in self.said, f"warns: {self.said[:400]}")
        return self

    def demand_refusal(self, *texts):
        """The command was refused, without a panic and with a help, by these texts."""
        demand(self.code in (1, 2), f"ends with {self.code}: {self.said[:400]}")
        demand("panicked" not in self.said and "help: " in self.said, f"without help: {self.said[:400]}")
        return self.demand_texts(texts)

    def demand_texts(self, texts):
        for text in texts:
            demand(text in self.said + " " + self.out, f"does not say `{text}`: {self.said[:400]}")
        return self


class At:
    """A folder of a case."""

    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)

    def __truediv__(self, name):
        return self.folder / name

    def write(self, name, content):
        """Writes a text or bytes."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def graph(self, nodes, outputs, name="g.ron", **settings):
        """Writes a graph: nodes and outputs as the text between their brackets, settings as RON texts."""
        settings = {"size": "(64, 64)", "seed": "1"} | settings
        lines = "".join(f"    {key}: {value},\n" for key, value in settings.items() if value is not None)
        return self.write(name, f"Graph(\n{lines}    nodes: {{ {nodes} }},\n    outputs: {{ {outputs} }},\n)\n")

    def terrane(self, *arguments, timeout=120, stdin=None, environment=None):
        """Runs the command in the folder, with a cache of its own; a run of more than `timeout` seconds fails the case."""
        around = os.environ | {"TERRANE_CACHE_DIR": str(self.folder / "cache"), "NO_COLOR": "1"} | (environment or {})
        words = [self.program, *map(str, arguments)]
        try:
            done = subprocess.run(words, cwd=self.folder, env=around, input=stdin, capture_output=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Wrong(f"`terrane {' '.join(words[1:])}` runs for more than {timeout} s") from None
        return Ran(done)

    def run(self, *options, graph="g.ron", **more):
        """Runs a graph."""
        return self.terrane("run", graph, *options, **more)

    def array(self, name):
        """An array that was written to `out`."""
        return np.load(self.folder / "out" / name)

    def json(self, name):
        """JSON that was written to `out`."""
        return json.loads((self.folder / "out" / name).read_text())


def hills(rows, columns, seed=0, low=100.0, high=900.0):
    """Smooth made-up heights in double precision."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:rows, 0:columns] / max(rows, columns)
    ground = sum(
        rng.normal() / octave * np.sin(2 * math.pi * octave * (x * math.cos(turn) + y * math.sin(turn)) + phase)
        for octave in (1, 2, 3, 5, 8)
        for turn, phase in [rng.uniform(0, 2 * math.pi, 2)]
    )
    return low + (ground - ground.min()) / np.ptp(ground) * (high - low)


def demand_equal(found, right, what="heights", exact=0.0):
    """The same shape and values; `exact` is the largest difference that is explained by rounding."""
    found, right = np.asarray(found), np.asarray(right)
    demand(found.shape == right.shape, f"{what}: shape {found.shape} instead of {right.shape}")
    away = np.abs(found.astype("f8") - right.astype("f8"))
    wrong = ~(away <= exact) & ~(np.isnan(found) & np.isnan(right))
    if wrong.any():
        at = tuple(int(index) for index in np.argwhere(wrong)[0])
        raise Wrong(f"{what}: {int(wrong.sum())} of {found.size} differ, first at {at}: {found[at]} instead of {right[at]}")

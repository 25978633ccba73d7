"""What is said of the distance of samples, and whether its remedy helps."""

import re

import numpy as np
from frame import demand

# The book: degrees and Web Mercator are taken on a sphere. Along a meridian and a parallel the ellipsoid differs by up to 0.7 %.
SPHERE = 0.007
NUMBER = r"[0-9.]+(?:e-?[0-9]+)?"


def slopes(at, size, spacing, rest="", file="dem.tif", name="g.ron"):
    """A graph that writes the slope of a file."""
    nodes = f'"dem": Import(file: "{file}"{rest}), "s": SlopeMap(height: "dem")'
    return at.graph(nodes, '"s.npy": "s"', size=size, spacing=spacing, name=name)


def said_spacing(ran):
    """The distances of a warning, from west to east and from north to south."""
    both = re.search(rf"({NUMBER}) m apart from west to east and ({NUMBER}) m from north to south", ran.said)
    one = re.search(rf"({NUMBER}) m apart", ran.said)
    demand(both or one, f"no warning names the distance of samples: {ran.said[:300]}")
    return (float(both[1]), float(both[2])) if both else (float(one[1]), float(one[1]))


def demand_near(found, right, part, what="distance"):
    demand(np.allclose(found, right, rtol=part, atol=0), f"{what} {found} instead of {right}")


def demand_told(at, right, part=1e-5, squares=True):
    """`check` and `run` name these distances, and what they call right gives no slope but the true one."""
    for ran in (at.terrane("check", "g.ron"), at.run()):
        demand(ran.code == 0, ran.said[:300])
        demand_near(said_spacing(ran), right, part)
    ran = at.run()
    demand("is right" in ran.said, f"names no remedy: {ran.said[:300]}")
    if squares:
        remedy = re.search(rf"`(?:size: (\([0-9, ]+\)), )?spacing: ({NUMBER})` is right", ran.said)
        text = re.sub(r"spacing: [0-9.]+", f"spacing: {remedy[2]}", (at / "g.ron").read_text())
        at.write("g.ron", re.sub(r"size: \([0-9, ]+\)", f"size: {remedy[1]}", text) if remedy[1] else text)
        again = at.run()
        demand("slopes are" not in again.said and again.code == 0, f"the remedy does not help: {again.said[:300]}")


def demand_slope(at, right, part):
    demand_near(float(np.median(at.array("s.npy"))), right, part, "slope")

"""`python -m pyterrane run GRAPH`: the command, for graphs with nodes that are written in Python."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

from . import Engine, EvaluationError, TerraneError, load


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m pyterrane", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="evaluate a graph and write its outputs")
    run.add_argument("graph", type=Path, help="the graph file")
    run.add_argument("--nodes", type=Path, action="append", default=[], help="a Python file that defines nodes; can be repeated")
    run.add_argument("--out", "-o", type=Path, default=Path("out"), help="folder for the outputs")
    run.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the graph; can be repeated")
    run.add_argument("--seed", type=int, help="use this seed instead of the graph's")
    run.add_argument("--size", metavar="WxH", help="use this many samples instead of the graph's size")
    run.add_argument("--threads", type=int, default=0, help="number of threads; 0 means one per core")
    run.add_argument("--no-cache", action="store_true", help="evaluate every node, and do not use the disk cache")
    options = parser.parse_args(arguments)
    try:
        for file in options.nodes:
            _execute(file)
        graph = load(options.graph)
        size = _size(options.size) if options.size else None
        graph.at(seed=options.seed, size=size).set(**dict(_setting(text) for text in options.set))
        engine = Engine(threads=options.threads, cache=not options.no_cache)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            files = graph.write(options.out, engine=engine, progress=sys.stderr.isatty())
        for warning in caught:
            print(f"warning: {warning.message}", file=sys.stderr)
        for path in files:
            print(f"wrote {path}", file=sys.stderr)
    except EvaluationError as error:
        if error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        print(error, file=sys.stderr)
        return 1
    except (TerraneError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _execute(file: Path) -> None:
    spec = importlib.util.spec_from_file_location(f"terrane_nodes_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise OSError(f"--nodes {file}: this Python file does not exist")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except TerraneError:
        raise
    except Exception as error:
        traceback.print_exception(error)
        raise ValueError(f"--nodes {file}: {type(error).__name__}: {error}") from None


def _size(text: str) -> tuple[int, int]:
    width, times, height = text.partition("x")
    if not (times and width.isdigit() and height.isdigit()):
        raise ValueError(f"--size {text} is not a size: write --size 513x513")
    return int(width), int(height)


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set {text} has no `=`: write --set NAME=VALUE")
    try:
        return name.strip(), json.loads(value)
    except json.JSONDecodeError:
        return name.strip(), value


if __name__ == "__main__":
    sys.exit(main())

"""Runs cases made by hand, each in a folder of its own.

Usage: run.py PROGRAM [KIND-OR-NAME...]. Prints each case that gives something else than its right value, and a count of
each kind.
"""

import importlib
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import frame

warnings.filterwarnings("ignore")

THREADS = 2


def tried(entry, program):
    kind, function = entry
    with tempfile.TemporaryDirectory() as folder:
        try:
            function(frame.At(program, folder))
        except frame.Wrong as wrong:
            return kind, function, str(wrong)
        except Exception:
            return kind, function, traceback.format_exc()
    return kind, function, None


def main(program, *wanted):
    program = str(Path(program).resolve())
    here = Path(__file__).parent
    for module in sorted(path.stem for path in here.glob("*.py")):
        if module not in ("frame", "run"):
            importlib.import_module(module)
    cases = [case for case in frame.CASES if not wanted or case[0] in wanted or case[1].__name__ in wanted]
    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(lambda entry: tried(entry, program), cases))
    for kind, function, problem in results:
        if problem:
            print(f"{kind}: {function.__name__}: {problem}\n  {' '.join(function.__doc__.split())}")
    number = Counter(kind for kind, _, _ in results)
    failed = Counter(kind for kind, _, problem in results if problem)
    for kind in sorted(number):
        print(f"{kind}: {number[kind]} cases, {failed[kind]} wrong")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

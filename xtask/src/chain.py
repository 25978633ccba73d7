"""Times numpy's calls for the chain of nodes in chain.rs, in place, on one thread."""

import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

ground = np.fromfile(os.path.join(sys.argv[1], "ground"), "<f4")
expected = np.fromfile(os.path.join(sys.argv[1], "last"), "<f4")
f = np.float32


def chain(x, last):
    np.add(x, f(3), out=x)
    np.multiply(x, f(0.75), out=x)
    np.clip(x, f(-60), f(90), out=x)
    np.subtract(x, f(1.5), out=x)
    np.maximum(x, f(-50), out=x)
    np.minimum(x, f(80), out=x)
    np.subtract(f(10), x, out=x)
    np.divide(x, f(1.25), out=x)
    np.add(x, ground, out=x)
    np.abs(x, out=x)
    np.subtract(x, ground, out=x)
    np.maximum(x, last, out=x)


times = []
for _ in range(7):
    x = ground.copy()
    start = time.perf_counter()
    chain(x, ground)
    chain(x, f(3))
    times.append(time.perf_counter() - start)
difference = np.abs(x - expected).max()
print(f"numpy, 24 calls in place, 1 thread: {min(times) * 1000:.1f} ms; the results differ by at most {difference:.2g}")

#!/usr/bin/env python3
"""What Python adds to a fit, and what conversions cost.

    PYTHONPATH=build/release/python bench/python/run.py

Prints a line per measurement: the time around polyad.fit against the time that the library itself took; a sparse array of five million
nonzeros turned into a tensor, with its memory; a dense array, which is borrowed. against_pyttb.py compares
with another package.
"""

import time

import numpy as np
import polyad


def forget_peak():
    """Lets the system count the most memory from here on."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def peak():
    """Most memory since forget_peak(), in MB."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM:")) / 1024


def fit_overhead(rounds=5):
    x = np.random.default_rng(0).poisson(1.0, size=(100, 80, 60)).astype(float)
    polyad.fit(x, 5, "poisson", epochs=1, starts=1, finish="none", progress=False, warn=False)
    extra = []
    for _ in range(rounds):
        began = time.perf_counter()
        r = polyad.fit(x, 5, "poisson", epochs=5, starts=2, finish="none", progress=False, warn=False)
        wall = time.perf_counter() - began
        extra.append((wall - r.seconds) / r.seconds)
    print(f"fit from NumPy: {wall:.3f} s, of which outside the library {100 * np.median(extra):.2f} % (median of {rounds})")


def sparse_conversion(count=5_000_000):
    rng = np.random.default_rng(1)
    shape = (6000, 24, 77, 32)
    cells = np.unique(rng.integers(0, np.prod(shape), count + count // 50))[:count]
    coords = np.array(np.unravel_index(cells, shape))
    values = rng.poisson(1.0, len(cells)) + 1.0
    del cells
    size = (coords.nbytes + values.nbytes) / 2**20
    forget_peak()
    before = peak()
    began, busy = time.perf_counter(), time.process_time()
    t = polyad.tensor((coords, values, shape))
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    more = peak() - before
    print(f"COO of {t.nnz} nonzeros ({size:.0f} MB): {seconds:.3f} s ({busy:.3f} s of processor), {more:.0f} MB more memory at its peak")


def dense_borrowing():
    x = np.ones((400, 300, 200))
    forget_peak()
    before = peak()
    t = polyad.tensor(x)
    print(f"dense array of {x.nbytes / 2**20:.0f} MB: {peak() - before:.0f} MB more memory, shape {t.shape}")


if __name__ == "__main__":
    dense_borrowing()
    fit_overhead()
    sparse_conversion()

#!/usr/bin/env python3
"""The same steps in pyttb and here: rank 5, iterations of 1000 samples, one thread.

    PYTTB=/folder/of/pyttb:/folder/of/numpy_groupies PYTHONPATH=build/release/python bench/python/against_pyttb.py

PYTTB names checkouts, separated by colons; without it nothing is measured. Prints a line per problem.
"""

import os
import sys
import time

import numpy as np
import polyad


def per_iteration(run, few, many, rounds=3):
    """Microseconds of processor time for an iteration, by the difference of a long run and a short one: what is done once, such as
    judging the model, drops out."""
    found = []
    for _ in range(rounds):
        used = []
        for epochs in (few, many):
            began = time.process_time()
            run(epochs)
            used.append(time.process_time() - began)
        found.append((used[1] - used[0]) / (100 * (many - few)))
    return 1e6 * min(found)


def main():
    folders = os.environ.get("PYTTB")
    if not folders:
        print("skipped: PYTTB does not name the folders of pyttb and numpy_groupies")
        return
    sys.path[:0] = folders.split(os.pathsep)
    import pyttb
    from pyttb.gcp.samplers import GCPSampler, Samplers, StratifiedCount

    rng = np.random.default_rng(0)
    dense = rng.poisson(1.0, size=(60, 50, 40)).astype(float)
    shape = (200, 150, 100, 50)
    cells = np.unravel_index(np.unique(rng.integers(0, np.prod(shape), 150_000)), shape)
    ones = np.ones(len(cells[0]))
    half = StratifiedCount(500, 500)
    sparse = pyttb.sptensor(np.array(cells).T, ones[:, None], shape)
    cases = [
        ("poisson, dense, uniform", dense, pyttb.tensor(dense), "poisson", Samplers.UNIFORM, 1000, {"sampler": "uniform"}),
        ("bernoulli-odds, sparse, stratified", (cells, ones, shape), sparse, "bernoulli-odds", Samplers.STRATIFIED, half, {"sampler": "stratified"}),
        ("bernoulli-odds, sparse, semi-stratified", (cells, ones, shape), sparse, "bernoulli-odds", Samplers.SEMISTRATIFIED, half, {"sampler": "semi-stratified"}),
    ]  # fmt: skip
    for name, ours, theirs, loss, kind, samples, options in cases:
        data = polyad.tensor(ours)
        objective = pyttb.gcp.handles.Objectives[loss.upper().replace("-", "_")]

        def run_pyttb(epochs):
            sampler = GCPSampler(theirs, function_sampler=Samplers.UNIFORM if kind is Samplers.UNIFORM else Samplers.STRATIFIED, function_samples=samples, gradient_sampler=kind, gradient_samples=samples)
            solver = pyttb.gcp.optimizers.Adam(epoch_iters=100, max_iters=epochs, rate=1e-3, max_fails=1000, printitn=0)
            pyttb.gcp_opt(theirs, 5, objective, solver, sampler=sampler, printitn=0)

        def run_polyad(epochs):
            polyad.fit(data, 5, loss, method="gcp-sgd", samples=1000, epochs=epochs, epoch_iterations=100, estimate_samples=1000, starts=1, schedule="constant",
                       rate=1e-3, finish="none", threads=1, progress=False, warn=False, **options)  # fmt: skip

        slow, quick = per_iteration(run_pyttb, 1, 3), per_iteration(run_polyad, 10, 100)
        print(f"{name}: an iteration of 1000 samples takes pyttb {slow:.0f} us, polyad {quick:.1f} us, ratio {slow / quick:.0f}")


if __name__ == "__main__":
    main()

"""Experiment 2: dense measurements of gases, beta-divergence; run times, losses, and trials grouped by gas."""
import os
import threading

import h5py
import numpy

from . import gas_problem, kmeans
from .gas_figures import box_figure, factor_figure
from .gas_setting import EXACT, FULL, FULL_FIRST, FULL_SECONDS, NAME, PAPER, QUICK_SHAPE, SEED, SGD, SHAPE  # noqa: F401
from .gas_words import conclusions, section  # noqa: F401
from .runner import Fit, Problem, read_model, rounded, words

NUMBER = "2."
TITLE = "Dense gas measurements"


def make_problem(runner, shape):
    path = runner.at(f"gas-{'x'.join(map(str, shape))}-seed{SEED}.npy")
    if not os.path.exists(path):
        gas_problem.write(path, shape, SEED)
    return Problem(path)


def clustering(trial):
    """The share of trials that k-means groups by gas."""
    labels, _ = kmeans.kmeans(trial, gas_problem.GASES, PAPER["kmeans_replicates"])
    return kmeans.accuracy(labels, gas_problem.gases(len(trial)))


class Judge:
    """What is kept of a model: accuracy, the loss both exactly and on the shared sample, the factors of the best."""

    def __init__(self, runner, problem):
        self.runner, self.problem, self.lock = runner, problem, threading.Lock()

    def first_loss(self, model, options):
        """The loss that a fit with these options begins with when it begins from this model."""
        out = f"{model}-judged.h5"
        self.runner.polyad("fit", self.problem.data, *words(options), "--start-from", model, "--starts", 1, "--threads", 1,
                           "--time-limit", "1e-9", "-o", out, "--quiet")
        with h5py.File(out) as file:
            first = float(file["trace/1"][0]["estimate"])
        os.remove(out)
        return rounded(first, 9)

    def after(self, setting, start):
        def judge(model):
            weights, factors = read_model(model)
            out = {"accuracy": round(clustering(factors[3]), 4)}
            if setting["s"] == FULL:
                with h5py.File(model) as file:
                    out["exact"] = rounded(float(file["trace/1"][-1]["estimate"]), 9)
                out["estimate"] = self.first_loss(model, SGD)
            else:
                out["exact"] = self.first_loss(model, EXACT)
            self.keep_best(out, setting, start, weights, factors)
            return out
        return judge

    def keep_best(self, found, setting, start, weights, factors):
        with self.lock:
            known = self.runner.results.value("best model")
            if known is not None and (known["exact"], known["start"]) <= (found["exact"], start):
                return
            value = {**found, "setting": setting, "start": start, "weights": [rounded(w) for w in weights],
                     "factors": [[[rounded(x, 3) for x in column] for column in f.T] for f in factors]}
            self.runner.results.put("values", "best model", {"value": value, **self.runner.stamp()})


def run(runner):
    shape = QUICK_SHAPE if runner.quick else SHAPE
    problem = make_problem(runner, shape)
    runner.value("problem", lambda: {"shape": list(shape), "quick": runner.quick})
    planted = gas_problem.parts(shape, SEED)["trial"]
    runner.value("accuracy of the planted trials", lambda: clustering(planted / numpy.linalg.norm(planted, axis=0)))
    judge = Judge(runner, problem)
    samples = [15, 125, 1000] if runner.quick else PAPER["samples"]
    starts = 3 if runner.quick else PAPER["starts"]
    of = lambda s: {**EXACT, "time-limit": FULL_SECONDS} if s == FULL else {**SGD, "samples": s}
    fit = lambda s, start: Fit({"s": s}, start, problem, of(s), judge.after({"s": s}, start), rows=40)
    full_first = 2 if runner.quick else FULL_FIRST
    wanted = []
    for start in range(1, starts + 1):
        wanted += [fit(s, start) for s in ([FULL] if start <= full_first else []) + samples]
    if not runner.quick:
        wanted += [fit(FULL, start) for start in range(FULL_FIRST + 1, starts + 1)]
    runner.fits(wanted)


def figures(results, folder):
    box_figure(results, folder)
    factor_figure(results, folder)

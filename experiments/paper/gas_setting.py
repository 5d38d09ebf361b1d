"""Sizes and options of experiment 2, and how its runs are called."""
from . import reported
from .runner import PAPER_SCHEDULE

NAME = "gas"
PAPER = reported.GAS
FULL = "full"
SHAPE, SEED, RANK = (71, 1250, 5, 140), 1, 4
QUICK_SHAPE = (30, 110, 5, 70)  # over 1e6 cells: up to there 'polyad fit' judges every cell, which takes seconds
LOSS = {"rank": RANK, "loss": "beta-divergence:beta=0.5"}
ESTIMATE = {"sampler": "uniform", "estimate-samples": PAPER["estimate_samples"], "estimate-seed": 1}
SGD = {**LOSS, **PAPER_SCHEDULE, **ESTIMATE}
EXACT = {**LOSS, "method": "gcp-full"}
FULL_SECONDS = 240  # of a run with full gradients; from two guesses it is run in turn with the others, then from the rest
FULL_FIRST = 2
CLOSE = 1e-5  # losses that differ by less than this part count as equal, or five times that in a reduced run


def groups(results):
    """Runs by s, ascending, those with full gradients last."""
    order = lambda s: float("inf") if s == FULL else s
    return {s: results.select(s=s) for s in sorted({r["setting"]["s"] for r in results.runs}, key=order)}


def label(s):
    return FULL if s == FULL else f"{s}"


def told_s(s):
    return "full gradients" if s == FULL else f"s = {s}"


def percent(x):
    return f"{100 * x:.1f} %"

"""Experiment 7, beyond the paper: our defaults, sensitivity, missing data, weighted zeros."""
import matplotlib.pyplot as plt

from . import figures as draw
from . import missing, schedules, weighted
from .text import paragraphs, picture

NUMBER = "7."
NAME = "beyond"
TITLE = "Beyond the paper: defaults, sensitivity, missing data, weighted zeros"
PICTURE = f"{NAME}-weights.svg"


def run(runner):
    schedules.default_fits(runner)
    missing.fits_of(runner)
    weighted.fits_of(runner)
    schedules.sensitivity_fits(runner)


def both(results):
    return weighted.cases(results) and missing.hidden_percents(results)


def figures(results, folder):
    schedules.figures(results, folder)
    if both(results):
        figure, (left, right) = plt.subplots(1, 2, figsize=(8.2, 3.3), constrained_layout=True)
        missing.draw_axes(left, results)
        weighted.draw_axes(right, results)
        draw.save(figure, folder, PICTURE)


def conclusions(results):
    return schedules.conclusions(results) + missing.conclusions(results) + weighted.conclusions(results)


def section(results):
    parts = ["Nothing here is in the paper; it asks what its successors would.", *schedules.parts(results)]
    if both(results):
        parts += [*missing.parts(results),
                  picture("Left: error against share of hidden cells; right: ranking against the weight of zeros", PICTURE),
                  *weighted.parts(results)]
    return paragraphs(*parts)

"""Part of experiment 7: what sampling only observed cells is worth, against taking missing ones for zeros."""
import os

import numpy

from . import figures as draw
from .runner import RECOVERED, Conclusion, Fit, Problem, read_model, rounded
from .text import figure, median, seconds, table

HIDDEN = [10, 50, 90]


def fits_of(runner):
    """A dense problem with cells hidden: as missing, and wrongly as zeros."""
    shape = "30x25x20x15" if runner.quick else "60x50x40x30"
    whole = runner.problem("missing", ["gaussian", "--shape", shape, "--rank", "5", "--nonnegative", "true", "--snr", "1"],
                           "npy")
    truth = dense(*read_model(whole.truth))
    fits = []
    options = {"rank": 5, "loss": "gaussian", "lower": 0, "finish": "none"}
    hidden_by_percent = {percent: hidden_cells(truth.shape, percent) for percent in (HIDDEN[1:] if runner.quick else HIDDEN)}
    for start in range(1, (1 if runner.quick else 2) + 1):
        fits.append(Fit({"hidden": 0, "as": "missing"}, start, whole, options))
        for percent, hidden in hidden_by_percent.items():
            for filled in ("missing", "zeros"):
                problem = Problem(hide(runner, whole, percent, hidden, filled), whole.truth)
                fits.append(Fit({"hidden": percent, "as": filled}, start, problem, options,
                                after=lambda model, hidden=hidden: {"error": hidden_error(model, truth, hidden)}))
    runner.fits(fits)


def hidden_cells(shape, percent):
    return numpy.random.default_rng(percent).random(shape) < percent / 100


def hide(runner, whole, percent, hidden, filled):
    path = runner.at(f"missing-{percent}-{filled}.npy")
    if not os.path.exists(path):
        values = numpy.load(whole.data)
        values[hidden] = numpy.nan if filled == "missing" else 0
        numpy.save(path, values)
    return path


def dense(weights, factors):
    letters = "abcdefgh"[:len(factors)]
    return numpy.einsum("z," + ",".join(f"{c}z" for c in letters) + "->" + letters, weights, *factors, optimize=True)


def hidden_error(model, truth, hidden):
    """How far the model is from the true one in hidden cells, relative to the true one."""
    found = dense(*read_model(model))
    return {"relative": rounded(numpy.linalg.norm((found - truth)[hidden]) / numpy.linalg.norm(truth[hidden]), 4)}


def hidden_percents(results):
    return sorted({r["setting"]["hidden"] for r in results.runs if r["setting"].get("hidden")})


def missing_of(results, percent, filled):
    return median(r["score"] for r in results.select(hidden=percent, **{"as": filled}))


def error_of(results, percent, filled):
    return median(r["error"]["relative"] for r in results.select(hidden=percent, **{"as": filled}))


def draw_axes(axes, results):
    percents = hidden_percents(results)
    draw.lines_axes(axes, {f"as {filled}": (percents, [error_of(results, p, filled) for p in percents])
                           for filled in ("missing", "zeros")}, "percent of the cells hidden", "relative error in hidden cells")
    axes.set_ylim(0, 1)
    axes.set_title("Hidden cells as missing, or wrongly as zeros")


def conclusions(results):
    found = []
    for percent in hidden_percents(results):
        right, wrong = (error_of(results, percent, filled) for filled in ("missing", "zeros"))
        score = missing_of(results, percent, "missing")
        found.append(Conclusion(
            f"With {percent} % hidden, treating them as missing recovers the factors, and its error in hidden cells is less "
            "than half of that with zeros.", score >= RECOVERED and right < wrong / 2,
            f"median score {figure(score)}, error {figure(right)} against {figure(wrong)}"))
    return found


def parts(results):
    kinds = ("missing", "zeros")
    of = lambda p, kind: results.select(hidden=p, **{"as": kind})
    rows = [[f"{p} %", *(figure(missing_of(results, p, k), 4) for k in kinds),
             *(figure(error_of(results, p, k)) for k in kinds),
             *(seconds(median(r["seconds"] for r in of(p, k))) for k in kinds)] for p in hidden_percents(results)]
    return [
        "**Missing data.** A dense gaussian problem with noise as large as the signal, cells hidden at random; then fitted "
        "with NaN in the hidden cells, which are never drawn, and, wrongly, with zeros in them. Error: distance from the true "
        "model in hidden cells, relative to it. Medians of "
        f"{len(of(hidden_percents(results)[0], 'missing'))} starts. Missing cells cost time: candidates are "
        "rejected, or, where few cells are observed, drawn from a list.",
        table(["hidden", "score, as missing", "score, as zeros", "error, as missing", "error, as zeros", "a start, as missing",
               "a start, as zeros"], rows)]

"""Experiment 3: how many samples a gradient needs on sparse binary data."""
from . import figures as draw
from . import reported
from .runner import PAPER_SCHEDULE, RECOVERED, Conclusion, Fit, model_norm
from .text import figure, median, paragraphs, picture, seconds, table

NUMBER = "3."
NAME = "binary"
TITLE = "Samples for sparse data"
PAPER = reported.BINARY


def samples(runner):
    return [60, 125, 500] if runner.quick else PAPER["samples"]


def options(norm):
    return {"rank": 5, "loss": "bernoulli-odds", **PAPER_SCHEDULE, "sampler": "stratified", "init-norm": norm,
            "estimate-samples": PAPER["estimate_samples"], "estimate-seed": 1}


def run(runner):
    make = ["binary", "--shape", "60x50x40x30" if runner.quick else "200x150x100x50"]
    problem = runner.problem("binary", make, "h5")
    norm = f"{runner.value('norm of the true model', lambda: model_norm(problem.truth)):.10g}"
    runner.truth_estimate("estimate of the true model", problem, options(norm))
    starts = 5 if runner.quick else PAPER["starts"]
    runner.fits([Fit({"s": s}, start, problem, {**options(norm), "samples": s})
                 for start in range(1, starts + 1) for s in samples(runner)])


def groups(results):
    by_s = {}
    for run in results.runs:
        by_s.setdefault(run["setting"]["s"], []).append(run)
    return dict(sorted(by_s.items()))


def recovered(runs):
    return sum(r["score"] >= RECOVERED for r in runs)


def epoch(runs):
    return median(s for r in runs for s in r["epochs"])


def same_guesses(results):
    """Whether the first estimates of a start are equal whatever the setting."""
    first = {}
    for run in results.runs:
        first.setdefault(run["start"], set()).add(run["trace"][0][1])
    return all(len(values) == 1 for values in first.values())


def figures(results, folder):
    by_s = {f"s = {s}": runs for s, runs in groups(results).items()}
    truth = results.value("estimate of the true model")
    draw.comparison(folder, f"{NAME}-runs.svg", by_s, truth, draw.zoom(by_s, truth, 0.5))


def conclusions(results):
    by_s = groups(results)
    least, most = min(by_s), max(by_s)
    counts = {s: f"{recovered(runs)} of {len(runs)} at s = {s}" for s, runs in by_s.items()}
    rate = {s: recovered(runs) / len(runs) for s, runs in by_s.items()}
    return [
        Conclusion("Every number of samples starts from the same guesses.", same_guesses(results),
                   f"first estimates of {len({r['start'] for r in results.runs})} starts"),
        Conclusion("The fewest samples recover least often.", rate[least] == min(rate.values()) and rate[least] < rate[most],
                   f"{counts[least]}, {counts[most]}"),
        Conclusion("The most samples recover most often.", rate[most] == max(rate.values()), ", ".join(counts.values())),
    ]


def section(results):
    by_s = groups(results)
    rows = [[s, f"{recovered(runs)} of {len(runs)}", figure(median(r["score"] for r in runs)), seconds(epoch(runs)),
             f"{median(r['epochs_run'] for r in runs):g}", seconds(median(r["seconds"] for r in runs)),
             figure(median(r["estimate"] for r in runs), 6)] for s, runs in by_s.items()]
    return paragraphs(
        picture("Loss against time for each number of samples, recovered counts and time an epoch", "binary-runs.svg"),
        table(["s", "recovered", "median score", "an epoch", "epochs", "a run", "median loss"], rows))

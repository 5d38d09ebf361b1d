"""Experiment 4: uniform, stratified and semi-stratified sampling of a large sparse tensor; and Table 1."""
from . import figures as draw
from . import reported
from .binary import SMALL
from .compare import counts, epoch_seconds, groups, made, rate, runs_table, shared_guesses, starts_done
from .runner import PAPER_SCHEDULE, RECOVERED, Conclusion, Fit
from .text import figure, median, paragraphs, picture, seconds, share, table

NUMBER = "4."
NAME = "samplers"
TITLE = "Samplers of sparse data, their bias and variance"
PAPER = reported.SAMPLERS
SAMPLERS = ["uniform", "stratified", "semi-stratified"]
MOMENTS = ["initial guess", "final model"]
COMMON = {"rank": 5, "loss": "bernoulli-odds", **PAPER_SCHEDULE, "estimate-samples": PAPER["estimate_samples"],
          "estimate-seed": 1}


def problem(runner):
    make = SMALL if runner.quick else ["--shape", "400x300x200x100", "--rho-low", "0.002"]
    return runner.problem("binary400", ["binary", *make], "h5")


def fit(runner, data, sampler, start):
    samples = 400 if runner.quick else PAPER["samples"]
    return Fit({"sampler": sampler}, start, data, {**COMMON, "sampler": sampler, "samples": samples})


def run(runner):
    data = problem(runner)
    runner.truth_estimate("estimate of the true model", data, {**COMMON, "sampler": "stratified"})
    starts = range(1, (5 if runner.quick else PAPER["starts"]) + 1)
    runner.fits([fit(runner, data, sampler, start) for start in starts for sampler in SAMPLERS])
    table_1(runner, data)


def best(results):
    return min(results.runs, key=lambda r: r["estimate"])


def table_1(runner, data):
    """At the guess of start 1 and at the best of all final models, against the exact gradient."""
    job = {"data": data.data, "loss": "bernoulli-odds", "rank": 5, "seed": 1, "draws": PAPER["draws"], "exact": True,
           "samplers": [{"sampler": s, "samples": 400 if runner.quick else PAPER["samples"]} for s in SAMPLERS]}
    runner.variance("initial guess", job)
    last = best(runner.results)
    asked = runner.value("best model", lambda: [last["setting"]["sampler"], last["start"]])
    if runner.results.value("final model") is None:
        runner.variance("final model", {**job, "model": runner.model(fit(runner, data, *asked))})


def rows(results, moment):
    """{sampler: row} of Table 1, and the norm of the exact gradient."""
    value = results.value(moment)
    return {row["options"]["sampler"]: row for row in value["rows"]}, value["norm"]


def figures(results, folder):
    by_sampler = groups(results, "sampler", SAMPLERS)
    truth = results.value("estimate of the true model")
    draw.comparison(folder, f"{NAME}-runs.svg", by_sampler, truth, draw.zoom(by_sampler, truth))


def variance_conclusions(results):
    enough = 3 if results.quick else 30
    found = []
    for moment, times in zip(MOMENTS, (1, enough)):
        if results.value(moment) is None:
            continue
        by, _ = rows(results, moment)
        ratios = {s: by[s]["bias"] / by[s]["expected_bias"] for s in SAMPLERS}
        gain = by["uniform"]["variance"] / by["stratified"]["variance"]
        near = by["semi-stratified"]["variance"] / by["stratified"]["variance"]
        told = reported_ratio(moment)
        found += [
            Conclusion(f"At the {moment} the empirical bias is what an unbiased sampler shows, about √(variance / N).",
                       all(0.5 < r < 2 for r in ratios.values()),
                       ", ".join(f"{s} {r:.2f} times" for s, r in ratios.items())),
            Conclusion(f"At the {moment} stratified sampling varies " + (f"at least {times} times " if times > 1 else "") +
                       "less than uniform sampling.", gain > times, f"{gain:.1f} times; the paper: {told:.1f}"),
            Conclusion(f"At the {moment} semi-stratified sampling is close to stratified.", 0.8 < near < 1.25,
                       f"{near:.2f} times its variance"),
        ]
    return found


def reported_ratio(moment):
    by = PAPER["table"][moment][1]
    return by["uniform"][1] / by["stratified"][1]


def level(results):
    """A loss that only runs which have found the components come down to; a tenth above that of the true model."""
    return 1.1 * results.value("estimate of the true model")


def reached(results, runs):
    """Seconds of the runs that come down to the level."""
    times = (next((t for t, f in r["trace"] if f <= level(results)), None) for r in runs)
    return [t for t in times if t is not None]


def conclusions(results):
    by = groups(results, "sampler", SAMPLERS)
    finals = {s: median(r["estimate"] for r in runs) for s, runs in by.items()}
    found = [
        shared_guesses(results.runs, "samplers"),
        Conclusion("The stratified samplers recover more often than uniform sampling.",
                   min(rate(by["stratified"]), rate(by["semi-stratified"])) > rate(by["uniform"]), counts(by, str)),
        Conclusion("The stratified samplers end at a lower loss.",
                   max(finals["stratified"], finals["semi-stratified"]) < finals["uniform"],
                   ", ".join(f"{s} {figure(f, 5)}" for s, f in finals.items())),
    ]
    if not results.quick:
        speed = {s: reached(results, runs) for s, runs in by.items()}
        found.append(Conclusion("The stratified samplers converge faster: they come within a tenth of the true model's loss in "
                                "less than half of the time.",
                                max(median(speed[s]) for s in SAMPLERS[1:]) < median(speed["uniform"]) / 2,
                                ", ".join(f"{s} {seconds(median(times))}" for s, times in speed.items())))
        cost = {s: 1000 * epoch_seconds(runs) for s, runs in by.items()}
        found.append(Conclusion("The stratified samplers cost less an epoch than uniform sampling.",
                                max(cost["stratified"], cost["semi-stratified"]) < cost["uniform"],
                                ", ".join(f"{s} {ms:.0f} ms" for s, ms in cost.items())))
    return found + variance_conclusions(results)


def variance_table(results):
    lines = []
    for moment in filter(results.value, MOMENTS):
        by, norm = rows(results, moment)
        paper_norm, paper = PAPER["table"][moment]
        for s in SAMPLERS:
            lines.append([f"{moment}, gradient of norm {norm:.2e} ({paper_norm:.2e})", s,
                          f"{by[s]['bias']:.2e} ({paper[s][0]:.2e})", f"{by[s]['variance']:.2e} ({paper[s][1]:.2e})",
                          f"{by[s]['us']:.0f}"])
    return table(["here (the paper)", "sampler", "empirical bias", "empirical variance", "µs an iteration"], lines)


def section(results):
    by = groups(results, "sampler", SAMPLERS)
    sampler, start = results.value("best model", ("", ""))
    return paragraphs(
        f"**The paper.** A binary tensor of 400 x 300 x 200 x 100, {PAPER['nonzeros']:,} nonzeros ({PAPER['structural']:,} "
        f"from the sparse components, {PAPER['noise']:,} of noise); s = {PAPER['samples']}; {PAPER['starts']} starts scaled "
        f"to the norm of the data; the loss estimated from the same {PAPER['estimate_samples']:,} stratified samples for all. "
        "The stratified samplers converge faster, recover more often and cost less an epoch. Table 1: bias and variance of "
        f"N = {PAPER['draws']} gradients at an initial guess and at the best final model.",
        f"**Here.** The same with `--sampler` ({made(results, 'binary400')}). " + starts_done(by, PAPER["starts"]),
        picture("Samplers: loss against time, recovered counts, time an epoch", f"{NAME}-runs.svg"),
        runs_table("sampler", by),
        f"Table 1: {PAPER['draws']} draws each, against the exact gradient over all cells; the final model is "
        f"the best of all runs ({sampler}, start {start}). An unbiased sampler has an empirical bias of about "
        "√(variance / N): it is the error of the mean, not a bias.",
        variance_table(results),
        "polyad's own sampler `exact-zeros` sums the zeros' part of the gradient exactly instead of drawing it. That needs a "
        "loss whose sum over all cells follows from the factors without visiting cells, as that of m (`poisson`, by column "
        "sums) and of m² (`gaussian`, by products of columns) does. Here a zero costs log(1 + m), whose sum does not, so "
        "`exact-zeros` does not apply to odds and zeros have to be drawn.",
        "**Differences.** Which of the stationary points a start finds is a matter of the start: runs that come within a tenth "
        "of the true model's loss are " + ", ".join(f"{share(len(reached(results, runs)), len(runs))} ({s})"
                                                    for s, runs in by.items()) +
        ". Whether such a run counts as recovered is a close matter here: their median scores are " +
        ", ".join(f"{figure(near_score(results, runs))} ({s})" for s, runs in by.items()) +
        f", at both sides of the limit of {RECOVERED}, because the paper's schedule ends at the second epoch that raises the "
        "estimate, with the noise of its rate still in the factors (compare the scores in experiment 7). "
        "Uniform sampling takes more epochs until then. Norms and variances depend on the scale and the fit of the instance; "
        "the ratios between samplers are what carries over.")


def near_score(results, runs):
    """Median score of the runs that come down to the level."""
    return median(r["score"] for r in runs if any(f <= level(results) for _, f in r["trace"]))

"""Experiment 7, beyond the paper: our defaults, sensitivity, missing data, weighted zeros."""
import math
import os

import matplotlib.pyplot as plt
import numpy

from . import binary, gamma, recommender, samplers
from . import figures as draw
from . import reported
from .compare import groups, rate, recovered
from .runner import PAPER_SCHEDULE, Conclusion, Fit, Problem, read_model
from .text import figure, median, paragraphs, picture, seconds, share, table

NUMBER = "7."
NAME = "beyond"
TITLE = "Beyond the paper: defaults, sensitivity, missing data, weighted zeros"
TESTS = {"binary": binary, "samplers": samplers, "gamma": gamma}
NAMES = {"gamma": "dense gamma (1)", "binary": "binary (3)", "samplers": "large binary (4)"}
LOSSES = {"gamma": "gamma", "binary": "bernoulli-odds", "samplers": "bernoulli-odds"}
RATES = [0.0025, 0.005, 0.01, 0.02, 0.04]
SAMPLES = [125, 250, 500, 1000, 2000, 4000]
HIDDEN = [10, 50, 90]
GAMMA_STARTS = 5  # every start recovers there
RANKED = ["bernoulli-odds", "gaussian"]
NO_ZEROS = "no zeros"
SCHEDULES = {"default": {"finish": "none"}, "paper": {**PAPER_SCHEDULE, "sampler": "stratified"}}


def run(runner):
    default_fits(runner)
    missing_fits(runner)
    recommender_fits(runner)
    sensitivity_fits(runner)


# ---- our defaults against the paper's schedule

def default_fits(runner):
    tests = ["binary"] if runner.quick else list(TESTS)
    data = {test: TESTS[test].problem(runner) for test in tests}
    runner.fits([Fit({"defaults": test}, start, data[test], {"rank": 5, "loss": LOSSES[test]})
                 for start in range(1, (5 if runner.quick else reported.BINARY["starts"]) + 1) for test in tests
                 if test != "gamma" or start <= GAMMA_STARTS])


def paper_runs(results, test):
    """{setting: runs} of the paper's schedule on a problem, from its own experiment."""
    other = results.others.get(test)
    if other is None or not other.known():
        return {}
    if test == "samplers":
        return groups(other, "sampler", ["stratified", "semi-stratified"])
    return {f"s = {s}": runs for s, runs in groups(other, "s").items()}


def spent(runs):
    return sum(r["seconds"] for r in runs) / len(runs)


def expected(runs):
    """Mean seconds until a start recovers, if starts are repeated."""
    return spent(runs) / rate(runs) if recovered(runs) else math.inf


def almost_sure(runs):
    """Seconds of as many starts as make at least one recover with a chance of 99 %."""
    p = rate(runs)
    if p == 0:
        return math.inf
    return spent(runs) * (1 if p == 1 else max(1, math.log(0.01) / math.log(1 - p)))


def solution_rows(results):
    rows = []
    for test in ("gamma", "binary", "samplers"):
        ours = results.select(defaults=test)
        everything = {**{f"the paper's schedule, {k}": v for k, v in paper_runs(results, test).items()},
                      **({"polyad's defaults": ours} if ours else {})}
        for name, runs in everything.items():
            rows.append((NAMES[test], name, runs))
    return rows


def forever(s):
    return "never" if math.isinf(s) else seconds(s)


# ---- sensitivity to rate and samples, on the problem of experiment 3

def sensitivity_fits(runner):
    if runner.quick:
        return
    data = binary.problem(runner)
    wanted = {}
    for start in range(1, 9):
        for name, options in SCHEDULES.items():
            common = {"rank": 5, "loss": "bernoulli-odds", **options}
            for r in RATES:
                setting = {"schedule": name, "rate": r, "s": 1000}
                wanted[str(setting), start] = Fit(setting, start, data, {**common, "rate": r, "samples": 1000})
            for s in SAMPLES:
                setting = {"schedule": name, "rate": 0.01 if name == "paper" else "auto", "s": s}
                wanted[str(setting), start] = Fit(setting, start, data, {**common, "samples": s})
    runner.fits(list(wanted.values()))


def sweep(results, schedule, item):
    """{value: runs} over the rates at s = 1000, or over s at the schedule's own rate."""
    if item == "rate":
        fixed = {r: results.select(schedule=schedule, rate=r, s=1000) for r in RATES}
    else:
        own = 0.01 if schedule == "paper" else "auto"
        fixed = {s: results.select(schedule=schedule, rate=own, s=s) for s in SAMPLES}
    return {value: runs for value, runs in fixed.items() if runs}


# ---- missing data

def missing_fits(runner):
    """A dense problem with cells hidden: as missing, and wrongly as zeros."""
    shape = "30x25x20x15" if runner.quick else "60x50x40x30"
    whole = runner.problem("missing", ["gaussian", "--shape", shape, "--rank", "5", "--nonnegative", "true", "--snr", "1"], "npy")
    truth = dense(*read_model(whole.truth))
    fits = []
    options = {"rank": 5, "loss": "gaussian", "lower": 0, "finish": "none"}
    hidden_by_percent = {percent: hidden_cells(truth.shape, percent) for percent in (HIDDEN[1:] if runner.quick else HIDDEN)}
    for start in range(1, (1 if runner.quick else 3) + 1):
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
    return {"relative": float(f"{numpy.linalg.norm((found - truth)[hidden]) / numpy.linalg.norm(truth[hidden]):.4g}")}


# ---- weighted zeros

def recommender_fits(runner):
    weights = ["1", "0.1"] if runner.quick else ["1", "0.3", "0.1", "0.03", "0.01"]
    zeros = {w: {"zero-weight": w} for w in weights} | {NO_ZEROS: {"unlisted": "missing"}}
    fits = []
    for name in list(recommender.PROBLEMS)[:1 if runner.quick else None]:
        taste = recommender.make(name)
        data = Problem(runner.at(f"recommender-{name.replace(' ', '-')}.tns"))
        recommender.write(taste, data.data)
        runner.value(f"recommender {name}", lambda: recommender.describe(taste))
        judge = lambda model, taste=taste: {"ranking": recommender.judge(taste, *read_model(model))}
        for start in range(1, (1 if runner.quick else 3) + 1):
            for loss in RANKED:
                common = {"rank": recommender.RANK, "loss": loss, "lower": 0, "shape": "x".join(map(str, taste.shape)),
                          "finish": "none"}
                fits += [Fit({"recommender": name, "loss": loss, "zeros": way}, start, data, {**common, **options}, judge)
                         for way, options in zeros.items()]
    runner.fits(fits)


def ranking(results, name, loss, way, measure):
    return median(r["ranking"][measure] for r in results.select(recommender=name, loss=loss, zeros=way))


def ways(results):
    """From the heaviest zeros to none."""
    found = {r["setting"]["zeros"] for r in results.runs if "zeros" in r["setting"]}
    return sorted(found, key=lambda w: (w == NO_ZEROS, -float(w) if w != NO_ZEROS else 0))


def cases(results):
    return [(name, loss) for name in recommender.PROBLEMS for loss in RANKED
            if {r["setting"]["zeros"] for r in results.select(recommender=name, loss=loss)} == set(ways(results)) != set()]


# ---- what comes out

def figures(results, folder):
    if results.select(schedule="paper"):
        figure_, panels = plt.subplots(1, 2, figsize=(8.2, 3.3), constrained_layout=True, sharey=True)
        for axes, item, label in zip(panels, ("rate", "s"), ("step size (s = 1000)", "samples an iteration")):
            draw.lines_axes(axes, {f"{name} schedule": points(sweep(results, name, item)) for name in SCHEDULES}, label,
                            "share of starts that recover" if item == "rate" else "")
            axes.set_xscale("log")
            values = list(sweep(results, "default", item))
            axes.set_xticks(values, [f"{v:g}" for v in values])
            axes.minorticks_off()
            axes.set_ylim(-0.03, 1.05)
        draw.save(figure_, folder, f"{NAME}-sensitivity.svg")
    if not cases(results) or not hidden_percents(results):
        return
    figure_, (left, right) = plt.subplots(1, 2, figsize=(8.2, 3.3), constrained_layout=True)
    draw.lines_axes(left, {f"as {filled}": missing_points(results, filled) for filled in ("missing", "zeros")},
                    "percent of the cells hidden", "median score")
    left.set_ylim(-0.03, 1.05)
    left.set_title("Hidden cells treated as missing, or wrongly as zeros")
    names = ways(results)
    draw.lines_axes(right, {f"{name}, {loss}": (names, [ranking(results, name, loss, w, "unseen") for w in names])
                            for name, loss in cases(results)}, "weight of zeros", "area under the curve")
    right.set_title("Recommender: how well unseen likes rank")
    draw.save(figure_, folder, f"{NAME}-weights.svg")


def points(by_value):
    return list(by_value), [rate(runs) for runs in by_value.values()]


def missing_points(results, filled):
    whole = results.select(hidden=0)
    known = [(0, whole)] + [(p, results.select(hidden=p, **{"as": filled})) for p in hidden_percents(results)]
    return list(zip(*[(p, median(r["score"] for r in runs)) for p, runs in known]))


def hidden_percents(results):
    return sorted({r["setting"]["hidden"] for r in results.runs if r["setting"].get("hidden")})


def missing_of(results, percent, filled):
    return median(r["score"] for r in results.select(hidden=percent, **{"as": filled}))


def conclusions(results):
    found = []
    for test in TESTS:
        ours, theirs = results.select(defaults=test), paper_runs(results, test)
        if not ours or not theirs:
            continue
        best = max(theirs, key=lambda k: rate(theirs[k]))
        found.append(Conclusion(
            f"{NAMES[test].capitalize()}: a start of our defaults recovers about as often as the best setting of the paper's "
            "schedule, or more.", rate(ours) >= rate(theirs[best]) - 0.1,
            f"{share(recovered(ours), len(ours))} against {share(recovered(theirs[best]), len(theirs[best]))} at {best}"))
    if results.select(schedule="paper"):
        worst = {(name, item): min(map(rate, sweep(results, name, item).values())) for name in SCHEDULES for item in ("rate", "s")}
        for item, text in (("rate", "rates"), ("s", "numbers of samples")):
            found.append(Conclusion(f"Over the {text} tried, the worst share of the default schedule is at least that of the "
                                    "paper's.", worst["default", item] >= worst["paper", item],
                                    f"{worst['default', item]:.0%} against {worst['paper', item]:.0%}"))
    for percent in hidden_percents(results):
        right, wrong = missing_of(results, percent, "missing"), missing_of(results, percent, "zeros")
        text = f"With {percent} % hidden, treating them as missing " + (
            "recovers the factors." if percent < 90 else "scores higher than treating them as zeros.")
        found.append(Conclusion(text, right >= 0.9 if percent < 90 else right > wrong,
                                f"median score {figure(right)}; as zeros {figure(wrong)}"))
    if not cases(results):
        return found
    gains = {c: [ranking(results, *c, w, "unseen") for w in ("0.1", "1", NO_ZEROS)] for c in cases(results)}
    better = sum(light > full for light, full, _ in gains.values())
    found += [
        Conclusion("Zeros of weight 0.1 rank unseen likes better than zeros of weight 1 in most of these problems and losses.",
                   better > len(gains) / 2, f"{share(better, len(gains))}: " + ", ".join(
                       f"{name} {loss} {light:.3f} against {full:.3f}" for (name, loss), (light, full, _) in gains.items())),
        Conclusion("Leaving zeros out altogether ranks worse than weight 0.1.",
                   all(light > none for light, _, none in gains.values()),
                   ", ".join(f"{none:.3f} against {light:.3f}" for light, _, none in gains.values()))]
    return found


def section(results):
    solutions = [[problem, name, share(recovered(runs), len(runs)), figure(median(r["score"] for r in runs), 4),
                  seconds(spent(runs)), forever(expected(runs)), forever(almost_sure(runs))]
                 for problem, name, runs in solution_rows(results)]
    parts = [
        "Nothing here is in the paper; it asks what its successors would.",
        "**Defaults against the paper's schedule.** Single starts on the problems of experiments 1, 3 and 4. The paper's "
        "schedule as in those experiments, on problem 3 from starts scaled to the norm of the true model, which a user does "
        "not know. Polyad's defaults know the data only: a cosine schedule of 20 epochs, a rate of 1.5 % of the "
        "starting entries, starts scaled to the norm of the data. Expected: mean seconds of a start divided by the share that "
        "recovers. 99 %: as many starts as make one recover with that chance.",
        table(["problem", "fit", "recovered", "median score", "a start", "expected", "99 %"], solutions)]
    if results.select(schedule="paper"):
        parts += [
            f"**Sensitivity**, on the problem of experiment 3, {len(results.select(schedule='paper', rate=0.01, s=1000))} "
            "starts a point, all scaled to the norm of the data. Left, the rate; right, the samples an iteration at the "
            "schedule's own rate (0.01 for the paper's, 1.5 % of the starting entries for the default).",
            picture("Share of starts that recover against step size and samples, both schedules", f"{NAME}-sensitivity.svg")]
    if cases(results) and hidden_percents(results):
        parts += [*missing_parts(results), picture("Left: score against share of hidden cells; right: ranking against the weight "
                                                   "of zeros", f"{NAME}-weights.svg"), *recommender_parts(results)]
    return paragraphs(*parts)


def missing_parts(results):
    kinds = ("missing", "zeros")
    of = lambda p, kind: results.select(hidden=p, **{"as": kind})
    rows = [[f"{p} %", *(figure(missing_of(results, p, k), 4) for k in kinds),
             *(figure(median(r["error"]["relative"] for r in of(p, k))) for k in kinds),
             *(seconds(median(r["seconds"] for r in of(p, k))) for k in kinds)] for p in hidden_percents(results)]
    return [
        "**Missing data.** A dense gaussian problem with noise as large as the signal, cells hidden at random; then fitted with "
        "NaN in the hidden cells, which are never drawn, and, wrongly, with zeros in them. Error: distance from the true "
        "model in hidden cells, relative to it. Medians of "
        f"{len(of(hidden_percents(results)[0], 'missing'))} starts. Missing cells cost time: they are drawn and rejected.",
        table(["hidden", "score, as missing", "score, as zeros", "error, as missing", "error, as zeros", "a start, as missing",
               "a start, as zeros"], rows)]


def recommender_parts(results):
    rows = [[name, loss, w, *(figure(ranking(results, name, loss, w, m)) for m in ("unseen", "held", "recall"))]
            for name, loss in cases(results) for w in ways(results)]
    return [
        "**Weighted zeros.** Who likes what when: likes by odds of low rank, of which only those are known that a user has "
        "seen, so a zero is mostly something not seen and should count less. " + " ".join(
            recommender_text(name, results.value(f"recommender {name}"))
            for name in dict.fromkeys(name for name, _ in cases(results))) +
        " Unseen likes and held-out ones: area under the receiver operating characteristic, that is the chance that one of "
        "them ranks before another unknown cell of the same user; recall: held-out ones among the first 20 of their user. "
        f"Medians over starts; *{NO_ZEROS}*: `--unlisted missing`.",
        table(["problem", "loss", "weight of zeros", "unseen likes", "held-out ones", "recall of 20"], rows)]


def recommender_text(name, facts):
    users, items, times = facts["shape"]
    return (f"*{name.capitalize()}*: {users} users, {items} items, {times} seasons, {facts['likes']:,} likes, "
            f"{facts['seen']:,} of them seen, {facts['held']:,} of these held out.")

"""Experiment 5: counts of crimes in Chicago; GCP-Adam, the hybrid and CP-APR, their losses, components and named patterns.

The counts are looked for in the folder named by POLYAD_DATA. With --quick a generated city takes their place, with the same code.
"""
import json
import os
import shutil

import h5py
import numpy

from . import patterns, reported
from .chicago_figures import component_figure, loss_figure, outlines, squares
from .runner import PAPER_SCHEDULE, RECOVERED, Conclusion, Fit, Problem, read_model, rounded
from .text import figure, median, paragraphs, picture, seconds, share, table

NUMBER = "5."
NAME = "chicago"
TITLE = "Crime counts, and CP-APR"
PAPER = reported.CHICAGO
STRATIFIED, SEMI, EXACT, HYBRID, APR = "stratified", "semi-stratified", "exact-zeros", "hybrid", "CP-APR"
SAMPLED = [STRATIFIED, SEMI, EXACT]  # of which only the end is known exactly
METHODS = [HYBRID, *SAMPLED, APR]    # the hybrid first: the others' components are matched with its own
APR_SECONDS = 150
APR_STARTS = 3                       # that take their turn with the others; the rest comes last, for its cost
ALONG = [0.1, 0.25, 0.5]             # parts of its time at which start 1 of a sampled method is stopped to know its exact loss
TOOLBOX = "as the Toolbox's log"      # twice the samples and a tenth of the rate, from one start
PICTURED = 1                         # the start whose components are drawn, as in the paper
TYPES = 13
BINS = 600                           # of the days in a picture, each with its least and greatest value

CRIMES = {"prevalent": "THEFT", "fading": ["NARCOTICS", "BATTERY"]}
CITY = {"prevalent": "bus ride", "growing": ["parcel"]}
SAYS = {"prevalent": "{prevalent} is the most frequent type of a component",
        "summer": "a strong summer season", "first days": "a spike on the first of each month and year, and at midnight",
        "fading": "{fading} fading over the years", "growing": "{growing} growing", "late nights": "late nights"}


def options(method, samples, quick):
    base = {"rank": 6 if quick else PAPER["rank"], "loss": "poisson"}
    if method == APR:
        return {**base, "method": "cp-apr", "apr-update": "pqnr", "time-limit": APR_SECONDS}
    base |= {"samples": samples, "estimate-seed": 1}
    if method in (STRATIFIED, SEMI):
        return {**base, **PAPER_SCHEDULE, "sampler": method}
    if method == EXACT:
        return {**base, "sampler": "exact-zeros", "finish": "none"}
    return base


def chicago(runner):
    """The counts with their labels, as an .h5 file in the work folder, or None."""
    folder = os.path.join(os.environ.get("POLYAD_DATA", ""), "chicago")
    source, path = os.path.join(folder, "crime.tns.gz"), runner.at("chicago.h5")
    if not os.path.exists(source):
        return None
    if not os.path.exists(path):
        names = {"day": "labels-1-date.txt", "hour": "labels-2-hour.txt", "community": "labels-3-community.txt",
                 "type": "labels-4-type.txt"}
        labels = [w for mode, name in names.items() for w in ("--labels", f"{mode}={os.path.join(folder, name)}")]
        runner.polyad("convert", source, path, "--mode-names", ",".join(names), *labels)
    return Problem(path)


def run(runner):
    if runner.quick:
        problem, types = runner.problem("city", ["city"], "h5"), CITY
    else:
        problem, types = chicago(runner), CRIMES
        if problem is None:
            print("chicago: skipped: no chicago/crime.tns.gz in the folder named by POLYAD_DATA", flush=True)
            return
    facts = runner.value("problem", lambda: describe_problem(runner, problem, types))
    samples = facts["samples"]
    starts = 2 if runner.quick else PAPER["starts"]
    look = Look(runner, types)
    fit = lambda method, start: Fit({"method": method}, start, problem, options(method, samples, runner.quick),
                                    look.after(method, start), rows=60 if start == PICTURED else 30)
    along = lambda method: [Fit({"method": method, "stopped": part}, PICTURED, problem,
                                options(method, samples, runner.quick) | {"time-limit": look.part(method, part)}, rows=60)
                            for part in ALONG]
    for start in range(1, starts + 1):
        runner.fits([fit(HYBRID, start)])
        runner.fits([fit(m, start) for m in METHODS if m != HYBRID and (m != APR or start <= APR_STARTS)])
        if start == PICTURED and not runner.quick:
            runner.fits([f for m in SAMPLED for f in along(m)])
            runner.fits([Fit({"method": TOOLBOX}, start, problem, options(STRATIFIED, 2 * samples, False) |
                             {"rate": PAPER["toolbox_rate"]}, look.after(TOOLBOX, start), rows=60)])
    if not runner.quick:
        runner.fits([fit(APR, start) for start in range(APR_STARTS + 1, starts + 1)])


def describe_problem(runner, problem, types):
    told = json.loads(runner.polyad("info", problem.data, "--json"))
    with h5py.File(problem.data) as file:
        days = read_labels(file, 1)
    return {"quick": runner.quick, "shape": told["shape"], "nonzeros": told["listed"], "sum": round(told["mean"] * told["cells"]),
            "types": types, "span": [days[0], days[-1]],
            "samples": sum(told["shape"]) * (2 if runner.quick else 1)}


def read_labels(file, mode):
    return [x.decode() if isinstance(x, bytes) else str(x) for x in file[f"labels/{mode}/entries"][:]]


def by_share(weights, factors):
    """Components in the order of what they expect in all, as polyad numbers them."""
    order = numpy.argsort(-weights * numpy.prod([f.sum(0) for f in factors], axis=0), kind="stable")
    return weights[order], [f[:, order] for f in factors]


def thinned(rows, most):
    """At most so many of the rows, evenly, the first two and the last among them."""
    keep = numpy.unique(numpy.linspace(1, len(rows) - 1, most - 1).round().astype(int)) if len(rows) > most else range(1, len(rows))
    return [rows[i] for i in [0, *keep]] if len(rows) else []


class Look:
    """What is kept of a model: its named patterns, how like the hybrid's from the same start it is, and a picture of it."""

    def __init__(self, runner, types):
        self.runner, self.types = runner, types

    def part(self, method, part):
        done = self.runner.results.select(method=method, stopped=None)[0]
        return rounded(part * done["seconds"], 3)

    def after(self, method, start):
        def look(model):
            weights, factors = by_share(*read_model(model))
            with h5py.File(model) as file:
                labels = [read_labels(file, mode) for mode in (1, 2, 3, 4)]
                trace = file["trace/1"][:]
                by_day, by_type = (file[f"diagnostics/slices/{mode}"][:, 3] for mode in (1, 4))  # what was observed
                told = json.loads(file["summary"].attrs["json"])
            self.runner.value("summer of all events", lambda: rounded(patterns.summer(by_day, patterns.days(labels[0])), 3))
            components = patterns.describe(weights, factors, labels)
            exact = trace[trace["rate"] == 0]
            out = {"patterns": patterns.find(components, self.types), "vanished": sum(c is None for c in components), "note": told["starts"][0].get("note", ""),
                   "seconds": rounded(float(trace["seconds"].max())),
                   "exact_rows": [[rounded(float(r["seconds"])), rounded(float(r["estimate"]), 9)] for r in thinned(exact, 60 if start == PICTURED else 30)]}
            match = self.matched(model, method, start)
            if match:
                out["likeness"], out["match"] = match["score"], match["match"]
            if start == PICTURED and method in METHODS:
                out["components"] = [c and {k: [[name, round(x, 3)] for name, x in v] if k == "types" else rounded(v, 3)
                                            for k, v in c.items()} for c in components]
                self.runner.results.put("values", f"picture {method}", {"value": picture_of(weights, factors, by_type, labels[3]),
                                                                        **self.runner.stamp()})
            return out
        return look

    def matched(self, model, method, start):
        """Score and matching with the hybrid of the same start: components of the model in the hybrid's order."""
        reference = self.runner.at(f"chicago-reference-{start}.h5")
        if method == HYBRID:
            shutil.copy(model, reference)
        if not os.path.exists(reference):
            return None
        told = self.runner.score(reference, model)
        rows = sorted(told["components"], key=lambda c: c["reference"])
        return {"score": rounded(told["score"]), "match": [[c["other"], round(c["cosine"], 3)] for c in rows]}


def picture_of(weights, factors, observed, types):
    """What a picture needs, in whole thousandths of each column's greatest value; days as the range in each bin (as_digits)."""
    frequent = [int(i) for i in numpy.argsort(-observed, kind="stable")[:TYPES]]
    thousandths = lambda column: [int(round(1000 * x / max(column.max(), 1e-300))) for x in column]
    day = factors[0] * weights * numpy.prod([f.sum(0) for f in factors[1:]], axis=0)  # expected counts of each day
    bins = numpy.array_split(numpy.arange(len(day)), min(BINS, len(day)))
    days = []
    for column in day.T:
        parts = column / max(column.max(), 1e-300)
        days.append([as_digits([parts[b].min() for b in bins]), as_digits([parts[b].max() for b in bins])])
    top = [rounded(x, 4) for x in day.max(0)]
    return {"types": [types[i] for i in frequent], "top": top, "day": days, "hour": [thousandths(c) for c in factors[1].T],
            "place": [thousandths(c) for c in factors[2].T], "type": [thousandths(c[frequent]) for c in factors[3].T]}


def as_digits(parts):
    """Numbers from 0 to 1 as a text of two digits each, 99 being 1: a picture has no more rows, and lists would be long."""
    return "".join(f"{round(99 * x):02}" for x in parts)


# ---- figures

def groups(results):
    found = {m: results.select(method=m, stopped=None) for m in METHODS}
    return {m: runs for m, runs in found.items() if runs}


def pictured(results):
    """Methods whose components are drawn: a reduced run shows two of them, for the time it takes."""
    known = [m for m in groups(results) if results.value(f"picture {m}")]
    return [m for m in known if m in (HYBRID, APR)] if results.value("problem")["quick"] else known


def file_of(method):
    return f"{NAME}-{method.lower()}.svg"


def figures(results, folder):
    by_method = groups(results)
    runs = [r for group in by_method.values() for r in group]
    least, worst = min(r["exact"] for r in runs), max(r["exact"] for r in runs)
    span = max(worst - least, 1e-4 * least)
    along = {m: [(r["seconds"], r["exact"]) for r in results.runs if r["setting"].get("stopped") and r["setting"]["method"] == m]
             + [(r["seconds"], r["exact"]) for r in by_method[m] if r["start"] == PICTURED]
             for m in SAMPLED if m in by_method}
    loss_figure(folder, f"{NAME}-loss.svg", by_method, {m: [r["exact_rows"] for r in by_method[m] if r["exact_rows"]] for m in by_method},
                {m: sorted(points) for m, points in along.items() if len(points) > 1},
                [(least - 0.3 * span, least + 8 * span), (least - 0.2 * span, least + 3 * span)])
    facts = results.value("problem")
    rings = map_of(facts)
    if rings is None:
        print("chicago: components are not drawn: no chicago/community-areas.geojson in the folder named by POLYAD_DATA")
        return
    for method in pictured(results):
        drawn = results.value(f"picture {method}")
        run = by_method[method][0]
        match = run.get("match") or [[j + 1, None] for j in range(len(drawn["top"]))]
        component_figure(folder, file_of(method), f"{method}, start {run['start']}", drawn, match, facts["span"], rings,
                         drawn["types"])


def map_of(facts):
    if facts["quick"]:
        return squares(facts["shape"][2])
    path = os.path.join(os.environ.get("POLYAD_DATA", ""), "chicago", "community-areas.geojson")
    return outlines(path) if os.path.exists(path) else None


# ---- words

def says(name, types):
    lower = lambda x: " with ".join(w.lower() for w in x) if isinstance(x, list) else x.lower()
    return SAYS[name].format(**{k: lower(v) for k, v in types.items()})


def found_in(runs, name):
    return sum(r["patterns"].get(name) is not None for r in runs)


def at_time(run, time):
    """The estimate of the last epoch that was done by then."""
    before = [e for t, e in run["trace"] if t <= time]
    return before[-1] if before else run["trace"][0][1]


def above(a, b):
    return f"{100 * (a / b - 1):+.3f} %"


def conclusions(results):
    by_method = groups(results)
    facts = results.value("problem")
    loss = {m: median(r["exact"] for r in runs) for m, runs in by_method.items()}
    out = []
    if facts["quick"]:
        scores = {m: min(runs, key=lambda r: r["exact"])["score"] for m, runs in by_method.items()}
        out.append(Conclusion("The best start of every method recovers the planted patterns.", min(scores.values()) >= RECOVERED,
                              "score, " + ", ".join(f"{m}: {s:.3f}" for m, s in scores.items())))
    elif APR in by_method:
        first = [r["exact_rows"][1] for r in by_method[APR] if len(r["exact_rows"]) > 1]
        time, value = median(t for t, _ in first), median(v for _, v in first)
        then = {m: median(at_time(r, time) for r in by_method[m]) for m in (STRATIFIED, SEMI)}
        out.append(Conclusion("When CP-APR has done its first iteration, sampling has come lower.", max(then.values()) < value,
                              f"after {seconds(time)} CP-APR {figure(value, 5)}, " +
                              ", ".join(f"{m} {figure(v, 5)}" for m, v in then.items())))
    if APR in by_method and not facts["quick"]:
        ends = {m: loss[m] / loss[APR] - 1 for m in (STRATIFIED, SEMI)}
        out.append(Conclusion("The paper's two samplers end slightly higher than CP-APR: above it, but by less than 1 %.",
                              all(0 < e < 0.01 for e in ends.values()),
                              "median exact loss against CP-APR's, " + ", ".join(f"{m}: {100 * e:+.3f} %" for m, e in ends.items())))
        out.append(Conclusion("The hybrid ends at least as low as CP-APR does in its time.", loss[HYBRID] <= loss[APR],
                              f"median exact loss against CP-APR's: {above(loss[HYBRID], loss[APR])}"))
    lowest = {m: min(r["exact"] for r in by_method[m]) for m in (SEMI, STRATIFIED)}
    apart = abs(lowest[SEMI] / lowest[STRATIFIED] - 1)
    out.append(Conclusion("Semi-stratified sampling comes as low as stratified, within half a percent.", apart < 0.005,
                          f"the lowest exact losses differ by {100 * apart:.3f} %, the medians by "
                          f"{100 * abs(loss[SEMI] / loss[STRATIFIED] - 1):.3f} %"))
    out.append(Conclusion("The exact finish lowers the loss of sampling.", loss[HYBRID] < min(loss[m] for m in SAMPLED),
                          "median exact loss against the hybrid's, " +
                          ", ".join(f"{m}: {above(loss[m], loss[HYBRID])}" for m in SAMPLED)))
    for name in by_method[HYBRID][0]["patterns"]:
        counts = {m: (found_in(runs, name), len(runs)) for m, runs in by_method.items()}
        out.append(Conclusion(f"Every method finds, in most starts: {says(name, facts['types'])}.",
                              all(2 * n > of for n, of in counts.values()),
                              ", ".join(f"{m} {share(n, of)}" for m, (n, of) in counts.items())))
    return out


def section(results):
    by_method = groups(results)
    facts = results.value("problem")
    loss = {m: [r["exact"] for r in runs] for m, runs in by_method.items()}
    lowest = min(min(v) for v in loss.values())
    rows = []
    for m, runs in by_method.items():
        offset = "" if m in (APR, HYBRID) else f"{100 * median(r['estimate'] / r['exact'] - 1 for r in runs):+.3f}"
        like = [r["likeness"] for r in runs if "likeness" in r and m != HYBRID]
        rows.append([m, len(runs), seconds(median(r["seconds"] for r in runs)), f"{median(r['epochs_run'] for r in runs):g}",
                     f"{min(loss[m]):,.0f}", f"{median(loss[m]):,.0f}", f"{100 * (median(loss[m]) / lowest - 1):.3f}", offset,
                     f"{median(like):.2f}" if like else ""])
    names = list(by_method[HYBRID][0]["patterns"])
    pattern_rows = [[says(n, facts["types"])] + [pattern_cell(runs, n) for runs in by_method.values()] for n in names]
    done = ", ".join(f"{m} {len(runs)}" for m, runs in by_method.items())
    return paragraphs(
        f"*The paper:* counts of crimes in Chicago by day, hour, community area and type, "
        f"{' x '.join(map(str, PAPER['shape']))} with {PAPER['nonzeros']:,} nonzeros, Poisson loss, rank {PAPER['rank']}, GCP-Adam with "
        f"stratified and semi-stratified sampling, s = {PAPER['samples']:,} (the sum of the dimensions), against CP-APR with "
        f"quasi-Newton steps; {PAPER['starts']} starts. CP-APR's first iteration ends after about "
        f"{PAPER['first_apr_iteration_seconds']} s; GCP-Adam falls much faster and ends slightly higher, which the paper thinks is in "
        "part an artifact of the estimate. The components of the three methods are much alike. The Tensor Toolbox publishes a run of "
        f"GCP-Adam on these data: {PAPER['toolbox_epochs']} epochs at rate {PAPER['toolbox_rate']:g}, final estimate "
        f"{figure(PAPER['toolbox_estimate'], 5)}, {PAPER['toolbox_seconds']:g} s, {PAPER['toolbox_ms_an_iteration']:g} ms an iteration.",
        f"*Here:* {' x '.join(map(str, facts['shape']))}, {facts['nonzeros']:,} nonzeros, {facts['sum']:,} events from "
        f"{facts['span'][0]} to {facts['span'][1]}: "
        f"{'a generated city' if facts['quick'] else 'made anew from the city of Chicago, a close stand-in for the tensor of the paper'}. "
        f"s = {facts['samples']:,}. *stratified* and *semi-stratified* are the paper's, with its schedule and rate "
        f"({PAPER_SCHEDULE['rate']:g}); *exact-zeros* and *hybrid* are polyad's: the sum over zeros is exact "
        "and only nonzeros are sampled, with the default schedule; the hybrid, which is the default for counts, then polishes by "
        f"CP-APR with Newton steps. *CP-APR* takes quasi-Newton steps and is stopped after {APR_SECONDS} s. Each on one thread, "
        f"guesses scaled to the norm of the data (the paper does not say). Starts done: {done}.",
        table(["method", "starts", "a run", "epochs or iterations", "lowest exact loss", "median exact loss", "median, % above the lowest",
               "estimate above exact, %", "likeness to the hybrid"], rows),
        "Likeness: the score of Appendix E against the hybrid from the same start, the median of the starts; 1 is equal.",
        picture("Loss against time for each method: estimates on the left, exact losses on the right", f"{NAME}-loss.svg"),
        *exact_words(by_method),
        *toolbox_words(results),
        "The patterns are looked for by [rules](../experiments/paper/patterns.py), not by eye: a season is "
        f"{patterns.SEASON:g} times as many events from June to August as from December to February (all events: "
        f"{results.value('summer of all events'):g} times), a spike {patterns.SPIKE:g} times what is around it, fading at most "
        f"{patterns.FADED:g} times as many in the last eighth of the days as in the first, late nights {100 * patterns.AT_NIGHT:g} % of the "
        f"events from {patterns.NIGHT[0]} to {patterns.NIGHT[-1]} o'clock. In how many starts each is found, and in which row of the figures "
        f"of start {PICTURED}:",
        table(["pattern", *by_method], pattern_rows),
        *figure_words(pictured(results)))


def pattern_cell(runs, name):
    """How often, and the row in which the figure of start 1 shows it."""
    text = share(found_in(runs, name), len(runs))
    number = runs[0]["patterns"].get(name)
    rows = [row + 1 for row, (other, _) in enumerate(runs[0].get("match", [])) if other == number]
    return f"{text}; row {rows[0]}" if number and rows else text


def exact_words(by_method):
    if APR not in by_method or STRATIFIED not in by_method or SEMI not in by_method:
        return []
    exact = {m: median(r["exact"] for r in by_method[m]) for m in by_method}
    told = {m: median(r["estimate"] for r in by_method[m]) for m in by_method}
    first = median(r["exact_rows"][1][0] for r in by_method[APR] if len(r["exact_rows"]) > 1)
    iteration = median(t for r in by_method[STRATIFIED] for t in r["epochs"]) / 1000
    return [(
        f"*Differences:* the exact losses settle what the paper leaves open. By its estimate stratified sampling ends "
        f"{above(told[STRATIFIED], exact[APR])} from CP-APR, by its exact loss {above(exact[STRATIFIED], exact[APR])}; "
        f"semi-stratified {above(told[SEMI], exact[APR])} and {above(exact[SEMI], exact[APR])}. {gap(exact)} "
        f"The hybrid ends {above(exact[HYBRID], exact[APR])} from it. (The step in its curve, where sampling ends, is the one from the "
        f"estimate to the exact loss.) CP-APR's first iteration ends after {seconds(first)} here, the paper's after "
        f"{PAPER['first_apr_iteration_seconds']} s, which the paper lays to extensive preparation; sorting the data once a mode is all the "
        f"preparation that is needed here. {vanished(by_method)}An iteration of stratified sampling takes {seconds(iteration)}. Where a sampled method knows its exact loss only "
        f"at the end, start {PICTURED} was run again and stopped on its way (open marks in the figure).")]


def gap(exact):
    if min(exact[STRATIFIED], exact[SEMI]) > exact[APR]:
        return "So the gap to CP-APR is no artifact of the estimate: the noise of the samples leaves it, and an exact finish takes it away."
    return "So there is no gap to CP-APR beyond what the estimate feigns."


def vanished(by_method):
    counts = {m: sum(r["vanished"] > 0 for r in runs) for m, runs in by_method.items()}
    told = ", ".join(f"{m} {share(n, len(by_method[m]))}" for m, n in counts.items() if n)
    return f"Starts in which a component vanished, so that the model has fewer than asked for: {told}. " if told else ""


def toolbox_words(results):
    runs, usual = results.select(method=TOOLBOX), results.select(method=STRATIFIED, stopped=None)
    if not runs:
        return []
    run, usual = runs[0], usual[0]
    each = median(run["epochs"])
    return [(
        f"The Toolbox's published run, repeated with stratified sampling, {PAPER['toolbox_rate']:g} as the rate and twice the samples, from "
        f"start {run['start']}: {run['epochs_run']} epochs ({PAPER['toolbox_epochs']} there), {seconds(run['seconds'])} "
        f"({PAPER['toolbox_seconds']:g} s), {each:.2g} ms an iteration ({PAPER['toolbox_ms_an_iteration']:g} ms), estimate "
        f"{figure(run['estimate'], 5)} ({figure(PAPER['toolbox_estimate'], 5)}, of a somewhat larger tensor), exact loss "
        f"{run['exact']:,.0f}; stratified at the paper's rate from the same start: {usual['epochs_run']} epochs, {usual['exact']:,.0f}.")]


def figure_words(methods):
    text = [f"Components of start {PICTURED}, as the paper shows them: days carry the magnitude (in spans of some days the range of "
            f"the values), the {TYPES} most frequent types are sorted by frequency. Rows are matched with the hybrid's by the exact assignment; "
            "the product of the cosines over the modes says how alike they are."]
    text += [picture(f"Components found by {m}", file_of(m)) for m in methods]
    return text

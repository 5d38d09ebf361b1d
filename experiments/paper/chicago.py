"""Experiment 5: counts of crimes in Chicago; GCP-Adam, the hybrid and CP-APR, their losses, components and named patterns.

The counts are looked for in the folder named by POLYAD_DATA. With --quick a generated city takes their place.
"""
import json
import os
import shutil

import h5py
import numpy

from . import patterns
from .chicago_figures import component_figure, loss_figure, outlines, squares
from .chicago_methods import (ALONG, APR, BINS, CITY, CRIMES, HYBRID, METHODS, NAME, PAPER, PICTURED, SAMPLED,
                              STRATIFIED, TOOLBOX, TYPES, file_of, groups, options, pictured)
from .chicago_words import conclusions, section  # noqa: F401
from .runner import Fit, Problem, read_model, rounded

NUMBER = "5."
TITLE = "Crime counts, and CP-APR"


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
        runner.fits([fit(m, start) for m in METHODS if m != HYBRID])
        if start == PICTURED and not runner.quick:
            runner.fits([f for m in SAMPLED for f in along(m)])
            runner.fits([Fit({"method": TOOLBOX}, start, problem, options(STRATIFIED, 2 * samples, False) |
                             {"rate": PAPER["toolbox_rate"]}, look.after(TOOLBOX, start), rows=60)])


def describe_problem(runner, problem, types):
    told = json.loads(runner.polyad("info", problem.data, "--json"))
    with h5py.File(problem.data) as file:
        days = read_labels(file, 1)
    return {"quick": runner.quick, "shape": told["shape"], "nonzeros": told["listed"],
            "sum": round(told["mean"] * told["cells"]), "types": types, "span": [days[0], days[-1]],
            "samples": sum(told["shape"]) * (2 if runner.quick else 1)}


def read_labels(file, mode):
    return [x.decode() if isinstance(x, bytes) else str(x) for x in file[f"labels/{mode}/entries"][:]]


def by_share(weights, factors):
    """Components in the order of what they expect in all, as polyad numbers them."""
    order = numpy.argsort(-weights * numpy.prod([f.sum(0) for f in factors], axis=0), kind="stable")
    return weights[order], [f[:, order] for f in factors]


def thinned(rows, most):
    """At most so many of the rows, evenly, the first two and the last among them."""
    if len(rows) <= most:
        return list(rows)
    return [rows[i] for i in [0, *numpy.unique(numpy.linspace(1, len(rows) - 1, most - 1).round().astype(int))]]


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
            exact = [[rounded(float(r["seconds"])), rounded(float(r["estimate"]), 9)]
                     for r in thinned(trace[trace["rate"] == 0], 60 if start == PICTURED else 30)]
            out = {"patterns": patterns.find(components, self.types), "vanished": sum(c is None for c in components),
                   "note": told["starts"][0].get("note", ""),
                   "seconds": rounded(float(trace["seconds"].max())),
                   "exact_rows": exact}
            match = self.matched(model, method, start)
            if match:
                out["likeness"], out["match"] = match["score"], match["match"]
            if start == PICTURED and method in METHODS:
                out["components"] = [c and {k: [[name, round(x, 3)] for name, x in v] if k == "types" else rounded(v, 3)
                                            for k, v in c.items()} for c in components]
                drawn = picture_of(weights, factors, by_type, labels[3])
                self.runner.results.put("values", f"picture {method}", {"value": drawn, **self.runner.stamp()})
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
    """What a picture needs, in thousandths of each column's greatest value; days as the range in each bin (as_digits)."""
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

def figures(results, folder):
    by_method = groups(results)
    least = min(r["exact"] for group in by_method.values() for r in group)
    worst = max(numpy.median([r["exact"] for r in group]) for group in by_method.values())  # not of a start gone astray
    span = max(worst - least, 1e-4 * least)
    end = lambda r: (r["seconds"], r["exact"])
    along = {m: sorted(end(r) for r in results.select(method=m) if r["start"] == PICTURED) for m in SAMPLED}
    exact_rows = {m: [r["exact_rows"] for r in group if r["exact_rows"]] for m, group in by_method.items()}
    # All that CP-APR tells is exact, and of those rows the first are kept, where it falls most.
    told = {m: [{**r, "trace": r["exact_rows"]} for r in group] if m == APR else group for m, group in by_method.items()}
    loss_figure(folder, f"{NAME}-loss.svg", told, exact_rows, {m: p for m, p in along.items() if len(p) > 1},
                [(least - 0.5 * span, least + 12 * span), (least - 0.3 * span, least + 6 * span)])
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

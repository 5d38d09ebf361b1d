"""Figures in one style: different by line and marker as well as by colour, so that they can be read in grey."""
import os

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy  # noqa: E402

from .runner import RECOVERED  # noqa: E402

# Okabe and Ito's colours, dark ones first; each with a marker and, where lines have to be distinguished, a dash pattern.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5a00", "#56b4e9", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P", "x"]
DASHES = ["-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)), (0, (1, 1)), (0, (9, 3)), (0, (3, 1, 1, 1, 1, 1))]
GREY = "#555555"

plt.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "polyad", "font.family": "sans-serif", "font.size": 9,
    "font.sans-serif": ["DejaVu Sans", "Arial", "sans-serif"], "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6, "axes.titlesize": 10, "axes.titlelocation": "left",
    "axes.axisbelow": True, "legend.frameon": False, "figure.facecolor": "white", "path.simplify": True,
    "path.simplify_threshold": 0.5, "lines.linewidth": 1.8, "lines.markersize": 4, "savefig.bbox": "tight",
})


def save(figure, folder, name):
    os.makedirs(folder, exist_ok=True)
    figure.savefig(os.path.join(folder, name), metadata={"Date": None})
    plt.close(figure)


def style(number):
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}


def held(trace, times):
    """Estimates of a run at these times; before its first row its first, after its end its last one."""
    seconds, estimates = zip(*trace)
    return numpy.interp(times, seconds, estimates)


def median_curve(runs, points=60):
    """Median estimate over the runs against time, up to the median of their ends."""
    ends = sorted(r["trace"][-1][0] for r in runs)
    times = numpy.linspace(0, ends[len(ends) // 2], points)
    return times, numpy.median([held(r["trace"], times) for r in runs], axis=0)


def runs_axes(axes, groups, truth=None, ylim=None, log_time=False):
    """Estimate against seconds: runs dashed and thin (star at the end: recovered, dot: not), medians solid.

    groups: {label: [run]}.
    """
    for number, (label, runs) in enumerate(groups.items()):
        look = style(number)
        for run in runs:
            seconds, estimates = zip(*run["trace"])
            axes.plot(seconds, estimates, color=look["color"], linewidth=0.5, linestyle=(0, (4, 3)), alpha=0.6)
            seconds, estimates = seconds[-1:], estimates[-1:]
            star = run.get("score", 0) >= RECOVERED
            axes.plot(seconds, estimates, color=look["color"], marker="*" if star else ".", alpha=0.8,
                      markersize=6 if star else 5, linestyle="none", markeredgewidth=0)
        times, medians = median_curve(runs)
        axes.plot(times, medians, label=label, markevery=(4 + 3 * number, 18), **look)
    if truth is not None:
        axes.axhline(truth, color="black", linestyle=(0, (6, 3)), linewidth=1.1, label="true model")
    if ylim:
        axes.set_ylim(*ylim)
    if log_time:
        axes.set_xscale("log")
    else:
        axes.set_xlim(0, 1.03 * numpy.quantile([r["trace"][-1][0] for runs in groups.values() for r in runs], 0.98))
    axes.set_xlabel("seconds")
    axes.set_ylabel("estimated loss")
    axes.legend(fontsize=8)


def recovered_axes(axes, counts, of):
    """Bars of how many of the runs recovered the factors. counts: {label: number}; of: {label: runs}."""
    labels = list(counts)
    axes.bar(range(len(labels)), [of[label] for label in labels], color="white", edgecolor="#bbbbbb", width=0.65)
    bars = axes.bar(range(len(labels)), list(counts.values()), color=[style(i)["color"] for i in range(len(labels))],
                    width=0.65)
    axes.bar_label(bars, [f"{counts[label]} of {of[label]}" for label in labels], fontsize=8, padding=2)
    axes.set_xticks(range(len(labels)), labels)
    axes.set_ylabel(f"runs with score ≥ {RECOVERED}")
    axes.set_ylim(0, 1.12 * max(of.values()))
    axes.grid(axis="x", visible=False)


def box_axes(axes, samples, label, log=False):
    """Box plots (whiskers at 5 and 95 %). samples: {label: [number]}."""
    boxes = axes.boxplot(list(samples.values()), whis=(5, 95), showfliers=False, widths=0.55, patch_artist=True,
                         medianprops={"color": "black", "linewidth": 1.4})
    for number, box in enumerate(boxes["boxes"]):
        box.set(facecolor=style(number)["color"], alpha=0.55)
    axes.set_xticks(range(1, len(samples) + 1), list(samples))
    axes.set_ylabel(label)
    if log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.grid(axis="x", visible=False)


def lines_axes(axes, lines, xlabel, ylabel):
    """lines: {label: (xs, ys)}, distinguished by colour, marker and dashes."""
    for number, (label, (xs, ys)) in enumerate(lines.items()):
        axes.plot(xs, ys, label=label, linestyle=DASHES[number % len(DASHES)], markevery=max(1, len(xs) // 8), **style(number))
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.legend(fontsize=8)


def comparison(folder, name, groups, truth, ylim=None, full=None):
    """The figure of the paper's experiments 1, 3 and 4: runs against time, recovered counts and time an epoch.

    full: {label: [run]} of a method to which a second panel with its own time axis belongs.
    """
    figure = plt.figure(figsize=(8.2, 8.6 if full else 6.2), constrained_layout=True)
    grid = figure.add_gridspec(3 if full else 2, 2, height_ratios=[1.25, 1, 0.9] if full else [1.35, 1])
    top = figure.add_subplot(grid[0, :])
    runs_axes(top, groups, truth, ylim)
    top.set_title("Runs (dashed; star: recovered, dot: not) and medians (solid)")
    if full:
        middle = figure.add_subplot(grid[1, :])
        runs_axes(middle, {**groups, **full}, truth, ylim, log_time=True)
        middle.set_title("The same with the method of full gradients, time on a logarithmic scale")
    everything = {**groups, **(full or {})}
    counts = figure.add_subplot(grid[-1, 0])
    recovered_axes(counts, {g: sum(r["score"] >= RECOVERED for r in runs) for g, runs in everything.items()},
                   {g: len(runs) for g, runs in everything.items()})
    counts.set_title("Recovered")
    boxes = figure.add_subplot(grid[-1, 1])
    box_axes(boxes, {g: [1000 * s for r in runs for s in r["epochs"]] for g, runs in groups.items()}, "milliseconds")
    boxes.set_title("Time an epoch")
    for axes in (counts, boxes):
        axes.tick_params(axis="x", labelsize=8 if len(everything) < 6 else 7)
    save(figure, folder, name)


def zoom(groups, truth):
    """Limits of the loss axis: what happens after the first epoch, from which on the curves can be distinguished."""
    runs = [r for group in groups.values() for r in group if len(r["trace"]) > 1]
    least = min([min(e for _, e in r["trace"]) for r in runs] + ([] if truth is None else [truth]))
    first = numpy.quantile([r["trace"][1][1] for r in runs], 0.75)
    return least - 0.06 * (first - least), least + 1.15 * (first - least)

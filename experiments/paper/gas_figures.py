"""Figures of experiment 2: box plots of the runs, and the components of the best model."""
import numpy

from . import figures as draw
from . import gas_problem
from .figures import plt
from .gas_setting import RANK, groups, label

MODES = ["sensor", "time", "temperature", "trial"]


def points_axes(axes, samples, ylabel, log=False):
    """Box plots with every run as a dot beside its box."""
    draw.box_axes(axes, samples, ylabel, log)
    for number, (name, ys) in enumerate(samples.items()):
        spread = numpy.linspace(-0.12, 0.12, len(ys)) if len(ys) > 1 else [0]
        axes.plot(number + 1 + numpy.array(spread), ys, ".", color="#333333", markersize=2.5)
    axes.set_xlabel("samples a gradient")
    axes.tick_params(axis="x", labelsize=8)


def box_figure(results, folder):
    by_s = groups(results)
    least = min(r["exact"] for r in results.runs)
    fig, (times, losses, clusters) = plt.subplots(1, 3, figsize=(9.4, 3.2), constrained_layout=True)
    points_axes(times, {label(s): [r["seconds"] for r in runs] for s, runs in by_s.items()}, "seconds", log=True)
    times.set_title("Run time")
    points_axes(losses, {label(s): [100 * (r["exact"] / least - 1) for r in runs] for s, runs in by_s.items()},
                "exact loss above the lowest, percent")
    losses.set_title("Final loss")
    points_axes(clusters, {label(s): [100 * r["accuracy"] for r in runs] for s, runs in by_s.items()},
                "trials grouped by gas, percent")
    low = min(100 * r["accuracy"] for r in results.runs)
    clusters.set_ylim(10 * int(low / 10), 101)
    planted = results.value("accuracy of the planted trials")
    clusters.axhline(100 * planted, color="black", linestyle=(0, (6, 3)), linewidth=1, label="planted trial factor")
    clusters.legend(fontsize=8, loc="lower right")
    clusters.set_title("k-means of the trials")
    draw.save(fig, folder, "gas-boxes.svg")


def factor_figure(results, folder):
    best = results.value("best model")
    columns = [numpy.array(f).T for f in best["factors"]]
    columns[0] = columns[0] * best["weights"]  # the sensors carry the magnitude
    gas = gas_problem.gases(len(columns[3]))
    fig, axes = plt.subplots(RANK, 4, figsize=(9.8, 7.0), constrained_layout=True, sharex="col",
                             gridspec_kw={"width_ratios": [1.25, 1.25, 0.7, 1.7]})
    tops = [c.max() for c in columns]
    step = max(1, len(columns[1]) // 500)
    for j in range(RANK):
        sensor, time, temperature, trial = axes[j]
        sensor.stairs(columns[0][:, j], numpy.arange(len(columns[0]) + 1) + 0.5, fill=True, color="#555555")
        time.plot(numpy.arange(1, len(columns[1]) + 1)[::step], columns[1][::step, j], color="#222222", linewidth=0.9)
        temperature.bar(numpy.arange(1, len(columns[2]) + 1), columns[2][:, j], width=0.7, color="#555555")
        for g in range(gas_problem.GASES):
            mine = numpy.flatnonzero(gas == g)
            look = draw.style(g)
            trial.plot(mine + 1, columns[3][mine, j], linestyle="none", markersize=3.2, markeredgewidth=0.9,
                       label=f"gas {g + 1}" if j == 0 else None, **look)
        for axis, top, mode in zip(axes[j], tops, MODES):
            axis.set_ylim(0, 1.06 * top)
            axis.grid(axis="x", visible=False)
            axis.tick_params(labelsize=7)
            if j == 0:
                axis.set_title(mode)
        sensor.set_ylabel(f"component {j + 1}")
    for axis, mode in zip(axes[-1], MODES):
        axis.set_xlabel({"sensor": "sensor", "time": "time point", "temperature": "setting", "trial": "trial"}[mode])
    fig.legend(loc="lower center", ncol=7, fontsize=8, bbox_to_anchor=(0.5, -0.04))
    draw.save(fig, folder, "gas-factors.svg")

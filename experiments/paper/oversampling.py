"""Experiment 6 (Appendix B): by how much to oversample so that enough zeros remain when nonzeros are rejected."""
import h5py
import matplotlib.pyplot as plt
import numpy
import scipy.stats

from . import binary
from . import figures as draw
from . import reported
from .runner import Conclusion, rounded
from .text import figure, paragraphs, picture, table

NUMBER = "6."
NAME = "oversampling"
TITLE = "Oversampling of zeros"
PAPER = reported.OVERSAMPLING
SHARES = [round(0.6 + 0.01 * i, 2) for i in range(40)] + [0.995, 0.999, 0.9999]


def needed(q, p):
    """(q + rejects) p / q with the quantile of the rejects, NegativeBinomial(q, p)."""
    return (q + scipy.stats.nbinom.ppf(PAPER["probability"], q, p)) * p / q


def candidates(q, p):
    return int(numpy.ceil(PAPER["rate"] * q / p))


def simulate(q, p, batches, rng):
    """How many of so many batches of candidates hold fewer than q zeros; each candidate is a zero with chance p."""
    return int((rng.binomial(candidates(q, p), p, size=batches) < q).sum())


def simulate_tensor(path, q, batches, rng):
    """The same with indices drawn from a tensor and looked up in its list of nonzeros."""
    with h5py.File(path) as file:
        shape = [int(n) for n in file["tensor"].attrs["shape"]]
        entries = file["tensor/entries"][:]
    index = [entries[f"i{k + 1}"].astype(numpy.int64) for k in range(len(shape))]
    listed = numpy.sort(numpy.ravel_multi_index(index, shape))
    cells = int(numpy.prod(shape))
    p = 1 - len(listed) / cells
    drawn = rng.integers(0, cells, size=(batches, candidates(q, p)))
    found = listed[numpy.minimum(numpy.searchsorted(listed, drawn), len(listed) - 1)] == drawn
    zeros = (~found).sum(axis=1)
    return {"share": p, "candidates": candidates(q, p), "batches": batches, "least": int(zeros.min()),
            "short": int((zeros < q).sum())}


def run(runner):
    runner.value("needed", lambda: {str(q): [rounded(needed(q, p), 6) for p in SHARES] for q in PAPER["zeros"]})
    batches = 100_000 if runner.quick else 1_000_000
    rng = numpy.random.default_rng(1)
    runner.value("simulated", lambda: [[q, p, batches, simulate(q, p, batches, rng)]
                                       for q in PAPER["zeros"] for p in (0.9, 0.99, 0.999)])
    data = binary.problem(runner)
    runner.value("simulated on a tensor",
                 lambda: simulate_tensor(data.data, PAPER["enough_from_zeros"], 500 if runner.quick else 5000, rng))


def figures(results, folder):
    figure_, axes = plt.subplots(figsize=(7, 3.6), constrained_layout=True)
    known = results.value("needed")
    draw.lines_axes(axes, {f"q = {q:,}": (SHARES, known[str(q)]) for q in PAPER["zeros"]}, "share of zeros", "rate needed")
    axes.axhline(PAPER["rate"], color=draw.GREY, linestyle=(0, (5, 3)), linewidth=1.1)
    axes.annotate(f"the paper's rate, {PAPER['rate']}", (0.7, PAPER["rate"]), fontsize=8, va="bottom", color=draw.GREY)
    draw.save(figure_, folder, f"{NAME}-rate.svg")


def claimed(q, p):
    return q >= PAPER["enough_from_zeros"] and p >= PAPER["enough_from_share"]


def conclusions(results):
    known = results.value("needed")
    where = [rho for q in PAPER["zeros"] for p, rho in zip(SHARES, known[str(q)]) if claimed(q, p)]
    runs = [(n, short) for q, p, n, short in results.value("simulated") if claimed(q, p)]
    # The quantile is a whole number of rejects, so the rate goes in steps of up to 1 / q.
    falling = all(b - a <= 1 / int(q) for q, rates in known.items() for a, b in zip(rates, rates[1:]))
    more = all(a > b for q, r in zip(PAPER["zeros"], PAPER["zeros"][1:]) for a, b in zip(known[str(q)], known[str(r)]))
    tensor = results.value("simulated on a tensor")
    return [
        Conclusion(f"{PAPER['rate']} is enough for at least {PAPER['enough_from_zeros']:,} zeros where at least "
                   f"{PAPER['enough_from_share']:.0%} of the cells are zeros.", max(where) <= PAPER["rate"],
                   f"at most {figure(max(where), 4)} is needed"),
        Conclusion("So says the simulation.", sum(short for _, short in runs) == 0,
                   f"{sum(s for _, s in runs)} of {sum(n for n, _ in runs):,} batches fall short"),
        Conclusion(f"So does drawing {PAPER['enough_from_zeros']:,} zeros from the tensor of experiment 3.",
                   tensor["short"] == 0, f"{tensor['short']} of {tensor['batches']:,} batches of {tensor['candidates']:,} "
                   f"candidates fall short, the least has {tensor['least']:,} zeros"),
        Conclusion("The rate needed falls as more zeros are drawn.", more, f"q from {PAPER['zeros'][0]} to "
                   f"{PAPER['zeros'][-1]:,}"),
        Conclusion("It falls as the share of zeros rises.", falling, f"shares from {SHARES[0]} to {SHARES[-1]}"),
    ]


def section(results):
    simulated = [[f"{q:,}", p, figure(needed_at(results, q, p), 4), f"{n:,}", f"{short:,}", "yes" if claimed(q, p) else "no"]
                 for q, p, n, short in results.value("simulated")]
    return paragraphs(
        "**The paper.** Zeros are drawn as uniform indices, of which nonzeros are rejected. To end with q zeros, "
        f"ρ q / p indices are drawn, p the share of zeros. Appendix B plots the ρ that suffices in {PAPER['probability']:.4%} "
        f"of the batches, from the negative binomial distribution, and concludes that ρ = {PAPER['rate']} is adequate for at "
        f"least {PAPER['enough_from_zeros']:,} zeros of tensors with at least {PAPER['enough_from_share']:.0%} zeros.",
        "**Here.** The same quantile, by scipy; then batches of candidates are drawn at this rate and counted.",
        picture("Rate of oversampling needed against the share of zeros, for four numbers of zeros", f"{NAME}-rate.svg"),
        table(["zeros q", "share of zeros", "rate needed", "batches at the paper's rate", "that fall short", "paper claims it"],
              simulated),
        "**Differences.** polyad does not rely on a fixed rate: it computes the quantile for its q and p and draws "
        "a second bulk in the one batch of a million that falls short.")


def needed_at(results, q, p):
    return results.value("needed")[str(q)][SHARES.index(p)]

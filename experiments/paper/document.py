"""Writes docs/paper.md from the sections of the experiments. No number is written here."""
import os

from . import reported
from .text import item, paragraphs, table

HEAD = """# The paper, reproduced

<!-- Written by experiments/run from experiments/results/paper; do not edit. -->
"""


def machines(all_results):
    seen = []
    for results in all_results:
        for facts in results.machines:
            if facts not in seen:
                seen.append(facts)
    return "; ".join(f"{m['cpu']}, {m['cores']} cores, {m['memory_gb']} GB, {m['kernels']} kernels, {m['version']}"
                     for m in seen)


def days(all_results):
    stamps = sorted(e["when"][:10] for r in all_results for e in list(r.content["runs"].values()) +
                    list(r.content["values"].values()))
    return stamps[0] if stamps[0] == stamps[-1] else f"{stamps[0]} to {stamps[-1]}"


def load(all_results):
    loads = sorted(run["load"] for r in all_results for run in r.runs)
    return (loads[len(loads) // 2], loads[-1]) if loads else (0, 0)


def introduction(done):
    all_results = [results for _, results in done]
    usual, most = load(all_results)
    fits = sum(len(r.runs) for r in all_results)
    return paragraphs(
        "T. G. Kolda and D. Hong, *Stochastic Gradients for Large-Scale Tensor Decomposition* (2020), report the experiments "
        "below. Here they are run again with the `polyad` command: for each, what the paper did, what was done here, both "
        "results, and why they differ where they do. Problems are generated again by the paper's recipes (crime counts are "
        "real), so orderings and effects are compared, not counts to the last digit.",
        f"Here: {machines(all_results)}; {days(all_results)}; {fits:,} fits, one at a time, each on one thread. The machine "
        f"was shared with other work: at the beginning of a fit {usual:g} processes wanted to run in the median and {most:g} at "
        "most. Where that is more than there are cores a fit had to wait, so read times as upper bounds and compare them within an "
        f"experiment. The paper: {reported.MACHINE}. A difference in seconds is one of machine, language and method together.",
        "`experiments/run` repeats everything; it resumes where it was stopped. `experiments/run --quick` runs reduced "
        "versions in about two minutes and fails where a conclusion does not hold; the tests run it. Every number on this page "
        "is taken from [the results](../experiments/results/paper) or from [the paper's](../experiments/paper/reported.py) by "
        "[the code](../experiments/paper).")


def conclusion_list(conclusions):
    return "\n".join(item(f"{'**Holds.**' if c.holds else '**Does not hold.**'} {c.text} ({c.figure})") for c in conclusions)


def anchor(title):
    return "#" + "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def failures(done):
    """What does not hold, of all experiments, at a glance."""
    failed = [f"Experiment {number_of(module).rstrip('.')}: {c.text} ({c.figure})" for module, results in done
              for c in module.conclusions(results) if not c.holds]
    return ["Every conclusion holds."] if not failed else ["What does not hold here:", "\n".join(map(item, failed))]


def number_of(module):
    return getattr(module, "NUMBER", "")


def write(done, path):
    """done: [(module, results)] in the order of the paper."""
    parts, rows = [], []
    for module, results in done:
        found = module.conclusions(results)
        heading = f"{number_of(module)} {module.TITLE}".strip()
        rows.append([f"[{heading}]({anchor(heading)})", len(results.runs), f"{sum(c.holds for c in found)} of {len(found)}"])
        parts += [f"## {heading}", module.section(results).strip("\n"), "Conclusions:", conclusion_list(found)]
    top = [HEAD, introduction(done), table(["experiment", "fits", "conclusions that hold"], rows), *failures(done)]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w") as file:
        file.write("\n\n".join(p.strip("\n") for p in top + parts) + "\n")
    os.replace(path + ".new", path)

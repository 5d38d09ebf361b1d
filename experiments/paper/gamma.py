"""Experiment 1: how many samples a gradient needs on dense data, and what the method of full gradients costs."""
from . import figures as draw
from . import reported
from .compare import counts, epoch_seconds, groups, rate, recovered, runs_table, shared_guesses, starts_done
from .runner import PAPER_SCHEDULE, Conclusion, Fit
from .text import figure, median, paragraphs, picture, seconds, share, table

NUMBER = "1."
NAME = "gamma"
TITLE = "Dense gamma data: how many samples a gradient, and full gradients"
PAPER = reported.GAMMA
COMMON = {"rank": 5, "loss": "gamma", "init-norm": 0}
SGD = {**COMMON, **PAPER_SCHEDULE, "sampler": "uniform", "estimate-samples": PAPER["estimate_samples"], "estimate-seed": 1}
LIMIT = 240  # seconds of a run with full gradients
FULL = {**COMMON, "method": "gcp-full", "time-limit": LIMIT}


def name_of(s):
    return f"s = {s}"


def problem(runner):
    return runner.problem("gamma", ["gamma", "--shape", "60x50x40x30" if runner.quick else "200x150x100x50"], "npy")


def run(runner):
    data = problem(runner)
    runner.truth_estimate("estimate of the true model", data, SGD)
    runner.truth_estimate("exact loss of the true model", data, {k: v for k, v in FULL.items() if k != "time-limit"})
    starts = range(1, (3 if runner.quick else PAPER["starts"]) + 1)
    samples = [125, 1000] if runner.quick else PAPER["samples"]
    sgd = [Fit({"s": s}, start, data, {**SGD, "samples": s}) for start in starts for s in samples]
    limits = {"iterations": 10} if runner.quick else {}
    full = [Fit({"method": "L-BFGS-B"}, start, data, {**FULL, **limits}, rows=60) for start in starts]
    # Full gradients cost most by far: one start of them early, the others last.
    early = 5 * len(samples)
    runner.fits(sgd[:early] + full[:1] + sgd[early:] + ([] if runner.quick else full[1:]))


def full_runs(results):
    """Runs with full gradients, their exact losses moved to the level of the estimates: by what the estimate is off at the
    truth."""
    off = results.value("estimate of the true model") - results.value("exact loss of the true model")
    return [{**r, "trace": [[t, f + off] for t, f in r["trace"]]} for r in results.select(method="L-BFGS-B")]


def figures(results, folder):
    by_s = {name_of(s): runs for s, runs in groups(results, "s").items()}
    truth = results.value("estimate of the true model")
    full = full_runs(results)
    draw.comparison(folder, f"{NAME}-runs.svg", by_s, truth, draw.zoom(by_s, truth),
                    {"L-BFGS-B": full} if full else None)


def reach(run, level):
    """Seconds until a run's trace falls to this level; None if it never does."""
    return next((t for t, f in run["trace"] if f <= level), None)


def slower(results):
    """How many times longer full gradients take than the s that takes longest, by median."""
    by_s = groups(results, "s")
    full = full_runs(results)
    longest = max(median(r["seconds"] for r in runs) for runs in by_s.values())
    return median(r["seconds"] for r in full) / longest if full else None


def conclusions(results):
    by_s = groups(results, "s")
    least, most = min(by_s), max(by_s)
    larger = {s: runs for s, runs in by_s.items() if s != least}
    full = full_runs(results)
    found = [
        shared_guesses([r for runs in by_s.values() for r in runs], "numbers of samples"),
        Conclusion(f"All s above {least} recover from (nearly) every start.", min(map(rate, larger.values())) >= 0.9,
                   counts(by_s, name_of)),
        Conclusion(f"s = {most} ends at a lower loss than s = {least}.",
                   median(r["estimate"] for r in by_s[most]) < median(r["estimate"] for r in by_s[least]),
                   f"{figure(median(r['estimate'] for r in by_s[most]), 7)} against "
                   f"{figure(median(r['estimate'] for r in by_s[least]), 7)}"),
    ]
    if not results.quick:
        if full:
            found.append(Conclusion("Full gradients take at least 5 times as long as any s.", slower(results) >= 5,
                                    f"{slower(results):.0f} times the slowest s"))
        found.append(Conclusion(f"s = {most} costs less than its share of samples an epoch.",
                                epoch_seconds(by_s[most]) < 0.8 * most / least * epoch_seconds(by_s[least]),
                                f"{epoch_seconds(by_s[most]) / epoch_seconds(by_s[least]):.1f} times s = {least} for "
                                f"{most / least:g} times the samples"))
    return found


def section(results):
    by_s = groups(results, "s")
    least, most = min(by_s), max(by_s)
    full = full_runs(results)
    ratio = epoch_seconds(by_s[most]) / epoch_seconds(by_s[least])
    parts = [
        f"**The paper.** A dense tensor of 200 x 150 x 100 x 50 (150 million entries), gamma with shape 1, rank 5; uniform "
        f"sampling with s from {PAPER['samples'][0]} to {PAPER['samples'][-1]} and the bound-constrained quasi-Newton method "
        f"L-BFGS-B with full gradients; {PAPER['starts']} starts with uniform(0,1) entries, not scaled; the loss estimated "
        f"from {PAPER['estimate_samples']:,} samples. Full gradients take about {PAPER['full_slower']} times as long; all "
        f"runs but {PAPER['failures'][125]} (of s = 125) recover; an epoch of s = 2000 costs about "
        f"{PAPER['epoch_2000_to_125']} times one of s = 125.",
        "**Here.** The same with `polyad make gamma`, `--schedule paper` and `--method gcp-full`, one thread for all; runs "
        f"with full gradients are stopped after {LIMIT} s if they have not ended by then. "
        + starts_done({**{name_of(s): runs for s, runs in by_s.items()}, "L-BFGS-B": full}, PAPER["starts"]),
        picture("Gamma data: loss against time for each number of samples and for full gradients, recovered counts, time an "
                "epoch", f"{NAME}-runs.svg"),
        runs_table("s", by_s)]
    if full:
        level = results.value("estimate of the true model")
        level += 0.01 * abs(level)
        rows = [[n, seconds(median(reach(r, level) for r in runs if reach(r, level) is not None)),
                 share(sum(reach(r, level) is not None for r in runs), len(runs))]
                for n, runs in {**{name_of(s): runs for s, runs in by_s.items()}, "L-BFGS-B": full}.items()
                if any(reach(r, level) is not None for r in runs)]
        parts += [
            f"Full gradients (starts: {len(full)}): {share(recovered(full), len(full))} recovered, median "
            f"{seconds(median(r['seconds'] for r in full))} per run, median {median(r['epochs_run'] for r in full):g} "
            f"iterations, {sum('time' in r['why'] for r in full)} stopped by the limit of time. Seconds until the loss is "
            "within 1 % of that of the true model:",
            table(["", "median", "runs that come so far"], rows)]
    text = (f"**Differences.** An epoch of s = {most} costs {ratio:.1f} times one of s = {least}: fixed costs of an iteration "
            "are small in compiled code. The estimate of the loss is off by its sampling error, which is the same for all "
            "stochastic runs; the exact losses of L-BFGS-B are drawn shifted by what the estimate is off at the true model.")
    if full:
        text += (f" Full gradients take {slower(results):.0f} times as long as the slowest s here, not {PAPER['full_slower']} "
                 "times: sampled iterations cost little in compiled code, and all runs have one thread, where the paper's full "
                 "gradients could use all of its cores.")
    return paragraphs(*parts, text)

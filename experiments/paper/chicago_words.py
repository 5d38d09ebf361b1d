"""What the page says about experiment 5: conclusions and text."""
from . import patterns
from .chicago_methods import (APR, APR_END, HYBRID, NAME, PAPER, PICTURED, SAMPLED, SAYS, SEMI, STRATIFIED, TOOLBOX,
                              TYPES, file_of, groups, pictured)
from .runner import PAPER_SCHEDULE, RECOVERED, Conclusion
from .text import figure, median, paragraphs, picture, seconds, share, table

STAND_IN = "made again from the city's records, a close stand-in for the tensor of the paper"


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
    best = {m: min(r["exact"] for r in runs) for m, runs in by_method.items()}
    out = []
    if facts["quick"]:
        scores = {m: min(runs, key=lambda r: r["exact"])["score"] for m, runs in by_method.items()}
        out.append(Conclusion("The best start of every method recovers the planted patterns.",
                              min(scores.values()) >= RECOVERED,
                              "score, " + ", ".join(f"{m}: {s:.3f}" for m, s in scores.items())))
    elif APR in by_method:
        first = [r["exact_rows"][1] for r in by_method[APR] if len(r["exact_rows"]) > 1]
        time, value = median(t for t, _ in first), median(v for _, v in first)
        then = {m: median(at_time(r, time) for r in by_method[m]) for m in (STRATIFIED, SEMI)}
        out.append(Conclusion("When CP-APR has done its first iteration, sampling has come lower.",
                              max(then.values()) < value,
                              f"after {seconds(time)} CP-APR {figure(value, 5)}, " +
                              ", ".join(f"{m} {figure(v, 5)}" for m, v in then.items())))
    if APR in by_method and not facts["quick"]:
        ends = {m: loss[m] / loss[APR] - 1 for m in (STRATIFIED, SEMI)}
        out.append(Conclusion("The paper's two samplers end slightly higher than CP-APR: above it, but by less than 1 %.",
                              all(0 < e < 0.01 for e in ends.values()),
                              "median exact loss against CP-APR's, "
                              "" + ", ".join(f"{m}: {100 * e:+.3f} %" for m, e in ends.items())))
        out.append(Conclusion("The hybrid ends at least as low as CP-APR in the median, and its best start at most 0.05 % above "
                              "CP-APR's best.", loss[HYBRID] <= loss[APR] and best[HYBRID] <= 1.0005 * best[APR],
                              f"exact loss against CP-APR's, median: {above(loss[HYBRID], loss[APR])}, best: "
                              f"{above(best[HYBRID], best[APR])}"))
        ended = median(r["seconds"] for r in by_method[HYBRID])
        then = median(at_time(r, ended) for r in by_method[APR])
        out.append(Conclusion("When the hybrid ends, CP-APR is still above it.", then > loss[HYBRID],
                              f"after {seconds(ended)} CP-APR is {above(then, loss[HYBRID])} from it"))
    apart = abs(best[SEMI] / best[STRATIFIED] - 1)
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
                     f"{min(loss[m]):,.0f}", f"{median(loss[m]):,.0f}", f"{100 * (median(loss[m]) / lowest - 1):.3f}",
                     offset,
                     f"{median(like):.2f}" if like else ""])
    names = list(by_method[HYBRID][0]["patterns"])
    pattern_rows = [[says(n, facts["types"])] + [pattern_cell(runs, n) for runs in by_method.values()] for n in names]
    done = ", ".join(f"{m} {len(runs)}" for m, runs in by_method.items())
    return paragraphs(
        f"*The paper:* counts of crimes in Chicago by day, hour, community area and type, "
        f"{' x '.join(map(str, PAPER['shape']))} with {PAPER['nonzeros']:,} nonzeros, Poisson loss, rank {PAPER['rank']}, "
        "GCP-Adam with "
        f"stratified and semi-stratified sampling, s = {PAPER['samples']:,} (the sum of the dimensions), against CP-APR "
        "with "
        f"quasi-Newton steps; {PAPER['starts']} starts. CP-APR's first iteration ends after about "
        f"{PAPER['first_apr_iteration_seconds']} s; GCP-Adam falls much faster and ends slightly higher, which the paper "
        "thinks is in "
        "part an artifact of the estimate. The components of the three methods are much alike. The Tensor Toolbox "
        "publishes a run of "
        f"GCP-Adam on these data: {PAPER['toolbox_epochs']} epochs at rate {PAPER['toolbox_rate']:g}, final estimate "
        f"{figure(PAPER['toolbox_estimate'], 5)}, {PAPER['toolbox_seconds']:g} s, {PAPER['toolbox_ms_an_iteration']:g} ms "
        "an iteration.",
        f"*Here:* {' x '.join(map(str, facts['shape']))}, {facts['nonzeros']:,} nonzeros, {facts['sum']:,} events from "
        f"{facts['span'][0]} to {facts['span'][1]}: "
        f"{'a generated city' if facts['quick'] else STAND_IN}. "
        f"s = {facts['samples']:,}. *stratified* and *semi-stratified* are the paper's, with its schedule and rate "
        f"({PAPER_SCHEDULE['rate']:g}); *exact-zeros* and *hybrid* are polyad's: the sum over zeros is exact "
        "and only nonzeros are sampled, with the default schedule; the hybrid, which is the default for counts, then "
        "polishes by "
        "CP-APR with Newton steps. *CP-APR* takes quasi-Newton steps until no optimality condition is broken by more than "
        f"{APR_END['kkt-tolerance']:g}, for at most {APR_END['time-limit'] / 60:g} minutes{ended_by(by_method)}. Each on one "
        "thread, "
        f"guesses scaled to the norm of the data (the paper does not say). Starts done: {done}.",
        table(["method", "starts", "a run", "epochs or iterations", "lowest exact loss", "median exact loss",
               "median, % above the lowest", "estimate above exact, %", "likeness to the hybrid"], rows),
        "Likeness: the score of Appendix E against the hybrid from the same start, the median of the starts; 1 is equal.",
        picture("Loss against time for each method: estimates on the left, exact losses on the right", f"{NAME}-loss.svg"),
        *exact_words(by_method),
        *toolbox_words(results),
        "The patterns are looked for by [rules](../experiments/paper/patterns.py), not by eye: a season is "
        f"{patterns.SEASON:g} times as many events from June to August as from December to February (all events: "
        f"{results.value('summer of all events'):g} times), a spike {patterns.SPIKE:g} times what is around it, fading at "
        "most "
        f"{patterns.FADED:g} times as many in the last eighth of the days as in the first, late nights "
        f"{100 * patterns.AT_NIGHT:g} % of the "
        f"events from {patterns.NIGHT[0]} to {patterns.NIGHT[-1]} o'clock. In how many starts each is found, and in which "
        "row of the figures "
        f"of start {PICTURED}:",
        table(["pattern", *by_method], pattern_rows),
        *figure_words(pictured(results)))


def ended_by(by_method):
    """In how many starts CP-APR's own rule ended it."""
    runs = by_method.get(APR, [])
    return f" (in {share(sum(r['why'] == 'converged' for r in runs), len(runs))} starts the former ended it)" if runs else ""


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
        f"The hybrid ends {above(exact[HYBRID], exact[APR])} from it. (The step in its curve, where sampling ends, is the "
        "one from the "
        f"estimate to the exact loss.) CP-APR's first iteration ends after {seconds(first)} here, the paper's after "
        f"{PAPER['first_apr_iteration_seconds']} s, which the paper lays to extensive preparation; sorting the data once "
        "per mode is all the "
        f"preparation that is needed here. {vanished(by_method)}An iteration of stratified sampling takes "
        f"{seconds(iteration)}. Where a sampled method knows its exact loss only "
        f"at the end, start {PICTURED} was run again and stopped on its way (open marks in the figure).")]


def gap(exact):
    if min(exact[STRATIFIED], exact[SEMI]) > exact[APR]:
        finish = "takes it away" if exact[HYBRID] <= exact[APR] else "takes most of it away"
        return ("So the gap to CP-APR is no artifact of the estimate: the noise of the samples leaves it, and an exact finish "
                f"{finish}.")
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
        f"The Toolbox's published run, repeated with stratified sampling, {PAPER['toolbox_rate']:g} as the rate and twice "
        "the samples, from "
        f"start {run['start']}: {run['epochs_run']} epochs ({PAPER['toolbox_epochs']} there), {seconds(run['seconds'])} "
        f"({PAPER['toolbox_seconds']:g} s), {each:.2g} ms an iteration ({PAPER['toolbox_ms_an_iteration']:g} ms), estimate "
        f"{figure(run['estimate'], 5)} ({figure(PAPER['toolbox_estimate'], 5)}, of a somewhat larger tensor), exact loss "
        f"{run['exact']:,.0f}; stratified at the paper's rate from the same start: {usual['epochs_run']} epochs, "
        f"{usual['exact']:,.0f}.")]


def figure_words(methods):
    text = [f"Components of start {PICTURED}, as the paper shows them: days carry the magnitude (in spans of some days the "
            "range of "
            f"the values), the {TYPES} most frequent types are sorted by frequency. Rows are matched with the hybrid's by "
            "the exact assignment; "
            "the product of the cosines over the modes says how alike they are."]
    text += [picture(f"Components found by {m}", file_of(m)) for m in methods]
    return text

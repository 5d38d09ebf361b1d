"""Part of experiment 7: zeros that count less, on a recommender-like problem."""
from . import figures as draw
from . import recommender
from .runner import Conclusion, Fit, Problem, read_model
from .text import figure, median, share, table

RANKED = ["bernoulli-odds", "gaussian"]
NO_ZEROS = "no zeros"


def fits_of(runner):
    weights = ["1", "0.1"] if runner.quick else ["1", "0.3", "0.1", "0.03", "0.01"]
    zeros = {w: {"sampler": "stratified", "zero-weight": w} for w in weights} | {NO_ZEROS: {"unlisted": "missing"}}
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


def draw_axes(axes, results):
    names = ways(results)
    draw.lines_axes(axes, {f"{name}, {loss}": (names, [ranking(results, name, loss, w, "unseen") for w in names])
                           for name, loss in cases(results)}, "weight of zeros", "area under the curve")
    axes.set_title("Recommender: how well unseen likes rank")


def conclusions(results):
    if not cases(results):
        return []
    gains = {c: [ranking(results, *c, w, "unseen") for w in ("0.1", "1", NO_ZEROS)] for c in cases(results)}
    better = sum(light > full for light, full, _ in gains.values())
    return [
        Conclusion("Zeros of weight 0.1 rank unseen likes better than zeros of weight 1 in most of these problems and losses.",
                   better > len(gains) / 2, f"{share(better, len(gains))}: " + ", ".join(
                       f"{name} {loss} {light:.3f} against {full:.3f}" for (name, loss), (light, full, _) in gains.items())),
        Conclusion("Leaving zeros out altogether ranks worse than weight 0.1.",
                   all(light > none for light, _, none in gains.values()),
                   ", ".join(f"{none:.3f} against {light:.3f}" for light, _, none in gains.values()))]


def parts(results):
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

"""A recommender-like problem: who likes what when. A one is something a user has seen and liked; a zero is mostly something
not seen. Tastes have low rank; what is seen depends on how active a user is and how popular an item."""
import typing

import numpy
import scipy.stats

RANK = 6
HELD_OUT = 0.2
# name: how sharp tastes are (shape of the gamma distribution of entries, less is sharper), how rarely items are seen
PROBLEMS = {"much seen": (0.15, 1), "little seen": (0.2, 3)}


class Taste(typing.NamedTuple):
    likes: numpy.ndarray      # what a user would like, seen or not
    known: numpy.ndarray      # ones of the data
    held: numpy.ndarray       # ones held out of the data

    @property
    def shape(self):
        return self.likes.shape


def make(name):
    sharpness, rarity = PROBLEMS[name]
    rng = numpy.random.default_rng(5)
    users, items, times = 400, 200, 4
    a = rng.gamma(sharpness, 1, (users, RANK))
    b = rng.gamma(sharpness, 1, (items, RANK))
    c = rng.uniform(0.3, 1, (times, RANK))
    odds = numpy.einsum("ir,jr,kr->ijk", a, b, c)
    odds /= odds.mean()
    likes = rng.random(odds.shape) < odds / (1 + odds)
    seen = rng.beta(1, 1, (users, 1, 1)) * rng.beta(1, rarity, (1, items, 1))
    ones = likes & (rng.random(odds.shape) < seen)
    held = ones & (rng.random(odds.shape) < HELD_OUT)
    return Taste(likes, ones & ~held, held)


def write(taste, path):
    index = numpy.argwhere(taste.known) + 1
    with open(path, "w") as file:
        for row in index:
            file.write(" ".join(map(str, row)) + " 1\n")


def describe(taste):
    return {"shape": list(taste.shape), "likes": int(taste.likes.sum()), "seen": int(taste.known.sum() + taste.held.sum()),
            "held": int(taste.held.sum()), "known": int(taste.known.sum())}


def area(scores, good):
    """Chance that a good one ranks before another, ties half."""
    n = int(good.sum())
    if n == 0 or n == len(good):
        return None
    ranks = scipy.stats.rankdata(scores)
    return (ranks[good].sum() - n * (n + 1) / 2) / (n * (len(good) - n))


def judge(taste, weights, factors):
    """Means over users; cells of the data take no part."""
    model = numpy.einsum("r,ir,jr,kr->ijk", weights, *factors)
    unseen, held, recall = [], [], []
    for user in range(taste.shape[0]):
        free = ~taste.known[user]
        scores = model[user][free]
        unseen.append(area(scores, taste.likes[user][free]))
        wanted = taste.held[user][free]
        held.append(area(scores, wanted))
        if wanted.any():
            first = numpy.argsort(-scores, kind="stable")[:20]
            recall.append(wanted[first].sum() / min(20, wanted.sum()))
    mean = lambda values: float(f"{numpy.mean([v for v in values if v is not None]):.4g}")
    return {"unseen": mean(unseen), "held": mean(held), "recall": mean(recall)}

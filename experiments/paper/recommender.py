"""A recommender-like problem: who likes what when. A one is something a user has seen and liked; a zero is mostly something
not seen. Tastes have low rank; what is seen depends on how active a user is and how popular an item."""
import typing

import numpy
import scipy.stats

RANK = 6
HELD_OUT = 0.2


class Taste(typing.NamedTuple):
    likes: numpy.ndarray      # what a user would like, seen or not
    known: numpy.ndarray      # ones of the data
    held: numpy.ndarray       # ones held out of the data

    @property
    def shape(self):
        return self.likes.shape


def make(quick):
    rng = numpy.random.default_rng(5)
    users, items, times = (120, 80, 4) if quick else (400, 300, 6)
    a = rng.gamma(0.3, 1, (users, RANK))
    b = rng.gamma(0.3, 1, (items, RANK))
    c = rng.uniform(0.3, 1, (times, RANK))
    odds = numpy.einsum("ir,jr,kr->ijk", a, b, c)
    odds *= 0.12 / odds.mean()
    likes = rng.random(odds.shape) < odds / (1 + odds)
    seen = rng.beta(1, 3, (users, 1, 1)) * rng.beta(1, 2, (1, items, 1)) * 2
    ones = likes & (rng.random(odds.shape) < seen)
    held = ones & (rng.random(odds.shape) < HELD_OUT)
    return Taste(likes, ones & ~held, held)


def write(taste, path):
    index = numpy.argwhere(taste.known) + 1
    with open(path, "w") as file:
        for row in index:
            file.write(" ".join(map(str, row)) + " 1\n")


def describe(taste):
    users, items, times = taste.shape
    return (f"{users} users, {items} items, {times} seasons: {int(taste.likes.sum()):,} likes by odds of rank {RANK}, of which "
            f"{int(taste.known.sum() + taste.held.sum()):,} were seen; {int(taste.held.sum()):,} of these are held out and "
            f"{int(taste.known.sum()):,} are the data. A zero is mostly something not seen, so it should count less.")


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

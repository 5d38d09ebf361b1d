"""Against an independent optimiser: the default fit of small problems, with every loss, dense and sparse, explains as much of the
deviance (to 1e-4 of what a constant leaves) as the best model that scipy's L-BFGS-B finds from ten random starts and from
polyad's own model. Losses, derivatives and models are NumPy here, written from their formulas; a loss that is new in polyad must
be added. Needs POLYAD; exits with 77 (skipped) without numpy or scipy.

Two problems for each loss, dense and sparse; OPTIMUM_SEEDS=4 tries four of each (docs/reliability.md)."""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    import scipy.optimize
    import scipy.special
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

POLYAD = os.environ["POLYAD"]
SHAPE = (7, 6, 5)
SEEDS = range(int(os.environ.get("OPTIMUM_SEEDS", "2")))
STARTS = 10
WITHIN = 1e-4
EPS = 1e-10


class Loss:
    """f(x, m), df/dm, the lower bound of factors and data like those the loss is for; `best` is the m of the least f. The rank is 1
    where so few cells do not determine more: yes/no answers and logarithms are then explained best by numbers without end."""

    def __init__(self, value, slope, lower, draw, best=lambda x: x, rank=2):
        self.value, self.slope, self.lower, self.draw, self.best, self.rank = value, slope, lower, draw, best, rank


def expit(m):
    return scipy.special.expit(m)


def both_signs(random):
    """Logits of rank 1 between 0.5 and 2.5 in size. Each slice has answers against its sign then, so that a finite model is best: where a
    slice can be separated (as in most data that no model of rank 1 made) its factor grows without end, and there is no minimum."""
    a, b, c = ((0.8 + 0.4 * random.random((n, 1))) * random.choice([-1, 1], (n, 1)) for n in SHAPE)
    return 2 * values([a, b, c])


def log_of_mean(x):
    return np.log(np.maximum(x, 1e-8))


def truncated_mean(x):
    """m with m / (1 - exp(-m)) = x, by fixed points of m = x (1 - exp(-m)); 0 where x is 1."""
    m = np.maximum(x - 0.5, 1e-6)
    for _ in range(200):
        m = x * -np.expm1(-m)
    return np.maximum(m, 1e-9)


# Data: r is numpy's generator, m the planted values (positive, about 0.1 to 6).
LOSSES = {
    "gaussian": Loss(lambda x, m: (x - m) ** 2, lambda x, m: 2 * (m - x), None, lambda r, m: m - 1 + 0.2 * r.normal(size=m.shape)),
    "huber": Loss(lambda x, m: np.where(abs(x - m) < 1, (x - m) ** 2, 2 * abs(x - m) - 1),
                  lambda x, m: 2 * np.clip(m - x, -1, 1), None, lambda r, m: m - 1 + 0.3 * r.standard_t(2, size=m.shape)),
    "poisson": Loss(lambda x, m: m - x * np.log(m + EPS), lambda x, m: 1 - x / (m + EPS), 0, lambda r, m: r.poisson(m)),
    "poisson-log": Loss(lambda x, m: np.exp(m) - x * m, lambda x, m: np.exp(m) - x, None, lambda r, m: r.poisson(1.5 + m), log_of_mean,
                        rank=1),
    "negative-binomial": Loss(lambda x, m: (4 + x) * np.log1p(m) - x * np.log(m + EPS), lambda x, m: (4 + x) / (1 + m) - x / (m + EPS),
                              0, lambda r, m: r.negative_binomial(4, 1 / (1 + m)), lambda x: x / 4),
    "zero-truncated-poisson": Loss(lambda x, m: m - x * np.log(m + EPS) + np.log(EPS - np.expm1(-m)),
                                   lambda x, m: 1 - x / (m + EPS) + np.exp(-m) / (EPS - np.expm1(-m)), 0,
                                   lambda r, m: 1 + r.poisson(2 * m), truncated_mean),
    "bernoulli-odds": Loss(lambda x, m: np.log1p(m) - x * np.log(m + EPS), lambda x, m: 1 / (1 + m) - x / (m + EPS), 0,
                           lambda r, m: (r.random(m.shape) < m / (1 + m)) * 1.0, lambda x: np.where(x > 0, 1e12, 0.0), rank=1),
    "bernoulli-logit": Loss(lambda x, m: np.logaddexp(0, m) - x * m, lambda x, m: expit(m) - x, None,
                            lambda r, m: (r.random(m.shape) < expit(both_signs(r))) * 1.0, lambda x: np.where(x > 0, 50.0, -50.0), rank=1),
    "gamma": Loss(lambda x, m: x / (m + EPS) + np.log(m + EPS), lambda x, m: 1 / (m + EPS) - x / (m + EPS) ** 2, 0,
                  lambda r, m: m * r.gamma(4, 0.25, size=m.shape)),
    "rayleigh": Loss(lambda x, m: 2 * np.log(m + EPS) + np.pi / 4 * (x / (m + EPS)) ** 2,
                     lambda x, m: 2 / (m + EPS) - np.pi / 2 * x ** 2 / (m + EPS) ** 3, 0,
                     lambda r, m: r.rayleigh(m * np.sqrt(2 / np.pi))),
    "beta-divergence": Loss(lambda x, m: 2 * np.sqrt(m + EPS) + 2 * x / np.sqrt(m + EPS),
                            lambda x, m: (m + EPS) ** -0.5 - x * (m + EPS) ** -1.5, 0, lambda r, m: m * r.gamma(3, 1 / 3, size=m.shape)),
}
NO_ZEROS = {"zero-truncated-poisson", "gamma", "rayleigh"}  # sparse: unlisted cells are missing


def split(flat, rank):
    factors, at = [], 0
    for n in SHAPE:
        factors.append(flat[at:at + n * rank].reshape(n, rank))
        at += n * rank
    return factors


def values(factors):
    a, b, c = factors
    return np.einsum("ijr,kr->ijk", a[:, None, :] * b[None, :, :], c)


class Problem:
    def __init__(self, name, form, seed):
        self.name, self.form, self.loss, self.seed = name, form, LOSSES[name], seed
        random = np.random.default_rng(1000 * seed + sum(map(ord, name + form)))
        planted = values([0.2 + 1.2 * random.random((n, 2)) ** 2 for n in SHAPE])
        self.x = np.asarray(self.loss.draw(random, planted), dtype=float)
        self.observed = np.ones(SHAPE, dtype=bool)
        if form == "sparse" and name in NO_ZEROS:
            # With more missing cells a component can live on them alone, where nothing holds it: there is no minimum then.
            self.observed = random.random(SHAPE) < 0.85
        elif form == "sparse" and self.loss.rank == 2:
            self.x[random.random(SHAPE) < 0.4] = 0

    def objective(self, flat):
        factors = split(flat, self.loss.rank)
        m = values(factors)
        with np.errstate(over="ignore", invalid="ignore"):
            f = np.sum(np.where(self.observed, self.loss.value(self.x, m), 0))
            y = np.where(self.observed, self.loss.slope(self.x, m), 0)
            a, b, c = factors
            gradient = [np.einsum("ijk,jr,kr->ir", y, b, c, optimize=False), np.einsum("ijk,ir,kr->jr", y, a, c, optimize=False),
                        np.einsum("ijk,ir,jr->kr", y, a, b, optimize=False)]
        if not np.isfinite(f):
            return 1e300, np.zeros_like(flat)
        return f, np.concatenate([g.ravel() for g in gradient])

    def minimise(self, start):
        done = scipy.optimize.minimize(self.objective, start, jac=True, method="L-BFGS-B", bounds=[(self.loss.lower, None)] * start.size,
                                       options={"maxiter": 1500, "maxfun": 3000, "ftol": 1e-11, "gtol": 1e-8})
        return done.fun

    def random_start(self, random):
        size = self.loss.rank * sum(SHAPE)
        if self.loss.lower is not None:
            return 0.1 + random.random(size)
        return random.normal(size=size) * 0.7

    def deviance_of_a_constant(self):
        """What the best constant leaves above the least that is possible in every cell."""
        x = self.x[self.observed]
        low, high = (1e-9, 1e3) if self.loss.lower is not None else (-30, 30)
        best = scipy.optimize.minimize_scalar(lambda m: np.sum(self.loss.value(x, m)), bounds=(low, min(high, max(2 * abs(x).max(), 1))),
                                              method="bounded", options={"xatol": 1e-10})
        return best.fun - np.sum(self.loss.value(x, self.loss.best(x)))

    def write(self, folder):
        path = os.path.join(folder, f"{self.name}-{self.form}-{self.seed}")
        if self.form == "dense":
            np.save(path + ".npy", self.x)
            return path + ".npy"
        listed = np.argwhere(self.observed & ((self.x != 0) | (self.name in NO_ZEROS)))
        with open(path + ".tns", "w") as f:
            f.write(f"# shape: {'x'.join(map(str, SHAPE))}\n")
            f.writelines(f"{i + 1} {j + 1} {k + 1} {float(self.x[i, j, k])!r}\n" for i, j, k in listed)
        return path + ".tns"

    def fit(self, folder):
        """The model of the default fit, its weights in the first mode."""
        data = self.write(folder)
        more = ["--unlisted", "missing"] if self.form == "sparse" and self.name in NO_ZEROS else []
        for arguments in (["fit", data, "--rank", self.loss.rank, "--loss", self.name, "--threads", 1, "-q", "-o", data + ".h5", *more],
                          ["convert", "-q", data + ".h5", data + ".npz"]):
            done = subprocess.run([POLYAD, *map(str, arguments)], capture_output=True, text=True, timeout=120)
            if done.returncode not in (0, 6):
                raise AssertionError(f"{arguments}: {done.stderr}")
        with np.load(data + ".npz") as model:
            factors = [model[f"factor_{k + 1}"].copy() for k in range(3)]
            factors[0] *= model["weights"]
        # Weights spread over the modes: a start that scipy can work with.
        sizes = [np.abs(f).max(axis=0) for f in factors]
        even = np.cbrt(sizes[0] * sizes[1] * sizes[2])
        return np.concatenate([(f / np.where(s > 0, s, 1) * even).ravel() for f, s in zip(factors, sizes)])


def compare(name, form, seed, folder):
    """How far the default fit is above the best model that scipy found, in parts of the deviance that a constant leaves."""
    problem = Problem(name, form, seed)
    ours = problem.fit(folder)
    ours_value = problem.objective(ours)[0]
    random = np.random.default_rng(problem.seed + 77)
    found = {"from polyad's model": problem.minimise(ours)}
    for n in range(STARTS):
        found[f"from random start {n}"] = problem.minimise(problem.random_start(random))
    where = min(found, key=found.get)
    return (ours_value - found[where]) / problem.deviance_of_a_constant(), where


class Optimum(unittest.TestCase):
    def test_every_loss_of_polyad_is_here(self):
        listed = subprocess.run([POLYAD, "losses"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(set(re.findall(r"^([a-z-]+)$", listed, re.MULTILINE)), set(LOSSES), "losses with an implementation here")

    def test_gradients_are_those_of_the_objective(self):
        for name in LOSSES:
            problem = Problem(name, "dense", 0)
            at = 0.5 + np.random.default_rng(3).random(problem.loss.rank * sum(SHAPE))
            gradient = problem.objective(at)[1]
            for entry in (0, 9, 17):
                step = np.zeros_like(at)
                step[entry] = 1e-6
                slope = (problem.objective(at + step)[0] - problem.objective(at - step)[0]) / 2e-6
                self.assertAlmostEqual(slope / gradient[entry], 1, 5, f"{name}, entry {entry}")

    def test_default_fits_are_as_good_as_scipys_best(self):
        problems = [(name, form, seed) for name in LOSSES for form in ("dense", "sparse") for seed in SEEDS]
        with tempfile.TemporaryDirectory(prefix="polyad-optimum-") as folder:
            with concurrent.futures.ProcessPoolExecutor(2) as pool:
                results = list(pool.map(compare, *zip(*problems), [folder] * len(problems)))
        worse = [f"{name}, {form}, seed {seed}: {above:.2e} above scipy {where}"
                 for (name, form, seed), (above, where) in zip(problems, results) if not above <= WITHIN]
        self.assertEqual(worse, [], "\n" + "\n".join(worse))


if __name__ == "__main__":
    unittest.main()

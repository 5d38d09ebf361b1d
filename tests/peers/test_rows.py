"""Rows of `polyad transform` against scipy's bounded minimiser, for every loss, on dense, sparse, weighted and partly missing
data. Needs POLYAD, the path of the command; exits with 77 (skipped) where numpy or scipy are not installed."""

import json
import os
import sys
import unittest

try:
    import numpy as np
    import scipy.optimize
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from test_peers import Folder

EPS = 1e-10
SHAPE = (5, 6, 4)
RANK = 3


def huber(x, m, delta=1.0):
    d = np.abs(x - m)
    return np.where(d < delta, d * d, delta * (2 * d - delta))


# Values by the formulas of the documentation; whether m is at least 0; data that the loss allows.
LOSSES = {
    "gaussian": (lambda x, m: (x - m) ** 2, False, "real"),
    "huber": (huber, False, "real"),
    "poisson": (lambda x, m: m - x * np.log(m + EPS), True, "count"),
    "poisson-log": (lambda x, m: np.exp(m) - x * m, False, "count"),
    "negative-binomial": (lambda x, m: (4 + x) * np.log1p(m) - x * np.log(m + EPS), True, "count"),
    "zero-truncated-poisson": (lambda x, m: m - x * np.log(m + EPS) + np.log(-np.expm1(-m) + EPS), True, "from-1"),
    "bernoulli-odds": (lambda x, m: np.log1p(m) - x * np.log(m + EPS), True, "binary"),
    "bernoulli-logit": (lambda x, m: np.logaddexp(0, m) - x * m, False, "binary"),
    "gamma": (lambda x, m: x / (m + EPS) + np.log(m + EPS), True, "positive"),
    "rayleigh": (lambda x, m: 2 * np.log(m + EPS) + np.pi / 4 * (x / (m + EPS)) ** 2, True, "positive"),
    "beta-divergence": (lambda x, m: 2 * np.sqrt(m + EPS) + 2 * x / np.sqrt(m + EPS), True, "positive"),
}
CONVEX = {"gaussian", "huber", "poisson", "poisson-log", "zero-truncated-poisson", "bernoulli-logit"}


class Rows(Folder):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(17)

    def data(self, kind):
        m = self.rng.gamma(2.0, 1.0, SHAPE)
        if kind == "real":
            return self.rng.normal(size=SHAPE) + np.where(self.rng.random(SHAPE) < 0.1, 5, 0)
        if kind == "binary":
            return (self.rng.random(SHAPE) < 0.4).astype(float)
        if kind == "from-1":
            return 1.0 + self.rng.poisson(m)
        return self.rng.poisson(m).astype(float) if kind == "count" else m

    def model(self, positive):
        """Columns of size 1, as polyad has them, and weights."""
        factors = [self.rng.random((n, RANK)) if positive else self.rng.normal(size=(n, RANK)) for n in SHAPE]
        factors = [a / np.linalg.norm(a, axis=0) for a in factors]
        weights = np.array([3.0, 2.0, 1.5])
        np.savez(self.path("model.npz"), weights=weights, **{f"factor_{k + 1}": a for k, a in enumerate(factors)})
        return factors

    def rows(self, loss, file, *options):
        done = self.polyad("transform", "model.npz", file, "--mode", 1, "--loss", loss, "-o", "rows.npz", "--json",
                           *options)
        facts = json.loads(done.stdout)
        self.assertLessEqual(facts["worst-residual"], 1e-8)
        self.assertEqual(facts["not-solved"], [])
        with np.load(self.path("rows.npz")) as z:
            self.assertEqual(z["weights"].tolist(), [1, 1, 1])
            return z["factor_1"]

    def compare(self, loss, factors, x, weights, rows):
        f, positive, _ = LOSSES[loss]
        design = np.einsum("jr,kr->jkr", factors[1], factors[2]).reshape(-1, RANK)
        for i in range(SHAPE[0]):
            w = weights[i].ravel()
            seen = w > 0
            values, pi = x[i].ravel()[seen], design[seen]

            def objective(b):
                with np.errstate(all="ignore"):
                    return float(np.sum(w[seen] * f(values, pi @ b)))

            bounds = [(0, None) if positive else (None, None)] * RANK
            found = objective(rows[i])
            best = np.inf
            for start in [rows[i] + 0.1, np.full(RANK, 1.0), np.full(RANK, 5.0), self.rng.random(RANK)]:
                end = scipy.optimize.minimize(objective, start, method="L-BFGS-B", bounds=bounds,
                                              options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 2000})
                best = min(best, end.fun)
            scale = 1 + abs(best)
            if loss in CONVEX:
                self.assertLessEqual(found, best + 1e-7 * scale, f"{loss}, row {i}")
                self.assertGreaterEqual(found, best - 1e-4 * scale, f"{loss}, row {i}: scipy is far off")
            else:  # a minimum: nothing near is lower
                self.assertLessEqual(found, best + 1e-3 * scale, f"{loss}, row {i}")
                end = scipy.optimize.minimize(objective, rows[i], method="L-BFGS-B", bounds=bounds,
                                              options={"ftol": 1e-15, "gtol": 1e-10})
                self.assertLessEqual(found, end.fun + 1e-7 * scale, f"{loss}, row {i}")

    def test_dense(self):
        for loss, (_, positive, kind) in LOSSES.items():
            with self.subTest(loss=loss):
                factors, x = self.model(positive), self.data(kind)
                np.save(self.path("x.npy"), x)
                self.compare(loss, factors, x, np.ones(SHAPE), self.rows(loss, "x.npy"))

    def test_missing_and_weighted(self):
        for loss, (_, positive, kind) in LOSSES.items():
            with self.subTest(loss=loss):
                factors, x = self.model(positive), self.data(kind)
                weights = np.where(self.rng.random(SHAPE) < 0.2, 0, 0.5 + self.rng.random(SHAPE))
                holes = np.where(self.rng.random(SHAPE) < 0.1, np.nan, x)
                np.save(self.path("x.npy"), holes)
                np.save(self.path("w.npy"), weights)
                rows = self.rows(loss, "x.npy", "--weights", "w.npy")
                self.compare(loss, factors, x, np.where(np.isnan(holes), 0, weights), rows)

    def test_sparse(self):
        for loss, (_, positive, kind) in LOSSES.items():
            if kind not in ("real", "binary", "count"):
                continue
            with self.subTest(loss=loss):
                factors, x = self.model(positive), self.data(kind)
                x = np.where(self.rng.random(SHAPE) < 0.6, 0, x)
                with open(self.path("x.tns"), "w") as out:
                    for index in zip(*np.nonzero(x)):
                        out.write(" ".join(str(i + 1) for i in index) + f" {float(x[index])!r}\n")
                rows = self.rows(loss, "x.tns", "--shape", "x".join(map(str, SHAPE)))
                self.compare(loss, factors, x, np.ones(SHAPE), rows)


if __name__ == "__main__":
    unittest.main()

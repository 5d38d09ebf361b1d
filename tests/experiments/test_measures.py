#!/usr/bin/python3
"""What the experiments measure with, against plain computations."""
import math
import os
import sys
import tempfile
import unittest

import h5py
import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../experiments"))

from paper import missing, oversampling, recommender, schedules  # noqa: E402
from paper.runner import model_norm  # noqa: E402


class MeasuresTest(unittest.TestCase):
    def setUp(self):
        self.rng = numpy.random.default_rng(3)
        self.weights = self.rng.random(3)
        self.factors = [self.rng.normal(size=(n, 3)) for n in (4, 5, 6)]
        self.cells = numpy.zeros((4, 5, 6))
        for i, j, k in numpy.ndindex(4, 5, 6):
            self.cells[i, j, k] = sum(self.weights[r] * self.factors[0][i, r] * self.factors[1][j, r] * self.factors[2][k, r]
                                      for r in range(3))

    def test_dense_model(self):
        numpy.testing.assert_allclose(missing.dense(self.weights, self.factors), self.cells)

    def test_norm_of_a_model_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.h5")
            with h5py.File(path, "w") as file:
                file["model/weights"] = self.weights
                for k, factor in enumerate(self.factors):
                    file[f"model/factors/{k + 1}"] = factor
            self.assertAlmostEqual(model_norm(path), numpy.linalg.norm(self.cells))

    def test_area_is_the_chance_to_rank_before(self):
        scores = self.rng.integers(0, 6, 40).astype(float)  # with ties
        good = self.rng.random(40) < 0.3
        pairs = [(a > b) + 0.5 * (a == b) for a in scores[good] for b in scores[~good]]
        self.assertAlmostEqual(recommender.area(scores, good), numpy.mean(pairs))
        self.assertIsNone(recommender.area(scores, numpy.zeros(40, bool)))

    def test_ranking_of_the_likes_themselves_is_perfect(self):
        likes = self.cells > 0
        known = likes & (self.rng.random(likes.shape) < 0.3)
        held = known & (self.rng.random(likes.shape) < 0.5)
        taste = recommender.Taste(likes, known & ~held, held)
        self.assertEqual(recommender.judge(taste, self.weights, self.factors)["unseen"], 1)

    def test_needed_rate_leaves_one_batch_in_a_million(self):
        q, p = 1000, 0.9
        n = round(oversampling.needed(q, p) * q / p)
        # Binomial tail as a plain sum of logarithms: fewer than q zeros among n candidates.
        tail = lambda n: sum(math.exp(math.lgamma(n + 1) - math.lgamma(z + 1) - math.lgamma(n - z + 1) + z * math.log(p)
                                      + (n - z) * math.log(1 - p)) for z in range(q))
        self.assertLessEqual(tail(n), 1e-6)
        self.assertGreater(tail(n - 1), 1e-6)

    def test_time_to_solution(self):
        runs = [{"seconds": 2.0, "score": s} for s in (0.95, 0.2, 0.1, 0.99)]
        self.assertEqual(schedules.expected(runs), 4)
        self.assertAlmostEqual(schedules.almost_sure(runs), 2 * math.log(0.01) / math.log(0.5))
        self.assertEqual(schedules.almost_sure(runs[:1]), 2)
        self.assertEqual(schedules.expected(runs[1:2]), math.inf)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""The k-means of the experiments, against exhaustive search and against groups that are known."""
import itertools
import pathlib
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "experiments"))
from paper.kmeans import accuracy, kmeans  # noqa: E402


def least_sum(points, clusters):
    """The least sum of squares over all ways to group a few points."""
    best = np.inf
    for labels in itertools.product(range(clusters), repeat=len(points)):
        labels = np.array(labels)
        groups = [points[labels == k] for k in range(clusters) if (labels == k).any()]
        best = min(best, sum(((g - g.mean(0)) ** 2).sum() for g in groups))
    return best


class KMeans(unittest.TestCase):
    def test_finds_the_least_sum_of_squares(self):
        for seed in range(5):
            points = np.random.default_rng(seed).normal(size=(8, 2))
            _, found = kmeans(points, 3, replicates=50)
            self.assertAlmostEqual(found, least_sum(points, 3), places=10)

    def test_the_sum_is_that_of_the_labels(self):
        points = np.random.default_rng(9).normal(size=(60, 4)) * [1, 10, 100, 0.1] + 1e4
        labels, found = kmeans(points, 5, replicates=20)
        own = sum(((points[labels == k] - points[labels == k].mean(0)) ** 2).sum() for k in range(5))
        self.assertAlmostEqual(found / own, 1, places=6)

    def test_finds_groups_that_lie_apart(self):
        generator = np.random.default_rng(2)
        classes = np.repeat(np.arange(7), 20)
        points = generator.normal(size=(7, 4))[classes] * 10 + generator.normal(size=(140, 4)) * 0.1
        labels, _ = kmeans(points, 7, replicates=100)
        self.assertEqual(accuracy(labels, classes), 1)

    def test_equal_points_leave_no_cluster_empty(self):
        points = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
        labels, found = kmeans(points, 3, replicates=10)
        self.assertEqual(set(labels), {0, 1, 2})
        self.assertAlmostEqual(found, 0)

    def test_equal_seeds_give_equal_labels(self):
        points = np.random.default_rng(4).normal(size=(50, 3))
        self.assertTrue((kmeans(points, 4, seed=3)[0] == kmeans(points, 4, seed=3)[0]).all())

    def test_too_few_points(self):
        with self.assertRaises(ValueError):
            kmeans(np.zeros((2, 2)), 3)


class Accuracy(unittest.TestCase):
    def test_names_of_clusters_do_not_matter(self):
        self.assertEqual(accuracy([2, 2, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]), 1)

    def test_counts_what_the_best_assignment_gets_right(self):
        # Clusters {0,0,1} and {1}: the best assignment gets three of four.
        self.assertEqual(accuracy([0, 0, 0, 1], [0, 0, 1, 1]), 0.75)

    def test_is_the_best_of_all_permutations(self):
        generator = np.random.default_rng(5)
        labels, classes = generator.integers(4, size=30), generator.integers(4, size=30)
        best = max(np.mean(np.array(p)[labels] == classes) for p in itertools.permutations(range(4)))
        self.assertAlmostEqual(accuracy(labels, classes), best)

    def test_one_cluster_gets_one_class_only(self):
        self.assertEqual(accuracy([0] * 4, [0, 1, 2, 3]), 0.25)


if __name__ == "__main__":
    unittest.main()

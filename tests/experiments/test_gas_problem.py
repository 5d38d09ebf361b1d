#!/usr/bin/python3
"""The generated gas measurements: what the description says is planted is there."""
import os
import pathlib
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "experiments"))
from paper import gas_problem  # noqa: E402

SHAPE = (16, 60, 5, 28)


def make(seed=1, shape=SHAPE):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.npy")
        planted = gas_problem.write(path, shape, seed)
        return np.load(path), planted


class GasProblem(unittest.TestCase):
    def test_is_a_positive_tensor_of_the_shape(self):
        x, _ = make()
        self.assertEqual((x.shape, x.dtype), (SHAPE, np.dtype("f8")))
        self.assertTrue(np.isfinite(x).all() and (x > 0).all())
        self.assertTrue(3 < x.mean() < 30)

    def test_equal_seeds_give_equal_tensors(self):
        self.assertTrue((make(3)[0] == make(3)[0]).all())
        self.assertFalse((make(3)[0] == make(4)[0]).any())

    def test_noise_is_as_told(self):
        x, p = make()
        own = np.ones((SHAPE[0], SHAPE[3], 4))
        own[:, :, 2:] = p["own"][:, p["gas"]]
        pieces = [np.einsum("i,t,h,k,ik->ithk", p["sensor"][:, j], p["time"][:, j], p["temperature"][:, j], p["trial"][:, j],
                            own[:, :, j]) for j in range(4)]
        mean = pieces[0] + pieces[1] + p["turbulence"][None, :, None, :] * (pieces[2] + pieces[3])
        noise = np.log(x / mean)
        high = noise > np.log(gas_problem.OUTLIER) - 3 * gas_problem.NOISE
        self.assertAlmostEqual(high.mean() / gas_problem.OUTLIERS, 1, delta=0.25)
        self.assertAlmostEqual(noise[~high].std() / gas_problem.NOISE, 1, delta=0.02)
        self.assertAlmostEqual((x / mean)[~high].mean(), 1, delta=0.002)

    def test_the_exposure_rises_and_decays(self):
        x, p = make()
        course = x.mean((0, 2, 3))
        before, during, after = course[:9].mean(), course[22:30].mean(), course[-6:].mean()
        self.assertGreater(during, 1.2 * before)
        self.assertLess(after, 0.5 * (before + during))

    def test_each_gas_has_as_many_trials(self):
        self.assertEqual(list(np.bincount(gas_problem.gases(140))), [20] * 7)
        with self.assertRaises(ValueError):
            gas_problem.gases(141)


if __name__ == "__main__":
    unittest.main()

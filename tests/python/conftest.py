"""What the tests of the Python package share."""

import numpy as np
import pytest

# Fits that take milliseconds.
SHORT = dict(epochs=2, epoch_iterations=30, starts=1, samples=100, progress=False)


@pytest.fixture
def counts():
    """Small counts with structure, dense."""
    rng = np.random.default_rng(7)
    factors = [rng.gamma(0.6, 1.0, size=(n, 2)) for n in (9, 7, 5)]
    return rng.poisson(np.einsum("ir,jr,kr->ijk", *factors)).astype(float)


@pytest.fixture
def short():
    return dict(SHORT)


def same(a, b):
    """Whether two models are the same to the last bit, labels aside."""
    return np.array_equal(a.weights, b.weights) and all(map(np.array_equal, a.arrays(), b.arrays()))

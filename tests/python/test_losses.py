"""Losses of the user's own: formulas and functions against the built-in ones."""

import numpy as np
import polyad
import pytest


def test_builtin_losses_are_listed():
    table = polyad.losses()
    assert {"poisson", "gaussian", "huber"} <= set(table.index) and table.loc["huber", "parameters"] == "delta=1"
    assert polyad.loss("huber:delta=0.5").spec == "huber:delta=0.5"
    assert polyad.loss("poisson").value([2.0], [3.0])[0] == pytest.approx(3 - 2 * np.log(3))


def test_formula_fits_as_the_builtin(counts, short):
    own = polyad.fit(counts, 2, polyad.loss("m - x*log(m)", domain="counts", lower=0), **short)
    built_in = polyad.fit(counts, 2, "poisson", unit=1, **short)
    assert own.loss == pytest.approx(built_in.loss, rel=1e-6) and own.model.score(built_in.model) > 0.999
    assert own.options["loss"] == "expr:m - x*log(m); lower=0; domain=count"
    again = polyad.fit(counts, 2, own.options["loss"], **short)
    assert again.model == own.model
    assert own.model.evaluate(counts)["loss"] == pytest.approx(own.loss)


def test_function_fits_as_the_builtin(counts, short):
    square = polyad.loss(lambda x, m: (x - m) ** 2, lambda x, m: 2 * (m - x), name="square")
    own = polyad.fit(counts, 2, square, **short)
    built_in = polyad.fit(counts, 2, "gaussian", unit=1, **short)
    assert own.model.score(built_in.model) > 0.999 and own.loss == pytest.approx(built_in.loss, rel=1e-6)
    without = polyad.fit(counts, 2, polyad.loss(lambda x, m: (x - m) ** 2, name="square-alone"), **short)
    assert without.loss == pytest.approx(built_in.loss, rel=1e-3)
    assert own.model.evaluate(counts)["explained"] == pytest.approx(own.explained, rel=1e-6)
    own.judge()


def test_mistakes_in_functions(counts, short):
    with pytest.raises(polyad.UsageError, match="differences of f give"):
        polyad.loss(lambda x, m: (x - m) ** 2, lambda x, m: m - x, name="wrong")
    with pytest.raises(polyad.UsageError, match="not finite"):
        polyad.loss(lambda x, m: m - x * np.log(m), name="logs")
    with pytest.raises(polyad.UsageError, match="must return"):
        polyad.loss(lambda x, m: 1.0, name="one")
    with pytest.raises(ZeroDivisionError):
        polyad.loss(lambda x, m: 1 / 0, name="zero")
    calls = []

    def fails_later(x, m):
        calls.append(1)
        if len(calls) > 20:
            raise RuntimeError("enough")
        return (x - m) ** 2

    loss = polyad.loss(fails_later, lambda x, m: 2 * (m - x), name="later")
    with pytest.raises(RuntimeError, match="enough"):
        polyad.fit(counts, 2, loss, **short)
    for name in ("poisson", "has blank", ""):
        with pytest.raises(polyad.UsageError):
            polyad._core.Loss.of_functions(name, fails_later, fails_later, "", "", "", None, "real")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("m - x*lgo(m)",), "column 7: 'lgo' is not known .did you mean 'log'"),
        (("poison",), "did you mean 'poisson'"),
        ((3,), "a name or a function"),
        (("(x - m", ), "column 7"),
        (("(x-m)**2", len), "found automatically"),
    ],
)
def test_mistakes_in_formulas(arguments, words):
    with pytest.raises(polyad.UsageError, match=words):
        polyad.loss(*arguments)
    with pytest.raises(polyad.UsageError, match="have its own|has its own"):
        polyad.loss("poisson", lower=1)
    with pytest.raises(polyad.UsageError, match="domain"):
        polyad.loss("m*m - x", domain="whole")


def test_results_of_many_fits_are_freed(counts, short):
    import gc
    import resource

    def peak():
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    options = {**short, "epochs": 1, "epoch_iterations": 5, "finish": "none", "warn": False}
    square = polyad.loss(lambda x, m: (x - m) ** 2, lambda x, m: 2 * (m - x), name="freed")

    def fits(count, data):
        for i in range(count):
            polyad.fit(data, 1, square if i % 50 == 0 else "gaussian", callback=lambda p: None, **options)

    large = np.tile(counts, (10, 10, 1))
    fits(20, counts)
    fits(2, large.copy())
    before = peak()
    fits(1000, counts)  # a leak of 10 kB per fit would be 10 MB
    for _ in range(40):
        fits(1, large.copy())  # of the array of 0.25 MB, 10 MB as well
    assert peak() - before < 5_000  # kB

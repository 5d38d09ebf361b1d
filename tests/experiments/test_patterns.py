#!/usr/bin/python3
"""The rules that find named patterns in components, on components made to have exactly one each."""
import datetime
import pathlib
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "experiments"))
from paper.patterns import describe, find  # noqa: E402

DATES = [datetime.date(2002, 1, 1) + datetime.timedelta(days=i) for i in range(6 * 365)]
LABELS = [[d.isoformat() for d in DATES], [str(h) for h in range(24)], ["here", "there"], ["A", "B", "C", "D"]]
TYPES = {"prevalent": "A", "fading": ["B", "C"], "growing": ["D"]}
FLAT = np.ones(len(DATES))


def component(day=FLAT, hour=np.ones(24), kind=(0.1, 0.2, 0.3, 0.4)):
    return [np.asarray(f, dtype=float) for f in (day, hour, [1, 2], kind)]


def model(*components):
    return np.ones(len(components)), [np.stack([c[k] for c in components], 1) for k in range(4)]


def season():
    return np.array([1 + 2 * (d.month in (6, 7, 8)) for d in DATES])


def spikes(january=3):
    return np.array([january if (d.month, d.day) == (1, 1) else 3 if d.day == 1 else 1 for d in DATES])


class Patterns(unittest.TestCase):
    def only(self, name, shown):
        """Among components without pattern, the third shows this one and none shows another."""
        plain = component()
        found = find(describe(*model(plain, plain, shown), LABELS), TYPES)
        self.assertEqual(found, {k: 3 if k == name else None for k in found})

    def test_season(self):
        facts = describe(*model(component(season())), LABELS)[0]
        self.assertAlmostEqual(facts["summer"], 3)
        self.only("summer", component(season()))

    def test_a_winter_season_is_none(self):
        self.only(None, component(4 - season()))

    def test_first_days_with_midnight(self):
        hour = np.ones(24)
        hour[0] = 5
        facts = describe(*model(component(spikes(), hour)), LABELS)[0]
        self.assertAlmostEqual(facts["first"], 3)
        self.assertAlmostEqual(facts["january"], 3)
        self.assertAlmostEqual(facts["midnight"], 5)
        self.only("first days", component(spikes(), hour))
        self.only(None, component(spikes()))
        self.only(None, component(spikes(january=1), hour))

    def test_fading_and_growing_need_their_types(self):
        falling = np.linspace(1, 0.2, len(DATES))
        self.only("fading", component(falling, kind=(0.1, 0.5, 0.3, 0.1)))
        self.only(None, component(falling, kind=(0.3, 0.5, 0.05, 0.15 + 0.16)))
        self.only("growing", component(falling[::-1], kind=(0.1, 0.2, 0.3, 0.4)))

    def test_late_nights(self):
        hour = np.ones(24)
        hour[[22, 23, 0, 1, 2]] = 5
        facts = describe(*model(component(hour=hour)), LABELS)[0]
        self.assertAlmostEqual(facts["night"], 28 / 44)
        self.only("late nights", component(hour=hour))

    def test_prevalent_takes_the_largest(self):
        a, big = component(kind=(0.7, 0.1, 0.1, 0.1)), component(day=3 * FLAT, kind=(0.7, 0.1, 0.1, 0.1))
        self.assertEqual(find(describe(*model(a, big, a), LABELS), TYPES)["prevalent"], 2)
        self.only("prevalent", a)

    def test_shares_do_not_depend_on_how_a_component_is_scaled(self):
        weights, factors = model(component(), component(season()))
        other = [factors[0] * [5, 0.2], factors[1], factors[2], factors[3]]
        for one, two in zip(describe(weights, factors, LABELS), describe(weights / [5, 0.2], other, LABELS)):
            for name in one:
                if name != "types":
                    self.assertAlmostEqual(one[name], two[name])

    def test_a_component_that_vanished_shows_nothing(self):
        gone = [0 * f for f in component()]
        found = describe(*model(component(season()), gone), LABELS)
        self.assertIsNone(found[1])
        self.assertEqual(find(found, TYPES)["summer"], 1)

    def test_days_that_vanish(self):
        facts = describe(*model(component(day=np.where(np.arange(len(DATES)) < 100, 1.0, 0.0))), LABELS)[0]
        self.assertTrue(all(np.isfinite(v) for k, v in facts.items() if k != "types"))


if __name__ == "__main__":
    unittest.main()

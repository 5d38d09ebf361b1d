"""Fits of real tensors, where POLYAD_DATA names a folder with them; exits with 77 (skipped) where it does not."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

POLYAD = os.environ["POLYAD"]
DATA = os.environ.get("POLYAD_DATA", "")


def polyad(*arguments, exit_code=0):
    done = subprocess.run([POLYAD, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != exit_code:
        raise AssertionError(f"{arguments}: exit {done.returncode}\n{done.stderr}")
    return done


class RealData(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="polyad-data-")
        self.addCleanup(folder.cleanup)
        self.model = os.path.join(folder.name, "model.h5")

    def data(self, name):
        path = os.path.join(DATA, name)
        if not os.path.exists(path):
            self.skipTest(f"{path} is not there")
        return path

    def fit(self, data, rank, loss, *more, exit_code=0):
        return json.loads(polyad("fit", data, "--rank", rank, "--loss", loss, "-o", self.model, "-q", "--json", *more,
                                 exit_code=exit_code).stdout)

    def test_chicago_crime_is_read_whole(self):
        facts = json.loads(polyad("info", self.data("chicago/crime.tns.gz"), "--json").stdout)
        self.assertEqual(facts["shape"], [5713, 24, 77, 32])
        self.assertEqual(facts["listed"], 5325328)
        self.assertEqual(facts["greatest"], 101)
        self.assertAlmostEqual(facts["mean"] * facts["cells"], 5877726, delta=1)
        self.assertEqual(facts["losses"][0]["loss"], "poisson")

    def test_chicago_crime_falls_quickly_to_the_known_patterns(self):
        labels = [f"--labels={k}={self.data('chicago/labels-' + name + '.txt')}"
                  for k, name in ((1, "1-date"), (2, "2-hour"), (3, "3-community"), (4, "4-type"))]
        result = self.fit(self.data("chicago/crime.tns.gz"), 10, "poisson", "--starts", 1, "--epochs", 5, "--mode-names",
                          "day,hour,area,type", *labels)
        # The published Tensor Toolbox run of this problem ends at an estimate of 2.0371e7; the guess begins at 5.8e7.
        self.assertLess(result["summary"]["exact-loss"], 2.1e7)
        components = {}
        for row in csv.DictReader(io.StringIO(polyad("show", self.model, "--csv").stdout)):
            components.setdefault(row["component"], {}).setdefault(row["mode"], {})[row["label"]] = float(row["value"])

        def top(component, mode):
            return max(component[mode], key=component[mode].get)

        def days(component, chosen):
            """The mean of the chosen days over the mean of all."""
            all_days = component["day"]
            picked = [value for day, value in all_days.items() if chosen(day)]
            return sum(picked) / len(picked) * len(all_days) / sum(all_days.values())

        def some(what, test):
            self.assertTrue(any(test(c) for c in components.values()), f"no component is {what}")

        def nights(component):
            return sum(component["hour"][str(hour)] for hour in range(6))

        some("theft downtown", lambda c: top(c, "type") == "THEFT" and top(c, "area") in ("32 LOOP", "8 NEAR NORTH SIDE"))
        some("narcotics, fading over the years", lambda c: top(c, "type") == "NARCOTICS"
             and days(c, lambda d: d[:4] in ("2015", "2016")) < 0.5 * days(c, lambda d: d[:4] in ("2003", "2004")))
        some("summer", lambda c: days(c, lambda d: d[5:7] in ("06", "07", "08")) > 1.5 * days(c, lambda d: d[5:7] in ("12", "01", "02")))
        some("the first of the year and of each month, at midnight", lambda c: top(c, "hour") == "0"
             and days(c, lambda d: d.endswith("-01-01")) > 10 and days(c, lambda d: d.endswith("-01")) > 4)
        # Most of it in a quarter of the day, and its peak well after midnight (which the first of the month has too).
        some("late nights", lambda c: nights(c) > 0.5 and top(c, "hour") in ("1", "2", "3"))

    def test_college_messages_as_yes_or_no(self):
        result = self.fit(self.data("college/college_binary_200.tns.gz"), 4, "bernoulli-odds", "--starts", 2, "--epochs", 10)
        trace = result["summary"]["starts"]
        self.assertEqual(len(trace), 2)
        # Better than the best constant: 9,578 ones in 200 x 200 x 195 cells.
        from math import log
        ones, cells = 9578, 200 * 200 * 195
        constant = -ones * log(ones / cells) - (cells - ones) * log(1 - ones / cells)
        self.assertLess(result["summary"]["exact-loss"], 0.9 * constant)

    def test_college_counts_with_a_declared_shape(self):
        result = self.fit(self.data("college/college_count_full.tns.gz"), 3, "poisson", "--shape", "1899x1899x195",
                          "--starts", 1, "--epochs", 2)
        self.assertLess(result["summary"]["estimate"], 1e6)

    def test_amino_acids_are_nearly_rank_three(self):
        data = self.data("aminoacids/aminoacids_nonneg.npy")
        result = self.fit(data, 3, "gaussian", "--lower", 0)
        facts = json.loads(polyad("info", data, "--json").stdout)
        self.assertLess(result["summary"]["exact-loss"], self.residual_share(data, facts) * 0.02)

    def residual_share(self, data, facts):
        """Sum of squares of the data, from the objective of a model that is nearly zero."""
        zero = self.fit(data, 1, "gaussian", "--upper", 1e-9, "--lower", 0, "--starts", 1, "--epochs", 1,
                        "--epoch-iterations", 1, exit_code=6)
        return zero["summary"]["exact-loss"]

    def test_kinetic_data_with_missing_entries(self):
        data = self.data("kinetic/kinetic_nan.npy")
        facts = json.loads(polyad("info", data, "--json").stdout)
        self.assertEqual(facts["observed"], 460800 - 1754)
        result = self.fit(data, 4, "gaussian", "--starts", 2)
        self.assertLess(result["summary"]["exact-loss"], self.residual_share(data, facts) * 0.05)


if __name__ == "__main__":
    if not DATA:
        print("skipped: set POLYAD_DATA to a folder with the real tensors to run this suite")
        sys.exit(77)
    unittest.main(verbosity=2)

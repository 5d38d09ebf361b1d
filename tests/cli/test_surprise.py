"""polyad surprise and what it writes, as a user meets them. Needs POLYAD, the path of the command."""

import csv
import json
import unittest

from test_cli import Command


class Surprise(Command):
    def setUp(self):
        super().setUp()
        self.ok("make", "city", "-o", "city.h5", "--truth", "truth.h5")
        self.ok("convert", "city.h5", "city.tns")

    def planted(self, path):
        """The city with 30 events of one kind in one hour, and a day without any."""
        with open(self.path("city.tns")) as lines, open(self.path(path), "w") as out:
            for line in lines:
                if not line.startswith(("# entries", "100 ")):
                    out.write(line)
            out.write("31 5 7 3 30\n")

    def test_the_burst_and_the_silent_day_come_first(self):
        self.planted("planted.tns")
        told = self.ok("surprise", "truth.h5", "planted.tns", "--loss", "poisson", "--top", "5", "-o", "found.csv")
        self.assertIn("more than expected", told)
        self.assertIn("less than expected", told)
        found = json.loads(self.ok("surprise", "truth.h5", "planted.tns", "--loss", "poisson", "--top", "5", "--json"))
        first = found["cells"]["findings"][0]
        self.assertEqual(first["labels"][0], "2023-01-31")
        self.assertEqual(first["direction"], "more")
        self.assertTrue(first["marked"])
        self.assertLess(first["log10-p"], -20)
        days = found["slices"][0]["findings"]
        silent = next(day for day in days if day["labels"] == ["2023-04-10"])
        self.assertEqual(silent["value"], 0)
        self.assertEqual(silent["direction"], "less")
        self.assertTrue(silent["marked"])
        self.assertEqual(found["cells"]["tested"], 365 * 24 * 40 * 15)
        # The table holds the same lists.
        with open(self.path("found.csv"), newline="") as table:
            rows = list(csv.DictReader(table))
        self.assertEqual(rows[0]["kind"], "cell")
        self.assertEqual(rows[0]["day"], "2023-01-31")
        self.assertAlmostEqual(float(rows[0]["log10_p"]), first["log10-p"], places=4)
        self.assertEqual({row["kind"] for row in rows}, {"cell", "slice", "pair"})
        day = next(row for row in rows if row["kind"] == "slice" and row["day"] == "2023-04-10")
        self.assertEqual(day["hour"], "")
        # One direction only.
        less = json.loads(self.ok("surprise", "truth.h5", "planted.tns", "--loss", "poisson", "--direction", "less", "--json"))
        self.assertEqual({f["direction"] for part in [less["cells"], *less["slices"], *less["pairs"]] for f in part["findings"]}, {"less"})

    def test_what_cannot_be_judged_is_refused_in_one_line(self):
        self.refused(2, ["--loss"], "surprise", "truth.h5", "city.h5")
        self.refused(2, ["no likelihood"], "surprise", "truth.h5", "city.h5", "--loss", "huber")
        self.refused(2, ["no scale"], "surprise", "truth.h5", "city.h5", "--loss", "poisson", "--scale", "2")
        self.refused(2, ["--dispersion"], "surprise", "truth.h5", "city.h5", "--loss", "gaussian", "--dispersion", "2")
        self.refused(2, [".csv"], "surprise", "truth.h5", "city.h5", "--loss", "poisson", "-o", "found.txt")
        self.refused(3, ["bernoulli-odds"], "surprise", "truth.h5", "city.h5", "--loss", "bernoulli-odds")


if __name__ == "__main__":
    unittest.main()

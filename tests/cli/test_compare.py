"""Models of different years and ranks, as a user compares them. Needs POLYAD, the path of the command."""

import csv
import json
import random
import unittest

from test_cli import Command


def events(path, year, places, seed):
    """Burglary at night everywhere; theft by day, less of it in 2017; noise in the evening is new then."""
    draw = random.Random(seed)
    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(("when", "kind", "place"))
        for day in range(1, 29):
            for hour in range(24):
                kinds = ["burglary"] * 3 if hour < 6 else ["theft"] * (6 if year == 2016 else 2) if hour < 17 else []
                if year == 2017 and hour >= 18:
                    kinds = ["noise"] * 4
                for kind in kinds:
                    rows.writerow((f"{year}-02-{day:02} {hour:02}:30", kind, draw.choice(places)))


class Compare(Command):
    def setUp(self):
        super().setUp()
        events(self.path("2016.csv"), 2016, ["north", "south", "east"], 1)
        events(self.path("2017.csv"), 2017, ["south", "west", "north"], 2)
        for year, rank in ((2016, 2), (2017, 3)):
            self.ok("import", f"{year}.csv", "--mode", "day=when:day", "--mode", "hour=when:hour", "--mode", "kind", "--mode", "place", "-o",
                    f"{year}.h5")
            self.ok("fit", f"{year}.h5", "--rank", rank, "--loss", "poisson", "--starts", 3, "-q", "-o", f"m{year}.h5")

    def test_stronger_weaker_new_and_gone(self):
        said = self.ok("compare", "m2016.h5", "m2017.h5")
        self.assertIn("day: no label in common", self.run_polyad("compare", "m2016.h5", "m2017.h5").stdout)
        self.assertIn("weaker (× 0.3", said)
        self.assertIn("new -> ", said)
        found = json.loads(self.ok("compare", "m2016.h5", "m2017.h5", "--json"))
        changes = sorted(c["change"] for c in found["components"])
        self.assertEqual(changes, ["as before", "new", "weaker"])
        weaker = next(c for c in found["components"] if c["change"] == "weaker")
        self.assertAlmostEqual(weaker["strength"]["after"] / weaker["strength"]["before"], 1 / 3, delta=0.03)
        self.assertEqual([mode["mode"] for mode in weaker["modes"]], ["hour", "kind", "place"])
        back = json.loads(self.ok("compare", "m2017.h5", "m2016.h5", "--json"))
        self.assertEqual(sorted(c["change"] for c in back["components"]), ["as before", "gone", "stronger"])

    def test_a_report_shows_both(self):
        self.ok("compare", "m2016.h5", "m2017.h5", "-o", "years.html")
        self.ok("report", "m2016.h5", "m2017.h5", "-o", "both.html")
        with open(self.path("both.html")) as page:
            text = page.read()
        self.assertIn("2016-02-01", text)
        self.assertIn("2017-02-28", text)

    def test_score_and_start_from_take_labels_that_differ_in_part(self):
        score = json.loads(self.ok("score", "m2016.h5", "m2017.h5", "--json"))
        self.assertGreater(score["score"], 0.8)
        # 2016, begun from a model of some of its days and places.
        self.refused(2, ["have no label of day in common"], "fit", "2017.h5", "--rank", 2, "--loss", "poisson", "--start-from", "m2016.h5", "-q")
        with open(self.path("2016.csv")) as table, open(self.path("part.csv"), "w") as part:
            lines = table.readlines()
            part.writelines([lines[0]] + [line for line in lines[1:] if "east" not in line and line < "2016-02-20"])
        self.ok("import", "part.csv", "--mode", "day=when:day", "--mode", "hour=when:hour", "--mode", "kind", "--mode", "place", "-o", "part.h5")
        self.ok("fit", "part.h5", "--rank", 2, "--loss", "poisson", "--starts", 3, "-q", "-o", "part-model.h5")
        self.ok("fit", "2016.h5", "--rank", 2, "--loss", "poisson", "--start-from", "part-model.h5", "--method", "gcp-full", "--starts", 1, "-q", "-o", "grown.h5")
        score = json.loads(self.ok("score", "m2016.h5", "grown.h5", "--json"))
        self.assertGreater(score["score"], 0.98)


if __name__ == "__main__":
    unittest.main()

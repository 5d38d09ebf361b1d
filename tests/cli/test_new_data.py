"""Models on new data, as a user meets them: tables, labels in other orders, and one line for what does not fit. Needs POLYAD, the path of
the command."""

import csv
import json
import random
import unittest

from test_cli import Command


def crimes(path, days, seed, places=("north", "south"), order=("when", "kind", "place")):
    """A table of events: nights are for burglary, days for theft."""
    draw = random.Random(seed)
    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(order)
        for day in days:
            for hour in range(24):
                kind = "burglary" if hour < 6 else "theft"
                for _ in range(draw.randrange(3) + (2 if kind == "theft" else 1)):
                    event = {"when": f"{day} {hour:02}:30", "kind": kind if draw.random() < 0.9 else "other",
                             "place": places[draw.randrange(len(places))]}
                    rows.writerow(event[name] for name in order)


JUNE = [f"2023-06-{d:02}" for d in range(1, 31)]
JULY = [f"2023-07-{d:02}" for d in range(1, 11)]


class NewData(Command):
    def setUp(self):
        super().setUp()
        crimes(self.path("june.csv"), JUNE, 1)
        self.ok("import", "june.csv", "--mode", "day=when:day", "--mode", "hour=when:hour", "--mode", "kind", "--mode", "place",
                "-o", "june.h5")
        self.ok("fit", "june.h5", "--rank", "2", "--loss", "poisson", "--starts", "2", "-q", "-o", "model.h5")

    def rows(self, path):
        """Rows of a table of factors by mode and label."""
        out = {}
        with open(self.path(path), newline="") as table:
            for row in list(csv.reader(table))[1:]:
                out[row[0], row[2]] = [float(v) for v in row[3:]]
        return out

    def test_a_table_is_read_as_the_models_own_was(self):
        crimes(self.path("july.csv"), JULY, 2, order=("place", "when", "kind"))
        done = self.ok("transform", "model.h5", "july.csv", "-o", "rows.csv")
        self.assertIn("10 rows of day", done)
        rows = self.rows("rows.csv")
        self.assertEqual([label for mode, label in rows if mode == "day"], JULY)
        # The same through a tensor whose modes stand in another order.
        self.ok("import", "july.csv", "--mode", "place", "--mode", "kind", "--mode", "hour=when:hour", "--mode", "day=when:day",
                "--order", "kind=frequency", "-o", "july.h5")
        self.ok("transform", "model.h5", "july.h5", "-o", "again.csv", "-q")
        again = self.rows("again.csv")
        for day in JULY:
            for a, b in zip(rows["day", day], again["day", day]):
                self.assertAlmostEqual(a, b, delta=1e-6 * (1 + abs(a)))

    def test_what_a_day_expects_is_what_it_has(self):
        """At the minimum of a poisson row its expected events are the events it has."""
        crimes(self.path("july.csv"), JULY, 3)
        self.ok("transform", "model.h5", "july.csv", "-o", "rows.csv", "-q")
        rows = self.rows("rows.csv")
        sums = {}
        for (mode, label), row in rows.items():
            if label:
                sums[mode] = [s + v for s, v in zip(sums.get(mode, [0, 0]), row)]
        with open(self.path("july.csv"), newline="") as table:
            events = [row["when"][:10] for row in csv.DictReader(table)]
        for day in JULY:
            expected = sum(b * h * k * p for b, h, k, p in zip(rows["day", day], sums["hour"], sums["kind"], sums["place"]))
            self.assertAlmostEqual(expected, events.count(day), delta=1e-5 * events.count(day))

    def test_unknown_labels_are_listed_or_left_out(self):
        crimes(self.path("july.csv"), JULY, 4, places=("north", "south", "harbour"))
        self.refused(3, ["place ('harbour')", "--mode"], "transform", "model.h5", "july.csv", "-o", "rows.h5")
        self.refused(3, ["place: the model does not know 'harbour'", "--unknown ignore"], "transform", "model.h5", "july.csv", "--mode", "day", "-o", "rows.h5")
        done = self.ok("transform", "model.h5", "july.csv", "--mode", "day", "--unknown", "ignore", "-o", "rows.h5", "--json")
        self.assertEqual(json.loads(done)["rows"], 10)

    def test_known_slices_need_the_mode(self):
        self.refused(2, ["give --mode"], "transform", "model.h5", "june.h5", "-o", "rows.h5")
        self.ok("transform", "model.h5", "june.h5", "--mode", "day", "-o", "rows.h5")
        self.assertIn("day", self.ok("show", "rows.h5"))

    def test_a_table_without_a_way_to_read_it(self):
        self.ok("convert", "model.h5", "model.npz", "-q")
        crimes(self.path("july.csv"), JULY, 5)
        self.refused(3, ["polyad import"], "transform", "model.npz", "july.csv", "--loss", "poisson", "-o", "rows.h5")

    def test_other_losses_and_bad_options(self):
        self.refused(2, ["fitted with --loss poisson"], "transform", "model.h5", "june.h5", "--mode", "day", "--loss", "gaussian", "-o", "rows.h5")
        self.refused(2, ["no mode 'week'"], "transform", "model.h5", "june.h5", "--mode", "week", "-o", "rows.h5")
        self.refused(2, ["--tolerance must be above 0"], "transform", "model.h5", "june.h5", "--tolerance", "0", "--mode", "day")

    def test_a_model_goes_on_with_more_days(self):
        crimes(self.path("july.csv"), JULY, 2, order=("place", "when", "kind"))
        done = self.ok("update", "model.h5", "july.csv", "--forget", "0.9", "--memory", "kept.h5", "--memory-slices", "6", "-o", "next.h5")
        self.assertIn("10 slices of day, loss per slice", done)
        self.assertIn("40 day", done)
        facts = json.loads(self.ok("update", "next.h5", "july.csv", "--mode", "day", "--births", "none", "--json", "-o", "again.h5"))
        self.assertEqual(facts["known-again"], 10)
        self.assertEqual([slice["label"] for slice in facts["slices"]], JULY)
        self.assertEqual(facts["born"], [])
        self.ok("convert", "next.h5", "next.csv", "-q")
        self.assertEqual([label for mode, label in self.rows("next.csv") if mode == "day"], JUNE + JULY)
        self.assertIn("6 x 24 x", self.ok("info", "kept.h5"))
        # The memory is used: with it the model is another one.
        crimes(self.path("more.csv"), [f"2023-07-{d:02}" for d in range(11, 16)], 3)
        self.ok("update", "next.h5", "more.csv", "-o", "without.csv", "-q")
        self.ok("update", "next.h5", "more.csv", "--memory", "kept.h5", "--memory-slices", "6", "-o", "with.csv", "-q")
        self.assertNotEqual(self.rows("without.csv"), self.rows("with.csv"))
        self.refused(2, ["--forget must be"], "update", "model.h5", "july.csv", "--forget", "1.5", "-o", "x.h5")
        self.refused(2, ["the model knows all labels"], "update", "model.h5", "june.h5", "-o", "x.h5")

    def table(self, text):
        return list(csv.DictReader(text.splitlines()))

    def test_predictions_are_products_of_factors(self):
        self.ok("convert", "model.h5", "model.csv", "-q")
        with open(self.path("model.csv"), newline="") as table:
            lines = list(csv.reader(table))
        weights = [float(v) for v in lines[1][3:]]
        factors = {(row[0], row[2]): [float(v) for v in row[3:]] for row in lines[2:]}
        self.write("cells.csv", "kind,day,place,hour,value\ntheft,2023-06-03,north,12:00,4\nburglary,2023-06-04,south,03:00,\n")
        rows = self.table(self.ok("predict", "model.h5", "cells.csv", "-q"))
        for row in rows:
            expected = sum(w * a * b * c * d for w, a, b, c, d in zip(weights, *(factors[m, row[m]] for m in
                                                                                 ("day", "hour", "kind", "place"))))
            self.assertAlmostEqual(float(row["expected"]), expected, delta=1e-6 * expected + 1e-9)
            self.assertLessEqual(float(row["low"]), float(row["high"]))
        self.assertAlmostEqual(float(rows[0]["residual"]), 4 - float(rows[0]["expected"]), delta=1e-8)
        self.assertEqual(rows[1]["value"], "")
        self.assertEqual(rows[1]["residual"], "")

    def test_unknown_cells_are_listed(self):
        self.write("cells.csv", "day,hour,kind,place\n2023-06-03,12:00,arson,north\n2023-06-03,12:00,theft,north\n")
        self.refused(3, ["kind: the model does not know 'arson'", "--unknown ignore"], "predict", "model.h5", "cells.csv")
        self.assertEqual(len(self.table(self.ok("predict", "model.h5", "cells.csv", "--unknown", "ignore"))), 1)
        self.write("few.csv", "day,hour,kind\n2023-06-03,12:00,theft\n")
        self.refused(3, ["few.csv' has no column 'place'"], "predict", "model.h5", "few.csv")
        self.write("bad.csv", "day,hour,kind,place,value\n2023-06-03,12:00,theft,north,many\n")
        self.refused(3, ["bad.csv:2", "'many' in column 'value' is not a number"], "predict", "model.h5", "bad.csv")
        self.refused(2, ["give one of these"], "predict", "model.h5")
        self.refused(2, ["--for and --seen go with --top"], "predict", "model.h5", "bad.csv", "--for", "kind=theft")
        self.refused(3, ["kind: the model does not know 'arson'"], "predict", "model.h5", "--top", "3", "--for", "kind=arson")

    def test_the_most_expected_cells_without_those_seen(self):
        top = self.table(self.ok("predict", "model.h5", "--top", "4", "--for", "day=2023-06-03", "--for", "kind=theft", "-q"))
        self.assertEqual(len(top), 4)
        values = [float(row["expected"]) for row in top]
        self.assertEqual(values, sorted(values, reverse=True))
        with open(self.path("june.csv"), newline="") as table:
            seen = {(row["when"][:10], row["when"][11:13], row["kind"], row["place"]) for row in csv.DictReader(table)}
        rest = self.table(self.ok("predict", "model.h5", "--top", "100", "--for", "day=2023-06-03", "--seen", "june.csv", "-q"))
        for row in rest:
            self.assertNotIn((row["day"], row["hour"], row["kind"], row["place"]), seen)
        day = sum(1 for cell in seen if cell[0] == "2023-06-03")
        self.assertEqual(len(rest), min(100, 24 * 3 * 2 - day))

    def test_missing_cells_are_filled_in(self):
        self.write("x.tns", "".join(f"{i} {j} {k} {(i + j) * k}\n" for i in range(1, 5) for j in range(1, 4) for k in (1, 2)
                                    if (i, j, k) != (2, 2, 1)))
        self.ok("fit", "x.tns", "--unlisted", "missing", "--shape", "4x3x2", "--rank", "2", "--loss", "gaussian", "-q", "-o", "m.h5")
        self.ok("convert", "x.tns", "x.npz", "--unlisted", "missing", "--shape", "4x3x2", "-q")
        self.ok("predict", "m.h5", "--missing", "x.npz", "-o", "full.csv")
        rows = {tuple(row[:3]): float(row[3]) for row in csv.reader(open(self.path("full.csv"), newline="")) if row[0].isdigit()}
        self.assertEqual(len(rows), 24)
        self.assertEqual(rows["3", "2", "2"], 10)
        self.assertAlmostEqual(rows["2", "2", "1"], 4, delta=0.05)  # the rule behind the others


if __name__ == "__main__":
    unittest.main()

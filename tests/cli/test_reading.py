#!/usr/bin/python3
"""What people read about a model: one number per component in every output, words that say what is meant. Needs POLYAD, the path
of the command, NumPy, SciPy and h5py."""

import csv
import json
import re
import unittest

import h5py
import numpy as np
import scipy.io

from test_cli import Command

# Unsorted, and so that sums (100, 30, 60) and Euclidean norms (10, 30, 20) order the components differently.
COLUMNS = [[1.0] * 100, [30.0] + [0.0] * 99, [20.0] * 3 + [0.0] * 97]


class OneNumbering(Command):
    def setUp(self):
        super().setUp()
        first = "".join(" ".join(str(c[i]) for c in COLUMNS) + "\n" for i in range(100))
        self.write("theirs.ktensor", f"ktensor\n2\n100 2\n3\n1 1 1\nmatrix\n2\n100 3\n{first}matrix\n2\n2 3\n1 0 1\n0 1 0\n")

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def shares(self, numbers):
        """Of each component: the column of mode 1 divided by its sum."""
        return [[v / sum(column) for v in column] for column in numbers]

    def outputs(self, model):
        """The columns of mode 1 by number, as each output has them."""
        found = {}
        out = {}
        for row in csv.DictReader(self.ok("show", model, "--csv").splitlines()):
            if row["mode"] == "mode 1":
                out.setdefault(int(row["component"]), []).append(float(row["value"]))
        found["show --csv"] = [out[j] for j in sorted(out)]
        shown = json.loads(self.ok("show", model, "--json", "--top", 100))
        self.assertEqual([c["component"] for c in shown["components"]], [1, 2, 3])
        found["show --json"] = []
        for component in shown["components"]:
            column = [0.0] * 100
            for entry in component["modes"][0]["top"]:
                column[entry["index"] - 1] = entry["value"]
            found["show --json"].append(column)
        self.ok("report", model, "-o", "r.html")
        page = re.search(r'id="polyad-data">(.*?)</script>', self.read("r.html"), re.S).group(1)
        data = json.loads(page)["models"][0]
        self.assertEqual([round(w, 6) for w in data["weights"]], [round(c["weight"], 6) for c in shown["components"]])
        self.ok("convert", model, "c.csv", "-q")
        with open(self.path("c.csv"), newline="") as f:
            rows = [row for row in csv.DictReader(f) if row["mode"] == "mode 1"]
        found["convert .csv"] = [[float(row[f"component {j}"]) for row in rows] for j in (1, 2, 3)]
        self.ok("convert", model, "c.npz", "-q")
        with np.load(self.path("c.npz")) as archive:
            name = next(n for n in archive.files if archive[n].shape == (100, 3))
            found["convert .npz"] = archive[name].T.tolist()
        self.ok("convert", model, "c.ktensor", "-q")
        lines = self.read("c.ktensor").splitlines()
        at = lines.index("100 3") + 1
        found["convert .ktensor"] = np.array([line.split() for line in lines[at:at + 100]], float).T.tolist()
        self.ok("convert", model, "c.mat", "-q")
        content = scipy.io.loadmat(self.path("c.mat"), simplify_cells=True)
        whole = next(v for k, v in content.items() if not k.startswith("__"))
        found["convert .mat"] = np.asarray(whole["u"][0]).T.tolist()
        self.ok("convert", model, "c.h5", "-q")
        with h5py.File(self.path("c.h5")) as file:
            found["convert .h5"] = file["model/factors/1"][:].T.tolist()
        return {where: self.shares(columns) for where, columns in found.items()}

    def same_everywhere(self, model, expected):
        for where, columns in self.outputs(model).items():
            with self.subTest(where):
                np.testing.assert_allclose(columns, expected, atol=1e-5)

    def test_of_a_model_that_came_from_elsewhere(self):
        self.same_everywhere("theirs.ktensor", self.shares(COLUMNS))
        text = self.ok("show", "theirs.ktensor")
        self.assertEqual(re.findall(r"^(\d)  sum (\d+),", text, re.M), [("1", "100"), ("2", "30"), ("3", "60")])
        pairs = json.loads(self.ok("score", "theirs.ktensor", "theirs.ktensor", "--json"))["components"]
        self.assertEqual([(p["reference"], p["other"]) for p in pairs], [(1, 1), (2, 2), (3, 3)])

    def test_of_a_fit_which_puts_the_largest_sum_first(self):
        cells = {(i, 0, 0): 1 for i in range(100)} | {(0, 1, 1): 30} | {(i, 2, 2): 20 for i in range(3)}
        self.write("x.tns", "".join(f"{i + 1} {j + 1} {k + 1} {v}\n" for (i, j, k), v in cells.items()))
        self.ok("fit", "x.tns", "--rank", 3, "--loss", "poisson", "-o", "m.h5", "-q")
        self.same_everywhere("m.h5", self.shares([COLUMNS[0], COLUMNS[2], COLUMNS[1]]))
        figures = json.loads(self.ok("evaluate", "m.h5", "x.tns", "--json"))["components"]
        np.testing.assert_allclose([c["share"] for c in figures], [100 / 190, 60 / 190, 30 / 190], atol=1e-5)
        shown = json.loads(self.ok("show", "m.h5", "--json"))
        np.testing.assert_allclose([c["share"] for c in shown["components"]], [c["share"] for c in figures], atol=1e-9)
        self.assertEqual(shown["weight-is"], "sum over all cells")


class Words(Command):
    def setUp(self):
        super().setUp()
        self.ok("make", "poisson", "--shape", "12x10x8", "--rank", 2, "-o", "x.tns")

    def test_score_says_recovered_of_planted_components_only(self):
        self.ok("make", "gaussian", "--shape", "12x10x8", "--rank", 2, "-o", "g.h5", "--truth", "truth.h5")
        for name, seed in (("a.h5", 1), ("b.h5", 2)):
            self.ok("fit", "g.h5", "--rank", 2, "--loss", "gaussian", "--seed", seed, "-o", name, "-q")
        self.assertIn("planted components are recovered", self.ok("score", "truth.h5", "a.h5"))
        of_fits = self.ok("score", "a.h5", "b.h5")
        self.assertNotIn("recovered", of_fits)
        self.assertRegex(of_fits, r"score [01]\.\d+: (not )?alike")

    def test_fits_end_in_plain_words_and_numbers_are_for_experts(self):
        fit = ["fit", "x.tns", "--rank", 2, "--loss", "poisson", "--method", "cp-apr", "--iterations", 2, "--starts", 4]
        plain = self.ok(*fit, "-o", "a.h5")
        for word in ("KKT", "gradient", "iterations done"):
            self.assertNotIn(word, plain)
        self.assertRegex(plain, r"(?m)^(converged|not fully converged: relative error about [0-9.e-]+), ")
        told = self.ok(*fit, "-o", "b.h5", "--verbose")
        self.assertIn("largest KKT violation", told)
        self.assertIn("relative gradient", told)

    def test_losses_stand_in_the_order_of_the_starts(self):
        done = self.ok("fit", "x.tns", "--rank", 3, "--loss", "poisson", "--method", "cp-apr", "--iterations", 1, "--starts", 6, "-o", "a.h5")
        said = [float(v) for v in re.search(r"losses of starts 1 to 6: (.*)", done).group(1).split()]
        done = self.ok("fit", "x.tns", "--rank", 3, "--loss", "poisson", "--method", "cp-apr", "--iterations", 1, "--starts", 6, "-o", "b.h5", "--json")
        starts = json.loads(done)["summary"]["starts"]
        np.testing.assert_allclose(said, [s["exact-loss"] for s in starts], rtol=1e-7)
        self.assertNotEqual(said, sorted(said), "these starts no longer show an order")

    def test_info_says_what_its_bars_are_and_knows_ratings(self):
        lines = self.ok("info", "x.tns")
        self.assertIn("logarithm of the number of cells", lines)
        often = {1: 6, 2: 11, 3: 27, 4: 35, 5: 21}
        grades = [grade for grade, count in often.items() for _ in range(count)]
        self.write("r.tns", "".join(f"{n + 1} {n % 40 + 1} {g}\n" for n, g in enumerate(grades)))
        told = self.ok("info", "r.tns")
        self.assertIn("if they were never rated, use --unlisted missing", told)
        self.assertRegex(told, r"losses that suit them:\n  gaussian")
        warned = self.run_polyad("fit", "r.tns", "--rank", 1, "--loss", "gaussian", "-o", "m.h5").stderr
        self.assertIn("look like ratings", warned)
        self.assertIn("--unlisted missing", warned)
        quiet = self.run_polyad("fit", "r.tns", "--rank", 1, "--loss", "gaussian", "--unlisted", "missing", "-o", "n.h5").stderr
        self.assertNotIn("ratings", quiet)


if __name__ == "__main__":
    unittest.main()

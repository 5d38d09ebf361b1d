"""Verdicts of fits and `polyad evaluate`, against figures computed here. Needs POLYAD, the path of the command."""

import json
import math
import os
import random
import shutil
import subprocess
import tempfile
import unittest

POLYAD = os.environ["POLYAD"]


def blocks(shape, count, side, seed):
    """Counts in as many boxes that share no index, as lines of a .tns file."""
    draw = random.Random(seed)
    cells = {}
    for b in range(count):
        for _ in range(300):
            cell = tuple(b * (n // count) + draw.randrange(side) for n in shape)
            cells[cell] = cells.get(cell, 0) + 1
    return cells


class Verdict(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="polyad-verdict-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)
        return name

    def write_cells(self, name, cells):
        return self.write(name, "".join(" ".join(str(i + 1) for i in c) + f" {v}\n" for c, v in sorted(cells.items())))

    def run_polyad(self, *arguments):
        return subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def ok(self, *arguments, code=0):
        done = self.run_polyad(*arguments)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def test_blocks_in_many_modes_are_found_by_exact_methods(self):
        shape = (30,) * 12
        self.write_cells("b.tns", blocks(shape, 5, 6, 1))
        done = self.ok("fit", "b.tns", "--shape", "x".join(map(str, shape)), "--rank", 5, "--loss", "poisson", "--method", "cp-apr",
                       "--json", "-q", "-o", "m.h5")
        verdict = json.loads(done.stdout)["summary"]["verdict"]
        self.assertTrue(verdict["converged"], verdict)
        self.assertEqual((verdict["dead"], verdict["copies"]), ([], []))
        weights = json.loads(done.stdout)["weights"]
        self.assertLess(max(weights) / min(weights), 1.5)

    def test_a_model_worse_than_a_constant_has_its_own_exit_code_and_a_warning(self):
        self.write_cells("c.tns", {(i, j): 100 + i + j for i in range(6) for j in range(5)})
        done = self.ok("fit", "c.tns", "--rank", 1, "--loss", "gaussian", "--lower", 0, "--upper", 0.1, "-o", "m.h5", code=6)
        self.assertIn("polyad: warning: the model is no better than the best constant", done.stderr)
        self.assertNotIn("converged,", done.stdout)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "m.h5")))
        self.ok("evaluate", "m.h5", "c.tns", code=6)

    def test_dead_components_are_named(self):
        self.write_cells("one.tns", {(1, 2, 3): 50})
        done = self.ok("fit", "one.tns", "--shape", "5x5x5", "--rank", 3, "--loss", "poisson", "--method", "cp-apr", "-o", "m.h5")
        self.assertIn("polyad: warning: component", done.stderr)
        self.assertIn("not converged", done.stdout)

    def test_evaluate_of_a_foreign_model_against_its_definition(self):
        a, b = [[1.0, 0.5], [2.0, 0.0], [0.5, 1.0]], [[1.0, 2.0], [0.25, 1.0]]
        weights = [3.0, 0.5]
        text = "ktensor\n2\n3 2\n2\n3 0.5\n"
        for matrix in (a, b):
            text += f"matrix\n2\n{len(matrix)} 2\n" + "".join(" ".join(map(str, row)) + "\n" for row in matrix)
        self.write("theirs.ktensor", text)
        data = {(0, 0): 4, (1, 0): 7, (2, 1): 1}
        self.write_cells("x.tns", data)
        loss = 0.0
        for i in range(3):
            for j in range(2):
                m = sum(w * a[i][r] * b[j][r] for r, w in enumerate(weights))
                loss += m - data.get((i, j), 0) * math.log(m + 1e-10)
        found = json.loads(self.ok("evaluate", "theirs.ktensor", "x.tns", "--loss", "poisson", "--json").stdout)
        self.assertTrue(found["exact"])
        self.assertAlmostEqual(found["loss"], loss, places=9)
        mean = 12 / 6
        null = 6 * mean - 12 * math.log(mean + 1e-10)
        self.assertAlmostEqual(found["null-loss"], null, places=6)
        self.assertEqual(len(found["components"]), 2)

        for name in ("theirs.npz", "theirs.mat"):
            self.ok("convert", "theirs.ktensor", name)
            again = json.loads(self.ok("evaluate", name, "x.tns", "--loss", "poisson", "--json").stdout)
            self.assertAlmostEqual(again["loss"], loss, places=9)

    def test_evaluate_takes_missing_cells_and_weights_as_fit_does(self):
        self.write_cells("x.tns", {(i, j): 1 + (i * j) % 4 for i in range(6) for j in range(5)})
        self.write_cells("hidden.tns", {(1, 1): 1, (3, 4): 1})
        fitted = self.ok("fit", "x.tns", "--rank", 2, "--loss", "poisson", "--missing", "hidden.tns", "--json", "-q", "-o", "m.h5")
        verdict = json.loads(fitted.stdout)["summary"]["verdict"]
        found = json.loads(self.ok("evaluate", "m.h5", "x.tns", "--missing", "hidden.tns", "--json").stdout)
        self.assertAlmostEqual(found["loss"], verdict["loss"], places=6)
        self.assertIsNotNone(verdict["held-out-explained"])
        self.assertAlmostEqual(found["verdict"]["held-out-explained"], verdict["held-out-explained"], places=6)
        everything = json.loads(self.ok("evaluate", "m.h5", "x.tns", "--json").stdout)
        self.assertNotAlmostEqual(everything["loss"], found["loss"], places=3)

    def test_evaluate_refuses_what_does_not_fit(self):
        self.write_cells("x.tns", {(i, j): 1 + (i * j) % 4 for i in range(6) for j in range(5)})
        self.ok("fit", "x.tns", "--rank", 2, "--loss", "poisson", "-q", "-o", "m.h5")
        other = self.ok("evaluate", "m.h5", "x.tns", "--shape", "6x7", code=3)
        self.assertIn("the model is of shape 6 x 5, the data are of shape 6 x 7", other.stderr)
        self.ok("convert", "m.h5", "m.npz")
        self.assertIn("--loss", self.ok("evaluate", "m.npz", "x.tns", code=2).stderr)

    def test_options_that_ask_for_too_much_are_named_or_capped(self):
        self.write_cells("x.tns", {(i, j, k): 1 + (i * j) % 4 for i in range(12) for j in range(10) for k in range(6)})
        quick = ("fit", "x.tns", "--loss", "poisson", "--method", "gcp-sgd", "--epochs", 1, "--epoch-iterations", 5, "--json", "-q")
        done = json.loads(self.ok(*quick, "--rank", 2, "--samples", 1000000000).stdout)
        self.assertLessEqual(done["options"]["samples"], 1000)
        large = ("--shape", "30000x20000x10000")
        for option in ("--rank", "--starts", "--samples", "--epochs"):
            rank = () if option == "--rank" else ("--rank", 2)
            refused = self.ok("fit", "x.tns", "--loss", "poisson", *rank, option, 2**64 - 1, code=2)
            self.assertIn(f"{option} must be at most 1000000000", refused.stderr)
        for option, value in (("--rank", 10**9), ("--starts", 10**9), ("--samples", 10**9), ("--estimate-samples", 10**9)):
            if "samples" in option and os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") > 30e9:
                continue  # there is enough
            rank = () if option == "--rank" else ("--rank", 2)
            refused = self.ok(*quick, *large, *rank, option, value, code=3)
            self.assertIn(option[2:], refused.stderr)
            self.assertIn("of memory", refused.stderr)


if __name__ == "__main__":
    unittest.main()

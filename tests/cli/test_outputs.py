#!/usr/bin/env python3
"""Names of outputs: an extension that no format has is refused before anything is read or computed, with the list of those that
work. Needs POLYAD, the path of the command."""

import os
import subprocess
import tempfile
import unittest

POLYAD = os.environ["POLYAD"]


class Outputs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.run_polyad("make", "gaussian", "--shape", "6x5x4", "--rank", "1", "-o", "x.h5", "--truth", "m.h5")

    def run_polyad(self, *arguments, code=0):
        done = subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder.name, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def refused(self, *arguments):
        before = sorted(os.listdir(self.folder.name))
        done = self.run_polyad(*arguments, code=2)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("use .h5", done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)
        return done.stderr

    def test_models(self):
        for name in ("m.json", "model", "a.xlsx", "m.npy", "m.tns"):
            error = self.refused("fit", "x.h5", "--rank", 2, "--loss", "gaussian", "-o", name)
            self.assertIn(".ktensor", error)
            self.assertNotIn(".tns,", error)
            self.refused("convert", "m.h5", name)
            self.refused("make", "gaussian", "-o", "y.h5", "--truth", name)

    def test_tensors(self):
        with open(os.path.join(self.folder.name, "t.csv"), "w") as f:
            f.write("a,b\nx,y\n")
        for name in ("x.json", "tensor", "a.xlsx"):
            self.assertIn(".npy", self.refused("convert", "x.h5", name))
            self.refused("make", "gaussian", "-o", name)
            self.refused("import", "t.csv", "--mode", "a", "-o", name)
            self.refused("check", "x.h5", "--fix", name)

    def test_the_fit_is_not_even_begun(self):
        self.assertNotIn("Read", self.refused("fit", "nowhere.h5", "--rank", 2, "--loss", "gaussian", "-o", "m.json"))

    def test_flags_are_shown_as_they_are_typed(self):
        with open(os.path.join(self.folder.name, "p.tns"), "w") as f:
            f.writelines(f"{i} {j} {k}\n" for i in range(1, 9) for j in range(1, 9) for k in range(1, 9))
        error = self.run_polyad("info", "p.tns", code=3).stderr
        self.assertIn("say --values ones if", error)
        found = self.run_polyad("info", "p.tns", "--values", "ones")
        self.assertIn("lines are cells of value 1", found.stderr)
        self.assertIn("8 x 8 x 8", found.stdout)
        self.assertIn("(--base, although", self.run_polyad("info", "--base", 0, self.with_base()).stderr)

    def with_base(self):
        with open(os.path.join(self.folder.name, "b.tns"), "w") as f:
            f.write("# base: 1\n1 1 2.5\n")
        return "b.tns"


if __name__ == "__main__":
    unittest.main()

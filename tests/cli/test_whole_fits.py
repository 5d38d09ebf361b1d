"""Whole fits by the command itself, small ones of every method, sampler, optimizer and schedule: for the build with the address and
undefined-behaviour sanitizers, where any report ends a run with a code of its own. Needs POLYAD, the path of the command."""

import os
import subprocess
import tempfile
import unittest

POLYAD = os.environ["POLYAD"]
SANITIZER = 99  # the exit code of a run that a sanitizer ended
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS=f"exitcode={SANITIZER}:detect_leaks=0", UBSAN_OPTIONS=f"exitcode={SANITIZER}")


class WholeFits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="polyad-fits-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        with open(os.path.join(cls.folder, "s.tns"), "w") as f:
            f.writelines(f"{i} {j} {1 + (i * j) % 4} {1 + (i + j) % 3}\n" for i in range(1, 9) for j in range(1, 7))
        # Dense, with a missing cell.
        cells = [1.5 + (n * 7 % 11) for n in range(60)]
        with open(os.path.join(cls.folder, "d.tensor"), "w") as f:
            f.write("tensor\n3\n5 4 3\n" + "\n".join("NaN" if n == 7 else str(x) for n, x in enumerate(cells)) + "\n")
        with open(os.path.join(cls.folder, "full.tensor"), "w") as f:
            f.write("tensor\n3\n5 4 3\n" + "\n".join(map(str, cells)) + "\n")

    def run_polyad(self, *arguments, codes=(0,)):
        done = subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=120)
        self.assertIn(done.returncode, codes, f"{arguments}\n{done.stdout}\n{done.stderr}")
        self.assertNotIn("Sanitizer", done.stderr)
        self.assertNotIn("runtime error", done.stderr)

    def fit(self, data, *more):
        # 4 and 6: no finite model, or one that a verdict warns of; these data are too few to please.
        self.run_polyad("fit", data, "--rank", 2, "--starts", 2, "--threads", 2, "-q", "-o", "m.h5", *more, codes=(0, 4, 6))

    def short(self, data, *more):
        self.fit(data, "--epochs", 2, "--epoch-iterations", 10, *more)

    def test_methods(self):
        self.fit("s.tns", "--loss", "poisson", "--method", "gcp-full")
        self.fit("s.tns", "--loss", "poisson", "--method", "cp-apr")
        self.fit("s.tns", "--loss", "gaussian", "--method", "cp-als")
        self.fit("full.tensor", "--loss", "gaussian", "--method", "cp-als")
        self.fit("d.tensor", "--loss", "gamma", "--method", "gcp-full")

    def test_samplers(self):
        for sampler in ("uniform", "stratified", "semi-stratified", "exact-zeros", "importance", "exhaustive"):
            self.short("s.tns", "--loss", "poisson", "--sampler", sampler)
        self.short("s.tns", "--loss", "poisson", "--sampler", "strata", "--stratum", "nonzeros:values=2..5", "--stratum", "nonzeros:values=0..<2",
                   "--stratum", "zeros")
        self.short("d.tensor", "--loss", "huber:delta=0.5", "--sampler", "uniform")
        self.short("d.tensor", "--loss", "rayleigh", "--sampler", "exhaustive")

    def test_optimizers_schedules_and_precision(self):
        for optimizer in ("adam", "amsgrad", "adagrad", "sgd"):
            self.short("s.tns", "--loss", "poisson-log", "--optimizer", optimizer)
        for schedule in ("paper", "constant"):
            self.short("s.tns", "--loss", "negative-binomial", "--schedule", schedule)
        self.short("d.tensor", "--loss", "gaussian", "--precision", "single")

    def test_models_are_read_and_shown(self):
        self.short("s.tns", "--loss", "poisson", "--checkpoint", "c.h5")
        self.short("s.tns", "--loss", "poisson", "--resume", "c.h5")
        self.run_polyad("show", "m.h5")
        self.run_polyad("report", "m.h5", "-o", "r.html")
        self.run_polyad("score", "m.h5", "m.h5")
        self.run_polyad("convert", "m.h5", "m.npz")
        self.run_polyad("check", "s.tns")
        self.run_polyad("info", "no.tns", codes=(5,))


if __name__ == "__main__":
    unittest.main()

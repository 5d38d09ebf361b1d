"""Whole fits by the command itself, small ones of every loss, method, finish, sampler, optimizer, schedule and precision, with
weights, masks, bounds, held-out cells, checkpoints and reports: for the build with the address and undefined-behaviour
sanitizers, where any report ends a run with a code of its own. What there is comes from `polyad reference` and `polyad losses`.
Needs POLYAD, the path of the command."""

import os
import re
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

        with open(os.path.join(cls.folder, "w.tns"), "w") as f:
            f.writelines(f"{i} {j} {1 + (i * j) % 4} {0.5 * (1 + i % 3)}\n" for i in range(1, 9) for j in range(1, 7))
        with open(os.path.join(cls.folder, "mask.tns"), "w") as f:
            f.writelines(f"{i} {i % 6 + 1} {i % 4 + 1}\n" for i in range(1, 9))
        with open(os.path.join(cls.folder, "y.tns"), "w") as f:
            f.writelines(f"{i} {j} {1 + (i * j) % 4} 1\n" for i in range(1, 9) for j in range(1, 7) if (i + j) % 3)
        done = subprocess.run([POLYAD, "reference"], env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=120)
        cls.reference = done.stdout

    def words(self, option):
        """All values of an option, from the reference."""
        row = re.search(rf"^\| `{option}` \| ([^ ]*) \|", self.reference, re.MULTILINE)
        self.assertIsNotNone(row, option)
        words = [word for word in row.group(1).split("\\|") if word != "auto"]
        self.assertGreater(len(words), 1, option)
        return words

    def run_polyad(self, *arguments, codes=(0,)):
        done = subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=120)
        self.assertIn(done.returncode, codes, f"{arguments}\n{done.stdout}\n{done.stderr}")
        self.assertNotIn("Sanitizer", done.stderr)
        self.assertNotIn("runtime error", done.stderr)
        return done.returncode

    def fit(self, data, *more, codes=(0, 4, 6)):
        # 4 and 6: no finite model, or one that a verdict warns of; these data are too few to please.
        return self.run_polyad("fit", data, "--rank", 2, "--starts", 2, "--threads", 2, "-q", "-o", "m.h5", *more, codes=codes)

    def short(self, data, *more, codes=(0, 4, 6)):
        return self.fit(data, "--method", "gcp-sgd", "--epochs", 2, "--epoch-iterations", 10, *more, codes=codes)

    def test_losses(self):
        listed = subprocess.run([POLYAD, "losses"], env=ENVIRONMENT, capture_output=True, text=True, check=True, timeout=120).stdout
        losses = re.findall(r"^([a-z-]+)$", listed, re.MULTILINE)
        self.assertGreater(len(losses), 10)
        for loss in losses:
            self.fit("y.tns", "--loss", loss, "--unlisted", "missing", "--method", "gcp-full", "--iterations", 5)
            if loss not in ("gamma", "rayleigh", "zero-truncated-poisson"):
                self.short("y.tns", "--loss", loss)
        self.fit("y.tns", "--loss", "bernoulli-odds")  # nothing but defaults

    def test_methods_and_finishes(self):
        # What serves one loss alone says so with exit code 2, and is then given that loss.
        for option in ("method", "finish"):
            for word in self.words(option):
                more = ["--method", "gcp-sgd", "--epochs", 2, "--epoch-iterations", 10] if option == "finish" else []
                served = 0
                for data, loss in (("s.tns", "poisson"), ("s.tns", "gaussian"), ("full.tensor", "gaussian"), ("d.tensor", "gamma")):
                    served += self.fit(data, "--loss", loss, f"--{option}", word, *more, codes=(0, 2, 4, 6)) != 2
                self.assertGreater(served, 0, word)
        for update in self.words("apr-update"):
            self.fit("s.tns", "--loss", "poisson", "--method", "cp-apr", "--apr-update", update)

    def test_samplers(self):
        strata = ["--stratum", "nonzeros:values=2..5", "--stratum", "nonzeros:values=0..<2", "--stratum", "zeros"]
        for sampler in self.words("sampler"):
            more = strata if sampler == "strata" else []
            self.short("s.tns", "--loss", "poisson", "--sampler", sampler, *more)
            self.short("s.tns", "--loss", "poisson", "--sampler", sampler, "--weights", "w.tns", "--zero-weight", 0.5, *more)
            # Not all samplers take missing cells, and not all take dense data.
            self.short("s.tns", "--loss", "poisson", "--sampler", sampler, "--missing", "mask.tns", *more, codes=(0, 2, 4, 6))
            more = ["--stratum", "cells"] if sampler == "strata" else []
            self.short("d.tensor", "--loss", "rayleigh", "--sampler", sampler, *more, codes=(0, 2, 4, 6))
        for zeros in self.words("importance-zeros"):
            self.short("s.tns", "--loss", "poisson", "--sampler", "importance", "--importance-zeros", zeros)

    def test_optimizers_schedules_and_precision(self):
        for optimizer in self.words("optimizer"):
            self.short("s.tns", "--loss", "poisson-log", "--optimizer", optimizer)
        for schedule in self.words("schedule"):
            self.short("s.tns", "--loss", "negative-binomial", "--schedule", schedule)
        for precision in self.words("precision"):
            self.short("d.tensor", "--loss", "gaussian", "--precision", precision)
            self.short("s.tns", "--loss", "poisson", "--precision", precision, "--parts", 2)

    def test_weights_masks_bounds_and_starts(self):
        for method in ("gcp-full", "cp-apr"):
            self.fit("s.tns", "--loss", "poisson", "--method", method, "--weights", "w.tns", "--missing", "mask.tns")
        self.fit("s.tns", "--loss", "gaussian", "--method", "cp-als", "--weights", "w.tns", "--missing", "mask.tns")
        self.short("s.tns", "--loss", "poisson", "--lower", 0.01, "--upper", 3)
        self.short("s.tns", "--loss", "poisson", "--start-from", "m.h5", "--bound", "2:fixed")

    def test_models_are_read_and_shown(self):
        self.short("s.tns", "--loss", "poisson", "--checkpoint", "c.h5", "--report", "f.html")
        self.short("s.tns", "--loss", "poisson", "--resume", "c.h5", "--report", "f.svg")
        self.run_polyad("evaluate", "m.h5", "s.tns", codes=(0, 6))
        self.run_polyad("show", "m.h5")
        self.run_polyad("report", "m.h5", "-o", "r.html")
        self.run_polyad("score", "m.h5", "m.h5")
        self.run_polyad("convert", "m.h5", "m.npz")
        self.run_polyad("check", "s.tns")
        self.run_polyad("info", "no.tns", codes=(5,))


if __name__ == "__main__":
    unittest.main()

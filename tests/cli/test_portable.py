"""`--simd portable`: the same bits whatever the CPU has. A CPU with fewer instructions is pretended: the C library is told by
GLIBC_TUNABLES to do without FMA and AVX2, and the kernels' own choice is forced by POLYAD_SIMD to each set that this CPU has.
Needs POLYAD, the path of the command.
"""

import hashlib
import json
import os
import random
import subprocess
import tempfile
import unittest
import zipfile

WITHOUT_FMA = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"}
SHORT = ["--starts", "2", "--epochs", "3", "--epoch-iterations", "60", "--samples", "100", "--iterations", "5"]
FITS = {
    "counts": ["counts.tns", "--loss", "poisson", *SHORT, "--finish", "apr"],
    "single precision": ["counts.tns", "--loss", "poisson", *SHORT, "--finish", "apr", "--precision", "single"],
    "importance": ["yes.tns", "--loss", "bernoulli-odds", *SHORT, "--finish", "lbfgsb", "--sampler", "importance"],
    "logit, normal start": ["yes.tns", "--loss", "bernoulli-logit", *SHORT, "--finish", "lbfgsb", "--init", "normal"],
    "level": ["counts.tns", "--loss", "poisson-log", "--method", "gcp-full", "--iterations", "20"],
    "beta": ["counts.tns", "--loss", "beta-divergence:beta=1.5", "--method", "gcp-full", "--iterations", "20"],
    "formula": ["counts.tns", "--loss", "expr:log(2)*m - x*log(m + 0.1) + tanh(m)**3 + 0.01*(m - 1)**4 + log1p(m)*cos(0.1*m) + m**1.5; lower=0",
                "--method", "gcp-full", "--iterations", "20"],
    "als": ["counts.tns", "--loss", "gaussian", "--method", "cp-als", "--iterations", "20"],
    "default": ["counts.tns", "--loss", "poisson"],
}


class Portable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="polyad-portable-")
        draw = random.Random(3)
        for name, value in (("counts.tns", lambda: draw.choice((1, 1, 2, 3, 7))), ("yes.tns", lambda: 1)):
            with open(os.path.join(cls.folder.name, name), "w") as out:
                out.write("# shape: 14 11 9\n")
                cells = {(draw.randrange(14), draw.randrange(11), draw.randrange(9)) for _ in range(400)}
                out.writelines(f"{i + 1} {j + 1} {k + 1} {value()}\n" for i, j, k in sorted(cells))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_polyad(cls, environment, *arguments):
        done = subprocess.run([os.environ["POLYAD"], *arguments], cwd=cls.folder.name, env={**os.environ, **environment},
                              capture_output=True, text=True, timeout=120)
        if done.returncode not in (0, 6):
            raise AssertionError(f"{arguments}\n{done.stderr}")
        return done.stdout

    def digest(self, fit, environment, *more):
        """Of all numbers of the model, and of the losses of all starts."""
        out = json.loads(self.run_polyad(environment, "fit", *fit, "--rank", "3", "--threads", "1", "-o", "m.h5", "--json", "-q", *more))
        self.run_polyad(environment, "convert", "m.h5", "m.npz", "-q")
        summary = out["summary"]
        figures = [summary["estimate"], summary["exact-loss"], out["weights"], [s["estimate"] for s in summary["starts"]]]
        digest = hashlib.sha256(json.dumps(figures).encode())
        with zipfile.ZipFile(os.path.join(self.folder.name, "m.npz")) as archive:
            for member in sorted(archive.namelist()):
                digest.update(archive.read(member))
        return digest.hexdigest(), summary["simd"]

    def sets(self):
        found = []
        for name in ("scalar", "sse4", "avx2", "avx512"):
            done = subprocess.run([os.environ["POLYAD"], "fit", "counts.tns", "--rank", "1", "--loss", "poisson", "-o", "s.h5", "-q"],
                                  cwd=self.folder.name, env={**os.environ, "POLYAD_SIMD": name}, capture_output=True)
            if done.returncode == 0:
                found.append(name)
        return found

    def test_portable_bits_depend_on_nothing(self):
        sets = self.sets()
        self.assertIn("scalar", sets)
        for name, fit in FITS.items():
            with self.subTest(name):
                first, simd = self.digest(fit, {}, "--simd", "portable")
                self.assertEqual(simd, "portable")
                self.assertEqual(first, self.digest(fit, WITHOUT_FMA, "--simd", "portable")[0], "without FMA")
                for other in sets if name == "counts" else sets[-1:]:
                    self.assertEqual(first, self.digest(fit, {"POLYAD_SIMD": other}, "--simd", "portable")[0], other)

    def test_other_sets_differ(self):
        """So that the test above can fail."""
        different = {self.digest(FITS["counts"], {}, "--simd", s)[0] for s in ["portable", *self.sets()]}
        self.assertGreater(len(different), 1)

    def test_what_the_cpu_has_not_is_refused(self):
        done = subprocess.run([os.environ["POLYAD"], "fit", "counts.tns", "--rank", "1", "--loss", "poisson", "--simd", "sse9"],
                              cwd=self.folder.name, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--simd: 'sse9' is not one of portable, scalar, sse4, avx2, avx512", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)

"""The command in a report's About tab ("to get the same model again") does that: for fits that between them set every option,
and for fits that leave almost all of them to polyad, it is run as it stands there, and the model has the same bits.
Needs POLYAD, the path of the command."""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import tempfile
import unittest
import zipfile

import test_digests

# Of the fits with digests: each option, sampler, method, update rule and schedule at least once.
NAMED = [
    "uniform, dense", "stratified, four parts, two threads", "semi-stratified", "importance, zeros drawn",
    "importance, zeros summed", "strata", "exhaustive", "loss huber", "amsgrad", "adam, usual form", "adagrad", "sgd",
    "schedule constant", "schedule paper, restores", "single precision", "three starts", "fixed mode", "bounds",
    "mask, stratified", "weights, semi-stratified", "gcp-full, every cell", "cp-als, sparse, ridge", "cp-apr, mu",
    "finish lbfgsb", "finish apr", "resume",
]
# What polyad chose must be written out, and chosen again.
MOSTLY_AUTO = {
    "auto importance": ("yes.tns", 2, "bernoulli-odds", "--sampler importance --epochs 2 --epoch-iterations 30 --finish none --starts 2"),
    "auto importance, not adaptive": ("counts.tns", 2, "poisson", "--sampler importance --importance-adaptive false --epochs 2 --epoch-iterations 30"),
    "auto counts": ("counts.tns", 2, "poisson", "--seed 4"),
    "auto, portable": ("counts.tns", 2, "poisson", "--simd portable --starts 3"),
    "auto, held out": ("counts.tns", 2, "poisson", "--starts 2 --holdout 0.2 --holdout-seed 3"),
    "auto real": ("real.npy", 2, "gaussian", "--starts 2"),
    "auto, guesses that race": ("real.npy", 2, "huber", "--seed 2"),
    "auto logits": ("yes.tns", 2, "bernoulli-logit", "--starts 2"),
    "auto, tiny numbers": ("tiny.npy", 2, "gaussian", "--starts 2 --method gcp-sgd --epochs 2"),
    "auto, name with blanks": ("my counts.tns", 2, "poisson", "--starts 2 --missing mask.tns"),
}
# Nothing of the model depends on these, so they are not written out: threads, and what concerns files and time.
NOT_OF_THE_MODEL = {"threads", "checkpoint", "resume", "every", "time-limit"}


def about_command(page):
    with open(page, encoding="utf-8") as f:
        data = re.search(r'id="polyad-data">(.*?)</script>', f.read(), re.DOTALL).group(1)
    return json.loads(data)["models"][0]["command"]


class FitCommand(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="polyad-command-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.fits = test_digests.Fits(os.environ["POLYAD"], cls.folder)
        cls.fits.digest(test_digests.FIRST)  # others start from its model
        with open(cls.path("real.npy"), "rb") as f:
            content = f.read()
        begin = 10 + int.from_bytes(content[8:10], "little")
        numbers = memoryview(content[begin:]).cast("d")
        with open(cls.path("tiny.npy"), "wb") as f:
            f.write(content[:begin] + b"".join(test_digests.struct.pack("<d", x * 1e-9) for x in numbers))
        shutil.copy(cls.path("counts.tns"), cls.path("my counts.tns"))

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def numbers_of(self, model):
        """Weights and factors, byte for byte."""
        self.fits.run("convert", model, model + ".npz", "-q")
        with zipfile.ZipFile(self.path(model + ".npz")) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def fit_twice(self, name, data, rank, loss, options):
        own = re.sub(r"\W+", "-", name)
        words = test_digests.last_of_each(options.removesuffix(" RESUME").split())
        fit = ["fit", data, "--rank", rank, "--loss", loss, "-q", "-o", own + ".h5"]
        if options.endswith(" RESUME"):
            self.fits.run_a_while(own + "-state.h5", *fit, *words)
            words += ["--resume", own + "-state.h5"]
        self.fits.run(*fit, *words)
        self.fits.run("report", own + ".h5", "-o", own + ".html")
        command = about_command(self.path(own + ".html"))
        first = self.numbers_of(own + ".h5")
        os.remove(self.path(own + ".h5"))
        given = shlex.split(command)
        self.assertEqual(given[:2], ["polyad", "fit"], command)
        self.fits.run(*given[1:])
        self.assertEqual(first, self.numbers_of(own + ".h5"), f"{name}: another model by\n{command}")
        return command

    def test_gives_the_same_model_again(self):
        fits = {name: test_digests.FITS[name] for name in NAMED} | MOSTLY_AUTO
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            commands = list(pool.map(lambda item: self.fit_twice(item[0], *item[1]), fits.items()))
        reference = self.fits.run("reference")
        section = reference[reference.index("## Options of a fit"):]
        section = section[:section.index("\n## ", 5)]
        options = set(re.findall(r"^\| `([a-z0-9-]+)` \|", section, re.MULTILINE))
        self.assertGreater(len(options), 40)
        written = {word[2:].split("=")[0] for command in commands for word in shlex.split(command) if word.startswith("--")}
        self.assertEqual(options - written - NOT_OF_THE_MODEL, set(), "options that no fit here sets or chooses")


if __name__ == "__main__":
    unittest.main()

"""Kills fits with SIGKILL at random moments, resumes them, and expects the same bits as from a fit that was left alone.
Needs POLYAD, the path of the command; POLYAD_KILLS says how many kills each case must survive (3)."""

import json
import os
import random
import resource
import signal
import subprocess
import tempfile
import time
import unittest

POLYAD = os.environ["POLYAD"]
KILLS = int(os.environ.get("POLYAD_KILLS", "3"))


class Resume(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="polyad-resume-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.random = random.Random(20)

    def run_polyad(self, *arguments, code=0, **options):
        done = subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=600,
                              **options)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def bits(self, model):
        """Factors and weights to the last bit."""
        self.run_polyad("convert", model, "bits.npz", "-q")
        with open(os.path.join(self.folder, "bits.npz"), "rb") as f:
            return f.read()

    def make(self, shape="60x50x40"):
        self.run_polyad("make", "poisson", "--shape", shape, "--rank", 3, "--total", 30000, "-o", "x.h5")

    def fit(self, output, *more, epochs=40, starts=3):
        return ("fit", "x.h5", "--rank", 3, "--loss", "poisson", "--epochs", epochs, "--epoch-iterations", 300, "--starts", starts, "--threads", 2, "-o", output, "--json",
                "-q", *more)

    def survive(self, *more):
        """Kills a fit again and again, then lets it end; the result is that of a fit that ran through."""
        self.make()
        began = time.time()
        whole = json.loads(self.run_polyad(*self.fit("whole.h5", *more)).stdout)
        lasts = time.time() - began
        kills = 0
        start = ("--checkpoint", "c.h5")
        while kills < KILLS:
            process = subprocess.Popen([POLYAD, *map(str, self.fit("m.h5", *start, "--every", 0, *more))], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(self.random.uniform(0, lasts / 2))
            process.send_signal(signal.SIGKILL)
            _, errors = process.communicate()
            if process.returncode == 0:  # it ended before the kill: begin again
                os.remove(os.path.join(self.folder, "c.h5"))
                start = ("--checkpoint", "c.h5")
                continue
            self.assertEqual(process.returncode, -signal.SIGKILL, errors)
            kills += 1
            if os.path.exists(os.path.join(self.folder, "c.h5")):
                start = ("--resume", "c.h5")
        resumed = json.loads(self.run_polyad(*self.fit("m.h5", *start, "--every", 0, *more)).stdout)
        self.assertEqual(self.bits("m.h5"), self.bits("whole.h5"))
        for name in ("estimate", "exact-loss", "best-start", "why"):
            self.assertEqual(resumed["summary"][name], whole["summary"][name])
        self.assertEqual([s["estimate"] for s in resumed["summary"]["starts"]], [s["estimate"] for s in whole["summary"]["starts"]])
        left = [name for name in os.listdir(self.folder) if name.startswith(".polyad")]
        self.assertLessEqual(len(left), KILLS, "only what a kill cut off may be left")

    def test_kills(self):
        self.survive()

    def test_a_sampler_that_follows_the_model(self):
        self.survive("--sampler", "importance", "--importance-zeros", "drawn", "--importance-adaptive", "false",
                     "--importance-refresh", 70, "--parts", 2)

    def test_kills_with_restores(self):
        """A rate so high that epochs are undone: what rewinds and what does not must both come back."""
        self.survive("--schedule", "paper", "--rate", 0.3, "--max-bad-epochs", 20, "--sampler", "stratified")

    def test_other_data_and_options_are_refused(self):
        self.make()
        self.run_polyad(*self.fit("m.h5", "--checkpoint", "c.h5"))
        errors = self.run_polyad(*self.fit("m.h5", "--resume", "c.h5", "--seed", 5), code=2).stderr
        self.assertIn("seed was 1, now it is 5", errors)
        self.run_polyad("make", "poisson", "--shape", "60x50x40", "--rank", 3, "--total", 30000, "--seed", 9, "-o", "x.h5")
        errors = self.run_polyad(*self.fit("m.h5", "--resume", "c.h5"), code=2).stderr
        self.assertIn("fingerprint", errors)
        self.run_polyad(*self.fit("m.h5", "--resume", "nowhere.h5"), code=5)
        self.assertIn("checkpoint", self.run_polyad("info", "c.h5", code=3).stderr)

    def test_a_finished_fit_is_not_done_again(self):
        self.make()
        first = json.loads(self.run_polyad(*self.fit("m.h5", "--checkpoint", "c.h5")).stdout)
        again = json.loads(self.run_polyad(*self.fit("n.h5", "--resume", "c.h5", "--time-limit", 1000)).stdout)
        self.assertEqual(first["weights"], again["weights"])
        self.assertLess(again["summary"]["seconds"], first["summary"]["seconds"])

    def test_interrupt_names_the_way_back(self):
        self.make()
        process = subprocess.Popen([POLYAD, *map(str, self.fit("m.h5", "--checkpoint", "c.h5", epochs=100000))], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("--resume c.h5", errors)
        self.run_polyad("check", "m.h5")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "c.h5")))

    def test_a_full_disk_does_not_end_a_fit(self):
        """Files may not grow beyond a size that fits the model but not the checkpoint, which holds twelve starts."""
        self.make("600x500x400")
        whole = json.loads(self.run_polyad(*self.fit("whole.h5", epochs=2, starts=12)).stdout)
        limit = os.path.getsize(os.path.join(self.folder, "whole.h5")) + 8000

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = self.run_polyad(*self.fit("m.h5", "--checkpoint", "c.h5", "--every", 0, epochs=2, starts=12), preexec_fn=small_files)
        self.assertEqual(json.loads(done.stdout)["weights"], whole["weights"])
        self.assertIn("its checkpoint is not: cannot write 'c.h5'", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)

"""The command as people and scripts meet it: results, messages, exit codes, files. Needs POLYAD, the path of the command."""

import gzip
import json
import os
import re
import shutil
import signal
import stat
import struct
import subprocess
import tempfile
import time
import unittest

POLYAD = os.environ["POLYAD"]

COUNTS = "".join(f"{i} {j} {1 + (i * j) % 4} {1 + (i + j) % 3}\n" for i in range(1, 9) for j in range(1, 7))


def npy(values, shape):
    """A float64 .npy file as bytes."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}d", *values)


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="polyad-cli-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.write("counts.tns", COUNTS)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        mode = "wb" if isinstance(content, bytes) else "w"
        with open(self.path(name), mode) as f:
            f.write(content)
        return name

    def run_polyad(self, *arguments, timeout=120):
        return subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=timeout)

    def ok(self, *arguments):
        done = self.run_polyad(*arguments)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def quick_fit(self, data="counts.tns", *more):
        return ("fit", data, "--rank", 2, "--loss", "poisson", "--epochs", 2, "--epoch-iterations", 20, "--starts", 2, *more)

    def refused(self, code, words, *arguments):
        """One line on standard error with all the words, this exit code, nothing on standard output, no file left."""
        before = sorted(os.listdir(self.folder))
        done = self.run_polyad(*arguments)
        errors = [line for line in done.stderr.splitlines() if line.startswith("polyad: ")]
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        self.assertEqual(len(errors), 1, done.stderr)
        for word in words:
            self.assertIn(word, errors[0])
        self.assertEqual(done.stdout, "")
        self.assertEqual(sorted(os.listdir(self.folder)), before, "a refused command leaves no files")


class Fit(Command):
    def test_fit_just_works_and_names_what_it_chose(self):
        done = self.run_polyad(*self.quick_fit())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("8 x 6 x 4", done.stderr)
        self.assertIn("1-based", done.stderr)
        self.assertIn("exact-zeros", done.stderr)
        self.assertIn("best of 2 starts", done.stdout)
        self.assertIn("counts-model.h5", done.stdout)
        self.assertTrue(os.path.exists(self.path("counts-model.h5")))

    def test_the_default_name_never_overwrites(self):
        self.ok(*self.quick_fit())
        self.ok(*self.quick_fit())
        self.assertTrue(os.path.exists(self.path("counts-model-2.h5")))

    def test_gzip_gives_the_same_model(self):
        self.write("zipped.tns.gz", gzip.compress(COUNTS.encode()))
        plain = json.loads(self.ok(*self.quick_fit("counts.tns", "--json", "-q", "-o", "a.h5")))
        zipped = json.loads(self.ok(*self.quick_fit("zipped.tns.gz", "--json", "-q", "-o", "b.h5")))
        self.assertEqual(plain["weights"], zipped["weights"])

    def test_json_has_resolved_options_and_every_start(self):
        out = json.loads(self.ok(*self.quick_fit("counts.tns", "--json")))
        self.assertEqual(out["options"]["sampler"], "exact-zeros")
        self.assertEqual(len(out["summary"]["starts"]), 2)
        self.assertNotIn("auto", [out["options"][name] for name in ("samples", "starts", "epochs", "init-norm")])
        self.assertIsInstance(out["summary"]["exact-loss"], float)

    def test_threads_do_not_change_the_result(self):
        results = [json.loads(self.ok(*self.quick_fit("counts.tns", "--json", "--threads", t, "-o", f"t{t}.h5"))) for t in (1, 2, 4)]
        self.assertEqual(results[0]["weights"], results[1]["weights"])
        self.assertEqual(results[0]["weights"], results[2]["weights"])

    def test_quiet_prints_nothing(self):
        done = self.run_polyad(*self.quick_fit("counts.tns", "-q"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_loss_parameters(self):
        out = json.loads(self.ok("fit", "counts.tns", "--rank", 1, "--loss", "huber:delta=0.5", "--epochs", 1, "--json"))
        self.assertEqual(out["options"]["loss"], "huber:delta=0.5")

    def test_labels_travel_from_file_to_table_and_picture(self):
        self.write("fruit.txt", "apple\nbanana\ncherry\ndate\nelderberry\nfig\ngrape\nhazel & <nut>\n")
        self.ok(*self.quick_fit("counts.tns", "--labels", "1=fruit.txt", "--mode-names", "fruit,shop,week", "-o", "m.h5",
                                "--report", "m.svg"))
        self.assertIn("cherry", self.ok("show", "m.h5", "--top", 8))
        with open(self.path("m.svg")) as f:
            svg = f.read()
        self.assertIn("cherry", svg)
        self.assertIn("hazel &amp; &lt;nut&gt;", svg)

    def test_start_from_a_model(self):
        first = json.loads(self.ok(*self.quick_fit("counts.tns", "--json", "-o", "m.h5")))
        again = json.loads(self.ok("fit", "counts.tns", "--rank", 2, "--loss", "poisson", "--epochs", 1, "--epoch-iterations",
                                   1, "--rate", 1e-9, "--start-from", "m.h5", "--json"))
        self.assertAlmostEqual(first["summary"]["exact-loss"], again["summary"]["exact-loss"], places=4)

    def test_fixed_mode_stays(self):
        self.ok(*self.quick_fit("counts.tns", "-o", "m.h5"))
        self.ok("fit", "counts.tns", "--rank", 2, "--loss", "poisson", "--epochs", 2, "--epoch-iterations", 50, "--start-from",
                "m.h5", "--bound", "1:fixed", "--bound", "2:fixed", "--bound", "3:fixed", "-o", "n.h5")
        score = json.loads(self.ok("score", "m.h5", "n.h5", "--json"))["score"]
        self.assertAlmostEqual(score, 1.0, places=12)

    def test_interrupt_keeps_the_best_model(self):
        for sign in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(sign):
                output = self.path(f"{sign.name}.h5")
                process = subprocess.Popen([POLYAD, "fit", "counts.tns", "--rank", "2", "--loss", "poisson", "--epochs",
                                            "100000000", "-o", output], cwd=self.folder, stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True)
                time.sleep(1.0)
                process.send_signal(sign)
                _, stderr = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, stderr)
                self.assertIn("--start-from", stderr)
                self.ok("show", output)

    def test_time_limit(self):
        began = time.time()
        out = json.loads(self.ok("fit", "counts.tns", "--rank", 2, "--loss", "poisson", "--epochs", 100000000, "--time-limit", 1,
                                 "--json"))
        self.assertLess(time.time() - began, 20)
        self.assertEqual(out["summary"]["why"], "time limit reached")

    def test_missing_entries_in_a_dense_array(self):
        values = [float((i * 7) % 5 + 1) for i in range(60)]
        values[7] = values[30] = float("nan")
        self.write("dense.npy", npy(values, (3, 4, 5)))
        done = self.run_polyad("fit", "dense.npy", "--rank", 1, "--loss", "gamma", "--epochs", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 of them missing", done.stderr)


class Select(Command):
    def test_recommends_the_planted_rank_and_fits_it(self):
        self.ok("make", "gaussian", "--shape", "14x12x10", "--rank", 2, "--snr", 3, "-o", "data.h5")
        asked = ("select", "data.h5", "--loss", "gaussian", "--ranks", "1:3", "--repeats", 2)
        table = self.ok(*asked, "-o", "model.h5")
        self.assertRegex(table, r"(?m)^>   2 ")
        self.assertIn("model written to model.h5", table)
        self.assertTrue(os.path.exists(self.path("model.h5")))
        choice = json.loads(self.ok(*asked, "--json", "-q"))
        self.assertEqual(choice["rank"], 2)
        self.assertEqual([c["rank"] for c in choice["candidates"]], [1, 2, 3])
        self.assertIn("rank 2", choice["reason"])

    def test_says_what_cannot_be(self):
        self.ok("make", "gaussian", "--shape", "6x5x4", "--rank", 1, "-o", "data.h5")
        self.refused(2, ["no loss given"], "select", "data.h5")
        self.refused(2, ["--ranks", "counts down"], "select", "data.h5", "--loss", "gaussian", "--ranks", "4:2")
        self.refused(3, ["--holdout 0.05", "too few"], "select", "data.h5", "--loss", "gaussian", "--holdout", "0.05")


class BadInput(Command):
    def test_rank(self):
        self.refused(2, ["rank", "at least 1"], "fit", "counts.tns", "--rank", 0, "--loss", "poisson")
        self.refused(2, ["--rank", "two", "whole number"], "fit", "counts.tns", "--rank", "two", "--loss", "poisson")
        self.refused(2, ["--rank"], "fit", "counts.tns", "--rank", -1, "--loss", "poisson")
        self.refused(2, ["--rank"], "fit", "counts.tns", "--loss", "poisson")
        for option in (["--precision", "single"], ["--parts", 4], ["--samples", 100]):
            self.refused(2, [option[0], "cp-als"], "fit", "counts.tns", "--rank", 2, "--loss", "gaussian",
                         "--method", "cp-als", *option)

    def test_unknown_loss_suggests_the_nearest(self):
        self.refused(2, ["poison", "did you mean 'poisson'?"], "fit", "counts.tns", "--rank", 2, "--loss", "poison")

    def test_no_loss_suggests_one(self):
        self.refused(2, ["poisson"], "fit", "counts.tns", "--rank", 2)

    def test_unknown_option_and_command(self):
        self.refused(2, ["--rnak", "did you mean '--rank'?"], "fit", "counts.tns", "--rnak", 2)
        self.refused(2, ["fti", "did you mean 'fit'?"], "fti", "counts.tns")
        self.refused(2, ["stratfied", "did you mean 'stratified'?"], "fit", "counts.tns", "--rank", 2, "--loss", "poisson",
                     "--sampler", "stratfied")

    def test_values_out_of_range(self):
        self.refused(2, ["--base must be between 0 and 1 (is 2)"], "info", "counts.tns", "--base", 2)
        self.refused(2, ["--base", "'0.5' is not a whole number"], "info", "counts.tns", "--base", 0.5)
        self.refused(2, ["--threads", "'0' is not a whole number from 1 to 4096"], "bench", "--quick", "--threads", "1,0")
        self.refused(2, ["--seconds", "'-1' is not a number from 0 to 3600"], "bench", "--quick", "--seconds", -1)
        self.refused(2, ["--mat-version", "6", "5", "7.3"], "convert", "counts.tns", "counts.mat", "--mat-version", 6)
        self.refused(2, ["--json", "--csv"], "show", "model.h5", "--json", "--csv")
        self.assertEqual(self.run_polyad("info", "counts.tns", "--base", "+1").returncode, 0)

    def test_negative_counts(self):
        self.write("negative.tns", "1 1 1 3\n2 2 2 -4\n")
        self.refused(3, ["-4", "(2, 2, 2)", "poisson", "gaussian"], "fit", "negative.tns", "--rank", 1, "--loss", "poisson")

    def test_implicit_zeros_are_data(self):
        self.refused(3, ["gamma", "--unlisted missing"], "fit", "counts.tns", "--rank", 1, "--loss", "gamma")
        self.ok("fit", "counts.tns", "--rank", 1, "--loss", "gamma", "--unlisted", "missing", "--epochs", 1)

    def test_nan_in_a_sparse_file(self):
        self.write("nan.tns", "1 1 1 3\n2 2 2 nan\n")
        self.refused(3, ["nan.tns:2"], "fit", "nan.tns", "--rank", 1, "--loss", "gaussian")

    def test_empty_file(self):
        self.write("empty.tns", "")
        self.refused(3, ["empty.tns"], "fit", "empty.tns", "--rank", 1, "--loss", "gaussian")

    def test_truncated_gzip(self):
        whole = gzip.compress(COUNTS.encode() * 50)
        self.write("cut.tns.gz", whole[: len(whole) // 2])
        self.refused(3, ["cut.tns.gz", "truncated"], "fit", "cut.tns.gz", "--rank", 1, "--loss", "poisson")

    def test_index_zero_with_base_one(self):
        self.write("zero.tns", "1 1 1 3\n0 2 2 4\n")
        self.refused(3, ["zero.tns:2", "base"], "fit", "zero.tns", "--base", 1, "--rank", 1, "--loss", "poisson")

    def test_huge_declared_dimensions(self):
        self.refused(3, ["4000000000 x 4000000000", "GB", "memory"], "fit", "counts.tns", "--shape", "4000000000x4000000000x4000000000", "--rank", 10, "--loss",
                     "poisson")
        self.refused(2, ["shape", "six"], "fit", "counts.tns", "--shape", "8xsixx4", "--rank", 1, "--loss", "poisson")

    def test_shape_smaller_than_an_index(self):
        self.refused(3, ["counts.tns:"], "fit", "counts.tns", "--shape", "5x6x4", "--rank", 1, "--loss", "poisson")

    def test_missing_file(self):
        self.refused(5, ["nowhere.tns", "No such file"], "fit", "nowhere.tns", "--rank", 1, "--loss", "poisson")
        self.refused(5, ["nowhere.h5"], "show", "nowhere.h5")
        self.refused(5, ["nowhere.txt"], *self.quick_fit("counts.tns", "--labels", "1=nowhere.txt"))

    def test_unwritable_output(self):
        self.refused(5, ["no/such/folder/m.h5"], *self.quick_fit("counts.tns", "-o", "no/such/folder/m.h5"))
        os.mkdir(self.path("folder.h5"))
        self.refused(5, ["folder.h5"], *self.quick_fit("counts.tns", "-o", "folder.h5"))

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_read_only_folder(self):
        os.mkdir(self.path("locked"))
        os.chmod(self.path("locked"), stat.S_IRUSR | stat.S_IXUSR)
        self.refused(5, ["locked/m.h5"], *self.quick_fit("counts.tns", "-o", "locked/m.h5"))

    def test_options_that_nothing_uses_are_refused(self):
        self.refused(2, ["--ridge is not used by --method gcp-sgd, only by --method cp-als"],
                     *self.quick_fit("counts.tns", "--finish", "none", "--ridge", 1))
        self.refused(2, ["--momentum is not used by --optimizer adam, only by --optimizer sgd"],
                     *self.quick_fit("counts.tns", "--momentum", 0.5))
        self.refused(2, ["--samples is not used by --method cp-apr"], "fit", "counts.tns", "--rank", 2, "--loss", "poisson",
                     "--method", "cp-apr", "--samples", 10)

    def test_default_name_of_compressed_data(self):
        for name in ("x.tns.gz", "y.tns.zst"):
            self.ok("convert", "counts.tns", name)
            self.ok(*self.quick_fit(name))
            self.assertIn(name[0] + "-model.h5", os.listdir(self.folder))

    def test_wrong_number_of_labels(self):
        self.write("few.txt", "a\nb\n")
        self.refused(3, ["few.txt", "2 labels", "8"], *self.quick_fit("counts.tns", "--labels", "1=few.txt"))
        self.refused(2, ["--labels", "MODE=FILE"], *self.quick_fit("counts.tns", "--labels", "few.txt"))

    def test_everything_missing(self):
        self.write("nothing.npy", npy([float("nan")] * 12, (3, 4)))
        self.refused(3, ["missing"], "fit", "nothing.npy", "--rank", 1, "--loss", "gaussian")

    def test_exact_zeros_where_it_cannot_serve(self):
        self.refused(2, ["exact-zeros", "bernoulli-odds"], "fit", self.write("b.tns", "1 1 1\n2 2 1\n"), "--rank", 1, "--loss",
                     "bernoulli-odds", "--sampler", "exact-zeros")

    def test_diverging_fit(self):
        self.refused(4, ["finite"], "fit", "counts.tns", "--rank", 2, "--loss", "poisson-log", "--rate", 1e300, "--init-norm",
                     1e200, "--epochs", 2)

    def test_not_a_model(self):
        self.refused(3, ["counts.tns"], "show", "counts.tns")

    def test_scores_of_different_shapes(self):
        self.write("other.tns", "1 1 1\n2 3 1\n")
        self.ok(*self.quick_fit("counts.tns", "-o", "a.h5"))
        self.ok(*self.quick_fit("other.tns", "-o", "b.h5"))
        self.refused(2, ["shape"], "score", "a.h5", "b.h5")


class Others(Command):
    def test_help_of_every_command(self):
        overview = self.ok("--help")
        for command in ("fit", "make", "info", "check", "convert", "import", "show", "report", "score", "losses", "bench"):
            self.assertIn(command, overview)
            self.assertIn("--help", self.ok(command, "--help"))
        self.assertRegex(self.ok("--version"), r"^polyad \d+\.\d+\.\d+\n$")

    def test_help_lists_every_fit_option_once_with_its_default(self):
        text = self.ok("fit", "--help")
        for option in ("--rank", "--sampler", "--schedule", "--beta1", "--lower", "--time-limit", "--init"):
            self.assertIn(option, text)
        self.assertIn("0.9", text)

    def test_info(self):
        self.assertIn("poisson", self.ok("info", "counts.tns"))
        facts = json.loads(self.ok("info", "counts.tns", "--json"))
        self.assertEqual(facts["shape"], [8, 6, 4])
        self.assertEqual(facts["listed"], 48)
        self.assertEqual(facts["greatest"], 3)
        self.assertEqual(facts["zeros"], 8 * 6 * 4 - 48)
        self.assertEqual(facts["losses"][0]["loss"], "poisson")

    def test_losses(self):
        names = [loss["name"] for loss in json.loads(self.ok("losses", "--json"))]
        self.assertEqual(len(names), 11)
        text = self.ok("losses")
        for name in names:
            self.assertIn(name, text)
        # The formula that is shown works as it stands.
        spec = re.search(r"--loss '(expr:[^']*)'", text).group(1)
        self.ok("make", "poisson", "--shape", "6x5x4", "--rank", 1, "--total", 200, "-o", "e.tns")
        self.ok("fit", "e.tns", "--rank", 1, "--loss", spec, "-o", "e.h5")

    def test_make_fit_score(self):
        self.ok("make", "poisson", "--shape", "30x20x10", "--rank", 2, "--total", 20000, "-o", "p.tns.gz", "--truth", "t.h5")
        self.ok("fit", "p.tns.gz", "--rank", 2, "--loss", "poisson", "-o", "m.h5")
        self.assertGreater(json.loads(self.ok("score", "t.h5", "m.h5", "--json"))["score"], 0.9)

    def test_city_is_labelled(self):
        self.ok("make", "city", "--total", 20000, "-o", "city.h5", "--truth", "truth.h5")
        facts = json.loads(self.ok("info", "city.h5", "--json"))
        self.assertTrue(all(mode["labelled"] for mode in facts["modes"]))
        self.assertIn("ommuting", self.ok("score", "truth.h5", "truth.h5"))

    def test_score_numbers_components_as_show_does(self):
        self.ok("make", "city", "--total", 50000, "-o", "city.h5", "--truth", "truth.h5")
        shown = json.loads(self.ok("show", "truth.h5", "--json"))["components"]
        weights = [component["weight"] for component in shown]
        self.assertEqual(weights, sorted(weights, reverse=True))
        for component, line in zip(shown, self.ok("score", "truth.h5", "truth.h5").splitlines()[1:], strict=True):
            name = f"{component['component']} ({component['name']})"
            self.assertIn(f"{name} ~ {name}", line)
        pairs = json.loads(self.ok("score", "truth.h5", "truth.h5", "--json"))["components"]
        self.assertEqual([(pair["reference"], pair["other"]) for pair in pairs], [(i + 1, i + 1) for i in range(len(shown))])

    def test_bench_measures_what_is_asked_for(self):
        measured = json.loads(self.ok("bench", "estimate", "--quick", "--seconds", 0, "--threads", "1", "--json"))
        self.assertIn("estimate", json.dumps(measured))
        self.refused(2, ["--threads", "0"], "bench", "--threads", 0, "estimate")
        self.refused(2, ["nonsense", "estimate"], "bench", "nonsense")

    def test_show_and_report(self):
        self.ok(*self.quick_fit("counts.tns", "-o", "m.h5"))
        for width in (40, 80, 200):
            done = subprocess.run([POLYAD, "show", "m.h5"], cwd=self.folder, capture_output=True, text=True,
                                  env={**os.environ, "COLUMNS": str(width)})
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("\x1b", done.stdout, "no colour in a pipe")
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), width)
        self.assertEqual(len(json.loads(self.ok("show", "m.h5", "--json"))["components"]), 2)
        self.ok("report", "m.h5", "-o", "m.svg")
        with open(self.path("m.svg")) as f:
            self.assertTrue(f.read().lstrip().startswith(("<?xml", "<svg")))


class Reports(Command):
    def test_page_or_picture_by_name(self):
        self.ok(*self.quick_fit("counts.tns", "-o", "m.h5", "--report", "at-once.html"))
        self.ok("report", "m.h5", "-o", "later.html", "--svg", "m.svg")
        with open(self.path("at-once.html")) as a, open(self.path("later.html")) as b:
            self.assertEqual(a.read(), b.read(), "the model file tells all that the fit knew")
        self.assertTrue(os.path.exists(self.path("m.svg")))
        self.refused(2, [".html", ".svg"], "report", "m.h5", "-o", "m.pdf")
        self.refused(2, ["nothing to write"], "report", "m.h5")
        self.refused(2, [".html"], *self.quick_fit("counts.tns", "--report", "m.png"))
        self.refused(3, ["not a model"], "report", "counts.tns", "-o", "x.html")

    def test_models_of_one_report_have_one_shape(self):
        self.ok(*self.quick_fit("counts.tns", "-o", "m.h5"))
        self.ok(*self.quick_fit("counts.tns", "--shape", "9x6x4", "-o", "n.h5"))
        self.refused(2, ["9 x 6 x 4", "8 x 6 x 4"], "report", "m.h5", "n.h5", "-o", "x.html")

    def test_maps_are_checked_before_the_fit(self):
        self.write("broken.geojson", "{")
        self.refused(3, ["broken.geojson", "JSON"], *self.quick_fit("counts.tns", "--report", "m.html", "--map", "1=broken.geojson"))
        self.refused(2, ["mode"], *self.quick_fit("counts.tns", "--report", "m.html", "--map", "7=broken.geojson"))
        self.refused(5, ["nowhere.geojson"], *self.quick_fit("counts.tns", "--report", "m.html", "--map", "1=nowhere.geojson"))

    def diagnostics(self, page):
        with open(self.path(page)) as f:
            text = f.read()
        data = text.split('id="polyad-data">')[1].split("</script>")[0]
        return json.loads(data)["models"][0]["fit"]

    def test_held_out_cells_are_judged_apart(self):
        self.write("hidden.tns", "1 1 2\n8 6 1\n2 2 1\n")
        self.ok(*self.quick_fit("counts.tns", "--missing", "hidden.tns", "-o", "m.h5", "--report", "m.html"))
        found = self.diagnostics("m.html")
        self.assertEqual(found["held-out"]["cells"], 3)
        self.assertEqual(found["data"]["observed"], 8 * 6 * 4 - 3)

    def test_older_models_are_judged_by_the_data(self):
        self.ok(*self.quick_fit("counts.tns", "-o", "m.h5", "--report", "fitted.html"))
        self.ok("report", "m.h5", "-o", "judged.html", "--data", "counts.tns")
        fitted, judged = self.diagnostics("fitted.html"), self.diagnostics("judged.html")
        self.assertEqual(fitted, judged)
        self.assertLess(fitted["loss"], fitted["null-loss"])
        self.refused(2, ["shape"], "report", "m.h5", "-o", "x.html", "--data", "counts.tns", "--shape", "9x6x4")


if __name__ == "__main__":
    unittest.main(verbosity=1)

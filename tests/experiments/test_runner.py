#!/usr/bin/python3
"""The runner of the experiments with a stand-in for polyad: what is kept, what is run again, what the figures get."""
import json
import os
import sys
import tempfile
import textwrap
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../experiments"))

from paper import runner as under_test  # noqa: E402
from paper.compare import shared_guesses  # noqa: E402
from paper.figures import held, median_curve  # noqa: E402
from paper.text import figure, paragraphs, seconds  # noqa: E402

# Writes a trace of three epochs, the second one rejected, and notes that it was called.
STAND_IN = textwrap.dedent("""\
    #!/usr/bin/python3
    import json, sys
    import h5py, numpy
    a = sys.argv[1:]
    if a[0] == "--version":
        print("stand-in 1")
    elif a[0] == "bench":
        print(json.dumps({"simd": "none"}))
    else:
        open(__file__ + ".calls", "a").write(" ".join(a) + "\\n")
        kind = [("epoch", "u8"), ("seconds", "f8"), ("estimate", "f8"), ("rate", "f8"), ("accepted", "u1")]
        rows = [(0, 0.5, 9.0, 1, 1), (1, 1.0, 5.0, 1, 1), (2, 2.0, 7.0, 1, 0), (3, 2.5, 4.0, 1, 1)]
        with h5py.File(a[a.index("-o") + 1], "w") as file:
            file["trace/1"] = numpy.array(rows, dtype=kind)
        print(json.dumps({"summary": {"estimate": 4.0, "starts": [{"seconds": 2.5, "why": "done"}]}}))
    """)


class RunnerTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.program = os.path.join(self.folder.name, "polyad")
        with open(self.program, "w") as file:
            file.write(STAND_IN)
        os.chmod(self.program, 0o755)
        self.path = os.path.join(self.folder.name, "results", "x.json")

    def tearDown(self):
        self.folder.cleanup()

    def fits(self, *wanted):
        """Runs them as a new process would, and tells how many calls of the command there have been."""
        results = under_test.Results("x", self.path)
        runner = under_test.Runner(self.program, "", self.folder.name)
        runner.begin(results)
        runner.fits(wanted)
        with open(self.program + ".calls") as file:
            return results, len(file.readlines())

    def fit(self, start=1, **options):
        return under_test.Fit({"s": 5}, start, under_test.Problem("d.h5"), {"rank": 5, **options})

    def test_keeps_accepted_epochs_and_the_time_of_all(self):
        results, _ = self.fits(self.fit())
        run = results.runs[0]
        self.assertEqual(run["trace"], [[0.5, 9.0], [1.0, 5.0], [2.5, 4.0]])
        self.assertEqual(run["epochs"], [0.5, 1.0, 0.5])
        self.assertEqual((run["estimate"], run["seconds"], run["epochs_run"]), (4.0, 2.5, 3))

    def test_runs_only_what_is_not_known(self):
        self.assertEqual(self.fits(self.fit(1), self.fit(2))[1], 2)
        self.assertEqual(self.fits(self.fit(1), self.fit(2), self.fit(3))[1], 3)

    def test_runs_again_what_has_other_options(self):
        self.fits(self.fit())
        results, calls = self.fits(self.fit(rate=0.1))
        self.assertEqual(calls, 2)
        self.assertEqual(len(results.runs), 1)

    def test_file_is_json_with_a_run_a_line(self):
        self.fits(self.fit(1), self.fit(2))
        with open(self.path) as file:
            text = file.read()
        self.assertEqual(list(json.loads(text)["runs"]), ["s 5, start 1", "s 5, start 2"])
        self.assertEqual(sum(line.startswith(' "s 5, start') for line in text.splitlines()), 2)

    def test_value_is_made_once(self):
        results = under_test.Results("x", self.path)
        runner = under_test.Runner(self.program, "", self.folder.name)
        runner.begin(results)
        self.assertEqual([runner.value("v", lambda: 1), runner.value("v", lambda: 2)], [1, 1])

    def test_a_failing_command_is_named(self):
        with self.assertRaisesRegex(RuntimeError, "false fit"):
            under_test.output_of(["false", "fit"])


class FiguresTest(unittest.TestCase):
    def test_a_run_that_has_ended_keeps_its_last_value(self):
        self.assertEqual(list(held([[1, 9], [2, 5]], [0, 1, 1.5, 2, 7])), [9, 9, 7, 5, 5])

    def test_median_over_runs_of_different_length(self):
        runs = [{"trace": [[0, 10], [1, end]]} for end in (1, 2, 6)] + [{"trace": [[0, 10], [4, 2]]}]
        times, medians = median_curve(runs, 2)
        self.assertEqual((times[0], times[-1]), (0, 1))
        self.assertEqual((medians[0], medians[-1]), (10, 4))


class CompareTest(unittest.TestCase):
    def test_tells_unequal_guesses(self):
        run = lambda start, first: {"start": start, "trace": [[0, first], [1, 0]]}
        self.assertTrue(shared_guesses([run(1, 5), run(1, 5), run(2, 6)], "x").holds)
        self.assertFalse(shared_guesses([run(1, 5), run(1, 5.1)], "x").holds)


class TextTest(unittest.TestCase):
    def test_figures(self):
        self.assertEqual([figure(x) for x in (0.12345, 1.2345, 1234.5, 1.26e15, 0.00001)],
                         ["0.123", "1.23", "1,234", "1.26e+15", "1.00e-05"])
        self.assertEqual([seconds(s) for s in (0.0123, 2.5, 1234)], ["12.3 ms", "2.5 s", "1,234 s"])

    def test_tables_are_left_alone(self):
        self.assertEqual(paragraphs("a\n b", "| x |\n|---|"), "a b\n\n| x |\n|---|")


if __name__ == "__main__":
    unittest.main()

"""Text that others wrote (labels, names of columns, file names) on the terminal and in tables; files in the wrong place; writers
that were killed. Needs POLYAD, the path of the command."""

import csv
import json
import os
import pty
import signal
import subprocess
import time
import unittest

from test_cli import POLYAD, Command

# Colour, title, cursor, C1 control, right-to-left override, a line that looks like ours, a bell.
HOSTILE = ["\x1b[31mred", "\x1b]0;title\x07", "\x9b2J", "a\u202eb", "x\npolyad: all is well", "\x7f", "ü東京"]
FORBIDDEN = set(range(0x20)) - {0x0A} | {0x7F} | set(range(0x80, 0xA0)) | {0x202E}


class Terminal(Command):
    def setUp(self):
        super().setUp()
        rows = "".join(f"# quoted label 1 {i + 1}: {json.dumps(text)}\n" for i, text in enumerate(HOSTILE))
        names = f"# quoted mode 1: {json.dumps(HOSTILE[0])}\n# quoted mode 2: {json.dumps(HOSTILE[4])}\n"
        shape = f"# shape: {len(HOSTILE)}x3\n"
        # For older versions, which know no quoted labels: what fits on a line.
        plain = "".join(f"# label 1 {i + 1}: {text}\n" for i, text in enumerate(HOSTILE) if "\n" not in text)
        cells = "".join(f"{i + 1} {j + 1} {i + j + 1}\n" for i in range(len(HOSTILE)) for j in range(2))
        self.write("h.tns", plain + rows + f"# mode 1: {HOSTILE[0]}\n" + names + shape + cells)

    def harmless(self, *arguments, code=0):
        """Output without control characters, on both streams."""
        done = subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, code, done.stderr)
        for stream in (done.stdout, done.stderr):
            found = {ord(c) for c in stream.decode()} & FORBIDDEN
            self.assertEqual(found, set(), f"{arguments}: {stream!r}")
            self.assertNotIn(b"\npolyad: all is well", stream)
        return done

    def test_labels_cannot_write_on_the_terminal(self):
        self.ok("fit", "h.tns", "--rank", 1, "--loss", "poisson", "-o", "m.h5", "-q")
        self.assertIn("ü東京", self.harmless("info", "h.tns").stdout.decode())
        self.harmless("check", "h.tns")
        self.harmless("convert", "h.tns", "h.h5")
        self.harmless("show", "m.h5")
        self.harmless("show", "m.h5", "--json")
        self.harmless("convert", "h.h5", "h.npy", code=2)
        self.harmless("convert", "m.h5", "m.npz", "--save-labels", "l")

    def test_json_keeps_labels_and_harms_nobody(self):
        out = json.loads(self.harmless("info", "h.tns", "--json").stdout)
        self.assertEqual(out["modes"][0]["name"], HOSTILE[0])

    def test_names_of_columns_and_files_and_words_typed(self):
        self.write("t.csv", "a\x1b[2J,b\u009b\nx\x1b[31m,1\n")
        self.harmless("import", "t.csv", "--mode", "c", "-o", "t.h5", code=2)
        self.harmless("import", "t.csv", "--mode", "#1", "--value", "b\u009b", "-o", "t.h5")
        self.harmless("info", "no\x1b[31m.h5", code=5)
        self.harmless("fit", "h.tns", "--rank", "\x1b[31m", code=2)
        self.harmless("fi\x1b[31mt", code=2)

    def test_a_table_on_a_terminal(self):
        self.ok("fit", "h.tns", "--rank", 1, "--loss", "poisson", "-o", "m.h5", "-q")
        piped = subprocess.run([POLYAD, "show", "m.h5", "--csv"], cwd=self.folder, capture_output=True).stdout.decode()
        self.assertIn(HOSTILE[0], piped, "programs get the labels as they are")
        parent, child = pty.openpty()
        process = subprocess.Popen([POLYAD, "show", "m.h5", "--csv"], cwd=self.folder, stdout=child)
        os.close(child)
        seen = b""
        try:
            while part := os.read(parent, 65536):
                seen += part
        except OSError:  # the other end is closed
            pass
        self.assertEqual(process.wait(), 0)
        self.assertEqual({ord(c) for c in seen.decode()} & (FORBIDDEN - {0x0D}), set())


class Spreadsheets(Command):
    LABELS = ["=1+1", "-2", "@sum", "+x", "'=1", "plain", "=cmd|' /C calc'!A0", "-3.5e2"]

    def setUp(self):
        super().setUp()
        labels = "".join(f"# label 1 {i + 1}: {text}\n" for i, text in enumerate(self.LABELS))
        cells = "".join(f"{i + 1} 1 -{i + 1}.5\n" for i in range(len(self.LABELS)))
        self.write("s.tns", f"# mode 1: =name\n{labels}# shape: {len(self.LABELS)}x1\n" + cells)

    def cells(self, name):
        with open(self.path(name), newline="") as f:
            return list(csv.reader(f))

    def expect_text(self, rows):
        for row in rows:
            for cell in row:
                if cell and cell[0] in "=+-@\t\r":
                    float(cell)  # a number, or a failure

    def test_labels_are_not_formulas_and_come_back(self):
        self.ok("convert", "s.tns", "s.csv")
        self.expect_text(self.cells("s.csv"))
        self.ok("import", "s.csv", "--mode", "=name", "--mode", "mode 2", "--value", "value", "--order", "=name=appearance",
                "-o", "back.tns")
        with open(self.path("back.tns")) as f:
            back = [line.split(": ", 1)[1].rstrip("\n") for line in f if line.startswith("# label 1 ")]
        self.assertEqual(back, self.LABELS)
        self.ok("convert", "s.tns", "raw.csv", "--raw")
        self.assertEqual([row[0] for row in self.cells("raw.csv")], ["=name", *self.LABELS])

    def test_models(self):
        self.ok("fit", "s.tns", "--rank", 1, "--loss", "gaussian", "-o", "m.h5", "-q")
        self.ok("convert", "m.h5", "m.csv")
        self.expect_text(self.cells("m.csv"))
        self.write("show.csv", self.ok("show", "m.h5", "--csv"))
        self.expect_text(self.cells("show.csv"))
        self.assertIn("\n1,", self.ok("show", "m.h5", "--csv", "--raw"))
        self.assertIn(",=1+1,", self.ok("show", "m.h5", "--csv", "--raw"))


class Tables(Command):
    def test_an_unclosed_quote_names_its_line(self):
        rows = [f"{i % 7},shop {i % 5}" for i in range(10001)]
        rows[1000] = '3,"shop'
        self.write("q.csv", "a,b\n" + "\n".join(rows) + "\n")
        self.refused(3, ["q.csv:1002: the quote that opens column 2 here is not closed"], "import", "q.csv", "--mode", "a",
                     "--mode", "b", "-o", "q.h5")

    def test_quotes_and_fields_where_they_should_not_be(self):
        for text, words in (("a,b\n1,5\" pipe\n", "t.csv:2: a quote within column 2"),
                            ("a,b\n1,\"x\" y\n", "t.csv:2: 'y' follows the quote"),
                            ("a,b\n1,2\n3\n", "t.csv:3: 1 field, but the header has 2"),
                            ("a,b\n1,2\n3,4,5\n", "t.csv:3: 3 fields, but the header has 2")):
            self.write("t.csv", text)
            self.refused(3, [words], "import", "t.csv", "--mode", "a", "-o", "t.h5")

    def test_columns_of_one_name_and_other_encodings(self):
        self.write("t.csv", "a,b,a\n1,2,3\n")
        self.refused(3, ["columns 1 and 3 are both named 'a'"], "import", "t.csv", "--mode", "a", "-o", "t.h5")
        self.ok("import", "t.csv", "--mode", "a=#3", "-o", "t.h5")
        self.write("l.csv", "st\xe4dte,b\nK\xf6ln,2\n".encode("latin-1"))
        self.refused(3, ["l.csv:1: the name of column 1"], "import", "l.csv", "--mode", "b", "-o", "l.h5")
        self.write("l.csv", "a,b\nK\xf6ln,2\n".encode("latin-1"))
        self.refused(3, ["l.csv:2:", "column 'a' is not UTF-8"], "import", "l.csv", "--mode", "b", "-o", "l.h5")
        self.assertIn("Köln", self.ok("import", "l.csv", "--encoding", "windows-1252", "--mode", "a", "-o", "l.h5"))

    def test_zero_bytes(self):
        self.write("z.csv", b"a,b\nx\0y,1\nx\0z,2\n")
        self.refused(3, ["z.csv:2: a zero byte"], "import", "z.csv", "--mode", "a", "-o", "z.h5")


class Files(Command):
    def test_a_tensor_is_not_a_checkpoint(self):
        self.ok("convert", "counts.tns", "counts.h5")
        self.refused(3, ["counts.h5", "holds a tensor, not a checkpoint"], "fit", "counts.tns", "--rank", 2, "--loss", "poisson",
                     "--resume", "counts.h5")

    def test_a_cut_tns_file_is_refused(self):
        self.ok("convert", "counts.tns", "c.tns")
        with open(self.path("c.tns")) as f:
            whole = f.read()
        for end in range(0, len(whole), 7):
            self.write("cut.tns", whole[:end])
            self.assertEqual(self.run_polyad("info", "cut.tns").returncode, 3, whole[:end][-60:])

    def test_what_a_killed_writer_left_is_gone_after_the_next_write(self):
        self.ok("make", "gaussian", "--shape", "150x150x150", "-o", "big.npy")
        left = []
        for _ in range(5):  # on a busy machine the writer may be done before it is seen
            process = subprocess.Popen([POLYAD, "convert", "-q", "big.npy", "big.tns"], cwd=self.folder)
            deadline = time.monotonic() + 60
            while not left and process.poll() is None and time.monotonic() < deadline:
                left = [n for n in os.listdir(self.folder) if n.endswith(".tmp")]
            process.send_signal(signal.SIGKILL)
            process.wait()
            left = [n for n in os.listdir(self.folder) if n.endswith(".tmp")]
            if left:
                break
            os.remove(self.path("big.tns"))
        self.assertEqual(len(left), 1)
        self.assertNotIn("big.tns", os.listdir(self.folder))
        self.ok("convert", "counts.tns", "counts.npz")
        self.assertEqual([n for n in os.listdir(self.folder) if n.endswith(".tmp")], [])


try:
    import h5py
except ImportError:
    h5py = None


@unittest.skipIf(h5py is None, "needs h5py")
class Attributes(Command):
    def test_a_bad_weight_of_zeros_is_bad_data(self):
        for weight in (-1.0, float("nan"), float("inf")):
            self.ok("convert", "counts.tns", "w.h5")
            with h5py.File(self.path("w.h5"), "r+") as f:
                f["/tensor"].attrs["zero_weight"] = weight
            self.refused(3, ["w.h5", "zero_weight must be finite and at least 0"], "info", "w.h5")

    def test_labels_with_zero_bytes_are_refused(self):
        import numpy as np
        np.savez(self.path("z.npz"), coords=np.array([[0, 1]]), data=[1.0, 2.0], shape=(2,), fill_value=0.0,
                 labels_1=np.array(["a\0b", "a\0c"]))
        self.refused(3, ["zero byte"], "convert", "z.npz", "z.h5")


if __name__ == "__main__":
    unittest.main()

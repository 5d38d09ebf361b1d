"""Files made to do harm: HDF5 that names other files, damage under a checksum that agrees, endless nesting. The command ends with
0 or 3 and one line, soon. Needs POLYAD, the path of the command; exits with 77 (skipped) where numpy, scipy or h5py are not
installed."""

import os
import struct
import subprocess
import time
import unittest
import zlib

from test_peers import POLYAD, Folder, h5py, np

SOON = 90  # seconds: the reader may take 20 of processor time and 60 by the clock


def sealed(content):
    """An HDF5 file with the checksum polyad puts at its end."""
    return content + b"POLYADCK" + struct.pack("<QQ", len(content), zlib.crc32(content))


class Hostile(Folder):
    def run_on(self, name, *command, codes=(0, 3)):
        done = subprocess.run([POLYAD, *(command or ("info",)), name], cwd=self.folder, capture_output=True, text=True,
                              timeout=SOON, errors="replace")
        self.assertIn(done.returncode, codes, f"{name}: {done.stdout}{done.stderr}")
        if done.returncode:
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done

    def refused(self, name, words):
        self.assertIn(words, self.run_on(name, codes=(3,)).stderr)

    def write(self, name, content):
        with open(self.path(name), "wb") as f:
            f.write(content)

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def tensor(self, name, put_values, shape=(3, 4)):
        """polyad's layout by h5py; `put_values(file, group)` makes /tensor/values."""
        with h5py.File(self.path(name), "w") as f:
            f.attrs["format"], f.attrs["version"], f.attrs["kind"] = "polyad", 1, "tensor"
            group = f.create_group("tensor")
            group.attrs["storage"], group.attrs["shape"] = "dense", np.array(shape, dtype="u8")
            put_values(f, group)


class OtherFiles(Hostile):
    def setUp(self):
        super().setUp()
        self.write("secret.bin", np.arange(12.0).tobytes())
        with h5py.File(self.path("secret.h5"), "w") as f:
            f["x"] = np.arange(12.0).reshape(3, 4)

    def variants(self):
        def external_storage(f, group):
            group.create_dataset("values", (3, 4), "<f8", external=[(self.path("secret.bin"), 0, 96)])

        def external_link(f, group):
            group["values"] = h5py.ExternalLink(self.path("secret.h5"), "/x")

        def behind_a_soft_link(f, group):
            f["elsewhere"] = h5py.ExternalLink(self.path("secret.h5"), "/")
            group["values"] = h5py.SoftLink("/elsewhere/x")

        def virtual(f, group):
            layout = h5py.VirtualLayout((3, 4), "<f8")
            layout[:] = h5py.VirtualSource(self.path("secret.h5"), "x", (3, 4))
            group.create_virtual_dataset("values", layout)

        return {"external storage": external_storage, "external link": external_link,
                "behind a soft link": behind_a_soft_link, "virtual": virtual}

    def test_refused_by_name(self):
        for what, put in self.variants().items():
            self.tensor("x.h5", put)
            with self.subTest(what=what):
                self.refused("x.h5", "another file")
                self.write("x.h5", sealed(self.read("x.h5")))
                self.refused("x.h5", "another file")

    def test_in_mat_files(self):
        for what, put in self.variants().items():
            with h5py.File(self.path("x.mat"), "w", userblock_size=512) as f:
                put(f, f.create_group("g"))
            with open(self.path("x.mat"), "r+b") as f:
                f.write(b"MATLAB 7.3 MAT-file, by a test".ljust(124) + b"\x00\x02IM")
            with self.subTest(what=what):
                self.refused("x.mat", "another file")

    def test_a_pipe_behind_it_blocks_nobody(self):
        os.mkfifo(self.path("pipe"))
        self.tensor("x.h5", lambda f, group: group.create_dataset("values", (3, 4), "<f8",
                                                                  external=[(self.path("pipe"), 0, 96)]))
        begin = time.monotonic()
        self.refused("x.h5", "another file")
        self.assertLess(time.monotonic() - begin, 20)

    def test_links_that_go_in_circles(self):
        def circle(f, group):
            group["values"] = h5py.SoftLink("/tensor/other")
            group["other"] = h5py.SoftLink("/tensor/values")
            group["self"] = group
        self.tensor("x.h5", circle)
        self.refused("x.h5", "/tensor/values")

    def test_filters_of_others(self):
        def foreign(f, group):
            create = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            create.set_chunk((3, 4))
            create.set_filter(32015, h5py.h5z.FLAG_OPTIONAL, (3,))
            h5py.h5d.create(group.id, b"values", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((3, 4)), create)
        try:
            self.tensor("x.h5", foreign)
        except (ValueError, RuntimeError) as refused:
            self.skipTest(f"h5py does not write it: {refused}")
        self.refused("x.h5", "filter 32015")


class Labels(Hostile):
    def test_labels_that_differ_behind_a_zero_byte_stay_apart(self):
        """Texts of fixed length are filled up by zeros; those within are their own."""
        for entries, code in (([b"ab", b"a"], 0), ([b"a\x00x", b"a\x00y"], 3)):
            with h5py.File(self.path("x.h5"), "w") as f:
                f.attrs["format"], f.attrs["version"], f.attrs["kind"] = "polyad", 1, "tensor"
                group = f.create_group("tensor")
                group.attrs["storage"], group.attrs["shape"] = "dense", np.array((2, 2), dtype="u8")
                group["values"] = np.arange(4.0).reshape(2, 2)
                f["labels/1/entries"] = np.array(entries)
            done = self.run_on("x.h5", codes=(code,))
            self.assertIn("ab ... a\n" if code == 0 else "zero byte", done.stdout + done.stderr)


class Damage(Hostile):
    def model(self):
        np.save(self.path("x.npy"), np.arange(1.0, 13.0).reshape(3, 4))
        self.polyad("fit", "x.npy", "--rank", 1, "--loss", "gaussian", "--starts", 1, "--epochs", 1, "-o", "m.h5", "-q")
        return self.read("m.h5")[:-24]

    def test_every_byte_of_a_sealed_model(self):
        """POLYAD_EVERY_BYTE=1: really every one; else one of 67, another set for each kind of change."""
        content = self.model()
        step = 1 if os.environ.get("POLYAD_EVERY_BYTE") else 67
        for kind, change in enumerate((lambda b: b ^ 0xFF, lambda b: (b + 1) % 256, lambda b: 0)):
            for at in range(kind, len(content), step):
                changed = bytearray(content)
                changed[at] = change(changed[at])
                self.write("broken.h5", sealed(bytes(changed)))
                self.run_on("broken.h5", "show")

    def test_endless_nesting(self):
        for text in ('{"a":' * 1000000 + "1" + "}" * 1000000, '{"a":' + "[" * 1000000 + "]" * 1000000 + "}"):
            self.model()
            with h5py.File(self.path("m.h5"), "r+") as f:
                for group in ("options", "summary"):
                    del f[group].attrs["json"]
                    f[group].attrs["json"] = text
            self.write("deep.h5", sealed(self.read("m.h5")))
            for command in (("show",), ("report", "-o", "out.html"), ("convert", "--output", "out.npz")):
                done = subprocess.run([POLYAD, command[0], "deep.h5", *command[1:]], cwd=self.folder, capture_output=True,
                                      text=True, timeout=SOON)
                self.assertIn(done.returncode, (2, 3), done.stderr)
            self.assertIn("64 deep", self.run_on("deep.h5", "show", codes=(3,)).stderr)


class Process(Hostile):
    def test_the_reader_is_named_where_it_is_missing(self):
        np.save(self.path("x.npy"), np.ones((2, 2)))
        self.polyad("convert", "x.npy", "x.h5", "-q")
        done = subprocess.run([POLYAD, "info", "x.h5"], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "POLYAD_READER": "/nowhere/polyad-reader"})
        self.assertEqual(done.returncode, 5)
        self.assertIn("POLYAD_READER", done.stderr)

    def test_a_reader_of_another_build_says_so(self):
        reader = os.path.join(os.path.dirname(POLYAD), "polyad-reader")
        done = subprocess.run([reader], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "polyad-reader is started by polyad; it is not for people\n"))
        script = self.path("older")
        with open(script, "w") as f:
            f.write(f'#!/bin/sh\nshift\nexec "{reader}" polyad-reader-0 "$@"\n')
        os.chmod(script, 0o755)
        np.save(self.path("x.npy"), np.ones((2, 2)))
        self.polyad("convert", "x.npy", "x.h5", "-q")
        done = subprocess.run([POLYAD, "info", "x.h5"], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "POLYAD_READER": script})
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("another version", done.stderr)

    def test_nothing_stays_in_memory(self):
        np.save(self.path("x.npy"), np.ones((2, 2)))
        before = set(os.listdir("/dev/shm"))
        for name in ("x.h5", "x.mat"):
            self.polyad("convert", "x.npy", name, "-q")
            self.polyad("info", name)
        left = {name for name in set(os.listdir("/dev/shm")) - before if name.startswith("polyad")}
        self.assertEqual({name for name in left if f"-{os.getpid()}-" in name}, set())


if __name__ == "__main__":
    unittest.main()

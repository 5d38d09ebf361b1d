"""Data in and out as scripts meet them: data larger than memory, files that vanish, full disks, closed pipes, impossible sizes.
Needs POLYAD, the path of the command."""

import array
import gzip
import os
import re
import resource
import signal
import subprocess
import time
import unittest

from test_cli import Command, POLYAD, npy

MB = 1 << 20


def limited(which, amount):
    return lambda: resource.setrlimit(which, (amount, amount))


class Container(Command):
    """Memory is limited as containers and batch systems do it."""

    LIMIT = 200 * MB

    def setUp(self):
        super().setUp()
        for base, limit in ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max"):
            self.group = os.path.join(base, f"polyad-test-{os.getpid()}")
            try:
                os.mkdir(self.group)
            except OSError:
                continue
            self.addCleanup(self.leave)
            try:
                with open(os.path.join(self.group, limit), "r+") as f:
                    f.write(str(self.LIMIT))
                return
            except OSError:
                self.leave()
        self.skipTest("this machine makes no control groups")

    def leave(self):
        try:
            os.rmdir(self.group)
        except OSError:
            pass

    def enter(self):
        with open(os.path.join(self.group, "cgroup.procs"), "w") as f:
            f.write(str(os.getpid()))

    def test_too_large_for_it_is_told_before(self):
        with open(self.path("x.npy"), "wb") as f:  # zeros that take no disk
            f.write(npy([], (3000, 100, 100)))
            f.truncate(f.tell() + 240000000)
        done = subprocess.run([POLYAD, "info", "x.npy"], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              preexec_fn=self.enter)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"needs about 240 MB of memory, (1|2)\d\d MB are available")
        done = subprocess.run([POLYAD, "info", "x.npy", "--memory-map", "always"], cwd=self.folder, capture_output=True,
                              text=True, timeout=60, preexec_fn=self.enter)
        self.assertEqual(done.returncode, 0, done.stderr)


class LargerThanMemory(Command):
    """Not by address space, which mapping does not save, but by data: memory of the process's own."""

    LIMIT = 160 * MB

    def make_dense(self):
        """240 MB of a rank-one tensor, written piece by piece."""
        shape = (3000, 100, 100)
        with open(self.path("x.npy"), "wb") as f:
            f.write(npy([], shape))
            for i in range(shape[0]):
                f.write(array.array("d", [1.0 + (i % 7) * (1 + j % 5) for j in range(shape[1] * shape[2])]).tobytes())

    def run_limited(self, *arguments):
        # OpenBLAS, where it is the system's BLAS, takes 128 MB for each thread of its own when it is loaded.
        return subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                              preexec_fn=limited(resource.RLIMIT_DATA, self.LIMIT))

    def test_a_dense_tensor_is_converted_and_fitted(self):
        self.make_dense()
        done = self.run_limited("convert", "x.npy", "x.h5", "--memory-map", "always")
        self.assertEqual(done.returncode, 0, done.stderr)
        fit = ("fit", "x.h5", "--rank", 2, "--loss", "gamma", "--epochs", 2, "--starts", 2)
        done = self.run_limited(*fit, "--memory-map", "always", "-o", "mapped.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.run_limited(*fit, "--memory-map", "never", "-o", "read.h5")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("not enough memory", done.stderr)
        # Without the limit, reading gives the same bits.
        self.ok(*fit, "--memory-map", "never", "-o", "read.h5")
        for name in "mapped", "read":
            self.ok("convert", f"{name}.h5", f"{name}.npz")
        with open(self.path("mapped.npz"), "rb") as a, open(self.path("read.npz"), "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_a_shortened_file_is_no_crash(self):
        self.write("x.npy", npy([1.0 + i % 3 for i in range(300 * 300 * 4)], (300, 300, 4)))
        self.ok("convert", "x.npy", "x.h5")
        process = subprocess.Popen([POLYAD, "fit", "x.h5", "--rank", "2", "--loss", "gamma", "--epochs", "100000000",
                                    "--memory-map", "always", "--finish", "none", "-o", "m.h5"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.0)
        os.truncate(self.path("x.h5"), 100)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, stderr)
        self.assertIn("became shorter", stderr)
        self.assertFalse(os.path.exists(self.path("m.h5")))


class Trouble(Command):
    def setUp(self):
        super().setUp()
        self.ok("convert", "counts.tns", "x.h5")
        self.ok(*self.quick_fit("counts.tns", "-o", "m.h5"))

    def test_a_closed_pipe_ends_quietly(self):
        for command in ("show m.h5", "losses", "losses --json", "fit --help", "show m.h5 --json"):
            with self.subTest(command):
                script = f'"$POLYAD" {command} | head -c 1; echo "${{PIPESTATUS[0]}}"'
                done = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=60)
                self.assertEqual(done.stderr, "")
                self.assertIn(done.stdout[1:].strip(), ("0", str(128 + signal.SIGPIPE)))

    def full_disk(self):
        """A folder on a disk of 64 kB, or None where none can be mounted."""
        folder = self.path("small")
        os.mkdir(folder)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True)
        if done.returncode != 0:
            return None
        self.addCleanup(subprocess.run, ["umount", folder])
        return folder

    def test_a_full_disk_leaves_the_earlier_file(self):
        self.write("big.tns", "".join(f"{i} {i % 5 + 1} {i * 37 % 991}\n" for i in range(1, 20000)))
        folder = self.full_disk()
        for name in "y.h5", "y.tns", "y.tns.gz", "y.npz", "y.mat", "y.csv", "y.sptensor":
            with self.subTest(name):
                if folder is None:  # a limit on the size of files stands for the disk: the same failing write
                    output, options = name, {"preexec_fn": limited(resource.RLIMIT_FSIZE, 50000)}
                else:
                    output, options = os.path.join("small", name), {}
                self.ok("convert", "counts.tns", output)
                with open(self.path(output), "rb") as f:
                    before = f.read()
                done = subprocess.run([POLYAD, "convert", "big.tns", output], cwd=self.folder, capture_output=True, text=True,
                                      timeout=60, **options)
                self.assertEqual(done.returncode, 5, done.stderr)
                self.assertRegex(done.stderr, rf"polyad: .*{re.escape(output)}.*: (No space left|File too large)")
                with open(self.path(output), "rb") as f:
                    self.assertEqual(f.read(), before)
                os.remove(self.path(output))
                if folder is not None:
                    self.assertEqual(os.listdir(folder), [], "no temporary file stays")

    def test_output_to_a_full_device(self):
        with open("/dev/full", "w") as full:
            for command in (["show", "m.h5"], ["losses"], ["info", "counts.tns"]):
                done = subprocess.run([POLYAD, *command], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 5, done.stderr)
                self.assertIn("No space left", done.stderr)

    def test_a_read_only_folder(self):
        folder = self.path("locked")
        os.mkdir(folder)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", folder], capture_output=True)
        if done.returncode == 0:
            self.addCleanup(subprocess.run, ["umount", folder])
        elif os.geteuid() != 0:
            os.chmod(folder, 0o500)
        else:
            self.skipTest("this machine mounts nothing, and root may write anywhere")
        self.refused(5, ["locked/y.h5"], "convert", "counts.tns", "locked/y.h5")
        self.refused(5, ["locked/m.h5"], *self.quick_fit("counts.tns", "-o", "locked/m.h5"))

    def test_a_vanished_input(self):
        """Gone before it is opened, and while a stream of it is read."""
        self.refused(5, ["gone.tns", "No such file"], "info", "gone.tns")
        fifo = self.path("pipe.tns")
        os.mkfifo(fifo)
        process = subprocess.Popen([POLYAD, "info", "pipe.tns"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        with open(fifo, "w") as f:
            f.write("1 1 1\n2 2")  # the writer goes amid a line
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, stderr)
        self.assertIn("pipe.tns:2", stderr)


class Limits(Command):
    def test_sixteen_modes_and_no_more(self):
        self.write("m16.tns", " ".join(["2"] * 16) + " 1.5\n" + " ".join(["1"] * 16) + " 2\n")
        self.assertIn("mode 16", self.ok("info", "m16.tns"))
        self.ok("convert", "m16.tns", "m16.h5")
        self.ok("fit", "m16.h5", "--rank", 2, "--loss", "gaussian", "--epochs", 1, "--epoch-iterations", 5, "--starts", 1, "-o",
                "m16-model.h5")
        self.write("m17.tns", " ".join(["2"] * 17) + " 1.5\n")
        self.refused(3, ["m17.tns", "16"], "info", "m17.tns")

    def test_shapes_beyond_memory_are_read_and_checked_but_not_fitted(self):
        self.write("wide.tns", "4294967295 1 2.5\n1 2 1\n")
        self.assertIn("4,294,967,295", self.ok("info", "wide.tns"))
        self.ok("check", "wide.tns")
        for name in "wide.h5", "wide.npz", "wide.mat", "wide.sptensor", "again.tns":
            self.ok("convert", "wide.tns", name)
            self.assertIn("4,294,967,295", self.ok("info", name))
        self.refused(3, ["4294967295", "rank 1000", "GB", "available", "lower rank"], "fit", "wide.tns", "--rank", 1000, "--loss",
                     "gaussian", "-o", "m.h5")

    def test_declared_extents_up_to_2_to_the_63(self):
        largest = 2**63 - 1
        self.write("vast.tns", f"# shape: {largest}x3\n1 1 2.5\n4294967295 2 1\n")
        for name in "vast.tns", "vast.h5", "vast.npz", "vast.sptensor", "again.tns":
            if name != "vast.tns":
                self.ok("convert", "vast.tns", name)
            self.assertIn(f"{largest:,}", self.ok("info", name))
            self.ok("check", name)
            self.refused(3, [str(largest), "rank 1", "TB of memory", "available"], "fit", name, "--rank", 1, "--loss", "gaussian",
                         "-o", "m.h5")
        self.refused(2, ["vast.mat", "2^53", ".h5"], "convert", "vast.tns", "vast.mat")
        self.refused(3, ["vast.tns", str(2**63)], "info", self.write("vast.tns", f"# shape: {2**63}x3\n1 1 2.5\n"))
        self.refused(3, ["far.tns:2", "field 1", "index 4294967296", "up to 4294967295"], "info",
                     self.write("far.tns", f"# shape: {largest}x3\n4294967296 1 2.5\n"))
        self.refused(2, ["18446744073709551616x3"], "info", "counts.tns", "--shape", f"{2**64}x3")

    def test_memory_for_a_list_is_estimated_from_its_beginning(self):
        """A compressed file of some megabytes that would take one and a half times the memory there is."""
        with open("/proc/meminfo") as f:
            available = next(int(line.split()[1]) * 1024 for line in f if line.startswith("MemAvailable"))
        if available > 200e9:
            self.skipTest("the file would be too large")
        lines = 1000000
        member = gzip.compress(b"1 1 1\n" * lines)
        with open(self.path("bomb.tns.gz"), "wb") as f:
            for _ in range(int(1.5 * available / (22 * lines))):
                f.write(member)
        began = time.time()
        self.refused(3, ["bomb.tns.gz", "entries needs about", "GB of memory", "are available", "smaller part"], "info",
                     "bomb.tns.gz")
        self.assertLess(time.time() - began, 20, "known from the first lines")

    def test_a_list_shorter_than_announced(self):
        self.write("claims.txt", "sptensor\n2\n10 10\n200000000000\n1 1 1\n")
        self.refused(3, ["claims.txt", "200000000000", "cut short"], "info", "claims.txt")


if __name__ == "__main__":
    unittest.main(verbosity=1)

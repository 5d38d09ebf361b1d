"""Every NumPy value type, byte order and array order in .npy and .npz, and in the sparse layouts of pydata/sparse and scipy:
what polyad reads is what numpy reads, or it is refused. Needs POLYAD; exits with 77 (skipped) without numpy or scipy."""

import itertools
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    import scipy.sparse
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

POLYAD = os.environ["POLYAD"]
READ = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]
REFUSED = ["f2", "g", "c8", "c16", "S3", "U3", "M8[D]", "m8[s]", "O"]


def values(kind):
    """Twelve values, the extremes of the type among them."""
    if kind[0] == "b":
        return np.array([0, 1] * 6).astype(kind)
    if kind[0] in "iu":
        info = np.iinfo(kind)
        # Whole numbers beyond 2^53 have no double of their own; the nearest is what astype gives, too.
        some = [info.min, info.max, 0, 1, 2, 7, info.max // 2, info.max // 3, 100, 101, 3, 5]
        return np.array(some, dtype=kind)
    if kind[0] in "fg":
        info = np.finfo(kind)
        return np.array([info.min, info.max, info.tiny, info.eps, -0.0, 0.1, 1 / 3, 1, -2, 3, 1e4, info.smallest_subnormal],
                        dtype=kind)
    if kind[0] == "c":
        return np.arange(12).astype(kind) * 1j
    return np.arange(12).astype("i8").astype(kind)


def spell(kind, order):
    return kind if kind == "O" else np.dtype(kind).newbyteorder(order)


class ValueTypes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="polyad-types-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def polyad(self, *arguments):
        return subprocess.run([POLYAD, *arguments], cwd=self.folder, capture_output=True, text=True)

    def expect(self, name, wanted):
        """Bit for bit what NumPy's own conversion gives."""
        done = self.polyad("convert", "-q", name, "out.npy")
        self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
        got = np.load(self.path("out.npy"))
        np.testing.assert_array_equal(got.view("u8"), np.ascontiguousarray(wanted.astype("f8")).view("u8"), name)

    def refuse(self, name, words):
        done = self.polyad("convert", "-q", name, "out.npy")
        self.assertEqual(done.returncode, 3, f"{name}: {done.stderr}")
        self.assertIn(words, done.stderr)

    def test_dense(self):
        for kind, order, layout in itertools.product(READ, "<>", "CF"):
            x = values(kind).reshape(2, 3, 2).astype(spell(kind, order), order=layout)
            name = f"{kind}-{order}-{layout}"
            np.save(self.path(f"{name}.npy"), x)
            self.expect(f"{name}.npy", x)
            (np.savez if layout == "C" else np.savez_compressed)(self.path(f"{name}.npz"), x=x)
            self.expect(f"{name}.npz", x)

    def test_dense_of_other_kinds_is_refused(self):
        for kind, order in itertools.product(REFUSED, "<>"):
            x = values(kind).reshape(2, 3, 2).astype(spell(kind, order))
            name = f"{kind.replace('[', '').replace(']', '')}-{order}"
            np.save(self.path(f"{name}.npy"), x, allow_pickle=True)
            self.refuse(f"{name}.npy", "polyad reads f4, f8, integers and booleans")

    def entries(self, name):
        done = self.polyad("convert", "-q", name, "out.npz")
        self.assertEqual(done.returncode, 0, f"{name}: {done.stderr}")
        with np.load(self.path("out.npz")) as z:
            return dict(zip(map(tuple, z["coords"].T.tolist()), z["data"].tolist())), tuple(z["shape"])

    def test_sparse_of_pydata(self):
        cells = np.array([[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]])
        for kind, order, index in itertools.product(READ, "<>", ("i8", "u4", ">i4", "u1")):
            data = values(kind)[:6].astype(spell(kind, order))
            name = f"{kind}-{order}-{index[-2:]}{index[0] == '>'}.npz"
            np.savez(self.path(name), coords=cells.astype(index), data=data, shape=np.array([6, 6]),
                     fill_value=np.zeros((), data.dtype))
            wanted = {(int(i), int(j)): float(v) for i, j, v in zip(*cells, data.astype("f8")) if v != 0}
            self.assertEqual(self.entries(name), (wanted, (6, 6)), name)

    def test_sparse_of_scipy(self):
        for kind, layout in itertools.product(READ, ("coo", "csr", "csc", "bsr", "dia")):
            x = np.zeros((4, 6), dtype=kind)
            x[[0, 1, 2, 3, 3, 0], [0, 1, 2, 3, 5, 4]] = values(kind)[[1, 3, 5, 1, 3, 0]]
            name = f"{kind}-{layout}.npz"
            scipy.sparse.save_npz(self.path(name), getattr(scipy.sparse, f"{layout}_matrix")(x))
            wanted = {(int(i), int(j)): float(x[i, j]) for i, j in zip(*np.nonzero(x))}
            done = self.polyad("info", name)
            if done.returncode == 3:  # a layout that polyad does not read says so
                self.assertIn(layout, done.stderr)
                self.assertIn(layout, ("bsr", "dia"))
                continue
            self.assertEqual(self.entries(name), (wanted, (4, 6)), name)


if __name__ == "__main__":
    unittest.main()

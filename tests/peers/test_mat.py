"""Every value type of .mat files, dense, sparse and complex, in version 5 (plain and compressed) and 7.3, against what scipy and
h5py wrote; and files that are cut short: at every third byte, or with POLYAD_EVERY_BYTE=1 at every one. Needs POLYAD, the path of
the command; exits with 77 (skipped) where numpy, scipy or h5py are not installed."""

import os
import subprocess
import unittest

from test_peers import POLYAD, RNG, Folder, h5py, np, scipy

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "bool"]
MATLAB = {"float32": "single", "float64": "double", "bool": "logical"}


def array(kind, shape=(5, 4)):
    """Values over the type's range that a double holds, about half of them 0."""
    if kind == "bool":
        return RNG.random(shape) < 0.5
    if kind.startswith("float"):
        values = RNG.normal(size=shape).astype(kind)
    else:
        bits = min(53, np.iinfo(kind).bits - (kind[0] == "i"))
        values = RNG.integers(-(2**bits) if kind[0] == "i" else 0, 2**bits, size=shape).astype(kind)
        values[0, 0] = max(np.iinfo(kind).min, -(2**53))
    return np.where(RNG.random(shape) < 0.5, values, 0).astype(kind)


def version_73(path, write):
    """A file as MATLAB lays it out: 512 bytes of its own before the HDF5 file."""
    with h5py.File(path, "w", userblock_size=512) as f:
        write(f)
    with open(path, "r+b") as f:
        f.write(b"MATLAB 7.3 MAT-file, by a test".ljust(124) + b"\x00\x02IM")


def matlab_class(made, kind):
    """As MATLAB writes it: a text of fixed length that ends with a NUL."""
    word = MATLAB.get(str(kind), str(kind)).encode()
    text = h5py.h5t.C_S1.copy()
    text.set_size(len(word))
    text.set_strpad(h5py.h5t.STR_NULLTERM)
    h5py.h5a.create(made.id, b"MATLAB_class", text, h5py.h5s.create(h5py.h5s.SCALAR)).write(np.array(word), mtype=text)


def dense_73(path, x):
    def write(f):
        made = f.create_dataset("X", data=x.T.astype("uint8" if x.dtype == bool else x.dtype))
        matlab_class(made, x.dtype)
        if x.dtype == bool:
            made.attrs["MATLAB_int_decode"] = np.int32(1)
    version_73(path, write)


def sparse_73(path, x):
    csc = scipy.sparse.csc_matrix(x)
    csc.sort_indices()

    def write(f):
        group = f.create_group("X")
        matlab_class(group, x.dtype)
        group.attrs["MATLAB_sparse"] = np.uint64(x.shape[0])
        if x.dtype == bool:
            group.attrs["MATLAB_int_decode"] = np.int32(1)
        group["data"] = csc.data.astype("uint8") if x.dtype == bool else csc.data
        group["ir"] = csc.indices.astype("uint64")
        group["jc"] = csc.indptr.astype("uint64")
    version_73(path, write)


class Types(Folder):
    def check_dense(self, x, where):
        with self.subTest(where=where, kind=str(x.dtype)):
            np.testing.assert_array_equal(self.dense("x.mat"), x.astype(float))

    def check_sparse(self, x, where):
        with self.subTest(where=where, kind=str(x.dtype)):
            wanted = {(int(i), int(j)): float(x[i, j]) for i, j in np.argwhere(x)}
            self.assertEqual(self.sparse("x.mat"), (wanted, x.shape))

    def test_every_type(self):
        for kind in TYPES:
            x = array(kind)
            for packed in (False, True):
                scipy.io.savemat(self.path("x.mat"), {"X": x}, do_compression=packed)
                self.check_dense(x, f"dense, version 5, compressed {packed}")
                scipy.io.savemat(self.path("x.mat"), {"X": scipy.sparse.csc_matrix(x)}, do_compression=packed)
                self.check_sparse(x, f"sparse, version 5, compressed {packed}")
            dense_73(self.path("x.mat"), x)
            self.check_dense(x, "dense, version 7.3")
            sparse_73(self.path("x.mat"), x)
            self.check_sparse(x, "sparse, version 7.3")

    def test_doubles_stored_in_fewer_bytes(self):
        """MATLAB does that: the class says double, the values are of the smallest type that holds them."""
        x = np.array([[0.0, 200.0, 3.0], [1.0, 0.0, 0.0]])
        csc = scipy.sparse.csc_matrix(x)
        for packed in (False, True):
            scipy.io.savemat(self.path("x.mat"), {"X": csc.astype("uint8")}, do_compression=packed)
            self.check_sparse(x, "bytes")

    def test_nothing_but_zeros(self):
        scipy.io.savemat(self.path("x.mat"), {"X": scipy.sparse.csc_matrix((3, 4))})
        self.assertEqual(self.sparse("x.mat"), ({}, (3, 4)))

    def test_big_endian(self):
        """A header, and one array of big-endian 16-bit numbers."""
        def element(kind, data):
            return kind.to_bytes(4, "big") + len(data).to_bytes(4, "big") + data.ljust(-(-len(data) // 8) * 8, b"\0")
        values = np.array([[1, -2, 300]], dtype=">i2")
        inner = (element(6, (10).to_bytes(4, "big") + bytes(4)) + element(5, b"\0\0\0\1\0\0\0\3") + element(1, b"X") +
                 element(3, values.tobytes()))
        with open(self.path("x.mat"), "wb") as f:
            f.write(b"MATLAB 5.0 MAT-file, by a test".ljust(124) + b"\x01\x00MI" + element(14, inner))
        np.testing.assert_array_equal(self.dense("x.mat"), values)

    def test_complex_is_refused(self):
        x = array("float64") + 1j
        for packed in (False, True):
            for value in (x, scipy.sparse.csc_matrix(x)):
                scipy.io.savemat(self.path("x.mat"), {"X": value}, do_compression=packed)
                self.assertIn("real(X)", self.polyad("info", "x.mat", code=3).stderr)

    def test_text_is_refused(self):
        for packed in (False, True):
            scipy.io.savemat(self.path("x.mat"), {"X": "some words"}, do_compression=packed)
            self.assertIn("variable X is text", self.polyad("info", "x.mat", code=3).stderr)


class Truncated(Folder):
    def cut(self, whole, step=1 if os.environ.get("POLYAD_EVERY_BYTE") else 3):
        for length in range(0, len(whole), step):
            with open(self.path("cut.mat"), "wb") as f:
                f.write(whole[:length])
            done = subprocess.run([POLYAD, "info", "cut.mat"], cwd=self.folder, capture_output=True, text=True, timeout=60)
            if done.returncode != 3:
                self.fail(f"{length} of {len(whole)} bytes: exit {done.returncode}\n{done.stdout}{done.stderr}")

    def whole(self, value, packed):
        scipy.io.savemat(self.path("x.mat"), {"X": value}, do_compression=packed)
        self.polyad("info", "x.mat")
        with open(self.path("x.mat"), "rb") as f:
            return f.read()

    def test_dense(self):
        self.cut(self.whole(np.arange(1.0, 13.0).reshape(3, 4), False))
        self.cut(self.whole(np.arange(1, 13, dtype="int8").reshape(3, 4), True))

    def test_sparse(self):
        self.cut(self.whole(scipy.sparse.csc_matrix(array("float64", (3, 4))), False))
        self.cut(self.whole(scipy.sparse.csc_matrix(array("uint16", (3, 4))), True))

    def test_struct(self):
        value = {"subs": np.array([[1.0, 1.0, 2.0], [3.0, 4.0, 1.0]]), "vals": np.array([[2.0], [5.0]]), "size": [3.0, 4.0, 2.0]}
        self.cut(self.whole(value, False))
        self.cut(self.whole(value, True))

    def test_version_73(self):
        dense_73(self.path("x.mat"), array("float64"))
        with open(self.path("x.mat"), "rb") as f:
            self.cut(f.read(), step=31)


if __name__ == "__main__":
    unittest.main()

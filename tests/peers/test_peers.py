"""Files by other people's tools are read, and polyad's files are read by them: numpy, scipy, h5py, and Octave where there is
one. Needs POLYAD, the path of the command; exits with 77 (skipped) where numpy, scipy or h5py are not installed."""

import csv
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

try:
    import h5py
    import numpy as np
    import scipy.io
    import scipy.sparse
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

POLYAD = os.environ["POLYAD"]
DATA = os.environ.get("POLYAD_DATA", "")
RNG = np.random.default_rng(5)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="polyad-peers-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def polyad(self, *arguments, code=0):
        done = subprocess.run([POLYAD, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def dense(self, name, *options):
        """What polyad makes of a file, as an array."""
        self.polyad("convert", name, "out.npy", "-q", *options)
        return np.load(self.path("out.npy"))

    def sparse(self, name, *options):
        """Entries of a sparse tensor, as a dictionary, and its shape."""
        self.polyad("convert", name, "out.npz", "-q", *options)
        with np.load(self.path("out.npz")) as z:
            return dict(zip(map(tuple, z["coords"].T.tolist()), z["data"])), tuple(z["shape"])


class Peers(Folder):
    def test_npz(self):
        x = RNG.normal(size=(3, 4, 2))
        np.savez(self.path("one.npz"), x)
        np.savez_compressed(self.path("packed.npz"), tensor=np.asfortranarray(x))
        np.savez(self.path("two.npz"), a=x, b=2 * x)
        np.testing.assert_array_equal(self.dense("one.npz"), x)
        np.testing.assert_array_equal(self.dense("packed.npz"), x)
        np.testing.assert_array_equal(self.dense("two.npz", "--variable", "b"), 2 * x)
        self.assertIn("--variable", self.polyad("info", "two.npz", code=3).stderr)

    def test_npz_sparse(self):
        coords = np.array([[0, 2, 1], [1, 3, 0], [0, 1, 1]])
        data = np.array([1.5, -2.0, 3e-300])
        wanted = ({tuple(c): v for c, v in zip(coords.T.tolist(), data)}, (3, 4, 2))
        np.savez_compressed(self.path("pydata.npz"), data=data, coords=coords.astype(np.uint8), shape=(3, 4, 2), fill_value=0.0)
        self.assertEqual(self.sparse("pydata.npz"), wanted)
        np.savez(self.path("subs.npz"), subs=coords.T, vals=data, shape=np.array([3, 4, 2]))
        self.assertEqual(self.sparse("subs.npz"), wanted)
        np.savez(self.path("fill.npz"), data=data, coords=coords, shape=(3, 4, 2), fill_value=1.0)
        self.assertIn("fill_value", self.polyad("info", "fill.npz", code=3).stderr)

    def test_scipy_sparse(self):
        x = scipy.sparse.random(7, 5, 0.4, random_state=1)
        wanted = {(int(i), int(j)): v for i, j, v in zip(x.row, x.col, x.data)}
        for kind in ("coo", "csr", "csc"):
            scipy.sparse.save_npz(self.path(f"{kind}.npz"), x.asformat(kind), compressed=kind == "csr")
            self.assertEqual(self.sparse(f"{kind}.npz"), (wanted, (7, 5)))
        scipy.io.savemat(self.path("sparse.mat"), {"S": x.tocsc()})
        self.assertEqual(self.sparse("sparse.mat"), (wanted, (7, 5)))

    def test_mat_version_5(self):
        x = RNG.normal(size=(3, 4, 2))
        x[0, 1, 1] = np.nan
        for packed in (False, True):
            scipy.io.savemat(self.path("x.mat"), {"X": x}, do_compression=packed)
            np.testing.assert_array_equal(self.dense("x.mat"), x)
        scipy.io.savemat(self.path("i.mat"), {"X": np.arange(24, dtype=np.int16).reshape(2, 3, 4)})
        np.testing.assert_array_equal(self.dense("i.mat"), np.arange(24.0).reshape(2, 3, 4))
        scipy.io.savemat(self.path("c.mat"), {"X": x + 1j})
        self.assertIn("complex", self.polyad("info", "c.mat", code=3).stderr)
        scipy.io.savemat(self.path("two.mat"), {"X": x, "Y": x + 1})
        self.assertIn("--variable", self.polyad("info", "two.mat", code=3).stderr)
        np.testing.assert_array_equal(self.dense("two.mat", "--variable", "Y"), x + 1)

    def test_mat_structs(self):
        subs = np.array([[1, 1, 2], [3, 4, 1]], dtype=float)
        scipy.io.savemat(self.path("s.mat"), {"X": {"subs": subs, "vals": np.array([[2.0], [5.0]]), "size": [3.0, 4.0, 2.0]}})
        self.assertEqual(self.sparse("s.mat"), ({(0, 0, 1): 2.0, (2, 3, 0): 5.0}, (3, 4, 2)))
        x = RNG.normal(size=(3, 4, 2))
        scipy.io.savemat(self.path("t.mat"), {"X": {"data": x, "size": [3.0, 4.0, 2.0]}})
        np.testing.assert_array_equal(self.dense("t.mat"), x)
        factors = np.empty((3, 1), dtype=object)
        factors[:, 0] = [RNG.normal(size=(n, 2)) for n in (3, 4, 5)]
        scipy.io.savemat(self.path("k.mat"), {"M": {"lambda": np.array([[2.0], [1.0]]), "u": factors}})
        self.polyad("convert", "k.mat", "k.npz")
        with np.load(self.path("k.npz")) as z:
            np.testing.assert_array_equal(z["weights"], [2.0, 1.0])
            for k in range(3):
                np.testing.assert_array_equal(z[f"factor_{k + 1}"], factors[k, 0])

    def test_mat_objects_are_refused_with_the_way_out(self):
        # An object of a class, as version 5 stores it: class 3, name of the class, then the fields of a struct.
        def element(kind, data):
            return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)
        field = element(14, element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", 1, 1)) + element(1, b"") +
                        element(9, struct.pack("<d", 1.0)))
        body = (element(6, struct.pack("<II", 3, 0)) + element(5, struct.pack("<ii", 1, 1)) + element(1, b"X") +
                element(1, b"tensor") + struct.pack("<HHI", 5, 4, 32) + element(1, b"data".ljust(32, b"\0")) + field)
        header = b"MATLAB 5.0 MAT-file, made by hand".ljust(116) + b"\0" * 8 + struct.pack("<H", 0x0100) + b"IM"
        with open(self.path("o.mat"), "wb") as f:
            f.write(header + element(14, body))
        errors = self.polyad("info", "o.mat", code=3).stderr
        self.assertIn("S = struct(X)", errors)

    def test_mat_version_73(self):
        x = RNG.normal(size=(3, 4, 2))
        with h5py.File(self.path("v73.mat"), "w", userblock_size=512) as f:
            d = f.create_dataset("X", data=x.T)
            text = h5py.h5t.C_S1.copy()  # as MATLAB writes it
            text.set_size(6)
            text.set_strpad(h5py.h5t.STR_NULLTERM)
            h5py.h5a.create(d.id, b"MATLAB_class", text, h5py.h5s.create(h5py.h5s.SCALAR)).write(np.array(b"double"), mtype=text)
        with open(self.path("v73.mat"), "r+b") as f:
            f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + b"\0" * 8 + struct.pack("<H", 0x0200) + b"IM")
        np.testing.assert_array_equal(self.dense("v73.mat"), x)

    def test_polyad_mat_files(self):
        x = RNG.poisson(0.5, size=(3, 4, 2)).astype(float)
        np.save(self.path("x.npy"), x)
        self.polyad("convert", "x.npy", "x.mat", "--mode-names", "day,hour,ärea")
        back = scipy.io.loadmat(self.path("x.mat"), simplify_cells=True, uint16_codec="utf-16")["X"]
        np.testing.assert_array_equal(back["data"], x)
        self.assertEqual(list(back["mode_names"]), ["day", "hour", "ärea"])
        self.polyad("convert", "x.npy", "x73.mat", "--mat-version", "7.3")
        with h5py.File(self.path("x73.mat")) as f:
            np.testing.assert_array_equal(f["X/data"][()].T, x)

    def test_polyad_npz_files(self):
        self.polyad("make", "city", "--total", 2000, "-o", "city.h5", "--truth", "truth.h5")
        self.polyad("convert", "city.h5", "city.npz")
        self.polyad("convert", "city.npz", "again.h5")
        with np.load(self.path("city.npz")) as z:
            self.assertEqual(z["fill_value"][()], 0)
            self.assertEqual(z["coords"].shape, (4, z["data"].size))
            self.assertEqual(len(z["labels_2"]), 24)
            self.assertEqual(str(z["mode_names"][1]), "hour")
        with open(self.path("city.h5"), "rb") as a, open(self.path("again.h5"), "rb") as b:
            self.assertEqual(a.read(), b.read())
        self.polyad("convert", "truth.h5", "truth.csv")
        with open(self.path("truth.csv"), newline="") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual(rows[0]["mode"], "weights")
        with h5py.File(self.path("truth.h5")) as f:
            hours = f["model/factors/2"][()]
        table = [[float(row[f"component {j + 1}"]) for j in range(hours.shape[1])] for row in rows if row["mode"] == "hour"]
        np.testing.assert_array_equal(table, hours)

    def test_h5py_can_edit_polyads_files(self):
        self.polyad("make", "city", "--total", 2000, "-o", "city.h5")
        with h5py.File(self.path("city.h5"), "r+") as f:
            f["labels/1"].attrs["name"] = "date"
        facts = json.loads(self.polyad("info", "city.h5", "--json").stdout)
        self.assertEqual(facts["modes"][0]["name"], "date")
        # What polyad knew of the values does not outlive a change of them.
        with h5py.File(self.path("city.h5"), "r+") as f:
            entries = f["tensor/entries"][()]
            entries["value"][3] = 12345
            f["tensor/entries"][...] = entries
        facts = json.loads(self.polyad("info", "city.h5", "--json").stdout)
        self.assertEqual(facts["greatest"], 12345)

    def test_sparse_tensors_by_h5py(self):
        def write(name, entries=None, **columns):
            with h5py.File(self.path(name), "w") as f:
                f.attrs["format"], f.attrs["version"], f.attrs["kind"] = "polyad", 1, "tensor"
                t = f.create_group("tensor")
                t.attrs["storage"], t.attrs["shape"] = "sparse", [3, 2**40]
                if entries is not None:
                    t["entries"] = entries
                for column, values in columns.items():
                    t[column.replace("_", "/")] = values

        wanted = ({(0, 1): 2.0, (2, 4294967294): 5.0}, (3, 2**40))
        rows = [(0, 1, 2.0), (2, 4294967294, 5.0)]
        write("table.h5", np.array(rows, dtype=[("i1", "<u4"), ("i2", "<u4"), ("value", "<f4")]))
        self.assertEqual(self.sparse("table.h5"), wanted)
        write("columns.h5", indices_1=np.array([0, 2], "i8"), indices_2=np.array([1, 4294967294], "i8"), values=[2.0, 5.0])
        self.assertEqual(self.sparse("columns.h5"), wanted)
        write("wide.h5", np.array(rows, dtype=[("i1", "<u4"), ("i2", "<i8"), ("value", "<f8")]))
        self.assertIn("column i2 of unsigned 32-bit", self.polyad("info", "wide.h5", code=3).stderr)
        write("far.h5", indices_1=[0, 2], indices_2=[1, 2**33], values=[2.0, 5.0])
        self.assertIn("index 8589934592 at position 1", self.polyad("info", "far.h5", code=3).stderr)

    def test_check_and_fix(self):
        with open(self.path("bad.tns"), "w") as f:
            f.write("1 1 3\n2 3 0\n1 1 4\n2 2 nan\n")
        found = json.loads(self.polyad("check", "bad.tns", "--json", code=3).stdout)["findings"]
        self.assertEqual({f["kind"]: f["count"] for f in found if f["fixable"]}, {"duplicates": 1, "explicit-zeros": 1, "not-finite": 1})
        self.polyad("check", "bad.tns", "--fix", "good.npz")
        self.assertEqual(self.sparse("good.npz")[0], {(0, 0): 7.0})
        self.polyad("check", "good.npz")

    def test_files_that_octave_wrote(self):
        """They lie here (octave/make.m made them), because Octave is large."""
        octave = lambda name: os.path.join(os.path.dirname(os.path.abspath(__file__)), "octave", name)
        x = np.arange(1.0, 25).reshape((2, 3, 4), order="F")
        with_nan = x / 8
        with_nan[1, 0, 2] = np.nan
        np.testing.assert_array_equal(self.dense(octave("dense-v7.mat")), with_nan)
        np.testing.assert_array_equal(self.dense(octave("dense-v6.mat")), with_nan)
        np.testing.assert_array_equal(self.dense(octave("int16.mat")), x - 12)
        np.testing.assert_array_equal(self.dense(octave("tensor.mat")), x)
        self.assertEqual(self.sparse(octave("sparse-matrix.mat")), ({(0, 1): 1.5, (2, 0): -2.0, (2, 3): 1e-300}, (3, 5)))
        self.assertEqual(self.sparse(octave("sptensor.mat")), ({(0, 0, 1): 2.0, (2, 3, 0): 5.0}, (3, 4, 2)))
        modes = json.loads(self.polyad("info", octave("sptensor.mat"), "--json").stdout)["modes"]
        self.assertEqual([mode["name"] for mode in modes], ["day", "Straße", "hour"])
        with np.load(self.path("out.npz")) as z:
            self.assertEqual(list(z["labels_3"]), ["00:00", "01:00"])
        self.polyad("convert", octave("ktensor.mat"), "k.npz")
        with np.load(self.path("k.npz")) as z:
            np.testing.assert_array_equal(z["weights"], [2, 0.5])
            np.testing.assert_array_equal(z["factor_2"], [[5, 6], [7, 8], [9, 10]])
            np.testing.assert_array_equal(z["factor_3"], [[0.25, -1], [1e300, 1e-300]])
        self.assertIn("polyad show", self.polyad("info", octave("ktensor.mat"), code=3).stderr)
        self.assertIn("save -v7", self.polyad("info", octave("text.mat"), code=3).stderr)
        self.assertIn("another program", self.polyad("info", octave("hdf5.mat"), code=3).stderr)

    @unittest.skipUnless(shutil.which("octave-cli"), "Octave is not installed")
    def test_octave(self):
        script = "X = reshape(1:24, 2, 3, 4); save('-v7', 'v7.mat', 'X'); save('-v6', 'v6.mat', 'X');" \
                 "S.subs = [1 1 2; 3 4 1]; S.vals = [2; 5]; S.size = [3 4 2]; save('-v7', 's.mat', 'S')"
        subprocess.run(["octave-cli", "--eval", script], cwd=self.folder, check=True)
        for name in ("v7.mat", "v6.mat"):
            np.testing.assert_array_equal(self.dense(name), np.arange(1.0, 25).reshape((2, 3, 4), order="F"))
        self.assertEqual(self.sparse("s.mat"), ({(0, 0, 1): 2.0, (2, 3, 0): 5.0}, (3, 4, 2)))
        self.polyad("convert", "s.mat", "p.mat")
        subprocess.run(["octave-cli", "--eval", "load p.mat; assert(X.vals', [2 5]); assert(X.subs, [1 1 2; 3 4 1])"],
                       cwd=self.folder, check=True)


class RealTable(Folder):
    def test_a_month_of_crimes(self):
        path = os.path.join(DATA, "chicago/crimes-2017-07.csv.gz")
        if not DATA or not os.path.exists(path):
            self.skipTest("POLYAD_DATA does not name a folder with the table")
        out = json.loads(self.polyad("import", path, "--mode", "day=Date:day", "--mode", "hour=Date:hour", "--mode",
                                     "area=Community Area", "--mode", "type=Primary Type", "-o", "c.npz", "--json").stdout)
        wanted, rows, empty = Counter(), 0, 0
        with gzip.open(path, "rt", newline="") as f:
            for row in csv.DictReader(f):
                rows += 1
                if not row["Community Area"] or not row["Primary Type"] or not row["Date"]:
                    empty += 1
                    continue
                date, clock, half = row["Date"].split()
                month, day, year = date.split("/")
                hour = int(clock[:2]) % 12 + (12 if half == "PM" else 0)
                wanted[f"{year}-{month}-{day}", f"{hour:02}:00", row["Community Area"], row["Primary Type"]] += 1
        self.assertEqual((out["rows"], out["used"]), (rows, rows - empty))
        with np.load(self.path("c.npz")) as z:
            labels = [z[f"labels_{k}"] for k in (1, 2, 3, 4)]
            found = {tuple(str(labels[k][c[k]]) for k in range(4)): v for c, v in zip(z["coords"].T, z["data"])}
        self.assertEqual(found, dict(wanted))
        self.assertEqual(list(labels[0]), sorted(labels[0]))
        self.assertEqual([int(a) for a in labels[2]], sorted(int(a) for a in labels[2]))


if __name__ == "__main__":
    unittest.main(verbosity=1)

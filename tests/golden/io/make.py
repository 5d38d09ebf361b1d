#!/usr/bin/python3
"""Writes the fixtures in this folder with numpy and h5py, the programs polyad must agree with. Run it in this folder.

Every array holds, at index (i, j, k) counted from 0, the value 100 i + 10 j + k, or what its name says.
"""
import h5py
import numpy as np

cells = np.fromfunction(lambda i, j, k: 100 * i + 10 * j + k, (2, 3, 4))
for dtype in ["<f4", ">f4", "<f8", ">f8", "i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8",
              "u1", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8"]:
    name = dtype.replace("<", "le_").replace(">", "be_")
    array = (cells % 100 if dtype == "i1" else cells).astype(dtype)
    np.save(f"{name}.npy", array if dtype[0] == ">" else np.asfortranarray(array))
np.save("bool.npy", cells % 2 == 1)
np.save("one_mode.npy", np.array([1.5, np.nan, -2.0]))
np.save("number.npy", np.array(1.5))
np.save("complex.npy", np.array([1j]))
np.save("objects.npy", np.array([None], dtype=object), allow_pickle=True)
np.save("records.npy", np.zeros(2, dtype=[("a", "f8"), ("b", "i4")]))
np.save("texts.npy", np.array(["a", "b"]))
np.save("half.npy", np.array([1.0], dtype="f2"))
np.save("infinite.npy", np.array([[1.0, 2.0], [3.0, np.inf]]))
np.save("empty.npy", np.zeros((3, 0, 2)))
with open("version2.npy", "wb") as out:
    np.lib.format.write_array(out, cells, version=(2, 0))
with open("version3.npy", "wb") as out:
    np.lib.format.write_array(out, cells, version=(3, 0))


def root(name, kind):
    out = h5py.File(name, "w")
    out.attrs["format"] = "polyad"
    out.attrs["version"] = 1
    out.attrs["kind"] = kind
    return out


# As a person would write them by docs/formats.md: int64 indices, float32 values, labels as h5py makes them.
with root("sparse.h5", "tensor") as out:
    tensor = out.create_group("tensor")
    tensor.attrs["storage"] = "sparse"
    tensor.attrs["shape"] = [3, 4]
    tensor["indices/1"] = np.array([0, 2, 2])
    tensor["indices/2"] = np.array([3, 0, 1])
    tensor["values"] = np.array([1.5, 2, -3], dtype="f4")
    labels = out.create_group("labels/1")
    labels.attrs["name"] = "day"
    labels["entries"] = ["Mo", "Di", "Mi\u00dfttwoch"]
with root("dense.h5", "tensor") as out:
    tensor = out.create_group("tensor")
    tensor.attrs["storage"] = np.bytes_("dense")
    tensor.attrs["shape"] = np.array([2, 3, 4], dtype="i4")
    tensor.create_dataset("values", data=cells.astype(">i2"), chunks=(1, 3, 4), compression="gzip")
    labels = out.create_group("labels/2")
    labels["entries"] = np.array([b"a", b"bcd", b"ef"])
with root("model.h5", "model") as out:
    out["model/weights"] = np.array([2.0, 3.0])
    out["model/factors/1"] = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    out["model/factors/2"] = np.array([[7, 8], [9, 10]])
with h5py.File("foreign.h5", "w") as out:
    out["x"] = np.arange(3)

#!/usr/bin/python3
"""Small sound files for the fuzzers to start from: make_seeds.py FOLDER POLYAD. Made again for each run (by the command, numpy,
scipy and h5py); inputs that once broke something lie in findings/ and stay."""

import gzip
import os
import subprocess
import sys

import h5py
import numpy as np
import scipy.io
import scipy.sparse

folder, polyad = sys.argv[1:]
TNS = "# base: 1\n# shape: 4x5x6\n# mode 1: day\n# label 2 1: x\n1 2 3 4.5\n4 5 6 1e3\n"


def put(reader, name, content):
    path = os.path.join(folder, reader, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())
    return path


def path_in(reader, name):
    return put(reader, name, b"")


put("tns", "plain", TNS)
put("tns", "header", "3\n4 5 6\n2\n1 2 3 4.5\n4 5 6 1\r\n")
put("tns", "extents", "4 5 6\n1 2 3 4.5\n4 5 6 nan\n")
put("packed", "gz", gzip.compress(TNS.encode()))
text = put("tns", "unlisted", "# unlisted: missing\n0 0 1\n3 2 0\n")
subprocess.run([polyad, "convert", "-q", text, path_in("packed", "zst.tns.zst")], check=True)
put("toolbox", "tensor", "tensor\n2\n2 2\n1\n2\nNaN\n4\n")
put("toolbox", "sptensor", "sptensor\n2\n4 5\n2\n1 2 3.5\n4 5 1\n")
put("toolbox", "matrix", "matrix\n2\n2 2\n1 2\n3 4\n")
put("toolbox", "ktensor", "ktensor\n2\n2 1\n2\n1 2\nmatrix\n2\n2 2\n1 2\n3 4\nmatrix\n2\n1 2\n5 6\n")
put("cells", "cells", "1 2 3\n4 5 4000000000\n")
put("cells", "weights", "1 2 3 0.5\n")
put("labels", "labels", "Köln\n東京\n")
put("table", "comma", "a,b,c\nx,2020-01-31 07:30,1.5\n\"y, \"\"z\"\"\",2020-02-01 08:00,-3\n,,\n")
put("table", "semicolon", "a;b;c\nx;31.01.2020;1\n")
put("timestamp", "iso", "2017-07-01T23:59:60.123+02:00")
put("timestamp", "us", "07/01/2017 12:05:00 PM")
put("timestamp", "name", "3 March 2000")
x = np.arange(12.0).reshape(2, 3, 2)
np.save(path_in("npy", "f8.npy"), x)
np.save(path_in("npy", "i2.npy"), np.asfortranarray(x.astype(">i2")))
np.savez_compressed(path_in("npz", "dense.npz"), x=x, mode_names=["a", "b", "ü"], labels_1=["p", "q"])
np.savez(path_in("npz", "coo.npz"), coords=np.array([[0, 1], [2, 0]]), data=[1.0, 2], shape=(2, 3), fill_value=0.0)
np.savez(path_in("npz", "subs.npz"), subs=np.array([[0, 1], [2, 0]]), vals=[1.0, 2], shape=(3, 3))
np.savez(path_in("npz", "model.npz"), weights=[1.0, 2], factor_1=np.ones((2, 2)), factor_2=np.ones((3, 2)))
scipy.sparse.save_npz(path_in("npz", "csr.npz"), scipy.sparse.random(4, 3, 0.5, format="csr", random_state=1))
scipy.io.savemat(path_in("mat", "array.mat"), {"X": x})
scipy.io.savemat(path_in("mat", "packed.mat"), {"X": {"subs": [[1.0, 2], [2, 1]], "vals": [1.0, 2], "size": [2.0, 2]}},
                 do_compression=True)
scipy.io.savemat(path_in("mat", "sparse.mat"), {"S": scipy.sparse.random(4, 3, 0.5, format="csc", random_state=1)})
cell = np.empty(2, dtype=object)
cell[:] = [np.ones((2, 2)), np.ones((3, 2))]
scipy.io.savemat(path_in("mat", "model.mat"), {"M": {"lambda": [1.0, 2], "u": cell}})
subprocess.run([polyad, "convert", "-q", text, path_in("mat", "v73.mat"), "--mat-version", "7.3"], check=True)
put("geojson", "map", '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Loop","id":7},'
    '"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}')
put("geojson", "point", '{"type":"Feature","properties":{"id":12},"geometry":{"type":"Point","coordinates":[-87.6,41.9]}}')
put("loss", "huber", "huber:delta=0.5")
put("loss", "beta", "beta:beta=0.5,epsilon=1e-10")
put("stratum", "range", "nonzeros 1..5 in 1-2,*,7 : 100")
put("stratum", "zeros", "zeros:50%")
put("options", "fit", "sampler=stratified\nsamples=1000\nrate=1e-3\nepochs=auto\nbeta1=0.9\n")
put("options", "import", "mode=a=b:day\nbad-rows=skip\nencoding=windows-1252\n")
# Sealed by the harness, after the damage; without the checksums that polyad wrote.
subprocess.run([polyad, "fit", "-q", text, "--rank", "1", "--epochs", "1", "--epoch-iterations", "1", "--starts", "1", "--loss",
                "gaussian", "-o", os.path.join(folder, "model.h5"), "--checkpoint", path_in("checkpoint", "c.h5")], check=True)
# As h5py leaves polyad's files: without the checksum, which would refuse every change.
for name, source in (("sparse", text), ("dense", os.path.join(folder, "npy", "f8.npy")),
                     ("model", os.path.join(folder, "npz", "model.npz"))):
    path = path_in("hdf5", f"{name}.h5")
    subprocess.run([polyad, "convert", "-q", source, path], check=True)
    with h5py.File(path, "r+") as f:
        f.attrs["edited"] = 1
    with open(path, "rb") as f:
        put("sealed", f"{name}.h5", f.read())
for name in ("c.h5",):
    path = os.path.join(folder, "checkpoint", name)
    with open(path, "rb") as f:
        content = f.read()
    with open(path, "wb") as f:
        f.write(content[:-24])

"""The same models, bit for bit: fits over all methods, samplers, losses, precisions, weights, masks, finishes and resumes are
compared with digests of the models that an earlier version found. A change that is not meant to change numbers leaves
digests.json alone; one that is meant to records the fits it concerns again and says why in its commit:

    python3 tests/cli/test_digests.py --record PROGRAM [NAME...]     (all fits, or those whose name contains one of these)

Almost all fits name every option, so that a new default does not touch them. Plain kernels (POLYAD_SIMD=scalar) and plain
library functions are used, so that the digests do not depend on the CPU. Needs POLYAD, the path of the command.
"""

import concurrent.futures
import hashlib
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

STORE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "digests.json")
SHAPE = (14, 11, 9)

START = "--starts 1 --seed 3 --threads 1 --init uniform --init-norm 40"
SGD = f"{START} --method gcp-sgd --finish none --epochs 3 --epoch-iterations 50 --samples 120 --parts 1 --estimate-samples 600"
ADAM = "--optimizer adam --adam-form paper --beta1 0.9 --beta2 0.99 --epsilon 1e-8"
COSINE = "--schedule cosine --rate 0.01 --final-rate 1e-5"
PLAIN = f"{SGD} {ADAM} {COSINE}"
PLAIN_WITHOUT_PARTS = PLAIN.replace(" --parts 1", "")
FULL = f"{START} --method gcp-full --iterations 8 --tolerance 1e-9 --lbfgsb-pairs 5"
ALS = f"{START} --method cp-als --iterations 8 --tolerance 1e-9"
APR = f"{START} --method cp-apr --iterations 4 --apr-inner 5 --kkt-tolerance 1e-4"
FOLLOW = "--sampler importance --importance-refresh 20 --importance-uniform 0.2"
CORRECTED = "--sampler stratified --nonzero-samples 60"

# name: data, rank, loss, options
FITS = {
    # samplers
    "uniform, dense": ("real.npy", 3, "gaussian", f"{PLAIN} --sampler uniform"),
    "uniform, sparse": ("counts.tns", 3, "poisson", f"{PLAIN} --sampler uniform"),
    "stratified": ("counts.tns", 3, "poisson", f"{PLAIN} {CORRECTED}"),
    "stratified, four parts, two threads": ("counts.tns", 3, "poisson", f"{PLAIN} {CORRECTED} --parts 4 --threads 2"),
    "semi-stratified": ("counts.tns", 3, "poisson", f"{PLAIN} --sampler semi-stratified --nonzero-samples 60"),
    "exact-zeros": ("counts.tns", 3, "poisson", f"{PLAIN} --sampler exact-zeros"),
    "importance, zeros drawn": ("yes.tns", 3, "bernoulli-odds", f"{PLAIN} {FOLLOW} --importance-zeros drawn --importance-adaptive true"),
    "importance, zeros summed": ("counts.tns", 3, "poisson", f"{PLAIN} {FOLLOW} --importance-zeros exact --importance-adaptive false"),
    "importance, dense": ("positive.npy", 3, "gamma", f"{PLAIN} {FOLLOW} --importance-adaptive false"),
    "strata": ("counts.tns", 3, "poisson", f"{PLAIN_WITHOUT_PARTS} --sampler strata --stratum nonzeros:values=1..2 --stratum nonzeros:values=3..inf --stratum zeros:samples=50"),
    "exhaustive": ("counts.tns", 2, "poisson", f"{START} --method gcp-sgd --finish none --epochs 2 --epoch-iterations 10 --estimate-samples 600 {ADAM} {COSINE} --sampler exhaustive"),
    # losses
    "loss gaussian": ("counts.tns", 3, "gaussian", f"{PLAIN} --sampler exact-zeros"),
    "loss bernoulli-odds": ("yes.tns", 3, "bernoulli-odds", f"{PLAIN} {CORRECTED}"),
    "loss bernoulli-logit": ("yes.tns", 3, "bernoulli-logit", f"{PLAIN} {CORRECTED} --init normal"),
    "loss poisson-log": ("counts.tns", 2, "poisson-log", f"{PLAIN} {CORRECTED} --init-norm 5"),
    "loss zero-truncated-poisson": ("positive-counts.npy", 3, "zero-truncated-poisson", f"{PLAIN} --sampler uniform"),
    "loss gamma": ("positive.npy", 3, "gamma", f"{PLAIN} --sampler uniform"),
    "loss rayleigh": ("positive.npy", 3, "rayleigh", f"{PLAIN} --sampler uniform"),
    "loss huber": ("real.npy", 3, "huber:delta=0.5", f"{PLAIN} --sampler uniform"),
    "loss negative-binomial": ("counts.tns", 3, "negative-binomial", f"{PLAIN} {CORRECTED}"),
    "loss beta-divergence": ("positive.npy", 3, "beta-divergence", f"{PLAIN} --sampler uniform"),
    # update rules, schedules, precision
    "amsgrad": ("counts.tns", 3, "poisson", f"{SGD} {COSINE} {CORRECTED} --optimizer amsgrad --adam-form paper --beta1 0.8 --beta2 0.95 --epsilon 1e-8"),
    "adam, usual form": ("counts.tns", 3, "poisson", f"{SGD} {COSINE} {CORRECTED} --optimizer adam --adam-form usual --beta1 0.9 --beta2 0.99 --epsilon 1e-8"),
    "adagrad": ("counts.tns", 3, "poisson", f"{SGD} {COSINE} {CORRECTED} --optimizer adagrad --epsilon 1e-8"),
    "sgd": ("counts.tns", 3, "poisson", f"{SGD} --schedule cosine --rate 1e-5 --final-rate 1e-8 {CORRECTED} --optimizer sgd --momentum 0.5"),
    "schedule constant": ("counts.tns", 3, "poisson", f"{SGD} {ADAM} --schedule constant --rate 0.01 {CORRECTED}"),
    "schedule paper, restores": ("counts.tns", 3, "poisson", f"{SGD} {ADAM} --schedule paper --rate 0.2 --decay 0.2 --max-bad-epochs 4 {CORRECTED} --epochs 12 --epoch-iterations 400"),
    "single precision": ("counts.tns", 3, "poisson", f"{PLAIN} {CORRECTED} --precision single"),
    "single precision, dense": ("positive.npy", 3, "gamma", f"{PLAIN} --sampler uniform --precision single --parts 2"),
    # starts and bounds
    "three starts": ("counts.tns", 3, "poisson", f"{PLAIN} --sampler exact-zeros --starts 3 --threads 2"),
    "start from a model": ("counts.tns", 3, "poisson", f"{PLAIN} {CORRECTED} --start-from uniform,_sparse.h5"),
    "fixed mode": ("counts.tns", 3, "poisson", f"{PLAIN} {CORRECTED} --start-from uniform,_sparse.h5 --bound 2:fixed --bound 1:lower=0.01,upper=2"),
    "bounds": ("real.npy", 3, "gaussian", f"{PLAIN} --sampler uniform --lower 0.3 --upper 0.8"),
    # weights and missing cells
    "dense with missing cells": ("holes.npy", 3, "gaussian", f"{PLAIN} --sampler uniform"),
    "mask, stratified": ("counts.tns", 3, "poisson", f"{PLAIN} {CORRECTED} --missing mask.tns"),
    "unlisted missing": ("counts.tns", 2, "poisson", f"{PLAIN} --sampler stratified --unlisted missing"),
    "weights, semi-stratified": ("counts.tns", 3, "poisson", f"{PLAIN} --sampler semi-stratified --nonzero-samples 60 --weights weights.tns --zero-weight 0.5"),
    "weights, exact-zeros": ("counts.tns", 3, "poisson", f"{PLAIN} --sampler exact-zeros --weights weights.tns --zero-weight 0.5"),
    "weights, dense": ("real.npy", 3, "gaussian", f"{PLAIN} --sampler uniform --weights weights.npy"),
    # exact methods and finishes
    "gcp-full, dense": ("real.npy", 3, "huber:delta=0.5", FULL),
    "gcp-full, zeros in closed form": ("counts.tns", 3, "poisson", f"{FULL} --missing mask.tns"),
    "gcp-full, every cell": ("yes.tns", 3, "bernoulli-odds", f"{FULL} --gradient-tolerance 1e-6"),
    "cp-als, dense": ("real.npy", 3, "gaussian", ALS),
    "cp-als, sparse, ridge": ("counts.tns", 3, "gaussian", f"{ALS} --ridge 0.5 --lower 0"),
    "cp-als, missing cells": ("holes.npy", 3, "gaussian", ALS),
    "cp-apr, pdnr": ("counts.tns", 3, "poisson", f"{APR} --apr-update pdnr"),
    "cp-apr, pqnr": ("counts.tns", 3, "poisson", f"{APR} --apr-update pqnr"),
    "cp-apr, mu": ("counts.tns", 3, "poisson", f"{APR} --apr-update mu"),
    "finish lbfgsb": ("positive.npy", 3, "gamma", f"{PLAIN} --sampler uniform --finish lbfgsb --iterations 6 --lbfgsb-pairs 5 --tolerance 1e-9 --starts 2"),
    "finish apr": ("counts.tns", 3, "poisson", f"{PLAIN} --sampler exact-zeros --finish apr --iterations 3 --apr-update pdnr --apr-inner 5 --kkt-tolerance 1e-4"),
    # resumed after it had ended early: epochs undone, single precision, a sampler that follows the model
    "resume": ("counts.tns", 3, "poisson", f"{SGD} {ADAM} --schedule paper --rate 0.2 --decay 0.2 --max-bad-epochs 4 {CORRECTED} --epochs 12 --epoch-iterations 400 RESUME"),
    "resume, single, importance": ("yes.tns", 3, "bernoulli-odds", f"{PLAIN} {FOLLOW} --importance-zeros drawn --importance-adaptive true --precision single --epochs 8 --epoch-iterations 400 RESUME"),
    # defaults
    "defaults, counts": ("counts.tns", 3, "poisson", "--threads 1"),
    "defaults, yes and no": ("yes.tns", 3, "bernoulli-odds", "--threads 1 --epochs 4"),
    "defaults, dense": ("real.npy", 3, "gaussian", "--threads 2 --starts 2 --epochs 4"),
}
FIRST = "uniform, sparse"  # others start from its model


def npy(values, shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}d", *values)


def write_data(folder):
    """Small tensors of rank 2 with noise, from Python's own generator: the same on every machine."""
    draw = random.Random(17)
    factors = [[[draw.random() for _ in range(2)] for _ in range(n)] for n in SHAPE]
    cells = [(i, j, k) for i in range(SHAPE[0]) for j in range(SHAPE[1]) for k in range(SHAPE[2])]
    means = [sum(factors[0][i][r] * factors[1][j][r] * factors[2][k][r] for r in range(2)) for i, j, k in cells]

    def save(name, content):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def tns(values):
        return "".join(f"{i + 1} {j + 1} {k + 1} {x}\n" for (i, j, k), x in zip(cells, values) if x)

    save("counts.tns", tns([int(3 * m * draw.random() + draw.random() ** 3) for m in means]))
    save("yes.tns", tns([int(draw.random() < m / (1 + m)) for m in means]))
    save("real.npy", npy([m - 0.3 + 0.2 * draw.random() for m in means], SHAPE))
    save("positive.npy", npy([m * (0.2 + draw.random()) + 0.01 for m in means], SHAPE))
    save("positive-counts.npy", npy([float(1 + int(4 * m * draw.random())) for m in means], SHAPE))
    save("holes.npy", npy([m if draw.random() < 0.8 else float("nan") for m in means], SHAPE))
    save("mask.tns", tns([int(draw.random() < 0.1) for _ in means]))
    save("weights.npy", npy([0.5 + draw.random() for _ in means], SHAPE))
    with open(os.path.join(folder, "counts.tns")) as f:
        lines = f.read().splitlines()
    save("weights.tns", "".join(line.rsplit(" ", 1)[0] + f" {1 + i % 3}\n" for i, line in enumerate(lines)))


def settings():
    """Nothing that differs between CPUs."""
    return {**os.environ, "POLYAD_SIMD": "scalar", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable",
            "OPENBLAS_CORETYPE": "Prescott"}


class Fits:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        write_data(folder)

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, env=settings(), capture_output=True, text=True,
                              timeout=120)
        if done.returncode not in (0, 6):  # a short fit may well be worse than a constant
            raise AssertionError(f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def digest(self, name):
        """Of the weights and factors of the model and of the objective that the fit reports."""
        data, rank, loss, options = FITS[name]
        own = name.replace(" ", "_")
        fit = ["fit", data, "--rank", rank, "--loss", loss, "-o", f"{own}.h5", "--json", "-q"]
        resumed = options.endswith(" RESUME")
        words = options.removesuffix(" RESUME").split()
        words = last_of_each(words)
        if resumed:
            self.run_a_while(f"{own}-state.h5", *fit, *words)
            words += ["--resume", f"{own}-state.h5"]
        summary = json.loads(self.run(*fit, *words))["summary"]
        self.run("convert", f"{own}.h5", f"{own}.npz", "-q")
        hashed = hashlib.sha256(struct.pack("<d", summary["estimate"]))
        with zipfile.ZipFile(os.path.join(self.folder, f"{own}.npz")) as archive:
            for member in sorted(archive.namelist()):
                content = archive.read(member)
                hashed.update(member.encode() + content[10 + struct.unpack("<H", content[8:10])[0]:])
        return hashed.hexdigest()[:16]

    def run_a_while(self, state, *fit):
        """Ends a fit by its time limit soon after its first checkpoint."""
        limit = 0.002
        while not os.path.exists(os.path.join(self.folder, state)):
            self.run(*fit, "--checkpoint", state, "--every", 0, "--time-limit", limit)
            limit *= 1.5

    def digests(self, names):
        found = {FIRST: self.digest(FIRST)}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for name, digest in zip(names, pool.map(lambda n: found.get(n) or self.digest(n), names)):
                found[name] = digest
        return {name: found[name] for name in names}


def last_of_each(words):
    """A fit above may state an option of a shared list again: the last one counts (all of those that may be repeated)."""
    pairs = list(zip(words[::2], words[1::2]))
    kept = [pair for i, pair in enumerate(pairs)
            if pair[0] in ("--stratum", "--bound") or all(later[0] != pair[0] for later in pairs[i + 1:])]
    return [word for pair in kept for word in pair]


def blas():
    """L-BFGS-B sums by the BLAS that is installed."""
    return os.path.basename(os.path.dirname(os.path.realpath("/lib/x86_64-linux-gnu/libblas.so.3")))


def uses_blas(name):
    data, _, _, options = FITS[name]
    return "gcp-full" in options or "lbfgsb" in options or name.startswith("defaults")


def record(program, wanted):
    with open(STORE) as f:
        store = json.load(f)
    with tempfile.TemporaryDirectory(prefix="polyad-digests-") as folder:
        names = [name for name in FITS if not wanted or any(part in name for part in wanted)]
        found = Fits(program, folder).digests(names)
    old = store["digests"]
    for name in names:
        if old.get(name) != found[name]:
            print(f"{name}: {old.get(name)} -> {found[name]}")
    store = {"blas": blas(), "digests": {name: found.get(name, old.get(name)) for name in FITS if name in found or name in old}}
    with open(STORE, "w") as f:
        f.write(json.dumps(store, indent=2) + "\n")


class Digests(unittest.TestCase):
    def test_models_are_the_same_bit_for_bit(self):
        with open(STORE) as f:
            store = json.load(f)
        self.assertEqual(list(store["digests"]), list(FITS), "record the new fits")
        names = [name for name in FITS if store["blas"] == blas() or not uses_blas(name)]
        self.assertGreaterEqual(len(names), 30)
        with tempfile.TemporaryDirectory(prefix="polyad-digests-") as folder:
            found = Fits(os.environ["POLYAD"], folder).digests(names)
        changed = [name for name in names if found[name] != store["digests"][name]]
        self.assertEqual(changed, [], "these fits found other models; if that is meant, record them again and say why")


if __name__ == "__main__":
    if len(sys.argv) > 2 and sys.argv[1] == "--record":
        record(os.path.abspath(sys.argv[2]), sys.argv[3:])
    else:
        unittest.main(verbosity=1)

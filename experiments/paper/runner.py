"""Runs the polyad command for the experiments and keeps what comes out.

A module of an experiment has

    NAME = "binary"                      the results are in NAME.json, its figures are named NAME-*.svg
    TITLE = "Binary data: ..."           heading of its section
    def run(runner)                      asks for everything it needs; runner.quick: reduced sizes
    def figures(results, folder)         draws SVG files into the folder (paper.figures)
    def conclusions(results)             list of Conclusion(text, holds, figure); asserted by --quick
    def section(results)                 Markdown of its section, without heading and conclusions

and in run() it says what it wants:

    problem = runner.problem("binary", ["binary", "--shape", "60x50x40x30"], "h5")   made once, in the work folder
    runner.value("true norm", lambda: model_norm(problem.truth))                     anything JSON can hold, kept by its name
    runner.fits([Fit({"s": s}, start, problem, {"rank": 5, ...}) for start in ... for s in ...])
    runner.variance("initial guess, uniform", {...})                                 a job of bench/variance

Everything is kept in the results file as soon as it is known, under its key, and not run again; a fit whose options have
changed since is. Put the starts outermost: then a run that is stopped has some starts of every setting.
results.runs is a list of dicts: setting, start, seconds, estimate, exact (the exact loss, where polyad tells it), score
(against the truth, where the problem has one), trace ([seconds, estimate] of accepted epochs), epochs (seconds of each), what
after(model file) returned, and when and under which load it ran.
"""
import concurrent.futures
import dataclasses
import datetime
import json
import os
import platform
import shlex
import statistics
import subprocess
import sys
import threading
import time
import typing

import h5py
import numpy

RECOVERED = 0.9  # the score from which on the paper calls factors recovered (Appendix E)
PAPER_SCHEDULE = {"schedule": "paper", "rate": 0.01, "finish": "none"}


class Conclusion(typing.NamedTuple):
    text: str      # a sentence that the results bear out or not
    holds: bool
    figure: str    # what was measured


@dataclasses.dataclass
class Problem:
    data: str
    truth: typing.Optional[str] = None


@dataclasses.dataclass
class Fit:
    setting: dict                       # what tells it from others: {"s": 125}
    start: int                          # number of the guess: the seed
    problem: Problem
    options: dict                       # of 'polyad fit': {"rank": 5, "sampler": "uniform"}
    after: typing.Optional[typing.Callable] = None  # gets the model file, returns a dict to keep
    rows: int = 120                     # rows of the trace to keep

    def key(self):
        return ", ".join(f"{k} {v}" for k, v in self.setting.items()) + f", start {self.start}"


class Results:
    """What is known about an experiment; a file, written whole after every change."""

    def __init__(self, name, path):
        self.name, self.path = name, path
        self.lock = threading.Lock()
        self.others = {}  # results of all experiments by name
        self.content = {"experiment": name, "machines": [], "values": {}, "runs": {}}
        if os.path.exists(path):
            with open(path) as file:
                self.content = json.load(file)

    @property
    def runs(self):
        return list(self.content["runs"].values())

    def select(self, **setting):
        """Runs whose setting has these items, by start."""
        found = [r for r in self.runs if all(r["setting"].get(k) == v for k, v in setting.items())]
        return sorted(found, key=lambda r: r["start"])

    def value(self, key, default=None):
        entry = self.content["values"].get(key)
        return default if entry is None else entry["value"]

    def known(self):
        return bool(self.content["runs"] or self.content["values"])

    @property
    def quick(self):
        return self.content.get("quick", False)

    @property
    def machines(self):
        return self.content["machines"]

    def put(self, part, key, entry):
        with self.lock:
            self.content[part][key] = entry
            self.write()

    def write(self):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        lines = [f'"experiment": {json.dumps(self.name)}', f'"quick": {json.dumps(self.quick)}']
        lines.append('"machines": [' + ",\n ".join(json.dumps(m) for m in self.content["machines"]) + "]")
        for part in ("values", "runs"):
            items = ",\n ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in self.content[part].items())
            lines.append(f'"{part}": {{\n {items}}}')
        with open(self.path + ".new", "w") as file:
            file.write("{" + ",\n".join(lines) + "}\n")
        os.replace(self.path + ".new", self.path)

    def here(self, facts):
        """Number of this machine in the file."""
        with self.lock:
            if facts not in self.content["machines"]:
                self.content["machines"].append(facts)
            return self.content["machines"].index(facts)


class Runner:
    def __init__(self, polyad, variance, work, quick=False, under="", jobs=1):
        self.program, self.variance_program, self.work, self.quick = polyad, variance, work, quick
        self.under, self.jobs = shlex.split(under), jobs
        self.results = None
        os.makedirs(work, exist_ok=True)
        self.machine = machine_facts(polyad)

    def begin(self, results):
        """What is asked for from now on belongs to this experiment."""
        self.results = results
        if self.quick:
            results.content["quick"] = True

    # ---- programs

    def call(self, *command):
        return output_of(self.under + [str(c) for c in command])

    def score(self, reference, model):
        """How alike two models are; takes no time, so nothing is put in front of it."""
        return json.loads(output_of([self.program, "score", reference, model, "--json"]))

    def polyad(self, *command):
        return self.call(self.program, *command)

    def at(self, name):
        return os.path.join(self.work, name)

    # ---- what experiments ask for

    def problem(self, name, make, extension):
        """A generated tensor with its true model: 'polyad make' with these arguments, once."""
        data, truth, told = self.at(f"{name}.{extension}"), self.at(f"{name}-truth.h5"), self.at(f"{name}.txt")
        if not os.path.exists(told) or not same_words(told, make):
            text = self.polyad("make", *make, "-o", data, "--truth", truth)
            with open(told, "w") as file:
                file.write(shlex.join(map(str, make)) + "\n" + text.replace(self.work + os.sep, ""))
        with open(told) as file:
            self.value(f"problem {name}", lambda: file.read().splitlines()[:3])
        return Problem(data, truth)

    def value(self, key, make):
        """make() and keep it, unless it is known."""
        if key not in self.results.content["values"]:
            self.results.put("values", key, {"value": make(), **self.stamp()})
        return self.results.value(key)

    def variance(self, key, job):
        """A job of polyad_variance (bench/variance); the rows of its answer and the norm of the exact gradient."""
        def measure():
            out = json.loads(self.call(self.variance_program, json.dumps(job)))
            rows = [{k: v for k, v in row.items() if k != "variance_x_us"} for row in out["rows"]]
            return {"norm": out.get("norm"), "draws": job.get("draws", 1000), "rows": rows}
        return self.value(key, measure)

    def truth_estimate(self, key, problem, options):
        """The loss of the true model on the sample that estimates the loss of fits with these options."""
        def measure():
            model = self.at(f"truth-{os.getpid()}.h5")
            self.polyad("fit", problem.data, *words(options), "--start-from", problem.truth, "--starts", 1, "--threads", 1,
                        "--time-limit", "1e-9", "-o", model, "--quiet")
            with h5py.File(model) as file:
                first = float(file["trace/1"][0]["estimate"])
            os.remove(model)
            return first
        return self.value(key, measure)

    def sampling(self, problem, options):
        """What a fit with these options draws, in the words of polyad."""
        path = self.at(f"sampling-{os.getpid()}.h5")
        told = self.fit_to(Fit({}, 1, problem, {**options, "epochs": 1, "epoch-iterations": 1, "finish": "none"}), path)
        os.remove(path)
        return told["sampling"]

    def fits(self, wanted):
        """Runs what is not known yet, in this order; as many at a time as there are jobs (1 where time counts)."""
        left = [f for f in wanted if self.outdated(f)]
        progress = Progress(self.results, left, len(wanted), self.jobs)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for fit, seconds in pool.map(self.one_fit, left):
                progress.tell(fit, seconds)

    # ---- how

    def outdated(self, fit):
        known = self.results.content["runs"].get(fit.key())
        return known is None or known["options"] != fit_words(fit)

    def model(self, fit):
        """The model file of a fit, made again where it is not in the work folder: equal seeds give equal results."""
        path = self.at(f"{self.results.name}-{fit.key().replace(', ', '-').replace(' ', '-')}.h5")
        if not os.path.exists(path):
            self.fit_to(fit, path)
        return path

    def fit_to(self, fit, path):
        return json.loads(self.polyad("fit", fit.problem.data, *words(fit.options), "--seed", fit.start, "--starts", 1,
                                      "--threads", 1, "-o", path, "--quiet", "--json"))["summary"]

    def one_fit(self, fit):
        began = time.time()
        model = self.at(f"model-{os.getpid()}-{threading.get_ident()}.h5")
        stamp = self.stamp()
        told = self.fit_to(fit, model)
        with h5py.File(model) as file:
            trace = file["trace/1"][:]
        record = {"setting": fit.setting, "start": fit.start, "options": fit_words(fit),
                  "seconds": rounded(told["starts"][0]["seconds"]), "estimate": rounded(told["estimate"], 8),
                  "exact": rounded(told["exact-loss"], 8) if "exact-loss" in told else None,
                  "why": told["starts"][0]["why"], **trace_record(trace, fit.rows)}
        if fit.problem.truth:
            record["score"] = rounded(self.score(fit.problem.truth, model)["score"])
        if fit.after:
            record.update(fit.after(model))
        os.remove(model)
        self.results.put("runs", fit.key(), {**record, **stamp})
        return fit, time.time() - began

    def stamp(self):
        """When and where something is measured; load: processes that want to run, on average over the last minute."""
        return {"when": datetime.datetime.now().isoformat(timespec="minutes"), "load": round(os.getloadavg()[0], 2),
                "machine": self.results.here(self.machine)}


class Progress:
    """A line a fit, with the time left; a setting that has not been run yet is taken to cost what the others do."""

    def __init__(self, results, left, total, jobs):
        self.name, self.left, self.total, self.jobs = results.name, list(left), total, jobs
        self.seen = {}
        if left:
            print(f"{self.name}: {len(left)} of {total} fits to run", flush=True)

    def tell(self, fit, seconds):
        self.seen.setdefault(str(fit.setting), []).append(seconds)
        self.left.remove(fit)
        usual = statistics.mean(s for group in self.seen.values() for s in group)
        cost = sum(statistics.mean(self.seen[str(f.setting)]) if str(f.setting) in self.seen else usual for f in self.left)
        print(f"{self.name}: {fit.key()}: {seconds:.1f} s; {len(self.left)} left, about "
              f"{datetime.timedelta(seconds=round(cost / self.jobs))}", flush=True)


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(command)}\n{done.stderr}")
    return done.stdout


def words(options):
    """{"rank": 5} as words of the command line; a list gives the option several times."""
    out = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            out += ["--" + name, str(one)]
    return out


def fit_words(fit):
    """The options of a fit as one text that does not depend on folders."""
    return os.path.basename(fit.problem.data) + " " + " ".join(
        os.path.basename(w) if os.sep in w else w for w in words(fit.options))


def same_words(path, make):
    with open(path) as file:
        return file.readline().rstrip("\n") == shlex.join(map(str, make))


def rounded(x, digits=5):
    return float(f"{x:.{digits}g}")


def trace_record(trace, rows):
    """Seconds and estimates of accepted epochs (thinned evenly, ends kept), and the seconds each epoch took."""
    good = trace[trace["accepted"] == 1]
    if len(good) > rows:
        good = good[numpy.unique(numpy.linspace(0, len(good) - 1, rows).round().astype(int))]
    epochs = numpy.diff(trace["seconds"])
    return {"trace": [[rounded(float(r["seconds"])), rounded(float(r["estimate"]), 8)] for r in good],
            "epochs": [rounded(float(s), 3) for s in epochs[:rows]], "epochs_run": len(trace) - 1}


def read_model(path):
    """Weights and factor matrices of a model file."""
    with h5py.File(path) as file:
        factors = file["model/factors"]
        return file["model/weights"][:], [factors[str(k + 1)][:] for k in range(len(factors))]


def model_norm(path):
    """Norm of the whole tensor that a model stands for."""
    weights, factors = read_model(path)
    gram = numpy.outer(weights, weights)
    for f in factors:
        gram = gram * (f.T @ f)
    return float(numpy.sqrt(gram.sum()))


def machine_facts(polyad):
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1])
    version = subprocess.run([polyad, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return {"cpu": model, "cores": os.cpu_count(), "memory_gb": round(memory / 2**20), "kernels": kernels(polyad),
            "version": version}


def kernels(polyad):
    """The instruction set that the kernels use here, as 'polyad bench' tells it."""
    done = subprocess.run([polyad, "bench", "estimate", "--quick", "--json", "--seconds", "0.001", "--threads", "1"],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["simd"]


def program(path, what):
    if not os.path.exists(path):
        sys.exit(f"{path}: {what} is not there; build it (./scripts/build) or say where it is")
    return os.path.abspath(path)

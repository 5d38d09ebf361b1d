"""Running a fit: options, results, callbacks, Ctrl-C, checkpoints, threads, processes, errors."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import polyad
import pytest
from conftest import same


def test_result(counts, short):
    r = polyad.fit(counts, 2, "poisson", **{**short, "starts": 3})
    assert list(r.starts.index) == [1, 2, 3] and r.starts["best"].sum() == 1
    assert set(r.trace["start"]) == {1, 2, 3} and r.trace["epoch"].dtype == int
    assert r.options["rank"] == 2 and r.options["loss"] == "poisson" and r.options["epoch_iterations"] == 30
    assert not r.interrupted and not r.stopped and r.seconds > 0
    assert r.exact_loss == pytest.approx(np.sum(r.model.full() - counts * np.log(r.model.full() + 1e-10)), rel=1e-9)
    assert r.loss == r.exact_loss and "deviance explained" in r.verdict and 0 < r.explained < 1
    assert "rank 2" in repr(r) and r.verdict in r.summary() and "Fit rank 2" in r.plan
    assert r.model.deviance(counts) == pytest.approx(r.explained, rel=1e-6)
    weights, factors = r.model
    assert weights.shape == (2,) and [f.shape for f in factors] == [(9, 2), (7, 2), (5, 2)]


def test_options_are_those_of_the_library():
    names = set(polyad.options().index)
    assert {"rank", "sampler", "epoch_iterations", "lbfgsb_pairs", "kkt_tolerance"} <= names
    for name in names:
        assert f"    {name}: " in polyad.fit.__doc__


def test_option_values(counts, short):
    a = polyad.fit(counts, np.int64(2), "gaussian", lower=np.float32(0), time_limit=None, method="gcp-sgd", **short)
    b = polyad.fit(counts, rank="2", loss="gaussian", lower="0", **short)
    assert same(a.model, b.model)
    bounded = polyad.fit(counts, 2, "gaussian", bound=["1:lower=0,upper=1", "2:lower=0"], **short)
    assert (bounded.model.arrays()[0] >= 0).all() and (bounded.model.arrays()[1] >= 0).all()


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"rank": 0}, polyad.UsageError, r"rank= must be at least 1"),
        ({"rank": None}, polyad.UsageError, r"rank= must be given"),
        ({"rank": 2.5}, polyad.UsageError, r"rank=: '2.5' is not a whole number"),
        ({"rank": [1]}, polyad.UsageError, r"rank=: expected one value"),
        ({"loss": None}, polyad.UsageError, r"loss='poisson'"),
        ({"loss": "poison"}, polyad.UsageError, r"did you mean 'poisson'"),
        ({"loss": 3}, polyad.UsageError, r"loss= must be a name"),
        ({"epoch": 3}, polyad.UsageError, r"unknown option 'epoch' \(did you mean 'epochs'\?\)"),
        ({"method": "cp-asl"}, polyad.UsageError, r"did you mean 'cp-als'|cp-als"),
        ({"ridge": 1}, polyad.UsageError, r"ridge= is not used by method='gcp-sgd'"),
        ({"loss": "bernoulli-odds"}, polyad.DataError, r"not allowed"),
        ({"fixed_modes": [0]}, polyad.UsageError, r"fixed mode needs a starting model"),
        ({"fixed_modes": ["day"]}, polyad.UsageError, r"no mode 'day'"),
        ({"seed": 1, "random_state": 2}, polyad.UsageError, r"the same option"),
        ({"random_state": "x"}, polyad.UsageError, r"random_state="),
        ({"random_state": -1}, polyad.UsageError, r"at least 0"),
        ({"progress": 3}, polyad.UsageError, r"progress="),
        ({"init": 5}, polyad.UsageError, r"\(weights, factors\)"),
        ({"resume": "/nowhere/state.h5"}, polyad.FileError, r"/nowhere/state.h5"),
        ({"checkpoint": "/nowhere/state.h5"}, polyad.FileError, r"/nowhere"),
        ({"init_norm": 1e5, "finish": "none", "loss": "poisson-log"}, polyad.DivergedError, r"rate= "),
    ],
)
def test_errors_name_keywords(counts, short, arguments, kind, words):
    with pytest.raises(kind, match=words) as caught:
        polyad.fit(counts, **{"rank": 2, "loss": "poisson", **short, **arguments})
    assert "--" not in str(caught.value) and "\n" not in str(caught.value)


def test_messages_recommend_functions_not_commands(tmp_path):
    source = Path(os.environ.get("POLYAD_SOURCE", Path(__file__).resolve().parents[2])) / "src/polyad"
    commands = set()
    for path in source.rglob("*.[ch]pp"):
        for line in path.read_text().splitlines():
            if not line.lstrip().startswith("//"):
                commands |= set(re.findall(r"'(polyad [a-z-]+[^']*)'", line))
    assert len(commands) >= 4
    for command in commands:
        shown = polyad._core.as_keywords(f"use '{command}' for it")
        assert "'polyad " not in shown and "polyad." in shown, f"python/src/errors.cpp knows no call for '{command}'"
    path = tmp_path / "m.h5"
    polyad.Model([1.0], [np.ones((2, 1))]).save(path)
    with pytest.raises(polyad.DataError, match=re.escape(f"look at it with polyad.load('{path}')")):
        polyad.tensor(path)


def test_error_classes():
    assert issubclass(polyad.UsageError, ValueError) and issubclass(polyad.DataError, ValueError)
    assert issubclass(polyad.FileError, OSError) and issubclass(polyad.DivergedError, polyad.Error)


def test_init_and_fixed_modes(counts, short):
    first = polyad.fit(counts, 2, "poisson", **short)
    again = polyad.fit(counts, 2, "poisson", init=first.model, fixed_modes=["mode 2", 0], **short)
    theirs = polyad.fit(counts, 2, "poisson", init=tuple(first.model), fixed_modes=[0, 1], **short)
    assert same(again.model, theirs.model)
    assert first.model.permute([1, 2]).match(again.model)["cosine"].min() > 0.5
    for k in (0, 1):
        order = [j - 1 for j in first.model.match(again.model)["other"]]
        assert np.allclose(again.model.arrays()[k][:, order], first.model.arrays()[k])


def test_random_state(counts, short):
    a = polyad.fit(counts, 2, "poisson", random_state=5, **short)
    assert same(a.model, polyad.fit(counts, 2, "poisson", seed=5, **short).model)
    make = lambda: np.random.default_rng(1)
    assert same(polyad.fit(counts, 2, "poisson", random_state=make(), **short).model, polyad.fit(counts, 2, "poisson", random_state=make(), **short).model)
    assert not same(a.model, polyad.fit(counts, 2, "poisson", random_state=6, **short).model)
    polyad.fit(counts, 2, "poisson", random_state=np.random.RandomState(3), **short)


def test_threads_do_not_change_bits(counts, short):
    one = polyad.fit(counts, 2, "poisson", n_threads=1, **{**short, "starts": 4})
    assert same(one.model, polyad.fit(counts, 2, "poisson", threads=3, **{**short, "starts": 4}).model)


def test_callback_sees_epochs_and_stops(counts, short):
    seen = []
    r = polyad.fit(counts, 2, "poisson", callback=seen.append, finish="none", **short)
    assert [p.epoch for p in seen] == [0, 1, 2] and seen[-1].last and seen[0].start == 1 and "epoch 2" in repr(seen[-1])
    assert [p.estimate for p in seen] == list(r.trace["estimate"]) and not r.stopped
    threads = []
    stopped = polyad.fit(counts, 2, "poisson", callback=lambda p: threads.append(threading.get_ident()) or p.epoch == 3, **{**short, "epochs": 500})
    assert stopped.stopped and not stopped.interrupted and stopped.trace["epoch"].max() <= 4
    assert set(threads) == {threading.get_ident()}


def test_exception_in_callback(counts, short):
    def fails(progress):
        raise RuntimeError("enough")

    began = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        polyad.fit(counts, 2, "poisson", callback=fails, **{**short, "epochs": 100000})
    assert time.monotonic() - began < 5


def test_checkpoint_and_resume(tmp_path, counts, short):
    options = {**short, "epochs": 6, "finish": "none"}
    whole = polyad.fit(counts, 2, "poisson", **options)
    state = tmp_path / "state.h5"
    polyad.fit(counts, 2, "poisson", checkpoint=state, every=0, callback=lambda p: p.epoch == 3, **options)
    assert same(polyad.fit(counts, 2, "poisson", resume=state, **options).model, whole.model)


LONG = """
import os, signal, sys, threading, time
import numpy as np, polyad
x = np.random.default_rng(0).poisson(2.0, size=(30, 20, 10)).astype(float)
began = []
def note(progress):
    if not began:
        began.append(time.monotonic())
        threading.Thread(target=strike, daemon=True).start()
def strike():
    time.sleep(0.2)
    for _ in range({strikes}):
        began[0] = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep({pause})
try:
    r = polyad.fit(x, 3, "poisson", epochs=10**6, starts=2, callback={callback})
    print("interrupted" if r.interrupted else "done", time.monotonic() - began[0], r.why, np.isfinite(r.loss), flush=True)
except KeyboardInterrupt:
    print("KeyboardInterrupt", time.monotonic() - began[0], flush=True)
"""


def run_long(strikes, pause, callback="note"):
    code = LONG.format(strikes=strikes, pause=pause, callback=callback)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stdout.split()


def test_ctrl_c_returns_the_best_so_far_quickly():
    words = run_long(1, 0)
    assert words[0] == "interrupted" and words[2:] == ["interrupted", "True"], words
    assert float(words[1]) < (0.3 if os.environ.get("POLYAD_TIMING") else 2.0)


def test_first_ctrl_c_within_a_callback_ends_the_fit_too():
    words = run_long(1, 0, "lambda p: (note(p), time.sleep(0.3)) and None")
    assert words[0] == "interrupted", words


def test_second_ctrl_c_raises():
    # A loss that takes long ends no sooner for the first one.
    code = textwrap.dedent(
        """
        import signal, time, numpy as np, polyad
        strikes = []
        def strike(number, frame):
            strikes.append(1)
            if len(strikes) <= 2:
                raise KeyboardInterrupt
        def slow(x, m):
            time.sleep(0.3)
            return (x - m) ** 2
        signal.signal(signal.SIGALRM, strike)
        own = polyad._core.Loss.of_functions("sleepy", slow, slow, "", "", "", None, "real")
        signal.setitimer(signal.ITIMER_REAL, 0.5, 0.2)
        try:
            polyad.fit(np.ones((100, 40)), 2, polyad.Loss(own), epochs=1000)
        except KeyboardInterrupt:
            print("KeyboardInterrupt")
        """
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ended.stdout == "KeyboardInterrupt\n", ended


def test_fits_in_threads(counts, short):
    expected = polyad.fit(counts, 2, "poisson", **short).model
    found = []
    threads = [threading.Thread(target=lambda: found.append(polyad.fit(counts, 2, "poisson", **short).model)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(same(m, expected) for m in found)


def test_the_interpreter_runs_on(counts):
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    polyad.fit(counts, 2, "poisson", epochs=10**6, starts=1, time_limit=0.6, progress=False)
    stop.set()
    thread.join()
    assert len(ticks) > 20


def test_fork(counts, short):
    expected = polyad.fit(counts, 2, "poisson", **short).model.weights.tobytes()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, polyad.fit(counts, 2, "poisson", **short).model.weights.tobytes())
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert os.read(read, 1000) == expected


def test_joblib(counts, short):
    joblib = pytest.importorskip("joblib")
    models = joblib.Parallel(n_jobs=2)(joblib.delayed(polyad.fit)(counts, 2, "poisson", seed=s, **short) for s in (1, 2))
    assert same(models[1].model, polyad.fit(counts, 2, "poisson", seed=2, **short).model)


def test_nothing_process_wide_changes_on_import():
    code = "import signal, numpy; a=[signal.getsignal(s) for s in range(1, 32)]; import polyad, sys; assert a==[signal.getsignal(s) for s in range(1, 32)]; assert not {'pandas','matplotlib','sklearn','tqdm','xarray'} & set(sys.modules), sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_signal_handlers_stay(counts, short):
    before = signal.getsignal(signal.SIGINT)
    polyad.fit(counts, 2, "poisson", **short)
    assert signal.getsignal(signal.SIGINT) is before


def test_bar(counts, short, capsys):
    polyad.fit(counts, 2, "poisson", **{**short, "progress": True, "epochs": 3})
    polyad.fit(counts, 2, "poisson", **{**short, "progress": "auto"})
    assert "polyad" not in capsys.readouterr().out


def test_warnings_are_given(counts, short):
    with pytest.warns(UserWarning, match="starts disagree"):
        polyad.fit(counts, 2, "poisson", **{**short, "starts": 3})

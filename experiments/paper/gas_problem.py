"""A dense tensor like the paper's gas measurements: sensors x time x temperatures x trials, with planted gases.

The paper's tensor comes from metal-oxide sensors in a wind tunnel (Vergara et al. 2013) and is not at hand. What is planted:

  x(i, t, h, k) = [ b1 + b2 + plume_k(t) (r1 + r2) ] noise,   each of b1, b2, r1, r2 a product over the modes, nearly

- Sensors stand on nine boards across the tunnel, up to eight kinds on each. Baselines b1, b2 depend on the kind and on the
  single sensor; responses r1 (fast), r2 (slow) too, and on the board: the plume is strongest in the middle.
- Time: baselines creep by some percent. The exposure begins after a sixth of the time and ends after half; r1 follows it at
  once, r2 rises and decays slowly.
- Temperatures: b1 grows with the heater's, b2 falls; r1 is greatest at the second, r2 at the fourth.
- Trials: gas g has a signature of four numbers, how much of r1 and r2 it calls forth and, by a few percent, how it moves the
  baselines. A trial multiplies each by a lognormal of its own (doses differ). The signatures lie so close that the planted
  factors group trials nearly without error, and factors that are somewhat off with errors. Trials of a gas are numbered in
  the order in which they were made, in rounds over the gases; baselines drift over the rounds as random walks.
- What no product over the modes has: each gas moves the sensitivity of each sensor by a lognormal of its own, and
  turbulence, plume_k(t), differs from trial to trial.
- Noise: lognormal with standard deviation 0.15 and mean 1; one entry in a thousand is an outlier, three times as high.

Values are positive, about 10 on average. Equal seeds give equal tensors.
"""
import os

import numpy as np

GASES = 7
KINDS = 8
NOISE, OUTLIERS, OUTLIER = 0.15, 0.001, 3.0
DOSE, OWN, TURBULENCE, DRIFT = 0.05, 0.12, 0.15, 0.03
# How much of the fast and of the slow response each gas calls forth, and what it does to the two baselines.
SIGNATURES = np.array([
    [1.22, 0.55, 1.00, 1.00],
    [0.95, 0.50, 1.03, 0.98],
    [1.08, 0.82, 0.97, 1.03],
    [0.86, 0.73, 1.02, 1.04],
    [0.90, 1.04, 0.98, 0.97],
    [0.68, 0.91, 1.04, 1.00],
    [0.63, 0.64, 0.99, 1.02],
])


def smooth(generator, length, width):
    """A stationary curve with unit variance, correlated over `width` points."""
    noise = generator.standard_normal(length + 6 * width)
    kernel = np.exp(-0.5 * (np.arange(-3 * width, 3 * width + 1) / width) ** 2)
    return np.convolve(noise, kernel / np.sqrt((kernel**2).sum()), mode="valid")[:length]


def gases(trials):
    """The gas of each trial: all of the first, then all of the second, ..."""
    if trials % GASES:
        raise ValueError(f"{trials} trials are not as many of each of {GASES} gases")
    return np.repeat(np.arange(GASES), trials // GASES)


def parts(shape, seed):
    """The planted pieces: factors of the four products, the gases' own sensitivities, turbulence."""
    sensors, times, temperatures, trials = shape
    generator = np.random.default_rng([seed, 1])
    lognormal = lambda sigma, *size: np.exp(sigma * generator.standard_normal(size))
    kind = np.arange(sensors) % KINDS
    board = (np.arange(sensors) // KINDS + 0.5) / np.ceil(sensors / KINDS)
    plume = 0.15 + np.exp(-0.5 * ((board - 0.5) / 0.18) ** 2)
    by_kind = [lognormal(0.5, KINDS)[kind] * lognormal(0.15, sensors) for _ in range(4)]
    by_sensor = np.stack([by_kind[0], by_kind[1], by_kind[2] * plume, by_kind[3] * np.sqrt(plume)], 1)

    t = (np.arange(times) + 0.5) / times
    begin, end = 1 / 6, 1 / 2
    course = lambda rise, fall: np.where(
        t < begin, 0.02, 0.02 + np.where(t < end, 1 - np.exp(-(t - begin) / rise),
                                         (1 - np.exp(-(end - begin) / rise)) * np.exp(-(t - end) / fall)))
    by_time = np.stack([1 + 0.05 * t, 1 - 0.08 * t, course(0.02, 0.04), course(0.15, 0.30)], 1)

    h = np.linspace(0, 1, temperatures)
    by_temperature = np.stack([0.3 + h**1.5, 1.2 - h, 0.2 + np.exp(-0.5 * ((h - 0.25) / 0.25) ** 2),
                               0.2 + np.exp(-0.5 * ((h - 0.75) / 0.25) ** 2)], 1)

    gas = gases(trials)
    rounds = np.arange(trials) % (trials // GASES)
    walk = lambda: np.cumsum(DRIFT * generator.standard_normal(trials // GASES))[rounds]
    response, baseline = SIGNATURES[gas][:, :2], SIGNATURES[gas][:, 2:]
    by_trial = np.stack([baseline[:, 0] * np.exp(walk()) * lognormal(0.02, trials),
                         baseline[:, 1] * np.exp(walk()) * lognormal(0.02, trials),
                         response[:, 0] * lognormal(DOSE, trials), response[:, 1] * lognormal(DOSE, trials)], 1)
    scale = np.array([5.0, 4.0, 10.0, 9.0])
    return {"sensor": by_sensor * scale, "time": by_time, "temperature": by_temperature, "trial": by_trial, "gas": gas,
            "own": lognormal(OWN, sensors, GASES, 2),
            "turbulence": np.exp(TURBULENCE * np.stack([smooth(generator, times, max(1, times // 40))
                                                        for _ in range(trials)], 1))}


def slab(planted, sensor, seed):
    """One sensor's measurements, times x temperatures x trials."""
    p = planted
    times, temperatures, trials = len(p["time"]), len(p["temperature"]), len(p["trial"])
    own = np.ones((trials, 4))
    own[:, 2:] = p["own"][sensor][p["gas"]]
    pieces = [np.einsum("t,h,k->thk", p["time"][:, j], p["temperature"][:, j],
                        p["sensor"][sensor, j] * own[:, j] * p["trial"][:, j]) for j in range(4)]
    x = pieces[0] + pieces[1] + p["turbulence"][:, None, :] * (pieces[2] + pieces[3])
    generator = np.random.default_rng([seed, 2, sensor])
    x *= np.exp(NOISE * generator.standard_normal(x.shape, dtype=np.float32) - 0.5 * NOISE**2)
    outliers = generator.random((round(OUTLIERS * x.size), 3)) * [times, temperatures, trials]
    x[tuple(outliers.astype(int).T)] *= OUTLIER
    return x


def write(path, shape=(71, 1250, 5, 140), seed=1):
    """Makes the tensor as a .npy file, sensor by sensor: never more than one slab in memory."""
    planted = parts(shape, seed)
    partial = f"{path}.part"
    with open(partial, "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": tuple(shape)})
        for sensor in range(shape[0]):
            file.write(np.ascontiguousarray(slab(planted, sensor, seed), dtype="<f8").tobytes())
    os.replace(partial, path)
    return planted

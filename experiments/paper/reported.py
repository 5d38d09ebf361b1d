"""What the paper reports (Kolda & Hong 2020): the only place where its numbers are written down."""

MACHINE = "MATLAB with the Tensor Toolbox on 2 x 14 cores at 2 GHz"

GAMMA = {"starts": 25, "samples": [125, 250, 500, 1000, 2000], "estimate_samples": 100_000, "failures": {125: 1},
         "full_slower": 10, "epoch_2000_to_125": 2}
GAS = {"starts": 25, "samples": [125, 250, 500, 1000, 2000], "estimate_samples": 100_000, "gases": 7, "trials": 20,
       "kmeans_replicates": 500, "as_good_from": 500}
BINARY = {"starts": 25, "samples": [125, 250, 500, 1000, 2000], "estimate_samples": 200_000, "cells": 150_000_000,
          "sparse_components": 4, "modes": 4, "delta": 0.15, "rho_high": 0.9, "structural": 150_452,
          "noise": 374_435, "nonzeros": 524_468, "density_percent": 0.35, "always_at": 2000, "epoch_2000_to_125": 2}
SAMPLERS = {
    "starts": 25, "samples": 1000, "estimate_samples": 200_000, "structural": 4_402_374, "noise": 4_788_052,
    "nonzeros": 9_181_549, "draws": 1000,
    "table": {  # moment: (norm of the gradient, {sampler: (empirical bias, empirical variance)})
        "initial guess": (2.00e7, {"uniform": (1.08e6, 1.26e15), "stratified": (7.48e5, 5.64e14),
                                   "semi-stratified": (7.68e5, 5.70e14)}),
        "final model": (3.10e6, {"uniform": (3.90e7, 1.52e18), "stratified": (3.17e6, 9.84e15),
                                 "semi-stratified": (3.14e6, 9.93e15)}),
    },
}
CHICAGO = {"shape": [6186, 24, 77, 32], "nonzeros": 5_330_673, "rank": 10, "samples": 6319, "starts": 20,
           "first_apr_iteration_seconds": 140, "toolbox_epochs": 36, "toolbox_estimate": 2.0371e7, "toolbox_seconds": 346.8,
           "toolbox_rate": 1e-3, "toolbox_ms_an_iteration": 9.6}
OVERSAMPLING = {"zeros": [100, 1000, 10_000, 100_000], "probability": 0.999999, "rate": 1.1, "enough_from_zeros": 1000,
                "enough_from_share": 0.99}

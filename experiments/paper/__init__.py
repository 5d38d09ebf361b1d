"""The experiments of Kolda & Hong 2020, one module each; experiments/run runs them. runner.py says what a module has."""
EXPERIMENTS = ["gamma", "gas", "binary", "samplers", "chicago", "oversampling", "beyond"]

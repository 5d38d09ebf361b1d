"""The methods that experiment 5 compares, and what its runs are called."""
from . import reported
from .runner import PAPER_SCHEDULE

NAME = "chicago"
PAPER = reported.CHICAGO
STRATIFIED, SEMI, EXACT, HYBRID, APR = "stratified", "semi-stratified", "exact-zeros", "hybrid", "CP-APR"
SAMPLED = [STRATIFIED, SEMI, EXACT]  # of which only the end is known exactly
METHODS = [HYBRID, *SAMPLED, APR]    # the hybrid first: the others' components are matched with its own
APR_END = {"kkt-tolerance": 0.001, "iterations": 100_000, "time-limit": 1800}  # whichever comes first
APR_QUICK = {"iterations": 200, "time-limit": 60}
ALONG = [0.1, 0.25, 0.5]             # parts of its time after which start 1 of a sampled method is judged exactly
TOOLBOX = "as the Toolbox's log"     # twice the samples and a tenth of the rate, from one start
PICTURED = 1                         # the start whose components are drawn, as in the paper
TYPES = 13
BINS = 600                           # of the days in a picture, each with its least and greatest value

CRIMES = {"prevalent": "THEFT", "fading": ["NARCOTICS", "BATTERY"]}
CITY = {"prevalent": "bus ride", "growing": ["parcel"]}
SAYS = {"prevalent": "{prevalent} is the most frequent type of a component",
        "summer": "a strong summer season", "first days": "a spike on the first of each month and year, and at midnight",
        "fading": "{fading} fading over the years", "growing": "{growing} growing", "late nights": "late nights"}


def options(method, samples, quick):
    base = {"rank": 6 if quick else PAPER["rank"], "loss": "poisson"}
    if method == APR:
        return {**base, "method": "cp-apr", "apr-update": "pqnr", **APR_END, **(APR_QUICK if quick else {})}
    base |= {"samples": samples, "estimate-seed": 1}
    if method in (STRATIFIED, SEMI):
        return {**base, **PAPER_SCHEDULE, "sampler": method}
    if method == EXACT:
        return {**base, "sampler": "exact-zeros", "finish": "none"}
    return base


def groups(results):
    found = {m: results.select(method=m, stopped=None) for m in METHODS}
    return {m: runs for m, runs in found.items() if runs}


def pictured(results):
    """Methods whose components are drawn: a reduced run shows two of them, for the time it takes."""
    known = [m for m in groups(results) if results.value(f"picture {m}")]
    return [m for m in known if m in (HYBRID, APR)] if results.value("problem")["quick"] else known


def file_of(method):
    return f"{NAME}-{method.lower()}.svg"

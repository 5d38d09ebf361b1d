"""What experiments 1, 3 and 4 have in common: runs of several settings from the same guesses, scored against the truth."""
from .runner import RECOVERED, Conclusion
from .text import figure, median, seconds, share, table


def groups(results, item, order=None):
    """{value: runs} of an item of the setting, in this order or sorted."""
    found = {}
    for run in results.runs:
        if item in run["setting"]:
            found.setdefault(run["setting"][item], []).append(run)
    return {value: found[value] for value in order or sorted(found) if value in found}


def recovered(runs):
    return sum(r["score"] >= RECOVERED for r in runs)


def rate(runs):
    return recovered(runs) / len(runs)


def epoch_seconds(runs):
    """Median over all epochs of the runs."""
    return median(s for r in runs for s in r["epochs"])


def counts(by_value, name):
    return ", ".join(f"{share(recovered(runs), len(runs))} at {name(value)}" for value, runs in by_value.items())


def shared_guesses(runs, what):
    """The guess of a start must be the same whatever the setting: so must be the first estimate of its loss."""
    first = {}
    for run in runs:
        first.setdefault(run["start"], set()).add(run["trace"][0][1])
    return Conclusion(f"The {what} share their guesses and the sample of the estimate.",
                      all(len(values) == 1 for values in first.values()),
                      f"equal first estimates, starts compared: {len(first)}")


def runs_table(head, by_value, name=str):
    """A row a setting: how often it recovers, what it costs, where it ends."""
    return table([head, "recovered", "median score", "an epoch", "epochs", "a run", "median loss at the end"],
                 [[name(value), share(recovered(runs), len(runs)), figure(median(r["score"] for r in runs), 4),
                   seconds(epoch_seconds(runs)), f"{median(r['epochs_run'] for r in runs):g}",
                   seconds(median(r["seconds"] for r in runs)), figure(median(r["estimate"] for r in runs), 5)]
                  for value, runs in by_value.items()])


def starts_done(by_value, planned):
    """How many starts each setting has."""
    by_count = {}
    for value, runs in by_value.items():
        by_count.setdefault(len(runs), []).append(str(value))
    if list(by_count) == [planned]:
        return f"All {planned} starts were done."
    return f"Of the paper's {planned} starts there was time for " + ", ".join(
        f"{n} ({', '.join(values)})" for n, values in sorted(by_count.items(), reverse=True)) + "."


def made(results, name):
    """What 'polyad make' said about a problem."""
    return results.value(f"problem {name}")[1]

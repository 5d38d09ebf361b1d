"""Named patterns in components of events by day, hour, place and type, found by rules instead of by eye.

describe() sizes up each component; find() tells which component shows a pattern. The modes are days (labels such as
2017-12-31), 24 hours, places and types. All factors are at least 0. A component that has vanished shows nothing.
"""
import datetime

import numpy as np

NIGHT = [21, 22, 23, 0, 1, 2, 3, 4]
SEASON = 1.5       # a strong season: three months at least this many times as high as three others
SPIKE = 2.0        # a spike: at least this many times as high as what is around it
FADED = 0.6        # faded: the last eighth of the time has at most this part of the first
AT_NIGHT = 0.5     # share of the 8 hours of the night; a third would be without pattern


def ratio(above, below, scale):
    """above/below, where a vanishing denominator counts as a twentieth of the mean."""
    return float(above / max(below, 0.05 * scale, 1e-300))


def median_ratio(pairs, scale):
    found = [ratio(a, b, scale) for a, b in pairs]
    return float(np.median(found)) if found else 0.0


def days(labels):
    return [datetime.date.fromisoformat(text) for text in labels]


def summer(day, dates):
    """June to August over December to February, the median of the years; years without both do not count."""
    pairs = []
    for year in sorted({d.year for d in dates}):
        hot = [v for v, d in zip(day, dates) if d.year == year and d.month in (6, 7, 8)]
        cold = [v for v, d in zip(day, dates) if d.year == year and d.month in (1, 2, 12)]
        if len(hot) == 92 and len(cold) >= 89:
            pairs.append((np.mean(hot), np.mean(cold)))
    return median_ratio(pairs, np.mean(day))


def first_of(day, dates, january):
    """The first day of a month over the median of its other days, the median of the months (or of Januaries only)."""
    groups = {}
    for value, d in zip(day, dates):
        if (d.month == 1) == january:
            groups.setdefault((d.year, d.month), {})[d.day] = value
    pairs = [(g[1], np.median([v for k, v in g.items() if k != 1])) for g in groups.values() if 1 in g and len(g) >= 28]
    return median_ratio(pairs, np.mean(day))


def trend(day):
    """The mean of the last eighth of the days over that of the first."""
    eighth = max(1, len(day) // 8)
    return ratio(np.mean(day[-eighth:]), np.mean(day[:eighth]), np.mean(day))


def describe(weights, factors, labels):
    """A dict a component, in the model's order (None: vanished); shares are of what it, or the model, expects in all."""
    dates = days(labels[0])
    sums = np.array([f.sum(0) for f in factors])
    expected = weights * sums.prod(0)
    out = []
    for j in range(len(weights)):
        if not expected[j] > 0:
            out.append(None)
            continue
        day, hour, kind = factors[0][:, j], factors[1][:, j] / sums[1, j], factors[3][:, j] / sums[3, j]
        strongest = np.argsort(-kind)[:3]
        out.append({
            "share": float(expected[j] / expected.sum()),
            "types": [[labels[3][i], float(kind[i])] for i in strongest],
            "summer": summer(day, dates),
            "first": first_of(day, dates, january=False),
            "january": first_of(day, dates, january=True),
            "midnight": ratio(hour[0], max(hour[1], hour[-1]), hour.mean()),
            "night": float(hour[NIGHT].sum()),
            "trend": trend(day),
        })
    return out


def first_days(c):
    return min(c["first"], c["january"], c["midnight"]) >= SPIKE


# name: (does this component show it, figure by which the clearest is chosen)
RULES = {
    "prevalent": (lambda c, types: c["types"][0][0] == types["prevalent"], lambda c: c["share"]),
    "summer": (lambda c, types: c["summer"] >= SEASON, lambda c: c["summer"]),
    "first days": (lambda c, types: first_days(c), lambda c: c["first"]),
    "fading": (lambda c, types: c["trend"] <= FADED and set(types["fading"]) <= {t for t, _ in c["types"]},
               lambda c: -c["trend"]),
    "growing": (lambda c, types: c["trend"] >= 1 / FADED and set(types["growing"]) <= {t for t, _ in c["types"]},
                lambda c: c["trend"]),
    "late nights": (lambda c, types: c["night"] >= AT_NIGHT and not first_days(c), lambda c: c["night"]),
}


def find(components, types):
    """The number (from 1) of the component that shows each pattern most clearly, or None; `types`: which to look for."""
    out = {}
    for name, (shows, clarity) in RULES.items():
        if name in ("prevalent", "fading", "growing") and name not in types:
            continue
        found = [(clarity(c), -j) for j, c in enumerate(components) if c and shows(c, types)]
        out[name] = 1 - max(found)[1] if found else None
    return out

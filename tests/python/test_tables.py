"""Tables: from_table against counts by pandas and against the command's import."""

import os
import subprocess

import numpy as np
import pandas as pd
import polyad
import pytest


@pytest.fixture
def events():
    rng = np.random.default_rng(2)
    n = 400
    when = pd.Timestamp("2024-02-27") + pd.to_timedelta(rng.integers(0, 6 * 24 * 60, n), unit="min")
    return pd.DataFrame(
        {
            "Date": when,
            "Area": rng.integers(1, 12, n),
            "Kind": rng.choice(["theft", "fire", "noise"], n),
            "Cost": np.round(rng.gamma(1, 20, n), 2),
            "Level": pd.Categorical(rng.choice(["low", "high"], n), categories=["low", "middle", "high"], ordered=True),
        }
    )


MODES = {"day": "Date:day", "hour": "Date:hour", "area": "Area", "kind": "Kind"}


def test_counts_agree_with_pandas(events):
    t = polyad.from_table(events, MODES)
    assert t.mode_names == list(MODES) and t.nnz == events.groupby([events.Date.dt.floor("d"), events.Date.dt.hour, "Area", "Kind"]).ngroups
    assert t.labels[0] == [f"2024-02-{d}" for d in (27, 28, 29)] + [f"2024-03-0{d}" for d in (1, 2, 3)]
    assert len(t.labels[1]) == 24 and t.labels[2] == [str(i) for i in range(1, 12)] and t.labels[3] == ["fire", "noise", "theft"]
    by_area = t.to_numpy().sum(axis=(0, 1, 3))
    assert np.array_equal(by_area, events.groupby("Area").size())
    day = events[(events.Date.dt.strftime("%Y-%m-%d") == "2024-03-01") & (events.Kind == "fire")]
    assert t.to_numpy()[3, :, :, 0].sum() == len(day)
    assert "400 rows read, 400 used" in t.remarks


def test_values_are_added_up(events):
    t = polyad.from_table(events, {"area": "Area", "kind": "Kind"}, value="Cost")
    expected = events.pivot_table(index="Area", columns="Kind", values="Cost", aggfunc="sum", fill_value=0)
    assert np.allclose(t.to_numpy(), expected.to_numpy(), rtol=1e-12)


def test_categories_keep_their_order_and_unused_ones(events):
    t = polyad.from_table(events, ["Level", "Kind"])
    assert t.mode_names == ["Level", "Kind"] and t.labels[0] == ["low", "middle", "high"]
    assert t.to_numpy()[1].sum() == 0 and t.to_numpy()[2].sum() == (events.Level == "high").sum()
    assert polyad.from_table(events, ["Level", "Kind"], order={"Level": "natural"}).labels[0][0] == "high"


def test_texts_are_read_as_timestamps(events):
    written = events.assign(Date=events.Date.dt.strftime("%m/%d/%Y %I:%M:00 %p"))
    assert np.array_equal(polyad.from_table(written, MODES).to_numpy(), polyad.from_table(events, MODES).to_numpy())
    zoned = events.assign(Date=events.Date.dt.tz_localize("America/Chicago"))
    assert np.array_equal(polyad.from_table(zoned, MODES).to_numpy(), polyad.from_table(events, MODES).to_numpy())


def test_the_same_as_the_command(events, tmp_path):
    path = tmp_path / "events.csv"
    events.to_csv(path, index=False)
    from_file = polyad.from_table(path, MODES)
    frame = polyad.from_table(events, MODES)
    assert from_file.labels == frame.labels and np.array_equal(from_file.to_numpy(), frame.to_numpy())
    read_again = polyad.from_table(pd.read_csv(path), MODES)
    assert read_again.labels == frame.labels and np.array_equal(read_again.to_numpy(), frame.to_numpy())
    command = os.environ.get("POLYAD")
    if command:
        arguments = [word for name, column in MODES.items() for word in ("--mode", f"{name}={column}")]
        subprocess.run([command, "import", str(path), *arguments, "-o", str(tmp_path / "t.h5")], check=True, capture_output=True)
        theirs = polyad.load(tmp_path / "t.h5")
        assert theirs.labels == frame.labels and np.array_equal(theirs.to_numpy(), frame.to_numpy())


def test_empty_cells_are_left_out_and_counted(events):
    events["Area"] = events["Area"].astype(float)
    events.loc[:9, "Area"] = np.nan
    t = polyad.from_table(events, ["Area", "Kind"])
    assert t.to_numpy().sum() == 390 and "10 rows left out: 'Area' is empty" in t.remarks
    assert t.labels[0] == [str(i) for i in range(1, 12)]


def test_bins_orders_and_dates_without_function(events):
    t = polyad.from_table(events, {"cost": "Cost:bin=50", "kind": "Kind"}, order={"kind": "frequency"})
    assert t.labels[1] == list(events.Kind.value_counts().index)
    days = polyad.from_table(events.assign(Date=events.Date.dt.floor("d")), ["Date", "Kind"])
    assert days.labels[0][0] == "2024-02-27"


@pytest.mark.parametrize(
    ("modes", "more", "words"),
    [
        ({"day": "Date:dya"}, {}, "did you mean 'day'"),
        ({"a": "Aera"}, {}, "no column 'Aera'"),
        (["Nothing"], {}, "no column 'Nothing'"),
        ({"a=b": "Area"}, {}, "cannot be the name"),
        ("Area", {}, "list or a dictionary"),
        ([], {}, "modes"),
        (["Kind"], {"value": "Csot"}, "no column 'Csot'"),
        (["Kind"], {"value": "Level"}, "is not a number"),
        ({"d": "Kind:day"}, {}, "no timestamp"),
        (["Kind"], {"order": {"Knd": "natural"}}, "order"),
        (["Kind"], {"separator": ";"}, "for files"),
        (["Kind"], {"bad_rows": "ignore"}, "bad_rows="),
    ],
)
def test_mistakes(events, modes, more, words):
    with pytest.raises(polyad.Error, match=words):
        polyad.from_table(events, modes, **more)


def test_other_tables():
    with pytest.raises(polyad.DataError, match="DataFrame"):
        polyad.from_table([1, 2], ["a"])
    with pytest.raises(polyad.FileError):
        polyad.from_table("/nowhere.csv", ["a"])

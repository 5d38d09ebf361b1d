#!/usr/bin/env python3
"""Every promise in docs/reliability.md names tests, and those tests exist.

    check_promises.py BUILD_FOLDER      compares the last cells of its tables with `ctest` of that build
    check_promises.py --self-test       names that do not exist, and rows without any, are found

A name may hold `*`. Besides tests, a cell may name a script of the tree, a preset, or a variable of the environment.
"""

import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PAGE = TREE / "docs" / "reliability.md"


def rows(page):
    """(line number, last cell) of every row of the tables whose last column is called tests."""
    inside = False
    for number, line in enumerate(page.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            inside = False
        elif cells[-1] == "tests":
            inside = True
        elif inside and set(line) - set("|- "):
            yield number, cells[-1]


def problems(page, tests, others):
    found, promises = [], 0
    for number, cell in rows(page):
        promises += 1
        names = re.findall(r"`([^`]+)`", cell)
        if not names:
            found.append(f"line {number}: a promise without a test")
        for name in names:
            if name not in others and not fnmatch.filter(tests, name):
                found.append(f"line {number}: there is no test `{name}`")
    if promises == 0:
        found.append("no table of promises with a column 'tests'")
    return found


def known_tests(folder):
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=folder, capture_output=True, text=True, check=True).stdout
    tests = {test["name"] for test in json.loads(listed)["tests"]}
    # Tests of another preset, by the line that adds them.
    for file in sorted((TREE / "tests").rglob("CMakeLists.txt")):
        tests.update(re.findall(r"add_test\(NAME ([\w.]+)", file.read_text()))
    return tests


def other_names():
    presets = json.loads((TREE / "CMakePresets.json").read_text())
    names = {preset["name"] for preset in presets["testPresets"]}
    names.update(f"scripts/{path.name}" for path in (TREE / "scripts").iterdir())
    return names | {"POLYAD_EVERY_BYTE=1", "POLYAD_KILLS=50"}


def self_test():
    head = "| promise | tests |\n|---|---|\n"
    assert problems(head + "| a | `io.A*` |\n", {"io.Abc"}, set()) == []
    assert problems(head + "| a | `io.B` |\n", {"io.Abc"}, set()) == ["line 3: there is no test `io.B`"]
    assert problems(head + "| a | `io.Abc`, `io.Z*` |\n", {"io.Abc"}, set()) == ["line 3: there is no test `io.Z*`"]
    assert problems(head + "| a | none |\n", {"io.Abc"}, set()) == ["line 3: a promise without a test"]
    assert problems(head + "| a | the preset `tsan` |\n", set(), {"tsan"}) == []
    assert problems("no table\n", set(), set()) == ["no table of promises with a column 'tests'"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    wrong = problems(PAGE.read_text(encoding="utf-8"), known_tests(sys.argv[1]), other_names())
    for line in wrong:
        print(f"docs/reliability.md: {line}")
    sys.exit(1 if wrong else 0)

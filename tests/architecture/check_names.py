#!/usr/bin/env python3
"""Files that documents and comments name exist, and the corridor of a fit in docs/design/0001-architecture.md is as short as it says.

check_names.py [ROOT]: prints every name without a file; --self-test shows that a wrong name and a wrong count are found."""

import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOTE = "docs/design/0001-architecture.md"
LONGEST = 73  # two thirds of the 110 files that a fit once passed
NAME = re.compile(r"(?<![\w*])((?:[\w-]+/)*[\w-]+\.(?:hpp|cpp))\b")
PLACEHOLDER = re.compile(r"NAME|planted|nowhere")


def sources(root):
    for top in ("include", "src", "apps", "docs", "README.md"):
        path = os.path.join(root, top)
        if os.path.isfile(path):
            yield path
        for folder, _, files in os.walk(path):
            yield from (os.path.join(folder, f) for f in files if f.endswith((".hpp", ".cpp", ".md", ".js")))


def wrong_names(root):
    """Names of files in comments and documents that end no path of the tree. Elsewhere is where it says: ../x.cpp, x in another
    project's code block."""
    known = set()
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in (".git", "build")]
        known.update(os.path.relpath(os.path.join(folder, f), root).replace(os.sep, "/") for f in files)
    ends = {"/".join(path.split("/")[-n:]) for path in known for n in range(1, path.count("/") + 2)}
    for path in sources(root):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                text = line if path.endswith(".md") else line[line.find("//"):] if "//" in line else ""
                for name in NAME.findall(text):
                    if name not in ends and not PLACEHOLDER.search(name) and "../" not in text:
                        yield f"{os.path.relpath(path, root)}:{number}: there is no {name}"


def corridor(root):
    """(files named, files counted in words, names without a file)."""
    with open(os.path.join(root, NOTE), encoding="utf-8") as file:
        text = file.read()
    said = int(re.search(r"^These are (\d+) files", text, re.M).group(1))
    table = text[text.index("| step | files |"):text.index(f"These are {said} files")]
    named, missing = 0, []
    for row in re.findall(r"^\| [a-z ]+ \| (`.*) \|$", table, re.M):
        for part in row.split("; "):
            folder, files = re.fullmatch(r"`([\w/]+)`: (.*)", part).groups()
            base = folder if folder.startswith(("apps/", "include/")) else f"src/polyad/{folder}"
            for name in files.split(", "):
                named += 1
                if not any(os.path.exists(os.path.join(root, base, name + end)) for end in (".cpp", ".hpp", "_simd.cpp")):
                    missing.append(f"{NOTE}: there is no {base}/{name}")
    return named, said, missing


def faults(root):
    found = list(wrong_names(root))
    named, said, missing = corridor(root)
    found += missing
    if named != said:
        found.append(f"{NOTE}: names {named} files and says {said}")
    if named > LONGEST:
        found.append(f"{NOTE}: the corridor has {named} files, more than {LONGEST}")
    return found


def self_test():
    with tempfile.TemporaryDirectory() as root:
        for path, text in {
            NOTE: "| step | files |\n|---|---|\n| plan | `fit`: plan, gone |\n\nThese are 3 files\n",
            "src/polyad/fit/plan.cpp": "// see fit/plan.cpp, fit/lost.hpp and rules/NAME.hpp\n#include <other.hpp>\n",
        }.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "w") as file:
                file.write(text)
        found = faults(root)
    expected = ["there is no fit/lost.hpp", "there is no src/polyad/fit/gone", "names 2 files and says 3"]
    return [text for text in expected if not any(text in fault for fault in found)] or (found if len(found) > 3 else [])


if __name__ == "__main__":
    problems = self_test() if sys.argv[1:] == ["--self-test"] else faults(sys.argv[1] if sys.argv[1:] else ROOT)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)

#!/usr/bin/env python3
"""Checks that the #includes of include/polyad and src/polyad obey the arrows between the folders of src/polyad.

The arrows are stated once: by DEPENDS in each folder's CMakeLists.txt, transitively. A folder may include itself and
what it depends on. A public header (include/polyad) belongs to the folder that implements it, obeys the same arrows, and
includes nothing but other public headers and the standard library: it is installed, the folders are not. Some outside
headers are kept to one folder, so that a library can be exchanged in one place. Messages name options, not flags of the command.

    check_includes.py [TREE]        checks the tree (default: the one this file is in)
    check_includes.py --self-test   plants violations in a copy and expects each to be found
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

# Outside header (by prefix) -> the only places, relative to src/polyad, that may include it.
CONFINED = {
    "Random123/": ["base/"],
    "hdf5": ["io/"],
    "H5": ["io/"],
    "zlib.h": ["io/"],
    "zstd.h": ["io/"],
    "matio.h": ["io/"],
    "mpi.h": ["comm/"],
    "CLI/": [],
    "gtest/": [],
    "gmock/": [],
}

# Public header -> the folder that implements it.
PUBLIC = {
    "error.hpp": "base",
    "fields.hpp": "base",
    "version.hpp": "base",
    "detail/aligned.hpp": "base",
    "detail/dual.hpp": "base",
    "detail/lanes.hpp": "base",
    "detail/mappable.hpp": "base",
    "detail/simd_target.hpp": "base",
    "cells.hpp": "tensor",
    "tensor.hpp": "tensor",
    "loss.hpp": "loss",
    "detail/loss_blocks.hpp": "loss",
    "model.hpp": "model",
    "options/start.hpp": "model",
    "options/sampling.hpp": "sample",
    "options/steps.hpp": "optim",
    "options/method.hpp": "solve",
    "options.hpp": "solve",
    "progress.hpp": "solve",
    "options/data.hpp": "io",
    "options/table.hpp": "io",
    "files.hpp": "io",
    "fit.hpp": "fit",
    "evaluate.hpp": "evaluate",
    "select.hpp": "select",
    "report.hpp": "report",
    "polyad.hpp": "all",
}
STANDARD = re.compile(r"[a-z_]+")

# A file is one thing; beyond this it is several.
MAX_LINES = 500

# The library names options by their fields, in backquotes; only the command knows flags.
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")

PRINTING = re.compile(r"fmt::print\(|std::cout <<|std::cerr|\b(?:f?printf|f?puts)\(")
# A copy of a process with several threads may stand still for ever: a lock that another thread held is never given back.
FORKING = re.compile(r"\bv?fork\s*\(\s*\)|\bpopen\s*\(|\bsystem\s*\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
MODULE = re.compile(r"polyad_module\(([^)]*)\)")


def read_arrows(source):
    """Folder -> the folders it names in DEPENDS."""
    arrows = {}
    for cmake in sorted(source.glob("*/CMakeLists.txt")):
        match = MODULE.search(cmake.read_text())
        if match is None:
            raise SystemExit(f"{cmake}: no polyad_module(...)")
        name, *words = match.group(1).split()
        depends, listing = [], False
        for word in words:
            if word in ("DEPENDS", "LINK", "PRIVATE_LINK"):
                listing = word == "DEPENDS"
            elif listing:
                depends.append(word)
        arrows[name] = depends
    return arrows


def reachable(arrows, name, path=()):
    """All folders `name` depends on, directly or not; a circle of arrows ends the check."""
    if name in path:
        raise SystemExit("the arrows form a circle: " + " -> ".join(path + (name,)))
    result = set()
    for below in arrows[name]:
        if below not in arrows:
            raise SystemExit(f"{name} depends on {below}, which is no folder of src/polyad")
        result |= {below} | reachable(arrows, below, path + (name,))
    return result


def folder_of(header, tree):
    """Of <polyad/...>: the folder that implements it, or None where there is no such header."""
    name = header.removeprefix("polyad/")
    if (tree / "include" / header).is_file():
        return PUBLIC.get(name, "no folder")
    return name.split("/")[0] if (tree / "src" / header).is_file() else None


def check_file(path, tree, allowed):
    public = (tree / "include") in path.parents
    root = tree / ("include" if public else "src") / "polyad"
    relative = path.relative_to(root).as_posix()
    shown = f"include/polyad/{relative}" if public else relative
    folder = PUBLIC.get(relative) if public else relative.split("/")[0]
    if folder is None:
        yield f"{shown}: a public header without a line in PUBLIC of check_includes.py"
        return
    text = path.read_text()
    if text.count("\n") > MAX_LINES:
        yield f"{shown}: {text.count(chr(10))} lines, more than {MAX_LINES}: split it"
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split("//")[0] if line.lstrip().startswith("//") else line
        for flag in (f for string in STRING.findall(code) for f in FLAG.findall(string)):
            yield f"{shown}:{number}: a message says {flag}; name the option in backquotes instead: `{flag[2:]}`"
    if FORKING.search(re.sub(r"//.*", "", text)):
        yield f"{shown}: forks a process that may have threads; start a program with posix_spawn"
    for quote, header in INCLUDE.findall(text):
        if quote == '"':
            yield f'{shown}: #include "{header}": write it as <polyad/...>'
        elif header.startswith("polyad/"):
            other = folder_of(header, tree)
            if other is None:
                yield f"{shown}: <{header}> does not exist"
            elif other != folder and other not in allowed[folder]:
                yield f"{shown}: <{header}> goes against the arrows: {folder} does not depend on {other}"
            elif public and not (tree / "include" / header).is_file():
                yield f"{shown}: <{header}> is not public, so that it is not installed"
        elif public and not STANDARD.fullmatch(header):
            yield f"{shown}: <{header}> is not of the standard library: a public header shows no other library"
        else:
            for prefix, places in CONFINED.items():
                if header.startswith(prefix) and not any(relative.startswith(place) for place in places):
                    yield f"{shown}: <{header}> belongs in {' or '.join(places) or 'apps and tests'} only"


def check_printing(tree):
    """The command prints through print.hpp only, which makes text of others harmless."""
    for path in sorted((Path(tree) / "apps" / "polyad").glob("*.?pp")):
        if path.name != "print.cpp" and PRINTING.search(path.read_text()):
            yield f"apps/polyad/{path.name}: prints on its own; use print_out or print_err of print.hpp"


def check_tree(tree):
    tree = Path(tree)
    source = tree / "src" / "polyad"
    arrows = read_arrows(source)
    allowed = {name: reachable(arrows, name) for name in arrows} | {"all": set(arrows)}
    folders = [source, tree / "include" / "polyad"]
    files = sorted(p for folder in folders for p in folder.rglob("*") if p.suffix in (".hpp", ".cpp"))
    problems = []
    for path in files:
        if source in path.parents and path.relative_to(source).parts[0] not in arrows:
            problems.append(f"{path.relative_to(source)}: its folder has no CMakeLists.txt")
        else:
            problems.extend(check_file(path, tree, allowed))
    problems.extend(check_printing(tree))
    return len(files), problems


PLANTED = {
    "loss/planted.hpp": ("#include <polyad/tensor/tensor.hpp>\n", "loss does not depend on tensor"),
    "optim/planted.cpp": ("  #  include <polyad/model.hpp>\n", "optim does not depend on model"),
    "base/planted.hpp": ("#include <polyad/loss/all.hpp>\n", "base does not depend on loss"),
    "tensor/planted.hpp": ("#include <polyad/tensor/nowhere.hpp>\n", "does not exist"),
    "solve/planted.cpp": ("#include <hdf5.h>\n", "belongs in io/"),
    "kernel/planted.cpp": ('#include "polyad/loss/all.hpp"\n', "write it as <polyad/"),
    "model/planted.cpp": ("//\n" * (MAX_LINES + 1), "split it"),
    "planted.hpp": ("#include <polyad/base/error.hpp>\n", "has no CMakeLists.txt"),
    "io/planted.cpp": ("const pid_t child = fork();\n", "forks a process"),
    "nowhere/planted.cpp": ("", "has no CMakeLists.txt"),
    "../../include/polyad/planted.hpp": ("", "without a line in PUBLIC"),
    "../../include/polyad/cells.hpp": ("#include <polyad/tensor/sparse.hpp>\n", "is not public"),
    "../../include/polyad/error.hpp": ("#include <fmt/format.h>\n", "shows no other library"),
    "../../include/polyad/version.hpp": ("#include <unistd.h>\n", "shows no other library"),
    "../../include/polyad/model.hpp": ("#include <polyad/fit.hpp>\n", "model does not depend on fit"),
    "sample/planted.cpp": ('fail(ErrorKind::usage, "use --rank");\n', "name the option in backquotes"),
    "fit/planted.cpp": ("#include <polyad/base/error.hpp>\n#include <vector>\n// \"--flags\" in comments are fine\n--i;\n", None),
}


def self_test(tree):
    """Each planted file must be found out, for its own reason, and an innocent one must not."""
    with tempfile.TemporaryDirectory() as copy:
        for folder in ("include", "src"):
            shutil.copytree(Path(tree) / folder, Path(copy) / folder)
        source = Path(copy) / "src" / "polyad"
        for name, (text, _) in PLANTED.items():
            (source / name).parent.mkdir(exist_ok=True)
            (source / name).write_text(text)
        command = Path(copy) / "apps" / "polyad"
        command.mkdir(parents=True)
        (command / "planted.cpp").write_text('  fmt::print("{}", label);\n')
        _, problems = check_tree(copy)
        if not any(p.startswith("apps/polyad/planted.cpp") for p in problems):
            return "a command that prints on its own was not found"
        for name, (_, reason) in PLANTED.items():
            found = [p for p in problems if p.startswith(name.removeprefix("../../") + ":")]
            if reason is None and found:
                return f"innocent file was blamed: {found}"
            if reason is not None and not (len(found) == 1 and reason in found[0]):
                return f"{name}: expected one problem with '{reason}', found {found}"
        (source / "base" / "CMakeLists.txt").write_text("polyad_module(base DEPENDS fit)\n")
        try:
            check_tree(copy)
        except SystemExit as stop:
            return "" if "circle" in str(stop) else str(stop)
        return "a circle of arrows was not found"


def main():
    arguments = sys.argv[1:]
    own_tree = Path(__file__).resolve().parents[2]
    if arguments == ["--self-test"]:
        sys.exit(self_test(own_tree) or 0)
    count, problems = check_tree(arguments[0] if arguments else own_tree)
    print("\n".join(problems) if problems else f"{count} files obey the arrows")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

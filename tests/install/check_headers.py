#!/usr/bin/env python3
"""Compiles every public header alone, and a program that includes all of them; sees what they include and how long it takes.

    check_headers.py COMPILER INCLUDE_FOLDER [--seconds LIMIT]

- Each header is a program of its own (-fsyntax-only, warnings are errors), with nothing but INCLUDE_FOLDER on the path.
- What a program with all headers includes, all told, lies in INCLUDE_FOLDER or in the folders of the compiler itself.
- That program with one fit compiles without optimising within LIMIT seconds of processor time (the goal is 2.5 on a
  machine of its own; the limit is generous because tests share theirs).
"""

import argparse
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """#include <polyad/polyad.hpp>
int main() {
  const auto tensor = polyad::Tensor::dense({2, 2}, {1, 2, 3, 4});
  polyad::FitOptions options;
  options.rank = 1;
  options.loss = "gaussian";
  return static_cast<int>(polyad::fit(tensor, options).model.rank());
}
"""


def compiled(compiler, arguments, text):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.cpp")
        source.write_text(text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run([compiler, "-std=c++20", "-O0", *arguments, source, "-o", Path(folder, "out")], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ran.returncode, ran.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def system_folders(compiler):
    """Where the compiler looks by itself."""
    ran = subprocess.run([compiler, "-E", "-x", "c++", "-v", "/dev/null"], text=True, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, check=True)
    listed = ran.stderr.split("search starts here:")[-1].split("End of search list")[0]
    return [Path(line.strip()).resolve() for line in listed.splitlines() if line.strip()]


def is_of_the_compiler(path, folders):
    """The C++ library, the compiler's own headers, and what they take from the C library: not /usr/include/fmt."""
    if any(folder in path.parents and "c++" in folder.as_posix() for folder in folders):
        return True
    if any(folder in path.parents and re.search(r"/(gcc|clang)", folder.as_posix()) for folder in folders):
        return True
    for folder in folders:
        if folder in path.parents:
            first = path.relative_to(folder).parts
            return len(first) == 1 or first[0] in ("bits", "sys", "gnu", "asm", "asm-generic", "linux")
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("compiler")
    parser.add_argument("include", type=Path)
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    include = arguments.include.resolve()
    problems = []
    headers = sorted(include.glob("polyad/**/*.hpp"))
    if len(headers) < 10:
        problems.append(f"only {len(headers)} headers in {include}")
    for header in headers:
        name = header.relative_to(include).as_posix()
        code, text, _ = compiled(arguments.compiler,
                                 [f"-I{include}", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"],
                                 f"#include <{name}>\n#include <{name}>\nint main() {{}}\n")
        if code != 0:
            problems.append(f"{name} does not compile alone:\n{text}")
    everything = "".join(f"#include <{h.relative_to(include).as_posix()}>\n" for h in headers)
    code, text, _ = compiled(arguments.compiler, [f"-I{include}", "-H", "-fsyntax-only"], everything)
    folders = system_folders(arguments.compiler)
    for line in text.splitlines():
        found = re.fullmatch(r"\.+!? (/.*)", line)
        path = Path(found.group(1)).resolve() if found else None
        if path and include not in path.parents and not is_of_the_compiler(path, folders):
            problems.append(f"a public header includes {path}")
    code, text, seconds = compiled(arguments.compiler, [f"-I{include}", "-c"], PROGRAM)
    if code != 0:
        problems.append(f"a first program does not compile:\n{text}")
    print(f"{len(headers)} headers; a first program compiles in {seconds:.2f} s of processor time")
    if seconds > arguments.seconds:
        problems.append(f"that is more than {arguments.seconds} s")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

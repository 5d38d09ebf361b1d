#!/usr/bin/env python3
"""Runs what the documentation shows, so that a reader's first five minutes never rot.

    run_documents.py --polyad COMMAND --tree TREE FILE.md...

- Every ```sh block of a file runs, in order, in one empty folder, with the given command as `polyad`. Lines about
  getting and building polyad itself (git, cd, ./scripts/...) are left out: other tests do those.
- Every ```cpp and ```cmake block must stand, line by line, in one of the files under examples/, which are built and
  run elsewhere.
- A block is left out if the line before it is <!-- not run: reason -->.
- Links to files of the tree must lead somewhere.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
LEFT_OUT = ("git ", "cd ", "./scripts/", "xdg-open ")


def blocks(markdown, *languages):
    """The texts of fenced blocks in one of the languages, but for those that are marked as not to be run."""
    before, language, text = "", None, []
    for line in map(str.strip, markdown.splitlines()):
        if line.startswith("```") and language is None:
            language, text = line[3:], []
        elif line == "```":
            if language in languages and not before.startswith("<!-- not run:"):
                yield "\n".join(text)
            before, language = line, None
        elif language is not None:
            text.append(line)
        else:
            before = line


def shell_text(markdown):
    lines = [line for text in blocks(markdown, "sh") for line in text.splitlines()]
    return "\n".join(line for line in lines if not line.startswith(LEFT_OUT))


def run_shell(name, script, polyad):
    """Problems met while running; the script stops at the first command that fails."""
    if not script.strip():
        return []
    with tempfile.TemporaryDirectory() as folder:
        commands, work = Path(folder, "bin"), Path(folder, "work")
        commands.mkdir()
        work.mkdir()
        (commands / "polyad").symlink_to(Path(polyad).resolve())
        environment = dict(os.environ, PATH=f"{commands}:{os.environ['PATH']}")
        ran = subprocess.run(["bash", "-euxo", "pipefail", "-c", script], cwd=work, env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(ran.stdout)
    return [f"{name}: a command failed with {ran.returncode}; it is the last one shown above"] if ran.returncode else []


def stripped_lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def check_code(name, markdown, tree):
    examples = [set(stripped_lines(path.read_text())) for path in (tree / "examples").rglob("*") if path.is_file()]
    for text in blocks(markdown, "cpp", "cmake"):
        lines = stripped_lines(text)
        best = min(([line for line in lines if line not in example] for example in examples), key=len)
        if best:
            yield f"{name}: this code is in no file of examples/; it lacks: {best[0]}"


def check_links(path, markdown):
    for target in LINK.findall(markdown):
        if not (path.parent / target).exists():
            yield f"{path.name}: the link to {target} leads nowhere"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--polyad", required=True)
    parser.add_argument("--tree", required=True, type=Path)
    parser.add_argument("files", nargs="+", type=Path)
    arguments = parser.parse_args()
    problems = []
    for path in arguments.files:
        markdown = path.read_text()
        problems += run_shell(path.name, shell_text(markdown), arguments.polyad)
        problems += check_code(path.name, markdown, arguments.tree)
        problems += check_links(path, markdown)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

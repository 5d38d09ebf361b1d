#!/usr/bin/env python3
"""Compares docs/reference.md, and the table of formats in docs/formats.md, with what the program prints, so that the pages never
fall behind the lists.

    check_reference.py POLYAD FILE             fails where they differ; FILE is docs/reference.md
    check_reference.py POLYAD FILE --update    writes the pages again
"""

import difflib
import re
import subprocess
import sys
from pathlib import Path

TABLE = re.compile(r"^\| format \|.*\n(?:\|.*\n)+", re.MULTILINE)


def main():
    polyad, page = sys.argv[1], Path(sys.argv[2])
    formats = page.parent / "formats.md"
    printed = subprocess.run([polyad, "reference"], capture_output=True, text=True, check=True).stdout
    table = TABLE.search(printed).group()
    wanted = {page: printed, formats: TABLE.sub(lambda _: table, formats.read_text(), count=1)}
    if "--update" in sys.argv[3:]:
        for path, text in wanted.items():
            path.write_text(text)
        return 0
    differences = []
    for path, text in wanted.items():
        written = path.read_text()
        differences += difflib.unified_diff(written.splitlines(), text.splitlines(), str(path), "polyad reference", lineterm="")
        if not TABLE.search(written):
            differences.append(f"{path}: the table of formats is missing")
    print("\n".join(differences) or f"{page.name} and {formats.name} are what 'polyad reference' prints")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares docs/reference.md with what the program prints, so that the page never falls behind the lists.

    check_reference.py POLYAD FILE             fails where they differ
    check_reference.py POLYAD FILE --update    writes the file again
"""

import difflib
import subprocess
import sys
from pathlib import Path


def main():
    polyad, page = sys.argv[1], Path(sys.argv[2])
    printed = subprocess.run([polyad, "reference"], capture_output=True, text=True, check=True).stdout
    if "--update" in sys.argv[3:]:
        page.write_text(printed)
        return 0
    written = page.read_text()
    differences = list(difflib.unified_diff(written.splitlines(), printed.splitlines(), str(page), "polyad reference", lineterm=""))
    print("\n".join(differences) or f"{page.name} is what 'polyad reference' prints")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

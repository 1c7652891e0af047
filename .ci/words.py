#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the words of the articles that are written by hand, code included, and fails where they are too many to be read.

usage: .ci/words.py

Pages that a test writes, and the table of the rules of CoreBluetooth, which is looked up and not read, do not count. README counts by itself.
"""

import glob
import re
import sys

MOST, MOST_OF_README = 45_000, 1_000
NOT_COUNTED = re.compile(r"/(?:Services/[^/]+|Characteristics|PlatformTable|FaultMatrix|BlueCapCoreBluetooth/Documentation\.docc/Rules)\.md$")


def words(path: str) -> int:
    with open(path, encoding="utf-8") as file:
        return len(file.read().split())


def main() -> int:
    paths = [path for path in glob.glob("Sources/*/Documentation.docc/**/*.md", recursive=True) if not NOT_COUNTED.search(path)]
    counts = sorted(((words(path), path) for path in paths), reverse=True)
    for count, path in counts:
        print(f"{count:6}  {path}")
    total, readme = sum(count for count, _ in counts), words("README.md")
    print(f"{total:6}  in {len(counts)} articles by hand, {MOST} at the most\n{readme:6}  README.md, {MOST_OF_README} at the most")
    if total > MOST or readme > MOST_OF_README:
        print("error: there is more to read than that")
        return 1
    return 0


sys.exit(main())

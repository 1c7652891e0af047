#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# topics.py TARGET GRAPHS CATALOG: whether each public declaration at the top level of a target stands under "## Topics" in
# its catalogue. GRAPHS is the folder of its symbol graphs, as `docs` of .ci/run extracts them. DocC groups the rest by kind
# at the end of the page, where nobody finds it. A deprecated name says by itself what it is called now.
import glob
import json
import os
import re
import sys

NAMED = re.compile(r"^- ``([^`]+)``$")


def declared(graphs: str, target: str) -> set[str]:
    """The names of what a target declares as public at its top level, with what it shows of other modules as its own."""
    names: set[str] = set()
    # The other files have what the target adds to types of other modules.
    with open(os.path.join(graphs, f"{target}.symbols.json"), encoding="utf-8") as file:
        for symbol in json.load(file)["symbols"]:
            path = symbol["pathComponents"]
            is_type = not symbol["kind"]["identifier"].endswith("extension")
            is_current = not any(
                item.get("isUnconditionallyDeprecated") or item.get("isUnconditionallyUnavailable")
                for item in symbol.get("availability", []))
            if len(path) == 1 and is_type and is_current:
                names.add(path[0])
    return names


def grouped(catalog: str, target: str) -> set[str]:
    """The names under "## Topics" in any page of a catalogue."""
    names: set[str] = set()
    for path in glob.glob(os.path.join(catalog, "**", "*.md"), recursive=True):
        with open(path, encoding="utf-8") as file:
            topics = file.read().partition("\n## Topics\n")[2]
        names.update(match.group(1).removeprefix(f"{target}/") for line in topics.split("\n") if (match := NAMED.match(line)))
    return names


def main() -> int:
    target, graphs, catalog = sys.argv[1:]
    names = declared(graphs, target)
    lacking = sorted(names - grouped(catalog, target))
    for name in lacking:
        print(f"error: {name} of {target} stands in no group under Topics of {catalog}")
    if not lacking:
        print(f"{target}: {len(names)} declarations in groups")
    return 1 if lacking else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# topics.py TARGET GRAPHS CATALOG: whether each public declaration of a target stands under "## Topics" in its catalogue. GRAPHS
# is the folder of its symbol graphs, as `docs` of .ci/run extracts them. DocC groups the rest by kind at the end of the page,
# where nobody finds it. A deprecated name says by itself what it is called now.
#
# That is so for all that is declared at the top level. Members are looked at where a page of their type groups them: a page in
# the catalogue that is called "# ``Target/Type``" groups all of them, each overload for itself. A type with more than LIMIT
# different methods, properties and initialisers needs such a page; what a type has for a protocol of the standard library, and
# cases and constants, of which a list is as good, neither count nor have to stand in a group.
import collections
import glob
import json
import os
import re
import sys

NAMED = re.compile(r"^- ``([^`]+)``$")
TITLE = re.compile(r"^# ``([^`]+)``$", re.MULTILINE)
LIMIT = 25
COUNTED = {"init", "method", "property", "subscript", "type.method"}
GROUPED = COUNTED | {"actor", "class", "enum", "protocol", "struct", "typealias"}
STANDARD = {
    "==(_:_:)", "<(_:_:)", "hash(into:)", "description", "debugDescription", "encode(to:)", "init(from:)", "init(arrayLiteral:)",
    "makeAsyncIterator()", "unownedExecutor",
}


def declared(graphs: str, target: str) -> tuple[set[str], dict[str, list[str]], dict[str, set[str]]]:
    """The names of what a target declares as public at its top level, with what it shows of other modules as its own, and by
    type the names of members that a page has to group, one for each overload, and of those that count."""
    names: set[str] = set()
    members: dict[str, list[str]] = collections.defaultdict(list)
    counted: dict[str, set[str]] = collections.defaultdict(set)
    # The other files have what the target adds to types of other modules.
    with open(os.path.join(graphs, f"{target}.symbols.json"), encoding="utf-8") as file:
        for symbol in json.load(file)["symbols"]:
            *parents, name = symbol["pathComponents"]
            kind = symbol["kind"]["identifier"].removeprefix("swift.")
            is_current = not any(
                item.get("isUnconditionallyDeprecated") or item.get("isUnconditionallyUnavailable")
                for item in symbol.get("availability", []))
            if not is_current or kind.endswith("extension"):
                continue
            if not parents:
                names.add(name)
            elif name not in STANDARD and kind in GROUPED:
                members["/".join(parents)].append(name)
                if kind in COUNTED:
                    counted["/".join(parents)].add(name)
    return names, members, counted


def grouped(catalog: str, target: str) -> tuple[set[str], dict[str, list[str]]]:
    """The names under "## Topics" in any page of a catalogue that is about no type, and by type those in its own page."""
    names: set[str] = set()
    members: dict[str, list[str]] = {}
    for path in glob.glob(os.path.join(catalog, "**", "*.md"), recursive=True):
        with open(path, encoding="utf-8") as file:
            head, _, topics = file.read().partition("\n## Topics\n")
        links = [match.group(1).removeprefix(f"{target}/") for line in topics.split("\n") if (match := NAMED.match(line))]
        title = TITLE.search(head)
        if not links:
            continue
        if title and title.group(1) != target:
            # An overload has what tells it from the others behind its name.
            members[title.group(1).removeprefix(f"{target}/")] = [re.split(r"(?<=.)-(?=[(>0-9a-z])", link)[0] for link in links]
        else:
            names.update(links)
    return names, members


def main() -> int:
    target, graphs, catalog = sys.argv[1:]
    names, members, counted = declared(graphs, target)
    in_groups, by_type = grouped(catalog, target)
    lacking = [f"{name} of {target}" for name in sorted(names - in_groups)]
    for owner, links in sorted(by_type.items()):
        left = collections.Counter(members[owner]) - collections.Counter(links)
        lacking += [f"{owner}/{name} of {target}" for name in sorted(left.elements())]
    for name in lacking:
        print(f"error: {name} stands in no group under Topics of {catalog}")
    long = sorted(owner for owner, found in counted.items() if len(found) > LIMIT and owner not in by_type)
    for owner in long:
        print(f"error: {owner} of {target} has {len(counted[owner])} members, and no page in {catalog} that groups them")
    if lacking or long:
        return 1
    print(f"{target}: {len(names)} declarations in groups, and {sum(map(len, by_type.values()))} members of {len(by_type)} types")
    return 0


sys.exit(main())

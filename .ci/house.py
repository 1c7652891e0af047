#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks whether the house is in order: what a reader who opens a folder or a file may rely on.

usage: .ci/house.py [circles]

- A file of a target is named after a type that it defines or extends, and a public type stands in the file of its name.
  A protocol may have the types that conform to it in its file, where each is a few lines.
- Folders of one target do not depend on each other in a circle: a folder depends on another when it names a type that is
  declared there. Tests/ and the program are not looked at.
- Every target has the package's prefix, as target names are global in a package graph.
- A target declares the targets that it imports, and no others.

With "circles" it prints which types make the folders of each target depend on each other.
"""

import json
import os
import re
import subprocess
import sys

ATTRIBUTES = r"^(?:@[\w(): .,]+ )*"
DECLARATION = re.compile(
    ATTRIBUTES + r"(?:(public|package|internal|fileprivate|private|open) )?(?:(?:final|indirect|nonisolated) )*"
    r"(struct|class|enum|actor|protocol|typealias|macro) (\w+)(?:<[^>]*>)?(?:: ([\w., ]+))?"
)
EXTENSION = re.compile(ATTRIBUTES + r"(?:\w+ )?extension ([\w.]+)")
IMPORT = re.compile(r"^(?:@\S+ )?(?:(?:public|package) )?import (?:\w+ )?(\w+)")
# Files of functions, of re-exports, of macros that are declared together, and of what Foundation adds.
NAMED_OTHERWISE = {"Exports.swift", "Shutdown.swift", "CommandRun.swift", "Layout.swift", "Foundation+SerDe.swift", "Expectations.swift"}


def sources(folder):
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".swift"):
                yield os.path.join(root, name)


class File:
    """What one file declares at its top level, and its text without comments and literals."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        matches = [match for line in lines if (match := DECLARATION.match(line)) and not IMPORT.match(line)]
        self.types = [(access or "internal", kind, name, refined or "") for access, kind, name, refined in (m.groups() for m in matches)]
        self.declared = set(re.findall(r"\b(?:struct|class|enum|actor|protocol|typealias|associatedtype) (\w+)", "\n".join(lines)))
        self.extended = {match.group(1) for line in lines if (match := EXTENSION.match(line))}
        self.imports = {match.group(1) for line in lines if (match := IMPORT.match(line))}
        code = (re.sub(r'"(?:\\.|[^"\\])*"', "", line).split("//")[0] for line in lines if not IMPORT.match(line))
        self.words = set(re.findall(r"(?<![.\w])[A-Z]\w*", "\n".join(code)))


def misnamed(file):
    if file.name in NAMED_OTHERWISE:
        return
    stem = file.name.removesuffix(".swift")
    named = stem.split("+")[0]
    known = {name for _, _, name, _ in file.types}
    for extended in file.extended:
        known |= {extended, extended.split(".")[0], extended.split(".")[-1]}
    if named not in known:
        yield f"{file.path}: neither defines nor extends {named}"
    for access, kind, name, refined in file.types:
        if access != "public" or name == stem or kind in ("typealias", "macro"):
            continue
        if named not in re.split(r"[, ]+", refined):
            yield f"{file.path}: {name} belongs into a file of its own"


def first(file, folder):
    """The folder of a target that a file belongs to, however deep it lies in there."""
    return os.path.relpath(os.path.dirname(file.path), folder).split(os.sep)[0]


def circles(folder, files, tells):
    """The pairs of folders of a target that need each other, directly or by way of others."""
    home, needs, why = {}, {}, {}
    for file in files:
        part = first(file, folder)
        for access, _, name, _ in file.types:
            if access not in ("private", "fileprivate"):
                home[name] = part
    for file in files:
        part = first(file, folder)
        own = file.declared
        for word in file.words - own:
            other = home.get(word)
            if other and other != part:
                needs.setdefault(part, set()).add(other)
                why.setdefault((part, other), set()).add(f"{word} ({file.name})")
    reach = {part: set(others) for part, others in needs.items()}
    grown = True
    while grown:
        grown = False
        for part, others in reach.items():
            more = set().union(*(reach.get(other, set()) for other in others)) - others
            others |= more
            grown = grown or bool(more)
    for (part, other), words in sorted(why.items()):
        if part in reach.get(other, set()):
            yield f"{folder}: {part} needs {other}, and {other} needs {part}" + (
                f": {', '.join(sorted(words))}" if tells else "")


def targets():
    package = json.loads(subprocess.run(["swift", "package", "dump-package"], capture_output=True, check=True).stdout)
    names = {target["name"] for target in package["targets"]}
    for target in package["targets"]:
        name = target["name"]
        if not name.lower().removeprefix("c").startswith("bluecap"):
            yield f"target {name} has no prefix"
        if target["type"] == "system":
            continue
        folder = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + name
        declared = {next(iter(item.values()))[0] for item in target["dependencies"] if "product" not in item} & names
        used = set().union(*(File(path).imports for path in sources(folder))) & names - {name}
        for other in sorted(used - declared):
            yield f"target {name} imports {other} and does not declare it"
        for other in sorted(declared - used - {"BlueCapMacros"}):
            yield f"target {name} declares {other} and does not import it"


def main():
    found = list(targets())
    for target in sorted(os.listdir("Sources")):
        folder = os.path.join("Sources", target)
        files = [File(path) for path in sources(folder)]
        for file in files:
            found += misnamed(file)
        # The virtual radio's folders still need each other.
        if target not in ("BlueCapCommand", "BlueCapVirtual"):
            found += circles(folder, files, "circles" in sys.argv)
    print("\n".join(found))
    return 1 if found else 0


sys.exit(main())

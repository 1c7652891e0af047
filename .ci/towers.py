#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks for closures that may grow by each use: a tower of thunks, which costs more with each value and ends the stack at last.

usage: .ci/towers.py [FOLDER]

A closure that goes into a generic function or container is wrapped into a thunk of the compiler, as generic code passes parameters
and results otherwise, and one that comes out of it is wrapped into another. `wake = wake ?? make()` does both each time and stores the
result: after n times a call of `wake` has 2n frames of thunks. This reads the objects of a debug build (FOLDER, or .build/debug), in
which a function's thunks stand in its code, and refuses each function that uses the thunks of one type in both directions. It is
mended with an `if let` in the place of `??`, `map` or `take()`, or with a struct that has the closure as its property, in the place of
a bare closure or of a tuple with one as a generic argument: nothing is wrapped then.

What is taken out in one function and stored again in another is not found here: StackDepthTests and the late rows of
`Benchmarks/pipeline --gate` find a tower on the way of values by its depth and its cost. Modules of tests are not looked at.
"""

import glob
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

THUNK = re.compile(r"(\$s\w+TR)(?:TA)?(?:\.\d+)?\b")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
NAMED = re.compile(r"reabstraction thunk helper (?:<.*?> )?from (.*) to (@escaping .*)$")


def run(command: list[str], text: str | None = None) -> list[str]:
    return subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout.splitlines()


def demangled(symbols: list[str]) -> list[str]:
    return run(["swift", "demangle", "--compact"], "\n".join(symbols) + "\n") if symbols else []


def thunks_of(objects: list[str]) -> dict[str, set[str]]:
    """The thunks that each object defines."""
    found: dict[str, set[str]] = {}
    for start in range(0, len(objects), 400):
        for line in run(["nm", "--print-file-name", "--defined-only", *objects[start:start + 400]]):
            path, _, rest = line.partition(":")
            if match := THUNK.fullmatch(rest.rpartition(" ")[2]):
                found.setdefault(path, set()).add(match.group(1))
    return found


def both_ways(thunks: set[str], ways: dict[str, tuple[str, str]]) -> bool:
    known = {ways[thunk] for thunk in thunks if thunk in ways}
    return any((end, start) in known for start, end in known)


def used(path: str) -> dict[str, set[str]]:
    """The thunks that each function of an object names, in its code or in its relocations."""
    uses: dict[str, set[str]] = {}
    function = ""
    for line in run(["objdump", "--disassemble", "--reloc", "--no-show-raw-insn", path]):
        if match := FUNCTION.match(line):
            function = match.group(1)
        elif not THUNK.fullmatch(function):
            for thunk in THUNK.findall(line):
                uses.setdefault(function, set()).add(thunk)
    return uses


def main() -> int:
    folder = sys.argv[1] if len(sys.argv) > 1 else ".build/debug"
    objects = glob.glob(os.path.join(folder, "BlueCap*.build", "**", "*.o"), recursive=True)
    objects = sorted(path for path in objects if "Tests.build" not in path)
    thunks = thunks_of(objects)
    names = sorted(set().union(*thunks.values()))
    ways = {name: match.groups() for name, text in zip(names, demangled(names)) if (match := NAMED.match(text))}
    wanted = [path for path, found in thunks.items() if both_ways(found, ways)]
    places: list[tuple[str, str]] = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, uses in zip(wanted, pool.map(used, wanted)):
            module, name = os.path.basename(os.path.dirname(path)).removesuffix(".build"), os.path.basename(path).removesuffix(".o")
            places += [(function, f"{module}, {name}") for function, found in sorted(uses.items()) if both_ways(found, ways)]
    for (_, place), function in zip(places, demangled([function for function, _ in places])):
        print(f"error: {place}: {function} takes a closure out of generic code and gives it back: each time adds two thunks")
    print(f"{len(objects)} objects, {len(ways)} kinds of thunks, {len(wanted)} objects with both ways of one, {len(places)} refused")
    if len(ways) < 100:
        print("error: so few thunks are in no whole debug build of this package")
        return 1
    return 1 if places else 0


sys.exit(main())

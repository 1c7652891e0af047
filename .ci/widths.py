#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks for code that ends the program, or does not compile, where an Int has 32 bits, though a machine with 64 takes it.

usage: .ci/widths.py [--scratch-path FOLDER] [MODULE…]

`Int(x)` of a UInt32, a UInt64 or an Int64 is written like that of a byte, and traps on a machine with 32 bits for a number that one
with 64 takes. The compiler has no word for it, but knows the types: this reads its syntax tree, made with the flags of the last
`swift build`, so it needs a build, and sees no code of traits that are off. It looks at all modules that read what others wrote: on the
radio, on the bus, in a file, on a terminal or at a broker, and for literals at all others. It refuses

- `Int(x)` and `UInt(x)` of a type that may be longer than 32 bits. Such a number is made an Int by `Int(exactly:)`, `Int(clamping:)` or `Int(truncatingIfNeeded:)`; where the code shows that it is short, a comment on
  its line or above it that begins with "WIDTH:" says how.
- a literal of type Int or UInt that needs more than 32 bits.
- a sum, a difference, a product or a shift of literals that does.

The standard library of this toolchain exists for 64 bits only, but for Embedded Swift, which Core cannot be compiled in. So it is
not compiled for 32 bits here, nor for the watches that have them (arm64_32); sums and products of numbers that are no literals, and
`self.init` in an extension of Int, are not looked at. A build on Linux has few files of BlueCapCoreBluetooth: the step `corebluetooth`
looks at it as it is built over the stand-in, in another folder.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from compilation import arguments

# Those that read nothing: names and re-exports, code for one machine, and the suite's own worlds. Of these the literals count alone.
OTHERS = {"BlueCap", "BlueCapPlatform", "BlueCapLayout", "BlueCapMacros", "BlueCapTesting", "BlueCapSimulate"}
MODULES = sorted(name for name in os.listdir("Sources") if name.startswith("BlueCap"))
# About as many conversions as they have. A tree that is written otherwise by another compiler is no proof.
LEAST = 150
# What always fits into 32 bits, with or without a sign. A pthread_t is an UInt where DBus runs, and an identity elsewhere.
SHORT = {"Int": {
    "Int", "Int8", "UInt8", "Int16", "UInt16", "Int32", "CInt", "String.UTF8View.Element", "Bytes.Element", "Slice<Bytes>.Element",
    "UnsafeRawBufferPointer.Element", "UnsafeMutableRawBufferPointer.Element",
}}
SHORT["UInt"] = SHORT["Int"] | {"UInt", "UInt32", "pthread_t"}
CONVERSION = re.compile(
    r'type="\((U?Int)\.Type\) -> \([^"]*\) -> [^"]*" location=(\S+?):(\d+):\d+ .*?'
    r'decl="Swift\.\(file\)\.(?:(?:Uns|S)ignedInteger extension\.init\(_:\) \[.* T -> ([^\]]+)\)\]|U?Int\.init\(_:\))"')
LITERAL = re.compile(r'\(integer_literal_expr type="(U?Int)" location=(\S+?):(\d+):\d+ .*?value="(-?\d+)"')


NODE = re.compile(r'( *)\((?:\w+=)?(\w+)')
NUMBER = re.compile(r'type="(U?Int)" location=(\S+?):(\d+):\d+ ')
OPERATOR = re.compile(r'decl="Swift\.\(file\)\.[^"]*?\.(\+|-|\*|<<)(?: \[|")')
VALUE = re.compile(r' value="(-?\d+)"')
OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "<<": lambda a, b: a << b if 0 <= b < 128 else 0}


class Operation:
    """An operator with its operands, as the lines of the tree come."""

    def __init__(self, indent: int, place: re.Match):
        self.indent, self.place = indent, place
        self.operator: str | None = None
        self.operands: list[int | None] = []
        self.awaited = -1

    def take(self, indent: int, kind: str, node: str):
        """A line below the operator: its name, or an operand, which stands in an argument and may stand in parentheses."""
        if kind == "argument" and indent == self.indent + 4:
            self.operands.append(None)
            self.awaited = indent + 2
        elif indent == self.awaited and kind == "paren_expr":
            self.awaited += 2
        elif indent == self.awaited and kind == "integer_literal_expr":
            if match := VALUE.search(node):
                self.operands[-1] = int(match[1])
        elif not self.operator and not self.operands and (match := OPERATOR.search(node)):
            self.operator = match[1]

    @property
    def value(self) -> int | None:
        if self.operator is None or len(self.operands) != 2 or None in self.operands:
            return None
        return OPERATORS[self.operator](*self.operands)


def operations(tree: list[str]):
    """The operations on literals: their value, and the place in the source."""
    open_: list[Operation] = []
    for node in [*tree, "("]:
        if not open_ and 'binary_expr type="' not in node:
            continue
        match = NODE.match(node)
        if not match:
            continue
        indent, kind = len(match[1]), match[2]
        while open_ and indent <= open_[-1].indent:
            done = open_.pop()
            if (value := done.value) is not None:
                yield value, done.place
                if open_ and done.indent == open_[-1].awaited:
                    open_[-1].operands[-1] = value
        if open_:
            open_[-1].take(indent, kind, node)
        if kind == "binary_expr" and (place := NUMBER.search(node)):
            open_.append(Operation(indent, place))


def fits(target: str, value: int) -> bool:
    low, high = (-(1 << 31), (1 << 31) - 1) if target == "Int" else (0, (1 << 32) - 1)
    return low <= value <= high


def explained(path: str, number: int, lines: dict[str, list[str]]) -> bool:
    """Whether a comment on the line or right above it says why a number is short."""
    if path not in lines:
        with open(path, encoding="utf-8") as file:
            lines[path] = file.read().split("\n")
    above = number - 1
    if "// WIDTH:" in lines[path][above]:
        return True
    while above > 0 and lines[path][above - 1].strip().startswith("//"):
        above -= 1
        if lines[path][above].strip().startswith("// WIDTH:"):
            return True
    return False


def frontend(driver: list[str]) -> list[str]:
    """The one job that prints the syntax trees of a module; the compiler's driver would begin one for each file, which takes ten times as long."""
    with open(driver[-1].removeprefix("@"), encoding="utf-8") as file:
        sources = [word for line in file for word in shlex.split(line)]
    jobs = subprocess.run(driver + ["-dump-ast", "-suppress-warnings", "-driver-print-jobs"], capture_output=True, text=True, check=True).stdout
    words = iter(shlex.split(jobs.split("\n", 1)[0]))
    kept: list[str] = []
    for word in words:
        if word in ("-filelist", "-primary-file", "-o"):
            next(words)
        elif word not in sources:
            kept.append(word)
    return kept + [word for source in sources for word in ("-primary-file", source, "-o", "-")]


def look(module: str, build: str) -> tuple[int, set[tuple[str, int, str]]]:
    """How many conversions a module has, and the places that are refused."""
    compiled = subprocess.run(frontend(arguments(module, build)), capture_output=True, text=True, check=False)
    tree = (compiled.stdout + compiled.stderr).split("\n")
    found: set[tuple[str, int, str]] = set()
    if compiled.returncode != 0:
        found.add((module, 0, "is not compiled: " + next((line for line in tree if ": error:" in line), "no error")))
    count, lines, root = 0, dict[str, list[str]](), os.getcwd() + "/"
    for node in tree:
        if match := CONVERSION.search(node):
            target, path, number, source = match.groups()
            count += module not in OTHERS
            path = path.removeprefix(root)
            if module not in OTHERS and (source or "a fraction") not in SHORT[target] and not explained(path, int(number), lines):
                found.add((path, int(number), f"{target}(…) of {source or 'a fraction'} traps on 32 bits"))
        elif match := LITERAL.search(node):
            target, path, number, value = match.groups()
            if not fits(target, int(value)):
                found.add((path.removeprefix(root), int(number), f"{value} is no {target} of 32 bits"))
    for value, place in operations(tree):
        target, path, number = place.groups()
        if not fits(target, value):
            found.add((path.removeprefix(root), int(number), f"{value} is no {target} of 32 bits"))
    return count, found


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--scratch-path", default=".build")
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    named, build = options.modules, f"{options.scratch_path}/debug.yaml"
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda module: look(module, build), named or MODULES))
    found = set().union(*(places for _, places in results))
    for path, number, fault in sorted(found):
        print(f"{path}:{number}: {fault}")
    count = sum(count for count, _ in results)
    print(f"{count} conversions looked at, {len(found)} refused")
    return 1 if found or count < (1 if named else LEAST) else 0


if __name__ == "__main__":
    sys.exit(main())

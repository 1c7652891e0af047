# SPDX-License-Identifier: MIT
"""The examples, and the programs of README.md and of articles, for macOS and iOS."""

import re
from pathlib import Path

from platforms import Failure, Outcome, Platform, written

# Where each is compiled. iOS has apps and no programs, which changes nothing for the compiler.
PLATFORMS = ("macos", "ios")
SETTINGS = ["-swift-version", "6", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault", "-warnings-as-errors"]
# Targets of examples that are not compiled.
LEFT_OUT = {
    "Daemon": "it is a service of systemd, on Linux",
    "Web": "its server is a package of the network",
}
# The articles about apps.
ARTICLES = ("README.md", *(f"Sources/BlueCap/Documentation.docc/{name}.md" for name in (
    "GettingStarted", "MovingFromCoreBluetooth", "SeveralDevices")))
BLOCK = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DECLARATION = re.compile(r"(?:///|func |struct |enum |actor |final class |extension )")


class Program:
    """A module of files."""

    def __init__(self, name: str, files: list[Path], imports: list[str]):
        self.name, self.files, self.imports = name, files, imports

    def compiled(self, platform: Platform) -> Outcome:
        """The end of a compiler's call. Code at the top of a file needs the form of a script."""
        is_script = any(path.name == "main.swift" for path in self.files)
        flags = [flag for flag in platform.flags if not (is_script and flag == "-parse-as-library")]
        folder = platform.folder / "programs"
        folder.mkdir(exist_ok=True)
        return platform.toolchain.run([
            "-emit-module", "-o", str(folder / f"{self.name}.swiftmodule"), "-module-name", self.name, *map(str, self.files),
            *SETTINGS, "-I", str(folder), *flags])


def examples(root: Path) -> list[Program]:
    """The targets of the examples, libraries first."""
    folders = sorted((root / "Examples").glob("*/Sources/*"))
    if gone := LEFT_OUT.keys() - {folder.name for folder in folders}:
        raise Failure(f"programs.py leaves out what is not there: {', '.join(sorted(gone))}")
    found = []
    for folder in folders:
        files = sorted(folder.rglob("*.swift"))
        if folder.name in LEFT_OUT or not files:
            continue
        text = "\n".join(path.read_text(encoding="utf-8") for path in files)
        found.append(Program(folder.name, files, re.findall(r"^(?:public )?import (\w+)", text, re.MULTILINE)))
    names = {program.name for program in found}
    return sorted(found, key=lambda program: len(names & set(program.imports)))


def listings(root: Path, scratch: Path) -> list[Program]:
    """The programs of the articles, each with what its article declares."""
    found = []
    for article in ARTICLES:
        blocks = [
            block for block in BLOCK.findall((root / article).read_text(encoding="utf-8"))
            if "PackageDescription" not in block and not block.startswith(".package(")]
        declared = [block for block in blocks if DECLARATION.match(block)]
        for number, program in enumerate([block for block in blocks if block.startswith("import ")] or [""], 1):
            name = f"{Path(article).stem}{number}"
            path = scratch / "programs" / name / ("main.swift" if program else "Declarations.swift")
            written(path, "\n".join(["import BlueCap", program, *declared]))
            found.append(Program(name, [path], []))
    return found

# SPDX-License-Identifier: MIT
"""Keeps the stubs small: a declaration that no target, no header of CoreBluetooth and no other stub uses is refused, and each
module's page of documentation is named in stubs.tsv."""

import csv
import re
from pathlib import Path

SWIFT = re.compile(
    r"^ *(?:@\w+(?:\([^)]*\))? )*public (?:(?:static|class|final|convenience|borrowing|open) )*"
    r"(?:func|var|let|struct|class|enum|protocol|typealias|init)\b *`?(\w*)", re.MULTILINE)
OPEN = re.compile(r"^ *open (?:class|func|var) (\w+)", re.MULTILINE)
C = re.compile(r"(?:^#define (\w+)|\b(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\);|^typedef [^;{]*?\b(\w+);|^@interface (\w+)|^@protocol (\w+)$)", re.MULTILINE)
# What the compiler looks for by these names.
OF_THE_COMPILER = re.compile(r"^_|^(?:init|hash|rawValue|errorDomain|errorCode|errorUserInfo|boolValue|ObjCBool)$")


def declared(path: Path) -> set[str]:
    """The names that a file of a stub declares."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".swift":
        names = set(SWIFT.findall(text)) | set(OPEN.findall(text))
    else:
        names = {name for match in C.findall(text) for name in match}
    return {name for name in names if name and not OF_THE_COMPILER.match(name)}


def unused(stubs: Path, files: list[Path], header: str) -> list[str]:
    """The declarations that nothing uses."""
    words: dict[str, int] = {}
    paths = sorted(path for path in stubs.rglob("*") if path.suffix in (".h", ".swift"))
    texts = [path.read_text(encoding="utf-8") for path in [*files, *paths]]
    texts = [text for text in texts if "\n#if BlueZ && os(Linux)\n" not in text]
    for text in [*texts, header]:
        code = re.sub(r"//.*", "", text)
        for word in re.findall(r"\w+", code):
            words[word] = words.get(word, 0) + 1
    return [
        f"{path.parent.name}/{path.name}: nothing uses {name}" for path in paths for name in sorted(declared(path))
        if words.get(name, 0) < 2
    ]


def undocumented(stubs: Path, table: Path) -> list[str]:
    """The stubs whose source is not named, and the rows without a stub."""
    with open(table, encoding="utf-8", newline="") as file:
        named = {row["module"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row["source"]}
    modules = {path.name for path in stubs.iterdir() if path.is_dir()}
    return [f"{table.name} and Stubs/ differ in {name}" for name in sorted(modules ^ named)]

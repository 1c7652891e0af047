# SPDX-License-Identifier: MIT
"""Keeps the stubs small: a declaration that no target, no header of CoreBluetooth and no other stub uses is refused, and stubs.tsv
names the page on which each is documented."""

import csv
import re
from pathlib import Path

SWIFT = re.compile(
    r"^ *(?:@\w+(?:\([^)]*\))? )*public (?:(?:static|class|final|convenience|borrowing|nonisolated|open) )*"
    r"(?:func|var|let|struct|class|enum|protocol|typealias|init)\b *`?(\w*)", re.MULTILINE)
OPEN = re.compile(r"^ *open (?:class|func|var) (\w+)", re.MULTILINE)
CASE = re.compile(r"^ *case ((?:\w+, )*\w+)", re.MULTILINE)
C = re.compile(
    r"(?:^#define (\w+)|\b(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\);|^typedef [^;{]*?\b(\w+);|^@interface (\w+)|^@protocol (\w+)\b"
    r"|^struct (\w+) \{|^\} (\w+);|^@property[^;]*?\b(\w+)(?: NS_SWIFT_NAME\(\w+\))?;|^[-+] \([^)]*\)(\w+))", re.MULTILINE)
# The names in Swift, as the compiler makes them of a header's.
IN_SWIFT = {
    "OS_dispatch_source_read": "DispatchSourceRead", "addObserverForName": "addObserver", "defaultCenter": "default",
    "mainBundle": "main", "objectForInfoDictionaryKey": "forInfoDictionaryKey", "integerValue": "intValue",
    "fileHandleWithStandardError": "standardError", "fileHandleWithStandardOutput": "standardOutput", "NSThread": "Thread",
    "initWithBlock": "Thread", "OS_dispatch_io": "DispatchIO",
}
# What the compiler looks for by these names.
OF_THE_COMPILER = re.compile(r"^_|^build[A-Z]|^(?:init|hash|rawValue|errorDomain|errorCode|errorUserInfo|boolValue|ObjCBool)$")


def declared(path: Path) -> set[str]:
    """The names that a file of a stub declares."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".swift":
        names = set(SWIFT.findall(text)) | set(OPEN.findall(text))
        names |= {name for cases in CASE.findall(text) for name in cases.split(", ")}
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
        if words.get(IN_SWIFT.get(name, name), 0) < (1 if name in IN_SWIFT else 2)
    ]


def undocumented(stubs: Path, table: Path) -> list[str]:
    """The declarations whose page is not named, and the names in the table that no stub declares."""
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    wrong = [f"{table.name} has a row of {row['module']} without a page" for row in rows if not row["source"].startswith("https://")]
    named = {(row["module"], name) for row in rows for name in row["declarations"].split()}
    there = {
        (path.parent.name, name) for path in stubs.rglob("*") if path.suffix in (".h", ".swift") for name in declared(path)}
    wrong += [f"{table.name} does not say where {name} of {module} is documented" for module, name in sorted(there - named)]
    return wrong + [f"{table.name}: the stub of {module} does not declare {name}" for module, name in sorted(named - there)]

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks whether the house is in order: what a reader who opens a folder or a file may rely on.

usage: .ci/house.py [circles]

- A file of a target is named after a type that it defines or extends, and a public type stands in the file of its name, or
  in that of the type it belongs to: the one that it conforms to or, where it has fewer than SMALL lines of code, one that
  names it or that it names.
- Folders of one target do not depend on each other in a circle: a folder depends on another when it names a type that is
  declared there. Tests/ is not looked at.
- Core re-exports each public type of the ground floor, which outsiders could not name otherwise, but for those of SPECIALISED:
  they are the package's own, and public because the compiler does not specialise `package` ones in other modules
  (Swift 6.3.1: a notification takes 17,900 instructions with them, and 7,400 without).
- Every target has the package's prefix, as target names are global in a package graph.
- A target declares the targets that it imports, and no others.
- Each public declaration has a documentation comment. In the targets in DOCUMENTED it may be missing from a witness of a
  protocol of theirs: DocC shows the text of the requirement there.
- The documentation of each public symbol of the targets in DOCUMENTED has three words at the least. Where a function or an
  initializer has two or more parameters it lists each of them, and where it throws it has "- Throws:". Operators, what
  Codable and Hashable ask for, an iterator's `next` and what is unavailable or deprecated need neither. None speaks of machines
  as of people.
- The platform's C library is imported by BlueCapPlatform alone, which knows its name on each platform.
- What the compiler takes for safe by its author's word, with `@unchecked Sendable`, `@safe` or `nonisolated(unsafe)`, has its
  proof above it, marked "// SAFETY:".
- No protocol of Core asks for a `{ get set }`: a property that a protocol extension writes cannot be private to any type.
- An actor or a class of the targets in ROOMS has at most OPEN stored properties that are not private, and a struct that is not
  public at most OPEN such variables: other state belongs to rooms, types with private state whose methods take their owner. A
  property with `_modify`, by which others write private state, counts too, and has a comment above it that says why. CROWDED has
  the types that have more, with their numbers: lower one when it gets smaller, and add none.
- A comment has 120 columns at the most, as code has by the linter.
- Articles, and the comments of the folders in PLAIN, name things: at most 4 of 1,000 words of a file are "what" or another of
  RIDDLES, which stand in the place of a noun; one in a file is always allowed.
- A task group of an example or an article joins its children by a loop, or after `cancelAll()`: `waitForAll()` waits for a child
  without an end before it throws the error of another.
- A test is called what it shows: its function has a raw identifier, by which a red line can be run again.
- A test does not sleep for real time.
- The time limit of a suite or a test is LIMIT. It is for a test that hangs: all tests run side by side, so that each takes as
  long as all of them do on a busy machine that is ten times slower.
- `bluecap --version` says the newest number of a chapter of Changes.
- A workflow names the actions that it uses by their commits, with the version behind it.
- The oldest Swift that the package takes is one version, in each manifest, article and configuration that names it.
- A maker of sensors is named in the code of their formats (FORMATS), in the Bluetooth SIG's tables and in articles: all other code
  serves each of them.
- Each rule of CoreBluetooth that the backend, its stand-in or their tests cite by its code, such as C1, stands in RULES.

With "circles" it prints which types make the folders of each target depend on each other.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator

from declarations import Conformances, Symbol, arguments, is_marked, public_symbols

ATTRIBUTES = r"^(?:@[\w(): .,]+ )*"
DECLARATION = re.compile(
    ATTRIBUTES + r"(?:(public|package|internal|fileprivate|private|open) )?(?:(?:final|indirect|nonisolated) )*"
    r"(struct|class|enum|actor|protocol|typealias|macro) (\w+)(?:<[^>]*>)?(?:: ([\w., ]+))?"
)
EXTENSION = re.compile(ATTRIBUTES + r"(?:\w+ )?extension ([\w.]+)")
IMPORT = re.compile(r"^(?:@\S+ )?(?:(?:public|package) )?import (?:\w+ )?(\w+)")
# Files of functions, of re-exports, of macros that are declared together, and of what Foundation adds.
NAMED_OTHERWISE = {"Exports.swift", "Calls.swift", "Shutdown.swift", "CommandRun.swift", "Layout.swift", "Foundation+SerDe.swift", "Expectations.swift"}
# What needs no list of parameters or of errors: the protocols that ask for these say it.
EXPLAINED_ELSEWHERE = re.compile(r"func (?:==|<|next|hash\(into|encode\(to)|init\(from ")
PEOPLE = re.compile(r"\b(?:whom|nobody|anybody|somebody|told)\b", re.IGNORECASE)
# The targets whose public documentation is looked at.
DOCUMENTED = (
    "BlueCap", "BlueCapBeacon", "BlueCapBlueZ", "BlueCapCapture", "BlueCapCore", "BlueCapCoreBluetooth", "BlueCapLayout",
    "BlueCapProfiles", "BlueCapRuntime", "BlueCapSerDe", "BlueCapSharedRadio", "BlueCapTesting", "BlueCapVendorProfiles",
    "BlueCapVirtual",
)
SMALL = 20
ROOMS, OPEN = (
    "BlueCapBlueZ", "BlueCapCore", "BlueCapCoreBluetooth", "BlueCapDBus", "BlueCapESPHome", "BlueCapGateway",
    "BlueCapKernel", "BlueCapLoop", "BlueCapSharedRadio", "BlueCapTesting", "BlueCapVirtual",
), 8
CROWDED = {
    "Sources/BlueCapCore/PeripheralRole/MutableCharacteristic.swift: Facts": 12,
    "Sources/BlueCapCore/Values/PeripheralAdvertisements.swift: Fields": 11,
    "Sources/BlueCapCoreBluetooth/CentralRole/CoreBluetoothCentralBackend.swift: CoreBluetoothCentralBackend": 11,
    "Sources/BlueCapCoreBluetooth/PeripheralRole/CoreBluetoothPeripheralBackend.swift: CoreBluetoothPeripheralBackend": 12,
    "Sources/BlueCapDBus/Connection/MatchRule.swift: BusMetrics": 9,
    # A message of the wire.
    "Sources/BlueCapESPHome/Messages/DeviceInfoResponse.swift: DeviceInfoResponse": 13,
    "Sources/BlueCapGateway/Broker/BrokerSettings.swift: BrokerSettings": 11,
    "Sources/BlueCapGateway/Devices/GatewayPlan.swift: GatewayPlan": 9,
    "Sources/BlueCapGateway/Devices/GatewayRule.swift: GatewayRule": 9,
    "Sources/BlueCapGateway/Events/GatewayNumbers.swift: GatewayNumbers": 10,
    "Sources/BlueCapTesting/Simulation/Program/RandomProgram.swift: RandomProgram": 10,
    "Sources/BlueCapTesting/Simulation/Watch/SeamWatch.swift: State": 11,
    "Sources/BlueCapVirtual/Adapter/AdapterNode.swift: AdapterNode": 12,
    "Sources/BlueCapVirtual/Link/VirtualLink.swift: VirtualLink": 16,
    "Sources/BlueCapVirtual/Peripheral/AttributeFacts.swift: AttributeFacts": 9,
    "Sources/BlueCapVirtual/Peripheral/PeripheralNode.swift: PeripheralNode": 19,
    "Sources/BlueCapVirtual/Peripheral/VirtualPeripheral.swift: PeripheralFacts": 10,
    "Sources/BlueCapVirtual/PeripheralRole/LocalPeer.swift: LocalPeer": 10,
}
MODIFIERS = r"(?:(?:public|package|internal|private|fileprivate|nonisolated|final|lazy|weak|unowned)(?:\(\w+\))? )*"
OWNER = re.compile(r"( *)(?:@[\w(): .,]+ )*(" + MODIFIERS + r")(actor|class|struct) (\w+)")
PROPERTY = re.compile(r"(?:@[\w(): .,]+ )*(" + MODIFIERS + r")(let|var) (.*)")
SPECIALISED = {"Condition", "DeadlineQueue", "DeadlineToken", "Locked", "Mailbox", "Multicaster", "OrderedTable", "RingBuffer"}
PROMISE = re.compile(r"@unchecked Sendable|nonisolated\(unsafe\)|@safe\b")


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
        self.code = [re.sub(r'"(?:\\.|[^"\\])*"', "", line).split("//")[0] for line in lines if not IMPORT.match(line)]
        self.words = words(self.code)

    def is_carried(self, name: str) -> bool:
        """Whether a type of the file is small, and what else is there names it, or it names the type that the file is called
        after."""
        begun = next(index for index, line in enumerate(self.code) if (match := DECLARATION.match(line)) and match.group(3) == name)
        end = begun if self.code[begun].rstrip().endswith("}") else self.code.index("}", begun)
        own, others = self.code[begun:end + 1], self.code[:begun] + self.code[end + 1:]
        if sum(bool(line.strip()) for line in own) >= SMALL:
            return False
        others = [line for line in others if not re.search(rf"\bextension {name}\b", line)]
        return name in words(others) or self.name.removesuffix(".swift").split("+")[0] in words(own)


def words(code: list[str]) -> set[str]:
    """The names of types in lines of code."""
    return set(re.findall(r"(?<![.\w])[A-Z]\w*", "\n".join(code)))


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
        if named not in re.split(r"[, ]+", refined) and not file.is_carried(name):
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


def unexported():
    """The public types of the ground floor that Core does not re-export."""
    with open("Sources/BlueCapCore/Exports.swift", encoding="utf-8") as file:
        exported = set(re.findall(r"^@_exported public import \w+ BlueCapRuntime\.(\w+)$", file.read(), re.MULTILINE))
    for path in sources("Sources/BlueCapRuntime"):
        for access, _, name, _ in File(path).types:
            if access == "public" and name not in exported | SPECIALISED:
                yield f"{path}: {name} is public and Core does not re-export it"


def unexplained(symbol: Symbol) -> Iterator[str]:
    """What says itself that it is public, and has no documentation."""
    if not symbol.documentation.strip() and is_marked(symbol):
        yield f"{symbol.path}:{symbol.line}: {symbol.name} is public and has no documentation"


def undocumented(symbol: Symbol, conformances: Conformances) -> Iterator[str]:
    """What the documentation of a symbol lacks."""
    if not symbol.documentation.strip() and conformances.is_witness(symbol):
        return
    place = f"{symbol.path}:{symbol.line}: {symbol.name}"
    summary = re.split(r"^\s*- [A-Z]\w+", symbol.documentation, maxsplit=1, flags=re.MULTILINE)[0]
    if len(re.findall(r"[\w`][^\s]*", summary)) < 3:
        yield f"{place} says fewer than three words: {summary.strip()}"
    if found := PEOPLE.search(symbol.documentation):
        yield f"{place} says {found.group()}: name the device, program or call"
    if symbol.kind not in ("func", "init", "subscript") or EXPLAINED_ELSEWHERE.search(symbol.signature):
        return
    if not symbol.is_available:
        return
    words, rest = arguments(symbol.signature)
    names = [each[-1] for each in words if each[-1] not in ("isolation", "_")]
    listed = set(re.findall(r"^\s*- (?:Parameter )?(\w+):", symbol.documentation, flags=re.MULTILINE))
    lacking = [name for name in names if name not in listed]
    if len(names) >= 2 and lacking:
        yield f"{place} does not say what {', '.join(lacking)} is"
    if re.search(r"\b(?:re)?throws\b", rest.split("->")[0]) and "- Throws:" not in symbol.documentation:
        yield f"{place} throws and does not say what"


def unproven(path: str) -> Iterator[str]:
    """Promises to the compiler without a proof above them."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for index, line in enumerate(lines):
        if not PROMISE.search(line.split("//")[0]):
            continue
        above = index
        while re.match(r"\s*(?://|@)", lines[above - 1]):
            above -= 1
        if not any(comment.strip().startswith("// SAFETY:") for comment in lines[above:index]):
            yield f"{path}:{index + 1}: no // SAFETY: above {line.strip()}"


# The names of the C library, and the one file that has to know them. Tests that only Linux runs may qualify a call.
C_LIBRARY = re.compile(r"^\s*(?:@\S+ )*(?:\w+ )?import (?:\w+ )?(?:Glibc|Musl|Darwin|Android|Bionic|WASILibc|ucrt|CRT|WinSDK)\b")
HOME_OF_THE_C_LIBRARY = "Sources/BlueCapPlatform/Exports.swift"
STUBS_OF_APPLES_MODULES = "Tests/Apple/Stubs/"
# Most public symbols there are Apple's, by its names, and documented there.
DOCUMENTED_BY_APPLE = (STUBS_OF_APPLES_MODULES, "Tests/Support/CoreBluetoothStandIn/")


def foreign(path):
    """The imports of the C library by its name on one platform."""
    if path == HOME_OF_THE_C_LIBRARY or path.startswith(STUBS_OF_APPLES_MODULES):
        return
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if C_LIBRARY.match(line) or (path.startswith("Sources") and re.search(r"\b(?:Glibc|Musl|Darwin)\.\w", line)):
                yield f"{path}:{number}: BlueCapPlatform has the C library, by its name on each platform"


WRITTEN_BY_HAND = ("Sources", "Tests", "Examples", "Benchmarks")
# A test and the name of its function, where that is one word.
ONE_WORD = re.compile(r"^ *@Test\b[^`]*?\bfunc (\w+) *[(<]", re.MULTILINE)


def open_state(path: str) -> Iterator[str]:
    """The requirements of Core's protocols that an extension may write."""
    if not path.startswith("Sources/BlueCapCore/"):
        return
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if re.search(r"\{ get set \}", line.split("//")[0]):
                yield f"{path}:{number}: a protocol asks for a property that its extensions write: give it a room"


def overlong(path):
    """The comments of a file that have more than 120 columns."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if len(line.rstrip("\n")) > 120 and line.lstrip().startswith("//"):
                yield f"{path}:{number}: a comment of more than 120 columns"


def unspoken(path):
    """The tests of a file that are not called what they show."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for match in ONE_WORD.finditer(text):
        if match.group(0).count("@Test") == 1:
            number = text.count("\n", 0, match.end()) + 1
            yield f"{path}:{number}: the test {match.group(1)} is not called what it shows"


RIDDLES = re.compile(r"\b(?:what|told|nobody|somebody|whom|mend\w*|anew)\b", re.IGNORECASE)
# The folders of Sources whose comments name things already, each with a slash at its end.
PLAIN = ("Sources/", "Tests/", "Examples/", "Benchmarks/")
COMMENT = re.compile(r"(?<!:)//.*")
CODE_BLOCK = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
CHANGES = "Sources/BlueCap/Documentation.docc/Changes.md"
RELEASE = re.compile(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", re.MULTILINE)


def riddles(path: str) -> Iterator[str]:
    """The file, if its text has too many RIDDLES. Chapters of Changes that are released stay as they are."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".swift"):
        text = "\n".join(COMMENT.findall(text))
    elif path == CHANGES:
        text = RELEASE.split(text)[0]
    text = CODE_BLOCK.sub("", text)
    found, words = RIDDLES.findall(text), len(re.findall(r"[A-Za-z']+", text))
    if len(found) > 1 and 1000 * len(found) > 4 * words:
        yield f"{path}: {len(found)} of {words} words are such as \"{found[0].lower()}\": name the thing"


def plain() -> Iterator[str]:
    """The Markdown files, and the Swift files of the folders in PLAIN, with too many RIDDLES."""
    for path in tracked():
        if path.endswith(".md") or (path.endswith(".swift") and path.startswith(PLAIN)):
            yield from riddles(path)


LIMIT = ".minutes(60)"
TIME_LIMIT = re.compile(r"\btimeLimit\((\.\w+\([^)]*\))\)")
SLEEP = re.compile(r"\b(?:Task|Thread|ContinuousClock\(\)|SuspendingClock\(\)|ContinuousClock|clock_)\.?(?:sleep|nanosleep)\b|\bu?sleep\(\d")


def asleep(path):
    """The lines of a test that let real time pass."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if SLEEP.search(line.split("//")[0]):
                yield f"{path}:{number}: a test sleeps for real time"


def impatient(path: str) -> Iterator[str]:
    """The time limits of tests that are not LIMIT."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for limit in TIME_LIMIT.findall(line):
                if limit != LIMIT:
                    yield f"{path}:{number}: a limit is for a test that hangs, and is {LIMIT}: {limit}"


def hiding(path: str) -> Iterator[str]:
    """The calls of `waitForAll()` before which the children are not cancelled."""
    before = ""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if re.search(r"await \w+\.waitForAll\(\)", line) and "cancelAll()" not in before:
                yield f"{path}:{number}: waitForAll() hides the error of a child while another goes on"
            before = line


def released():
    """What the tool says of its version, where that is not the last release."""
    with open(CHANGES, encoding="utf-8") as file:
        chapter = RELEASE.search(file.read())
    path = "Sources/BlueCapCommand/Running/ToolVersion.swift"
    with open(path, encoding="utf-8") as file:
        version = re.search(r'static let text = "([^"]+)"', file.read())
    if not chapter or not version or chapter.group(1) != version.group(1):
        yield f"{path}: the version is not that of the newest chapter of Changes.md with a number and a date"


def unpinned():
    """The actions of workflows that are named by a tag, which can be moved."""
    folder = ".github/workflows"
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if re.search(r"\buses: ", line) and not re.search(r"uses: [\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line):
                    yield f"{folder}/{name}:{number}: names no commit: {line.strip()}"


def is_stored(kind: str, rest: str, following: str) -> bool:
    """Whether a property has storage, by its keyword, the rest of its line and the next line."""
    before, brace, body = rest.partition("{")
    return kind == "let" or not brace or "=" in before or bool(re.match(r"\s*(?:didSet|willSet)\b", body.strip() or following))


def crowded(file: File) -> Iterator[str]:
    """The types of a file with too many properties that others may change, and each `_modify` without a reason."""
    with open(file.path, encoding="utf-8") as source:
        lines = source.read().split("\n")
    for number, line in enumerate(lines):
        above = lines[number - 1].strip()
        if re.match(r"\s*_modify\b", line.split("//")[0]) and not above.startswith("//"):
            yield f"{file.path}:{number + 1}: a `_modify` lets others write private state: say why, or give the type a method"
    for begun, line in enumerate(file.code):
        owner = OWNER.match(line)
        if not owner or (owner.group(3) == "struct" and "public" in owner.group(2)):
            continue
        indent, count = owner.group(1), 0
        for index in range(begun + 1, len(file.code)):
            line = file.code[index]
            if line.startswith(indent + "}"):
                break
            if re.match(indent + r" {8}_modify\b", line):
                count += 1
            member = PROPERTY.match(line.removeprefix(indent + "    ")) if line.startswith(indent + "    ") else None
            if not member or {"private", "fileprivate", "static"} & set(member.group(1).split()):
                continue
            if owner.group(3) == "struct" and (member.group(2) == "let" or "(set)" in member.group(1)):
                continue
            count += is_stored(member.group(2), member.group(3), "".join(file.code[index + 1:index + 2]))
        most = CROWDED.get(f"{file.path}: {owner.group(4)}", OPEN)
        if count > most:
            yield f"{file.path}: {owner.group(4)} has {count} properties that others may change, and {most} at the most"


# Where the oldest Swift is named: a pattern of its version, and the files that have to name it.
VERSION = r"(\d+\.\d+)\b(?!\.\d)"
NAMES_OF_SWIFT = (
    (r"^// swift-tools-version: ?" + VERSION, ("Package.swift",)),
    (r"\bSwift " + VERSION, ("README.md", ".github/CONTRIBUTING.md", "Sources/BlueCap/Documentation.docc/GettingStarted.md")),
    (r"\bswift_version: ?\"?" + VERSION, (".spi.yml",)),
    (r"\bimage: swift:" + VERSION, (".github/workflows/ci.yml",)),
)


def tracked() -> list[str]:
    """The files of the package, without those that git ignores."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, check=True, text=True).stdout
    return [path for path in listed.splitlines() if os.path.isfile(path)]


def versions():
    """The files that name another version of Swift than the manifest, and those that name none. A version with three numbers
    says what was measured with."""
    oldest = re.match(NAMES_OF_SWIFT[0][0], open("Package.swift", encoding="utf-8").readline()).group(1)
    for path in tracked():
        if not path.endswith((".md", ".yml", "Package.swift")):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for pattern, required in NAMES_OF_SWIFT:
            named = re.findall(pattern, text, re.MULTILINE)
            if path in required and not named:
                yield f"{path}: does not name Swift {oldest}, the oldest that Package.swift takes"
            for version in sorted(set(named) - {oldest}):
                yield f"{path}: names Swift {version}, and Package.swift takes {oldest}"


RULES = "Sources/BlueCapCoreBluetooth/Documentation.docc/Rules.md"
OVER_RULES = (
    "Sources/BlueCapCoreBluetooth", "Tests/BlueCapCoreBluetoothTests", "Tests/CoreBluetoothStandInTests", "Tests/Support/CoreBluetoothStandIn",
)
RULE = r"\b[B-JL-NPRW][1-9]\d?\b"


FORMATS = ("Sources/BlueCapBeacon/Sensors/Formats/", "Sources/BlueCapProfiles/AssignedNumbers/Data/")
MAKERS = re.compile(r"ruuvi|xiaomi|mibeacon|govee|inkbird|thermopro|switchbot|pvvx|atc1441", re.IGNORECASE)


def partial() -> Iterator[str]:
    """The lines of code that name a maker of sensors and are no format of its."""
    for path in (path for path in sources("Sources") if not path.startswith(FORMATS)):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for name in sorted({found.lower() for found in MAKERS.findall(line)}):
                    yield f"{path}:{number}: '{name}' is named outside of {FORMATS[0]}"


def unruly() -> Iterator[str]:
    """The codes of rules that are cited and stand nowhere."""
    with open(RULES, encoding="utf-8") as file:
        rules = set(re.findall(rf"^\| ({RULE}) \|", file.read(), re.MULTILINE))
    for path in (path for folder in OVER_RULES for path in sources(folder)):
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                for code in re.findall(RULE, line):
                    if code not in rules:
                        yield f"{path}:{number}: {code} is no rule of {RULES}"


def main():
    found = [*targets(), *unexported(), *versions(), *released(), *unpinned(), *plain(), *unruly(), *partial()]
    documented = [path for target in DOCUMENTED for path in sources(f"Sources/{target}")]
    conformances = Conformances(documented)
    for path in documented:
        for symbol in public_symbols(path):
            found += undocumented(symbol, conformances)
    for path in (path for root in WRITTEN_BY_HAND for path in sources(root) if path not in documented):
        if path.startswith(DOCUMENTED_BY_APPLE):
            continue
        for symbol in public_symbols(path):
            found += unexplained(symbol)
    for path in [path for path in tracked() if path.endswith(".md")] + [*sources("Examples"), *sources("Tests/BlueCapDocumentationTests")]:
        found += hiding(path)
    for path in sources("Sources"):
        found += unproven(path)
        found += open_state(path)
    for path in (path for root in WRITTEN_BY_HAND for path in sources(root)):
        found += overlong(path)
        found += impatient(path)
    for path in sources("Tests"):
        found += unspoken(path)
        if os.path.basename(path.split(os.sep)[1]).endswith("Tests"):
            found += asleep(path)
    for path in (path for root in ("Sources", "Tests") for path in sources(root)):
        found += foreign(path)
    for target in sorted(os.listdir("Sources")):
        folder = os.path.join("Sources", target)
        files = [File(path) for path in sources(folder)]
        for file in files:
            found += misnamed(file)
            if target in ROOMS:
                found += crowded(file)
        found += circles(folder, files, "circles" in sys.argv)
    print("\n".join(found))
    return 1 if found else 0


sys.exit(main())

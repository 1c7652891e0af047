# SPDX-License-Identifier: MIT
"""symbols.tsv: what CoreBluetooth declares, a row a symbol; a header that is made of it; and the table against the compiler.

A row has the symbol's identity, which contains the selector (`c:objc(cs)CBManager(py)state`), the declaration in Swift, and the
availability on five platforms. The header is made from the selectors, the types of the declarations and the availability. The
compiler then says which Swift names it makes of that, and these have to be those of the table.
"""

import csv
import re
from pathlib import Path

from platforms import written

COLUMNS = {"macOS": "macos", "iOS": "ios", "tvOS": "tvos", "watchOS": "watchos", "visionOS": "xros"}
TYPES = {
    "Any": "id",
    "Bool": "BOOL",
    "CBATTError.Code": "CBATTError",
    "CBCentralManager.Feature": "CBCentralManagerFeature",
    "CBL2CAPPSM": "CBL2CAPPSM",
    "CFAbsoluteTime": "CFAbsoluteTime",
    "Data": "NSData *",
    "InputStream": "NSInputStream *",
    "Int": "NSInteger",
    "NSNumber": "NSNumber *",
    "OutputStream": "NSOutputStream *",
    "String": "NSString *",
    "UUID": "NSUUID *",
    "Void": "void",
    "[CBConnectionEventMatchingOption : Any]": "NSDictionary<CBConnectionEventMatchingOption, id> *",
    "[String : Any]": "NSDictionary<NSString *, id> *",
    "any Error": "NSError *",
    "dispatch_queue_t": "dispatch_queue_t",
}
HEAD = """// Made from symbols.tsv.
@import Dispatch;
@import Foundation;
#pragma clang assume_nonnull begin
typedef unsigned short CBL2CAPPSM;
extern NSErrorDomain const CBErrorDomain;
extern NSErrorDomain const CBATTErrorDomain;
typedef NSString *CBConnectionEventMatchingOption NS_TYPED_ENUM;
"""
MODULE = 'module CoreBluetooth [system] {\n    header "CoreBluetooth.h"\n    export *\n}\n'
ERRORS = ("CBError", "CBATTError")
# Apple's page has another name than the compiler makes of the selector and the types that are known here.
RENAMED = {"c:objc(cs)CBCentralManager(cm)supportsFeatures:": "supports(_:)"}


class Table:
    """The rows, less those that exceptions.tsv names."""

    def __init__(self, symbols: Path, exceptions: Path):
        with open(symbols, encoding="utf-8", newline="") as file:
            self.all = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        with open(exceptions, encoding="utf-8", newline="") as file:
            self.exceptions = {
                row["swift_name"]: row["reason"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
        self.rows = [row for row in self.all if row["swift_name"] not in self.exceptions]

    def unknown_exceptions(self) -> list[str]:
        """The exceptions that name no row."""
        return sorted(set(self.exceptions) - {row["swift_name"] for row in self.all})

    def write(self, folder: Path):
        """Writes the module of CoreBluetooth, in a folder of its name."""
        written(folder / "CoreBluetooth.h", self.header())
        written(folder / "module.modulemap", MODULE)

    def members(self, owner: str):
        """The rows whose identity begins so, each with its kind and selector."""
        for row in self.rows:
            match = re.match(re.escape(owner) + r"\((im|cm|py|cpy)\)(.+)$", row["usr"])
            if match:
                yield match[1], match[2], row

    def header(self) -> str:
        """CoreBluetooth.h. A row whose selector and declaration do not fit raises `ValueError`."""
        enums = {match[1]: row for row in self.rows if (match := re.match(r"c:@E@(\w+)$", row["usr"]))}
        classes, protocols = {}, []
        for row in self.rows:
            match = re.match(r"class (\w+) : (\w+)(.*)", row["declaration"])
            if match and row["usr"].startswith("c:objc(cs)"):
                classes[match[1]] = (match[2], "NSCopying" in match[3], row)
            if row["declaration"].startswith("protocol "):
                protocols.append(row["usr"].removeprefix("c:objc(pl)"))
        names = Names(set(enums))
        lines = [HEAD + f"@class {', '.join(classes)};", f"@protocol {', '.join(sorted(protocols))};"]
        lines += self.constants()
        lines += [self.enumeration(name, row) for name, row in enums.items()]
        for name in by_superclass(classes):
            superclass, copies, row = classes[name]
            lines.append(f"{availability(row)}\n@interface {name} : {superclass}{' <NSCopying>' if copies else ''}")
            if "init and new unavailable" in row["note"]:
                lines.append("- (instancetype)init __attribute__((unavailable));")
            for kind, selector, member in self.members(f"c:objc(cs){name}"):
                lines.append(
                    names.declared_property(kind, selector, member) if kind in ("py", "cpy")
                    else names.method(kind, selector, member, name))
            lines.append("@end")
        for name in sorted(protocols):
            lines.append(f"@protocol {name} <NSObject>")
            for kind, selector, member in self.members(f"c:objc(pl){name}"):
                lines.append("@optional" if member["declaration"].startswith("optional") else "@required")
                lines.append(names.method(kind, selector, member, name))
            lines.append("@end")
        return "\n".join([*lines, "#pragma clang assume_nonnull end", ""])

    def constants(self):
        for row in self.rows:
            match = re.match(r"c:@(CB\w+)$", row["usr"])
            if match and not match[1].endswith("ErrorDomain"):
                option = match[1].startswith("CBConnectionEventMatchingOption")
                kind = "CBConnectionEventMatchingOption const" if option else "NSString * const"
                yield f"extern {kind} {match[1]} {availability(row)};"

    def enumeration(self, name: str, row: dict) -> str:
        cases = []
        for case in self.rows:
            value = re.search(r"raw value (0x[0-9a-f]+|\d+(?: << \d+)?)", case["note"])
            if case["usr"].startswith(f"c:@E@{name}@") and value:
                cases.append(f"{case['usr'].split('@')[-1]} {availability(case)} = {value[1]}")
        body = f"{{ {', '.join(cases)} }}"
        if name in ERRORS:
            return f"typedef NS_ERROR_ENUM({name}Domain, {name}) {body};"
        if "OptionSet" in row["declaration"]:
            nested = " NS_SWIFT_NAME(CBCentralManager.Feature)" if name == "CBCentralManagerFeature" else ""
            return f"typedef NS_OPTIONS(NSUInteger, {name}) {body}{nested};"
        return f"typedef NS_ENUM(NSInteger, {name}) {body};"

    def differences(self, graph: dict, platform: str) -> tuple[int, list[str]]:
        """How many rows the compiler's symbols say the same of, and what they say otherwise."""
        declared: dict[str, list[str]] = {}
        for symbol in graph["symbols"]:
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            declared.setdefault(symbol["identifier"]["precise"], []).append(plain(text))
        same, different = 0, []
        for row in self.rows:
            if not row["usr"]:
                continue
            if row[platform] == "-":
                # Symbol graphs leave out what is unavailable.
                continue
            found = declared.get(row["usr"])
            if not found:
                different.append(f"{row['swift_name']}: nothing has the identity {row['usr']}")
            elif plain(row["declaration"]) in found or is_head(row["declaration"]):
                same += 1
            else:
                different.append(f"{row['swift_name']}: the table has “{row['declaration']}”, the compiler {found}")
        known = {row["usr"] for row in self.all}
        for identity in sorted(declared):
            if identity.startswith("c:") and identity.split("::SYNTHESIZED::")[0] not in known:
                different.append(f"{identity} is not in the table")
        return same, different


class Names:
    """Types and signatures of Swift as Objective-C writes them."""

    def __init__(self, enums: set[str]):
        self.enums = enums

    def type(self, swift: str) -> tuple[str, str]:
        """A type, and its nullability if it has one."""
        swift, nullability = swift.strip(), ""
        if swift.endswith(("?", "!")):
            nullability = {"?": "_Nullable", "!": "_Null_unspecified"}[swift[-1]]
            swift = swift[:-1].removeprefix("(").removesuffix(")")
        if swift in TYPES:
            return TYPES[swift], nullability
        if swift.startswith("any "):
            return f"id<{swift[4:]}>", nullability
        if swift.startswith("["):
            return f"NSArray<{self.type(swift[1:-1])[0]}> *", nullability
        return swift if swift in self.enums else f"{swift} *", nullability

    def method(self, kind: str, selector: str, row: dict, owner: str) -> str:
        declaration = row["declaration"]
        taken, result = parameters(declaration)
        if re.search(r"\binit\b", declaration.split("(")[0]):
            returned = "instancetype" if kind == "im" else f"{owner} *"
        else:
            returned = " ".join(self.type(result)).strip()
        parts = selector.split(":")[:-1] if ":" in selector else []
        if len(parts) != len(taken):
            raise ValueError(f"{row['usr']}: a selector for {len(parts)} arguments, and a declaration with {len(taken)}")
        pieces = [f"{part}:({' '.join(self.type(type)).strip()}){name}" for part, (name, type) in zip(parts, taken)]
        renamed = f" NS_SWIFT_NAME({RENAMED[row['usr']]})" if row["usr"] in RENAMED else ""
        return f"{'-' if kind == 'im' else '+'} ({returned}){' '.join(pieces) or selector} {availability(row)}{renamed};"

    def declared_property(self, kind: str, name: str, row: dict) -> str:
        match = re.search(r"var \w+: (.+?) \{ (get(?: set)?) \}", row["declaration"])
        if not match:
            raise ValueError(f"{row['usr']}: not a property: {row['declaration']}")
        type, nullability = self.type(match[1])
        attributes = ["nonatomic", *(["class"] if kind == "cpy" else []), *(["readonly"] if match[2] == "get" else [])]
        attributes += ["weak"] if row["declaration"].startswith("weak") else []
        attributes += {"_Nullable": ["nullable"], "_Null_unspecified": ["null_unspecified"], "": []}[nullability]
        return f"@property({', '.join(attributes)}) {type} {name} {availability(row)};"


def availability(row: dict) -> str:
    """Attributes of Clang from the five columns: `-`, `10.13`, `5.0-7.0` (deprecated), `?-7.0`; nothing for `?` and `<=min`."""
    attributes = []
    for column, name in COLUMNS.items():
        since, _, deprecated = row[column].partition("-")
        if row[column] == "-":
            attributes.append(f"{name},unavailable")
        elif since not in ("", "?", "<=min") or deprecated:
            introduced = f",introduced={since}" if since not in ("?", "<=min") else ""
            attributes.append(name + introduced + (f",deprecated={deprecated}" if deprecated else ""))
    return " ".join(f"__attribute__((availability({attribute})))" for attribute in attributes)


def parameters(declaration: str) -> tuple[list[tuple[str, str]], str]:
    """The names and types of a function's parameters, and its result."""
    _, _, inner = declaration.partition("(")
    depth, pieces, piece = 1, [], ""
    for character in inner:
        depth += (character in "([") - (character in ")]")
        if depth == 0:
            break
        if character == "," and depth == 1:
            pieces.append(piece)
            piece = ""
        else:
            piece += character
    if piece.strip():
        pieces.append(piece)
    named = []
    for piece in pieces:
        names, type = piece.split(":", 1)
        named.append((names.split()[-1], type.split(" = ")[0].strip()))
    result = re.search(r"\)\s*->\s*(.+)$", declaration)
    return named, result[1] if result else "Void"


def by_superclass(classes: dict) -> list[str]:
    """The names of classes, each after its superclass."""
    ordered: list[str] = []

    def visit(name: str):
        if name in classes and name not in ordered:
            visit(classes[name][0])
            ordered.append(name)

    for name in classes:
        visit(name)
    return ordered


def plain(declaration: str) -> str:
    """A declaration without the words that say nothing of names and types."""
    declaration = re.sub(r"@MainActor |@objc |\b(?:open|public|final|convenience|nonisolated) ", "", declaration)
    return re.sub(r"\s+", " ", declaration).strip()


def is_head(declaration: str) -> bool:
    """Whether a row is the head of a type: the protocols that a type conforms to come from more than one place."""
    return re.match(r"(?:class|struct|enum|protocol) ", declaration) is not None and not declaration.startswith(
        ("class func", "class var"))

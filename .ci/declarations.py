# SPDX-License-Identifier: MIT
"""Declarations in files of Swift that swift-format has laid out, line by line, and which of them are witnesses of protocols."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

MODIFIERS = (
    r"(?:(?:\w+\(set\)|static|class|final|mutating|nonmutating|nonisolated(?:\(\w+\))?|convenience|required|override|indirect|"
    r"isolated|weak|lazy) )*"
)
MEMBER = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:(public|open|package|internal|fileprivate|private) )?" + MODIFIERS +
    r"(func|init|subscript|var|let|case|struct|class|enum|actor|protocol|typealias|associatedtype|extension|macro)\b[?!]?"
    r"\s*([^\s(<:=,{]*)"
)
OTHER_ACCESS = re.compile(r"^(?:@\S+ )*(?:package|internal|fileprivate|private)\b(?!\(set\))")
TYPES = {"struct", "class", "enum", "actor", "protocol"}


class Symbol(NamedTuple):
    """A declaration, where it stands, and what is written above it."""

    path: str
    line: int
    kind: str
    name: str
    # The names of the types around it, from the outermost on, and the kind of the innermost.
    around: str
    scope: str
    is_public: bool
    signature: str
    documentation: str
    is_available: bool

    @property
    def requirement(self) -> tuple[bool, str, str, tuple[str, ...]] | None:
        """What a protocol's requirement and its witness have in common; none for operators, and for what is no member."""
        kind = {"let": "var", "typealias": "associatedtype"}.get(self.kind, self.kind)
        if kind not in ("var", "func", "init", "subscript", "associatedtype") or (kind == "func" and not self.name.isidentifier()):
            return None
        labels = () if kind in ("var", "associatedtype") else tuple(words[0] for words in arguments(self.signature)[0])
        return bool(re.search(rf"\bstatic .*\b{self.kind}\b", self.signature)), kind, self.name, labels


def symbols(path: str) -> Iterator[Symbol]:
    """The declarations at the top level of a file and in its types. A scope ends at a brace as deep as its first line, as
    swift-format has it."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    scopes: list[tuple[int, str, str]] = []
    is_quoted = False
    for index, line in enumerate(lines):
        text = line.strip()
        is_quoted ^= text.count('"""') % 2 == 1
        if is_quoted:
            continue
        depth = len(line) - len(line.lstrip())
        if text.startswith("}") and scopes and scopes[-1][0] == depth:
            scopes.pop()
        match = MEMBER.match(text)
        if not match:
            continue
        access, kind, name = match.groups()
        is_inside = bool(scopes) and scopes[-1][0] == depth - 4
        around, scope = scopes[-1][1:] if is_inside else ("", "")
        is_public = access in ("public", "open") or scope == "protocol" or (scope == "enum" and kind == "case")
        yield Symbol(
            path, index + 1, kind, name or kind, around, scope, is_public and not OTHER_ACCESS.match(text), signature(lines, index),
            documentation(lines, index), is_available(lines, index))
        if (kind in TYPES or kind == "extension") and not text.endswith("}") and (is_inside or depth == 0):
            scopes.append((depth, f"{around}.{name}".lstrip("."), kind))


def public_symbols(path: str) -> Iterator[Symbol]:
    """What a file declares as public, with the requirements of public protocols and the cases of public enums."""
    hidden: list[str] = []
    for symbol in symbols(path):
        owner = f"{symbol.around}.{symbol.name}".lstrip(".")
        if symbol.kind in ("protocol", "enum") and not symbol.is_public:
            hidden.append(owner)
        elif symbol.is_public and symbol.kind != "extension" and (symbol.around not in hidden or is_marked(symbol)):
            yield symbol


def is_marked(symbol: Symbol) -> bool:
    """Whether a declaration says itself that it is public."""
    return bool(re.search(r"\b(?:public|open) ", symbol.signature))


class Conformances:
    """The documented requirements of the protocols in some files, and the protocols that each type there names."""

    def __init__(self, paths: Iterable[str]):
        self.named: dict[str, set[str]] = {}
        self.parents: dict[str, set[str]] = {}
        self.requirements: dict[str, set[tuple]] = {}
        for symbol in (symbol for path in paths for symbol in symbols(path)):
            name = f"{symbol.around}.{symbol.name}".lstrip(".")
            if symbol.kind in ("protocol", "typealias"):
                self.parents.setdefault(symbol.name, set()).update(inherited(symbol))
            elif symbol.kind in TYPES or symbol.kind == "extension":
                self.named.setdefault(name, set()).update(inherited(symbol))
            elif symbol.scope == "protocol" and symbol.documentation.strip() and symbol.requirement:
                self.requirements.setdefault(symbol.around.split(".")[-1], set()).add(symbol.requirement)

    def is_witness(self, symbol: Symbol) -> bool:
        """Whether a member of a type has the text of a requirement: a default in a protocol's extension has not."""
        found: set[str] = set()
        left = set() if symbol.around.split(".")[-1] in self.requirements else set(self.named.get(symbol.around, ()))
        while left:
            name = left.pop()
            found.add(name)
            left |= self.parents.get(name, set()) - found
        return any(symbol.requirement in self.requirements.get(name, ()) for name in found)


def inherited(symbol: Symbol) -> set[str]:
    """The last words of the names behind a type's colon, or of those that a typealias joins."""
    text = re.split(r"\bwhere\b", symbol.signature)[0]
    if symbol.kind == "typealias":
        text = text.partition("=")[2]
    else:
        text = re.sub(r"^[^:<]*(?:<[^>]*>)?", "", text)
    return set(re.findall(r"(\w+)(?=\s*(?:[,&<]|$))", re.sub(r"<.*?>", "", text)))


def signature(lines: list[str], index: int) -> str:
    """A declaration without its body, on one line: up to its brace, or to where its parentheses are closed."""
    text = ""
    for line in lines[index:]:
        text = f"{text} {line.strip()}".strip()
        if "{" in line or (text.count("(") == text.count(")") and not text.endswith((",", "->"))):
            break
    return text.split(" {")[0]


def is_available(lines: list[str], index: int) -> bool:
    """Whether a declaration is for use: one that is marked as unavailable or deprecated only explains a message of the compiler."""
    while index > 0 and lines[index - 1].strip().startswith("@"):
        index -= 1
        if "@available(*, unavailable" in lines[index] or "@available(*, deprecated" in lines[index]:
            return False
    return True


def documentation(lines: list[str], index: int) -> str:
    """The comment above a declaration and its attributes."""
    above: list[str] = []
    # The parentheses of an attribute with several lines.
    depth = 0
    for line in reversed(lines[:index]):
        text = line.strip()
        if text.startswith("///") and depth == 0:
            above.insert(0, text.removeprefix("///"))
            continue
        depth += text.count(")") - text.count("(")
        if depth < 0 or above or (depth == 0 and not text.startswith("@")):
            break
    return "\n".join(above)


def arguments(declaration: str) -> tuple[list[list[str]], str]:
    """The words in front of the colon of each of a signature's parameters, and what follows the parentheses."""
    start = declaration.find("(")
    depth, begun, found = 0, start + 1, []
    for position in range(start, len(declaration)):
        character = declaration[position]
        closes = character in ")]}" or (character == ">" and declaration[position - 1] != "-")
        depth += (character in "([{<") - closes
        if (character == "," and depth == 1) or depth == 0:
            words = declaration[begun:position].split(":")[0].split()
            found += [words] if words else []
            begun = position + 1
        if depth == 0:
            return found, declaration[position + 1:]
    return found, ""

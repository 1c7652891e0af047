#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the tables of BlueCapProfiles/AssignedNumbers/Data from the Bluetooth SIG's assigned numbers.

    generate.py ASSIGNED_NUMBERS "EDITION"

ASSIGNED_NUMBERS is the folder `assigned_numbers` of the SIG's public repository
(https://bitbucket.org/bluetooth-SIG/public), EDITION what the files' first line shall say about its age. Only numbers and
names are taken. Nothing but the standard library is needed.

A table is text: entries of four hexadecimal digits and a name, in the order of the numbers, each behind a separator (a
caret, or a line's end where the upper twelve bits change). A second text has the numbers in the order of the names (ASCII
letters folded to lower case, bytewise; equal names by number). Both can be searched as they are.
"""

import os
import re
import sys

SEPARATOR = "^"
SUBSCRIPTS = {"2": "\u2082", "n": "\u2099"}


def scalar(text):
    """A YAML scalar: plain, in single or in double quotes."""
    text = text.strip()
    if text.startswith("'") and text.endswith("'"):
        text = text[1:-1].replace("''", "'")
    elif text.startswith('"') and text.endswith('"'):
        text = re.sub(r"\\(.)", r"\1", text[1:-1].replace("\\\\", "\0"))
        text = text.replace("\0", "\\")
    text = re.sub(r"\\textsubscript\{(.)\}", lambda match: SUBSCRIPTS[match[1]], text)
    text = " ".join("".join(c for c in text.replace("\u00a0", " ") if c.isprintable() or c.isspace()).split())
    assert text and SEPARATOR not in text and "\\" not in text and '"""' not in text, text
    return text


def pairs(root, *path):
    """The numbers and names of a list of `value` or `uuid` and `name`."""
    rows, number = [], None
    with open(os.path.join(root, *path), encoding="utf-8") as lines:
        for line in lines:
            if match := re.match(r"\s*- (?:value|uuid):\s*(0x[0-9A-Fa-f]+)\s*$", line):
                number = int(match[1], 16)
            elif (match := re.match(r"\s+name:\s*(.+)$", line)) and number is not None:
                rows.append((number, scalar(match[1])))
                number = None
    return rows


def appearances(root):
    """Categories in the upper ten bits, subcategories in the lower six."""
    rows, category, number = [], 0, None
    with open(os.path.join(root, "core", "appearance_values.yaml"), encoding="utf-8") as lines:
        for line in lines:
            if match := re.match(r"\s*- category:\s*(0x[0-9A-Fa-f]+)", line):
                category = int(match[1], 16)
                number = category << 6
            elif match := re.match(r"\s*- value:\s*(0x[0-9A-Fa-f]+)", line):
                assert 0 < int(match[1], 16) < 64
                number = category << 6 | int(match[1], 16)
            elif (match := re.match(r"\s+name:\s*(.+)$", line)) and number is not None:
                rows.append((number, scalar(match[1])))
                number = None
    return rows


def fold(name):
    return bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in name.encode())


def swift(property_name, comment, rows, edition):
    rows = sorted(rows)
    assert len({number for number, _ in rows}) == len(rows) and all(number < 1 << 16 for number, _ in rows)
    lines = {}
    for number, name in rows:
        lines.setdefault(number >> 4, []).append(f"{number:04X}{name}")
    by_name = [f"{number:04X}" for number, name in sorted(rows, key=lambda row: (fold(row[1]), row[0]))]
    out = [
        "// SPDX-License-Identifier: MIT",
        "",
        f"// Bluetooth SIG, assigned numbers, {edition}. Written by",
        "// Tests/Support/AssignedNumbers/generate.py.",
        "// swift-format-ignore-file",
        "",
        "extension AssignedNumberTable {",
        f"    /// {comment}",
        f"    static var {property_name}: AssignedNumberTable {{",
        '        AssignedNumberTable(entries: #"""',
    ]
    out += [SEPARATOR.join(entries) for _, entries in sorted(lines.items())]
    out += ['"""#, byName: """']
    out += [" ".join(by_name[start:start + 64]) for start in range(0, len(by_name), 64)]
    out += ['""")', "    }", "}", ""]
    assert len(out) <= 500, property_name
    return "\n".join(out)


def main():
    root, edition = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    target = os.path.join(here, "..", "..", "..", "Sources", "BlueCapProfiles", "AssignedNumbers", "Data")
    tables = {
        "services": ("GATT services.", pairs(root, "uuids", "service_uuids.yaml")),
        "characteristics": ("GATT characteristics.", pairs(root, "uuids", "characteristic_uuids.yaml")),
        "descriptors": ("GATT descriptors.", pairs(root, "uuids", "descriptors.yaml")),
        "units": ("Units.", pairs(root, "uuids", "units.yaml")),
        "members": (
            "16-bit UUIDs of members of the SIG and of standards bodies.",
            pairs(root, "uuids", "member_uuids.yaml") + pairs(root, "uuids", "sdo_uuids.yaml"),
        ),
        "companies": ("Companies.", pairs(root, "company_identifiers", "company_identifiers.yaml")),
        # AD type 0x10 has a second name outside advertising and inquiry, in out-of-band data.
        "advertisingDataTypes": (
            "AD types.",
            [row for row in pairs(root, "core", "ad_types.yaml") if row != (0x10, "Security Manager TK Value")],
        ),
        "appearances": ("Appearances.", appearances(root)),
    }
    for property_name, (comment, rows) in tables.items():
        name = f"AssignedNumberTable+{property_name[0].upper()}{property_name[1:]}.swift"
        with open(os.path.join(target, name), "w", encoding="utf-8") as file:
            file.write(swift(property_name, comment, rows, edition))
        print(f"{name}: {len(rows)}")


main()

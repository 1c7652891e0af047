# SPDX-License-Identifier: MIT
"""The methods of CoreBluetooth's delegates that the backend has, as the Objective-C runtime would find them.

Most methods of the three protocols are optional, so one that is misspelt or missing compiles and is never called. The compiler
lists in SIL the entry points that it makes for the runtime, by their names in Swift; each method of the protocols in symbols.tsv
has to be there, and no other.
"""

import re
from collections import Counter
from pathlib import Path

from platforms import Failure, Outcome, Platform
from table import Table

TARGET = "BlueCapCoreBluetooth"
# The methods that the backend does not have, with the reason.
LEFT_OUT = {
    "peripheralDidUpdateRSSI(_:error:)": "replaced by peripheral(_:didReadRSSI:error:)",
    "centralManager(_:didDisconnectPeripheral:error:)": "CoreBluetooth calls one of both, and the backend has that with a timestamp",
    "centralManager(_:connectionEventDidOccur:for:)": "connection events are not used",
    "centralManager(_:didUpdateANCSAuthorizationFor:)": "the notification service ANCS is not used",
}
CENTRAL, PERIPHERAL = ("CBCentralManagerDelegate", "CBPeripheralDelegate"), ("CBPeripheralManagerDelegate",)
# Where CBPeripheralManager cannot be created, so that the backend has no peripheral role.
CENTRAL_ONLY = ("tvOS", "watchOS", "visionOS")
# A method with parameters; initializers and what the compiler makes by itself are none of the protocols'.
ENTRY = re.compile(r"^// @objc \w*Delegate\.((?!init\()\w+\([\w:]+\))$", re.MULTILINE)


def wanted(table: Table, platform: str) -> Counter:
    """The methods of the protocols by their names. Characteristics and descriptors share some: those count twice."""
    protocols = CENTRAL if platform in CENTRAL_ONLY else CENTRAL + PERIPHERAL
    methods: Counter = Counter()
    for row in table.rows:
        protocol, _, name = row["swift_name"].partition(".")
        if protocol in protocols and "func " in row["declaration"]:
            methods[name] += 1
    if unknown := set(LEFT_OUT) - set(methods):
        raise Failure(f"symbols.tsv does not have the methods that are left out: {', '.join(sorted(unknown))}")
    return Counter({name: count for name, count in methods.items() if name not in LEFT_OUT})


def compiled(platform: Platform, files: list[Path], settings: list[str], output: Path) -> Outcome:
    """Compiles the backend as far as SIL, into a file."""
    output.parent.mkdir(parents=True, exist_ok=True)
    return platform.run(["-emit-silgen", "-o", str(output), "-module-name", TARGET, *map(str, files), *settings])


def differences(text: str, table: Table, platform: str) -> tuple[int, list[str]]:
    """The number of entry points in SIL, and those that are missing, or there and not in the table."""
    found, expected = Counter(ENTRY.findall(text)), wanted(table, platform)
    wrong = [f"there is no entry point for {name}" for name in (expected - found).elements()]
    wrong += [f"not a method of a delegate, or one that is left out: {name}" for name in (found - expected).elements()]
    return found.total(), wrong

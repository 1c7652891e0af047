# SPDX-License-Identifier: MIT
"""Two mistakes in the backend that Apple's compiler takes: a subclass of a class of CoreBluetooth, which must have none (M11), and
the peripheral role on a platform that has none (G1), whose methods watchOS declares all the same."""

import re

GUARD = "#if canImport(CoreBluetooth) && !(os(tvOS) || os(watchOS) || os(visionOS))"
CLASS = re.compile(r"\bclass \w+(?:<[^>]*>)? *: *([^{]*)\{")
LOCAL = re.compile(r"\b(?:CBPeripheralManager|CBMutable\w+|CBATTRequest|removeAllServices|stopAdvertising\(\))\b")
# Mistakes, each of which is found in a file of one line.
SAMPLES = {
    "a subclass of CBPeripheral": "#if canImport(CoreBluetooth)\nfinal class OwnPeripheral: CBPeripheral, Sendable {}\n#endif\n",
    "removeAllServices on watchOS":
        "#if canImport(CoreBluetooth)\nfunc end(_ manager: CBPeripheralManager) { manager.removeAllServices() }\n#endif\n",
}


def mistakes(name: str, text: str) -> list[str]:
    """The mistakes of a file."""
    code = re.sub(r"//.*", "", text)
    parents = [parent for list_ in CLASS.findall(code) for parent in re.findall(r"\bCB\w+", list_)]
    found = [f"{name}: a subclass of {parent} (M11)" for parent in parents if not parent.endswith("Delegate")]
    if LOCAL.search(code) and GUARD not in code:
        found.append(f"{name}: the peripheral role without `{GUARD}` (G1)")
    return found

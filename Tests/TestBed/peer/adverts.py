# SPDX-License-Identifier: MIT

"""Advertising data from the advertisement of a twin in JSON."""

from __future__ import annotations

import re
from typing import Any

from bumble.core import UUID, AdvertisingData

# Legacy advertising: 31 octets in the advertisement and 31 in the scan response.
CAPACITY = 31

_UUID_LISTS = {2: 0x03, 4: 0x05, 16: 0x07}
_SOLICITED = {2: 0x14, 4: 0x1F, 16: 0x15}
_SERVICE_DATA = {2: 0x16, 4: 0x20, 16: 0x21}
_KEYS = {"data", "scanResponse", "connectable", "interval", "rssi"}
_FIELDS = {
    "localName",
    "flags",
    "txPower",
    "appearance",
    "serviceUUIDs",
    "solicitedServiceUUIDs",
    "manufacturerData",
    "serviceData",
    "structures",
}

Element = tuple[int, bytes]


def elements(declaration: dict[str, Any], flags: int | None) -> list[Element]:
    """The AD structures of `declaration` in a fixed order; a list of UUIDs becomes one structure for each width."""
    refuse_others(declaration, _FIELDS, "an advertisement's fields")
    result: list[Element] = []
    flags = declaration.get("flags", flags)
    if flags is not None:
        result.append((AdvertisingData.FLAGS, bytes([flags])))
    result += _uuid_lists(declaration.get("serviceUUIDs", []), _UUID_LISTS)
    if (name := declaration.get("localName")) is not None:
        result.append((AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()))
    for company, data in declaration.get("manufacturerData", {}).items():
        if not re.fullmatch("[0-9A-Fa-f]{4}", company):
            raise ValueError(f"'{company}' in manufacturerData is no company identifier of four hexadecimal digits")
        value = int(company, 16).to_bytes(2, "little") + bytes.fromhex(data)
        result.append((AdvertisingData.MANUFACTURER_SPECIFIC_DATA, value))
    for text, data in declaration.get("serviceData", {}).items():
        uuid = UUID(text).to_bytes()
        result.append((_SERVICE_DATA[len(uuid)], uuid + bytes.fromhex(data)))
    if (power := declaration.get("txPower")) is not None:
        result.append((AdvertisingData.TX_POWER_LEVEL, power.to_bytes(1, "little", signed=True)))
    if (appearance := declaration.get("appearance")) is not None:
        result.append((AdvertisingData.APPEARANCE, appearance.to_bytes(2, "little")))
    result += _uuid_lists(declaration.get("solicitedServiceUUIDs", []), _SOLICITED)
    return result + [(item["type"], bytes.fromhex(item["data"])) for item in declaration.get("structures", [])]


def refuse_others(item: dict[str, Any], known: set[str], name: str) -> None:
    """Refuses keys that the JSON of twins does not have, as `interval_ms` and `security` of its earlier form."""
    if unknown := set(item) - known:
        raise ValueError(f"{', '.join(sorted(unknown))}: {name} are {', '.join(sorted(known))}")


def _uuid_lists(texts: list[str], kinds: dict[int, int]) -> list[Element]:
    uuids = [UUID(text).to_bytes() for text in texts]
    lists = ((kind, b"".join(uuid for uuid in uuids if len(uuid) == width)) for width, kind in kinds.items())
    return [(kind, data) for kind, data in lists if data]


def encode(declaration: dict[str, Any]) -> tuple[bytes, bytes]:
    """Advertisement and scan response. Without a `scanResponse` of its own, what does not fit goes there."""
    refuse_others(declaration, _KEYS, "an advertisement's keys")
    if not declaration.get("connectable", True):
        raise ValueError("connectable: a far device is always connectable")
    advertisement, response = b"", b""
    separate = declaration.get("scanResponse")
    for kind, data in elements(declaration.get("data", {}), flags=0x06):
        encoded = bytes([len(data) + 1, kind]) + data
        if len(advertisement) + len(encoded) <= CAPACITY or separate is not None:
            advertisement += encoded
        else:
            response += encoded
    if separate is not None:
        response = b"".join(bytes([len(data) + 1, kind]) + data for kind, data in elements(separate, flags=None))
    for name, data in (("advertisement", advertisement), ("scan response", response)):
        if len(data) > CAPACITY:
            raise ValueError(f"the {name} is {len(data)} octets long, {CAPACITY} are possible")
    return advertisement, response

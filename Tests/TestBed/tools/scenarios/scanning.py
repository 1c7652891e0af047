# SPDX-License-Identifier: MIT

"""Discovery."""

from __future__ import annotations

import asyncio

from dbus_fast import Variant

from ..bluez import ADAPTER
from .stage import Stage


async def scan(stage: Stage) -> None:
    """Two devices, a new RSSI, new manufacturer data, stop, and RemoveDevice."""
    bluez = stage.bluez
    await bluez.objects()
    first = await stage.declare(0)
    second = await stage.declare(
        1,
        name="Lamp",
        advertisement={"data": {"localName": "Lamp", "txPower": 4, "appearance": 1474, "serviceData": {"180f": "64"}}},
    )
    found = bluez.expect(lambda message: message.member == "InterfacesAdded" and message.body[0] == second)
    await bluez.scan(DuplicateData=Variant("b", True), RSSI=Variant("n", -127))
    await found
    await stage.peer("rssi", value=-71)
    await asyncio.sleep(0.3)
    await stage.peer(
        "update_advertisement",
        advertisement={"data": {"localName": "Heart", "manufacturerData": {"ffff": "0304", "004c": "0215"}}},
    )
    await asyncio.sleep(0.3)
    await stage.peer("advertise", device=1, enabled=False)
    await bluez.do(ADAPTER, "Adapter1.StopDiscovery")
    await asyncio.sleep(0.2)
    await bluez.do(ADAPTER, "Adapter1.RemoveDevice", "o", first)


async def scan_unfiltered(stage: Stage) -> None:
    """A scan without a filter, for four seconds: the RSSI changes slightly, then much."""
    await stage.declare()
    await stage.bluez.do(ADAPTER, "Adapter1.StartDiscovery")
    await asyncio.sleep(0.5)
    await stage.peer("rssi", value=-53)
    await asyncio.sleep(1)
    await stage.peer("rssi", value=-80)
    await asyncio.sleep(2.5)
    await stage.bluez.do(ADAPTER, "Adapter1.StopDiscovery")


async def scan_for_service(stage: Stage) -> None:
    """A UUID filter with one device that advertises it and one that does not."""
    await stage.declare(0)
    await stage.declare(1, name="Lamp", advertisement={"data": {"localName": "Lamp"}})
    await stage.bluez.scan(UUIDs=Variant("as", ["0000180d-0000-1000-8000-00805f9b34fb"]))
    await asyncio.sleep(1)
    await stage.bluez.do(ADAPTER, "Adapter1.StopDiscovery")


async def scan_misuse(stage: Stage) -> None:
    """Start twice, an unknown filter key, stop twice, and everything while powered off."""
    bluez = stage.bluez
    await bluez.scan()
    await stage.attempt(bluez.do(ADAPTER, "Adapter1.StartDiscovery"))
    await stage.attempt(bluez.scan(Unknown=Variant("b", True)))
    await stage.attempt(bluez.scan(RSSI=Variant("n", -80), Pathloss=Variant("q", 10)))
    await bluez.do(ADAPTER, "Adapter1.StopDiscovery")
    await stage.attempt(bluez.do(ADAPTER, "Adapter1.StopDiscovery"))
    await bluez.do(ADAPTER, "Adapter1.GetDiscoveryFilters")
    await stage.power(False)
    await stage.attempt(bluez.scan())
    await stage.attempt(bluez.do(ADAPTER, "Adapter1.StartDiscovery"))
    await stage.attempt(bluez.do(ADAPTER, "Adapter1.StopDiscovery"))
    await stage.power(True)


SCENARIOS = (scan, scan_unfiltered, scan_for_service, scan_misuse)

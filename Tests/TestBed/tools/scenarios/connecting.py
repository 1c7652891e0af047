# SPDX-License-Identifier: MIT

"""Links: made, refused, cancelled, ended."""

from __future__ import annotations

import asyncio

from dbus_fast import Variant

from ..bluez import ADAPTER
from .stage import HEART_RATE, Stage


async def connect(stage: Stage) -> None:
    """Found, connected, resolved, disconnected by the client, connected again (from the GATT cache)."""
    bluez = stage.bluez
    path, _ = await stage.connected()
    await bluez.objects()
    await bluez.do(path, "Device1.Disconnect")
    await stage.gone(path)
    await asyncio.sleep(0.2)
    await bluez.connect(path)
    await stage.attempt(bluez.do(path, "Device1.Connect"))
    await bluez.do(ADAPTER, "Adapter1.RemoveDevice", "o", path)


async def connect_without_services(stage: Stage) -> None:
    """A device that has only the generic services."""
    path, _ = await stage.connected(services=[])
    await stage.bluez.do(path, "Device1.Disconnect")


async def connect_unreachable(stage: Stage) -> None:
    """Connect to a device that was seen and is out of range now."""
    path = await stage.declare()
    await stage.bluez.find(path[-17:].replace("_", ":"))
    await stage.peer("vanish")
    await stage.attempt(stage.bluez.do(path, "Device1.Connect"))
    await asyncio.sleep(1)
    await stage.bluez.objects()


async def connect_cancelled(stage: Stage) -> None:
    """Connect to a device that is out of range, cancelled by Disconnect: the object goes. Found again, it connects."""
    bluez = stage.bluez
    path = await stage.declare()
    await bluez.find(path[-17:].replace("_", ":"))
    await stage.peer("vanish")
    pending = stage.start(bluez.do(path, "Device1.Connect"))
    await asyncio.sleep(1)
    await stage.attempt(bluez.do(path, "Device1.Connect"))
    await stage.attempt(bluez.do(path, "Device1.Disconnect"))
    await pending
    await asyncio.sleep(1)
    await stage.peer("return")
    await stage.attempt(bluez.do(path, "Device1.Connect"))
    await bluez.find(path[-17:].replace("_", ":"))
    await stage.attempt(bluez.connect(path))


async def connect_refused(stage: Stage) -> None:
    """The device advertises but ignores connection requests: the controller reports 0x3E."""
    path = await stage.declare()
    await stage.bluez.find(path[-17:].replace("_", ":"))
    await stage.peer("refuse_connections", enabled=True)
    stage.trace.note('either: ["le-connection-abort-by-local","br-connection-canceled"]')
    await stage.attempt(stage.bluez.do(path, "Device1.Connect"))
    await asyncio.sleep(1)
    await stage.peer("refuse_connections", enabled=False)
    await stage.attempt(stage.bluez.connect(path))


async def peer_disconnects(stage: Stage) -> None:
    """The peer ends the link; then it goes out of range during the next."""
    path, _ = await stage.connected()
    await stage.peer("disconnect")
    await stage.gone(path)
    await asyncio.sleep(0.5)
    await stage.bluez.connect(path)
    await stage.peer("vanish")
    await stage.gone(path)


SECURED = {
    "uuid": "1816",
    "characteristics": [
        {
            "uuid": "2a5b",
            "properties": ["read", "write"],
            "value": "64",
            "readSecurity": "encrypted",
            "writeSecurity": "encrypted",
        }
    ],
}


async def pair(stage: Stage) -> None:
    """Reading an encrypted value pairs (Just Works) through the agent; bonded afterwards, also on the next link."""
    bluez = stage.bluez
    await bluez.answer_agent()
    path, at = await stage.connected(services=[HEART_RATE, SECURED])
    await stage.attempt(bluez.read(at["1.0"]))
    await asyncio.sleep(0.5)
    await stage.attempt(bluez.do(path, "Device1.Pair"), timeout=5)
    await bluez.do(path, "Device1.Disconnect")
    await stage.gone(path)
    await bluez.connect(path)
    await stage.attempt(bluez.read(at["1.0"]))


async def pair_explicitly(stage: Stage) -> None:
    """Pair on a device that is not connected yet; then CancelPairing with none in progress: the link goes."""
    bluez = stage.bluez
    await bluez.answer_agent()
    path = await stage.declare(services=[HEART_RATE, SECURED])
    await bluez.find(path[-17:].replace("_", ":"))
    await stage.attempt(bluez.do(path, "Device1.Pair"))
    await asyncio.sleep(1)
    await stage.attempt(bluez.do(path, "Device1.CancelPairing"))
    await stage.gone(path)


async def pair_without_agent(stage: Stage) -> None:
    """Reading an encrypted value without an agent: pairing fails; the client disconnects after 35 s."""
    bluez = stage.bluez
    path, at = await stage.connected(services=[HEART_RATE, SECURED])
    reading = stage.start(bluez.read(at["1.0"]))
    await asyncio.wait([reading], timeout=35)
    await stage.attempt(bluez.do(path, "Device1.Disconnect"))
    await reading


async def service_changed(stage: Stage) -> None:
    """A service is added and one is replaced while connected."""
    path, _ = await stage.connected()
    battery = {"uuid": "1816", "characteristics": [{"uuid": "2a5b", "properties": ["notify"]}]}
    await stage.peer("service_changed", services=[HEART_RATE, battery])
    await asyncio.sleep(1)
    await stage.peer("service_changed", services=[battery])
    await asyncio.sleep(1)
    await stage.bluez.objects()


async def adapter_properties(stage: Stage) -> None:
    """Alias, Discoverable and Pairable are set; power off and on."""
    bluez = stage.bluez
    await bluez.set(ADAPTER, "Adapter1.Alias", Variant("s", "Bed"))
    await bluez.set(ADAPTER, "Adapter1.Pairable", Variant("b", False))
    await bluez.set(ADAPTER, "Adapter1.Discoverable", Variant("b", True))
    await bluez.set(ADAPTER, "Adapter1.Discoverable", Variant("b", False))
    await stage.power(False)
    await stage.power(True)
    # The adapter's own name again, which others would be told otherwise.
    await bluez.set(ADAPTER, "Adapter1.Alias", Variant("s", ""))
    await asyncio.sleep(0.3)


SCENARIOS = (
    connect,
    connect_without_services,
    connect_unreachable,
    connect_cancelled,
    connect_refused,
    peer_disconnects,
    pair,
    pair_explicitly,
    pair_without_agent,
    service_changed,
    adapter_properties,
)

# SPDX-License-Identifier: MIT

"""Reading, writing, notifications."""

from __future__ import annotations

import asyncio
import os

from .stage import HEART_RATE, Stage


async def read_write(stage: Stage) -> None:
    """Reads and writes of each kind, of characteristics and descriptors."""
    bluez = stage.bluez
    path, at = await stage.connected()
    await bluez.read(at["0.1"])
    await bluez.read(at["0.0.0"])
    await bluez.write(at["0.2"], b"\1\2", "request")
    await bluez.write(at["0.2"], b"\3\4", "command")
    await bluez.write(at["0.2"], b"\5")
    await bluez.write(at["0.0.0"], b"changed")
    await stage.attempt(bluez.write(at["0.2"], b"\6", "reliable"))
    await stage.attempt(bluez.write(at["0.2"], b"", "request"))
    await stage.attempt(bluez.read(at["0.2"]))
    await stage.attempt(bluez.write(at["0.1"], b"\1", "request"))
    await stage.attempt(bluez.do(at["0.1"], "GattCharacteristic1.StartNotify"))
    await stage.attempt(bluez.write(at["0.2"], b"\1", "nonsense"))


async def long_values(stage: Stage) -> None:
    """512 octets at MTU 247: read, read at an offset, written, written at an offset; 513 are too many."""
    bluez = stage.bluez
    long = {
        "uuid": "180d",
        "characteristics": [{"uuid": "2a39", "properties": ["read", "write"], "value": bytes(range(256)).hex() * 2}],
    }
    path, at = await stage.connected(mtu=247, services=[long])
    await bluez.read(at["0.0"], 100)
    await bluez.read(at["0.0"])
    await bluez.write(at["0.0"], bytes(512), "request")
    await bluez.read(at["0.0"])
    await stage.attempt(bluez.write(at["0.0"], bytes(513), "request"))
    await stage.attempt(bluez.read(at["0.0"], 513))


async def notify(stage: Stage) -> None:
    """Notifications, twice the same value among them; indications; then silence after StopNotify."""
    bluez = stage.bluez
    _, at = await stage.connected()
    await bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    await stage.peer("notify", attribute="0.0", values=["0001", "0002", "0002", ""])
    await asyncio.sleep(0.2)
    await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StartNotify"))
    await bluez.do(at["0.0"], "GattCharacteristic1.StopNotify")
    await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StopNotify"))
    await bluez.do(at["0.3"], "GattCharacteristic1.StartNotify")
    await stage.peer("indicate", attribute="0.3", values=["aa", "bb"])
    await bluez.do(at["0.3"], "GattCharacteristic1.StopNotify")


async def notify_burst(stage: Stage) -> None:
    """Fifty notifications without a pause: nothing is merged."""
    _, at = await stage.connected()
    await stage.bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    await stage.peer("notify_many", attribute="0.0", count=50, size=8)
    await asyncio.sleep(0.5)


async def read_while_notifying(stage: Stage) -> None:
    """The answer to one's own read is also emitted as a change of Value."""
    bluez = stage.bluez
    _, at = await stage.connected()
    await bluez.read(at["0.0"])
    await bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    await bluez.read(at["0.0"])
    await stage.peer("notify", attribute="0.0", values=["0051"])
    await bluez.read(at["0.0"])
    await stage.peer("hold", attribute="0.0", on="read")
    reading = stage.start(bluez.read(at["0.0"]))
    await stage.peer("wait", event="held", attribute="0.0")
    await stage.peer("notify", attribute="0.0", values=["0052", "0053"])
    await asyncio.sleep(0.1)
    await stage.peer("release", attribute="0.0")
    await reading


async def notify_inside_subscribe(stage: Stage) -> None:
    """The peer notifies before it answers the subscription."""
    _, at = await stage.connected()
    await stage.peer("notify_on_subscribe", attribute="0.0", value="00ff")
    await stage.bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    await asyncio.sleep(0.3)


async def notify_then_disconnect(stage: Stage) -> None:
    """The subscription outlives the link: it is renewed by the next one. StartNotify works while disconnected."""
    bluez = stage.bluez
    path, at = await stage.connected()
    await bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    await bluez.do(path, "Device1.Disconnect")
    await stage.gone(path)
    await asyncio.sleep(0.3)
    await stage.attempt(bluez.do(at["0.3"], "GattCharacteristic1.StartNotify"))
    await stage.attempt(bluez.read(at["0.1"]))
    await stage.attempt(bluez.write(at["0.2"], b"\1", "command"))
    await bluez.connect(path)
    await stage.peer("wait", event="subscribed", attribute="0.0")
    await stage.peer("notify", attribute="0.0", values=["0001"])
    await asyncio.sleep(0.3)
    await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StartNotify"))
    await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StopNotify"))


async def acquire(stage: Stage) -> None:
    """AcquireWrite and AcquireNotify, what they forbid, and their end."""
    bluez = stage.bluez
    path, at = await stage.connected()
    descriptor, _ = await bluez.do(at["0.2"], "GattCharacteristic1.AcquireWrite", "a{sv}", {})
    # The answer's line has to come first.
    await asyncio.sleep(0.1)
    stage.trace.note_json("packet", {"path": at["0.2"], "to": "010203"})
    os.write(descriptor, b"\1\2\3")
    await stage.peer("wait", event="written", attribute="0.2")
    await stage.attempt(bluez.write(at["0.2"], b"\4", "command"))
    await stage.attempt(bluez.do(at["0.2"], "GattCharacteristic1.AcquireWrite", "a{sv}", {}))
    stage.trace.note_json("close", {"path": at["0.2"]})
    os.close(descriptor)
    await asyncio.sleep(0.2)
    await bluez.write(at["0.2"], b"\5", "command")
    descriptor, _ = await bluez.do(at["0.0"], "GattCharacteristic1.AcquireNotify", "a{sv}", {})
    await stage.peer("notify", attribute="0.0", values=["0001"])
    await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StartNotify"))
    await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StopNotify"))
    await asyncio.sleep(0.2)
    stage.trace.note_json("close", {"path": at["0.0"]})
    os.close(descriptor)
    await bluez.do(path, "Device1.Disconnect")
    await stage.gone(path)
    await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.AcquireNotify", "a{sv}", {}))
    await stage.attempt(bluez.do(at["0.2"], "GattCharacteristic1.AcquireWrite", "a{sv}", {}))


async def overlapping(stage: Stage) -> None:
    """Two requests of the same and of different kinds at once on one characteristic and on two."""
    bluez = stage.bluez
    _, at = await stage.connected()
    await stage.peer("hold", attribute="0.2", on="read")
    await stage.peer("hold", attribute="0.2", on="write")
    pending = [
        stage.start(bluez.read(at["0.2"])),
        stage.start(bluez.read(at["0.2"])),
        stage.start(bluez.read(at["0.2"], 1)),
        stage.start(bluez.write(at["0.2"], b"\1", "request")),
        stage.start(bluez.write(at["0.2"], b"\2", "request")),
        stage.start(bluez.read(at["0.1"])),
    ]
    await stage.peer("wait", event="held", attribute="0.2")
    await asyncio.sleep(0.3)
    await stage.peer("release", attribute="0.2")
    await asyncio.gather(*pending)


async def battery(stage: Stage) -> None:
    """The battery service is claimed by bluetoothd: Battery1 instead of attributes."""
    level = {"uuid": "180f", "characteristics": [{"uuid": "2a19", "properties": ["read", "notify"], "value": "57"}]}
    path, _ = await stage.connected(services=[HEART_RATE, level])
    await asyncio.sleep(0.5)
    await stage.peer("notify", attribute="1.0", values=["56"])
    await asyncio.sleep(0.5)
    await stage.attempt(stage.bluez.get(path, "Battery1.Percentage"))
    await stage.bluez.objects()


SCENARIOS = (
    read_write,
    long_values,
    notify,
    notify_burst,
    read_while_notifying,
    notify_inside_subscribe,
    notify_then_disconnect,
    acquire,
    overlapping,
    battery,
)

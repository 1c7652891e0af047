# SPDX-License-Identifier: MIT

"""Things that break with a read in flight."""

from __future__ import annotations

import asyncio

from ..bluez import ADAPTER
from .stage import Stage


async def _reading(stage: Stage) -> tuple[str, asyncio.Task[str | None]]:
    path, at = await stage.connected()
    await stage.peer("hold", attribute="0.1", on="read")
    task = stage.start(stage.bluez.read(at["0.1"]))
    await stage.peer("wait", event="held", attribute="0.1")
    return path, task


async def disconnect_during_read(stage: Stage) -> None:
    """The peer disconnects with a read in flight."""
    path, reading = await _reading(stage)
    await stage.peer("disconnect")
    await reading
    await stage.gone(path)


async def own_disconnect_during_read(stage: Stage) -> None:
    """The client disconnects with its own read in flight."""
    path, reading = await _reading(stage)
    await stage.attempt(stage.bluez.do(path, "Device1.Disconnect"))
    await reading
    await stage.gone(path)


async def remove_during_read(stage: Stage) -> None:
    """RemoveDevice with a read in flight."""
    path, reading = await _reading(stage)
    await stage.attempt(stage.bluez.do(ADAPTER, "Adapter1.RemoveDevice", "o", path))
    # bluetoothd 5.66 never answers it: the trace shows that nothing came within 40 s.
    await asyncio.wait([reading], timeout=40)
    await stage.attempt(stage.bluez.read("/org/bluez/hci0/dev_00_00_00_00_00_00/service0001/char0002"))


async def vanish_during_read(stage: Stage) -> None:
    """The peer goes out of range with a read in flight."""
    path, reading = await _reading(stage)
    await stage.peer("vanish")
    await reading
    await stage.gone(path)


async def disconnect_while_notifying(stage: Stage) -> None:
    """The peer disconnects during a subscription and comes back: is it renewed, and does Notifying change?"""
    path, at = await stage.connected()
    await stage.bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    await stage.peer("notify", attribute="0.0", values=["0001"])
    # A link that ends at once may take the value with it.
    await asyncio.sleep(0.3)
    await stage.peer("disconnect")
    await stage.gone(path)
    await asyncio.sleep(0.5)
    await stage.attempt(stage.bluez.connect(path))
    await asyncio.sleep(0.5)
    await stage.peer("notify", attribute="0.0", values=["0002"])


async def unanswered_read(stage: Stage) -> None:
    """The peer never answers: another read waits behind it; after 30 s both fail and the link ends."""
    path, reading = await _reading(stage)
    at = await stage.bluez.attributes(path)
    second = stage.start(stage.bluez.read(at["0.2"]))
    await reading
    await second
    await stage.gone(path)


async def power_off_during_read(stage: Stage) -> None:
    """Powered off with a read in flight; Connect while off; on again."""
    path, reading = await _reading(stage)
    await stage.power(False)
    await reading
    await stage.gone(path)
    await stage.attempt(stage.bluez.do(path, "Device1.Connect"))
    await stage.power(True)
    await asyncio.sleep(0.5)
    await stage.bluez.objects()
    await stage.attempt(stage.bluez.connect(path))


async def power_off_while_scanning(stage: Stage) -> None:
    """Powered off during discovery; on again: is it discovering?"""
    path = await stage.declare()
    found = stage.bluez.expect(lambda message: message.member == "InterfacesAdded" and message.body[0] == path)
    await stage.bluez.scan()
    await found
    # The monitor writes it down behind the client; a report that is under way would bring the device's object back.
    await asyncio.sleep(0.1)
    await stage.peer("advertise", enabled=False)
    await asyncio.sleep(0.5)
    await stage.power(False)
    await asyncio.sleep(0.5)
    await stage.attempt(stage.bluez.do(ADAPTER, "Adapter1.StopDiscovery"))
    await stage.power(True)
    await stage.peer("advertise", enabled=True)
    await asyncio.sleep(0.5)
    await stage.attempt(stage.bluez.do(ADAPTER, "Adapter1.StartDiscovery"))
    await asyncio.sleep(0.5)
    await stage.bluez.objects()


async def power_off_while_connecting(stage: Stage) -> None:
    """Powered off with a Connect pending."""
    path = await stage.declare()
    await stage.bluez.find(path[-17:].replace("_", ":"))
    await stage.peer("vanish")
    pending = stage.start(stage.bluez.do(path, "Device1.Connect"))
    await asyncio.sleep(1)
    await stage.attempt(stage.power(False))
    await pending
    await stage.attempt(stage.power(True))


async def daemon_killed_during_read(stage: Stage) -> None:
    """bluetoothd is killed with a read in flight and started again: the link stands. Then Connect."""
    path, reading = await _reading(stage)
    await stage.peer("kill_daemon")
    await reading
    await stage.attempt(stage.bluez.objects())
    await asyncio.sleep(0.3)
    await stage.peer("start_daemon")
    await asyncio.sleep(0.5)
    await stage.bluez.objects()
    await stage.attempt(stage.bluez.do(path, "Device1.Connect"), timeout=15)
    stage.trace.note("later")
    await stage.gone(path)


async def daemon_restarted_while_scanning(stage: Stage) -> None:
    """bluetoothd ends in order, during discovery, and is started again."""
    path = await stage.declare()
    found = stage.bluez.expect(lambda message: message.member == "InterfacesAdded" and message.body[0] == path)
    await stage.bluez.scan()
    await found
    await asyncio.sleep(0.1)
    await stage.peer("restart_daemon")
    await asyncio.sleep(0.5)
    await stage.bluez.objects()


async def adapter_removed_during_read(stage: Stage) -> None:
    """The adapter is pulled out with a read in flight and put back."""
    _, reading = await _reading(stage)
    # bluetoothd answers if it hears of the link's end before it hears of the adapter's.
    stage.trace.note("perhaps")
    await stage.peer("adapter", present=False)
    await asyncio.wait([reading], timeout=5)
    await asyncio.sleep(0.5)
    await stage.peer("adapter", present=True)
    await asyncio.sleep(0.5)
    await stage.bluez.objects()


SCENARIOS = (
    disconnect_while_notifying,
    disconnect_during_read,
    own_disconnect_during_read,
    remove_during_read,
    vanish_during_read,
    unanswered_read,
    power_off_during_read,
    power_off_while_scanning,
    power_off_while_connecting,
    daemon_killed_during_read,
    daemon_restarted_while_scanning,
    adapter_removed_during_read,
)

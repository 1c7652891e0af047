# SPDX-License-Identifier: MIT

"""The commands of the control socket that concern one far device. Each method is one command, its parameters the
request's; what it returns is added to the answer. README.md lists them for test authors."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from typing import Any

from bumble import hci
from bumble.device import Device
from bumble.gatt import Characteristic

from . import traffic
from .attserver import FarServer
from .channelcommands import PeripheralChannelCommands
from .database import OPERATIONS
from .far import FarDevice

Answer = dict[str, Any]


class FarCommands(PeripheralChannelCommands):
    """Commands addressed to `far`."""

    def __init__(self, far: FarDevice) -> None:
        self.far = far

    async def configure(self, peer: dict[str, Any], pairing: dict[str, Any] | None = None) -> Answer:
        return {"address": await self.far.configure(peer, pairing or {})}

    async def advertise(self, enabled: bool = True, public: bool = False) -> Answer:
        return {"address": await self.far.advertise(enabled, public)}

    async def update_advertisement(self, advertisement: dict[str, Any]) -> Answer:
        self.far.set_advertisement(advertisement)
        return {}

    async def advertised(self, more: int = 0) -> Answer:
        """How many advertisements the device has sent, once there are `more` than now."""
        self.far.require()
        advertiser = self.far.controller.le_legacy_advertiser
        start = advertiser.sent
        while advertiser.sent < start + more:
            await asyncio.sleep(0.005)
        return {"sent": advertiser.sent}

    async def rssi(self, value: int) -> Answer:
        self.far.require()
        self.far.controller.rssi = value
        return {}

    # Values

    async def set_value(self, attribute: str, value: str) -> Answer:
        self.far.declared(attribute).value = bytes.fromhex(value)
        return {}

    async def value(self, attribute: str) -> Answer:
        return {"value": self.far.declared(attribute).value.hex()}

    async def writes(self, attribute: str, summary: bool = False) -> Answer:
        entry = self.far.declared(attribute)
        writes, entry.writes = entry.writes, []
        if not summary:
            return {"writes": [{"value": value.hex(), "kind": kind} for kind, value in writes]}
        values = [value for _, value in writes]
        return {
            "count": len(values),
            "bytes": sum(map(len, values)),
            "sha256": hashlib.sha256(b"".join(values)).hexdigest(),
            "inSequence": all(int.from_bytes(value[:4], "little") == n for n, value in enumerate(values)),
            "kinds": sorted({kind for kind, _ in writes}),
        }

    async def set_error(self, attribute: str, on: str, code: int | None) -> Answer:
        errors = self.far.declared(attribute).errors
        if _operation(on) in errors:
            del errors[on]
        if code is not None:
            errors[on] = code
        return {}

    async def hold(self, attribute: str, on: str) -> Answer:
        self.far.declared(attribute).holds.add(_operation(on))
        return {}

    async def release(self, attribute: str, keep: bool = False) -> Answer:
        """Answers what is held; with `keep`, what comes after is held again."""
        return {"released": self.far.declared(attribute).release(keep)}

    async def wait(self, event: str, attribute: str | None = None, count: int = 1, timeout: float = 10) -> Answer:
        far = self.far

        def entry() -> Any:
            if attribute is None:
                raise ValueError(f"waiting for {event!r} needs an attribute")
            return far.declared(attribute)

        conditions = {
            "connected": lambda: len(far.connections) > 0,
            "disconnected": lambda: len(far.connections) == 0,
            "paired": lambda: far.paired >= count,
            "subscribed": lambda: entry().cccd != 0,
            "unsubscribed": lambda: entry().cccd == 0,
            "held": lambda: len(entry().held) >= count,
            "written": lambda: len(entry().writes) >= count,
            "read": lambda: entry().reads >= count,
        }
        if event not in conditions:
            raise ValueError(f"unknown event {event!r}; known are {', '.join(conditions)}")
        try:
            await far.until(conditions[event], timeout)
        except TimeoutError:
            raise TimeoutError(f"{event} {attribute or ''} did not come within {timeout} s") from None
        return {}

    # Pairing

    async def shown_passkey(self, timeout: float = 10) -> Answer:
        """What the device shows, or compares."""
        delegate = self.far.pairing_delegate
        await self.far.until(lambda: delegate.shown is not None, timeout)
        return {"passkey": delegate.shown}

    async def type_passkey(self, passkey: int) -> Answer:
        """Types it, now or as soon as the device asks for it."""
        self.far.pairing_delegate.typed = passkey
        self.far.changed()
        return {}

    # Notifications

    async def subscriptions(self, attribute: str) -> Answer:
        entry = self.far.declared(attribute)
        current = 1 if entry.cccd else 0
        return {"cccd": entry.cccd, "writes": entry.cccd_writes, "current": current, "total": entry.subscriptions}

    async def notify_on_subscribe(self, attribute: str, value: str | None) -> Answer:
        self.far.declared(attribute).notification_on_subscribe = None if value is None else bytes.fromhex(value)
        return {}

    async def notify(self, attribute: str, values: list[str]) -> Answer:
        return {"sent": await traffic.notify(self.far, attribute, (bytes.fromhex(value) for value in values))}

    async def notify_many(self, attribute: str, count: int, size: int = 20) -> Answer:
        values = (number.to_bytes(4, "little") + bytes(size - 4) for number in range(count))
        return {"sent": await traffic.notify(self.far, attribute, values)}

    async def indicate(self, attribute: str, values: list[str]) -> Answer:
        entry, confirmed = self.far.declared(attribute), 0
        for value in values:
            confirmed += await self.far.server.indicate(entry.attribute, bytes.fromhex(value))
        return {"confirmed": confirmed}

    async def service_changed(self, services: list[dict[str, Any]]) -> Answer:
        """Loads `services`; indicates from the first service that differs up to the last handle."""
        far = self.far
        device, server = far.require(), far.server
        if far.connections:
            # A central subscribes to Service Changed some time after it connected.
            with contextlib.suppress(TimeoutError):
                await far.until(lambda: bool(server.subscribed(_service_changed(device), 2)), 5)
        same = 0
        while same < min(len(services), len(far.declaration)) and services[same] == far.declaration[same]:
            same += 1
        first = _start_of(server, same)
        far.declaration = services
        server.load(services)
        server.drop_subscriptions(first)
        value = first.to_bytes(2, "little") + b"\xff\xff"
        return {"first": first, "confirmed": await server.indicate(_service_changed(device), value)}

    # Links

    async def connections(self) -> Answer:
        return {"connections": len(self.far.connections), "total": self.far.connection_count}

    async def timing(self, interval: list[int], latency: int, supervision: int, timeout: float = 30) -> Answer:
        """Waits for a link with an interval of these two, in units of 1.25 ms, this latency, and this supervision timeout,
        in units of 10 ms."""
        far = self.far
        far.require()

        def holds() -> bool:
            timing = far.controller.timing
            return timing is not None and interval[0] <= timing[0] <= interval[1] and timing[1:] == (latency, supervision)

        try:
            await far.until(holds, timeout)
        except TimeoutError:
            raise TimeoutError(f"the link has {far.controller.timing}") from None
        return {}

    async def mtu(self) -> Answer:
        return {"mtu": self.far.connection().att_mtu}

    async def disconnect(self, reason: int = hci.HCI_ErrorCode.REMOTE_USER_TERMINATED_CONNECTION_ERROR) -> Answer:
        await self.far.connection().disconnect(reason)
        return {}

    async def vanish(self) -> Answer:
        self.far.require()
        self.far.air.vanish(self.far.controller)
        return {}

    async def mute(self) -> Answer:
        self.far.require()
        self.far.air.mute(self.far.controller)
        return {}

    async def hold_discovery(self) -> Answer:
        self.far.require()
        self.far.server.holds_discovery = True
        return {}

    async def restore(self) -> Answer:
        self.far.require()
        self.far.server.release_discovery()
        self.far.air.restore(self.far.controller)
        return {}

    async def refuse_connections(self, enabled: bool = True) -> Answer:
        self.far.require()
        self.far.controller.refuses_connections = enabled
        return {}

    async def events(self) -> Answer:
        return {"events": self.far.drain_events()}


def _operation(name: str) -> str:
    if name not in OPERATIONS:
        raise ValueError(f"unknown operation {name!r}; known are {', '.join(OPERATIONS)}")
    return name


def _service_changed(device: Device) -> Characteristic:
    assert device.gatt_service is not None
    changed = device.gatt_service.service_changed_characteristic
    assert changed is not None
    return changed


def _start_of(server: FarServer, index: int) -> int:
    """The handle at which service `index` of the declaration starts, or would."""
    if index < len(server.database.services):
        return server.database.services[index].handle
    return server.next_handle()

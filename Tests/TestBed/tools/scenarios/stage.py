# SPDX-License-Identifier: MIT

"""What the scenarios share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from dbus_fast import Variant

from ..bluez import ADAPTER, BlueZ, BusError, device_path
from ..control import Control
from ..trace import Trace
from .central import Central

HEART_RATE = {
    "uuid": "180d",
    "characteristics": [
        {
            "uuid": "2a37",
            "properties": ["read", "notify"],
            "value": "0048",
            "descriptors": [{"uuid": "2901", "value": "48656172742072617465"}],
        },
        {"uuid": "2a38", "properties": ["read"], "value": "01"},
        {"uuid": "2a39", "properties": ["write", "writeWithoutResponse", "read"], "value": "00"},
        {"uuid": "f0001234-0451-4000-b000-000000000000", "properties": ["indicate"], "value": ""},
    ],
}
ADVERTISEMENT = {"data": {"localName": "Heart", "serviceUUIDs": ["180d"], "manufacturerData": {"ffff": "0102"}}}


@dataclass
class Stage:
    bluez: BlueZ
    control: Control
    trace: Trace
    central: Central = field(init=False)

    async def peer(self, command: str, **parameters: Any) -> dict[str, Any]:
        """A command to the peer, noted in the trace as JSON, so that the trace can be replayed."""
        self.trace.note_json("peer", {"cmd": command, **parameters})
        return await self.control(command, **parameters)

    async def declare(
        self, device: int = 0, advertise: bool = True, pairing: dict[str, Any] | None = None, **peer: Any
    ) -> str:
        """Puts a far device on the air; the path it gets. In the trace its address is C0:00:00:00:00:0n."""
        twin = {"schema": "bluecap-twin", "version": 1, "name": "Heart"}
        twin |= {"advertisement": ADVERTISEMENT, "services": [HEART_RATE], **peer}
        script = {} if pairing is None else {"pairing": pairing}
        address = (await self.peer("configure", device=device, peer=twin, **script))["address"]
        self.trace.alias(address, f"C0:00:00:00:00:0{device}")
        if advertise:
            await self.peer("advertise", device=device, enabled=True)
        return device_path(address)

    async def connected(self, device: int = 0, **peer: Any) -> tuple[str, dict[str, str]]:
        """Declares, finds, connects and resolves; path and attributes."""
        path = await self.declare(device, **peer)
        await self.bluez.find(path[-17:].replace("_", ":"))
        return path, await self.bluez.connect(path)

    async def connect_central(self, mtu: int = 517) -> None:
        """A far device finds the application and connects to it. Its address as in `declare`."""
        self.central = Central(self.control, self.trace)
        await self.central.connect(mtu)

    async def central_known(self) -> None:
        """Waits until bluetoothd has read the services and the name of the far device that is a central."""

        async def known() -> bool:
            devices = (interfaces.get("org.bluez.Device1", {}) for interfaces in (await self.bluez.watch.objects()).values())
            return any(device and device["ServicesResolved"].value and "Name" in device for device in devices)

        await self.bluez.until(known)
        # What is told of it comes before what is done next.
        await asyncio.sleep(0.3)

    async def attempt(self, action: Awaitable[Any], timeout: float = 60) -> str | None:
        """Does it and leaves the error, if any, to the trace. Its text, for scenarios that depend on it."""
        try:
            await asyncio.wait_for(action, timeout)
        except BusError as error:
            return str(error)
        except TimeoutError:
            self.trace.note(f"no answer within {timeout} s")
        return None

    def start(self, action: Awaitable[Any]) -> asyncio.Task[str | None]:
        return asyncio.create_task(self.attempt(action))

    async def power(self, on: bool) -> None:
        await self.bluez.set(ADAPTER, "Adapter1.Powered", Variant("b", on))

    async def gone(self, path: str, timeout: float = 15) -> None:
        """Waits until the link of the device is down or its object removed."""

        async def down() -> bool:
            try:
                return not await self.bluez.watch.get(path, "Device1.Connected")
            except BusError as error:
                return error.name.endswith("UnknownObject")

        await self.bluez.until(down, timeout)


Scenario = Callable[[Stage], Awaitable[None]]

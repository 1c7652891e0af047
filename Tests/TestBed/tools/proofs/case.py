# SPDX-License-Identifier: MIT

"""What the proofs share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..bluez import BlueZ, BusError, device_path
from ..control import Control

EVERYTHING = ["read", "write", "writeWithoutResponse", "notify", "indicate"]


class Failed(Exception):
    """A check that did not hold."""


def same(found: Any, expected: Any, what: str = "") -> None:
    if found != expected:
        found, expected = (text if len(text) < 200 else f"{text[:200]}…" for text in (repr(found), repr(expected)))
        raise Failed(f"{what}: found {found}, expected {expected}".removeprefix(": "))


def characteristic(**changes: Any) -> dict[str, Any]:
    return {"uuid": "f0001234-0451-4000-b000-000000000000", "properties": EVERYTHING, "value": "00", **changes}


def service(*characteristics: dict[str, Any], uuid: str = "180d") -> dict[str, Any]:
    return {"uuid": uuid, "characteristics": list(characteristics)}


@dataclass
class Case:
    bluez: BlueZ
    peer: Control

    async def declare(self, device: int = 0, **peer: Any) -> str:
        peer = {"name": "Far", "services": [service(characteristic())], **peer}
        address = (await self.peer("configure", device=device, peer=peer))["address"]
        await self.peer("advertise", device=device, enabled=True)
        return address

    async def connected(self, device: int = 0, **peer: Any) -> tuple[str, dict[str, str]]:
        path = await self.bluez.find(await self.declare(device, **peer))
        return path, await self.bluez.connect(path)

    async def refused(self, path: str, member: str, *arguments: Any) -> str:
        """The text of the error that the call must end with."""
        try:
            await self.bluez.do(path, member, *arguments)
        except BusError as error:
            return error.text
        raise Failed(f"{member} was expected to fail")

    async def down(self, path: str) -> None:
        async def disconnected() -> bool:
            return not await self.bluez.get(path, "Device1.Connected")

        await self.bluez.until(disconnected, 10)

    async def close(self) -> None:
        """Leaves nothing behind for the next proof, as far as bluetoothd lives."""
        try:
            for path in await self.bluez.objects():
                adapter, _, device = path.partition("/dev_")
                if device and "/" not in device:
                    await self.bluez.do(adapter, "Adapter1.RemoveDevice", "o", path)
        except BusError:
            pass
        await self.peer.close()
        for connection in (self.bluez.bus, self.bluez.watch.bus):
            connection.disconnect()


__all__ = ["Case", "Failed", "characteristic", "device_path", "same", "service"]

# SPDX-License-Identifier: MIT
# A part of gateway_in_bed.py: a far heart strap in the test bed, to which the gateway stays connected.
from __future__ import annotations

import asyncio
from typing import Any

DEVICE = 1
MEASUREMENT, CONTROL_POINT, BATTERY = "0.0", "0.1", "1.0"
PEER: dict[str, Any] = {
    "name": "Strap", "advertisement": {"data": {"localName": "Strap", "serviceUUIDs": ["180D"]}},
    "services": [
        {"uuid": "180D", "characteristics": [
            {"uuid": "2A37", "properties": ["notify"]}, {"uuid": "2A39", "properties": ["write"]}]},
        {"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": ["read"], "value": "61"}]}]}


class Strap:
    """Device 1: twice a second it notifies a rate that it has not had before."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.rate = 60
        self.address = ""

    async def open(self) -> Strap:
        self.address = (await self.peer("configure", device=DEVICE, peer=PEER))["address"]
        await self.peer("advertise", device=DEVICE, enabled=True)
        self.task = asyncio.create_task(self.beat())
        return self

    def close(self) -> None:
        self.task.cancel()

    async def beat(self) -> None:
        while True:
            self.rate += 1
            # Flags of 1: the rate has two octets. Without a subscriber nothing is sent.
            value = b"\x01" + self.rate.to_bytes(2, "little")
            await self.peer("notify", device=DEVICE, attribute=MEASUREMENT, values=[value.hex()])
            await asyncio.sleep(0.5)

    async def charge(self, percent: int) -> None:
        await self.peer("set_value", device=DEVICE, attribute=BATTERY, value=f"{percent:02x}")

    async def written(self) -> list[str]:
        """What was written to its control point since the last call."""
        answer = await self.peer("writes", device=DEVICE, attribute=CONTROL_POINT)
        return [write["value"] for write in answer["writes"]]

    def rule(self) -> dict[str, Any]:
        """The rule of a gateway for it."""
        connect = {"subscribe": ["180D/2A37"], "read": ["Battery Level"], "write": ["Heart Rate Control Point"]}
        return {"match": {"address": self.address}, "name": "Strap", "connect": connect}

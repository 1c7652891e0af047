# SPDX-License-Identifier: MIT

"""bleak_session.py ADDRESS ADAPTER COUNT: a session of a program that is not ours.

Connects to a device, reads all that can be read, subscribes to all that notifies, waits for so many values of all together,
and disconnects. Prints `subscribed` and then the values, a JSON object a line."""
from __future__ import annotations

import asyncio
import json
import sys

from bleak import BleakClient, BleakScanner

ADDRESS, ADAPTER, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])


async def main() -> None:
    device = await BleakScanner.find_device_by_address(ADDRESS, timeout=20, bluez={"adapter": ADAPTER})
    if device is None:
        raise SystemExit(f"{ADDRESS} was not found")
    received: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
    async with BleakClient(device, timeout=30, bluez={"adapter": ADAPTER}) as client:
        notifying = []
        for service in client.services:
            for each in service.characteristics:
                if "read" in each.properties:
                    print(json.dumps({"uuid": each.uuid, "read": (await client.read_gatt_char(each)).hex()}), flush=True)
                for descriptor in each.descriptors:
                    if not descriptor.uuid.startswith("00002902-"):
                        await client.read_gatt_descriptor(descriptor.handle)
                if {"notify", "indicate"} & set(each.properties):
                    notifying.append(each)
        for each in notifying:
            await client.start_notify(each, lambda sender, data: received.put_nowait((sender.uuid, bytes(data).hex())))
        print(json.dumps({"subscribed": len(notifying)}), flush=True)
        for _ in range(COUNT):
            uuid, value = await asyncio.wait_for(received.get(), 60)
            print(json.dumps({"uuid": uuid, "notified": value}), flush=True)
        for each in notifying:
            await client.stop_notify(each)


asyncio.run(main())

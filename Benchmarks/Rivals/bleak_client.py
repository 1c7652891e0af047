# SPDX-License-Identifier: MIT

"""bleak_client.py WORK COUNT [AT_ONCE]: the works of `pipeline` as a user of bleak writes them."""

import asyncio
import os

from bleak import BleakClient, BleakScanner
from bleak.backends.bluezdbus.manager import get_global_bluez_manager
from measure import memory_kb, run

CHARACTERISTIC = "f000ab00-0451-4000-b000-000000000000"
SERVICE = "0000180f-0000-1000-8000-00805f9b34fb"


async def client(work, made, at_once):
    if work in ("sight", "sight-filtered"):
        await sight(work, made)
    elif work == "start":
        await start(made)
    else:
        device = await BleakScanner.find_device_by_name("Target", 20)
        async with BleakClient(device) as connected:
            await with_connection(work, made, at_once, connected)
    # What is left to be cleared up is not part of the work.
    os._exit(0)


async def sight(work, made):
    services = [SERVICE] if work == "sight-filtered" else None
    async with BleakScanner(lambda device, data: made.sighting(data.rssi), services):
        made.begin("warm")
        await made.ended.wait()
        made.begin()
        await made.ended.wait()
        made.report()


async def start(made):
    """What is done before the first scan, and then a first sighting of every device."""
    made.begin("started")
    # Every scanner and client does this first, and waits for it.
    await get_global_bluez_manager()
    made.done = 1
    figures = made.figures()
    async with BleakScanner(lambda device, data: made.sighting(data.rssi)):
        made.begin("warm")
        await made.ended.wait()
        made.report(**{**figures, "scanned_kb": memory_kb()})


async def with_connection(work, made, at_once, connected):
    characteristic = connected.services.get_characteristic(CHARACTERISTIC)
    value = bytes(20)
    if work in ("notify", "packets", "idle"):
        await connected.start_notify(
            characteristic, lambda _, value: made.value(value), bluez={"use_start_notify": work != "packets"})
        made.begin()
        if work == "idle":
            await asyncio.sleep(made.count)
            made.done = made.count
        else:
            await made.ended.wait()
    elif work == "read":
        places = list(connected.services.characteristics.values())[:at_once]
        await made.operations(places, connected.read_gatt_char)
    else:
        await made.operations(
            [characteristic], lambda place: connected.write_gatt_char(place, value, response=work == "write"))
    made.report()


run(client)

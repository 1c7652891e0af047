# SPDX-License-Identifier: MIT

"""bleak_passive.py COMPANY SECONDS: a passive scan of a program that is not ours, for manufacturer data of a company.

Prints the addresses that it reported, one a line."""
from __future__ import annotations

import asyncio
import sys

from bleak import BleakScanner
from bleak.args.bluez import BlueZScannerArgs, OrPattern
from bleak.assigned_numbers import AdvertisementDataType

COMPANY, SECONDS = int(sys.argv[1], 16), float(sys.argv[2])


async def main() -> None:
    pattern = OrPattern(0, AdvertisementDataType.MANUFACTURER_SPECIFIC_DATA, COMPANY.to_bytes(2, "little"))
    heard: set[str] = set()
    async with BleakScanner(
        lambda device, _: heard.add(device.address),
        scanning_mode="passive",
        bluez=BlueZScannerArgs(or_patterns=[pattern], adapter="hci0"),
    ):
        await asyncio.sleep(SECONDS)
    for address in sorted(heard):
        print(address, flush=True)


asyncio.run(main())

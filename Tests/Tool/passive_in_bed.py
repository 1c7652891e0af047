# SPDX-License-Identifier: MIT

"""Passive scans of the tool, beside those of bleak, with btmon and the controller as witnesses: a part of twin_in_bed.py."""
from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from typing import Any

from programs import check, finish, line_with, start
from tools.control import Control

COMPANY = "b1ec"
SECONDS = 4


async def passive(peer: Control, tool: str) -> None:
    """Two devices with the company's data and one with another's."""
    addresses = []
    for device, company in enumerate((COMPANY, COMPANY, "b1ed")):
        advertisement = {"data": {"localName": f"Far {device}", "manufacturerData": {company: "01"}}}
        configured = await peer("configure", device=device, peer={"services": [], "advertisement": advertisement})
        addresses.append(configured["address"].upper())
        await peer("advertise", device=device, enabled=True)
    wanted = set(addresses[:2])
    capture = os.path.join(os.environ["BED_OUT"], "passive.btsnoop")
    monitor = await start("btmon", "-w", capture)
    await asyncio.sleep(1)
    moving = asyncio.create_task(move(peer))
    ours = await scanned_by_the_tool(tool)
    check("a passive scan of the tool discovers the devices of its pattern, and no other", ours == wanted, (ours, addresses))
    check("nothing scans after it", await until_silent(peer))
    theirs = await scanned_by_bleak()
    check("bleak's passive scan in the same run finds the same set", theirs == ours, (theirs, ours))
    check("nor after bleak's", await until_silent(peer))
    moving.cancel()
    await killed(peer, tool)
    monitor.send_signal(signal.SIGINT)
    await finish(monitor, 10)
    _, lines, _ = await finish(await start("btmon", "-r", capture), 30)
    kinds = re.findall(r"LE Set Scan Parameters.*?Type: (\w+) \((0x\d\d)\)", "".join(line + "\n" for line in lines), re.DOTALL)
    check("btmon shows passive scans, of type 0, and no other", bool(kinds) and set(kinds) == {("Passive", "0x00")}, kinds)
    for device in range(3):
        await peer("advertise", device=device, enabled=False)


async def move(peer: Control) -> None:
    """Has the strength of the devices change: bleak reports a device that bluetoothd knows when something of it does."""
    while True:
        for value in (-50, -40):
            for device in range(3):
                await peer("rssi", device=device, value=value)
            await asyncio.sleep(0.2)


def pattern() -> str:
    """As it is in the packet, in which the company is little-endian."""
    return "FF:" + bytes.fromhex(COMPANY)[::-1].hex()


async def scanned_by_the_tool(tool: str) -> set[str]:
    command = ("scan", "--passive", "--pattern", pattern(), "--duration", str(SECONDS), "--adapter", "hci0", "--json")
    status, lines, errors = await finish(await start(tool, *command), 40)
    check("a passive scan ends with 0 after its duration", status == 0, (status, errors))
    events: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return {event["id"] for event in events if event["event"] == "discovered"}


async def scanned_by_bleak() -> set[str]:
    python = os.environ["BLUECAP_BLEAK_PYTHON"]
    status, lines, errors = await finish(await start(python, "Tests/Tool/bleak_passive.py", COMPANY, str(SECONDS)), 40)
    check("bleak's passive scan ends with 0", status == 0, (status, errors))
    return set(lines)


async def until_silent(peer: Control) -> bool:
    """Whether the controller scans no more, within ten seconds."""
    for _ in range(100):
        if not (await peer("scanning"))["enabled"]:
            return True
        await asyncio.sleep(0.1)
    return False


async def killed(peer: Control, tool: str) -> None:
    """A program that is killed leaves no monitor to bluetoothd: the controller ends its scan by itself."""
    process = await start(tool, "scan", "--passive", "--pattern", pattern(), "--duration", "60", "--adapter", "hci0", "--json")
    await line_with(process, "discovered", 20)
    scanning = await peer("scanning")
    check("the controller scans, and asks nothing", (scanning["enabled"], scanning["active"]) == (True, False), scanning)
    process.kill()
    await finish(process, 10)
    check("the monitor of a program that was killed is gone: nothing scans any more", await until_silent(peer))

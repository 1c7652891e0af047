# SPDX-License-Identifier: MIT

"""`bluecap channel open` and `listen` against a far device that is another Bluetooth stack."""
from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from typing import Any

from programs import check, start

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control  # noqa: E402

TOOL = sys.argv[1]
NAME = "Far lock"
OURS = "Near printer"
PSM = 0x81
# Longer than a unit, with every octet.
PIECE = random.Random(1).randbytes(9000)


async def channel(*arguments: str) -> asyncio.subprocess.Process:
    return await start(TOOL, "channel", *arguments, stdin=asyncio.subprocess.PIPE)


async def ended(process: asyncio.subprocess.Process, text: bytes | None = None) -> tuple[int, bytes, str]:
    """The exit status, the output and the errors of a program, whose input is a text."""
    try:
        output, errors = await asyncio.wait_for(process.communicate(text), 40)
    except TimeoutError:
        process.kill()
        output, errors = await process.communicate()
    return process.returncode or 0, output, errors.decode()


async def arrived(peer: Any, command: str, **channel: int) -> bytes:
    """The bytes of a far device's channel, once there are so many."""
    data = b""
    while len(data) < len(PIECE):
        data += b"".join(map(bytes.fromhex, (await peer(command, count=1, **channel))["units"]))
    return data


async def channels(peer: Control) -> None:
    address = (await peer("configure", peer={"name": NAME, "advertisement": {"data": {"localName": NAME}}}))["address"]
    await peer("publish_channel", psm=PSM, behaviour="echo")
    await peer("advertise", enabled=True)

    open_it = ["open", address.upper(), "--timeout", "20", "--psm"]
    process = await channel(*open_it, str(PSM), "--wait", "30")
    process.stdin.write(PIECE)
    process.stdin.close()
    await peer("wait", event="connected", timeout=20)
    check("the far device has the input", await arrived(peer, "channel_units", psm=PSM) == PIECE)
    await peer("wait_sent", psm=PSM)
    await peer("close_channels", psm=PSM)
    status, output, errors = await ended(process)
    check("channel open ends with 0 when the far device closes it", status == 0, (status, errors))
    check("the input has come back", output == PIECE, (len(output), errors))
    await peer("wait", event="disconnected", timeout=20)
    await peer("advertise", enabled=True)

    # bluetoothd takes two seconds to end the link of each: time for the other role.
    refused = asyncio.create_task(ended(await channel(*open_it, "0x82"), b"hello"))
    await peer("wait", event="connected", timeout=20)
    await listening(peer)
    status, output, errors = await refused
    check("a PSM that takes no channel is refused with 76", status == 76 and output == b"", (status, output, errors))
    check("it says so", "look whether the peer takes channels on the PSM" in errors, errors)
    await peer("wait", event="disconnected", timeout=20)


async def listening(peer: Control) -> None:
    async def far(command: str, **parameters: Any) -> dict[str, Any]:
        return await peer(f"central_{command}", device=1, **parameters)

    await peer("configure", device=1, peer={"name": "Far phone"})
    listen = ["listen", "--psm", "0x90", "--name", OURS, "--json"]
    process = await channel(*listen)
    process.stdin.write(PIECE)
    found = await far("scan", name=OURS, timeout=15)
    await far("connect", address=found["address"], public=found["public"])
    opened = await far("open_channel", psm=0x90)
    number = opened["channel"]
    check("channel listen takes the far central's channel", number is not None, opened)
    check("its input goes to the far central", await arrived(far, "channel_units", channel=number) == PIECE)
    await far("send_units", channel=number, units=[PIECE[:2000].hex(), PIECE[2000:2500].hex()])

    status, _, errors = await ended(await channel(*listen), b"")
    check("a PSM that another program has ends with 75", status == 75, (status, errors))
    check("it says how to go on", "the PSM 144 is published already: choose another with --psm" in errors, errors)

    process.send_signal(signal.SIGINT)
    status, output, errors = await ended(process)
    await far("channel_closed", channel=number)
    await far("disconnect")
    check("Ctrl-C ends channel listen by SIGINT", status == -signal.SIGINT, (status, errors))
    events = [json.loads(line) for line in output.splitlines()]
    values = {way: "".join(each["value"] for each in events if each["event"] == way) for way in ("received", "sent")}
    check("the far central's bytes are told", values["received"] == PIECE[:2500].hex(), values["received"])
    check("those that went out are, too", values["sent"] == PIECE.hex(), len(values["sent"]))
    names = list(dict.fromkeys(each["event"] for each in events if each["event"] not in values))
    check("each event has its name", names == ["published", "advertising", "opened", "closed", "stopped"], names)

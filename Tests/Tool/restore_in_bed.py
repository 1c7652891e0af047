# SPDX-License-Identifier: MIT

"""`bluecap emulate --restore`, killed and started again, before a far central."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

from programs import check, finish, start

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control  # noqa: E402

TOOL = sys.argv[1]
NAME = "Lasting lamp"
COMMAND = ["emulate", "180F", "Heart Rate", "--name", NAME, "--set", "battery level=20", "--restore", "bed", "--json"]


async def begun() -> tuple[asyncio.subprocess.Process, list[str]]:
    """The tool once it advertises, and the kinds of its events until then."""
    process = await start(TOOL, *COMMAND)
    events: list[str] = []
    while line := (await asyncio.wait_for(process.stdout.readline(), 40)).decode():
        events.append(json.loads(line)["event"])
        if events[-1] == "advertising":
            break
    return process, events


async def found(peer: Control) -> tuple[dict[str, Any], str]:
    """Where a far central finds the characteristics, and the battery's level."""
    device = await peer("central_scan", name=NAME, timeout=15)
    connected = await peer("central_connect", address=device["address"], public=device["public"])
    handles = {each["uuid"]: each["handle"] for service in connected["services"] for each in service["characteristics"]}
    level = (await peer("central_read", attribute=handles["2a19"]))["value"]
    await peer("central_disconnect")
    return handles, level


async def restoring(peer: Control) -> None:
    process, events = await begun()
    check("emulate --restore offers its services for the first time", events.count("serviceAdded") == 2, events)
    before, level = await found(peer)
    check("a far central reads the level", level == "14", level)
    process.send_signal(signal.SIGKILL)
    await process.wait()

    process, events = await begun()
    check("after kill -9 they are restored", events == ["serviceRestored"] * 2 + ["advertising"], events)
    after, level = await found(peer)
    check("a far central finds them in their places, with the value", after == before and level == "14", (before, after, level))
    process.send_signal(signal.SIGINT)
    status, _, errors = await finish(process, 30)
    check("Ctrl-C ends it by SIGINT", status == -signal.SIGINT, (status, errors))

    process, events = await begun()
    check("after Ctrl-C nothing is restored", events.count("serviceAdded") == 2, events)
    process.send_signal(signal.SIGINT)
    await finish(process, 30)

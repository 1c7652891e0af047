# SPDX-License-Identifier: MIT

"""A bluetoothd that stands still (SIGSTOP) answers no call; every program has to end within six seconds of Ctrl-C all the same."""
from __future__ import annotations

import asyncio
import os
import signal
import sys

from programs import check, finish, line_with, start

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control  # noqa: E402

TOOL = sys.argv[1]
LIMIT = 6
HEART_RATE = "180d"
BEAT = "2a37"


def strap(name: str) -> dict[str, object]:
    beat = {"uuid": BEAT, "properties": ["read", "notify"], "value": "0048"}
    return {
        "name": name,
        "advertisement": {"data": {"localName": name, "serviceUUIDs": [HEART_RATE]}},
        "services": [{"uuid": HEART_RATE, "characteristics": [beat]}],
    }


async def ended(programs: dict[str, asyncio.subprocess.Process], statuses: set[int], when: str) -> None:
    """Sends SIGINT to all that run, at once, and looks at the end of each."""
    for process in programs.values():
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
    ends = await asyncio.gather(*(finish(process, LIMIT) for process in programs.values()))
    for name, (status, lines, errors) in zip(programs, ends):
        # In a shell Ctrl-C ends a command, and the first command that fails is the status of a shell that reads a pipe.
        wanted = {130} if name == "shell" else statuses
        check(f"Ctrl-C ends {name} within {LIMIT} s {when}", status in wanted, (status, lines[-3:], errors))


async def paused(peer: Control) -> None:
    addresses = []
    for device, name in enumerate(["Notified", "Held", "Connected"]):
        addresses.append((await peer("configure", device=device, peer=strap(name)))["address"].upper())
        await peer("advertise", device=device, enabled=True)
    await peer("hold", device=1, attribute="0.0", on="read")

    programs = {
        "notify": await start(TOOL, "notify", addresses[0], BEAT, "--timeout", "20"),
        "read": await start(TOOL, "read", addresses[1], BEAT),
        "shell": await start(TOOL, "shell", "--timeout", "20", stdin=asyncio.subprocess.PIPE),
    }
    programs["shell"].stdin.write(f"connect {addresses[2]}\nsubscribe {BEAT}\nwait 600\n".encode())
    programs["shell"].stdin.close()
    await peer("wait", event="subscribed", attribute="0.0", timeout=40)
    await peer("wait", device=1, event="held", attribute="0.0", timeout=40)
    await peer("wait", device=2, event="subscribed", attribute="0.0", timeout=40)
    for arguments in (["emulate", HEART_RATE, "--name", "Emulated"], ["beacon", "advertise"]):
        programs[" ".join(arguments)] = process = await start(TOOL, *arguments, "--json")
        await line_with(process, '"advertising"')
    for arguments in (["scan"], ["beacon", "range", "--all"]):
        programs[" ".join(arguments)] = await start(TOOL, *arguments, "--json")
    await asyncio.sleep(2)
    await peer("pause_daemon", paused=True)
    await ended(programs, {-signal.SIGINT}, "while bluetoothd stands still")

    late = [
        ["scan"], ["info", addresses[0]], ["read", addresses[0], BEAT], ["notify", addresses[0], BEAT], ["rssi", addresses[0]],
        ["emulate", HEART_RATE], ["beacon", "advertise"], ["beacon", "range"], ["adapters"], ["bonds"], ["pair", addresses[0]],
        ["record", addresses[0], "-o", "/dev/null"], ["doctor"],
    ]
    programs = {" ".join(arguments): await start(TOOL, *arguments) for arguments in late}
    await asyncio.sleep(2)
    # Some have found out by themselves by then that bluetoothd does not answer.
    await ended(programs, {-signal.SIGINT, 69, 75}, "when bluetoothd stood still before it began")

    await peer("pause_daemon", paused=False)
    await peer("release", device=1, attribute="0.0")
    for device in range(3):
        await peer("wait", device=device, event="disconnected", timeout=40)
    status, lines, errors = await finish(await start(TOOL, "scan", "--duration", "5"), 40)
    check("a scan finds devices once bluetoothd goes on", status == 0 and any("Notified" in line for line in lines), (status, lines, errors))

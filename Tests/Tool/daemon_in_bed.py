# SPDX-License-Identifier: MIT

"""daemon_in_bed.py PROGRAM EXAMPLES: kills Examples/Daemon and bluetoothd, in turn, in the test bed, and then ends the examples in
a folder while bluetoothd stands still. Exit status 0: all passed.

Each time a far central has to find the gateway again, and to be notified of what a far sensor measures after that."""
from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from typing import Any

import examples_in_bed
from programs import check, results, summed_up

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control, Refused  # noqa: E402

PROGRAM = sys.argv[1]
SENSOR = "181a"
TEMPERATURE = "2a6e"
GATEWAY = "7d9c0001-5c8a-4b37-9e05-0c0a3d9b7e21"
THERMOMETER = {
    "name": "Kitchen",
    "advertisement": {"data": {"localName": "Kitchen", "serviceUUIDs": [SENSOR]}},
    "services": [
        {"uuid": SENSOR, "characteristics": [{"uuid": TEMPERATURE, "properties": ["read", "notify"], "value": "0000"}]}
    ],
}
LIMIT = 60


class Gateway:
    """The program, with a state folder that outlives it."""

    def __init__(self, folder: str) -> None:
        self.environment = os.environ | {"STATE_DIRECTORY": folder}

    async def start(self) -> None:
        self.process = await asyncio.create_subprocess_exec(PROGRAM, env=self.environment)

    async def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return await asyncio.wait_for(self.process.wait(), 30)

    @property
    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


async def receives(peer: Control, value: str) -> None:
    """The far central finds the gateway, subscribes, and is notified of a value that the far sensor sends meanwhile."""
    found = await peer("central_scan", device=1, service=GATEWAY, timeout=10)
    connected = await peer("central_connect", device=1, address=found["address"], public=found["public"])
    try:
        handles = [
            each["handle"]
            for service in connected["services"] if service["uuid"] == GATEWAY
            for each in service["characteristics"] if each["uuid"] == TEMPERATURE
        ]
        if not handles:
            raise Refused("the gateway was heard and has no service")
        await peer("central_subscribe", device=1, attribute=handles[0])
        for _ in range(20):
            await peer("notify", attribute="0.0", values=[value])
            try:
                received = await peer("central_received", device=1, attribute=handles[0], count=1, timeout=1)
            except Refused:
                continue
            if value in received["values"]:
                return
        raise Refused("the gateway sends nothing new")
    finally:
        try:
            await peer("central_disconnect", device=1)
        except Refused:
            pass  # the link ended by itself


async def flows(peer: Control, what: str) -> None:
    """Values flow through the gateway within the limit."""
    value = (2000 + len(results)).to_bytes(2, "little").hex()
    begun = time.monotonic()
    error: Refused | None = None
    while time.monotonic() - begun < LIMIT:
        try:
            await receives(peer, value)
            return check(f"{what}, after {time.monotonic() - begun:.1f} s", True)
        except Refused as refused:
            error = refused
    check(what, False, error)


async def last_heard(peer: Control) -> dict[str, Any] | None:
    """What the far central hears of the gateway; None once it hears nothing for two seconds, within a few attempts:
    bluetoothd stops advertising only after it has seen the program leave the bus."""
    heard = None
    for _ in range(5):
        try:
            heard = await peer("central_scan", device=1, service=GATEWAY, timeout=2)
        except Refused:
            return None
    return heard


async def main() -> int:
    peer = await Control().open()
    await peer("configure", peer=THERMOMETER)
    await peer("configure", device=1, peer={"name": "Phone", "services": []})
    await peer("advertise", enabled=True)
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(folder)
        await gateway.start()
        await flows(peer, "a value goes from the sensor to the far central")
        for _ in range(3):
            await gateway.end(signal.SIGKILL)
            await gateway.start()
            await flows(peer, "the same once the gateway was killed and started again")
        before = gateway.descriptors
        for _ in range(2):
            await peer("kill_daemon")
            await peer("start_daemon")
            await flows(peer, "the same once bluetoothd was killed")
        for _ in range(2):
            await peer("restart_daemon")
            await flows(peer, "the same once bluetoothd was restarted, as by an upgrade")
        # One is open for a moment while a file is written.
        for _ in range(50):
            if gateway.descriptors <= before:
                break
            await asyncio.sleep(0.1)
        check("no descriptor is left over", gateway.descriptors <= before, (before, gateway.descriptors))
        status = await gateway.end(signal.SIGTERM)
        check("SIGTERM ends the gateway with 0", status == 0, status)
        await peer("wait", event="disconnected", timeout=20)
        check("the sensor is disconnected then", (await peer("connections"))["connections"] == 0)
        heard = await last_heard(peer)
        check("nothing is on the air then", heard is None, heard)
    await examples_in_bed.paused(peer, sys.argv[2])
    await peer.close()
    return summed_up()


sys.exit(asyncio.run(main()))

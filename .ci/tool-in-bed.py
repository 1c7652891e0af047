"""tool-in-bed.py BLUECAP: runs the tool against the test bed's bluetoothd and far device. Exit status 0: all passed."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control  # noqa: E402

TOOL = sys.argv[1]
NAME = "Far SensorTag"
DATA = "f000aa11-0451-4000-b000-000000000000"
SERVICE = "f000aa10-0451-4000-b000-000000000000"
HEART_RATE = "0000180d-0000-1000-8000-00805f9b34fb"
PEER = {
    "name": NAME,
    "advertisement": {"localName": NAME, "serviceUUIDs": [HEART_RATE]},
    "services": [
        {"uuid": SERVICE, "characteristics": [{"uuid": DATA, "properties": ["read", "notify"], "value": "000000"}]}
    ],
}
results: list[bool] = []


def check(what: str, holds: bool, found: Any = "") -> None:
    results.append(holds)
    print(f"{'ok' if holds else 'FAILED':6} {what}" + ("" if holds else f": found {found!r}"), flush=True)


async def start(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        TOOL, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)


async def finish(process: asyncio.subprocess.Process, seconds: float) -> tuple[int, list[str], str]:
    try:
        output, errors = await asyncio.wait_for(process.communicate(), seconds)
    except TimeoutError:
        process.kill()
        output, errors = await process.communicate()
        return -1, output.decode().splitlines(), errors.decode() + f"(killed after {seconds} s)"
    return process.returncode or 0, output.decode().splitlines(), errors.decode()


async def feed(peer: Control, values: list[str]) -> None:
    """Notifies `values` as soon as the tool has subscribed."""
    await peer("wait", event="subscribed", attribute="0.0", timeout=40)
    await peer("notify", attribute="0.0", values=values)


async def scan(address: str) -> None:
    status, lines, errors = await finish(await start("scan", "--duration", "8", "--json"), 40)
    events = [json.loads(line) for line in lines]
    found = [event for event in events if event["id"] == address and event["event"] == "discovered"]
    check("scan ends with 0 after its duration", status == 0, (status, errors))
    check("scan discovers the far device once", len(found) == 1, lines)
    check("scan tells its service", any(HEART_RATE in event["services"] for event in events if event["id"] == address), lines)

    status, lines, errors = await finish(await start("scan", "--name", NAME, "--duration", "4"), 40)
    check("scan --name prints an event line", status == 0 and any(NAME in line for line in lines), (status, lines, errors))

    process = await start("scan")
    await asyncio.sleep(3)
    process.send_signal(signal.SIGINT)
    status, _, errors = await finish(process, 20)
    check("Ctrl-C ends scan with 130", status == 130, (status, errors))


async def notify(peer: Control, address: str) -> None:
    values = [f"{number:02x}2040" for number in range(5)]
    for how in ([], ["--socket"]):
        process = await start("notify", address, DATA, "--count", "5", "--json", "--timeout", "20", *how)
        feeding = asyncio.create_task(feed(peer, values))
        status, lines, errors = await finish(process, 90)
        feeding.cancel()
        got = [json.loads(line)["value"] for line in lines]
        name = " ".join(["notify", *how])
        check(f"{name} prints the values in order and ends with 0", status == 0 and got == values, (status, got, errors))
        await peer("wait", event="disconnected", timeout=20)
        check(f"{name} leaves the device disconnected", (await peer("connections"))["connections"] == 0)
        await peer("advertise", enabled=True)

    process = await start("notify", NAME, DATA, "--timeout", "20")
    await peer("wait", event="subscribed", attribute="0.0", timeout=40)
    process.send_signal(signal.SIGINT)
    status, _, errors = await finish(process, 30)
    check("Ctrl-C ends notify, found by name, with 130", status == 130, (status, errors))
    await peer("wait", event="disconnected", timeout=20)
    check("Ctrl-C leaves the device disconnected", (await peer("connections"))["connections"] == 0)
    await peer("advertise", enabled=True)

    status, _, errors = await finish(await start("notify", "AA:BB:CC:DD:EE:FF", DATA, "--timeout", "3"), 30)
    check("a device that is not there ends notify with 75", status == 75, (status, errors))


async def main() -> int:
    peer = await Control().open()
    address = (await peer("configure", peer=PEER))["address"].upper()
    await peer("advertise", enabled=True)
    await scan(address)
    await notify(peer, address)
    await peer.close()
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


sys.exit(asyncio.run(main()))

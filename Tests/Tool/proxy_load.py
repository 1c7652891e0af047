#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The cost of 1,000 advertisements a second of `bluecap proxy` over the virtual radio, beside a server in Python by the messages of
aioesphomeapi.

usage: Tests/Tool/proxy --load BLUECAP [SECONDS]

The bluecap is a release build with the trait ESPHome. Each server has one client, aioesphomeapi in a process of its own. Ours plays
the radio, too: its devices, their packets and its times are part of its cost. The exit status is 1 when a figure is over its limit.
"""
from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from typing import Any

from aioesphomeapi import APIClient
from aioesphomeapi.api_pb2 import (
    AuthenticationResponse, BluetoothLERawAdvertisement, BluetoothLERawAdvertisementsResponse, BluetoothScannerStateResponse,
    DeviceInfoResponse, HelloResponse, PingResponse,
)

DEVICES, RATE = 50, 20  # packets a second of each device
DATA = bytes.fromhex("02010610160af04002c409035813016112000d09") + b"Sensor of some room"[:17]
FLAGS = 0x21
# The goals: microseconds of a processor for each advertisement, and bytes of memory.
MICROSECONDS, MEMORY = 25, 20_000_000
failed = 0


def show(name: str, good: object, seen: object = "") -> None:
    global failed
    failed += not good
    print(f"{'ok    ' if good else 'FAILED'} {name}{'' if good else f': {seen}'}", flush=True)


def world(folder: str) -> str:
    """The file of a world of sensors. To each interval chance adds 5 ms on average."""
    devices = [{"address": f"C0:DE:00:00:01:{number:02X}", "twin": {
        "schema": "bluecap-twin", "version": 1,
        "advertisement": {"interval": 1 / RATE - 0.005, "data": {
            "localName": f"Sensor {number:02}", "serviceData": {"FCD2": "4002c409035813016112"}, "flags": 6}}}} for number in range(DEVICES)]
    path = os.path.join(folder, "world.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"world": 1, "devices": devices}, file)
    return path


# A server in Python: as much of one as a client needs that listens.

def varint(number: int) -> bytes:
    head = b""
    while number > 127:
        head, number = head + bytes([number & 127 | 128]), number >> 7
    return head + bytes([number])


def frame(number: int, message: Any) -> bytes:
    body = message.SerializeToString()
    return b"\0" + varint(len(body)) + varint(number) + body


async def read_varint(reader: asyncio.StreamReader) -> int:
    number = shift = 0
    while True:
        byte = (await reader.readexactly(1))[0]
        number, shift = number | (byte & 127) << shift, shift + 7
        if byte < 128:
            return number


async def advertise(writer: asyncio.StreamWriter) -> None:
    """Each advertisement comes by itself, as from a radio; a message has up to 16 of them."""
    begun, count, batch = time.monotonic(), 0, []
    while True:
        while count < (time.monotonic() - begun) * DEVICES * RATE:
            address = 0xC0DE_0000_0100 + count % DEVICES
            batch.append(BluetoothLERawAdvertisement(address=address, rssi=-60 - count % 7, address_type=1, data=DATA))
            count += 1
            if len(batch) == 16:
                writer.write(frame(93, BluetoothLERawAdvertisementsResponse(advertisements=batch)))
                batch = []
        await asyncio.sleep(1 / DEVICES / RATE)


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    info = DeviceInfoResponse(name="test", mac_address="02:00:00:00:00:01", bluetooth_proxy_feature_flags=FLAGS)
    answers = {1: (2, HelloResponse(api_version_major=1, api_version_minor=12, server_info="python", name="test")),
               3: (4, AuthenticationResponse()), 7: (8, PingResponse()), 9: (10, info),
               66: (126, BluetoothScannerStateResponse(state=2, mode=1))}
    tasks: list[asyncio.Task[None]] = []
    try:
        while await reader.readexactly(1):
            size, number = await read_varint(reader), await read_varint(reader)
            await reader.readexactly(size)
            if number in answers:
                writer.write(frame(*answers[number]))
            if number == 66:
                tasks.append(asyncio.create_task(advertise(writer)))
            if number == 87:
                tasks.pop().cancel()
    except asyncio.IncompleteReadError:
        for task in tasks:
            task.cancel()


async def serve() -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(json.dumps({"event": "proxy", "port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


# The measurement.

def busy(process: int) -> float:
    """Seconds of processors: the clock of a process, as clock_getcpuclockid(3) names it."""
    return time.clock_gettime(~process << 3 | 2)


def memory(process: int) -> int:
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))


async def measure(name: str, command: list[str], seconds: int, key: str | None = None) -> tuple[float, int]:
    """The microseconds of a processor for each advertisement, and the memory."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    event: dict[str, Any] = {}
    while event.get("event") != "proxy":
        event = json.loads(process.stdout.readline())
    counts = {"all": 0}

    def hear(message: Any) -> None:
        counts["all"] += len(message.advertisements)

    client = APIClient("127.0.0.1", event["port"], None, noise_psk=key and open(key, encoding="ascii").read().strip())
    await client.connect(login=True)
    client.subscribe_bluetooth_le_raw_advertisements(hear)
    await asyncio.sleep(3)
    begun, used, before = time.monotonic(), busy(process.pid), counts["all"]
    await asyncio.sleep(seconds)
    used, count = busy(process.pid) - used, counts["all"] - before
    each, size, rate = used / max(count, 1) * 1e6, memory(process.pid), count / (time.monotonic() - begun)
    print(f"{name}: {each:.1f} us of a processor for each of {count} advertisements, {rate:.0f} a second; {size / 1e6:.1f} MB")
    # All that was sent comes before the end: a client that unsubscribes drops what is on its way.
    process.send_signal(signal.SIGTERM)
    await asyncio.sleep(2)
    show(f"{name}: {DEVICES * RATE} a second come", abs(rate - DEVICES * RATE) < 0.05 * DEVICES * RATE, rate)
    if event.get("name"):
        end = json.loads(process.stdout.read().splitlines()[-1])
        show(f"{name}: none is lost", end["droppedAdvertisements"] == 0 and end["advertisements"] == counts["all"], (end, counts["all"]))
    process.wait(20)
    await client.disconnect(force=True)
    return each, size


async def main(program: str, seconds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="bluecap-proxy-") as folder:
        key, devices = os.path.join(folder, "key"), world(folder)
        ours = [program, "proxy", "--backend", f"virtual:{devices}", "--address", "127.0.0.1", "--port", "0", "--name", "test", "--json"]
        theirs, _ = await measure("a server in Python", [sys.executable, os.path.abspath(__file__), "--serve"], seconds)
        for name, options, secret in (("in clear text", ["--clear-text"], None), ("with a key", ["--key", key], key)):
            each, size = await measure(name, ours + options, seconds, secret)
            print(f"{name}: 1 to {theirs / each:.1f}")
            show(f"{name}: at most {MICROSECONDS} us each", each <= MICROSECONDS, each)
            show(f"{name}: at most {MEMORY / 1e6:.0f} MB", size <= MEMORY, size)


logging.disable(logging.CRITICAL)
if sys.argv[1] == "--serve":
    asyncio.run(serve())
asyncio.run(main(os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ["30"])[0])))
print(f"{failed} failed")
sys.exit(failed != 0)

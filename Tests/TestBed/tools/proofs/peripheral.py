# SPDX-License-Identifier: MIT

"""BlueZ as the peripheral, the far device as the central."""

from __future__ import annotations

import asyncio
import socket
import time

from dbus_fast import Variant

from ..application import Application
from ..bluez import ADAPTER
from ..control import Refused
from .case import Case, Failed, same

UUIDS = [f"f000aa{number:02x}-0451-4000-b000-000000000000" for number in range(4)]
COMMANDS = 2000


async def _central(case: Case, application: Application) -> dict[str, int]:
    """Connects the far device to the application; value handles by UUID."""
    await application.register()
    await case.peer("configure", peer={"services": []})
    found = await case.peer("central_scan", name="App", service="180d")
    answer = await case.peer("central_connect", address=found["address"], public=found["public"])
    return {item["uuid"]: item["handle"] for service in answer["services"] for item in service["characteristics"]}


async def central_role(case: Case) -> None:
    """Scan, connect, read, write, errors, notifications, indications, Service Changed."""
    application = Application(
        case.bluez, [(UUIDS[0], ["read", "write"]), (UUIDS[1], ["notify"]), (UUIDS[2], ["indicate"])]
    )
    at = await _central(case, application)
    first, second, third = (at[uuid] for uuid in UUIDS[:3])
    application.values[0] = bytes(range(256)) * 2
    same((await case.peer("central_read", attribute=first))["value"], application.values[0].hex())
    await case.peer("central_write", attribute=first, value="0102")
    same(application.values[0], b"\1\2")
    application.answers["WriteValue"] = ("org.bluez.Error.NotPermitted", "")
    try:
        await case.peer("central_write", attribute=first, value="03")
    except Refused:
        pass
    else:
        raise Failed("the error did not arrive")
    await case.peer("central_subscribe", attribute=second)
    await case.peer("central_subscribe", attribute=third, indicate=True)
    await case.bluez.until(lambda: _true(application.called("StartNotify") == 2), 5)
    for number in range(3):
        application.notify(1, bytes([number]))
    values = (await case.peer("central_received", attribute=second, count=3))["values"]
    same(values, ["00", "01", "02"])
    application.notify(2, b"\xaa")
    same((await case.peer("central_received", attribute=third, count=1))["values"], ["aa"])
    await case.bluez.until(lambda: _true(application.called("Confirm") == 1), 5)
    await case.peer("central_unsubscribe", attribute=second)
    await case.bluez.until(lambda: _true(application.called("StopNotify") == 1), 5)
    await case.bluez.answer_agent()
    await case.bluez.set(ADAPTER, "Adapter1.Pairable", Variant("b", True))
    await case.peer("central_pair")
    await application.unregister()
    change = await case.peer("central_service_change")
    if not change["first"] <= first < third <= change["last"]:
        raise Failed(f"Service Changed is about {change}, not about {at}")
    await case.peer("central_disconnect")


async def central_commands(case: Case) -> str:
    """Commands into the socket that the application gave bluetoothd: it drops what the socket does not take."""
    whole = await _commands(case, buffer=4 << 20, interval=1, slow=0)
    same(whole, COMMANDS, "one a millisecond into a large socket buffer")
    hasty = await _commands(case, buffer=0, interval=0, slow=0.002)
    return f"{whole} of {COMMANDS}; {hasty} without a pause, from the default buffer by a reader that waits 2 ms each"


async def _commands(case: Case, buffer: int, interval: float, slow: float) -> int:
    application = Application(case.bluez, [(UUIDS[0], ["write-without-response"])], acquire=True)
    application.send_buffer = buffer
    handle = (await _central(case, application))[UUIDS[0]]
    await case.peer("central_write", attribute=handle, value="00000000", response=False)
    await case.bluez.until(lambda: _true("AcquireWrite" in application.sockets), 5)
    end = application.sockets["AcquireWrite"]
    await asyncio.to_thread(end.recv, 512)
    reading = asyncio.create_task(asyncio.to_thread(_drain, end, slow))
    await case.peer("central_write_many", attribute=handle, count=COMMANDS, size=200, interval_ms=interval)
    numbers = await asyncio.wait_for(reading, 20)
    same(numbers, sorted(set(numbers)), "the order")
    await case.peer("central_disconnect")
    await application.unregister()
    return len(numbers)


def _drain(end: socket.socket, slow: float) -> list[int]:
    """Does nothing else than read, until nothing came for a second; the sequence numbers."""
    received: list[int] = []
    end.settimeout(1)
    try:
        while value := end.recv(512):
            received.append(int.from_bytes(value[:4], "little"))
            time.sleep(slow)
    except TimeoutError:
        pass
    return received


async def _true(value: bool) -> bool:
    return value


PROOFS = (central_role, central_commands)

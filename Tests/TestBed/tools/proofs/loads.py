# SPDX-License-Identifier: MIT

"""Large values and many of them: nothing may be lost, reordered or cut."""

from __future__ import annotations

import asyncio
import os
import time

from dbus_fast import Message, Variant

from .case import Case, characteristic, same, service

COMMANDS = 2000
NOTIFICATIONS = 10_000


async def mtu(case: Case) -> None:
    _, at = await case.connected(mtu=100)
    same((await case.peer("mtu"))["mtu"], 100)
    same(await case.bluez.get(at["0.0"], "GattCharacteristic1.MTU"), 100)


async def long_values(case: Case) -> None:
    """512 octets, read and written, at a small and at the largest MTU."""
    value = bytes(range(256)) * 2
    for size in (23, 247, 517):
        _, at = await case.connected(mtu=size, services=[service(characteristic(value=value.hex()))])
        same(await case.bluez.read(at["0.0"]), value, f"read at MTU {size}")
        await case.bluez.write(at["0.0"], value[::-1], "request")
        same((await case.peer("value", attribute="0.0"))["value"], value[::-1].hex(), f"written at MTU {size}")
        # As long as one response can be: the client must ask whether there is more.
        await case.peer("set_value", attribute="0.0", value=value[: size - 1].hex())
        same(await case.bluez.read(at["0.0"]), value[: size - 1], f"{size - 1} octets at MTU {size}")


async def read_at_offset(case: Case) -> str:
    """bluetoothd answers from its own copy, of which a read at an offset replaces only the part read."""
    _, at = await case.connected(mtu=247, services=[service(characteristic(value=bytes(480).hex()))])
    fresh = len(await case.bluez.read(at["0.0"], 100))
    await case.peer("set_value", attribute="0.0", value=(b"\1" * 500).hex())
    await case.bluez.read(at["0.0"])
    await case.peer("set_value", attribute="0.0", value=(b"\2" * 480).hex())
    stale = await case.bluez.read(at["0.0"], 100)
    await case.bluez.read(at["0.0"])
    again = len(await case.bluez.read(at["0.0"], 100))
    same((fresh, stale[:380], again), (380, b"\2" * 380, 380))
    return (
        f"380 octets are there: {fresh} at first, {len(stale)} after a longer value was read, {again} after a read at 0"
    )


async def commands(case: Case) -> str:
    """WriteValue of type command, one in flight."""
    _, at = await case.connected()
    started = time.monotonic()
    for number in range(COMMANDS):
        await case.bluez.write(at["0.0"], number.to_bytes(4, "little") + bytes(16), "command")
    return await _all_written(case, started)


async def acquired_commands(case: Case) -> str:
    """Packets into the socket of AcquireWrite, as fast as it takes them."""
    _, at = await case.connected()
    descriptor, size = await case.bluez.do(at["0.0"], "GattCharacteristic1.AcquireWrite", "a{sv}", {})
    os.set_blocking(descriptor, True)
    started = time.monotonic()

    def send() -> None:
        for number in range(COMMANDS):
            os.write(descriptor, number.to_bytes(4, "little") + bytes(196))

    await asyncio.to_thread(send)
    result = await _all_written(case, started)
    os.close(descriptor)
    return f"{result}, MTU {size}"


async def _all_written(case: Case, started: float) -> str:
    await case.peer("wait", event="written", attribute="0.0", count=COMMANDS, timeout=30)
    seconds = time.monotonic() - started
    summary = await case.peer("writes", attribute="0.0", summary=True)
    same((summary["count"], summary["inSequence"], summary["kinds"]), (COMMANDS, True, ["command"]))
    return f"{COMMANDS / seconds:.0f}/s"


async def notifications(case: Case) -> str:
    """StartNotify: each value is a PropertiesChanged signal."""
    rates = [f"{await _notified(case, size):.0f}/s at {size} octets" for size in (20, 500)]
    return ", ".join(rates)


async def _notified(case: Case, size: int) -> float:
    _, at = await case.connected()
    received: list[int] = []
    everything = asyncio.Event()

    def collect(message: Message) -> None:
        if message.path == at["0.0"] and message.member == "PropertiesChanged" and "Value" in message.body[1]:
            received.append(int.from_bytes(message.body[1]["Value"].value[:4], "little"))
            if len(received) == NOTIFICATIONS:
                everything.set()

    case.bluez.bus.add_message_handler(collect)
    await case.bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    started = time.monotonic()
    await case.peer("notify_many", attribute="0.0", count=NOTIFICATIONS, size=size)
    try:
        await asyncio.wait_for(everything.wait(), 30)
    except TimeoutError:
        pass
    seconds = time.monotonic() - started
    case.bluez.bus.remove_message_handler(collect)
    case.bluez.signals.clear()
    same(len(received), NOTIFICATIONS)
    same(received, list(range(NOTIFICATIONS)), "the order")
    return NOTIFICATIONS / seconds


async def acquired_notifications(case: Case) -> str:
    """AcquireNotify loses values when its reader is slow: bluetoothd drops what the socket does not take."""
    _, at = await case.connected()
    descriptor, _ = await case.bluez.do(at["0.0"], "GattCharacteristic1.AcquireNotify", "a{sv}", {})
    os.set_blocking(descriptor, True)
    received = []

    def drain() -> None:
        while value := os.read(descriptor, 512):
            received.append(int.from_bytes(value[:4], "little"))

    draining = asyncio.create_task(asyncio.to_thread(drain))
    await case.peer("notify_many", attribute="0.0", count=NOTIFICATIONS)
    await asyncio.sleep(0.5)
    await case.peer("disconnect")
    await asyncio.wait_for(draining, 5)
    os.close(descriptor)
    same(received, sorted(set(received)), "the order")
    return f"{len(received)} of {NOTIFICATIONS} with a reader that does nothing else"


async def options(case: Case) -> None:
    """The largest notification and the largest command of the link."""
    _, at = await case.connected(mtu=517)
    await case.bluez.do(at["0.0"], "GattCharacteristic1.StartNotify")
    value = bytes(range(256)) * 2
    arrived = case.bluez.expect_property(at["0.0"], "Value", value)
    await case.peer("notify", attribute="0.0", values=[value.hex()])
    await asyncio.wait_for(arrived, 2)
    await case.bluez.do(
        at["0.0"], "GattCharacteristic1.WriteValue", "aya{sv}", value, {"type": Variant("s", "command")}
    )
    await case.peer("wait", event="written", attribute="0.0")
    same((await case.peer("value", attribute="0.0"))["value"], value.hex())


PROOFS = (
    mtu,
    long_values,
    read_at_offset,
    commands,
    acquired_commands,
    notifications,
    acquired_notifications,
    options,
)

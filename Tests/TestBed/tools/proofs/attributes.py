# SPDX-License-Identifier: MIT

"""Attributes: values, faults, subscriptions, and a database that changes."""

from __future__ import annotations

import asyncio

from ..control import Refused
from .case import Case, Failed, characteristic, same, service

START, STOP = "GattCharacteristic1.StartNotify", "GattCharacteristic1.StopNotify"


async def declaration(case: Case) -> None:
    """Duplicate UUIDs, every property, descriptors, an included and a secondary service."""
    names = ["broadcast", "read", "writeWithoutResponse", "write", "notify", "indicate", "authenticatedSignedWrites"]
    descriptor = {"uuid": "2901", "value": "aa"}
    _, at = await case.connected(
        services=[
            service(characteristic(properties=names, descriptors=[descriptor, descriptor]), characteristic(value="02")),
            service(characteristic(value="03")) | {"includes": [2]},
            service(characteristic(value="04"), uuid="1816") | {"primary": False},
        ]
    )
    same([await case.bluez.read(at[key]) for key in ("0.0", "0.1", "0.0.0")], [b"\0", b"\2", b"\xaa"])
    same("0.0.1" in at, True, "the second descriptor of the same type")
    same(len(await case.bluez.get(at["0.0"], "GattCharacteristic1.Flags")), len(names))
    values = {await case.bluez.read(at[key]) for key in at if key.startswith(("1.", "2."))}
    same(values, {b"\3", b"\4"})


async def values_and_writes(case: Case) -> None:
    _, at = await case.connected(services=[service(characteristic(descriptors=[{"uuid": "2901", "value": "00"}]))])
    await case.peer("set_value", attribute="0.0", value="abcd")
    same(await case.bluez.read(at["0.0"]), b"\xab\xcd")
    await case.bluez.write(at["0.0"], b"\1", "request")
    await case.bluez.write(at["0.0"], b"\2", "command")
    await case.peer("wait", event="written", attribute="0.0", count=2)
    writes = (await case.peer("writes", attribute="0.0"))["writes"]
    same(writes, [{"value": "01", "kind": "request"}, {"value": "02", "kind": "command"}])
    same((await case.peer("writes", attribute="0.0"))["writes"], [])
    await case.bluez.write(at["0.0.0"], b"\7")
    same((await case.peer("value", attribute="0.0.0"))["value"], "07")


async def errors(case: Case) -> None:
    _, at = await case.connected()
    for operation, member, arguments in (
        ("read", "GattCharacteristic1.ReadValue", ("a{sv}", {})),
        ("write", "GattCharacteristic1.WriteValue", ("aya{sv}", b"\1", {})),
        ("subscribe", START, ()),
    ):
        await case.peer("set_error", attribute="0.0", on=operation, code=0x81)
        same("0x81" in await case.refused(at["0.0"], member, *arguments), True, operation)
        await case.peer("set_error", attribute="0.0", on=operation, code=None)
        await case.bluez.do(at["0.0"], member, *arguments)


async def permissions(case: Case) -> None:
    _, at = await case.connected(services=[service(characteristic(properties=["read"]))])
    await case.refused(at["0.0"], "GattCharacteristic1.WriteValue", "aya{sv}", b"\1", {})
    try:
        await case.peer("value", attribute="9.9")
    except Refused as error:
        return same("no attribute" in str(error), True)
    raise Failed("an unknown attribute was accepted")


async def fixed_declarations(case: Case) -> None:
    """A service's and a characteristic's declaration cannot be written: a request is refused, a command passed over."""
    address = await case.declare(services=[service(characteristic()), service(characteristic(), uuid="1816")])
    await case.peer("configure", device=1, peer={"services": []})
    found = (await case.peer("central_connect", device=1, address=address, public=False))["services"]
    value = found[-1]["characteristics"][0]["handle"]
    for declaration in (value - 2, value - 1):
        await case.peer("central_write", device=1, attribute=declaration, value="0d000000", response=False)
        try:
            await case.peer("central_write", device=1, attribute=declaration, value="0d000000")
        except Refused as error:
            same(error.code, 0x03)
        else:
            raise Failed("a declaration was written")
    same((await case.peer("central_discover", device=1))["services"], found)


async def hold_and_release(case: Case) -> None:
    """Held requests stay unanswered, other commands go on meanwhile, and a lost link forgets them."""
    path, at = await case.connected()
    await case.peer("hold", attribute="0.0", on="read")
    arrival = asyncio.create_task(case.peer("wait", event="held", attribute="0.0"))
    reading = asyncio.create_task(case.bluez.read(at["0.0"]))
    await arrival
    await case.peer("set_value", attribute="0.0", value="99")
    same((await case.peer("release", attribute="0.0"))["released"], 1)
    same(await reading, b"\x99")
    await case.peer("hold", attribute="0.0", on="write")
    writing = asyncio.create_task(case.refused(at["0.0"], "GattCharacteristic1.WriteValue", "aya{sv}", b"\1", {}))
    await case.peer("wait", event="held", attribute="0.0")
    await case.peer("disconnect")
    same("0x0e" in await writing, True)
    await case.down(path)
    same((await case.peer("release", attribute="0.0"))["released"], 0)


async def subscribing(case: Case) -> None:
    _, at = await case.connected(
        services=[service(characteristic(properties=["notify"]), characteristic(properties=["indicate"]))]
    )
    await case.peer("notify_on_subscribe", attribute="0.0", value="ee")
    early = case.bluez.expect_property(at["0.0"], "Value", b"\xee")
    waiting = asyncio.create_task(case.peer("wait", event="subscribed", attribute="0.0"))
    await case.bluez.do(at["0.0"], START)
    await waiting
    await asyncio.wait_for(early, 2)
    answer = await case.peer("subscriptions", attribute="0.0")
    same((answer["cccd"], answer["writes"]), (1, 1))
    last = case.bluez.expect_property(at["0.0"], "Value", b"\2")
    same((await case.peer("notify", attribute="0.0", values=["01", "02"]))["sent"], 2)
    await asyncio.wait_for(last, 2)
    await case.bluez.do(at["0.0"], STOP)
    await case.peer("wait", event="unsubscribed", attribute="0.0")
    same((await case.peer("notify", attribute="0.0", values=["03"]))["sent"], 0)
    await case.bluez.do(at["0.1"], START)
    last = case.bluez.expect_property(at["0.1"], "Value", b"\xbb")
    same((await case.peer("indicate", attribute="0.1", values=["aa", "bb"]))["confirmed"], 2)
    await asyncio.wait_for(last, 2)


async def service_changed(case: Case) -> None:
    path, at = await case.connected()
    added = service(characteristic(value="55"), uuid="1816")
    answer = await case.peer("service_changed", services=[service(characteristic()), added])
    same(answer["confirmed"], 1)

    async def appeared() -> bool:
        return "1.0" in await case.bluez.attributes(path)

    await case.bluez.until(appeared, 5)
    at = await case.bluez.attributes(path)
    same((await case.bluez.read(at["0.0"]), await case.bluez.read(at["1.0"])), (b"\0", b"\x55"))


PROOFS = (
    declaration,
    values_and_writes,
    errors,
    permissions,
    fixed_declarations,
    hold_and_release,
    subscribing,
    service_changed,
)

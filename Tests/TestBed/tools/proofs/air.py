# SPDX-License-Identifier: MIT

"""Advertising and links."""

from __future__ import annotations

import asyncio

from dbus_fast import Variant

from ..bluez import ADAPTER, BusError, device_path
from ..control import Refused
from .case import Case, Failed, characteristic, same, service


async def advertisement_fields(case: Case) -> None:
    advertisement = {
        "localName": "Fields",
        "serviceUUIDs": ["180d"],
        "manufacturerData": {"1234": "4d4647"},
        "serviceData": {"180f": "53"},
        "txPower": -7,
        "appearance": 833,
        "flags": 2,
    }
    path = await case.bluez.find(await case.declare(advertisement={"data": advertisement}))
    found = {name: value.value for name, value in (await case.bluez.objects())[path]["org.bluez.Device1"].items()}
    same(found["Name"], "Fields")
    same(found["UUIDs"], ["0000180d-0000-1000-8000-00805f9b34fb"])
    same({key: bytes(value.value) for key, value in found["ManufacturerData"].items()}, {0x1234: b"MFG"})
    same([bytes(value.value) for value in found["ServiceData"].values()], [b"S"])
    same(found["Appearance"], 833)
    same(bytes(found["AdvertisingFlags"]), b"\2")


async def advertisement_changes(case: Case) -> None:
    path = device_path(await case.declare(advertisement={"data": {"manufacturerData": {"ffff": "01"}}}))
    await case.bluez.scan(RSSI=Variant("n", -127), DuplicateData=Variant("b", True))
    closer = case.bluez.expect_property(path, "RSSI", -33)
    await case.peer("rssi", value=-33)
    await asyncio.wait_for(closer, 5)
    renamed = case.bluez.expect_property(path, "Name", "New")
    await case.peer("update_advertisement", advertisement={"data": {"localName": "New"}})
    await asyncio.wait_for(renamed, 5)
    await case.bluez.do(ADAPTER, "Adapter1.StopDiscovery")


async def three_devices(case: Case) -> None:
    paths = [device_path(await case.declare(index, advertisement={"data": {"localName": f"Far {index}"}})) for index in range(3)]
    await case.peer("advertise", device=1, enabled=False)
    await case.bluez.scan()
    await asyncio.sleep(1)
    same([path in await case.bluez.objects() for path in paths], [True, False, True])
    await case.bluez.do(ADAPTER, "Adapter1.StopDiscovery")
    for index in (0, 2):
        await case.bluez.connect(paths[index])
        same((await case.peer("connections", device=index))["connections"], 1)


async def silence(case: Case) -> None:
    """A device advertises only when told to, at the address it was given."""
    address = (await case.peer("configure", peer={"address": "C1:22:33:44:55:66", "services": []}))["address"]
    same(address, "C1:22:33:44:55:66")
    await case.bluez.scan()
    await asyncio.sleep(0.5)
    same(device_path(address) in await case.bluez.objects(), False)
    await case.bluez.do(ADAPTER, "Adapter1.StopDiscovery")


async def disconnect(case: Case) -> None:
    path, _ = await case.connected()
    same(await case.peer("connections") | {"id": 0}, {"id": 0, "ok": True, "connections": 1, "total": 1})
    await case.peer("disconnect")
    await case.peer("wait", event="disconnected")
    await case.down(path)
    await case.bluez.connect(path)
    events = [event["event"] for event in (await case.peer("events"))["events"]]
    same(events, ["connected", "mtu", "disconnected", "connected", "mtu"])
    same((await case.peer("events"))["events"], [])


async def vanish_and_return(case: Case) -> None:
    path, _ = await case.connected()
    await case.peer("vanish")
    await case.down(path)
    same((await case.peer("connections"))["connections"], 0)
    await case.peer("return")
    await case.bluez.connect(path)


async def mute_and_return(case: Case) -> None:
    _, at = await case.connected()
    await case.peer("mute")
    reading = asyncio.create_task(case.bluez.read(at["0.0"]))
    done, _ = await asyncio.wait([reading], timeout=0.5)
    same(len(done), 0, "an answer over a mute link")
    await case.peer("return")
    same(await asyncio.wait_for(reading, 2), b"\0")


async def hold_discovery(case: Case) -> None:
    path = await case.bluez.find(await case.declare())
    await case.peer("hold_discovery")
    await case.bluez.do(path, "Device1.Connect")
    await asyncio.sleep(0.5)
    same(await case.bluez.get(path, "Device1.Connected"), True)
    same(await case.bluez.get(path, "Device1.ServicesResolved"), False)
    await case.peer("return")
    await case.bluez.connect(path)


async def refuse_connections(case: Case) -> str | None:
    path = await case.bluez.find(await case.declare())
    try:
        await case.peer("refuse_connections", enabled=True)
    except Refused as error:
        return str(error)
    text = await case.refused(path, "Device1.Connect")
    # The second when bluetoothd hears of the lost link before its socket does.
    same(text in ("le-connection-abort-by-local", "br-connection-canceled"), True, text)
    await case.peer("refuse_connections", enabled=False)
    await asyncio.sleep(0.5)
    await case.bluez.connect(path)
    return None


async def cancelled_connect(case: Case) -> str:
    """After Disconnect cancelled a Connect, the next one is quick: the controller forgot the first."""
    address = await case.declare()
    path = await case.bluez.find(address)
    await case.peer("vanish")
    pending = asyncio.create_task(case.refused(path, "Device1.Connect"))
    await asyncio.sleep(1)
    await case.bluez.do(path, "Device1.Disconnect")
    text = await pending
    await case.peer("return")
    path = await case.bluez.find(address)
    started = asyncio.get_running_loop().time()
    await case.bluez.connect(path)
    return f"{text!r}; connected again in {asyncio.get_running_loop().time() - started:.1f} s"


async def pairing(case: Case) -> None:
    await case.bluez.answer_agent()
    path, at = await case.connected(services=[service(characteristic(readSecurity="encrypted", writeSecurity="encrypted", value="2a"))])
    try:
        same(await case.bluez.read(at["0.0"]), b"\x2a")
    except BusError as error:
        raise Failed(f"reading an encrypted value: {error}") from None
    await case.peer("wait", event="paired")
    same(await case.bluez.get(path, "Device1.Paired"), True)


PROOFS = (
    advertisement_fields,
    advertisement_changes,
    three_devices,
    silence,
    disconnect,
    vanish_and_return,
    mute_and_return,
    hold_discovery,
    refuse_connections,
    cancelled_connect,
    pairing,
)

# SPDX-License-Identifier: MIT

"""twin_in_bed.py BLUECAP: a far device of another stack, its twin, and a central of that other stack. Exit status 0: all passed.

The far device is recorded over the first adapter, its twin emulated on the second, and another far device, as a central,
finds services, properties, descriptors, values and the sequence of notifications equal. The same with twins from a btsnoop
that btmon wrote of a session of bleak, from that file as pcapng, and from what bluetoothd announced of such a session. Then
passive scans, beside bleak's."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

from programs import check, finish, line_with, start, summed_up

sys.path.insert(0, os.environ["BED_DIR"])
from passive_in_bed import passive  # noqa: E402
from tools.control import Control  # noqa: E402

TOOL = sys.argv[1]
# Kept with the logs of the run.
FOLDER = os.path.join(os.environ["BED_OUT"], "twins")
NAME = "Far Lamp"
BATTERY, LAMP = "180f", "f000aa10-0451-4000-b000-000000000000"
LEVEL, COLOUR, POWER, COUNTER = (
    "2a19", "f000aa11-0451-4000-b000-000000000000", "f000aa12-0451-4000-b000-000000000000",
    "f000aa13-0451-4000-b000-000000000000")
LONG = bytes(range(200)).hex()
PEER = {
    "name": NAME,
    "advertisement": {"data": {"localName": NAME, "serviceUUIDs": [BATTERY], "manufacturerData": {"ffff": "0102"}}},
    "services": [
        {
            "uuid": BATTERY,
            "characteristics": [
                {
                    "uuid": LEVEL, "properties": ["read", "notify"], "value": "63",
                    "descriptors": [{"uuid": "2901", "value": b"Level".hex()}],
                }
            ],
        },
        {
            "uuid": LAMP,
            "characteristics": [
                {
                    "uuid": COLOUR, "properties": ["read", "write"], "value": LONG,
                    "descriptors": [{"uuid": "2901", "value": b"Colour".hex()}, {"uuid": "2904", "value": "04000027010000"}],
                },
                {"uuid": POWER, "properties": ["write", "writeWithoutResponse"], "value": ""},
                {"uuid": COUNTER, "properties": ["indicate"], "value": ""},
            ],
        },
    ],
}
LEVELS = [f"{number:02x}" for number in range(0x62, 0x5A, -1)]
COUNTS = [f"{number:04x}" for number in range(4)]
# The bits of a characteristic's declaration.
BITS = {"read": 2, "writeWithoutResponse": 4, "write": 8, "notify": 16, "indicate": 32}
# What bluetoothd offers beside any program's services.
OWN = {"1800", "1801", "180a"}


def short(uuid: str) -> str:
    text = uuid.lower()
    return text[4:8] if text.startswith("0000") and text.endswith("-0000-1000-8000-00805f9b34fb") else text


async def far(peer: Control) -> str:
    """A new far device on the air, with an address that bluetoothd does not know; its address."""
    address = (await peer("configure", peer=PEER))["address"].upper()
    await peer("advertise", enabled=True)
    return address


async def feed(peer: Control) -> None:
    """Notifies and indicates as soon as a program has subscribed to both."""
    await peer("wait", event="subscribed", attribute="0.0", timeout=60)
    await peer("wait", event="subscribed", attribute="1.2", timeout=60)
    for level, count in zip(LEVELS, COUNTS + [None] * len(LEVELS)):
        await peer("notify", attribute="0.0", values=[level])
        if count is not None:
            await peer("indicate", attribute="1.2", values=[count])
        await asyncio.sleep(0.1)


# MARK: the twin


def twin_of(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def tree(twin: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The services but those of the stack, as they are to be compared."""
    return [
        (
            short(service["uuid"]),
            [
                {
                    "uuid": short(each["uuid"]), "properties": sum(BITS.get(name, 0) for name in each["properties"]),
                    "value": each.get("value", ""),
                    "descriptors": [(short(one["uuid"]), one.get("value", "")) for one in each.get("descriptors", [])],
                    "notifications": [one["value"] for one in each.get("notifications", [])],
                }
                for each in service["characteristics"]
            ],
        )
        for service in twin["services"] if short(service["uuid"]) not in {"1800", "1801"}
    ]


def declared() -> list[tuple[str, list[dict[str, Any]]]]:
    """What the far device was declared to be, in the same form."""
    sent = {LEVEL: LEVELS, COUNTER: COUNTS}
    return [
        (
            service["uuid"],
            [
                {
                    "uuid": each["uuid"], "properties": sum(BITS[name] for name in each["properties"]),
                    "value": each["value"] if "read" in each["properties"] else "",
                    "descriptors": [(one["uuid"], one["value"]) for one in each.get("descriptors", [])],
                    "notifications": sent.get(each["uuid"], []),
                }
                for each in service["characteristics"]
            ],
        )
        for service in PEER["services"]
    ]


def check_twin(how: str, path: str, address: str) -> None:
    twin = twin_of(path)
    check(f"{how}: the twin has the far device's services, values and notifications", tree(twin) == declared(), tree(twin))
    check(f"{how}: it has its address and name", (twin.get("address"), twin.get("name")) == (address, NAME), twin.get("name"))
    data = {**twin["advertisement"]["data"], **twin["advertisement"].get("scanResponse", {})}
    advertised = ([short(each) for each in data.get("serviceUUIDs", [])], data.get("manufacturerData"), data.get("localName"))
    # bluetoothd adds the services of the database to those that are advertised.
    check(f"{how}: it has its advertisement", BATTERY in advertised[0] and advertised[1:] == ({"ffff": "0102"}, NAME), advertised)


# MARK: the twin on the air


async def emulate(peer: Control, how: str, path: str) -> None:
    """Emulates a twin on the second adapter, and has another far device visit it."""
    process = await start(TOOL, "emulate", path, "--adapter", "hci1", "--json")
    try:
        await line_with(process, '"event":"advertising"')
        await visit(peer, how)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
        status, lines, errors = await finish(process, 30)
    check(f"{how}: Ctrl-C ends the emulation by SIGINT", status == -signal.SIGINT and '"stopped"' in lines[-1], (status, errors))


async def visit(peer: Control, how: str) -> None:
    central = {"device": 1}
    await peer("configure", peer={"name": "Visitor", "services": []}, **central)
    found = await peer("central_scan", name=NAME, timeout=20, **central)
    heard = found["advertisement"] + found["scanResponse"]
    check(f"{how}: the twin advertises name, service and manufacturer data", all(
        part in heard for part in (NAME.encode().hex(), "0f18", "ffff" + "0102")), found)
    connected = await peer("central_connect", address=found["address"], public=found["public"], **central)
    services = [each for each in connected["services"] if short(each["uuid"]) not in OWN]
    got = []
    subscribed = {}
    for service in services:
        characteristics = []
        for each in service["characteristics"]:
            uuid = short(each["uuid"])
            properties = each["properties"] & 0x3F
            value = ""
            if properties & BITS["read"]:
                value = (await peer("central_read", attribute=each["handle"], **central))["value"]
            descriptors = []
            for one in each["descriptors"]:
                if short(one["uuid"]) not in ("2900", "2902"):
                    read = await peer("central_read", attribute=one["handle"], **central)
                    descriptors.append((short(one["uuid"]), read["value"]))
            if properties & (BITS["notify"] | BITS["indicate"]):
                subscribed[uuid] = each["handle"]
            characteristics.append({
                "uuid": uuid, "properties": properties, "value": value, "descriptors": descriptors, "notifications": []})
        got.append((short(service["uuid"]), characteristics))
    wanted = declared()
    for uuid, expected in ((LEVEL, LEVELS), (COUNTER, COUNTS)):
        handle = subscribed[uuid]
        await peer("central_subscribe", attribute=handle, indicate=uuid == COUNTER, **central)
        values = (await peer("central_received", attribute=handle, count=len(expected), timeout=30, **central))["values"]
        for _, characteristics in got:
            for each in characteristics:
                if each["uuid"] == uuid:
                    each["notifications"] = values
    order = sorted(got), sorted(wanted)
    check(f"{how}: a foreign central finds services, properties, descriptors, values and notifications equal", order[0] == order[1], order[0])
    power = next(each["handle"] for service in services for each in service["characteristics"] if short(each["uuid"]) == COLOUR)
    await peer("central_write", attribute=power, value="0304", **central)
    kept = (await peer("central_read", attribute=power, **central))["value"]
    check(f"{how}: the twin keeps what is written to it", kept == "0304", kept)
    await peer("central_disconnect", **central)


# MARK: where twins come from


async def recorded(peer: Control) -> None:
    address = await far(peer)
    path = f"{FOLDER}/recorded.json"
    process = await start(TOOL, "record", address, "-o", path, "--adapter", "hci0", "--duration", "4", "--timeout", "30")
    feeding = asyncio.create_task(feed(peer))
    status, _, errors = await finish(process, 120)
    feeding.cancel()
    check("record ends with 0", status == 0, (status, errors))
    await peer("wait", event="disconnected", timeout=20)
    await peer("advertise", enabled=False)
    check_twin("record", path, address)
    await emulate(peer, "record", path)


async def bleak(peer: Control, address: str) -> asyncio.subprocess.Process:
    """A session of bleak that has subscribed."""
    python = os.environ["BLUECAP_BLEAK_PYTHON"]
    process = await start(python, "Tests/Tool/bleak_session.py", address, "hci0", str(len(LEVELS) + len(COUNTS)))
    await line_with(process, "subscribed")
    return process


async def captured(peer: Control) -> None:
    address = await far(peer)
    capture = f"{FOLDER}/session.btsnoop"
    monitor = await start("btmon", "-w", capture)
    await asyncio.sleep(1)
    session = await bleak(peer, address)
    await feed(peer)
    status, lines, errors = await finish(session, 60)
    check("the session of bleak ends with 0", status == 0, (status, lines, errors))
    await peer("advertise", enabled=False)
    await asyncio.sleep(1)
    monitor.send_signal(signal.SIGINT)
    await finish(monitor, 10)
    status, lines, errors = await finish(await start(TOOL, "twin", capture), 30)
    check("twin lists the far device", status == 0 and any(line.startswith(address) and NAME in line for line in lines), (status, lines, errors))
    await from_capture(peer, "btmon", capture, address)
    # Wireshark's own program makes the other form of it.
    converted = f"{FOLDER}/session.pcapng"
    status, _, errors = await finish(await start("tshark", "-r", capture, "-F", "pcapng", "-w", converted), 60)
    check("tshark makes a pcapng of it", status == 0, errors)
    await from_capture(peer, "pcapng", converted, address)


async def from_capture(peer: Control, how: str, capture: str, address: str) -> None:
    path = f"{FOLDER}/{how}.json"
    status, lines, errors = await finish(await start(TOOL, "twin", capture, "--device", address), 60)
    check(f"{how}: twin ends with 0 and warns of nothing", status == 0 and errors == "", (status, errors))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    check_twin(how, path, address)
    await emulate(peer, how, path)


async def overheard(peer: Control) -> None:
    address = await far(peer)
    path = f"{FOLDER}/overheard.json"
    session = await bleak(peer, address)
    before = await peer("subscriptions", attribute="0.0")
    await peer("events")
    process = await start(TOOL, "record", address, "-o", path, "--adapter", "hci0", "--passive", "--duration", "5")
    while b"listening" not in (await asyncio.wait_for(process.stderr.readline(), 30)):
        pass
    await asyncio.sleep(0.5)
    await feed(peer)
    status, _, errors = await finish(process, 60)
    check("record --passive ends with 0", status == 0, (status, errors))
    status, lines, errors = await finish(session, 60)
    check("the session of bleak goes on undisturbed", status == 0, (status, lines, errors))
    events = [each for each in (await peer("events"))["events"] if each.get("event", each) in ("read", "written", "connected")]
    after = await peer("subscriptions", attribute="0.0")
    check("the device was asked for nothing", not events and after["total"] == before["total"], (events, before, after))
    check("the device had one connection", (await peer("connections"))["total"] == 1)
    await peer("advertise", enabled=False)
    check_twin("record --passive", path, address)
    await emulate(peer, "record --passive", path)


async def passively(peer: Control) -> None:
    await passive(peer, TOOL)


async def main() -> int:
    os.makedirs(FOLDER, exist_ok=True)
    peer = await Control().open()
    for part in (recorded, captured, overheard, passively):
        try:
            await part(peer)
        except Exception as error:  # the other parts tell something all the same
            check(f"{part.__name__} comes to its end", False, repr(error))
    await peer.close()
    return summed_up()


sys.exit(asyncio.run(main()))

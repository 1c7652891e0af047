# SPDX-License-Identifier: MIT

"""tool_in_bed.py BLUECAP: runs the tool against the test bed's bluetoothd and far device. Exit status 0: all passed."""
from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import Any

import channel_in_bed
import doctor_in_bed
import pairing_in_bed
import paused_in_bed
import restore_in_bed
from programs import check, finish, line_with, start, summed_up

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control, Refused  # noqa: E402

TOOL = sys.argv[1]
NAME = "Far SensorTag"
DATA = "f000aa11-0451-4000-b000-000000000000"
ENABLED = "f000aa12-0451-4000-b000-000000000000"
SERVICE = "f000aa10-0451-4000-b000-000000000000"
HEART_RATE = "0000180d-0000-1000-8000-00805f9b34fb"
PEER = {
    "name": NAME,
    "advertisement": {"data": {"localName": NAME, "serviceUUIDs": [HEART_RATE]}},
    "services": [
        {
            "uuid": SERVICE,
            "characteristics": [
                {"uuid": DATA, "properties": ["read", "notify"], "value": "000000",
                 "descriptors": [{"uuid": "2901", "value": "54696c74"}]},
                {"uuid": ENABLED, "properties": ["read", "write"], "value": "00"},
            ],
        }
    ],
}


async def tool(*arguments: str) -> asyncio.subprocess.Process:
    return await start(TOOL, *arguments)


async def feed(peer: Control, values: list[str]) -> None:
    """Notifies `values` as soon as the tool has subscribed."""
    await peer("wait", event="subscribed", attribute="0.0", timeout=40)
    await peer("notify", attribute="0.0", values=values)


async def scan(address: str) -> None:
    status, lines, errors = await finish(await tool("scan", "--duration", "8", "--json"), 40)
    events = [json.loads(line) for line in lines]
    found = [event for event in events if event["id"] == address and event["event"] == "discovered"]
    check("scan ends with 0 after its duration", status == 0, (status, errors))
    check("scan discovers the far device once", len(found) == 1, lines)
    check("scan tells its service", any(HEART_RATE in event["services"] for event in events if event["id"] == address), lines)

    status, lines, errors = await finish(await tool("scan", "--name", NAME, "--duration", "4"), 40)
    check("scan --name prints an event line", status == 0 and any(NAME in line for line in lines), (status, lines, errors))

    process = await tool("scan")
    await line_with(process, NAME)
    process.send_signal(signal.SIGINT)
    status, _, errors = await finish(process, 20)
    check("Ctrl-C ends scan by SIGINT", status == -signal.SIGINT, (status, errors))


async def packets(address: str) -> None:
    """Every packet comes from the kernel, for which a process needs a capability."""
    status, lines, errors = await finish(await tool("scan", "--every-packet", "--duration", "3", "--json"), 40)
    own = [event for event in map(json.loads, lines) if event["id"] == address]
    check("a scan hears every packet of the far device", status == 0 and len(own) >= 30, (status, len(own), errors))
    nobody = ["env", "HOME=/nonexistent", "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    status, lines, errors = await finish(await start(*nobody, TOOL, "scan", "--every-packet", "--duration", "8"), 40)
    check("a process without the capability is refused by its name", status != 0 and "CAP_NET_ADMIN" in errors, (status, errors))


async def away(peer: Control) -> None:
    """Waits for the end of the link, and lets the device be found again."""
    await peer("wait", event="disconnected", timeout=20)
    await peer("advertise", enabled=True)


async def access(peer: Control, address: str) -> None:
    status, lines, errors = await finish(await tool("doctor", "--json"), 40)
    check("doctor finds that all is well, with 0", status == 0 and json.loads(lines[0])["healthy"], (status, lines, errors))

    status, lines, errors = await finish(await tool("info", address, "--json", "--timeout", "20"), 90)
    services = json.loads(lines[0])["services"] if lines else []
    tree = {each["uuid"]: each for service in services for each in service["characteristics"]}
    check("info shows the far device's characteristics", status == 0 and {DATA, ENABLED} <= set(tree), (status, lines, errors))
    check("info reads their values", (tree.get(DATA) or {}).get("value") == "000000", tree.get(DATA))
    check("info has their properties", (tree.get(ENABLED) or {}).get("properties") == ["read", "write"], tree.get(ENABLED))
    await away(peer)

    status, lines, errors = await finish(
        await tool("write", NAME, "accelerometer enabled", "yes", "--timeout", "20"), 90)
    check("write takes the profile's word", status == 0 and lines == ["wrote Accelerometer Enabled: Yes  01"], (lines, errors))
    await peer("wait", event="written", attribute="0.1", timeout=5)
    await away(peer)

    names = ["accelerometer-enabled", DATA]
    status, lines, errors = await finish(await tool("read", address, *names, "--json", "--timeout", "20"), 90)
    got = [(each["value"], each["text"]) for each in map(json.loads, lines)]
    check("read reads what was written, by profile", got[:1] == [("01", "Yes")] and len(got) == 2, (status, lines, errors))
    await away(peer)

    status, _, errors = await finish(await tool("read", address, "2A00", "--timeout", "20"), 90)
    check("read of what is not there ends with 76", status == 76 and "Accelerometer Data" in errors, (status, errors))
    await away(peer)


async def notify(peer: Control, address: str) -> None:
    values = [f"{number:02x}2040" for number in range(5)]
    for how in ([], ["--socket"]):
        process = await tool("notify", address, DATA, "--count", "5", "--json", "--timeout", "20", *how)
        feeding = asyncio.create_task(feed(peer, values))
        status, lines, errors = await finish(process, 90)
        feeding.cancel()
        got = [json.loads(line)["value"] for line in lines]
        name = " ".join(["notify", *how])
        check(f"{name} prints the values in order and ends with 0", status == 0 and got == values, (status, got, errors))
        await peer("wait", event="disconnected", timeout=20)
        check(f"{name} leaves the device disconnected", (await peer("connections"))["connections"] == 0)
        await peer("advertise", enabled=True)

    process = await tool("notify", NAME, DATA, "--timeout", "20")
    await peer("wait", event="subscribed", attribute="0.0", timeout=40)
    process.send_signal(signal.SIGINT)
    status, _, errors = await finish(process, 30)
    check("Ctrl-C ends notify, found by name, by SIGINT", status == -signal.SIGINT, (status, errors))
    await peer("wait", event="disconnected", timeout=20)
    check("Ctrl-C leaves the device disconnected", (await peer("connections"))["connections"] == 0)
    await peer("advertise", enabled=True)

    status, _, errors = await finish(await tool("notify", "AA:BB:CC:DD:EE:FF", DATA, "--timeout", "3"), 30)
    check("a device that is not there ends notify with 75", status == 75, (status, errors))


async def shell(peer: Control, address: str) -> None:
    script = f"""
        scan 4
        devices {NAME}
        connect {NAME}
        tree accelerometer
        write "Accelerometer Enabled" no
        read {ENABLED}
        nonsense
        subscribe "Accelerometer Data"
        wait 3
        unsubscribe
        disconnect
    """
    process = await start(TOOL, "shell", "--timeout", "20", stdin=asyncio.subprocess.PIPE)
    feeding = asyncio.create_task(feed(peer, ["102040", "112040", "122040"]))
    status, lines, errors = await finish(process, 120, script)
    feeding.cancel()
    check("shell does a script to its end, with the status of its failure", status == 64 and lines[-1:] == ["disconnected"], (status, lines, errors))
    check("shell says what is no command, and goes on", errors.startswith("bluecap: there is no command 'nonsense'"), errors)
    check("shell lists the far device", sum(address in line and NAME in line for line in lines) >= 2, lines)
    check("shell connects by the name", any(line.startswith(f"connected to {NAME} ({address})") for line in lines), lines)
    check("shell shows the tree", any("Accelerometer Enabled  read write" in line for line in lines), lines)
    check("shell writes and reads by the profile",
          {"wrote Accelerometer Enabled: No  00", "read Accelerometer Enabled: No  00"} <= set(lines), lines)
    got = [line.split()[-1] for line in lines if line.startswith("notified Accelerometer Data: ")]
    check("shell prints the values in order", got == ["102040", "112040", "122040"], lines)
    await away(peer)


async def shell_in_json(peer: Control) -> None:
    lines = [
        f"connect {NAME}", f"descriptors {DATA}", f"descriptors {DATA} 2901", f"descriptors {DATA} 2901 Lean --text",
        f"descriptors {DATA} 2902 0100", "rssi", "disconnect",
    ]
    process = await start(TOOL, "shell", "--json", "--timeout", "20", stdin=asyncio.subprocess.PIPE)
    status, output, errors = await finish(process, 120, "\n".join(lines) + "\n")
    events = [json.loads(line) for line in output]
    ends = [(each["event"], each["line"]) for each in events if each["event"] in ("done", "failed")]
    wanted = [("failed" if "2902" in line else "done", line) for line in lines]
    check("shell --json ends each line with done or failed", (status, errors) == (76, "") and ends == wanted, (status, ends, errors))
    got = {each["event"]: each for each in events}
    listed = [each["uuid"][4:8] for each in got.get("descriptors", {}).get("descriptors", [])]
    check("shell lists the descriptors", {"2901", "2902"} <= set(listed), got.get("descriptors"))
    check("shell reads one", got.get("descriptorRead", {}).get("text") == "Tilt", got.get("descriptorRead"))
    value = (await peer("value", attribute="0.0.0"))["value"]
    check("shell writes one", value == b"Lean".hex(), value)
    check("shell measures the signal", got.get("signal", {}).get("rssi", 0) < 0, events)
    await away(peer)


async def manage(peer: Control, address: str) -> None:
    status, lines, errors = await finish(await tool("adapters", "--json"), 40)
    adapters = [json.loads(line) for line in lines]
    check("adapters lists one that is on", status == 0 and adapters[0]["powered"] and adapters[0]["name"] == "hci0", (lines, errors))
    check("adapters knows what it can do", {"central", "peripheral"} <= set(adapters[0]["roles"]), adapters)

    status, lines, errors = await finish(await tool("rssi", address, "--passive", "--count", "2", "--json"), 40)
    got = [json.loads(line)["rssi"] for line in lines]
    check("rssi --passive measures advertisements", status == 0 and len(got) == 2 and max(got) < 0, (status, lines, errors))

    inspect = ["scan", "--inspect", "--name", NAME, "--limit", "1", "--timeout", "20", "--json"]
    status, lines, errors = await finish(await tool(*inspect), 90)
    got = [event for event in map(json.loads, lines) if event["event"] == "inspected"]
    check("scan --inspect reads the services", status == 0 and any(SERVICE in each["services"] for each in got), (lines, errors))
    await away(peer)

    status, lines, errors = await finish(await tool("bonds", "--json"), 40)
    check("bonds is empty before pairing", status == 0 and lines == [], (status, lines, errors))
    status, lines, errors = await finish(await tool("pair", address, "--timeout", "20", "--json"), 90)
    got = [json.loads(line) for line in lines]
    check("pair ends with the far device paired", status == 0 and got[-1]["event"] == "paired", (status, lines, errors))
    await away(peer)
    status, lines, errors = await finish(await tool("bonds", "--json"), 40)
    got = [json.loads(line)["id"] for line in lines]
    check("bonds lists it", status == 0 and got == [address], (status, lines, errors))
    status, lines, errors = await finish(await tool("forget", "Nobody"), 40)
    check("forget of what is not paired ends with 75", status == 75 and address in errors, (status, errors))
    status, lines, errors = await finish(await tool("forget", address, "--json"), 40)
    got = [json.loads(line)["event"] for line in lines]
    check("forget removes it", status == 0 and got == ["forgotten"], (status, lines, errors))
    status, lines, errors = await finish(await tool("bonds", "--json"), 40)
    check("bonds is empty afterwards", status == 0 and lines == [], (status, lines, errors))


async def services(peer: Control) -> None:
    name = "Emulated strap"
    process = await tool("emulate", "Heart Rate", "180F", "--name", name, "--set", "battery level=20", "--json")
    lines = await first_event(process, "advertising")
    found = await peer("central_scan", name=name, service=HEART_RATE, timeout=15)
    connected = await peer("central_connect", address=found["address"], public=found["public"])
    handles = {each["uuid"]: each["handle"] for service in connected["services"] for each in service["characteristics"]}
    level = handles["2a19"]
    value = (await peer("central_read", attribute=level))["value"]
    check("a service of the library has the value that was set", value == "14", value)
    beat = handles["2a37"]
    await peer("central_subscribe", attribute=beat)
    received = (await peer("central_received", attribute=beat, count=3, timeout=15))["values"]
    check("its values move", len(set(received)) >= 2, received)
    await peer("central_disconnect")
    process.send_signal(signal.SIGINT)
    status, rest, errors = await finish(process, 20)
    events = [json.loads(line)["event"] for line in lines + rest]
    check("accesses are shown, and Ctrl-C ends it by SIGINT", status == -signal.SIGINT and {"read", "subscribed"} <= set(events), (events, errors))


def values(events: list[dict[str, Any]], event: str, uuid: str) -> list[str]:
    return [each["value"] for each in events if each["event"] == event and each["characteristic"] == uuid]


def sensor(number: int) -> str:
    return f"f000{number:04x}-0451-4000-b000-000000000000"


# What a SensorTag has: each characteristic that can be read, with its first value.
FIRST_VALUES = {
    sensor(0xAA01): "54ff3c0d", sensor(0xAA02): "00",
    sensor(0xAA11): "c0e0a0", sensor(0xAA12): "00", sensor(0xAA13): "64",
    sensor(0xAA21): "280aac0d", sensor(0xAA22): "00",
    sensor(0xAA31): "79f77c07e704", sensor(0xAA32): "00", sensor(0xAA33): "c8",
    sensor(0xAA41): "d9f6cb84", sensor(0xAA42): "00", sensor(0xAA43): "81b2f863febe4e8d591bc607bff6a615",
    sensor(0xAA51): "e8ff25ffe9ff", sensor(0xAA52): "00",
    sensor(0xAA61): "f0", sensor(0xAA62): "00",
}


async def first_event(process: asyncio.subprocess.Process, event: str) -> list[str]:
    """The lines up to an event."""
    lines = []
    while line := (await asyncio.wait_for(process.stdout.readline(), 40)).decode():
        lines.append(line)
        if json.loads(line)["event"] == event:
            break
    return lines


async def refused(peer: Control, handle: int, value: str) -> str:
    """The code with which a write is refused; empty when it is not."""
    try:
        await peer("central_write", attribute=handle, value=value)
    except Refused as error:
        return str(error)
    return ""


async def emulate(peer: Control) -> None:
    name = "Emulated tag"
    process = await tool("emulate", "sensortag", "--backend", "bluez", "--name", name, "--json")
    lines = await first_event(process, "advertising")
    check("emulate offers nine services and advertises", len(lines) == 10 and "advertising" in lines[-1], lines)

    found = await peer("central_scan", name=name, service=sensor(0xAA10), timeout=15)
    advertised = "1107" + bytes.fromhex(sensor(0xAA10).replace("-", ""))[::-1].hex()
    check("its packet has the accelerometer's UUID", advertised in found["advertisement"], found)
    check("its name is heard", name.encode().hex() in found["advertisement"] + found["scanResponse"], found)
    connected = await peer("central_connect", address=found["address"], public=found["public"])
    handles: dict[str, int] = {}
    texts = []
    for service in connected["services"]:
        for each in service["characteristics"]:
            handles.setdefault(each["uuid"], each["handle"])
            if each["properties"] & 2:
                texts.append((await peer("central_read", attribute=each["handle"]))["value"])
    got = {}
    for uuid in FIRST_VALUES:
        got[uuid] = (await peer("central_read", attribute=handles[uuid]))["value"] if uuid in handles else None
    wrong = {uuid: value for uuid, value in got.items() if value != FIRST_VALUES[uuid]}
    check("every characteristic that can be read has its first value", not wrong, wrong)
    check("the device information is there", b"Model A".hex() in texts and b"AAA11".hex() in texts, texts)

    for number, count in [(0xAA10, 10), (0xAA30, 5), (0xAA00, 2)]:
        data, enabled, period = (handles.get(sensor(number + part)) for part in (1, 2, 3))
        await peer("central_subscribe", attribute=data)
        if period:
            await peer("central_write", attribute=period, value="05")
        await peer("central_write", attribute=enabled, value="01")
        received = (await peer("central_received", attribute=data, count=count, timeout=15))["values"]
        check(f"{number:04x} sends changing samples once enabled", len(set(received)) >= count - 1, received)
        current = (await peer("central_read", attribute=enabled))["value"]
        check(f"{number:04x} keeps what was written", current == "01", current)
        await peer("central_write", attribute=enabled, value="00")
        await peer("central_unsubscribe", attribute=data)
    error = await refused(peer, handles[sensor(0xAA12)], "0101")
    check("a write of two bytes is refused for its length", "0x0d" in error.lower() or "LENGTH" in error.upper(), error)
    error = await refused(peer, handles[sensor(0xAA12)], "07")
    check("a write that means nothing is refused", error != "", error)
    await peer("central_disconnect")

    process.send_signal(signal.SIGINT)
    status, rest, errors = await finish(process, 20)
    events = [json.loads(line) for line in lines + rest]
    check("Ctrl-C ends emulate by SIGINT", status == -signal.SIGINT and events[-1]["event"] == "stopped", (status, errors, rest[-1:]))
    check("emulate tells writes", values(events, "write", sensor(0xAA12)) == ["01", "00"], events)
    check("emulate tells refused writes", values(events, "writeRefused", sensor(0xAA12)) == ["0101", "07"], events)
    check("emulate tells subscriptions", {"subscribed", "unsubscribed"} <= {each["event"] for each in events}, events)
    heard = await still_heard(peer, advertised)
    check("nothing is on the air afterwards", not heard, heard)


async def still_heard(peer: Control, advertised: str) -> list[dict[str, Any]]:
    """Who advertises that for a second. bluetoothd has answered before the kernel stops: a last packet may come first."""
    for _ in range(2):
        devices = (await peer("central_listen", duration=1))["devices"]
        heard = [each for each in devices if advertised in each["advertisement"]]
        if not heard:
            break
    return heard


async def beacon(peer: Control) -> None:
    frame = "1aff4c000215" + "7c0e8a3652d14b6f9a441f3d5e2b9c70" + "0102" + "fffe" + "c2"
    process = await tool("beacon", "advertise", "--major", "258", "--minor", "65534", "--power=-62", "--json")
    await first_event(process, "advertising")
    heard = (await peer("central_listen", duration=1))["devices"]
    packets = [each["advertisement"] for each in heard]
    check("beacon advertise is heard as an iBeacon, byte for byte", any(frame in each for each in packets), heard)
    process.send_signal(signal.SIGINT)
    status, _, errors = await finish(process, 20)
    check("Ctrl-C ends beacon advertise by SIGINT", status == -signal.SIGINT, (status, errors))
    heard = await still_heard(peer, frame)
    check("the beacon is off the air afterwards", not heard, heard)


async def played_sensor(peer: Control) -> None:
    with open("/tmp/hall.json", "w", encoding="utf-8") as file:
        json.dump({"world": 1, "devices": [{"sensor": {
            "format": "BTHome", "values": {"humidity": 40}, "moves": {"temperature": "ramp:20..80:2"}}}]}, file)
    process = await tool("emulate", "/tmp/hall.json", "--json")
    for event, frame in ("advertising", "16d2fc40000002d00703a00f"), ("set", "16d2fc40000102340803a00f"):
        await first_event(process, event)
        heard = (await peer("central_listen", duration=1))["devices"]
        is_there = any(frame in each["advertisement"] for each in heard)
        check(f"a sensor of a world's file is heard byte for byte: {event}", is_there, heard)
    process.send_signal(signal.SIGINT)
    status, _, errors = await finish(process, 20)
    check("Ctrl-C ends the sensor by SIGINT", status == -signal.SIGINT, (status, errors))


async def ranging(peer: Control) -> None:
    frame = "0215" + "7c0e8a3652d14b6f9a441f3d5e2b9c70" + "0001" + "0007" + "c5"
    far = {"name": "", "advertisement": {"data": {"manufacturerData": {"004c": frame}}}, "services": []}
    address = (await peer("configure", peer=far))["address"].upper()
    await peer("advertise", enabled=True)
    status, lines, errors = await finish(await tool("beacon", "range", "--duration", "6", "--json"), 40)
    beacons = [each for line in lines for each in json.loads(line)["beacons"]]
    check("beacon range ends with 0 after its duration", status == 0, (status, errors))
    check(
        "beacon range shows the far beacon and its distance",
        any((each["id"], each["major"], each["minor"]) == (address, 1, 7) and each["distance"] > 0 for each in beacons),
        lines)


async def main() -> int:
    peer = await Control().open()
    address = (await peer("configure", peer=PEER))["address"].upper()
    await peer("advertise", enabled=True)
    await scan(address)
    await packets(address)
    await access(peer, address)
    await notify(peer, address)
    await shell(peer, address)
    await shell_in_json(peer)
    await manage(peer, address)
    await peer("advertise", enabled=False)
    faults = (doctor_in_bed.radio, doctor_in_bed.adapter, doctor_in_bed.daemon, doctor_in_bed.permission, doctor_in_bed.bus)
    pairing = (pairing_in_bed.by_comparison, pairing_in_bed.by_passkey)
    restoring = restore_in_bed.restoring
    channels = channel_in_bed.channels
    paused = paused_in_bed.paused
    for part in (emulate, services, restoring, beacon, played_sensor, ranging, channels, *pairing, paused, *faults):
        try:
            await part(peer)
        except Exception as error:  # the other parts tell something all the same
            check(f"{part.__name__} comes to its end", False, error)
    await peer.close()
    return summed_up()


sys.exit(asyncio.run(main()))

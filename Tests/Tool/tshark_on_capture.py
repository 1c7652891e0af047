#!/usr/bin/env python3
# SPDX-License-Identifier: MIT

"""tshark_on_capture.py BLUECAP: has tshark read what `bluecap capture` writes. Exit status 0: all passed.

Installs tshark from Debian where it is missing. Each form of file is checked: no packet is
malformed or in error, the values of the Attribute Protocol that tshark lists are those that `bluecap twin --values`
lists, in order, and tshark names the devices and services. A capture with connection-oriented channels is dissected as such: their
requests, answers, terms, credits, ends and every unit that tshark joins are those that `bluecap twin` lists."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

TOOL = sys.argv[1]
FORMS = [
    ("btsnoop 2001", "run.btsnoop", []),
    ("btsnoop 1002", "uart.btsnoop", ["--datalink", "1002"]),
    ("btsnoop 1001", "hci.btsnoop", ["--datalink", "1001"]),
    ("pcapng", "run.pcapng", []),
]
# Opcodes of the Attribute Protocol whose packets carry a whole value, and how `twin` calls them. A write is told by its
# answer there and by its request here, so that refused ones are left out by their errors.
READ, WRITE, COMMAND, NOTIFY, INDICATE, ERROR = 0x0B, 0x12, 0x52, 0x1B, 0x1D, 0x01
WORDS = {READ: "read", WRITE: "written", COMMAND: "writtenWithoutResponse", NOTIFY: "notified", INDICATE: "indicated"}
# Channels that echo, speak and close, refuse, demand encryption, and take nothing.
TWIN = {
    "schema": "bluecap-twin", "version": 3, "address": "C0:DE:00:00:00:01", "addressType": "random", "name": "Lamp",
    "advertisement": {"data": {"localName": "Lamp", "flags": 6}},
    "channels": [
        {"psm": 128, "behaviour": "echo"},
        {"psm": 129, "closesAfter": 3, "units": [
            {"value": "0102"}, {"received": 3, "after": 0.2, "value": bytes(range(250)).hex() * 6}, {"received": 3, "value": "09"}]},
        {"psm": 130, "refusal": 4}, {"psm": 131, "behaviour": "echo", "encrypted": True},
        {"psm": 132, "behaviour": "stall", "maximumReceiveLength": 100}, {"psm": 37, "refusal": 30000},
    ],
}
results: list[bool] = []


def check(what: str, holds: bool, found: Any = "") -> None:
    results.append(holds)
    print(f"{'ok' if holds else 'FAILED':6} {what}" + ("" if holds else f": found {str(found)[:2000]}"), flush=True)


def install() -> None:
    if not shutil.which("tshark"):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=True, env=environment)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "tshark"], check=True, env=environment,
            stdout=subprocess.DEVNULL)


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def rows(path: str, condition: str, *fields: str) -> list[list[str]]:
    wanted = [word for field in fields for word in ("-e", field)]
    lines = run("tshark", "-r", path, "-Y", condition, "-T", "fields", "-E", "separator=;", *wanted).splitlines()
    return [line.split(";") for line in lines]


def attribute_packets(path: str) -> list[tuple[int | None, str]]:
    """The handle by tshark's own account, and the packet's bytes, of each packet of the Attribute Protocol."""
    layers = json.loads(run("tshark", "-r", path, "-Y", "btatt", "-T", "json", "-x", "-j", "btatt"))
    packets = []
    for layer in (each["_source"]["layers"] for each in layers):
        fields = layer["btatt"] if isinstance(layer["btatt"], dict) else {}
        handle = fields.get("btatt.handle")
        packets.append((int(handle, 0) if isinstance(handle, str) else None, layer["btatt_raw"][0]))
    return packets


def values_of_tshark(path: str) -> list[tuple[str, int | None, str]]:
    """What passed, as tshark dissects it: how, the handle, the value."""
    values: list[tuple[str, int | None, str]] = []
    pending: tuple[str, int | None, str] | None = None
    for handle, packet in attribute_packets(path):
        code = int(packet[:2], 16)
        # The value of an answer stands behind the opcode, any other behind the handle, too.
        value = packet[2:] if code == READ else packet[6:]
        if code == ERROR:
            pending = None
        elif code == 0x13 and pending:
            values.append(pending)
            pending = None
        elif code == WRITE:
            pending = (WORDS[code], handle, value)
        elif code in WORDS:
            values.append((WORDS[code], handle, value))
    return values


def values_of_twin(path: str) -> list[tuple[str, int, str]]:
    events = [json.loads(line) for line in run(TOOL, "twin", path, "--values", "--json").splitlines()]
    return [(event["event"], event["handle"], event["value"]) for event in events]


def form(name: str, path: str, options: list[str]) -> None:
    run(TOOL, "capture", "-o", path, *options)
    packets = rows(path, "frame", "frame.number")
    check(f"{name}: tshark reads the file", len(packets) > 200, len(packets))
    wrong = rows(path, "_ws.malformed || _ws.expert.severity == error || _ws.short", "frame.number", "frame.protocols")
    check(f"{name}: no packet is malformed", not wrong, wrong[:5])
    theirs, ours = values_of_tshark(path), values_of_twin(path)
    check(f"{name}: there are values of each kind", {"read", "written", "notified"} <= {each[0] for each in ours} and len(ours) > 60, len(ours))
    different = [pair for pair in zip(theirs, ours) if pair[0] != pair[1]][:3]
    check(f"{name}: tshark lists the same {len(ours)} values", theirs == ours, (len(theirs), len(ours), different))
    connections = rows(path, "bthci_evt.le_meta_subevent == 0x01", "bthci_evt.bd_addr", "bthci_evt.status")
    devices = [json.loads(line) for line in run(TOOL, "twin", path, "--json").splitlines()]
    expected = sorted(each["id"].lower() for each in devices for _ in range(each["connections"]))
    check(f"{name}: tshark sees the connections", sorted(row[0] for row in connections) == expected, (connections, expected))
    ends = rows(path, "bthci_evt.code == 0x05", "bthci_evt.reason")
    check(f"{name}: tshark sees each of them end", len(ends) == len(expected), ends)
    names = {row[0] for row in rows(path, "btcommon.eir_ad.entry.device_name", "btcommon.eir_ad.entry.device_name")}
    check(f"{name}: tshark finds the names in advertisements", {"SensorTag", "Heart Strap"} <= {part for each in names for part in each.split(",")}, names)
    services = " ".join(row[0] for row in rows(path, "btatt.opcode == 0x11", "btatt.uuid16"))
    check(f"{name}: tshark finds the services", "0x180d" in services and "0x180f" in services, services)


def units_of_tshark(path: str) -> dict[str, tuple[int, str]]:
    """The PSM by tshark's own account, and the bytes, of each unit that tshark has, by the packet that completes it."""
    units = {}
    for layers in (each["_source"]["layers"] for each in json.loads(run("tshark", "-r", path, "-Y", "btl2cap.psm && btl2cap.payload", "-T", "json", "-x"))):
        layer = layers["btl2cap"]
        if "btl2cap.le_sdu.fragments_raw" in layer:
            unit = layer["btl2cap.le_sdu.fragments_raw"][0]
        elif "btl2cap.le_sdu_length" in layer and 2 * int(layer["btl2cap.le_sdu_length"]) == len(layer["btl2cap.payload_raw"][0]):
            unit = layer["btl2cap.payload_raw"][0]
        else:
            continue
        units[layers["frame"]["frame.number"]] = int(layer["btl2cap.psm"], 0), unit
    return units


def channels_of_tshark(path: str) -> tuple[list[dict[str, Any]], list[tuple[str, int, str]]]:
    """The channels, in the order of the requests, and all units, as tshark dissects them."""
    names = [
        "frame.number", "frame.p2p_dir", "btl2cap.cid", "btl2cap.cmd_code", "btl2cap.cmd_ident", "btl2cap.le_psm", "btl2cap.option_mtu", "btl2cap.mps",
        "btl2cap.initial_credits", "btl2cap.le_result", "btl2cap.credits", "btl2cap.scid", "btl2cap.dcid",
        "hci_mon.opcode"]
    joined = units_of_tshark(path)
    channels: list[dict[str, Any]] = []
    units: list[tuple[str, int, str]] = []
    asked: dict[tuple[str, str], dict[str, Any]] = {}
    # By the direction of the frames to an end, and the end's number: the channel, and the end that sends those.
    ends: dict[tuple[str, int], tuple[dict[str, Any], str]] = {}
    for values in rows(path, "btl2cap.cid == 5 || btl2cap.cid >= 0x40", *names):
        row = dict(zip((name.split(".")[1] for name in names), values))
        # The Linux monitor has its own mark of packets that were sent: 4, and 5 for others.
        code, sent = row["cmd_code"], row["p2p_dir"] == "0" or row["opcode"] in ("4", "0x0004")
        sender, other = ("sent", "received") if sent else ("received", "sent")
        if code in ("0x14", "0x15"):
            terms = {key: int(row[field]) for key, field in (("mtu", "option_mtu"), ("mps", "mps"), ("credits", "initial_credits"))}
            end = {"number": int(row["scid" if code == "0x14" else "dcid"], 0), **terms, "addedCredits": 0, "frames": 0, "units": 0, "bytes": 0}
        if code == "0x14":
            channel: dict[str, Any] = {"psm": int(row["le_psm"], 0), "accepted": False, "peer": end}
            channels.append(channel)
            asked[(sender, row["cmd_ident"])] = channel
        elif code == "0x15":
            channel = asked.pop((other, row["cmd_ident"]))
            channel["device"] = end
            if int(row["le_result"], 0):
                channel.update(end="refused", refusal=int(row["le_result"], 0))
                continue
            channel["accepted"] = True
            ends[(sender, channel["peer"]["number"])] = channel, "device"
            ends[(other, end["number"])] = channel, "peer"
        elif code == "0x16":
            # The number is that of the end that gives the credits, to which the other side sends.
            channel, role = ends[(other, int(row["cid"].split(",")[-1], 0))]
            channel["device" if role == "peer" else "peer"]["addedCredits"] += int(row["credits"])
        elif code == "0x06":
            channel, role = ends[(sender, int(row["dcid"], 0))]
            channel["end"] = "closedByDevice" if role == "device" else "closedByPeer"
        elif not code:
            channel, role = ends[(sender, int(row["cid"], 0))]
            channel[role]["frames"] += 1
            if row["number"] in joined:
                psm, unit = joined[row["number"]]
                channel[role]["units"] += 1
                channel[role]["bytes"] += len(unit) // 2
                units.append(("unitSent" if role == "device" else "unitReceived", psm, unit))
    return channels, units


def channels(name: str, path: str, options: list[str]) -> None:
    twin = path + ".json"
    with open(twin, "w", encoding="utf-8") as file:
        json.dump(TWIN, file)
    run(TOOL, "capture", twin, "-o", path, *options)
    wrong = rows(path, "_ws.malformed || _ws.expert.severity >= warning || _ws.short", "frame.number", "frame.protocols")
    check(f"{name}: no packet of a capture with channels is malformed", not wrong, wrong[:5])
    devices = [json.loads(line) for line in run(TOOL, "twin", path, "--json").splitlines()]
    found = [channel for device in devices for channel in device.get("channels", [])]
    ours = [{key: value for key, value in channel.items() if key not in ("malformed", "encrypted", "date")} for channel in found]
    events = [json.loads(line) for line in run(TOOL, "twin", path, "--values", "--json").splitlines()]
    passed = [(event["event"], event["psm"], event["value"]) for event in events if event["event"].startswith("unit")]
    theirs, units = channels_of_tshark(path)
    different = [pair for pair in zip(theirs, ours) if pair[0] != pair[1]][:2]
    check(f"{name}: tshark finds the same {len(ours)} channels, with terms, credits, frames and ends", theirs == ours, (len(theirs), different))
    check(f"{name}: tshark joins the same {len(passed)} units", units == passed, (len(units), [pair for pair in zip(units, passed) if pair[0] != pair[1]][:1]))
    check(f"{name}: no packet of a channel breaks a rule", not any(channel["malformed"] for channel in found), found)
    kinds = {(channel["psm"], channel.get("end"), channel.get("refusal")) for channel in found}
    expected = {
        (128, "closedByPeer", None), (129, "closedByDevice", None), (130, "refused", 4), (131, "refused", 8), (131, "closedByPeer", None),
        (132, "closedByPeer", None), (37, "refused", 30000)}
    check(f"{name}: channels are opened, refused, encrypted, and closed by either side", kinds == expected, kinds)
    check(f"{name}: units take several frames, and credits are given", any(
        channel[end]["frames"] > channel[end]["units"] > 1 and channel[end]["addedCredits"] for channel in found for end in ("device", "peer")), found)
    again = json.loads(run(TOOL, "twin", path, "--device", "Lamp"))["channels"]
    for channel in again:
        for unit in channel.get("units", []):
            unit.pop("after", None)
    wanted = [{**channel, "units": [{key: value for key, value in unit.items() if key != "after"} for unit in channel["units"]]} if "units" in channel
              else {key: value for key, value in channel.items() if value != "stall"} for channel in TWIN["channels"]]
    check(f"{name}: the twin of the capture takes the same channels", again == wanted, again)


def main() -> int:
    install()
    with tempfile.TemporaryDirectory() as folder:
        for name, file, options in FORMS:
            for kind in form, channels:
                try:
                    kind(name, os.path.join(folder, f"{kind.__name__}-{file}"), options)
                except Exception as error:  # the other forms tell something all the same
                    check(f"{name} comes to its end", False, repr(error))
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT

"""tshark_on_capture.py BLUECAP: has tshark read what `bluecap capture` writes. Exit status 0: all passed.

Installs tshark from Debian where it is missing. Each form of file is checked: no packet is
malformed or in error, the values of the Attribute Protocol that tshark lists are those that `bluecap twin --values`
lists, in order, and tshark names the devices and services."""
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


def main() -> int:
    install()
    with tempfile.TemporaryDirectory() as folder:
        for name, file, options in FORMS:
            try:
                form(name, os.path.join(folder, file), options)
            except Exception as error:  # the other forms tell something all the same
                check(f"{name} comes to its end", False, error)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


sys.exit(main())

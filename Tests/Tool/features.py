#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs each row of the tool's tables of features in a virtual world, and looks at what it prints.

usage: Tests/Tool/features.py BLUECAP

The tables are those of features.md, which have the features of the original's examples and screens with the command for each. A row without checks fails, and so do checks of no row. The exit status is 0 when all have passed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(PACKAGE, "Tests", "Tool", "features.md")
LIMIT = 60  # seconds of one command
AT_ONCE = 4  # rows, which wait for the most part
VIRTUAL, HOUSE, SHOP, OWN = (f"--backend virtual{world}" for world in ("", ":house", ":shop", ":world.json"))
FAMILY = "7c0e8a36-52d1-4b6f-9a44-1f3d5e2b9c70"

FILES = {
    "world.json": {
        "world": 1,
        "devices": [
            {
                "name": "Strap", "services": ["Heart Rate"], "metres": 1,
                "moves": {"heart rate measurement": "ramp:60..120:1"}, "faults": [{"at": 4, "do": "disconnect"}],
            },
            {"metres": 1, "iBeacon": {"uuid": FAMILY, "major": 1, "minor": 7}, "faults": [{"at": 3, "do": "vanish"}]},
        ],
    },
    "profiles.json": {
        "schema": "bluecap-profiles", "version": 1,
        "services": [{
            "uuid": "FFF0", "name": "Kiln", "tag": "Mine",
            "characteristics": [{"uuid": "FFF1", "name": "Heat", "fields": [{"name": "Heat", "type": "uint16", "unit": "°C"}]}],
        }],
    },
}


class Check:
    """A command: what it prints has to match the patterns, each of them, from its first line to its last."""

    def __init__(self, arguments, *patterns, status=0, given=""):
        self.arguments, self.patterns, self.status, self.given = arguments, patterns, status, given

    def problem(self, tool, folder):
        """What is wrong with what it does, or None."""
        environment = {**os.environ, "BLUECAP_CONFIG": os.path.join(folder, "config.json"), "TZ": "UTC"}
        words = re.findall(r'"[^"]*"|\S+', self.arguments)
        try:
            done = subprocess.run(
                [tool, *(word.replace('"', "") for word in words)], input=self.given, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, timeout=LIMIT, env=environment, cwd=folder, check=False)
        except subprocess.TimeoutExpired:
            return f"still running after {LIMIT} s"
        missed = [pattern for pattern in self.patterns if not re.search(pattern, done.stdout, re.DOTALL)]
        if done.returncode == self.status and not missed:
            return None
        return f"status {done.returncode}, not in its output: {missed}\n{done.stdout}"


CHECKS = {
    "Beacon: emulate an iBeacon, make up a UUID, keep the numbers": [
        Check("config beacon.major 7", r"beacon\.major +7"),
        Check(f"beacon advertise {VIRTUAL} --generate --duration 8", rf"iBeacon (?!{FAMILY})[0-9a-f-]{{36}}, major 7.*near.* 7 +0 "),
        Check("config beacon.uuid B9407F30-F5F8-466E-AFF9-25556B57FE6D", r"b9407f30-f5f8"),
        Check(f"beacon advertise {VIRTUAL} --duration 8", r"iBeacon b9407f30-f5f8-466e-aff9-25556b57fe6d, major 7"),
    ],
    "Beacons: range, and tell inside from outside": [
        Check(f"beacon range {SHOP} --duration 8", r" m  near .* 1 +2  C0:DE:02:00:00:02"),
        Check(f"beacon monitor {OWN} --exit-after 1 --duration 13", r"monitoring .*\ninside .*\noutside "),
    ],
    "CentralManager, with and without profiles: scan for the accelerometer, switch it on, read, listen, reconnect": [
        Check("demo --samples 5", r"Wrote Accelerometer Enabled: yes.*\n +5  x .* g "),
        Check(
            f"scan {VIRTUAL} --service F000AA10-0451-4000-B000-000000000000 --duration 6",
            r"\Adiscovered [^\n]*SensorTag[^\n]*\n\Z"),
        Check(f"read SensorTag accelerometer-data {VIRTUAL}", r"\nx [+-]\d[^\n]* g  [0-9a-f]{6}\n"),
        Check(f"write SensorTag accelerometer-enabled yes {VIRTUAL}", r"wrote Accelerometer Enabled: Yes  01"),
        Check(
            f"notify Strap 2A37 {OWN} --reconnect --duration 15",
            r"subscribed to.* bpm.*link lost[^\n]*reconnecting.*connected again.* bpm"),
    ],
    "Edit the update period as a value or as bytes": [
        Check(f"write SensorTag accelerometer-update-period {value} {VIRTUAL}", r"wrote Accelerometer Update Period: 500 ms  32") for value in ("periodRaw=50", "32")
    ],
    "PeripheralManager, with and without profiles: an accelerometer fed by motion, refusing writes of a wrong length": [
        Check(f"emulate sensortag {VIRTUAL} --samples 3", r" wrote Accelerometer Enabled: Yes.* 1  (x [^·]*g).* 2  (?!\1)x .* 3  x "),
        Check(f"write SensorTag accelerometer-enabled 0101 {VIRTUAL}", r"invalid attribute value length \(0x0D\)", status=76),
    ],
    "Playgrounds for profiles": [Check("profiles accelerometer-update-period", r"read write.*period \(ms\).*1000 ms  64")],
    "Central, Peripherals: all devices or those with services": [
        Check(f"scan {HOUSE} --duration 6", "Bedroom", "Runner", "Scale"),
        Check("config scan.mode services", "services"),
        Check("config scan.services Pulse=180D", "Pulse=180D"),
        Check(f"scan {HOUSE} --duration 6", r"\Adiscovered [^\n]*Runner[^\n]*\n\Z"),
    ],
    "rows: name, state, signal bars, services": [
        Check(f"scan {HOUSE} --duration 6", r"(▁▂▄··  -(5[6-9]|6\d|70)|▁▂···  -(7[1-9]|8[0-5]))  Runner  Heart Rate, Battery"),
        Check(f"scan {HOUSE} --duration 6 --json", r'"name":"Scale"[^\n]*"state":"paired"'),
    ],
    # The order is that of the table on a terminal, which ScanTableTests show; a pipe has events.
    "order by discovery or signal; a limit of devices": [
        Check(f"scan {HOUSE} --sort name --limit 2", r"\A(discovered [^\n]*\n){2}\Z"),
        Check(f"scan {HOUSE} --sort weight", r"'weight' is invalid.*rssi", status=64),
    ],
    "automatic inspection with a number of connections, and maxima of timeouts and disconnections": [
        Check("config inspect.timeouts 3", r"inspect\.timeouts +3"),
        Check(
            f"scan {HOUSE} --inspect --connections 2 --retries 1 --limit 2",
            r"inspecting .*connecting", r"inspected [^\n]*\d services, \d+ characteristics: .*inspected "),
    ],
    "Peripheral: identifier, state, services, counts and times of connections": [
        Check(
            f"info Runner {HOUSE}", r"Runner \(C0:DE:01:00:00:02\)\nsignal -\d+ dBm, MTU \d+, not paired",
            r"\nHeart Rate  180D\n", r"\ndiscovered \d+-\S+Z\nconnected \d+-\S+Z\n",
            r"\n1 connection, 0 timeouts, 0 disconnections\nconnected for [\d.]+ s, [\d.]+ s a connection, apart for [\d.]+ s"),
    ],
    "signal strength, polled": [
        Check(f"rssi Runner {HOUSE} --count 2", r"-\d+ dBm\n.*-\d+ dBm"),
        Check(f"shell Runner {HOUSE}", r"signal .* dBm", given="rssi\n"),
    ],
    "Advertisements": [
        Check(
            f"scan {SHOP} --json --duration 6", r'"companies":\["Apple, Inc\."\],"connectable":false',
            rf'"fields":{{"major":\["1"\],"minor":\["2"\],"power":\["-59"\],"uuid":\["{FAMILY}"\]}},"kind":"iBeacon"', r'"manufacturerData":{"004c":"0215'),
        Check(f"scan {HOUSE} --json --duration 6", r'"connectable":true.*"name":"Runner".*"services":\['),
    ],
    "Services, Characteristics, Characteristic: UUIDs, properties, descriptors": [
        Check(f"info Runner {HOUSE}", r"Battery Level  2A19  read notify\n", r"Client Characteristic Configuration  2902"),
        Check(
            f"shell Runner {HOUSE}", r"Client Characteristic Configuration of Heart Rate Measurement: 0000",
            given='descriptors "heart rate measurement" 2902\n'),
    ],
    "Values: read, live, written as text or as a choice; bytes where nothing is known": [
        Check(f"read Runner body-sensor-location {HOUSE}", r"\nChest  01\n"),
        Check(f"notify Runner 2A37 {HOUSE} --count 2", r"heartRate \d+ bpm.*\nheartRate \d+ bpm.*  [0-9a-f]+\n"),
        Check(f"notify Runner 2A37 {HOUSE} --count 2 --plot", r"\d+ bpm"),
        Check(f"write SensorTag accelerometer-enabled 01 {VIRTUAL}", r"wrote Accelerometer Enabled: Yes  01"),
        Check(f"write SensorTag accelerometer-enabled maybe {VIRTUAL}", r"Yes", r"No", status=64),
    ],
    "Simulator, Peripheral: name, services from the list of profiles, a subset advertised": [
        Check(
            f'emulate "Heart Rate" Battery --advertise 180F --name Lamp {VIRTUAL} --duration 8',
            r"Offering Heart Rate: 3 characteristics\n.*Offering Battery: 1 characteristic\n.*Advertising as Lamp with Battery\n",
            r"was sent Heart Rate Measurement: heartRate \d+ bpm"),
    ],
    "values edited while it runs; writes accepted unless they are empty": [
        Check(
            f'emulate Battery --set "battery level=20" --move "battery level=ramp:100..0:0.5" {VIRTUAL} --duration 8',
            r"was sent Battery Level: 9\d %"),
        Check(f'emulate Battery --still --set "battery level=20" {VIRTUAL} --duration 8', r"read Battery Level: 20 %  14"),
        Check(f'write Runner 2A39 "" {HOUSE}', r"0x0D", status=76),
    ],
    "Simulator, iBeacon": [
        Check(f"beacon advertise {VIRTUAL} --major 1 --minor 7 --duration 8", r"major 1, minor 7.*near.* 1 +7 "),
    ],
    "Beacons: named regions, state, list with proximity, accuracy and signal": [
        Check(f"config beacon.regions counter={FAMILY}/1/2", rf"counter={FAMILY}/1/2"),
        Check(f"beacon range --region counter {SHOP} --duration 8", r" m  near .* -\d+ .* 1 +2  C0:DE:02:00:00:02"),
        Check(f"beacon range --all {SHOP} --duration 8", r"  iBeacon  "),
        Check(f"beacon monitor counter {SHOP} --duration 8", r"inside +counter"),
    ],
    "Profiles, by tag": [
        Check('profiles --tag "TI Sensor Tag"', r"TI Sensor Tag\n", r"TI Accelerometer"),
        Check("profiles --tag Mine --profiles profiles.json", r"Kiln  FFF0\nMine\n"),
        Check("profiles Heat --profiles profiles.json", r"°C"),
        Check("profiles --tag Nope", r"no group 'Nope': choose 'BLESIGGATT'", status=64),
    ],
    "Configure: scan mode, duration and services, timeouts, maxima, order": [
        Check("config", r"scan\.mode +\[all\].*scan\.services.*scan\.duration.*scan\.limit.*scan\.sort.*inspect\.timeouts"),
        Check("config scan.limit 1", r"scan\.limit +1"),
        Check(f"scan {HOUSE} --duration 6", r"\A(discovered [^\n]*\n)\Z"),
        Check("config scan.limit nope", r"scan\.limit cannot be 'nope': write 1 to 1000000000, or off", status=64),
    ],
    # A program that was killed is restored by a real daemon: `tool-in-bed` shows it.
    "a restore identifier": [Check(f"emulate Battery --restore Lamp {VIRTUAL}", r"real radio", status=64)],
}


def rows():
    """The first columns of the tables."""
    names, inside = [], False
    with open(PAGE, encoding="utf-8") as page:
        for line in page:
            if re.match(r"\| (Example|Screen) \| Command \|", line):
                inside = True
            elif not line.startswith("|"):
                inside = False
            elif inside and not line.startswith("|--"):
                names.append(line.split("|")[1].strip())
    return names


def run(checks, tool):
    """What is wrong with each command of a row, or None."""
    # Settings that one command makes are there for the next.
    with tempfile.TemporaryDirectory() as folder:
        for file, content in FILES.items():
            with open(os.path.join(folder, file), "w", encoding="utf-8") as output:
                json.dump(content, output)
        return [check.problem(tool, folder) for check in checks]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = os.path.abspath(sys.argv[1])
    known = rows()
    passed = failed = 0
    for name in sorted(set(known) ^ CHECKS.keys()):
        failed += 1
        print(f"FAILED {name}: " + ("the row has no checks" if name in known else "there is no such row"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, problems in zip(CHECKS, pool.map(lambda checks: run(checks, tool), CHECKS.values())):
            for check, problem in zip(CHECKS[name], problems):
                passed, failed = passed + (problem is None), failed + (problem is not None)
                print(f"{'FAILED' if problem else 'ok'} {name.split(':')[0]}: bluecap {check.arguments}", flush=True)
                if problem:
                    print(problem, flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT

"""Runs inside the test bed: clients against a real bluetoothd and the far device. See bed.py, which starts it.

usage: in_bed.py JSON, an object with `rounds`, `limit`, `clients` (commands by names) and `works` (names and counts).
Prints a line of JSON for every run: its work, its client and its figures.
"""

import json
import os
import socket
import subprocess
import sys
import threading
import time

SERVICE = "f000aa00-0451-4000-b000-000000000000"
CHARACTERISTIC = "f000ab00-0451-4000-b000-000000000000"
DEVICE = {
    "name": "Target", "mtu": 247,
    "advertisement": {"data": {"localName": "Target", "serviceUUIDs": ["180f"]}, "interval": 0.05},
    "services": [{"uuid": SERVICE, "primary": True, "characteristics": [{
        "uuid": CHARACTERISTIC, "properties": ["read", "write", "writeWithoutResponse", "notify"],
        "value": "01" * 20,
    }]}],
}


class Far:
    """The far device's control socket."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["BLUECAP_PEER"])
        self.lines = self.socket.makefile("rw", encoding="utf-8")
        self.number = 0

    def __call__(self, command, **parameters):
        self.number += 1
        self.lines.write(json.dumps({"id": self.number, "cmd": command, **parameters}) + "\n")
        self.lines.flush()
        answer = json.loads(self.lines.readline())
        if not answer["ok"]:
            sys.exit(f"in_bed: {command}: {answer['error']}")
        return answer


def services():
    """The processes of the machine's own through which a value goes."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                if file.read().strip() in ("bluetoothd", "dbus-daemon"):
                    found.append(int(pid))
        except FileNotFoundError:
            pass  # It has ended.
    return found


def processor_us(pids):
    """The processor's time that these processes have taken since they began, in microseconds."""
    # The kernel's number for the clock of another process (clock_getcpuclockid).
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids) * 1e6


def run(command, work, far, limit):
    """The figures of one client, or None when it printed none."""
    # A device of its own for each run: what bluetoothd remembers of the one before would change the run.
    far("configure", peer=DEVICE)
    far("advertise", enabled=True)
    process = subprocess.Popen(
        [*command[:-1], work["work"], str(work["count"]), "1", *command[-1]], stdout=subprocess.PIPE, text=True)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    pids = services()
    before = figures = None
    try:
        for line in process.stdout:
            if line.startswith("{"):
                figures = json.loads(line)
                if before is not None:
                    figures["services_us"] = processor_us(pids) - before
            elif line.strip() == "go" and work["notifies"]:
                before = processor_us(pids)
                far("notify_many", attribute="0.0", count=work["count"], size=20)
    finally:
        timer.cancel()
        process.kill()
        process.wait()
    return figures


def main():
    wanted = json.loads(sys.argv[1])
    far = Far()
    for work in wanted["works"]:
        for _ in range(wanted["rounds"]):
            for name, command in wanted["clients"].items():
                figures = run(command, work, far, wanted["limit"])
                print(json.dumps({"row": work["row"], "client": name, "figures": figures}), flush=True)


main()

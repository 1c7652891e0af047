# SPDX-License-Identifier: MIT

"""`--bed`: the same clients end to end, in the test bed: bluetoothd, the kernel and a far device of another make."""

import json
import os
import statistics
import subprocess
import sys

import tools
from measures import MEASURES
from row import Row

# bluetoothd drops a packet that its socket does not take, so there are only as many as that holds: too few for the time of the services,
# which the simulated machine counts in ticks of 10 ms.
WORKS = [
    Row("bed-notify", "notify", 2000, "notifications by signal", traffic={"go": ""},
        measures=[("cpu", []), ("machine", [])]),
    Row(
        "bed-socket", "packets", 200, "notifications over AcquireNotify's socket", traffic={"go": ""},
        measures=[("cpu", [])]),
    Row("bed-read", "read", 300, "reads", measures=[("cpu", []), ("p50", [])]),
    Row("bed-write", "write", 300, "writes with response", measures=[("cpu", []), ("p50", [])]),
    Row("bed-command", "command", 300, "writes without response", measures=[("cpu", [])]),
]
CLIENTS = ("loop", "plain", "bleak")


def run(runner):
    """The lines of the table."""
    folder = os.path.dirname(tools.HERE)
    commands = {name: [*runner.clients[name], ["loop"] if name == "loop" else []] for name in CLIENTS}
    works = [
        {"row": row.name, "work": row.work, "count": row.count, "notifies": bool(row.traffic)} for row in WORKS]
    wanted = {"rounds": runner.rounds, "limit": 60, "clients": commands, "works": works}
    tools.say(f"{len(works)} rows in the test bed, {runner.rounds} rounds")
    bed = subprocess.Popen(
        [
            os.path.join(folder, "Tests", "TestBed", "run"), "--adapters", "1", "--limit", "1500", "--",
            "/usr/bin/python3", os.path.join(tools.HERE, "Harness", "in_bed.py"), json.dumps(wanted),
        ],
        stdout=subprocess.PIPE, text=True)
    found = {}
    try:
        for text in bed.stdout:
            if not text.startswith("{"):
                sys.stderr.write(text)
                continue
            run = json.loads(text)
            tools.say(f"{run['row']}, {run['client']}{'' if run['figures'] else ': no figures'}")
            if run["figures"]:
                found.setdefault(run["row"], {}).setdefault(run["client"], []).append(run["figures"])
        if bed.wait() != 0:
            tools.say("the test bed failed: the table has what was measured")
    finally:
        bed.kill()
        bed.wait()
    lines = []
    for row in WORKS:
        for measure, goals in row.measures:
            figure = MEASURES[measure][2]
            medians = {
                client: statistics.median(figure(run) for run in runs)
                for client, runs in found.get(row.name, {}).items()
            }
            lines.append(runner.line(row, measure, medians, goals))
    return lines

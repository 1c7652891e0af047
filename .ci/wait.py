#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how long somebody who has just cloned the package waits for the two commands of README.md.

usage: .ci/wait.py [--only run|test] [OLD [NEW]]

Clones two revisions (f81d35f2 and HEAD) into a temporary folder and runs each of the commands there as the README of that revision has
it, without its packages of the system: in both clones at the same time, so that what else the machine does slows both. Nothing is built
before. The demo ends after five samples. It prints a table of the time that processors spent on a command and all that it started,
of the time that passed, and the one as a fraction of the other's. The status is 1 when a command fails, or takes more of the
processors than 0.6 of what it took in the old revision.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

GOAL = 0.6
COMMANDS = {"run": re.compile(r"^    .*?(swift run .*bluecap demo)$", re.M), "test": re.compile(r"^    .*?(swift test.*)$", re.M)}


class Measured:
    """A command in a clone, from its start on."""

    def __init__(self, revision: str, clone: str, kind: str):
        with open(f"{clone}/README.md", encoding="utf-8") as file:
            found = COMMANDS[kind].search(file.read())
        if not found:
            sys.exit(f"the README of {revision} has no command '{kind}'")
        self.revision, self.command = revision, found[1]
        line = self.command + (" --samples 5" if kind == "run" else "")
        with open(f"{clone}/../{revision}-{kind}.log", "wb") as log:
            self.process = subprocess.Popen(["bash", "-c", line], cwd=clone, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.log, self.begun = log.name, time.monotonic()

    def end(self, status: int, usage):
        """Takes the figures of the command, which has ended."""
        self.status, self.wall = os.waitstatus_to_exitcode(status), time.monotonic() - self.begun
        self.processor = usage.ru_utime + usage.ru_stime
        self.process.returncode = self.status

    def row(self, old: "Measured") -> str:
        """A line of the table."""
        ratio = self.processor / old.processor
        return f"{self.revision:10} {self.processor:10.0f} s {self.wall:8.0f} s {ratio:6.2f}  {self.command}"


def clone_of(revision: str, folder: str) -> str:
    """A clone with that revision in its work tree."""
    path = f"{folder}/{revision}"
    subprocess.run(["git", "clone", "-q", "--no-checkout", ".", path], check=True)
    subprocess.run(["git", "-C", path, "checkout", "-q", "--detach", revision], check=True)
    return path


def main() -> int:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").split("usage: ")[1].split("\n")[0])
    parser.add_argument("--only", choices=COMMANDS)
    parser.add_argument("revisions", nargs="*", default=["f81d35f2", "HEAD"])
    options = parser.parse_args()
    names = (options.revisions + ["HEAD"])[:2]
    revisions = [subprocess.check_output(["git", "rev-parse", "--short=8", name], text=True).strip() for name in names]
    bad = 0
    print(f"{'revision':10} {'processors':>12} {'waited':>10} {'of old':>6}  command", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for kind in [options.only] if options.only else COMMANDS:
            # Each has a folder of its own, as the name of the folder is that of the package.
            homes = [tempfile.mkdtemp(dir=folder) for _ in revisions]
            runs = [Measured(name, clone_of(name, home), kind) for name, home in zip(revisions, homes)]
            left = {run.process.pid: run for run in runs}
            while left:
                pid, status, usage = os.wait3(0)
                if pid in left:
                    left.pop(pid).end(status, usage)
            for run in runs:
                print(run.row(runs[0]), flush=True)
                if run.status != 0:
                    bad = 1
                    with open(run.log, encoding="utf-8", errors="replace") as log:
                        print(f"status {run.status}:\n{''.join(log.readlines()[-20:])}", flush=True)
            if runs[1].processor > GOAL * runs[0].processor:
                print(f"more than {GOAL} of what it was", flush=True)
                bad = 1
    return bad


sys.exit(main())

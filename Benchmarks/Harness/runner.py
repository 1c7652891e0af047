# SPDX-License-Identifier: MIT

"""Runs rows: rounds of all clients in turn, and callgrind."""

import collections
import os
import re
import statistics
import subprocess
import tempfile

from bus import Bus, Failure
import size
from measures import INSTRUCTIONS, MEASURES
from row import OURS
from tools import call, say

LIMIT = 600  # seconds of one run
PARTS = 5  # of a thousand values that are counted
# What no work has none of.
TIMES = ("cpu", "p50", "start", "speed", "linear")


class Runner:
    """Everything that a row needs: the peer, the clients' commands by their names, and how many rounds."""

    def __init__(self, peer, clients, rounds):
        self.peer, self.clients, self.rounds = peer, clients, rounds
        self.measured = {}  # figures by measure and row
        self.problems = []

    def problem(self, text):
        """A run that left no figure: it fails the whole."""
        say(text)
        self.problems.append(text)

    def command(self, row, client, count):
        last = ["loop"] if client == "loop" else []
        return [*self.clients[client], row.work, str(count), str(row.at_once), *last]

    def once(self, row, client, count, wrapper=(), limit=LIMIT):
        # Swift's hashes differ from run to run, and with them the instructions.
        environment = {"SWIFT_DETERMINISTIC_HASHING": "1"}
        with Bus() as bus:
            command = [*wrapper, *self.command(row, client, count)]
            return bus.run(self.peer, command, row.devices, row.told(count), limit, environment)

    def measure(self, row, clients=None):
        """The lines of a row: for each measure the median of every client, or of those of the clients that are given."""
        if row.work is None:
            return [self.line(row, "size", size.sizes(self.clients), [])]
        rounds = row.rounds or self.rounds
        runs = {client: [] for client in row.clients if client in self.clients and (not clients or client in clients)}
        for number in range(rounds):
            for client, found in runs.items():
                say(f"{row.name}: round {number + 1} of {rounds}, {client}")
                try:
                    found.append(self.once(row, client, row.count, limit=max(LIMIT, row.count / 200)))
                except Failure as failure:
                    self.problem(f"{row.name}, {client}: {failure}")
        lines = []
        for measure, goals in row.measures:
            _, digits, figure = MEASURES[measure]
            figures = {
                client: round(statistics.median(figure(run) for run in found), max(digits, 3))
                for client, found in runs.items() if found and takes(figure, found[0])
            }
            for client, figured in figures.items():
                if measure in TIMES and not figured > 0:
                    self.problem(f"{row.name}, {client}: {figured} {MEASURES[measure][0]}")
            for client in runs:
                if client in OURS and client not in figures:
                    self.problem(f"{row.name}, {client}: no {MEASURES[measure][0]}")
            lines.append(self.line(row, measure, figures, goals))
        return lines

    def count(self, row):
        """The line of a row's instructions: exact but for what threads and sockets do in another order."""
        wanted = row.instructions
        figures = {}
        for client in wanted.clients:
            if client not in self.clients:
                continue
            say(f"{row.name}: {client} under callgrind")
            try:
                (once, calls), (twice, more) = (self.counted(row, client, times * wanted.count) for times in (1, 2))
                if twice <= once:
                    raise Failure("twice the work took no more: the machine is too busy to count on it")
                barred = [name for name in wanted.barred if more.get(name, 0) > calls.get(name, 0)]
                if barred:
                    raise Failure(f"the work calls {', '.join(barred)}")
                figures[client] = round((twice - once) / wanted.count)
            except Failure as failure:
                self.problem(f"{row.name}, {client}: {failure}")
        return self.line(row, "instructions", figures, wanted.goals)

    def counted(self, row, client, count):
        """The instructions of a run, and the number of calls of the functions that its row bars."""
        with tempfile.TemporaryDirectory() as folder:
            program, dump = os.path.join(folder, "program"), os.path.join(folder, "dump")
            # Old valgrinds give up on the compiler's debugging information.
            call(["strip", "-g", "-o", program, self.clients[client][0]])
            wrapper = ["valgrind", "--tool=callgrind", "-q", f"--log-file={folder}/log", f"--callgrind-out-file={dump}"]
            if row.instructions.function:
                wrapper += ["--compress-strings=no", f"--toggle-collect=*{row.instructions.function}*"]
            counted = Runner(self.peer, {**self.clients, client: [program]}, 1)
            counted.once(row, client, count, wrapper)
            with open(dump, encoding="utf-8", errors="replace") as file:
                text = file.read()
            found = re.findall(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
            if not found:
                raise Failure("callgrind left no figure")
            calls = collections.Counter()
            if row.instructions.barred:
                for name, times in re.findall(r"^cfn=(.*)\ncalls=(\d+)", text, re.MULTILINE):
                    calls[name] += int(times)
            return int(found[-1]), calls

    def count_late(self, row, late):
        """The instructions of a value in the early thousand and in the late one, each the median of the parts."""
        client = row.clients[0]
        say(f"{row.name}: value {late:,} under callgrind")
        with tempfile.TemporaryDirectory() as folder:
            program, dump = os.path.join(folder, "program"), os.path.join(folder, "dump")
            call(["strip", "-g", "-o", program, self.clients[client][0]])
            wrapper = [
                "valgrind", "--tool=callgrind", "-q", f"--log-file={folder}/log", f"--callgrind-out-file={dump}",
                "--instr-atstart=no"]
            counted = Runner(self.peer, {**self.clients, client: [program]}, 1)
            counted.once(row, client, late, wrapper, max(LIMIT, late / 200))
            parts = []
            for number in range(1, 2 * PARTS + 1):
                with open(f"{dump}.{number}", encoding="utf-8", errors="replace") as file:
                    parts.append(int(re.findall(r"^(?:summary|totals): (\d+)", file.read(), re.MULTILINE)[-1]))
        return [statistics.median(some) * PARTS / 1000 for some in (parts[:PARTS], parts[PARTS:])]

    def line(self, row, measure, figures, goals):
        of_rows = self.measured.setdefault(measure, {})
        of_rows[row.name] = figures
        judged = [goal.judge(figures, of_rows) for goal in goals]
        title, digits = INSTRUCTIONS if measure == "instructions" else MEASURES[measure][:2]
        return {
            "row": row.name, "measure": title, "digits": digits, "figures": figures,
            "goals": [goal for goal in judged if goal],
        }


def takes(figure, run):
    """Whether a client's figures have what a measure takes."""
    try:
        figure(run)
    except (KeyError, ZeroDivisionError):
        return False
    return True


def load():
    return subprocess.run(["uptime"], capture_output=True, text=True, check=False).stdout.strip()

# SPDX-License-Identifier: MIT

"""What a Python client measures of itself, and how it says so: the same as measure.h."""

import asyncio
import json
import resource
import sys
import time


def cpu_us():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1e6


def switches():
    """How often the process has gone to sleep."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


def memory_kb():
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


class Measurement:
    def __init__(self, count):
        self.count = count
        self.done = self.wrong = 0
        self.latencies = []
        self.ended = asyncio.Event()

    def say(self, word):
        print(word, flush=True)

    def begin(self, word="go"):
        """From here on the work counts."""
        self.done = 0
        self.ended.clear()
        self.switches = switches()
        self.cpu = cpu_us()
        self.first = time.perf_counter()
        self.say(word)

    def value(self, value):
        """Counts a value of a notification, whose first bytes are its number."""
        if int.from_bytes(value[:4], "little") != self.done:
            self.wrong += 1
        self.done += 1
        if self.done == self.count:
            self.ended.set()

    def sighting(self, rssi):
        """Counts a sighting; the last one has an RSSI of -1."""
        if rssi == -1:
            self.ended.set()
        else:
            self.done += 1

    async def operations(self, places, operation):
        """Does an operation again and again in each of the places at once."""
        left = self.count

        async def work(place):
            nonlocal left
            while left:
                left -= 1
                begun = time.perf_counter()
                await operation(place)
                self.latencies.append((time.perf_counter() - begun) * 1e6)
                self.done += 1

        self.begin()
        if len(places) == 1:
            await work(places[0])
        else:
            await asyncio.gather(*(work(place) for place in places))

    def figures(self):
        cpu, wall = cpu_us() - self.cpu, (time.perf_counter() - self.first) * 1e6
        self.latencies.sort()
        return {
            "count": self.done, "cpu_us": cpu, "wall_us": wall, "wrong": self.wrong,
            "p50_us": self.latencies[len(self.latencies) // 2] if self.latencies else 0,
            "wakes": switches() - self.switches, "rss_kb": memory_kb(),
        }

    def report(self, **more):
        print(json.dumps({**self.figures(), **more}), flush=True)


def run(client):
    """Runs the coroutine function of a client with the work, the measurement and how many at once."""
    if len(sys.argv) not in (3, 4):
        sys.exit(f"usage: {sys.argv[0]} WORK COUNT [AT_ONCE]")
    at_once = int(sys.argv[3]) if len(sys.argv) > 3 else 1

    async def main():
        await client(sys.argv[1], Measurement(int(sys.argv[2])), at_once)

    asyncio.run(main())

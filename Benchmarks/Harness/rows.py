# SPDX-License-Identifier: MIT

"""The rows of the table: what is done, by which clients, and the goals.

These are all goals that there are. Those in times are what was reached, with a fifth to a quarter more, by which a run
differs from the next; what was aimed for once, and why it is not reached, is in the article "Performance".
"""

from goals import Goal, both
from row import DELEGATE, LONG, Instructions, Row

SIGNALS = ("bleak", "dbus-fast", "libdbus", "sd-bus")
SOCKETS = ("bleak", "dbus-fast", "libdbus")

ROWS = [
    Row(
        "notify-burst", "notify", 20000, "notifications by signal, as fast as they come",
        traffic={"go": "notify {count} 0"}, rivals=SIGNALS,
        measures=[("cpu", [Goal("loop", times=1.1), Goal("plain", times=1.4)])],
        instructions=Instructions(1500, {"loop": 7500, "plain": 7300}, both(most=8000))),
    Row(
        "notify-64", "notify", 20000, "the same, with notifications of 63 more characteristics on", at_once=64,
        traffic={"go": "notify {count} 0"}, measures=[("cpu", both(times=1.6, row="notify-burst"))]),
    Row(
        "notify-paced", "notify", 3000, "the same, at most 2,000 a second",
        traffic={"go": "notify {count} 2000"}, rivals=SIGNALS,
        measures=[("cpu", [
            Goal("loop", times=0.75), Goal("plain", times=1.6), Goal("loop", times=1.2, rival="libdbus")])]),
    Row(
        "socket-burst", "packets", 60000, "notifications over AcquireNotify's socket, as fast as they come",
        traffic={"go": "packets {count} 0"}, rivals=SOCKETS,
        measures=[("cpu", both(times=0.5))],
        instructions=Instructions(4000, {"loop": 3800, "plain": 3600}, both(most=4000), ("loop", "plain", "libdbus"))),
    Row(
        "socket-paced", "packets", 3000, "the same, at most 2,000 a second",
        traffic={"go": "packets {count} 2000"}, rivals=SOCKETS,
        measures=[("cpu", [Goal("loop", times=1.4)])]),
    Row(
        "read", "read", 2000, "reads, one after the other", rivals=SIGNALS,
        measures=[("cpu", []), ("p50", [Goal("loop", times=0.95), Goal("plain", times=1.15)])],
        instructions=Instructions(400, {"loop": 44500, "plain": 51500}, both(most=60000))),
    Row(
        "read-8", "read", 3200, "reads, 8 at once on 8 characteristics", at_once=8, rivals=SIGNALS,
        measures=[("cpu", [Goal("loop", times=0.7), Goal("plain", times=1.7)])]),
    Row(
        "read-64", "read", 6400, "reads, 64 at once on 64 characteristics", at_once=64, rivals=SIGNALS,
        measures=[("cpu", [])]),
    Row(
        "write-response", "write", 2000, "writes with response, one after the other", rivals=SIGNALS,
        measures=[("cpu", []), ("p50", [])]),
    Row(
        "write-command", "command", 2000, "writes without response, one after the other", rivals=SIGNALS,
        measures=[("cpu", [])],
        instructions=Instructions(400, {"loop": 58500, "plain": 66500})),
    Row(
        "write-socket", "write-socket", 20000, "writes over AcquireWrite's socket", rivals=("libdbus",),
        measures=[("cpu", [Goal("plain", times=15 / 1.75, rival="libdbus")])],
        instructions=Instructions(
            1500, {"loop": 1700, "plain": 1700}, both(most=8000), ("loop", "plain", "libdbus"))),
]

# No allocation, no lock and no task.
BARRED = ("malloc", "calloc", "posix_memalign", "swift_allocObject", "swift_slowAlloc", "pthread_mutex_lock", "swift_task_create")

ROWS.append(
    Row(
        "delegate", "notified-values", 1, "notifications of 20 bytes from CoreBluetooth's delegate to the backend's sink",
        ours=(DELEGATE,),
        # With the slack this is the goal.
        instructions=Instructions(
            1000, {DELEGATE: 1818}, [Goal(DELEGATE, most=2000)], (DELEGATE,), "NotifiedValuesV7deliver", BARRED)))


def sightings(devices, goals=(), instructions=None):
    return Row(
        f"sight-{devices}", "sight", max(10000, devices), f"sightings of {devices:,} devices, whose RSSI changes",
        devices=devices, traffic={"warm": "sight {devices} 0", "go": "sight {count} 0"}, rivals=SIGNALS,
        measures=[("cpu", list(goals))], instructions=instructions)


def starting(devices, goals=(), memory=()):
    return Row(
        f"start-{devices}", "start", 1, f"a manager's start with {devices:,} known devices, and a first scan",
        devices=devices, traffic={"warm": "sight {devices} 0"}, rivals=("bleak",), ours=("plain",),
        measures=[("start", list(goals)), ("started", []), ("scanned", list(memory))])


SIGHTED = Instructions(800, {"loop": 15500, "plain": 18000}, both(most=20000))

ROWS += [
    sightings(10, [Goal("loop", times=1), Goal("plain", times=1.45)], SIGHTED),
    sightings(1000),
    sightings(10000, [
        Goal("loop", times=0.5), Goal("plain", times=0.9), Goal("loop", times=1.3, row="sight-10"), Goal("plain", times=1.6, row="sight-10")]),
    Row(
        "sight-scans", "sight", 10000, "sightings of 10 devices, with 15 more scans for services that none has", at_once=16,
        traffic={"warm": "sight {devices} 0", "go": "sight {count} 0"},
        measures=[("cpu", both(times=1.4, row="sight-10"))]),
    Row(
        "sight-data", "sight", 10000, "sightings of 1,000 devices, whose manufacturer data change too",
        devices=1000, traffic={"warm": "sight {devices} 0", "go": "sight-data {count} 0"}, rivals=SIGNALS,
        measures=[("cpu", [])]),
    Row(
        "sight-filtered", "sight-filtered", 10000, "sightings of 1,000 devices, for a service that all have",
        devices=1000, traffic={"warm": "sight {devices} 0", "go": "sight {count} 0"}, rivals=("bleak",),
        measures=[("cpu", [])]),
    starting(10),
    starting(200),
    starting(1000),
    starting(10000, [Goal("plain", times=0.6)], [Goal("plain", most=40)]),
]


def simulated(work, devices, seconds, goals=()):
    what = "advertise" if work == "sight" else "are connected and notify"
    return Row(
        f"virtual-{work}-{devices}", f"virtual-{work}", seconds, at_once=devices, ours=("plain",), rounds=1,
        about=f"virtual radio, {devices:,} devices that {what} ten times a second", measures=[("speed", list(goals))])


ROWS += [
    simulated("sight", 10, 300),
    simulated("sight", 1000, 30, [Goal("plain", least=20)]),
    simulated("sight", 10000, 1),
    simulated("notify", 10, 300),
    simulated("notify", 1000, 20, [Goal("plain", least=20)]),
    Row(
        "idle", "idle", 20, "20 s of a connection with a subscription to which nothing comes", rivals=("bleak",), rounds=1,
        gated=True, measures=[("idle", []), ("wakes", [Goal("loop", most=0.2)]), ("memory", [])]),
    Row(
        "update", "update", 20000, "updates of our own characteristic to a subscriber on the bus",
        traffic={"subscribe-bus": "subscribe bus"}, measures=[("cpu", [])]),
    Row(
        "update-socket", "update-socket", 20000, "the same over AcquireNotify's socket",
        traffic={"subscribe-socket": "subscribe socket"}, measures=[("cpu", [])]),
    Row(
        "request", "request", 4000, "write requests answered, 8 at once", traffic={"go": "write {count} 8"},
        measures=[("cpu", [])]),
    Row(
        "size", None, 1, "the program stripped, with the Swift libraries it loads; bleak with dbus-fast",
        rivals=("bleak",)),
    Row(
        "flat", "flat", 1000000, "memory over a million notifications, between the first tenth and the last",
        traffic={"go": "notify {count} 0"}, ours=("plain",), rounds=1, measures=[("grown", [Goal("plain", most=2)])]),
]


ROWS += [
    Row(
        "virtual-day", "virtual-day", 1000000, "virtual radio, a day and four hours of ten values a second to one subscriber",
        ours=("plain",), rounds=1, gated=True,
        measures=[("linear", [Goal("plain", most=11)]), ("grown", [Goal("plain", most=2)])]),
    Row(
        "linear-notify", "late-notify", 1000000, "a million notifications on the bus, each when the one before has come",
        traffic={"one": "notify 1 0"}, ours=("loop",), rounds=1, gated=LONG,
        measures=[("linear", [Goal("loop", most=11)])]),
]


def late(way, about, first, traffic=None):
    ours = ("plain",) if way.startswith("virtual-") else ("loop",)
    return Row(f"late-{way}", f"late-{way}", first, about, traffic=traffic, ours=ours, late=first)


# At these numbers valgrind takes seconds, and a cost that grows by a tenth of an instruction with each value is found; once a week
# CI looks at the values from the millionth on.
VIRTUAL, BUS = 20000, 10000
ROWS += [
    late("virtual-notify", "virtual radio, a late notification as against an early one", VIRTUAL),
    late("virtual-sight", "the same of sightings", VIRTUAL),
    late("virtual-read", "of reads", VIRTUAL),
    late("virtual-write", "of writes", VIRTUAL),
    late("virtual-command", "of writes without response", VIRTUAL),
    late("virtual-update", "of updates of our own characteristic", VIRTUAL),
    late("virtual-request", "of write requests", VIRTUAL),
    late("notify", "bluetoothd, a late notification as against an early one", BUS, {"one": "notify 1 0"}),
    late("packets", "the same over AcquireNotify's socket", BUS, {"one": "packets 1 0"}),
    late("sight", "of sightings, whose data change", BUS, {"even": "frames 0 1 0", "odd": "frames 10 1 0"}),
    late("read", "of reads", BUS),
    late("write", "of writes", BUS),
    late("command", "of writes without response", BUS),
    late("write-socket", "the same over AcquireWrite's socket", BUS),
    late("update", "of updates of our own characteristic, each with a write request", BUS,
         {"subscribe-bus": "subscribe bus", "one": "write 1 1"}),
    late("update-socket", "the same over AcquireNotify's socket", BUS,
         {"subscribe-socket": "subscribe socket", "one": "write 1 1"}),
    late("request", "of write requests", BUS, {"one": "write 1 1"}),
]

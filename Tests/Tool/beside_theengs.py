# SPDX-License-Identifier: MIT

"""beside_theengs.py BLUECAP: `bluecap gateway` beside TheengsGateway: both publish the values of four sensors, which change ten times a
second, to mosquitto; then those of twenty sensors of all families that both know, as often.

In the test bed the sensors are far devices, and bluetoothd is the real one. Elsewhere they are those of the benchmarks' bluetoothd, on a
bus of their own, because the test bed's kernel counts the time of processors in hundredths of a second."""
from __future__ import annotations

import asyncio
import contextlib
import glob
import json
import os
import subprocess
import sys
import time
from typing import Any, AsyncIterator

PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The environment that Tests/Tool/gateway has made: paho-mqtt has no dependencies.
sys.path[:0] = glob.glob(os.path.expanduser("~/.cache/bluecap/venv-paho-mqtt-*/lib/python3*/site-packages"))
import theengs_scene as scene  # noqa: E402
from gateway_scene import FOLDER, Broker, Gateway, Subscriber, results, show, write  # noqa: E402

IN_BED = "BLUECAP_PEER" in os.environ
sys.path.append(os.environ["BED_DIR"] if IN_BED else os.path.join(PACKAGE, "Benchmarks/Harness"))
SENSORS, RATE, SECONDS = 4, 10, 40
# The goals: of the processor that TheengsGateway needs for a message, and bytes of memory.
SHARE, MEMORY = 1 / 5, 25_000_000
TOPIC, SMALLEST = "theengs/values", "smallest/"


class FarSensors:
    """Four far devices of the test bed."""

    async def open(self) -> FarSensors:
        from tools.control import Control
        self.peer = await Control().open()
        self.next = 0
        for device in range(SENSORS):
            await self.peer("configure", device=device, peer={"name": "ATC_AABBCC", "advertisement": self.advertisement(), "services": []})
            await self.peer("advertise", device=device, enabled=True)
        return self

    def advertisement(self) -> dict[str, Any]:
        """The frame of the next packet: battery, temperature and humidity. TheengsGateway takes a device for such a sensor by its name."""
        packet, humidity = self.next, self.next * 7 % 10_000
        frame = bytes([0x40, 0, packet % 256, 1, packet % 101, 2, packet % 256, packet // 256, 3, humidity % 256, humidity // 256])
        return {"interval": 1 / RATE, "data": {"localName": "ATC_AABBCC", "serviceData": {"FCD2": frame.hex()}}}

    async def send(self, count: int) -> None:
        """All sensors have so many values that they have not had before, at an even pace."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        for index in range(count):
            self.next += 1
            frame = self.advertisement()
            await asyncio.gather(*(self.peer("update_advertisement", device=device, advertisement=frame) for device in range(SENSORS)))
            await asyncio.sleep(max(0.0, start + (index + 1) / RATE - loop.time()))


class ScriptedSensors:
    """Devices that the benchmarks' bluetoothd knows."""

    def __init__(self, bus: Any, count: int = SENSORS, command: str = "frames", *options: str) -> None:
        import tools
        program = tools.build_peer(os.path.join(FOLDER.name, "peer"))
        self.count, self.command = count, command
        self.process = subprocess.Popen(
            [program, bus.address, str(count), *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n", "the peer does not start"
        self.next = 0

    async def send(self, count: int) -> None:
        numbers = f"{self.next * self.count} {count * self.count} {RATE * self.count}"
        print(f"{self.command} {numbers}", file=self.process.stdin, flush=True)
        self.next += count
        await asyncio.sleep(count / RATE)


@contextlib.asynccontextmanager
async def sensors() -> AsyncIterator[FarSensors | ScriptedSensors]:
    if IN_BED:
        yield await FarSensors().open()
        return
    from bus import Bus
    with Bus() as bus:
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        yield ScriptedSensors(bus)


class Usage:
    """What a process has used: milliseconds of processors, and bytes of memory now."""

    def __init__(self, process: subprocess.Popen) -> None:
        self.process = process
        self.begun = self.busy()

    def busy(self) -> float:
        # The clock of a process, as clock_getcpuclockid(3) names it.
        return time.clock_gettime(~self.process.pid << 3 | 2) * 1000

    def used(self) -> float:
        return self.busy() - self.begun

    def memory(self) -> tuple[int, int]:
        """All, and what of it is in no file."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        return tuple(int(fields[key].split()[0]) * 1024 for key in ("VmRSS", "RssAnon"))


def smallest(broker: Broker) -> subprocess.Popen:
    """A program in C that does no more than it must for these values."""
    import tools
    return subprocess.Popen([tools.build_rival("smallest_gateway", os.path.join(FOLDER.name, "smallest")), str(broker.port)])


# TheengsGateway looks whether its client is connected in one thread, while another one makes that client. Where the first is quicker,
# its error is lost, and the program never scans: so it finds another client here, and looks again five seconds later.
THEENGS = """
from types import SimpleNamespace
from TheengsGateway import ble_gateway, main
ble_gateway.Gateway.client = SimpleNamespace(is_connected=lambda: False)
main()
"""


def theengs(broker: Broker) -> subprocess.Popen:
    """It scans without a pause, publishes what it decodes, and describes nothing to Home Assistant."""
    file = write("theengs.json", json.dumps({
        "host": "127.0.0.1", "port": broker.port, "publish_topic": TOPIC, "lwt_topic": "theengs/status", "publish_all": 0, "discovery": 0,
        "ble_scan_time": 3600, "ble_time_between_scans": 0, "enable_multi_gtw_sync": 0, "log_level": "ERROR", "adapter": "hci0"}))
    return subprocess.Popen([os.environ["BLUECAP_THEENGS_PYTHON"], "-c", THEENGS, "--config", file])


Values = set[tuple[str, float, float, int]]


def values_of(messages: list[tuple[str, str]]) -> tuple[Values, Values, int, int]:
    """The values of our messages and of the others', and how many of each there were."""
    ours = [(topic.split("/")[2], json.loads(text)) for topic, text in messages if topic.endswith("/state") and text]
    others = [json.loads(text) for topic, text in messages if topic.startswith(TOPIC)]
    own = {(address, values["temperature"], values["humidity"], values["battery"]) for address, values in ours}
    foreign = {(values["id"].replace(":", "").lower(), values["tempc"], values["hum"], values["batt"]) for values in others}
    return own, foreign, len(ours), len(others)


async def compare(air: FarSensors | ScriptedSensors) -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    file = write("beside.json", json.dumps({
        "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "discovery": "", "minimumInterval": 0}))
    gateway = Gateway("--configuration", file, backend="bluez")
    other = theengs(broker)

    def heard() -> bool:
        own, foreign, _, _ = values_of(list(subscriber.all))
        return min(len({value[0] for value in own}), len({value[0] for value in foreign})) == SENSORS

    for _ in range(20):
        if not heard():
            await air.send(RATE)
    show("both gateways publish the values of four sensors", heard(), gateway.lines[-5:])
    # Ten seconds after its start, and then once an hour, ours gives back the pages with code.
    await air.send(RATE * 10)
    subscriber.clear()
    # Those at the beginning and at the end may be of the time before or after it.
    first, last = (air.next + RATE) / 100, (air.next + RATE * (SECONDS - 1)) / 100
    programs = [gateway.process, other] + ([] if IN_BED else [smallest(broker)])
    used = [Usage(program) for program in programs]
    await air.send(RATE * SECONDS)
    await asyncio.sleep(0.3)
    milliseconds = [usage.used() for usage in used]
    memory = [usage.memory() for usage in used]
    messages = list(subscriber.all)
    own, foreign, own_count, foreign_count = values_of(messages)
    own, foreign = ({value for value in values if first <= value[1] < last} for values in (own, foreign))
    print(f"values: {len(own)} and {len(foreign)}, messages: {own_count} and {foreign_count}, {own_count / SECONDS:.1f} a second of ours")
    gateway.end()
    is_same = own == foreign and len(own) >= SENSORS * RATE * (SECONDS - 2) * 0.9
    show("the values are the same", is_same, sorted(own ^ foreign)[:8])
    for name, (whole, own_memory) in zip(("ours", "theirs"), memory):
        print(f"{name}: {whole / 1e6:.1f} MB, of which {own_memory / 1e6:.1f} are in no file")
    show(f"ours takes at most {MEMORY / 1e6:.0f} MB of memory", memory[0][0] <= MEMORY, memory[0][0])
    if not IN_BED:
        counts = own_count, foreign_count, sum(topic.startswith(SMALLEST) for topic, _ in messages)
        ours, theirs, least = (time / max(count, 1) for time, count in zip(milliseconds, counts))
        print(f"milliseconds of a processor for each message: {ours:.3f} of ours, {theirs:.3f} of theirs, 1 to {theirs / ours:.1f}")
        print(f"the least, of a program in C for {counts[2]} messages: {least:.3f}, 1 to {theirs / least:.1f}")
        show("ours takes at most a fifth of the processor for each message", ours <= theirs * SHARE, (ours, theirs))
        programs[2].kill()
    other.terminate()
    other.wait(10)
    subscriber.end()
    broker.kill()


async def mixed() -> None:
    """Twenty sensors of all families that both know."""
    from bus import Bus
    with Bus() as bus:
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        air = ScriptedSensors(bus, len(scene.SENSORS), "scene", write("scene.txt", scene.text()))
        broker = Broker()
        subscriber = Subscriber(broker)
        file = write("mixed.json", json.dumps({
            "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "discovery": "", "minimumInterval": 0}))
        gateway = Gateway("--configuration", file, backend="bluez")
        other = theengs(broker)

        def published() -> tuple[list[scene.Values], list[scene.Values]]:
            messages = list(subscriber.all)
            return (
                [scene.ours(topic.split("/")[2], json.loads(text)) for topic, text in messages if topic.endswith("/state") and text],
                [scene.theirs(json.loads(text)) for topic, text in messages if topic.startswith(TOPIC)])

        for _ in range(20):
            heard = [{device for device, _ in values} for values in published()]
            if min(len(devices) for devices in heard) < len(scene.SENSORS):
                await air.send(RATE)
        names = [[sensor.name for device, sensor in enumerate(scene.SENSORS) if device not in devices] for devices in heard]
        show("both gateways publish the values of twenty sensors of all families", not any(names), names)
        await air.send(RATE * 3)
        air.next = 0
        subscriber.clear()
        used = [Usage(program) for program in (gateway.process, other)]
        await air.send(RATE * SECONDS)
        last = scene.expected(range(RATE * SECONDS - 1, RATE * SECONDS))
        # A busy machine sends them later.
        for _ in range(2 * SECONDS):
            await asyncio.sleep(0.5)
            if all(last <= set(values) for values in published()):
                break
        ours, theirs = (usage.used() for usage in used)
        own, foreign = published()
        gateway.end()
        # A frame of before may come at the beginning.
        wanted = scene.expected(range(RATE, RATE * SECONDS))
        both, all_values = [set(own) & wanted, set(foreign) & wanted], scene.expected(range(scene.ROUNDS))
        print(f"values: {len(both[0])} and {len(both[1])} of {len(wanted)}, messages: {len(own)} and {len(foreign)}")
        wrong = [sorted((device, sorted(values)) for device, values in set(found) - all_values)[:4] for found in (own, foreign)]
        show("the values of all families are the same, and those that were sent", both[0] == both[1] == wanted and not any(wrong),
             (wrong, [sorted((device, sorted(values)) for device, values in wanted - found)[:4] for found in both]))
        ours, theirs = ours / max(len(own), 1), theirs / max(len(foreign), 1)
        print(f"milliseconds of a processor for each message: {ours:.3f} of ours, {theirs:.3f} of theirs, 1 to {theirs / ours:.1f}")
        show("ours takes at most a fifth of the processor for each message of all families", ours <= theirs * SHARE, (ours, theirs))
        other.terminate()
        other.wait(10)
        subscriber.end()
        broker.kill()


async def main() -> None:
    async with sensors() as air:
        await compare(air)
    if not IN_BED:
        await mixed()


asyncio.run(main())
print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
sys.exit(0 if all(results) else 1)

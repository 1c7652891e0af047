# SPDX-License-Identifier: MIT

"""gateway_in_bed.py BLUECAP: `bluecap gateway` in the test bed, between two far devices and mosquitto, while bluetoothd and the adapter go
away and come back: a sensor that advertises its values, and a strap to which the gateway stays connected. Exit status 0: all passed."""
from __future__ import annotations

import asyncio
import glob
import json
import os
import sys
import time
from typing import Any

# The environment that Tests/Tool/gateway has made: paho-mqtt has no dependencies.
sys.path[:0] = glob.glob(os.path.expanduser("~/.cache/bluecap/venv-paho-mqtt-*/lib/python3*/site-packages"))
sys.path.insert(0, os.environ["BED_DIR"])
from gateway_scene import STATUS, Broker, Gateway, Subscriber, results, show, write  # noqa: E402
from strap_in_bed import DEVICE, Strap  # noqa: E402
from tools.control import Control  # noqa: E402

# How soon after the radio's return a new value has to be at the subscriber, one of an advertisement or of a connection.
LIMIT = 3
# The kernel keeps the link of a bluetoothd that was killed for 2 s, and no other can be made until then. Values that were read took 2.5 s
# after a kill, and those that were notified 3.6 s, as the state with the others was published less than a second before.
LIMIT_OF_LINK_AFTER_KILL = 2 + LIMIT
# A strap that was out of range comes back: before that the gateway has waited for 2 s. It took 3.0 to 4.7 s.
LIMIT_OF_RETURN = 7


Command = tuple[str, dict[str, Any]]


class Scene:
    """The gateway between the far devices and a foreign subscriber."""

    def __init__(self, peer: Control, sensor: str, strap: Strap) -> None:
        self.peer = peer
        self.sensor = sensor
        self.strap = strap
        self.broker = Broker()
        self.subscriber = Subscriber(self.broker)
        text = json.dumps({"broker": {"address": f"mqtt://127.0.0.1:{self.broker.port}"}, "rules": [strap.rule()]})
        self.gateway = Gateway("--configuration", write("bed.json", text), backend="bluez")
        self.measured = 2000

    def topic(self, device: str, last: str) -> str:
        """The topic of the device with this address that has this last level."""
        return f"bluecap/cellar/{device.replace(':', '').lower()}/{last}"

    def newest(self, device: str, last: str) -> str:
        return self.subscriber.newest.get(self.topic(device, last), "")

    def state(self, device: str) -> dict[str, Any]:
        return json.loads(self.newest(device, "state") or "{}")

    async def becomes(self, seconds: float, condition) -> bool:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.02)
        return True

    async def measures(self) -> None:
        """The sensor advertises a temperature that it has not had before."""
        self.measured += 1
        await self.peer("update_advertisement", advertisement=advertisement(self.measured))

    async def flows(self, behaviour: str, limit: float = LIMIT) -> None:
        """The temperature that is advertised now comes within the limit."""
        begun = time.monotonic()
        came = await self.becomes(limit, lambda: self.state(self.sensor).get("temperature") == self.measured / 100)
        show(f"{behaviour}, {time.monotonic() - begun:.1f} s" if came else behaviour, came, self.gateway.lines[-5:])

    async def reads(self, behaviour: str, percent: int, limit: float) -> None:
        """The charge that the strap has now comes within the limit."""
        begun = time.monotonic()
        came = await self.becomes(limit, lambda: self.state(self.strap.address).get("battery") == percent)
        show(f"{behaviour}, {time.monotonic() - begun:.1f} s" if came else behaviour, came, self.gateway.lines[-5:])

    async def follows(self, behaviour: str, limit: float = LIMIT) -> None:
        """A rate comes within the limit that the strap notifies from now on."""
        begun, last = time.monotonic(), self.strap.rate
        came = await self.becomes(limit, lambda: self.state(self.strap.address).get("heart_rate", 0) > last)
        show(f"{behaviour}, {time.monotonic() - begun:.1f} s" if came else behaviour, came, self.gateway.lines[-5:])

    async def commands(self, behaviour: str) -> None:
        """A command is written to the strap, once."""
        await self.strap.written()
        count = self.gateway.count(event="command", state="written", id=self.strap.address)
        self.subscriber.client.publish(self.topic(self.strap.address, "set"), '{"Heart Rate Control Point": "Reset Energy Expended"}', 1)
        told = await self.becomes(3, lambda: self.gateway.count(event="command", state="written", id=self.strap.address) > count)
        written = await self.strap.written()
        show(behaviour, told and written == ["01"], f"{written} {self.gateway.lines[-5:]}")

    async def outage(self, what: str, begin: Command, end: Command | None, percent: int, limit: float = LIMIT) -> None:
        """The radio goes and comes back, with other values on the air by then; no end is that of the beginning."""
        count = self.gateway.count(event="radio", state="lost")
        links = self.gateway.count(event="link", state="disconnected")
        self.subscriber.clear()
        await self.peer(begin[0], **begin[1])
        lost = await self.becomes(5, lambda: self.gateway.count(event="radio", state="lost") == count + 1)
        show(f"{what}: the loss of the radio is told once", lost, self.gateway.lines[-5:])
        for name, device in (("sensor", self.sensor), ("strap", self.strap.address)):
            offline = await self.becomes(2, lambda: (self.topic(device, "availability"), "offline") in self.subscriber.all)
            show(f"{what}: the {name} is offline", offline, self.subscriber.newest)
        await self.measures()
        await self.strap.charge(percent)
        if end:
            await self.peer(end[0], **end[1])
        await asyncio.gather(
            self.flows(f"{what}: a new value comes within {LIMIT} s of the radio's return"),
            self.reads(f"{what}: a value that is read comes within {limit} s", percent, limit),
            self.follows(f"{what}: a rate that is notified then comes within {limit} s", limit))
        for name, device in (("sensor", self.sensor), ("strap", self.strap.address)):
            show(f"{what}: the {name} is online", self.newest(device, "availability") == "online", self.subscriber.newest)
        lost = self.gateway.count(event="link", state="disconnected") - links
        show(f"{what}: the link was lost once", lost == 1, self.gateway.lines)

    async def absence(self) -> None:
        """The strap alone goes out of range, and comes back with another charge."""
        radio = self.gateway.count(event="radio", state="lost")
        self.subscriber.clear()
        await self.peer("vanish", device=DEVICE)
        offline = await self.becomes(2, lambda: self.newest(self.strap.address, "availability") == "offline")
        show("the strap goes out of range: it is offline", offline, self.subscriber.newest)
        await self.strap.charge(42)
        await self.measures()
        await self.flows("the strap goes out of range: the values of the sensor go on")
        await self.peer("return", device=DEVICE)
        await self.follows(f"the strap comes back: a rate comes within {LIMIT_OF_RETURN} s", LIMIT_OF_RETURN)
        state = self.state(self.strap.address)
        show("the strap comes back: what is read is read again", state.get("battery") == 42, state)
        is_online = self.newest(self.strap.address, "availability") == "online"
        show("the strap comes back: it is online", is_online, self.subscriber.newest)
        is_kept = self.gateway.count(event="radio", state="lost") == radio
        show("the strap comes back: the radio was there all the time", is_kept, self.gateway.lines)


def advertisement(hundredths: int) -> dict[str, Any]:
    """A BTHome frame with a temperature (object 0x02, hundredths of a degree)."""
    return {"data": {"localName": "Cellar", "serviceData": {"FCD2": "4002" + hundredths.to_bytes(2, "little").hex()}}}


async def main() -> None:
    peer = await Control().open()
    sensor = await peer("configure", peer={"name": "Cellar", "advertisement": advertisement(2000), "services": []})
    await peer("advertise", enabled=True)
    strap = await Strap(peer).open()
    scene = Scene(peer, sensor["address"], strap)
    await scene.flows("a value goes from the sensor to the subscriber", 10)
    await scene.follows("so does a rate that the strap notifies", 10)
    state = scene.state(strap.address)
    show("and a value that is read from it", state.get("battery") == 97, state)
    await scene.follows("and the next rates")
    await scene.commands("a command of another client is written to the strap")
    await scene.outage("bluetoothd is restarted", ("restart_daemon", {}), None, 96)
    await scene.outage("bluetoothd is killed", ("kill_daemon", {}), ("start_daemon", {}), 95, LIMIT_OF_LINK_AFTER_KILL)
    await scene.outage("the adapter is pulled", ("adapter", {"present": False}), ("adapter", {"present": True}), 94)
    await scene.absence()
    await scene.measures()
    await scene.flows("a value that changes comes afterwards")
    await scene.commands("and a command is written afterwards")
    show("the broker was connected all the time", scene.gateway.count(event="broker") == 1, scene.gateway.lines)
    scene.gateway.end()
    offline = await scene.becomes(2, lambda: scene.subscriber.newest.get(STATUS) == "offline")
    show("the gateway is offline after its end", offline, scene.subscriber.newest)
    last = [event for event in scene.gateway.events() if event["event"] == "gateway"]
    none = {"dropped": 0, "refused": 0, "lost": 0}
    show("nothing was lost", len(last) == 1 and none.items() <= last[0].items(), last)
    strap.close()
    await peer.close()


asyncio.run(main())
print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
sys.exit(0 if all(results) else 1)

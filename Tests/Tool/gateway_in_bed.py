# SPDX-License-Identifier: MIT

"""gateway_in_bed.py BLUECAP: `bluecap gateway` in the test bed, between a far sensor and mosquitto, while bluetoothd and the adapter go
away and come back. Exit status 0: all passed."""
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
from gateway_scene import STATUS, Broker, Gateway, Subscriber, results, show  # noqa: E402
from tools.control import Control  # noqa: E402

# How soon after the radio's return a new value has to be at the subscriber.
LIMIT = 3
# The kernel goes on with the discovery of a bluetoothd that was killed for up to 10.24 s, and refuses any other until then (the article
# BlueZ of BlueCapBlueZ).
LIMIT_AFTER_KILL = 13


Command = tuple[str, dict[str, Any]]


class Scene:
    """The gateway between the far sensor and a foreign subscriber."""

    def __init__(self, peer: Control, address: str) -> None:
        self.peer = peer
        self.address = address.replace(":", "").lower()
        self.broker = Broker()
        self.subscriber = Subscriber(self.broker)
        self.gateway = Gateway(f"mqtt://127.0.0.1:{self.broker.port}", backend="bluez")
        self.measured = 2000

    def topic(self, last: str) -> str:
        """The topic of the sensor with this last level."""
        return f"bluecap/cellar/{self.address}/{last}"

    def newest(self, last: str) -> str:
        return self.subscriber.newest.get(self.topic(last), "")

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
        came = await self.becomes(
            limit, lambda: json.loads(self.newest("state") or "{}").get("temperature") == self.measured / 100)
        show(f"{behaviour}, {time.monotonic() - begun:.1f} s" if came else behaviour, came, self.gateway.lines[-5:])

    async def outage(self, what: str, begin: Command, end: Command | None, limit: float = LIMIT) -> None:
        """The radio goes and comes back, with another value on the air by then; no end is that of the beginning."""
        count = self.gateway.count(event="radio", state="lost")
        self.subscriber.clear()
        await self.peer(begin[0], **begin[1])
        lost = await self.becomes(5, lambda: self.gateway.count(event="radio", state="lost") == count + 1)
        show(f"{what}: the loss of the radio is told once", lost, self.gateway.lines[-5:])
        offline = await self.becomes(2, lambda: (self.topic("availability"), "offline") in self.subscriber.all)
        show(f"{what}: the sensor is offline", offline, self.subscriber.newest)
        await self.measures()
        if end:
            await self.peer(end[0], **end[1])
        await self.flows(f"{what}: a new value comes within {limit} s of the radio's return", limit)
        show(f"{what}: the sensor is online", self.newest("availability") == "online", self.subscriber.newest)


def advertisement(hundredths: int) -> dict[str, Any]:
    """A BTHome frame with a temperature (object 0x02, hundredths of a degree)."""
    return {"data": {"localName": "Cellar", "serviceData": {"FCD2": "4002" + hundredths.to_bytes(2, "little").hex()}}}


async def main() -> None:
    peer = await Control().open()
    sensor = await peer("configure", peer={"name": "Cellar", "advertisement": advertisement(2000), "services": []})
    await peer("advertise", enabled=True)
    scene = Scene(peer, sensor["address"])
    await scene.flows("a value goes from the sensor to the subscriber", 10)
    await scene.outage("bluetoothd is restarted", ("restart_daemon", {}), None)
    await scene.outage("bluetoothd is killed", ("kill_daemon", {}), ("start_daemon", {}), LIMIT_AFTER_KILL)
    await scene.outage("the adapter is pulled", ("adapter", {"present": False}), ("adapter", {"present": True}))
    await scene.measures()
    await scene.flows("a value that changes comes afterwards")
    show("the broker was connected all the time", scene.gateway.count(event="broker") == 1, scene.gateway.lines)
    scene.gateway.end()
    offline = await scene.becomes(2, lambda: scene.subscriber.newest.get(STATUS) == "offline")
    show("the gateway is offline after its end", offline, scene.subscriber.newest)
    last = [event for event in scene.gateway.events() if event["event"] == "gateway"]
    none = {"dropped": 0, "refused": 0, "lost": 0}
    show("nothing was lost", len(last) == 1 and none.items() <= last[0].items(), last)
    await peer.close()


asyncio.run(main())
print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
sys.exit(0 if all(results) else 1)

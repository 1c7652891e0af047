# SPDX-License-Identifier: MIT
# A part of home_assistant.py: sensors of several families, a button, a scale that switches itself off, and a beacon.
import datetime
import json
import threading
import urllib.request

import home_families
from gateway_formats import files
from gateway_scene import Broker, Gateway, Subscriber, sensor, show, within, write

PRESSES, FIRST, PAUSE = 20, 12, 0.8
BUTTON, KEYS = "event.wall_button", "device_tracker.keys"
# Company or service data of devices with their addresses; the frames are examples of vendors and of decoders of others.
FAMILIES = {
    "Ruuvi": ("CB:B8:33:4C:88:4F", "manufacturerData", "0499", "0512FC5394C37C0004FFFC040CAC364200CDCBB8334C884F"),
    "Attic": ("A4:C1:38:00:03:01", "serviceData", "181A", "01030038C1A4E6090F15B80B552A04"),
    "GVH5072_0301": ("A4:C1:38:00:03:02", "manufacturerData", "EC88", "0003A5B46400"),
}
# The value, the unit and the class of entities; all are measurements, as are those of home_families.
FRAMES = {
    "sensor.ruuvi_temperature": ("24.3", "°C", "temperature"), "sensor.ruuvi_humidity": ("53.49", "%", "humidity"),
    "sensor.ruuvi_pressure": ("1000.44", "hPa", "atmospheric_pressure"),
    "sensor.attic_temperature": ("25.34", "°C", "temperature"), "sensor.attic_humidity": ("53.91", "%", "humidity"),
    "sensor.attic_battery": ("85", "%", "battery"),
    "sensor.gvh5072_0301_temperature": ("23.9", "°C", "temperature"), "sensor.gvh5072_0301_humidity": ("2.8", "%", "humidity"),
    "sensor.gvh5072_0301_battery": ("100", "%", "battery"),
    # Encrypted, of MiBeacon, as a device sent it.
    "sensor.clock_temperature": ("22.6", "°C", "temperature"),
}
VALUES = {entity: (*value, "measurement") for entity, value in FRAMES.items()} | home_families.entities()
SEALED = ("58:2D:34:12:20:89", "serviceData", "FE95", "58586f0607892012342d585f176dd54f0200002fa453fa")
SCALE = ("A4:C1:38:00:03:03", "serviceData", "181D", "22B036E7070B0E160D14")
BEACON = "9A9C8CBD-3C69-4E0D-9D5A-E8A2D9E2C4B1"


def twin(name: str, address: str, kind: str, number: str, data: str) -> dict:
    return {"schema": "bluecap-twin", "version": 1, "address": address, "advertisement": {
        "data": {kind: {number: data}}, "scanResponse": {"localName": name}, "connectable": False, "interval": 0.2}}


def button(number: int, press: int) -> dict:
    """A frame of the button, with its address. Each packet has a sender of its own, as the address of a device may change."""
    return sensor("Wall", f"4{number // 10}:{number % 10}0:00:00:00:01", f"4201020038C1A400{number:02X}3A{press:02X}")


def world(name: str, *devices: dict) -> str:
    return write(name, json.dumps({"world": 1, "devices": list(devices)}))


def scene() -> str:
    devices = [{"twin": twin(name, *family)} for name, family in FAMILIES.items()] + home_families.devices()
    with open(files()[1], encoding="utf-8") as file:
        devices += json.load(file)["devices"]
    devices.append({"twin": twin("Clock", *SEALED)})
    devices.append({"twin": twin("Scale", *SCALE), "faults": [{"at": 8, "do": "vanish"}]})
    devices.append({"iBeacon": {"uuid": BEACON, "major": 1, "minor": 7}, "address": "C0:DE:00:00:03:01", "faults": [{"at": 8, "do": "vanish"}]})
    # Home Assistant knows the button before its first press.
    devices.append({"twin": button(0, 0), "faults": [{"at": 10, "do": "vanish"}]})
    for number in range(1, PRESSES + 1):
        at = FIRST + PAUSE * number
        # Out of reach until it is gone, and comes back for its press.
        devices.append({
            "twin": button(number, 1), "metres": 1000, "path": [{"at": 0, "metres": 1000}, {"at": 8, "metres": 1000}, {"at": 9, "metres": 1}],
            "faults": [{"at": 0, "do": "vanish"}, {"at": at, "do": "reappear"}, {"at": at + 0.6, "do": "vanish"}]})
    return world("families.json", *devices)


class Events:
    """The events of the button that Home Assistant shows, by their times; also those of a Home Assistant that has started again."""

    def __init__(self, home):
        self.home = home
        self.times: set[str] = set()
        self.isOver = False
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self) -> None:
        while not self.isOver:
            request = urllib.request.Request(
                f"{self.home.base}/api/stream?restrict=state_changed", headers={"Authorization": f"Bearer {self.home.token}"})
            try:
                with urllib.request.urlopen(request, timeout=90) as stream:
                    for line in stream:
                        if line.startswith(b"data: {"):
                            self.take(json.loads(line[6:])["data"])
            except OSError:
                within(0.5, lambda: self.isOver)

    def take(self, data: dict) -> None:
        state = (data.get("new_state") or {}).get("state")
        if data.get("entity_id") == BUTTON and state not in (None, "unknown", "unavailable"):
            self.times.add(state)


class SensorTrial:
    """A second gateway, whose devices go on while Home Assistant and the broker end and come back."""

    def __init__(self, home, broker: Broker, subscriber: Subscriber):
        self.home, self.subscriber = home, subscriber
        rules = [
            {"match": {"address": SEALED[0]}, "name": "Clock", "key": "a3bfe9853dd85a620debe3620caaa351"},
            {"match": {"address": "A4:C1:38:00:03:01"}, "name": "Attic"},
            {"match": {"beacon": f"{BEACON}/1"}, "name": "Keys", "presence": 30},
            {"match": {"format": "Aquarium"}, "name": "Reef"},
        ] + home_families.rules()
        self.file = write("families-rules.json", json.dumps({
            "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "maximumInterval": 10, "formats": ["aquarium.json"], "rules": rules}))
        self.events = Events(home)

    def start(self, backend: str) -> None:
        self.gateway = Gateway("--configuration", self.file, backend=f"virtual:{backend}", name="attic")

    def shown(self, entity: str) -> tuple:
        found = self.home.entity(entity) or {}
        attributes = found.get("attributes", {})
        return found.get("state"), attributes.get("unit_of_measurement"), attributes.get("device_class")

    def presses(self) -> list[str]:
        with self.subscriber.lock:
            return [text for topic, text in self.subscriber.all if topic.endswith("/press")]

    def first(self) -> None:
        """Before the restarts."""
        begin = datetime.datetime.now(datetime.timezone.utc)
        self.start(scene())

        def states() -> dict[str, tuple]:
            found = {one["entity_id"]: (one["state"], one["attributes"]) for one in self.home.call("GET", "/api/states")}
            keys = ("unit_of_measurement", "device_class", "state_class")
            return {entity: (state, *map(has.get, keys)) for entity, (state, has) in found.items()}

        def wrong() -> dict:
            found = states()
            return {entity: found.get(entity) for entity, value in VALUES.items() if found.get(entity) != value}

        same = within(20, lambda: not wrong())
        show("three values of each family have unit and classes, and so have those of encrypted sensors", same, wrong())

        def reef() -> tuple:
            return self.shown("sensor.reef_temperature"), self.home.state("binary_sensor.reef_light")

        def is_right() -> bool:
            (state, unit, kind), light = reef()
            return (unit, kind, light) == ("°C", "temperature", "on") and str(state)[:2] in ("24", "25", "26")

        show("so has a sensor of the article's file of formats", within(5, is_right), reef())
        show("a beacon is at home", within(5, lambda: self.home.state(KEYS) == "home"), self.home.state(KEYS))
        pressed = within(FIRST + PAUSE * PRESSES + 15, lambda: len(self.events.times) >= PRESSES)
        show("twenty presses are twenty events", pressed and len(self.events.times) == PRESSES, f"{len(self.events.times)} {self.presses()}")
        show("and twenty messages of the gateway", len(self.presses()) == PRESSES, self.presses())
        show("a beacon that has gone is away", within(25, lambda: self.home.state(KEYS) == "not_home"), self.home.state(KEYS))
        off = within(15, lambda: self.subscriber.newest.get("bluecap/attic/a4c138000303/availability") == "offline")
        show("a scale that has switched itself off shows its value", off and self.weight(begin), self.weight_shown())
        self.begin = begin
        # Another one hears the last press from its start on.
        self.gateway.process.kill()
        self.gateway.process.wait()
        self.start(world("last-press.json", {"twin": button(PRESSES, 1)}, {"twin": twin("Ruuvi", *FAMILIES["Ruuvi"])}))

    def weight_shown(self) -> tuple:
        return self.shown("sensor.scale_mass"), self.shown("sensor.scale_measured")

    def weight(self, begin: datetime.datetime) -> bool:
        mass, (time, _, kind) = self.weight_shown()
        try:
            measured = datetime.datetime.fromisoformat(time or "")
        except ValueError:
            return False
        seconds = (measured - begin).total_seconds()
        return mass == ("70", "kg", "weight") and kind == "timestamp" and -1 <= seconds <= 10

    def last(self) -> None:
        """After restarts of the gateway, of Home Assistant and of the broker."""
        back = within(10, lambda: self.home.state("sensor.ruuvi_temperature") == "24.3")
        show("after restarts of the three the values are there", back, f"{self.shown('sensor.ruuvi_temperature')} {self.gateway.lines}")
        again = within(10, lambda: BUTTON in {one["entity_id"] for one in self.home.call("GET", "/api/states")})
        times, presses = len(self.events.times), self.presses()
        show("and no press has come again", again and times == PRESSES and not presses, f"{times} {presses}")
        self.gateway.end()
        self.events.isOver = True

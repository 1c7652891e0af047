# SPDX-License-Identifier: MIT
# A part of home_assistant.py: devices to which the gateway connects, a heart strap that goes away and a SensorTag that takes commands.
import json
import subprocess

from gateway_scene import Broker, Gateway, show, within, write

TAG, STRAP = "C0:DE:00:00:00:01", "C0:DE:00:00:00:02"
# The strap goes out of range twenty seconds after the start, and stays so.
WORLD = write("linked.json", json.dumps({"world": 1, "devices": [
    {"name": "SensorTag", "address": TAG, "metres": 1.5, "services": ["TI Accelerometer"], "values": {"accelerometer enabled": "no"}},
    {"name": "Belt", "address": STRAP, "metres": 4, "services": ["Heart Rate", "Battery"], "values": {"battery level": "80"},
     "moves": {"heart rate measurement": "wave:60..120"}, "faults": [{"at": 20, "do": "vanish"}]}]}))
RATE, BATTERY, ENABLED = "sensor.strap_heart_rate", "sensor.strap_battery", "sensor.tag_accelerometer_enabled"


def linked_entities(home, broker: Broker) -> None:
    """What the HomeAssistant `home` shows of devices that are connected to."""
    strap = {"match": {"address": STRAP}, "name": "Strap", "connect": {"subscribe": ["180D/2A37"], "read": ["Battery Level"]}}
    tag = {"match": {"address": TAG}, "name": "Tag", "connect": {
        "read": ["Accelerometer Enabled"], "every": 10, "write": ["Accelerometer Enabled"]}}
    file = write("linked-rules.json", json.dumps(
        {"broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "rules": [strap, tag, {"publish": False}]}))

    def shown(entity: str, *keys: str) -> tuple:
        """The value of an entity, and attributes of it."""
        found = home.entity(entity) or {}
        return found.get("state"), *(found.get("attributes", {}).get(key) for key in keys)

    def comes(seconds: float, entity: str, value: str) -> bool:
        return within(seconds, lambda: home.state(entity) == value)

    gateway = Gateway("--configuration", file, backend=f"virtual:{WORLD}")
    comes(15, BATTERY, "80")
    found = shown(BATTERY, "unit_of_measurement", "device_class", "state_class")
    show("a value that is read has the unit and the class of its profile", found == ("80", "%", "battery", "measurement"), found)
    rates: set[str] = set()

    def rate_changes() -> bool:
        """Whether two rates were there."""
        state = home.state(RATE) or ""
        if state.isdigit():
            rates.add(state)
        return len(rates) > 1

    follows = within(10, rate_changes)
    show("a value that is notified follows its notifications", follows, f"{rates} {gateway.lines}")
    found = shown(RATE, "unit_of_measurement", "state_class")
    show("and has the unit of its profile", found[1:] == ("bpm", "measurement"), found)
    show("a device that is read now and then has its value", comes(10, ENABLED, "No"), f"{shown(ENABLED)} {gateway.lines}")
    subprocess.run(
        ["mosquitto_pub", "-p", str(broker.port), "-t", "bluecap/cellar/c0de00000001/set", "-m", '{"Accelerometer Enabled": "Yes"}'],
        check=True)
    show("a command of mosquitto_pub changes it at the next reading", comes(15, ENABLED, "Yes"), f"{shown(ENABLED)} {gateway.lines}")
    gone = comes(40, RATE, "unavailable") and comes(2, BATTERY, "unavailable")
    show("a device whose link is lost for good is unavailable", gone, f"{shown(RATE)} {gateway.lines}")
    show("and the other one is available", home.state(ENABLED) == "Yes", shown(ENABLED))
    gateway.end()
    show("after the end of the gateway it is not", comes(5, ENABLED, "unavailable"), shown(ENABLED))

# SPDX-License-Identifier: MIT
# The article's format of one's own, from its file to Home Assistant's topics: a part of gateway.py.
import json
import os
import re
import subprocess

from gateway_scene import PROGRAM, Broker, Gateway, Subscriber, Tool, path, show, within, write

ARTICLE = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "../../Sources/BlueCapCommand/Documentation.docc/BlueCapCommand.md")


def files() -> tuple[str, str]:
    """The article's file of a format, and its file of a world with a sensor of it."""
    with open(ARTICLE, encoding="utf-8") as file:
        blocks = re.findall(r"```json\n(.*?)```", file.read(), re.DOTALL)
    aquarium = write("aquarium.json", next(block for block in blocks if "bluecap-sensors" in block))
    return aquarium, write("desk.json", next(block for block in blocks if '"Aquarium", "values"' in block))


def formats() -> None:
    aquarium, desk = files()
    done = subprocess.run(
        [PROGRAM, "scan", "--formats", aquarium, "--backend", f"virtual:{desk}", "--limit", "1"], capture_output=True, text=True,
        timeout=20)
    show("a scan shows the values of the article's format", "Aquarium temperature 24 °C, light detected" in done.stdout, done)
    broker = Broker()
    subscriber = Subscriber(broker)
    file = write("formats.json", json.dumps({
        "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "formats": ["aquarium.json"],
        "rules": [{"match": {"format": "Aquarium"}, "name": "Reef"}, {"publish": False}]}))
    gateway = Gateway("--configuration", file, backend=f"virtual:{desk}")
    state, config = "bluecap/cellar/c0de00000011/state", "homeassistant/device/bluecap_c0de00000011/config"
    came = within(5, lambda: {state, config} <= set(subscriber.newest))
    values = json.loads(subscriber.newest.get(state, "{}"))
    is_right = 24 <= values.get("temperature", 0) <= 26 and values.get("light") == "ON"
    show("the gateway publishes them", came and is_right, f"{values} {gateway.lines}")
    parts = json.loads(subscriber.newest.get(config, "{}")).get("components", {}).values()
    found = [(part.get("device_class"), part.get("unit_of_measurement"), part.get("state_class")) for part in parts]
    show("Home Assistant is given their unit and their classes", ("temperature", "°C", "measurement") in found, f"{found}")
    gateway.end()

    # Its frames have its address, whatever that of the radio is on which it is emulated.
    address, key = "A4:C1:38:00:05:01", "231d39c1d7cc1ab1aee224cd096db932"
    values = {"temperature": 21.5, "opening": "open"}
    hall = write("hall.json", json.dumps({"world": 1, "devices": [
        {"name": "Hall", "address": address, "sensor": {"format": "MiBeacon", "key": key, "values": values}}]}))
    file = write("hall-rules.json", json.dumps({
        "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "rules": [{"match": {"address": address}, "key": key}]}))
    emulation = Tool("emulate", hall, "--backend", f"virtual:{path('hall.sock')}")
    within(5, lambda: emulation.has(event="advertising"))
    gateway = Gateway("--configuration", file, backend=f"virtual:{path('hall.sock')}")

    def heard() -> tuple:
        state = json.loads(subscriber.newest.get("bluecap/cellar/a4c138000501/state", "{}"))
        return state.get("temperature"), state.get("opening")
    right = within(10, lambda: heard() == (21.5, "ON"))
    show("it reads with a key the frames that emulate encrypts", right, f"{heard()} {gateway.lines} {emulation.lines}")
    gateway.end()
    emulation.end()
    subscriber.end()
    broker.kill()

# SPDX-License-Identifier: MIT
# The article's format of one's own, from its file to Home Assistant's topics: a part of gateway.py.
import json
import os
import re
import subprocess

from gateway_scene import PROGRAM, Broker, Gateway, Subscriber, show, within, write

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
    subscriber.end()
    broker.kill()

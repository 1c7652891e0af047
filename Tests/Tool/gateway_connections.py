# SPDX-License-Identifier: MIT
# A part of gateway.py: connections to a heart strap and a SensorTag of a virtual radio, and commands by mosquitto_pub.
import json
import signal
import subprocess
import time

from gateway_metrics import Metrics
from gateway_scene import Broker, Gateway, Subscriber, path, show, within, write

TAG, STRAP = "C0:DE:00:00:00:01", "C0:DE:00:00:00:02"
WORLD = write("connectable.json", json.dumps({"world": 1, "devices": [
    {"name": "SensorTag", "address": TAG, "metres": 1.5, "services": ["TI Accelerometer"],
     "values": {"accelerometer enabled": "no", "accelerometer update period": "0a"}},
    {"builtIn": "heartStrap", "address": STRAP, "metres": 4}]}))


def topic(address: str, last: str) -> str:
    return f"bluecap/cellar/{address.replace(':', '').lower()}/{last}"


def connected() -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    values = {"subscribe": ["180D/2A37"], "read": ["Battery Level"], "write": ["Heart Rate Control Point"]}
    strap = {"match": {"address": STRAP}, "name": "Strap", "connect": values}
    tag = {"match": {"address": TAG}, "name": "Tag", "connect": {
        "read": ["TI Accelerometer/Accelerometer Enabled"], "every": 10, "write": ["Accelerometer Enabled"]}}
    address = f"mqtt://127.0.0.1:{broker.port}"

    def save(*rules: dict) -> str:
        return write("connect.json", json.dumps({"broker": {"address": address}, "metrics": "127.0.0.1:0", "rules": rules}, indent=1))

    def state(device: str) -> dict:
        return json.loads(subscriber.newest.get(topic(device, "state")) or "{}")

    def publish(device: str, payload: str, *words: str) -> None:
        subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-t", topic(device, "set"), "-m", payload, *words], check=True)

    def is_refused(word: str) -> bool:
        return within(3, lambda: any(word in event.get("reason", "") for event in gateway.events() if event.get("state") == "refused"))

    publish(TAG, '{"Accelerometer Enabled": "Yes"}', "-r")
    gateway = Gateway("--configuration", save(strap, tag, {"publish": False}), backend=f"virtual:{WORLD}")
    came = within(15, lambda: "heart_rate" in state(STRAP) and "battery" in state(STRAP))
    show("a device that stays connected publishes what it notifies and what is read, as one state", came, gateway.lines)
    show("and it is available", within(2, lambda: subscriber.newest.get(topic(STRAP, "availability")) == "online"))
    rate = state(STRAP).get("heart_rate")
    show("and its state follows its notifications", within(8, lambda: state(STRAP).get("heart_rate") != rate), subscriber.all)
    config = json.loads(subscriber.newest.get("homeassistant/device/bluecap_c0de00000002/config", "{}"))
    components = config.get("components", {})
    battery, heart = components.get("battery", {}), components.get("heart_rate", {})
    is_right = (battery.get("device_class"), battery.get("unit_of_measurement"), heart.get("unit_of_measurement")) == ("battery", "%", "bpm")
    show("and Home Assistant gets the units and classes of the profiles", is_right and config["device"]["name"] == "Strap", config)
    key = "accelerometer_enabled"
    read = within(10, lambda: state(TAG).get(key) == "No")
    show("a device that is read now and then publishes its values", read, f"{subscriber.newest} {gateway.lines}")
    show("a command that the broker kept is refused, and reported", is_refused("the broker kept it"), gateway.lines)
    publish(TAG, "", "-r")

    publish(TAG, '{"Accelerometer Enabled": "Yes"}')
    wrote = within(10, lambda: gateway.has(event="command", state="written", id=TAG, key="Accelerometer Enabled"))
    show("a command of mosquitto_pub is carried out and reported", wrote, gateway.lines)
    show("and the next reading has its value", within(15, lambda: state(TAG).get(key) == "Yes"), f"{subscriber.newest} {gateway.lines}")
    publish(STRAP, '{"Heart Rate Control Point": "Reset Energy Expended"}')
    wrote = within(10, lambda: gateway.has(event="command", state="written", id=STRAP))
    show("so is one for a device that stays connected", wrote, gateway.lines)
    publish(STRAP, '{"Heart Rate Control Point": "Twice"}')
    failed = within(5, lambda: any("is no value of" in event.get("reason", "") for event in gateway.events()))
    show("a value that is none is not written, and the reason reported", failed, gateway.lines)
    for device, payload, word in ((STRAP, '{"2A06": "01"}', "not in 'write'"), ("C0:DE:00:00:00:03", "{}", "no rule allows"),
                                  (TAG, "yes", "no JSON object"), (TAG, '{"Accelerometer Enabled": 1}', "no JSON object")):
        publish(device, payload)
        show(f"the command {payload} is refused: {word}", is_refused(word), gateway.lines)
    file = path("large")
    with open(file, "wb") as large:
        large.write(b"x" * 10_000_000)
    subprocess.run(["mosquitto_pub", "-p", str(broker.port), "-t", topic(TAG, "set"), "-f", file], check=True)
    show("one of 10 MB is refused", is_refused("more than 4096 bytes"), gateway.lines)
    refusals = gateway.count(event="command", state="refused")
    publish(TAG, "no")
    time.sleep(0.5)
    show("and a reason is reported once", gateway.count(event="command", state="refused") == refusals, gateway.lines)

    served = Metrics(gateway)
    wanted = {"links": 1, "links_wanted": 1, 'commands_total{result="written"}': 2, 'commands_total{result="not_written"}': 1,
              'commands_total{result="refused"}': 7, "link_failures_total": 0}

    def counted() -> dict[str, float]:
        return {name: served.value(f"bluecap_gateway_{name}") for name in wanted}

    show("the metrics have the links and the commands", within(3, lambda: counted() == wanted), counted())
    show("and promtool finds nothing wrong with them", not served.mistakes(), f"{served.mistakes()} {served.page()}")

    links = gateway.count(event="link", state="connected")
    save({**tag, "connect": {**tag["connect"], "every": 20}}, strap, {"publish": False})
    gateway.process.send_signal(signal.SIGHUP)
    within(3, lambda: gateway.has(event="configuration", state="read"))
    rate = state(STRAP).get("heart_rate")
    follows = within(8, lambda: state(STRAP).get("heart_rate") != rate)
    is_kept = not gateway.has(event="link", state="disconnected") and gateway.count(event="link", state="connected") == links
    show("after SIGHUP a device whose rule stays the same keeps its connection", follows and is_kept, gateway.lines)
    save(tag, {"publish": False})
    gateway.process.send_signal(signal.SIGHUP)
    ended = within(6, lambda: gateway.has(event="link", state="disconnected", id=STRAP))
    gone = within(3, lambda: subscriber.newest.get(topic(STRAP, "state")) == "")
    show("and one whose rule went away is disconnected, and removed", ended and gone, f"{subscriber.newest} {gateway.lines}")
    none = within(3, lambda: (counted()["links"], counted()["links_wanted"]) == (0, 0))
    show("and counts as a link no more", none, counted())
    gateway.end()
    last = [event for event in gateway.events() if event["event"] == "gateway"]
    counts = {"written": 2, "notWritten": 1, "refusedCommands": 7}
    show("and commands are counted", len(last) == 1 and counts.items() <= last[0].items(), last)
    show("and the help explains each key of connections", not gateway.unexplained(), gateway.unexplained())
    subscriber.end()
    broker.kill()

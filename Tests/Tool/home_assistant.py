#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# home_assistant.py BLUECAP: the real Home Assistant behind mosquitto and `bluecap gateway`. Each line is a behaviour. The interpreter is
# that of an environment in which Home Assistant is installed, BLUECAP a program with the trait Gateway.
import json
import signal

from gateway_scene import CONFIG, STATE, Broker, Gateway, Subscriber, end, sensor, show, within, write
from home import HomeAssistant
from home_connections import linked_entities
from home_sensors import SensorTrial


# Its warnings with one of these have to do with a broker or with a gateway's devices.
WORDS = ("mqtt", "bluecap", *(f"components.{name}" for name in ("sensor", "binary_sensor", "event", "device_tracker")))
TEMPERATURE, BATTERY, BIRTH = "sensor.cellar_temperature", "sensor.cellar_battery", ("homeassistant/status", "online")
# How many bytes the objects of BTHome have that are a state, by their numbers (version 2 of its format): those with a number, those with
# two states, and a text, whose first byte is its length.
SIZES = {
    0x01: 1, 0x02: 2, 0x03: 2, 0x04: 3, 0x05: 3, 0x06: 2, 0x07: 2, 0x08: 2, 0x09: 1, 0x0A: 3, 0x0B: 3, 0x0C: 2, 0x0D: 2, 0x0E: 2,
    **{number: 1 for number in (0x0F, 0x10, 0x11, *range(0x15, 0x2E))},
    0x12: 2, 0x13: 2, 0x14: 2, 0x2E: 1, 0x2F: 1, 0x3D: 2, 0x3E: 4, 0x3F: 2, 0x40: 2, 0x41: 2, 0x42: 3, 0x43: 2, 0x44: 2, 0x45: 2, 0x46: 1,
    0x47: 2, 0x48: 2, 0x49: 2, 0x4A: 2, 0x4B: 3, 0x4C: 4, 0x4D: 4, 0x4E: 4, 0x4F: 4, 0x51: 2, 0x52: 2, 0x53: 2, 0x55: 4, 0x56: 2, 0x57: 1,
    0x58: 1, 0x59: 1, 0x5A: 2, 0x5B: 4, 0x5C: 4, 0x5D: 2, 0x5E: 2, 0x5F: 2, 0x60: 1, 0x61: 2, 0x62: 4,
    0x63: 4, 0x64: 1,
}


def every_kind() -> str:
    """A world of sensors that have, among them, each object once, with the value of bytes that are all 1."""
    frames = [""]
    for number, size in sorted(SIZES.items()):
        if len(frames[-1]) + 2 + 2 * size > 36:
            frames.append("")
        frames[-1] += f"{number:02X}" + "01" * size
    names = [f"every-{index}" for index in range(len(frames))]
    for index, (name, frame) in enumerate(zip(names, frames)):
        write(f"{name}.json", json.dumps(sensor(name, f"A4:C1:38:00:01:{index:02X}", "40" + frame)))
    return write("every.json", json.dumps({"world": 1, "devices": [{"twin": f"{name}.json"} for name in names]}))


def every_entity(home: HomeAssistant, subscriber: Subscriber, address: str) -> None:
    gateway = Gateway(address, backend=f"virtual:{every_kind()}")

    def declared() -> list[str]:
        texts = [text for topic, text in subscriber.newest.items() if topic.startswith("homeassistant/device/bluecap_a4c1380001")]
        components = [component for text in texts if text for component in json.loads(text)["components"].values()]
        return sorted(str((part["platform"], part.get("device_class"), part.get("state_class"))) for part in components)

    def shown(entities: list[dict]) -> list[str]:
        fields = [(one["entity_id"].split(".")[0], one["attributes"]) for one in entities]
        return sorted(str((kind, has.get("device_class"), has.get("state_class"))) for kind, has in fields)

    def entities() -> list[dict]:
        return [one for one in home.call("GET", "/api/states") if ".every_" in one["entity_id"]]

    def objects() -> int:
        # The strength of the signal is there once for each sensor, and the time of the measurement for that with a mass.
        return len([one for one in declared() if "signal_strength" not in one and "timestamp" not in one])

    within(10, lambda: objects() == len(SIZES))
    known = objects()
    show("each object of BTHome that is a state is described", known == len(SIZES), f"{known} of {len(SIZES)}")
    same = within(10, lambda: shown(entities()) == declared())
    show("each description makes an entity of its class", same, set(declared()) ^ set(shown(entities())))
    def unset() -> list[str]:
        return [one["entity_id"] for one in entities() if one["state"] in ("unknown", "unavailable")]

    show("and each entity has a value", within(5, lambda: not unset()), unset())
    # The object is "safe", and the entity is "there is danger".
    states = {one["attributes"].get("device_class"): one["state"] for one in entities() if one["entity_id"].startswith("binary_sensor.")}
    show("with two states they have those of Home Assistant", (states.get("window"), states.get("safety")) == ("on", "off"), states)
    gateway.end()


def gateway_and_home() -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    home = HomeAssistant()
    home.follow("mqtt", {"broker": {"broker": "127.0.0.1", "port": broker.port}}, choice="broker")
    # It has subscribed by then, so that the times below are not those of its start.
    assert within(30, lambda: BIRTH in subscriber.all), "Home Assistant does not come to the broker"
    address = f"mqtt://127.0.0.1:{broker.port}"

    def after(message: tuple[str, str]) -> list[tuple[str, str]]:
        """The messages after the first such one."""
        return subscriber.all[subscriber.all.index(message) + 1:] if message in subscriber.all else []

    def comes(seconds: float, value: str | None) -> bool:
        return within(seconds, lambda: home.state(TEMPERATURE) == value)

    gateway = Gateway(address)
    assert within(10, lambda: STATE in subscriber.newest), "the gateway publishes nothing"
    show("a value is shown a second after it was published", comes(1, "25"), home.call("GET", "/api/states"))
    entity = home.entity(TEMPERATURE) or {}
    found = tuple(entity.get("attributes", {}).get(key) for key in ("unit_of_measurement", "device_class", "state_class"))
    show("it has the unit and the classes that were declared", found == ("°C", "temperature", "measurement"), entity)
    show("each value of a device has its entity", home.state(BATTERY) == "97", home.call("GET", "/api/states"))

    trial = SensorTrial(home, broker, subscriber)
    trial.first()

    gateway.process.kill()
    show("a gateway that is killed leaves its devices unavailable", comes(5, "unavailable"), home.state(TEMPERATURE))
    gateway = Gateway(address)
    show("five seconds after its return the value is there", comes(5, "25"), home.state(TEMPERATURE))
    gateway.end(signal.SIGTERM)
    show("a gateway that is stopped leaves its devices unavailable", comes(5, "unavailable"), home.state(TEMPERATURE))

    gateway = Gateway(address)
    comes(5, "25")
    home.stop()
    # The broker keeps nothing from which it could learn of the device again.
    for topic in (CONFIG, STATE):
        subscriber.client.publish(topic, "", 1, retain=True)
    within(5, lambda: subscriber.newest.get(CONFIG) == subscriber.newest.get(STATE) == "")
    subscriber.clear()
    home.start("/api/")
    born = within(30, lambda: BIRTH in subscriber.all)
    again = within(5, lambda: {CONFIG, STATE} <= {topic for topic, _ in after(BIRTH)})
    show("five seconds after Home Assistant's birth message all is published again", born and again, subscriber.all)
    early = [topic for topic, _ in subscriber.all[:len(subscriber.all) - len(after(BIRTH))] if topic == CONFIG]
    show("and not before it", born and not early, subscriber.all)
    show("five seconds after Home Assistant's return the value is there", comes(5, "25"), home.state(TEMPERATURE))

    before = len(home.complaints(*WORDS))
    broker.kill()
    lost = comes(10, "unavailable")
    show("a broker that is killed leaves the devices unavailable", lost, home.state(TEMPERATURE))
    subscriber.clear()
    broker.start()
    back = within(5, lambda: subscriber.newest.get(STATE))
    show("five seconds after the broker's return the value is there", back, subscriber.all)
    # Home Assistant itself tries again after ten seconds.
    joined = within(20, lambda: BIRTH in subscriber.all)
    show("and is shown five seconds after Home Assistant's return to it", joined and comes(5, "25"), home.state(TEMPERATURE))
    own = home.complaints(*WORDS)[before:]
    trial.last()
    gateway.end()
    comes(5, "unavailable")

    def save(publishes: bool) -> str:
        return write("home.json", json.dumps({"broker": {"address": address}, "rules": [{"publish": publishes}]}))

    gateway = Gateway("--configuration", save(True))
    comes(5, "25")
    save(False)
    gateway.process.send_signal(signal.SIGHUP)
    show("an entity is gone with its rule", comes(5, None), home.state(TEMPERATURE))
    gateway.end()
    every_entity(home, subscriber, address)
    linked_entities(home, broker)
    subscriber.end()
    home.stop()
    # While the broker was gone, Home Assistant says so.
    lost = [line for line in own if "MQTT server" in line and
            any(text in line for text in ("Disconnected", "Failed to connect", "The connection was lost"))]
    complaints = [line for line in home.complaints(*WORDS) if line not in lost]
    show("Home Assistant has nothing to complain of", not complaints, complaints)
    broker.kill()


end(gateway_and_home)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# home_assistant.py BLUECAP: the real Home Assistant behind mosquitto and `bluecap gateway`. Each line is a behaviour. The interpreter is
# that of an environment in which Home Assistant is installed, BLUECAP a program with the trait Gateway.
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from gateway_scene import STATE, Broker, Gateway, Subscriber, end, free_port, path, show, within, write


class HomeAssistant:
    """A fresh Home Assistant without pages, on loopback, with one user and the integration of MQTT."""

    def __init__(self, broker: Broker):
        self.base = f"http://127.0.0.1:{free_port()}"
        self.token = ""
        self.folder = path("home-assistant")
        self.log = os.path.join(self.folder, "home-assistant.log")
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "configuration.yaml"), "w", encoding="utf-8") as file:
            file.write(f"http:\n  server_host: 127.0.0.1\n  server_port: {self.base.rsplit(':', 1)[1]}\napi:\nconfig:\n")
        self.start("/api/onboarding")
        self.join(broker)

    def start(self, page: str) -> None:
        program = os.path.join(os.path.dirname(sys.executable), "hass")
        self.process = subprocess.Popen(
            [program, "--config", self.folder, "--skip-pip", "--log-file", self.log],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert within(90, lambda: self.answers(page)), "Home Assistant does not answer"

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def answers(self, page: str) -> bool:
        try:
            self.call("GET", page)
            return True
        except (OSError, ValueError):
            return False

    def call(self, method: str, page: str, body: dict | None = None, is_form: bool = False):
        data = None if body is None else (urllib.parse.urlencode(body) if is_form else json.dumps(body)).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded" if is_form else "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        with urllib.request.urlopen(urllib.request.Request(self.base + page, data, headers, method=method), timeout=20) as answer:
            return json.loads(answer.read() or "null")

    def join(self, broker: Broker) -> None:
        """The steps that its pages ask of a new user, and the form of the integration."""
        client = self.base + "/"
        user = {"client_id": client, "name": "Test", "username": "test", "password": "test", "language": "en"}
        code = self.call("POST", "/api/onboarding/users", user)["auth_code"]
        grant = {"grant_type": "authorization_code", "code": code, "client_id": client}
        self.token = self.call("POST", "/auth/token", grant, is_form=True)["access_token"]
        for page in ("core_config", "analytics"):
            self.call("POST", f"/api/onboarding/{page}", {})
        self.call("POST", "/api/onboarding/integration", {"client_id": client, "redirect_uri": client})
        flow = self.call("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        while flow["type"] in ("form", "menu"):
            is_menu = flow["type"] == "menu"
            answers = {"next_step_id": "broker"} if is_menu else {"broker": "127.0.0.1", "port": broker.port}
            flow = self.call("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", answers)
        assert flow["type"] == "create_entry", flow

    def state(self, entity: str) -> str | None:
        """The value that is shown; None without such an entity."""
        return (self.entity(entity) or {}).get("state")

    def entity(self, entity: str) -> dict | None:
        try:
            return self.call("GET", f"/api/states/{entity}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def complaints(self) -> list[str]:
        """Its warnings and errors that have to do with a broker or with a gateway's devices."""
        with open(self.log, encoding="utf-8") as file:
            return [line for line in file if (" WARNING " in line or " ERROR " in line) and
                    any(word in line.lower() for word in ("mqtt", "bluecap", "components.sensor"))]


TEMPERATURE, BATTERY = "sensor.cellar_temperature", "sensor.cellar_battery"


def gateway_and_home() -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    home = HomeAssistant(broker)
    address = f"mqtt://127.0.0.1:{broker.port}"

    def comes(seconds: float, value: str | None) -> bool:
        return within(seconds, lambda: home.state(TEMPERATURE) == value)

    gateway = Gateway(address)
    assert within(10, lambda: STATE in subscriber.newest), "the gateway publishes nothing"
    show("a value is shown a second after it was published", comes(1, "25"), home.call("GET", "/api/states"))
    entity = home.entity(TEMPERATURE) or {}
    found = tuple(entity.get("attributes", {}).get(key) for key in ("unit_of_measurement", "device_class", "state_class"))
    show("it has the unit and the classes that were declared", found == ("°C", "temperature", "measurement"), entity)
    show("each value of a device has its entity", home.state(BATTERY) == "97", home.call("GET", "/api/states"))

    gateway.process.kill()
    show("a gateway that is killed leaves its devices unavailable", comes(5, "unavailable"), home.state(TEMPERATURE))
    gateway = Gateway(address)
    show("five seconds after its return the value is there", comes(5, "25"), home.state(TEMPERATURE))
    gateway.end(signal.SIGTERM)
    show("a gateway that is stopped leaves its devices unavailable", comes(5, "unavailable"), home.state(TEMPERATURE))

    gateway = Gateway(address)
    comes(5, "25")
    home.stop()
    home.start("/api/")
    show("five seconds after Home Assistant's return the value is there", comes(5, "25"), home.state(TEMPERATURE))

    broker.kill()
    lost = comes(10, "unavailable")
    show("a broker that is killed leaves the devices unavailable", lost, home.state(TEMPERATURE))
    broker.start()
    show("and the value comes back with the broker", comes(20, "25"), home.state(TEMPERATURE))
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
    subscriber.end()
    home.stop()
    # A broker that is gone is its complaint, and not of ours.
    complaints = [line for line in home.complaints() if "connect" not in line.lower()]
    show("Home Assistant has nothing to complain of", not complaints, complaints)
    broker.kill()


end(gateway_and_home)

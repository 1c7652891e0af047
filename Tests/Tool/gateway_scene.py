# SPDX-License-Identifier: MIT
# What the scripts of the gateway and of the proxy share: mosquitto, a foreign subscriber, `bluecap gateway`, over sensors of a virtual
# radio unless told otherwise, and `bluecap proxy`. The first argument of the program is a bluecap with the traits of these.
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import paho.mqtt.client as paho

PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory(prefix="bluecap-gateway-")
# mosquitto reads its files as a user of its own.
os.chmod(FOLDER.name, 0o755)
STATUS, STATE = "bluecap/cellar/status", "bluecap/cellar/a4c138000001/state"
CONFIG = "homeassistant/device/bluecap_a4c138000001/config"
results: list[bool] = []


def show(behaviour: str, is_right: bool, text: object = "") -> None:
    results.append(bool(is_right))
    print(f"{'ok    ' if is_right else 'FAILED'} {behaviour}{'' if is_right else f': {text}'}", flush=True)


def path(name: str) -> str:
    return os.path.join(FOLDER.name, name)


def write(name: str, text: str) -> str:
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return path(name)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def within(seconds: float, condition) -> bool:
    """Whether a condition becomes true in time; asked every 20 ms."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Broker:
    """mosquitto, which keeps nothing over its end."""

    def __init__(self, *lines: str):
        self.port = free_port()
        text = "\n".join([f"listener {self.port} 127.0.0.1", "persistence false", *(lines or ["allow_anonymous true"])])
        self.file = write(f"mosquitto-{self.port}.conf", text + "\n")
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(["mosquitto", "-c", self.file], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert within(5, self.is_open), "mosquitto does not listen"

    def is_open(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class Subscriber:
    """A foreign client, which has the newest message of each topic, and all in their order."""

    def __init__(self, broker: Broker, *, ca: str | None = None, user: tuple[str, str] | None = None):
        self.newest: dict[str, str] = {}
        self.all: list[tuple[str, str]] = []
        self.lock = threading.Lock()
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        if ca:
            self.client.tls_set(ca)
        if user:
            self.client.username_pw_set(*user)
        self.client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self.client.on_message = self.take
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("localhost" if ca else "127.0.0.1", broker.port)
        self.client.loop_start()

    def take(self, _client, _data, message) -> None:
        with self.lock:
            self.newest[message.topic] = message.payload.decode()
            self.all.append((message.topic, message.payload.decode()))

    def clear(self) -> None:
        with self.lock:
            self.newest, self.all = {}, []

    def end(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


class Tool:
    """The program, with the lines that it has printed."""

    def __init__(self, *words: str, environment: dict[str, str] | None = None, before: tuple[str, ...] = ()):
        self.process = subprocess.Popen(
            [*before, PROGRAM, *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, **(environment or {})})
        self.command = words[0]
        self.lines: list[str] = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reader.start()

    def events(self) -> list[dict]:
        return [json.loads(line) for line in list(self.lines) if line.startswith("{")]

    def count(self, **fields) -> int:
        return sum(all(event.get(key) == value for key, value in fields.items()) for event in self.events())

    def has(self, **fields) -> bool:
        return self.count(**fields) > 0

    def unexplained(self) -> set[str]:
        """The keys of its JSON that the help does not explain."""
        page = subprocess.run([PROGRAM, "help", self.command], capture_output=True, text=True).stdout.split("\nJSON\n")[1]
        return {key for event in self.events() for key in event if key != "event" and key not in page}

    def end(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        status = self.process.wait(10)
        self.reader.join(5)
        return status


class Gateway(Tool):
    def __init__(self, *words: str, backend: str | None = None, name: str = "cellar", **more):
        super().__init__("gateway", *words, "--backend", backend or f"virtual:{WORLD}", "--name", name, **more)


class Proxy(Tool):
    """A proxy for the clients on this machine, at a port that is free unless the words have one."""

    def __init__(self, *words: str, backend: str, name: str = "attic", **more):
        port = () if "--port" in words else ("--port", "0", "--address", "127.0.0.1")
        super().__init__("proxy", *words, *port, "--backend", backend, "--name", name, **more)


def sensor(name: str, address: str, data: str) -> dict:
    return {"schema": "bluecap-twin", "version": 1, "address": address, "advertisement": {
        "data": {"localName": name, "serviceData": {"FCD2": data}}, "connectable": False, "interval": 0.2}}


WORLD = write("sensors.json", json.dumps({"world": 1, "devices": [{"twin": f"{name}.json"} for name in "abc"]}))
write("a.json", json.dumps(sensor("Cellar", "A4:C1:38:00:00:01", "40016102c409")))
write("b.json", json.dumps(sensor("a/b+#", "A4:C1:38:00:00:02", "4002c409")))
write("c.json", json.dumps(sensor("ATC", "54:48:E6:8F:80:A5", "41a47266c95f730011223378237214")))


def end(*parts) -> None:
    """Runs each part, and ends the program."""
    for part in parts:
        try:
            part()
        except Exception as error:  # The other parts are shown all the same.
            show(f"{part.__name__} runs to its end", False, repr(error))
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)

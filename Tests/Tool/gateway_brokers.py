# SPDX-License-Identifier: MIT
# A part of gateway.py: brokers that are older than MQTT 5.0, that end each connection, that say nothing, or that allow less than the
# gateway asks for.
import contextlib
import glob
import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from typing import Callable

from gateway_metrics import Metrics
from gateway_order import DEVICES, counter, rule
from gateway_scene import CONFIG, STATE, Broker, Gateway, Subscriber, show, within, write

Serve = Callable[[socket.socket, int, bytes], None]
# What accepts a connection: no flags, no reason, no properties.
CONNACK = bytes([0x20, 3, 0, 0, 0])


@contextlib.contextmanager
def listener(serve: Serve) -> Iterator[int]:
    """A port behind which `serve` gets each connection, the version of MQTT that the client speaks, and its first packet."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=take, args=(connection,), daemon=True).start()

        def take(connection: socket.socket) -> None:
            with connection, contextlib.suppress(OSError):
                packet = connection.recv(4096)
                if b"MQTT" in packet:
                    serve(connection, packet[packet.index(b"MQTT") + 4], packet)

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def pipe(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_RDWR)


class Quiet:
    """A gateway to a broker that reads all, and says nothing but the first words. A device notifies 18 numbers in a second."""

    def __init__(self, name: str, first: bytes):
        self.first, self.connections = first, 0
        self.stack = contextlib.ExitStack()
        port = self.stack.enter_context(listener(self.serve))
        address, device = f"mqtt://127.0.0.1:{port}", DEVICES[0]
        world = write(f"{name}-world.json", json.dumps({"world": 1, "devices": [{"twin": counter(device, rest=0)}]}))
        file = write(f"{name}.json", json.dumps({
            "broker": {"address": address}, "metrics": "127.0.0.1:0", "minimumInterval": 0, "rules": [rule(device)]}))
        self.begun = time.monotonic()
        self.gateway = Gateway("--configuration", file, backend=f"virtual:{world}")
        self.metrics = Metrics(self.gateway)
        within(8, lambda: self.gateway.has(event="link", state="connected"))
        self.memory, self.most, self.over = self.private_memory(), 0.0, threading.Event()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        """Keeps how many messages have waited at the most."""
        while not self.over.wait(0.5):
            self.most = max(self.most, self.metrics.value("bluecap_gateway_messages_waiting"))

    def serve(self, connection: socket.socket, _version: int, _packet: bytes) -> None:
        self.connections += 1
        connection.sendall(self.first)
        while connection.recv(65536):
            pass

    def tried(self, times: int, limit: float) -> bool:
        """Whether so many connections are begun within some seconds from the start."""
        return within(self.begun + limit - time.monotonic(), lambda: self.connections >= times)

    def private_memory(self) -> int:
        """In kB."""
        with open(f"/proc/{self.gateway.process.pid}/status", encoding="utf-8") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("RssAnon"))

    def is_bounded(self, limit: int) -> tuple[bool, str]:
        """Whether hundreds of messages gave way to newer ones, and no more than some ever waited, in hardly more memory than at first."""
        replaced = self.metrics.value('bluecap_gateway_messages_total{result="replaced"}')
        more = self.private_memory() - self.memory
        text = f"{self.most:.0f} waited at the most, {replaced:.0f} were replaced, {more} kB more"
        return 0 < self.most <= limit and replaced > 200 and more < 4096, text

    def end(self) -> tuple[bool, str]:
        """Whether SIGTERM ends the gateway within five seconds."""
        self.over.set()
        begun = time.monotonic()
        status = self.gateway.end(signal.SIGTERM)
        took = time.monotonic() - begun
        self.stack.close()
        return status == -signal.SIGTERM and took < 5, f"{status} after {took:.1f} s: {self.gateway.lines}"


quiet: dict[str, Quiet] = {}


def quiet_begun() -> None:
    """The library waits for 15 seconds for a word: what becomes of these is shown when others have been."""
    quiet["silent"] = Quiet("silent", b"")
    quiet["deaf"] = Quiet("deaf", CONNACK)


def quiet_shown() -> None:
    silent, deaf = quiet["silent"], quiet["deaf"]
    is_tried = silent.tried(3, 45)
    told = [event["state"] for event in silent.gateway.events() if event["event"] == "broker"]
    show("a broker that says nothing is tried again and again, and that is told once", is_tried and told == ["lost"], silent.gateway.lines)
    show("and all that waits for it is the newest of each topic", *silent.is_bounded(16))
    show("and SIGTERM ends the gateway", *silent.end())
    is_told = deaf.tried(2, 45) and deaf.gateway.count(event="broker", state="lost") == 1
    show("a broker that says nothing behind its CONNACK is tried again, and its loss is told once", is_told, deaf.gateway.lines)
    show("and no more than 256 messages ever wait for it, and the newest of each topic", *deaf.is_bounded(256 + 16))
    show("and SIGTERM ends the gateway", *deaf.end())
    last = deaf.gateway.events()[-1]
    show("which says that messages were lost", last["event"] == "gateway" and last["lost"] > 0, last)


def older() -> None:
    """A broker that refuses MQTT 5.0, as one of 3.1.1 does, and is mosquitto otherwise."""
    broker = Broker()
    subscriber = Subscriber(broker)

    def serve(connection: socket.socket, version: int, packet: bytes) -> None:
        if version == 5:
            connection.sendall(bytes([0x20, 2, 0, 1]))
            return
        with socket.create_connection(("127.0.0.1", broker.port)) as behind:
            behind.sendall(packet)
            threading.Thread(target=pipe, args=(behind, connection), daemon=True).start()
            pipe(connection, behind)

    with listener(serve) as port:
        gateway = Gateway(f"mqtt://127.0.0.1:{port}")
        came = within(5, lambda: STATE in subscriber.newest and CONFIG in subscriber.newest)
        show("a broker of MQTT 3.1.1 gets states and descriptions", came, subscriber.all)
        gateway.end()
        last = gateway.events()[-1]
        show("and nothing is refused", last.get("refused") == 0 and last.get("lost") == 0, last)
    subscriber.end()
    broker.kill()


def ending() -> None:
    """A broker that accepts each connection and ends it at once."""
    times: list[float] = []

    def serve(connection: socket.socket, _version: int, _packet: bytes) -> None:
        times.append(time.monotonic())
        connection.sendall(CONNACK)

    with listener(serve) as port:
        gateway = Gateway(f"mqtt://127.0.0.1:{port}")
        is_slower = within(20, lambda: len(times) > 2 and times[-1] - times[-2] > 1.5)
        pauses = [round(after - before, 2) for before, after in zip(times, times[1:])]
        show("a broker that ends each connection is tried less and less often", is_slower and len(times) < 8, pauses[:10])
        # The sixth begins some eight seconds after the first.
        is_again = within(15, lambda: len(times) > 5)
        gateway.end()
        # A loss has the reason of the system, as "Broken pipe", and from the third on the advice that `namesakes` asks for.
        told = [(event["state"], event.get("reason")) for event in gateway.events() if event["event"] == "broker"]
        is_once = len(told) == len(set(told)) and [state for state, _ in told].count("connected") == 1
        show("and that it is connected is told once, and a loss once for each reason", is_again and is_once, gateway.lines)


def namesakes() -> None:
    """Two gateways of one name: a broker ends the connection of a client when another one comes by its name."""
    broker = Broker()
    gateways = [Gateway(f"mqtt://127.0.0.1:{broker.port}") for _ in range(2)]
    told = within(15, lambda: any(
        "another client may have the name bluecap-cellar" in str(event.get("reason"))
        for gateway in gateways for event in gateway.events()))
    count = sum(gateway.count(event="broker", state="connected") for gateway in gateways)
    show("two gateways of one name say so", told, [gateway.lines for gateway in gateways])
    show("and end each other's connections less and less often", count <= 12, count)
    for gateway in gateways:
        gateway.end()
    broker.kill()


def unheard() -> None:
    """A broker that lets the gateway publish all, and subscribe to nothing."""
    access = {"publishClientSend": True, "publishClientReceive": True, "subscribe": False, "unsubscribe": True}
    rules = write("security.json", json.dumps({"defaultACLAccess": access, "clients": [], "groups": [], "roles": []}))
    plugin = glob.glob("/usr/lib/*/mosquitto_dynamic_security.so")[0]
    broker = Broker("allow_anonymous true", f"plugin {plugin}", f"plugin_opt_config_file {rules}")
    gateway = Gateway(f"mqtt://127.0.0.1:{broker.port}")
    told = within(5, lambda: any(
        event.get("state") == "unsubscribed" and "homeassistant/status" in event["reason"] for event in gateway.events()))
    show("a subscription that the broker refuses is told", told, gateway.lines)
    show("and ends no connection", not gateway.has(event="broker", state="lost"), gateway.lines)
    gateway.end()
    broker.kill()


def brokers() -> None:
    older()
    ending()
    namesakes()
    unheard()

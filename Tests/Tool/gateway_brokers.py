# SPDX-License-Identifier: MIT
# A part of gateway.py: brokers that are older than MQTT 5.0, that end each connection, or that allow less than the gateway asks for.
import contextlib
import glob
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Callable

from gateway_scene import CONFIG, STATE, Broker, Gateway, Subscriber, show, within, write

Serve = Callable[[socket.socket, int, bytes], None]


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
        connection.sendall(bytes([0x20, 3, 0, 0, 0]))

    with listener(serve) as port:
        gateway = Gateway(f"mqtt://127.0.0.1:{port}")
        is_slower = within(20, lambda: len(times) > 2 and times[-1] - times[-2] > 1.5)
        pauses = [round(after - before, 2) for before, after in zip(times, times[1:])]
        show("a broker that ends each connection is tried less and less often", is_slower and len(times) < 8, pauses[:10])
        gateway.end()


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

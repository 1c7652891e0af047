# SPDX-License-Identifier: MIT
# A part of gateway.py: the numbers that a gateway serves to Prometheus.
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request

from gateway_scene import Broker, Gateway, show, within, write


class Metrics:
    """The metrics that a gateway serves."""

    def __init__(self, gateway: Gateway):
        within(5, lambda: gateway.has(event="metrics"))
        self.url = next((event["url"] for event in gateway.events() if event["event"] == "metrics"), "")

    def page(self) -> str:
        with urllib.request.urlopen(self.url, timeout=5) as answer:
            return answer.read().decode()

    def value(self, series: str) -> float:
        return float(next((line.split()[-1] for line in self.page().splitlines() if line.startswith(series + " ")), "nan"))

    def mistakes(self) -> str:
        """What promtool has against them."""
        done = subprocess.run([os.environ["PROMTOOL"], "check", "metrics"], input=self.page(), capture_output=True, text=True)
        return done.stdout + done.stderr + (f"status {done.returncode}" if done.returncode else "")


def metrics() -> None:
    broker = Broker()
    address = f"mqtt://127.0.0.1:{broker.port}"
    gateway = Gateway(address, "--metrics", "127.0.0.1:0", "--interval", "1")
    served = Metrics(gateway)
    within(5, lambda: gateway.has(event="broker"))
    show("the address of the metrics is told, with a port that is free", served.url.startswith("http://127.0.0.1:"), gateway.lines)
    port, page, value = int(served.url.split(":")[2].split("/")[0]), served.page, served.value
    with urllib.request.urlopen(served.url, timeout=5) as answer:
        kind = answer.headers["Content-Type"]
    show("the metrics have the type of Prometheus' text format", kind.startswith("text/plain; version=0.0.4"), kind)
    read, published = 'bluecap_gateway_frames_total{result="read"}', 'bluecap_gateway_messages_total{result="published"}'
    rises = within(5, lambda: value(read) > 2) and value(published) >= 4
    show("the numbers of frames and of messages rise", rises, page())
    is_right = (value("bluecap_gateway_devices"), value("bluecap_gateway_radio_on"), value("bluecap_gateway_broker_connected")) == (2, 1, 1)
    show("there are the devices, the radio and the broker", is_right, page())
    show("and frames for which there is no key", value('bluecap_gateway_frames_total{result="encrypted"}') > 0, page())
    show("and those of the radio's manager", value("bluecap_sightings_total") > 2, page())
    age = time.time() - value("bluecap_gateway_start_time_seconds")
    show("and the start of the gateway", 0 < age < 60, age)
    show("promtool finds nothing wrong with them", not served.mistakes(), f"{served.mistakes()} {page()}")
    none = value("bluecap_gateway_links_wanted") == 0 and "bluecap_gateway_state_unwritten_total" not in page()
    show("and without rules that connect, and a file, there are none of these", none, page())
    heard = ("Cellar", "a/b", "A4:C1", "a4c138", "5448e6", "54:48")
    show("and nothing off the radio is in them", not any(text in page() for text in heard), page())

    def send(data: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", port), 5) as client:
            try:
                client.sendall(data)
                client.shutdown(socket.SHUT_WR)
                return client.makefile("rb").read()
            except OSError as error:
                return repr(error).encode()

    refused = [(b"GET / HTTP/1.1\r\n\r\n", b"404"), (b"POST /metrics HTTP/1.1\r\n\r\n", b"405"), (os.urandom(64) + b"\r\n\r\n", b"400"),
               (b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 30_000, b"431")]
    for data, status in refused:
        answer = send(data)
        name = {b"404": "another path", b"405": "another method", b"400": "garbage", b"431": "a long header"}[status]
        show(f"{name} is refused with {status.decode()}", answer.startswith(b"HTTP/1.1 " + status), answer)
    send(b"x" * 1_000_000)
    silent = [socket.create_connection(("127.0.0.1", port), 5) for _ in range(200)]
    for client in silent[::2]:
        try:
            client.sendall(b"GET /metrics HTTP/1.1\r\n")
        except OSError:
            pass  # One that has given way to others.
    descriptors = len(os.listdir(f"/proc/{gateway.process.pid}/fd"))
    show("200 clients that do not end their requests hold up no other", "bluecap_gateway_info" in page())
    show("and are kept in a small number", descriptors < 60, descriptors)
    before = value(published)
    broker.kill()
    away = within(5, lambda: value("bluecap_gateway_broker_connected") == 0)
    waits = within(5, lambda: value("bluecap_gateway_messages_waiting") > 0 or value('bluecap_gateway_messages_total{result="replaced"}') > 0)
    show("a broker that is killed is away in them, and messages wait", away and waits, page())
    broker.start()
    back = within(10, lambda: value("bluecap_gateway_broker_connections_total") == 2 and value(published) > before)
    show("and its return is counted", back, page())
    silent += [socket.create_connection(("127.0.0.1", port), 5) for _ in range(4)]
    began = time.monotonic()
    status = gateway.end()
    show("clients that are slow do not hold up the end", status == -signal.SIGINT and time.monotonic() - began < 2, gateway.lines)
    for client in silent:
        client.close()

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        taken = listener.getsockname()[1]
        file = write("gateway.json", json.dumps({"broker": {"address": address}, "metrics": f"127.0.0.1:{taken}"}))
        gateway = Gateway("--configuration", file)
        status = gateway.process.wait(10)
    gateway.reader.join(5)
    is_right = status == 75 and "another program has that port" in "".join(gateway.lines) and not gateway.events()
    show("a port that is taken ends the gateway with advice before it has started anything", is_right, f"{status} {gateway.lines}")
    gateway = Gateway("--configuration", file, "--metrics", "[::1]:0")
    shown = within(5, lambda: any(event.get("url", "").startswith("http://[::1]:") for event in gateway.events()))
    gateway.end()
    show("the address of the command line wins over that of a file", shown, gateway.lines)
    broker.kill()

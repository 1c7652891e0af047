# SPDX-License-Identifier: MIT

"""web_streams.py PROGRAM…: reads the streams of Examples/Web as browsers do, and ends the server with SIGINT while some are open.

Ten clients listen to one strap and one to another. Half of the ten leave, the first among them; the others go on. When the only
listener of a strap leaves, its link ends. The server has to end with 0 within five seconds, and each stream with it."""
from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from urllib.parse import quote

PROGRAM = sys.argv[1:]
LIMIT = 30
END = 5


class Stream:
    """An EventSource: it asks again when its stream ends, and counts how often it did."""

    def __init__(self, port: int, strap: str) -> None:
        self.port, self.strap, self.again = port, strap, 0
        self.open()

    def open(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        self.connection.request("GET", f"/straps/{quote(self.strap)}/values")
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.status
        assert self.response.headers["Content-Type"] == "text/event-stream", self.response.headers

    def values(self, count: int) -> None:
        """Reads so many values, each an event of its own."""
        while count > 0:
            line = self.response.readline().decode()
            if not line:
                self.again += 1
                self.open()
            elif line.startswith("data: "):
                assert 30 <= json.loads(line.removeprefix("data: "))["beatsPerMinute"] <= 240, line
                assert self.response.readline() == b"\n"
                count -= 1

    def rest(self) -> bytes:
        return self.response.read()

    def close(self) -> None:
        self.connection.close()
        self.response.close()


class Server:
    def __init__(self) -> None:
        self.process = subprocess.Popen([*PROGRAM, "--virtual", "--port", "0"], stdout=subprocess.PIPE, text=True)
        address = self.process.stdout.readline()
        self.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", address).group(1))

    def get(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)
        connection.request("GET", path)
        response = connection.getresponse()
        status, body = response.status, response.read().decode()
        connection.close()
        return status, body

    def metrics(self) -> dict[str, float]:
        status, text = self.get("/metrics")
        assert status == 200, status
        lines = [line for line in text.splitlines() if not line.startswith("# TYPE ")]
        for line in lines:
            assert re.fullmatch(r'[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[0-9.e+-]+', line), line
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def passed(what: str) -> None:
    print(f"ok     {what}", flush=True)


def until(what: str, holds: Callable[[], bool]) -> None:
    limit = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < limit, f"not within {LIMIT} s: {what}"
        time.sleep(0.1)
    passed(what)


server = Server()
try:
    assert "<title>Heart rates</title>" in server.get("/")[1]
    until("two straps are found", lambda: len(json.loads(server.get("/straps")[1])) == 2)
    straps = {strap["name"]: strap["id"] for strap in json.loads(server.get("/straps")[1])}
    assert server.get("/straps/C0:FF:EE:00:00:00/values")[0] == 404
    second = subprocess.run([*PROGRAM, "--virtual", "--port", str(server.port)], stdout=subprocess.DEVNULL, timeout=LIMIT)
    assert second.returncode == 1, f"a second server on the port ended with {second.returncode}"

    streams = [Stream(server.port, straps["Ada"]) for _ in range(10)]
    other = Stream(server.port, straps["Bob"])
    for stream in [*streams, other]:
        stream.values(3)
    passed("eleven streams have values of two straps at once")
    metrics = server.metrics()
    assert metrics["bluecap_connected_peripherals"] == 2, metrics
    assert metrics['http_server_active_requests{http_request_method="GET"}'] == 12, metrics
    assert metrics['bluecap_operation_duration_seconds_count{role="central",operation="connect",outcome="success"}'] >= 2, metrics
    passed(f"{len(metrics)} metrics are shown, two links among them")

    for stream in streams[:5]:
        stream.close()
    for stream in streams[5:]:
        stream.values(5)
    assert not any(stream.again for stream in streams), [stream.again for stream in streams]
    passed("five clients leave, and the others' streams go on")
    other.close()
    until("the link ends with its only client", lambda: server.metrics()["bluecap_connected_peripherals"] == 1)

    began = time.monotonic()
    server.process.send_signal(signal.SIGINT)
    status = server.process.wait(LIMIT)
    took = time.monotonic() - began
    assert status == 0, f"ended with {status}"
    assert took < END, f"ended after {took:.1f} s"
    for stream in streams[5:]:
        stream.rest()
    passed(f"SIGINT ends the server after {took:.1f} s, and five open streams with it")
finally:
    server.process.kill()

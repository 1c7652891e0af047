# SPDX-License-Identifier: MIT

"""gateway_and_proxy.py BLUECAP: a gateway that is a proxy, too: one program over one radio, with a foreign subscriber of the broker and a
client of Home Assistant at once; the numbers of both, and `bluecap doctor`. The interpreter is that of Tests/Tool/proxy's environment."""
from __future__ import annotations

import asyncio
import glob
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time

# The environment that Tests/Tool/gateway has made: paho-mqtt has no dependencies.
sys.path[:0] = glob.glob(os.path.expanduser("~/.cache/bluecap/venv-paho-mqtt-*/lib/python3*/site-packages"))
from aioesphomeapi import APIClient  # noqa: E402
from gateway_metrics import Metrics  # noqa: E402
from gateway_scene import PROGRAM, STATUS, Broker, Gateway, Proxy, Subscriber, path, results, sensor, show, write  # noqa: E402

STRAP, RATE = "C0:DE:00:00:00:02", "bluecap/cellar/c0de00000002/state"
BATTERY = "00002a19"
write("cellar.json", json.dumps(sensor("Cellar", "A4:C1:38:00:00:01", "40016102c409")))
WORLD = write("both.json", json.dumps({"world": 1, "devices": [
    {"twin": "cellar.json"},
    {"name": "Belt", "address": STRAP, "metres": 4, "services": ["Heart Rate", "Battery"], "values": {"battery level": "80"},
     "moves": {"heart rate measurement": "wave:60..120"}}]}))


async def until(condition, limit: float = 10) -> bool:
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end:
        await asyncio.sleep(0.02)
    return bool(condition())


def configuration(name: str, broker: Broker, **proxy) -> str:
    return write(name, json.dumps({
        "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "metrics": "127.0.0.1:0", "maximumInterval": 1,
        "proxy": {"key": "key", "port": 0, "address": "127.0.0.1", **proxy},
        "rules": [{"match": {"address": STRAP}, "name": "Belt", "connect": {"subscribe": ["180D/2A37"]}}]}))


class User:
    def __init__(self, port: int):
        with open(path("key"), encoding="ascii") as file:
            self.api = APIClient("127.0.0.1", port, None, noise_psk=file.read().strip(), client_info="visitor")
        self.heard: list[int] = []
        self.links: list[bool] = []
        self.ended = False

    async def open(self) -> User:
        async def stopped(_expected: bool) -> None:
            self.ended = True

        await self.api.connect(on_stop=stopped, login=True)
        self.info = await self.api.device_info()
        self.api.subscribe_bluetooth_le_raw_advertisements(lambda message: self.heard.extend(x.address for x in message.advertisements))
        return self

    async def connect(self) -> None:
        await self.api.bluetooth_device_connect(
            int(STRAP.replace(":", ""), 16), lambda is_up, *_: self.links.append(is_up),
            feature_flags=self.info.bluetooth_proxy_feature_flags, has_cache=False, address_type=1, timeout=20)

    async def battery(self) -> bytes:
        strap = int(STRAP.replace(":", ""), 16)
        services = (await self.api.bluetooth_gatt_get_services(strap)).services
        handle = next(x.handle for service in services for x in service.characteristics if x.uuid.startswith(BATTERY))
        return bytes(await self.api.bluetooth_gatt_read(strap, handle))


async def at_once() -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    gateway = Gateway("--configuration", configuration("both.conf", broker), backend=f"virtual:{WORLD}")
    started = await until(lambda: gateway.has(event="proxy", state="listening") and gateway.has(event="broker", state="connected"))
    show("one program is a gateway and a proxy", started, gateway.lines)
    show("the key is made", gateway.count(event="key", path=path("key")) == 1, gateway.lines)
    facts = next(event for event in gateway.events() if event["event"] == "proxy")
    show("the proxy has the gateway's name", facts["name"] == "cellar" and facts["encrypted"], facts)
    user = await User(facts["port"]).open()
    show("the sensor is at the broker", await until(lambda: "temperature" in subscriber.newest.get("bluecap/cellar/a4c138000001/state", "")),
         subscriber.newest)
    show("and its packets are at the client", await until(lambda: 0xA4C138000001 in user.heard), user.heard[-3:])
    show("the gateway keeps a connection", await until(lambda: "heart_rate" in subscriber.newest.get(RATE, "")), subscriber.newest)
    await user.connect()
    show("the client uses the same device beside it", await user.battery() == b"\x50", gateway.lines[-5:])
    show("its link is told as the proxy's", gateway.count(event="link", state="connected", id=STRAP, proxy="cellar") == 1, gateway.lines)
    metrics = Metrics(gateway)
    both = await until(lambda: metrics.value("bluecap_proxy_links") == 1 and metrics.value("bluecap_gateway_links") == 1, 3)
    show("the numbers of both are served", both, metrics.page())
    sent = metrics.value('bluecap_proxy_advertisements_total{result="sent"}')
    rises = await until(lambda: metrics.value('bluecap_proxy_advertisements_total{result="sent"}') > sent, 3)
    show("and rise", rises and metrics.value("bluecap_proxy_clients") == 1 and metrics.value("bluecap_proxy_slots") == 3, metrics.page())
    show("each with a line of help", "No description" not in metrics.page(), metrics.page())
    other = await User(facts["port"]).open()
    await other.connect()
    refused = await until(lambda: metrics.value("bluecap_proxy_links_refused_total") == 1, 3)
    show("the device is not another client's, which is counted", other.links == [False] and refused, metrics.page())
    await other.api.disconnect()
    told = [text for text in ("Belt", "C0:DE", "visitor", "A4:C1") if text in metrics.page()]
    show("nothing off the radio or of a client is in them", not told, told)
    if "PROMTOOL" in os.environ:
        show("promtool finds nothing wrong with them", not metrics.mistakes(), metrics.mistakes())
    await user.api.bluetooth_device_disconnect(int(STRAP.replace(":", ""), 16))
    await until(lambda: gateway.has(event="link", state="disconnected", id=STRAP, proxy="cellar"))
    subscriber.clear()
    stays = await until(lambda: "heart_rate" in subscriber.newest.get(RATE, ""), 5)
    lost = [event for event in gateway.events() if event["event"] == "link" and event["state"] == "disconnected" and "proxy" not in event]
    show("the gateway's connection outlives the client's", stays and not lost, gateway.lines[-5:])
    gateway.process.send_signal(signal.SIGHUP)
    read = await until(lambda: gateway.has(event="configuration", state="read"))
    count = len(user.heard)
    show("the configuration is read again, and the client stays", read and await until(lambda: len(user.heard) > count) and not user.ended)
    with socket.create_connection(("127.0.0.1", facts["port"])) as client:
        client.sendall(b"nonsense")
        refused = await until(lambda: metrics.value('bluecap_proxy_refused_total{reason="malformed"}') == 1, 5)
    show("a refusal is counted", refused, metrics.page())
    await user.connect()
    status = gateway.end()
    show("both end by Ctrl-C", status == -signal.SIGINT, gateway.lines[-5:])
    ends = [event["event"] for event in gateway.events() if event.get("state") == "ended" or event["event"] == "gateway"]
    show("each with its numbers, the proxy last", ends == ["gateway", "proxy"], gateway.lines[-5:])
    show("the gateway says farewell", await until(lambda: subscriber.newest.get(STATUS) == "offline", 2), subscriber.newest)
    show("and the client is told of the end", await until(lambda: user.ended, 5))
    known = subprocess.run([PROGRAM, "help", "proxy"], capture_output=True, text=True).stdout
    show("each key is explained", not [key for key in gateway.unexplained() if key not in known], gateway.unexplained())
    subscriber.end()
    broker.kill()


async def starts() -> None:
    """Whose options win, and what keeps both from starting."""
    broker = Broker()
    gateway = Gateway("--configuration", configuration("other.conf", broker), "--proxy", path("other-key"), backend=f"virtual:{WORLD}")
    made = await until(lambda: gateway.has(event="key", path=path("other-key")) and gateway.has(event="broker"))
    show("the key of the command line wins over that of a file", made, gateway.lines)
    gateway.end()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        file = configuration("taken.conf", broker, port=listener.getsockname()[1])
        gateway = Gateway("--configuration", file, backend=f"virtual:{WORLD}")
        status = gateway.process.wait(10)
        gateway.reader.join(5)
        is_right = status == 75 and "another program has it" in " ".join("".join(gateway.lines).split()) and not gateway.has(event="broker")
        show("a port that is taken ends both before anything is published", is_right, f"{status} {gateway.lines}")
        doctor("doctor finds the port that is taken", 75, "by a proxy that runs already", "--configuration", file)
    doctor("and nothing else", 0, "is free", "--configuration", file)
    os.chmod(path("key"), 0o644)
    doctor("a key that others may read is a fault", 75, f"chmod 600 {path('key')}", "--proxy", path("key"), "--port", "0")
    os.chmod(path("key"), 0o600)
    doctor("and one that they may not is none", 0, "for its owner alone", "--proxy", path("key"), "--port", "0")
    doctor("a key that is not there is no fault", 0, "by the first start", "--proxy", path("no-key"), "--port", "0")
    show("and is not made", not os.path.exists(path("no-key")))
    doctor("a file without a key is", 75, "is no key", "--proxy", write("bad-key", "hello\n"), "--port", "0")
    broker.kill()
    proxy = Proxy("--key", path("key"), "--metrics", "127.0.0.1:0", backend=f"virtual:{WORLD}")
    metrics = Metrics(proxy)
    served = await until(lambda: metrics.value("bluecap_proxy_radio_on") == 1, 5)
    show("a proxy alone serves its numbers, and none of a gateway", served and "bluecap_gateway_" not in metrics.page(), metrics.page())
    proxy.end()
    show("each key of the proxy is explained", not proxy.unexplained(), proxy.unexplained())


def doctor(behaviour: str, status: int, finding: str, *words: str) -> None:
    done = subprocess.run(
        [PROGRAM, "doctor", "--backend", "virtual", *words, "--json"], capture_output=True, text=True, timeout=20)
    checks = json.loads(done.stdout or "{}").get("checks", [])
    told = any(finding in f"{check['finding']} {check.get('remedy', '')}" for check in checks)
    show(behaviour, done.returncode == status and told, f"{done.returncode} {done.stdout} {done.stderr}")


async def main() -> None:
    for part in (at_once, starts):
        try:
            await asyncio.wait_for(part(), 120)
        except Exception as error:  # The other part is shown all the same.
            show(f"{part.__name__} runs to its end", False, repr(error))


logging.disable(logging.CRITICAL)
asyncio.run(main())
print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
sys.exit(0 if all(results) else 1)

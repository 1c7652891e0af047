#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# gateway.py BLUECAP: `bluecap gateway` between sensors of a virtual radio and mosquitto, with paho-mqtt as a foreign subscriber. Each
# line is a behaviour. BLUECAP is a program with the trait Gateway.
import json
import os
import shutil
import signal
import socket
import subprocess
import time

from gateway_brokers import brokers, quiet_begun, quiet_shown
from gateway_connections import connected
from gateway_formats import formats
from gateway_metrics import Metrics, metrics
from gateway_order import order
from gateway_scene import (
    CONFIG, FOLDER, PROGRAM, STATE, STATUS, Broker, Gateway, Subscriber, end, free_port, path, show, within, write)


def plain() -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    gateway = Gateway(f"mqtt://127.0.0.1:{broker.port}")
    came = within(5, lambda: STATE in subscriber.newest and CONFIG in subscriber.newest)
    show("a state and its description come within five seconds", came, subscriber.all)
    state = json.loads(subscriber.newest.get(STATE, "{}"))
    show("the state has the values that were advertised", (state.get("temperature"), state.get("battery")) == (25, 97), state)
    show("the gateway is online", subscriber.newest.get(STATUS) == "online", subscriber.newest)
    config = json.loads(subscriber.newest.get(CONFIG, "{}"))
    temperature = config.get("components", {}).get("temperature", {})
    wanted = ("temperature", "°C", "measurement", "bluecap_a4c138000001_temperature")
    found = tuple(temperature.get(key) for key in ("device_class", "unit_of_measurement", "state_class", "unique_id"))
    show("the description has class, unit and a name of its own", found == wanted, config)
    levels = {topic.split("/")[2] for topic in subscriber.newest if topic.startswith("bluecap/") and topic.endswith("state")}
    show("no character of an address or a name makes another level", levels == {"a4c138000001", "a4c138000002"}, levels)
    show("the connection is told once", gateway.has(event="broker", state="connected"), gateway.lines)

    subscriber.clear()
    subscriber.client.publish("homeassistant/status", "online", 1)
    show("all is published again when Home Assistant starts", within(3, lambda: {STATE, CONFIG} <= set(subscriber.newest)))

    subscriber.clear()
    broker.kill()
    is_lost = within(5, lambda: gateway.has(event="broker", state="lost"))
    show("a broker that is killed is told", is_lost, gateway.lines)
    broker.start()
    back = within(5, lambda: {STATE, CONFIG, STATUS} <= set(subscriber.newest))
    show("five seconds after the broker's return all is there again", back, subscriber.all)

    subscriber.clear()
    gateway.process.kill()
    show("a gateway that is killed is offline", within(3, lambda: subscriber.newest.get(STATUS) == "offline"), subscriber.all)

    gateway = Gateway(f"mqtt://127.0.0.1:{broker.port}")
    within(5, lambda: subscriber.newest.get(STATUS) == "online")
    status = gateway.end()
    show("a gateway that is stopped ends by SIGINT", status == -signal.SIGINT, f"{status} {gateway.lines}")
    show("and is offline", within(2, lambda: subscriber.newest.get(STATUS) == "offline"), subscriber.all)
    last = [event for event in gateway.events() if event["event"] == "gateway"]
    show("and the help explains each key of its JSON", not gateway.unexplained(), gateway.unexplained())
    none = {"dropped": 0, "refused": 0, "lost": 0}
    show("and says that nothing was lost", len(last) == 1 and none.items() <= last[0].items(), gateway.lines)
    subscriber.end()
    broker.kill()


def passwords() -> None:
    file = path("passwords")
    subprocess.run(["mosquitto_passwd", "-b", "-c", file, "house", "open sesame"], check=True, capture_output=True)
    os.chmod(file, 0o644)
    broker = Broker("allow_anonymous false", f"password_file {file}")
    address = f"mqtt://127.0.0.1:{broker.port}"
    right, wrong = write("right", "open sesame\n"), write("wrong", "open barley\n")
    gateway = Gateway(address, "--username", "house", "--password-file", right)
    show("a password of a file is accepted", within(5, lambda: gateway.has(event="broker", state="connected")), gateway.lines)
    gateway.end()
    os.makedirs(path("credentials"), exist_ok=True)
    write("credentials/mqtt-password", "open sesame")
    gateway = Gateway(address, "--username", "house", environment={"CREDENTIALS_DIRECTORY": path("credentials")})
    show("a password of systemd is accepted", within(5, lambda: gateway.has(event="broker", state="connected")), gateway.lines)
    gateway.end()
    gateway = Gateway(address, "--username", "house", "--password-file", wrong, "--verbose")
    refused = within(5, lambda: gateway.has(event="broker", state="refused"))
    show("a wrong password is refused, and told", refused, gateway.lines)
    gateway.end()
    show("no password is printed", "barley" not in "".join(gateway.lines), gateway.lines)
    broker.kill()


def certificates() -> None:
    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=FOLDER.name)

    for authority in ("ca", "other"):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={authority}",
                "-keyout", f"{authority}.key", "-out", f"{authority}.pem")
    write("names", "subjectAltName=DNS:localhost\n")
    for name in ("server", "client"):
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", "names", "-out", f"{name}.pem")
    for name in os.listdir(FOLDER.name):
        if name.endswith((".key", ".pem")):
            os.chmod(path(name), 0o644)
    tls = [f"cafile {path('ca.pem')}", f"certfile {path('server.pem')}", f"keyfile {path('server.key')}"]
    broker = Broker("allow_anonymous true", *tls)
    address = f"mqtts://localhost:{broker.port}"
    gateway = Gateway(address, "--ca-file", path("ca.pem"))
    show("a broker with TLS is connected to", within(5, lambda: gateway.has(event="broker", state="connected")), gateway.lines)
    gateway.end()
    gateway = Gateway(address, "--ca-file", path("other.pem"))
    lost = within(5, lambda: any("certificate verify failed" in event.get("reason", "") for event in gateway.events()))
    show("a broker that another authority vouches for is not connected to, and the reason is told", lost, gateway.lines)
    gateway.end()
    show("and gets no message", not gateway.has(event="broker", state="connected"), gateway.lines)
    gateway = Gateway(address)
    within(3, lambda: gateway.has(event="broker", state="lost"))
    gateway.end()
    show("nor does one that no authority of the system vouches for", not gateway.has(event="broker", state="connected"))
    broker.kill()
    broker = Broker("allow_anonymous true", "require_certificate true", *tls)
    address = f"mqtts://localhost:{broker.port}"
    own = ("--certificate-file", path("client.pem"), "--key-file", path("client.key"))
    gateway = Gateway(address, "--ca-file", path("ca.pem"), *own)
    connected = within(5, lambda: gateway.has(event="broker", state="connected"))
    show("the gateway's own certificate is accepted", connected, gateway.lines)
    gateway.end()
    broker.kill()


def configuration() -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    address, key = f"mqtt://127.0.0.1:{broker.port}", "231d39c1d7cc1ab1aee224cd096db932"
    freezer, states = "homeassistant/device/bluecap_5448e68f80a5/config", "bluecap/cellar/{}/state"

    def save(*rules: dict, **more) -> str:
        return write("gateway.json", json.dumps({"broker": {"address": address}, "rules": rules, **more}, indent=1))

    def is_silent(level: str) -> bool:
        return not any(level in topic for topic, _ in subscriber.all)

    cellar, others = {"match": {"name": "Cellar"}, "name": "Wine"}, {"publish": False}
    frozen = {"match": {"address": "54:48:E6:8F:80:A5"}, "name": "Freezer", "key": key}
    gateway = Gateway("--configuration", save(frozen, cellar, others))
    came = within(5, lambda: {STATE, CONFIG, freezer, states.format("5448e68f80a5")} <= set(subscriber.newest))
    show("a file names the broker and the devices", came, f"{subscriber.all} {gateway.lines}")
    name = json.loads(subscriber.newest.get(CONFIG, "{}")).get("device", {}).get("name")
    show("a device has the name of its rule", name == "Wine", name)
    state = json.loads(subscriber.newest.get(states.format("5448e68f80a5"), "{}"))
    is_right = (state.get("temperature"), state.get("humidity")) == (25.06, 50.55)
    show("the values of an encrypted frame are read with the key", is_right, state)
    show("nothing is published of a device whose rule says so", is_silent("a4c138000002"), subscriber.all)

    save(cellar, others, prefix="a/#")
    subscriber.clear()
    gateway.process.send_signal(signal.SIGHUP)
    refused = within(3, lambda: gateway.has(event="configuration", state="refused"))
    reasons = [event["reason"] for event in gateway.events() if event["event"] == "configuration"]
    show("after SIGHUP a file with a mistake is refused once, with its line", refused and "gateway.json:" in reasons[0], gateway.lines)
    stays = not within(1, lambda: "" in subscriber.newest.values())
    show("and all stays as it was", stays and gateway.process.poll() is None, subscriber.all)

    save({**cellar, "name": "Coal"}, others, prefix="house")
    gateway.process.send_signal(signal.SIGHUP)
    gone = within(3, lambda: all(subscriber.newest.get(topic) == "" for topic in (freezer, states.format("5448e68f80a5"))))
    show("after SIGHUP a device whose rule went away is removed from Home Assistant", gone, f"{subscriber.all} {gateway.lines}")
    renamed = within(3, lambda: '"name":"Coal"' in subscriber.newest.get(CONFIG, ""))
    show("and a new rule holds", renamed, subscriber.newest)
    show("and a value that waits for the next start is named", gateway.has(event="configuration", nextStart=["prefix"]), gateway.lines)
    late = Subscriber(broker)
    within(3, lambda: CONFIG in late.newest)
    is_right = CONFIG in late.newest and not any("5448e68f80a5" in topic for topic in late.newest)
    show("and the broker keeps nothing of the device that was removed", is_right, late.newest)
    late.end()

    save({**frozen, "key": "0" * 32}, cellar, others)
    gateway.process.send_signal(signal.SIGHUP)
    unread = within(3, lambda: gateway.has(event="unread", id="54:48:E6:8F:80:A5"))
    again = within(1, lambda: gateway.count(event="unread") > 1)
    show("frames of a wrong key are reported once", unread and not again, gateway.lines)
    show("and SIGHUP has dropped no connection", gateway.count(event="broker") == 1, gateway.lines)
    gateway.end()
    last = [event for event in gateway.events() if event["event"] == "gateway"]
    show("and the frames are counted", len(last) == 1 and last[0]["unread"] > 1, gateway.lines)
    show("and no key is printed", key not in "".join(gateway.lines) and "0" * 32 not in "".join(gateway.lines), gateway.lines)
    show("and the help explains each key of these events", not gateway.unexplained(), gateway.unexplained())
    gateway = Gateway("--configuration", save(frozen, others))
    within(5, lambda: subscriber.newest.get(freezer))
    gateway.end()
    gateway = Gateway("--configuration", save({"match": {"address": "A4:C1:38:00:00:01"}}, others))
    gone = within(5, lambda: subscriber.newest.get(freezer) == "")
    show("a device whose rule went away while the gateway was not running is removed", gone, gateway.lines)
    gateway.end()
    closed = free_port()
    write("gateway.json", json.dumps({"broker": {"address": f"mqtt://127.0.0.1:{closed}"}}))
    gateway = Gateway(address, "--configuration", path("gateway.json"))
    connected = within(5, lambda: gateway.has(event="broker", state="connected"))
    show("the broker of the command line wins over that of a file", connected, gateway.lines)
    gateway.end()
    subscriber.end()
    broker.kill()


def doctor() -> None:
    broker = Broker("allow_anonymous false")
    address = f"mqtt://127.0.0.1:{broker.port}"
    wanted = [
        ('{"broker":{"address":"%s"}}' % address, 75, "not authorized"),
        ('{"broker":{"address":"mqtt://127.0.0.1:%d"}}' % free_port(), 75, "is not reached"),
        ('{"broker":{"address":"mqtts://localhost","caFile":"%s"}}' % write("none.pem", "none"), 64, "not in PEM form"),
        ("{}", 64, "names no broker"), ('{"nmae":""}', 64, "doctor.json:1:2: the file has no 'nmae'"),
    ]
    for text, status, finding in wanted:
        done = subprocess.run(
            [PROGRAM, "doctor", "--backend", "virtual", "--configuration", write("doctor.json", text)],
            capture_output=True, text=True, timeout=20)
        is_right = done.returncode == status and finding in " ".join((done.stdout + done.stderr).split())
        show(f"doctor says '{finding}'", is_right, f"{done.returncode} {done.stdout} {done.stderr}")
    broker.kill()
    broker = Broker()
    file = write("doctor.json", '{"broker":{"address":"mqtt://127.0.0.1:%d"}}' % broker.port)
    done = subprocess.run(
        [PROGRAM, "doctor", "--backend", "virtual", "--configuration", file], capture_output=True, text=True, timeout=20)
    show("doctor finds nothing wrong with a broker that accepts it", done.returncode == 0, f"{done.returncode} {done.stdout}")
    broker.kill()


def systemd() -> None:
    broker = Broker()
    for name in (path("notify"), f"@bluecap-gateway-{os.getpid()}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.settimeout(10)
            listener.bind(name.replace("@", "\0", 1))
            heard: list[str] = []

            def wait(wanted: str) -> bool:
                """Whether a message comes within ten seconds that begins so; those before it are kept."""
                end = time.monotonic() + 10
                try:
                    while not any(line.startswith(wanted) for line in heard):
                        if time.monotonic() > end:
                            return False
                        heard.extend(listener.recv(4096).decode().split("\n"))
                except TimeoutError:
                    return False
                return True

            file = write("gateway.json", json.dumps({"broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}}))
            environment = {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "400000"}
            gateway = Gateway("--configuration", file, environment=environment)
            kind = "an abstract socket" if name[0] == "@" else "a socket in a folder"
            show(f"the gateway reports to systemd, over {kind}, that it is ready", wait("READY=1") and heard[0] == "READY=1", heard)
            heard.clear()
            alive = wait("STATUS=2 devices") and any(line.startswith("WATCHDOG=1") for line in heard)
            show("and that it is alive, with how many devices", alive, heard)
            heard.clear()
            gateway.process.send_signal(signal.SIGHUP)
            show("and that it reads its file again", wait("RELOADING=1") and wait("READY=1"), heard)
            heard.clear()
            gateway.process.terminate()
            show("and that it ends", wait("STOPPING=1"), heard)
            gateway.end(signal.SIGTERM)
    broker.kill()


def several() -> None:
    def world(name: str, *metres: object) -> str:
        """A world in which three sensors have distances, one number or a path each."""
        devices = [
            {"twin": "a.json", "address": f"A4:C1:38:00:00:0{number}", **({"metres": at} if isinstance(at, int) else {"path": at})}
            for number, at in enumerate(metres, 1)]
        return write(f"{name}-world.json", json.dumps({"world": 1, "seed": len(name), "devices": devices}))

    def path_from(before: int, after: int) -> list:
        return [{"at": at, "metres": metres} for at, metres in ((0, before), (move, before), (move + 0.1, after), (9999, after))]

    def start(name: str) -> Gateway:
        return Gateway(address, "--configuration", file, backend=f"virtual:{worlds[name]}", name=name)

    def owner(device: int) -> str | None:
        return json.loads(subscriber.newest.get(topic(device, "owner")) or "{}").get("owner")

    def topic(device: int, level: str) -> str:
        return f"bluecap/home/a4c13800000{device}/{level}"

    def owners(device: int, begun: int = 0) -> list[str]:
        """The owners one after the other, in the messages from a place on."""
        names = [json.loads(text or "{}").get("owner") for at, text in subscriber.all[begun:] if at == topic(device, "owner")]
        return [name for place, name in enumerate(names) if place == 0 or names[place - 1] != name]

    def took(device: int, *names: str, limit: float = 2) -> tuple[bool, str]:
        """Whether one of the gateways owns a device some seconds from now, and when."""
        begun = time.monotonic()
        is_there = within(limit, lambda: owner(device) in names)
        return is_there, f"{time.monotonic() - begun:.2f} s: {owner(device)} {owners(device)}"

    move = 14
    worlds = {
        "cellar": world("cellar", 1, 20, 3), "attic": world("attic", 4, path_from(20, 1), 3),
        "shed": world("shed", 12, path_from(1, 20), 3)}
    file = write("group.json", json.dumps({"group": "home"}))
    broker = Broker()
    address = f"mqtt://127.0.0.1:{broker.port}"
    subscriber = Subscriber(broker)
    # The time of each world begins with its process: between these two.
    first = time.monotonic()
    gateways = {name: start(name) for name in worlds}
    for gateway in gateways.values():
        within(5, lambda gateway=gateway: gateway.has(event="device"))
    begun = time.monotonic()
    best = within(8, lambda: (owner(1), owner(2)) == ("cellar", "shed") and owner(3))
    show("of three gateways the one that hears a device best owns it", best, [owners(1), owners(2), owners(3)])
    time.sleep(max(begun + 5 - time.monotonic(), 0))
    quiet = len(subscriber.all)
    time.sleep(max(first + move - 0.5 - time.monotonic(), 0))
    changes = [owners(device, quiet) for device in (1, 2, 3)]
    still = all(len(names) <= 1 for names in changes[:2]) and len(changes[2]) == len(set(changes[2])) <= 2
    show("in noise of ±6 dB no device comes back to an owner that it had", still, changes)
    beats = sum(at.endswith("/alive") for at, _ in subscriber.all[quiet:])
    claims = sum(at.endswith("/owner") for at, _ in subscriber.all[quiet:])
    show("and its owners publish hardly anything about that", claims <= 6 and beats <= 120, f"{claims} claims, {beats} signs of life")
    time.sleep(max(begun + move - time.monotonic(), 0))
    # A virtual device is at its new place up to half a second later.
    moved = took(2, "attic", limit=2.5)
    show("a device that goes from one gateway to another is handed over within two seconds", moved[0], moved[1])
    print(f"       after {moved[1]}")

    place = len(subscriber.all)
    gateways["cellar"].process.kill()
    killed = took(1, "attic", "shed")
    show("a device whose owner is killed is handed over within two seconds", killed[0], killed[1])
    print(f"       after {killed[1]}")
    state = within(2, lambda: topic(1, "state") in dict(subscriber.all[place:]))
    show("and its state is published by the next one", state, subscriber.all[place:])

    gateways["cellar"] = start("cellar")
    back = within(8, lambda: owner(1) == "cellar")
    show("and comes back to a gateway that hears it better by 6 dB", back, owners(1))

    gateways["attic"].process.send_signal(signal.SIGSTOP)
    stopped = took(2, "cellar", "shed")
    show("a device whose owner stands still, with its connection, is handed over within two seconds", stopped[0], stopped[1])
    print(f"       after {stopped[1]}")
    gateways["attic"].process.send_signal(signal.SIGCONT)
    back = within(8, lambda: owner(2) == "attic")
    show("and comes back", back, owners(2))

    place = len(subscriber.all)
    subscriber.client.publish(topic(1, "owner"), '{"owner": "a/#"}', 1, True)
    repaired = within(1, lambda: "a/#" in str(subscriber.all[place:])) and within(3, lambda: owner(1) == "cellar")
    show("a claim that is none is replaced by one of the owner", repaired, subscriber.all[place:])

    broker.process.send_signal(signal.SIGSTOP)
    time.sleep(0.7)
    broker.kill()
    time.sleep(0.5)
    place = len(subscriber.all)
    broker.start()
    wanted = {topic(device, level) for device in (1, 2, 3) for level in ("owner", "availability", "state")}
    again = within(10, lambda: wanted <= set(dict(subscriber.all[place:])))
    show("after a restart of a broker that forgets all, each device has an owner and a state again", again, subscriber.all[place:])

    late = Subscriber(broker)
    within(3, lambda: CONFIG in late.newest)
    described = {at for at in late.newest if at.startswith("homeassistant/")}
    show("each device has one description", len(described) == 3, described)
    config = json.loads(late.newest.get(CONFIG, "{}"))
    topics = (config.get("state_topic"), [entry["topic"] for entry in config.get("availability", [])])
    show("whose topics name no gateway", topics == (topic(1, "state"), [topic(1, "availability")]), topics)
    offline = [at for at, text in subscriber.all if at.endswith("availability") and text != "online"]
    show("and in no hand-over a device was unavailable", not offline, offline)
    for gateway in gateways.values():
        gateway.end()
    last = [event for gateway in gateways.values() for event in gateway.events() if event["event"] == "gateway"]
    show("and what a lost connection left is counted, and was not sent", all(event["outdated"] for event in last), last)
    show("and the message of no gateway is counted", any(event.get("ignored") for event in last), last)
    show("and the help explains each key of a group", not gateways["shed"].unexplained(), gateways["shed"].unexplained())
    late.end()
    subscriber.end()
    broker.kill()


def state() -> None:
    broker = Broker()
    broker.kill()
    folder, empty = path("state"), f"virtual:{write('empty.json', json.dumps({'world': 1, 'devices': []}))}"
    address, kept = f"mqtt://127.0.0.1:{broker.port}", os.path.join(folder, "gateway.cellar.journal")
    file = write("gateway.json", json.dumps({"broker": {"address": address}, "state": folder}))

    def saved() -> str:
        return open(kept, encoding="utf-8").read().replace("\\/", "/") if os.path.exists(kept) else ""

    def last(gateway: Gateway) -> dict:
        return next((event for event in gateway.events() if event["event"] == "gateway"), {})

    gateway = Gateway("--configuration", file)
    is_there = within(6, lambda: STATE in saved() and CONFIG in saved())
    show("messages that wait for a broker are in the file within seconds", is_there, f"{gateway.lines} {saved()}")
    gateway.process.kill()
    gateway.process.wait(5)
    broker.start()
    subscriber = Subscriber(broker)
    gateway = Gateway("--configuration", file, backend=empty)
    came = within(6, lambda: {STATE, CONFIG} <= set(subscriber.newest) and subscriber.newest.get(STATUS) == "online")
    show("after a kill of both the next run sends them to the broker", came, f"{subscriber.all} {gateway.lines}")
    topics = [at for at, _ in subscriber.all if "a4c138000001" in at]
    show("each once, a description before its state", topics.count(STATE) == 1 and topics.index(CONFIG) < topics.index(STATE), topics)
    is_offline = within(4, lambda: subscriber.newest.get(STATE.replace("state", "availability")) == "offline")
    show("and a device that is not heard any more is not available", is_offline, subscriber.all)
    gone = within(4, lambda: bool(saved()) and STATE not in saved())
    show("and they are in the file no more", gone, saved())
    gateway.end()
    show("a stop without waiting messages keeps none", last(gateway).get("kept") == 0, gateway.lines)

    broker.kill()
    gateway = Gateway("--configuration", file)
    within(5, lambda: gateway.count(event="device") == 2)
    gateway.end()
    is_kept = last(gateway).get("kept", 0) >= 6 and STATE in saved()
    show("a clean stop without the broker keeps all that waits", is_kept, f"{gateway.lines} {saved()}")
    text, count = open(kept, encoding="utf-8").read(), last(gateway).get("kept")
    broker.start()
    subscriber.clear()
    moved = write("moved.json", json.dumps({"broker": {"address": address}, "state": folder, "prefix": "moved"}))
    gateway = Gateway("--configuration", moved, backend=empty)
    came = within(5, lambda: subscriber.newest.get("moved/cellar/status") == "online")
    gateway.end()
    show("after a change of the prefix none of it is sent", came and not any("a4c138" in at for at, _ in subscriber.all), subscriber.all)
    show("and all of it is counted", last(gateway).get("expired") == count, gateway.lines)
    broker.kill()
    with open(kept, "w", encoding="utf-8") as output:
        output.write(text[:len(text) // 2])
    gateway = Gateway("--configuration", file, backend=empty)
    reported = within(5, lambda: gateway.has(event="state"))
    other = Gateway("--configuration", file, backend=empty)
    in_use = within(5, lambda: any("another gateway" in event["reason"] for event in other.events() if event["event"] == "state"))
    show("a file that was cut off is moved away and reported", reported and os.path.exists(kept.replace("journal", "kept")), gateway.lines)
    show("and one that another gateway has is left alone, and reported", in_use, other.lines)
    other.end()
    gateway.end()
    show("and the help explains each key of a file", not gateway.unexplained(), gateway.unexplained())

    full = path("full")
    os.makedirs(full, exist_ok=True)
    file = write("gateway.json", json.dumps({"broker": {"address": address}, "state": full, "metrics": "127.0.0.1:0"}))
    script = f"mount -t tmpfs -o size=4k tmpfs {full} && head -c 4096 /dev/zero > {full}/filler; exec \"$@\""
    gateway = Gateway("--configuration", file, before=("unshare", "-m", "sh", "-c", script, "sh"))
    reported = within(6, lambda: gateway.has(event="state"))
    time.sleep(2.5)
    reasons = [event["reason"] for event in gateway.events() if event["event"] == "state"]
    show("a full disk is reported once, and the gateway goes on", reported and len(reasons) == 1 and "No space" in reasons[0] and gateway.process.poll() is None, gateway.lines)
    broker.start()
    goes_on = within(8, lambda: STATE in subscriber.newest and gateway.has(event="broker", state="connected"))
    unwritten = Metrics(gateway).value("bluecap_gateway_state_unwritten_total")
    gateway.end()
    show("and the failed writes are counted", goes_on and last(gateway).get("unwritten", 0) > 1, gateway.lines)
    show("and are in the metrics", unwritten > 1, unwritten)
    gone = path("gone")
    os.makedirs(gone)
    gateway = Gateway("--configuration", write("gateway.json", json.dumps({"broker": {"address": address}, "state": gone})))
    within(5, lambda: gateway.has(event="broker", state="connected"))
    shutil.rmtree(gone)
    gateway.end()
    show("a fault of the last write is reported, too", gateway.count(event="state") == 1 and last(gateway).get("unwritten", 0) >= 1, gateway.lines)
    subscriber.end()
    broker.kill()


def mistakes() -> None:
    wanted = {
        ("http://localhost",): "mqtt://HOST", ("mqtt://a:b@localhost",): "--username",
        ("mqtt://localhost", "--ca-file", "ca.pem"): "mqtts://localhost",
        ("mqtt://localhost", "--password-file", "x"): "--username",
        ("mqtts://localhost", "--ca-file", "/nowhere.pem"): "certificate", (): "--configuration FILE",
        ("--configuration", write("none.json", "{}")): "names no broker",
        ("--configuration", "/nowhere.json"): "/nowhere.json: No such file",
        ("--configuration", write("tls.json", '{"broker":{"address":"mqtts://a"}}'), "--ca-file", "a", "--key-file", "b"): "go together",
        ("mqtt://localhost", "--metrics", "broker.lan:9464"): "127.0.0.1:9464",
        ("mqtt://localhost", "--username", "a", "--password-file", "/nowhere"): "/nowhere",
    }
    for words, advice in wanted.items():
        done = subprocess.run(
            [PROGRAM, "gateway", *words, "--backend", "virtual", "--duration", "1"], capture_output=True, text=True, timeout=20)
        is_right = done.returncode == 64 and advice in done.stderr
        line = " ".join(["gateway", *words]).replace(FOLDER.name + "/", "")
        show(f"'{line}' is refused with advice", is_right, f"{done.returncode} {done.stderr}")
    file = write("wrong.json", '{\n"nmae": "a",\n"rules": [{ "key": "' + "7" * 31 + '" }],\n"prefix": "#" }')
    done = subprocess.run([PROGRAM, "gateway", "mqtt://localhost", "--configuration", file], capture_output=True, text=True, timeout=20)
    is_right = done.returncode == 64 and all(f"wrong.json:{line}:" in done.stderr for line in (2, 3, 4))
    show("all mistakes of a file are listed at once, each with its line", is_right, f"{done.returncode} {done.stderr}")
    show("and no part of a wrong key is printed", "777" not in done.stderr, done.stderr)


end(
    quiet_begun, plain, order, brokers, passwords, certificates, configuration, formats, connected, metrics, quiet_shown, several, state, doctor,
    systemd, mistakes)

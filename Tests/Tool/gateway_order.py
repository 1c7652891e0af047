# SPDX-License-Identifier: MIT
# A part of gateway.py: values that count up, while the broker is killed and comes back.
import json
import signal
import time

from gateway_scene import Broker, Gateway, Subscriber, show, within, write

DEVICES = [f"C0:DE:00:00:01:0{number}" for number in range(4)]
# Each device counts to 100 in so many seconds, and then rests.
LAST, TIME = 100, 5.5


def counter(address: str, rest: float = 9999) -> dict:
    """The twin of a device that notifies the numbers from 1 on as the level of its battery, rests, and begins anew."""
    values = [{"after": TIME * number / LAST, "value": number.to_bytes(1, "little").hex()} for number in range(1, LAST + 1)]
    values.append({"after": TIME + rest, "value": values[-1]["value"]})
    level = {"uuid": "2A19", "properties": ["read", "notify"], "value": "00", "notifications": values}
    return {"schema": "bluecap-twin", "version": 1, "address": address, "name": "Counter", "advertisement": {
        "data": {"localName": "Counter"}, "connectable": True, "interval": 0.1}, "services": [{"uuid": "180F", "characteristics": [level]}]}


def rule(address: str) -> dict:
    return {"match": {"address": address}, "connect": {"subscribe": ["180F/2A19"]}}


WORLD = write("counters.json", json.dumps({"world": 1, "devices": [{"twin": counter(address)} for address in DEVICES]}))


def order() -> None:
    broker = Broker()
    subscriber = Subscriber(broker)
    # It is back before the gateway, and so hears what that sends again.
    subscriber.client.reconnect_delay_set(0.02, 0.02)
    file = write("counters-gateway.json", json.dumps({
        "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "minimumInterval": 0, "rules": [rule(address) for address in DEVICES]}))
    topics = [f"bluecap/cellar/{address.replace(':', '').lower()}/state" for address in DEVICES]

    def newest() -> list[int]:
        return [json.loads(subscriber.newest.get(topic) or "{}").get("battery", 0) for topic in topics]

    def numbers(topic: str) -> list[int]:
        with subscriber.lock:
            return [json.loads(text).get("battery", 0) for at, text in subscriber.all if at == topic and text]

    def kill() -> None:
        """Kills the broker when it has stood still: what came to it meanwhile is lost with it, and has to be sent again."""
        broker.process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        broker.kill()

    gateway = Gateway("--configuration", file, backend=f"virtual:{WORLD}")
    flows = within(8, lambda: min(newest()) >= 15)
    show("numbers that four devices count reach the subscriber", flows, f"{newest()} {gateway.lines}")
    kill()
    broker.start()
    again = within(5, lambda: min(newest()) >= 55)
    show("after a kill of the broker they go on", again and max(newest()) < LAST, f"{newest()} {gateway.lines}")

    kill()
    before = newest()
    # The devices count to their end while the broker is away.
    time.sleep(TIME * (LAST - min(before)) / LAST)
    is_away = max(newest()) < LAST
    broker.start()
    last = within(6, lambda: newest() == [LAST] * len(DEVICES))
    show("the last number of each comes that was counted while it was away", is_away and last, f"{before} {newest()} {gateway.lines}")
    found = [numbers(topic) for topic in topics]
    is_ordered = all(seen == sorted(seen) and len(set(seen)) > 25 for seen in found)
    show("and on no topic came an older number behind a newer one", is_ordered, found)
    gateway.end()
    none = {"event": "gateway", "dropped": 0, "refused": 0, "lost": 0}
    show("and the gateway says that nothing was lost", gateway.has(**none), gateway.lines)
    subscriber.end()
    broker.kill()

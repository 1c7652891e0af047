# SPDX-License-Identifier: MIT

"""proxy_in_bed.py BLUECAP: `bluecap proxy` over the bluetoothd of the test bed, between far devices and the clients of Home Assistant, in
clear text and with a key: all calls, two clients at once, the end of a client without a farewell, and bluetoothd that goes away and comes
back while a client listens; and a gateway that is a proxy, too, with one link to a device for both. Exit status 0: all passed."""
from __future__ import annotations

import asyncio
import glob
import json
import logging
import os
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

# The environments that Tests/Tool/gateway and Tests/Tool/proxy have made, of the interpreter that runs this.
for name in ("paho-mqtt", "esphome"):
    sys.path[:0] = glob.glob(os.path.expanduser(f"~/.cache/bluecap/venv-{name}-*/lib/python3*/site-packages"))
sys.path.insert(0, os.environ["BED_DIR"])
from aioesphomeapi import APIClient  # noqa: E402
from aioesphomeapi.core import (  # noqa: E402
    BluetoothGATTAPIError, EncryptionPlaintextAPIError, InvalidEncryptionKeyAPIError, RequiresEncryptionAPIError,
)
from gateway_scene import Broker, Gateway, Proxy, Subscriber, path, results, show, write  # noqa: E402
from tools.control import Control  # noqa: E402

# How soon after bluetoothd's return an advertisement has to be at the client.
LIMIT_OF_RETURN = 5
SLOTS = 2
WRONG = "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA="
BATTERY, RATE, VALUE, STEPS, NOTE = "00002a19", "00002a37", "0000fff1", "0000fff2", "00002901"
# The attributes of the declaration, as the far device's commands name them.
RATE_THERE, VALUE_THERE, STEPS_THERE = "0.0", "2.0", "2.1"
KETTLE: dict[str, Any] = {
    "name": "Kettle", "advertisement": {"data": {"localName": "Kettle", "serviceUUIDs": ["180D"]}},
    "services": [
        {"uuid": "180D", "characteristics": [{"uuid": "2A37", "properties": ["notify"]}]},
        {"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": ["read"], "value": "61"}]},
        {"uuid": "FFF0", "characteristics": [
            {"uuid": "FFF1", "properties": ["read", "write", "writeWithoutResponse"], "value": "00",
             "descriptors": [{"uuid": "2901", "value": "4c6576656c"}]},
            {"uuid": "FFF2", "properties": ["indicate"]}]}]}
LAMP: dict[str, Any] = {
    "name": "Lamp", "advertisement": {"data": {"localName": "Lamp"}},
    "services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": ["read"], "value": "32"}]}]}


async def until(condition: Callable[[], object], limit: float = 10) -> bool:
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end:
        await asyncio.sleep(0.02)
    return bool(condition())


async def fails(behaviour: str, error: type[BaseException], work: Awaitable[object], code: int | None = None) -> None:
    try:
        await asyncio.wait_for(work, 40)
        show(behaviour, False, "no error")
    except Exception as seen:
        is_right = isinstance(seen, error) and (code is None or seen.error.error == code)
        show(behaviour, is_right, f"{type(seen).__name__}: {seen}")


def text(address: int) -> str:
    return ":".join(f"{address >> shift & 255:02X}" for shift in range(40, -1, -8))


class User:
    """A client of the proxy, with all that it has been told."""

    def __init__(self, port: int, key: str | None, **more: Any) -> None:
        self.api = APIClient("127.0.0.1", port, None, noise_psk=key, client_info="bed", **more)
        self.free: list[Any] = []
        self.states: list[Any] = []
        self.links: list[Any] = []
        self.heard: list[tuple[int, bytes]] = []
        self.flags = 0

    async def open(self) -> User:
        await self.api.connect(login=True)
        self.info = await self.api.device_info()
        self.flags = self.info.bluetooth_proxy_feature_flags
        self.api.subscribe_bluetooth_connections_free(lambda *slots: self.free.append(slots))
        self.api.subscribe_bluetooth_scanner_state(self.states.append)
        self.api.subscribe_bluetooth_le_raw_advertisements(self.hear)
        return self

    def hear(self, message: Any) -> None:
        self.heard.extend((one.address, bytes(one.data)) for one in message.advertisements)

    def hears(self, address: int, data: bytes = b"") -> bool:
        return any(address == device and data in packet for device, packet in self.heard)

    async def connect(self, address: int, cached: bool = False) -> None:
        await self.api.bluetooth_device_connect(
            address, lambda *link: self.links.append(link), feature_flags=self.flags, has_cache=cached, address_type=1, timeout=20)

    async def has_slots(self, free: int, *addresses: int) -> bool:
        wanted = (free, SLOTS, sorted(addresses))
        return await until(lambda: self.free and (*self.free[-1][:2], sorted(self.free[-1][2])) == wanted)


class Scene:
    def __init__(self, peer: Control, key: str | None, *words: str, program: Gateway | None = None) -> None:
        self.peer, self.key, self.words = peer, key, words
        self.proxy = program or Proxy(*words, "--slots", str(SLOTS), backend="bluez")

    async def open(self) -> Scene:
        await until(lambda: self.proxy.has(event="proxy"))
        self.facts = self.proxy.events()[-1]
        if "--key" in self.words:
            with open(path("key"), encoding="ascii") as file:
                self.key = file.read().strip()
        self.kettle = int((await self.peer("configure", peer=KETTLE))["address"].replace(":", ""), 16)
        self.lamp = int((await self.peer("configure", device=1, peer=LAMP))["address"].replace(":", ""), 16)
        for device in (0, 1):
            await self.peer("advertise", device=device, enabled=True)
        return self

    def user(self, **more: Any) -> User:
        return User(self.facts["port"], more.pop("key", self.key), **more)

    async def refusals(self) -> None:
        if self.key:
            await fails("another key is refused", InvalidEncryptionKeyAPIError, self.user(key=WRONG).open())
            await fails("clear text is refused", RequiresEncryptionAPIError, self.user(key=None).open())
        else:
            await fails("a key is refused", EncryptionPlaintextAPIError, self.user(key=WRONG).open())

    async def listening(self, one: User, two: User) -> None:
        show("the scanner runs", await until(lambda: one.states and one.states[-1].state == 2), one.states)
        show("the slots are told", await one.has_slots(2), one.free)
        show("a device is heard, with its name", await until(lambda: one.hears(self.kettle, b"Kettle")), one.heard[-3:])
        await self.peer("update_advertisement", advertisement={"data": {"localName": "Kettle", "manufacturerData": {"FFFF": "BEEF"}}})
        both = await until(lambda: one.hears(self.kettle, b"\xbe\xef") and two.hears(self.kettle, b"\xbe\xef"))
        show("two clients hear what it advertises anew", both, one.heard[-3:])

    async def database(self, one: User) -> None:
        """Connects without a cache, and reads the list of services."""
        await fails("a read without a link fails", BluetoothGATTAPIError, one.api.bluetooth_gatt_read(self.kettle, 3), -1)
        await one.connect(self.kettle)
        show("it connects, with the MTU of the link", one.links and one.links[-1][0] and one.links[-1][1] > 23, one.links)
        show("a slot is taken", await one.has_slots(1, self.kettle), one.free[-1])
        await one.connect(self.kettle)
        show("connecting again is answered", one.links[-1][0], one.links)
        services = (await one.api.bluetooth_gatt_get_services(self.kettle)).services
        self.attributes = {x.uuid[:8]: x for service in services for x in service.characteristics}
        handles = [h for x in self.attributes.values() for h in (x.handle, *(d.handle for d in x.descriptors))]
        show("its characteristics are there", {BATTERY, RATE, VALUE, STEPS} <= self.attributes.keys(), self.attributes.keys())
        show("handles are unique", len(set(handles)) == len(handles) and all(0 < h < 65_536 for h in handles), handles)
        show("what notifies has a 2902, which bluetoothd hides", all(self.configuration(x) for x in (RATE, STEPS)), services)

    def handle(self, uuid: str) -> int:
        return self.attributes[uuid].handle

    def configuration(self, uuid: str) -> int:
        return next((d.handle for d in self.attributes[uuid].descriptors if d.uuid.startswith("00002902")), 0)

    async def values(self, one: User) -> None:
        api, kettle = one.api, self.kettle
        value = self.handle(VALUE)
        show("a value is read", bytes(await api.bluetooth_gatt_read(kettle, self.handle(BATTERY))) == b"\x61")
        await api.bluetooth_gatt_write(kettle, value, b"\1\2", True)
        await api.bluetooth_gatt_write(kettle, value, b"\3", False)
        await self.peer("wait", event="written", attribute=VALUE_THERE, count=2)
        written = [(x["value"], x["kind"]) for x in (await self.peer("writes", attribute=VALUE_THERE))["writes"]]
        show("it is written with a response and without", written == [("0102", "request"), ("03", "command")], written)
        long = bytes(range(200)) * 2
        await api.bluetooth_gatt_write(kettle, value, long, True)
        show("a long value is written, and read", bytes(await api.bluetooth_gatt_read(kettle, value)) == long)
        note = next(d.handle for d in self.attributes[VALUE].descriptors if d.uuid.startswith(NOTE))
        show("a descriptor is read", bytes(await api.bluetooth_gatt_read_descriptor(kettle, note)) == b"Level")
        await api.bluetooth_gatt_write_descriptor(kettle, note, b"Depth")
        there = (await self.peer("value", attribute=VALUE_THERE + ".0"))["value"]
        show("and written", there == b"Depth".hex(), there)
        await self.peer("set_error", attribute=VALUE_THERE, on="read", code=0x80)
        await fails("the device's own error comes through", BluetoothGATTAPIError, api.bluetooth_gatt_read(kettle, value), 0x80)
        await self.peer("set_error", attribute=VALUE_THERE, on="read", code=None)
        await fails("a handle that is none fails", BluetoothGATTAPIError, api.bluetooth_gatt_read(kettle, 0xFFF0), 1)

    async def notified(self, one: User) -> None:
        for uuid, there, command in ((RATE, RATE_THERE, "notify"), (STEPS, STEPS_THERE, "indicate")):
            seen: list[bytes] = []
            off = await one.api.bluetooth_gatt_start_notify(self.kettle, self.handle(uuid), lambda _, data, to=seen: to.append(bytes(data)))
            await one.api.bluetooth_gatt_write_descriptor(self.kettle, self.configuration(uuid), b"\1\0" if uuid == RATE else b"\2\0")
            await self.peer("wait", event="subscribed", attribute=there)
            await self.peer(command, attribute=there, values=[f"{number:02x}" for number in range(100)])
            came = await until(lambda: len(seen) >= 100, 5)
            show(f"100 values of '{command}' come in order", came and seen == [bytes([number]) for number in range(100)], seen)
            await off[0]()
            await self.peer("wait", event="unsubscribed", attribute=there)
            show("and it is switched off", True)

    async def shared(self, one: User, two: User) -> None:
        """Two clients, each with a link of its own."""
        await fails("the link is not the other client's", BluetoothGATTAPIError, two.api.bluetooth_gatt_read(self.kettle, self.handle(BATTERY)), -1)
        await two.connect(self.kettle)
        show("nor may that connect to the device", two.links == [(False, 0, 0)], two.links)
        await two.connect(self.lamp)
        show("it connects to another one meanwhile", await one.has_slots(0, self.kettle, self.lamp), one.free[-1])
        await two.connect(self.kettle + 1)
        show("and to a third one there is no slot", two.links[-1] == (False, 0, 0), two.links)
        services = (await two.api.bluetooth_gatt_get_services(self.lamp)).services
        level = next(x for service in services for x in service.characteristics if x.uuid.startswith(BATTERY))
        read = await asyncio.gather(
            one.api.bluetooth_gatt_read(self.kettle, self.handle(BATTERY)), two.api.bluetooth_gatt_read(self.lamp, level.handle))
        show("both read at once", list(map(bytes, read)) == [b"\x61", b"\x32"], read)
        await two.api.disconnect(force=True)
        show("the link of a client that is gone ends", await one.has_slots(1, self.kettle), one.free[-1])
        await self.peer("wait", event="disconnected", device=1)

    async def bonds(self, one: User) -> None:
        pairing = await one.api.bluetooth_device_pair(self.kettle)
        show("it pairs", pairing.paired and pairing.error == 0, pairing)
        await self.peer("wait", event="paired")
        count = len(one.links)
        unpairing = await one.api.bluetooth_device_unpair(self.kettle)
        show("it unpairs", unpairing.success, unpairing)
        ended = await until(lambda: len(one.links) > count and not one.links[-1][0])
        show("and its link ends, as its slot", ended and await one.has_slots(2), one.links)
        unpairing = await one.api.bluetooth_device_unpair(self.kettle)
        show("without a bond it does not unpair", not unpairing.success, unpairing)

    async def from_cache(self, one: User) -> None:
        one.heard.clear()
        await until(lambda: one.hears(self.kettle))
        await one.connect(self.kettle, cached=True)
        value = bytes(await one.api.bluetooth_gatt_read(self.kettle, self.handle(BATTERY)))
        show("a handle is good without the list of services", value == b"\x61", value)

    async def outage(self, one: User, *commands: str) -> None:
        """bluetoothd goes away and comes back while the client listens, and is notified."""
        seen: list[bytes] = []
        await one.api.bluetooth_gatt_start_notify(self.kettle, self.handle(RATE), lambda _, data: seen.append(bytes(data)))
        await self.peer("notify", attribute=RATE_THERE, values=["aa"])
        show("it is notified over the cached link", await until(lambda: seen == [b"\xaa"]), seen)
        states = len(one.states)
        for command in commands:
            await self.peer(command)
        one.heard.clear()
        ended = await until(lambda: not one.links[-1][0], 5)
        show(f"{commands[0]}: the end of the link is told", ended and await one.has_slots(2), (one.links, one.free[-1]))
        begun = time.monotonic()
        hears = await until(lambda: one.hears(self.kettle, b"\xbe\xef"), LIMIT_OF_RETURN)
        show(f"the device is heard {LIMIT_OF_RETURN} s after the return, {time.monotonic() - begun:.1f} s", hears, self.proxy.lines[-5:])
        told = await until(lambda: [x.state for x in one.states[states:]][-1:] == [2])
        show("the scanner was away, and is back", told and 3 in [x.state for x in one.states[states:]], one.states)
        await one.connect(self.kettle, cached=True)
        value = bytes(await one.api.bluetooth_gatt_read(self.kettle, self.handle(BATTERY)))
        show("and a cached handle is good then", value == b"\x61", value)
        count = len(one.links)
        await self.peer("disconnect")
        show("a device that ends the link is told", await until(lambda: len(one.links) > count and not one.links[-1][0]), one.links)
        await one.connect(self.kettle, cached=True)
        await one.api.bluetooth_device_disconnect(self.kettle)
        show("it disconnects", await one.has_slots(2), one.free[-1])
        await self.peer("wait", event="disconnected")

    async def by_bleak(self, one: User) -> None:
        """bleak, by the scanner and the client with which Home Assistant uses a proxy."""
        import habluetooth
        from bleak_esphome import connect_scanner

        manager = habluetooth.BluetoothManager()
        habluetooth.set_manager(manager)
        await manager.async_setup()
        user = self.user()
        await user.api.connect(login=True)
        data = connect_scanner(user.api, await user.api.device_info(), True)
        data.scanner.async_setup()
        manager.async_register_scanner(data.scanner, connection_slots=SLOTS)
        address = text(self.kettle)
        show("habluetooth hears the device", await until(lambda: manager.async_ble_device_from_address(address, True)))
        kettle = habluetooth.HaBleakClientWrapper(manager.async_ble_device_from_address(address, True))
        await kettle.connect()
        value = bytes(await kettle.read_gatt_char("00002a19-0000-1000-8000-00805f9b34fb"))
        show("bleak reads a value", value == b"\x61", value)
        seen: list[bytes] = []
        await kettle.start_notify("00002a37-0000-1000-8000-00805f9b34fb", lambda _, data: seen.append(bytes(data)))
        await self.peer("notify", attribute=RATE_THERE, values=["bb"])
        show("bleak is notified", await until(lambda: seen == [b"\xbb"]), seen)
        await kettle.disconnect()
        await user.api.disconnect()
        show("its slot is free", await one.has_slots(2), one.free[-1])

    async def play(self, *outage: str) -> None:
        await self.refusals()
        one, two = await self.user().open(), await self.user().open()
        await self.listening(one, two)
        await self.database(one)
        await self.values(one)
        await self.notified(one)
        await self.shared(one, two)
        await self.bonds(one)
        await self.from_cache(one)
        await self.outage(one, *outage)
        await self.by_bleak(one)
        await one.api.disconnect()
        self.proxy.end()
        last = self.proxy.events()[-1]
        is_right = last["event"] == "proxy" and last["links"] >= 6 and last["droppedAdvertisements"] == 0
        show("the end counts, and nothing was dropped", is_right, last)
        again = Scene(self.peer, self.key, *self.words)
        await until(lambda: again.proxy.has(event="proxy"))
        again.facts, again.kettle, again.attributes = again.proxy.events()[-1], self.kettle, self.attributes
        stays = all(again.facts[x] == self.facts[x] for x in ("name", "address", "bluetoothAddress"))
        show("the addresses stay", stays, again.facts)
        user = await again.user().open()
        await again.from_cache(user)
        await user.api.disconnect()
        again.proxy.end()


async def beside_gateway(peer: Control) -> None:
    """The gateway is notified by the device that a client uses, over the same link."""
    address = (await peer("configure", peer=KETTLE))["address"]
    await peer("advertise", enabled=True)
    broker = Broker()
    subscriber = Subscriber(broker)
    gateway = Gateway("--configuration", write("both.json", json.dumps({
        "broker": {"address": f"mqtt://127.0.0.1:{broker.port}"}, "minimumInterval": 0,
        "proxy": {"key": path("key"), "port": 0, "address": "127.0.0.1", "slots": SLOTS},
        "rules": [{"match": {"address": address}, "name": "Kettle", "connect": {"subscribe": ["180D/2A37"]}}]})), backend="bluez")
    state = f"bluecap/cellar/{address.replace(':', '').lower()}/state"

    def rate() -> int | None:
        return json.loads(subscriber.newest.get(state, "{}")).get("heart_rate")

    await peer("wait", event="subscribed", attribute=RATE_THERE, timeout=20)
    await peer("notify", attribute=RATE_THERE, values=["0061"])
    show("a gateway that is a proxy is notified", await until(lambda: rate() == 0x61), gateway.lines[-5:])
    with open(path("key"), encoding="ascii") as file:
        scene = Scene(peer, file.read().strip(), program=gateway)
    scene.facts = next(event for event in gateway.events() if event["event"] == "proxy")
    scene.kettle = int(address.replace(":", ""), 16)
    one = await scene.user().open()
    await one.connect(scene.kettle)
    show("a client connects to the device that it is connected to", one.links[-1][0], one.links)
    services = (await one.api.bluetooth_gatt_get_services(scene.kettle)).services
    scene.attributes = {x.uuid[:8]: x for service in services for x in service.characteristics}
    seen: list[bytes] = []
    await one.api.bluetooth_gatt_start_notify(scene.kettle, scene.handle(RATE), lambda _, data: seen.append(bytes(data)))
    await peer("notify", attribute=RATE_THERE, values=["0062"])
    both = await until(lambda: rate() == 0x62 and seen == [b"\0\x62"])
    show("both are notified", both, (seen, subscriber.newest))
    links = (await peer("connections"))["connections"]
    show("over one link", links == 1, links)
    await one.api.bluetooth_device_disconnect(scene.kettle)
    show("the client's slot is free", await one.has_slots(SLOTS), one.free[-1])
    await peer("notify", attribute=RATE_THERE, values=["0063"])
    stays = await until(lambda: rate() == 0x63) and (await peer("connections"))["connections"] == 1
    show("and the gateway is notified as before", stays, gateway.lines[-5:])
    gateway.end()
    await peer("wait", event="disconnected")
    subscriber.end()
    broker.kill()


async def main() -> None:
    peer = await Control().open()
    for words, outage in ((["--clear-text"], ["restart_daemon"]), (["--key", path("key")], ["kill_daemon", "start_daemon"])):
        print(f"-- {words[0]}", flush=True)
        scene = await Scene(peer, None, *words).open()
        try:
            await asyncio.wait_for(scene.play(*outage), 120)
        except Exception as error:
            show("the session runs to its end", False, f"{error!r} {scene.proxy.lines[-5:]}")
            scene.proxy.end()
    try:
        await asyncio.wait_for(beside_gateway(peer), 60)
    except Exception as error:
        show("the gateway runs to its end", False, repr(error))
    await peer.close()


logging.disable(logging.CRITICAL)
asyncio.run(main())
print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
sys.exit(0 if all(results) else 1)

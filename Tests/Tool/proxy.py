#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Uses `bluecap proxy` over the virtual radio by the clients of Home Assistant: aioesphomeapi, and bleak by bleak-esphome and habluetooth.

usage: Tests/Tool/proxy BLUECAP

In clear text and with a key: the session, advertisements, a device's database, its values, slots, two clients at once, the end of a
client without a farewell, and a restart after which an old list of handles is good. The exit status is 1 when a check failed.
"""
from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from typing import Any

from aioesphomeapi import APIClient
from aioesphomeapi.core import (
    APIConnectionError, BadNameAPIError, BluetoothGATTAPIError, EncryptionPlaintextAPIError, InvalidEncryptionKeyAPIError, RequiresEncryptionAPIError,
)

LIMIT = 60  # seconds for anything, on a busy machine
NAME = "Heart Strap"
WRONG = "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA="
passed = failed = 0


def show(name: str, good: object, seen: object = "") -> None:
    global passed, failed
    passed, failed = (passed + 1, failed) if good else (passed, failed + 1)
    print(f"{'ok    ' if good else 'FAILED'} {name}{'' if good else f': {seen}'}"[:300], flush=True)


async def until(condition: Callable[[], object], limit: float = LIMIT) -> bool:
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end:
        await asyncio.sleep(0.02)
    return bool(condition())


async def fails(name: str, error: type[BaseException], work: Awaitable[object]) -> None:
    try:
        await asyncio.wait_for(work, LIMIT)
        show(name, False, "no error")
    except BaseException as seen:
        show(name, isinstance(seen, error), f"{type(seen).__name__}: {seen}")


class Proxy:
    """The program, with the events that it has printed."""

    def __init__(self, program: str, *arguments: str):
        command = [program, "proxy", "--backend", "virtual", "--address", "127.0.0.1", "--name", "test", "--json", *arguments]
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT)

    def output(self) -> str:
        return os.pread(self.log.fileno(), 1 << 22, 0).decode()

    def events(self, kind: str) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.output().splitlines() if line.startswith("{") and line.endswith("}")]
        return [line for line in lines if line["event"] == kind]

    async def started(self) -> dict[str, Any]:
        await until(lambda: self.events("proxy") or self.process.poll() is not None)
        return self.events("proxy")[0]

    async def stop(self) -> dict[str, Any]:
        self.process.send_signal(signal.SIGTERM)
        await until(lambda: self.process.poll() is not None)
        return self.events("proxy")[-1]


def client(facts: dict[str, Any], key: str | None, **more: Any) -> APIClient:
    return APIClient("127.0.0.1", facts["port"], None, noise_psk=key, client_info="judge", **more)


async def device(facts: dict[str, Any], key: str | None) -> tuple[int, int]:
    """The address of the strap, and its type."""
    listener, found = client(facts, key), []
    await listener.connect(login=True)

    def hear(message: Any) -> None:
        found.extend(x for x in message.advertisements if NAME.encode() in bytes(x.data))

    listener.subscribe_bluetooth_le_raw_advertisements(hear)
    show("a device is heard, with its name", await until(lambda: found))
    await listener.disconnect()
    return found[0].address, found[0].address_type


async def refusals(facts: dict[str, Any], key: str | None) -> None:
    if key:
        await fails("another key is refused", InvalidEncryptionKeyAPIError, client(facts, WRONG).connect(login=True))
        await fails("clear text is refused", RequiresEncryptionAPIError, client(facts, None).connect(login=True))
    else:
        await fails("a key is refused", EncryptionPlaintextAPIError, client(facts, WRONG).connect(login=True))
    await fails("another name is refused", BadNameAPIError, client(facts, key, expected_name="other").connect(login=True))


async def session(facts: dict[str, Any], key: str | None, address: int, kind: int) -> dict[str, Any]:
    """Uses a device by all calls; returns the handle and the value of a characteristic."""
    one, free, heard, states, links = client(facts, key), [], [], [], []
    await one.connect(login=True)
    info = await one.device_info()
    flags = info.bluetooth_proxy_feature_flags
    show("the device has the addresses of the program's events",
         (info.mac_address, info.bluetooth_mac_address) == (facts["address"], facts["bluetoothAddress"]), info)
    await one.list_entities_services()
    one.subscribe_bluetooth_connections_free(lambda *x: free.append(x))
    one.subscribe_bluetooth_scanner_state(states.append)
    stop = one.subscribe_bluetooth_le_raw_advertisements(lambda message: heard.append(len(message.advertisements)))
    show("the scanner's state follows", await until(lambda: states))
    show("the slots follow", await until(lambda: free) and free[0] == (3, 3, []), free)
    show("advertisements come, 16 at most in a message", await until(lambda: len(heard) > 5) and max(heard) <= 16, heard)

    async def connect(user: APIClient, cached: bool) -> None:
        await user.bluetooth_device_connect(
            address, lambda *x: links.append(x), feature_flags=flags, has_cache=cached, address_type=kind, timeout=20)

    await fails("a read without a link fails", BluetoothGATTAPIError, one.bluetooth_gatt_read(address, 3))
    await connect(one, cached=False)
    show("it connects, with an MTU", links and links[-1][0] and links[-1][1] >= 23, links)
    show("a slot is taken", await until(lambda: free[-1][:2] == (2, 3) and list(free[-1][2]) == [address]), free[-1])
    services = (await one.bluetooth_gatt_get_services(address)).services
    all_of = [x for service in services for x in service.characteristics]
    handles = [service.handle for service in services] + [h for x in all_of for h in [x.handle, *(d.handle for d in x.descriptors)]]
    show("handles are unique", services and len(set(handles)) == len(handles), handles)
    notifying = [x for x in all_of if x.properties & 0x30]
    show("each characteristic that notifies has a 2902",
         notifying and all(any(d.uuid.startswith("00002902") for d in x.descriptors) for x in notifying), notifying)
    readable = next(x for x in all_of if x.properties & 2)
    value = bytes(await one.bluetooth_gatt_read(address, readable.handle))
    show("a value is read", value, readable)
    await fails("a handle that is none fails", BluetoothGATTAPIError, one.bluetooth_gatt_read(address, 0xFFF0))
    values: list[bytes] = []
    off = await one.bluetooth_gatt_start_notify(address, notifying[0].handle, lambda _, data: values.append(bytes(data)))
    configuration = next(d.handle for d in notifying[0].descriptors if d.uuid.startswith("00002902"))
    await one.bluetooth_gatt_write_descriptor(address, configuration, b"\1\0")
    show("its 2902 is on", bytes(await one.bluetooth_gatt_read_descriptor(address, configuration)) == b"\1\0")
    show("values come", await until(lambda: values), values)
    await off[0]()

    two, second = client(facts, key), []
    await two.connect(login=True)
    two.subscribe_bluetooth_le_raw_advertisements(second.append)
    count = len(heard)
    show("two clients hear", await until(lambda: second and len(heard) > count))
    await fails("the link is not the second client's", BluetoothGATTAPIError, two.bluetooth_gatt_read(address, readable.handle))
    pairing = await one.bluetooth_device_pair(address)
    show("it pairs", pairing.paired and pairing.error == 0, pairing)
    await one.bluetooth_device_disconnect(address)
    show("the slot is free", await until(lambda: free[-1] == (3, 3, [])), free[-1])
    await connect(two, cached=False)
    show("the second client connects", await until(lambda: free[-1][0] == 2), free[-1])
    await two.disconnect(force=True)
    show("its link ends with it", await until(lambda: free[-1][0] == 3), free[-1])
    unpairing = await one.bluetooth_device_unpair(address)
    show("it unpairs", unpairing.success, unpairing)
    stop()
    await asyncio.sleep(0.5)
    count = len(heard)
    await asyncio.sleep(1)
    show("there is silence after the unsubscription", len(heard) == count, len(heard) - count)
    await one.disconnect()
    return {"handle": readable.handle, "value": value}


async def cached(facts: dict[str, Any], key: str | None, address: int, kind: int, kept: dict[str, Any]) -> None:
    """After a restart, a client that keeps the list of services."""
    user, seen = client(facts, key), []
    await user.connect(login=True)
    flags = (await user.device_info()).bluetooth_proxy_feature_flags
    user.subscribe_bluetooth_le_raw_advertisements(lambda message: seen.extend(x.address for x in message.advertisements))
    await until(lambda: address in seen)
    await user.bluetooth_device_connect(address, lambda *_: None, feature_flags=flags, has_cache=True, address_type=kind, timeout=20)
    value = bytes(await user.bluetooth_gatt_read(address, kept["handle"]))
    show("a handle is good after a restart", value == kept["value"], value)
    await user.disconnect()


async def lies(facts: dict[str, Any], key: str | None, process: int) -> None:
    """Frames that say that they have 10 MB and send them, 60 of them at a time, and some that stop halfway: a listener hears on."""
    def memory() -> int:
        with open(f"/proc/{process}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))

    async def lie() -> bool:
        reader, writer = await asyncio.open_connection("127.0.0.1", facts["port"])
        try:
            writer.write(b"\1\xff\xff" if key else b"\0\x80\xad\xe2\x04\1")
            for _ in range(1000):
                writer.write(bytes(10_000))
                await writer.drain()
            return False
        except ConnectionError:
            return True
        finally:
            writer.close()

    user, heard = client(facts, key), []
    await user.connect(login=True)
    user.subscribe_bluetooth_le_raw_advertisements(heard.append)
    await until(lambda: heard)
    before = memory()
    halves = [await asyncio.open_connection("127.0.0.1", facts["port"]) for _ in range(20)]
    for _, writer in halves:
        writer.write((b"\1\xff\xff" if key else b"\0\xe0\xd4\3\1") + bytes(50_000))
    ended = [await asyncio.gather(*(lie() for _ in range(60))) for _ in range(2)]
    show("frames of 10 MB end their connections", all(all(wave) for wave in ended), ended)
    grown, count = memory() - before, len(heard)
    show("they take less than 4 MB of memory", grown < 4_096, f"{grown} kB")
    show("a listener hears on", await until(lambda: len(heard) > count))
    for _, writer in halves:
        writer.close()
    await user.disconnect()


async def by_bleak(facts: dict[str, Any], key: str | None, address: int) -> None:
    """bleak, by the scanner and the client with which Home Assistant uses a proxy."""
    import habluetooth
    from bleak import BleakClient
    from bleak_esphome import connect_scanner

    manager = habluetooth.BluetoothManager()
    habluetooth.set_manager(manager)
    await manager.async_setup()
    user = client(facts, key)
    await user.connect(login=True)
    info = await user.device_info()
    data = connect_scanner(user, info, True)
    data.scanner.async_setup()
    manager.async_register_scanner(data.scanner, connection_slots=3)
    text = ":".join(f"{address >> shift & 255:02X}" for shift in range(40, -1, -8))
    show("habluetooth hears the device", await until(lambda: manager.async_ble_device_from_address(text, True)))
    target = manager.async_ble_device_from_address(text, True)
    strap = habluetooth.HaBleakClientWrapper(target)
    await strap.connect()
    values: list[bytes] = []
    level = bytes(await strap.read_gatt_char("00002a19-0000-1000-8000-00805f9b34fb"))
    show("bleak reads the battery", len(level) == 1, level)
    await strap.start_notify("00002a37-0000-1000-8000-00805f9b34fb", lambda _, data: values.append(bytes(data)))
    show("bleak is notified", await until(lambda: values))
    await strap.disconnect()
    await user.disconnect()


async def main(program: str) -> None:
    folder = tempfile.mkdtemp(prefix="bluecap-proxy-")
    path = os.path.join(folder, "key")
    bare = subprocess.run([program, "proxy", "--backend", "virtual"], capture_output=True, text=True, check=False)
    show("clear text has to be asked for", bare.returncode == 64 and "--key FILE" in bare.stderr, bare)
    for options in (["--clear-text"], ["--key", path]):
        print(f"-- {' '.join(options[:1])}")
        proxy = Proxy(program, "--port", "0", *options)
        facts = await proxy.started()
        key = open(path, encoding="ascii").read().strip() if options[0] == "--key" else None
        await refusals(facts, key)
        address, kind = await device(facts, key)
        kept = await session(facts, key, address, kind)
        end = await proxy.stop()
        show("the end counts", end["state"] == "ended" and end["advertisements"] > 10 and end["links"] >= 2, end)
        printed = proxy.output()
        again = Proxy(program, "--port", "0", *options)
        later = await again.started()
        show("the addresses stay", all(later[x] == facts[x] for x in ("name", "address", "bluetoothAddress")), later)
        await cached(later, key, address, kind, kept)
        await by_bleak(later, key, address)
        await lies(later, key, again.process.pid)
        await again.stop()
        if key:
            show("a key was made once, and is printed nowhere", len(proxy.events("key")) == 1 and not again.events("key") and key not in printed)


logging.disable(logging.CRITICAL)
try:
    asyncio.run(asyncio.wait_for(main(os.path.abspath(sys.argv[1])), 600))
except (APIConnectionError, TimeoutError, StopIteration, IndexError) as error:
    show("the session", False, f"{type(error).__name__}: {error}")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)

# SPDX-License-Identifier: MIT

"""dbus_fast_client.py WORK COUNT [AT_ONCE]: the works of `pipeline` over dbus-fast alone, which bleak is built on."""

import asyncio
import os
import socket

from dbus_fast import BusType, Message, MessageType, Variant, unpack_variants
from dbus_fast.aio import MessageBus
from measure import run

BLUEZ, ADAPTER = "org.bluez", "/org/bluez/hci0"
INTERFACE = "org.bluez.GattCharacteristic1"
PATH = ADAPTER + "/dev_C0_DE_00_00_00_01/service0010/char{:04x}"
RULE = "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"


async def client(work, made, at_once):
    bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
    if work in ("notify", "sight"):
        await signals(bus, work, made)
    elif work == "packets":
        await packets(bus, made)
    else:
        await made.operations([PATH.format(0x11 + 3 * index) for index in range(at_once)], operation(bus, work))
    made.report()
    os._exit(0)


async def call(bus, path, interface, member, signature, body, destination=BLUEZ):
    answer = await bus.call(Message(
        destination=destination, path=path, interface=interface, member=member, signature=signature, body=body))
    if answer.message_type is MessageType.ERROR:
        raise RuntimeError(answer.error_name)
    return answer


async def signals(bus, work, made):
    devices = {}
    path = PATH.format(0x11)

    def handle(message):
        if message.message_type is not MessageType.SIGNAL or message.member != "PropertiesChanged":
            return
        interface, changed, _ = message.body
        if work == "notify" and message.path == path and interface == INTERFACE and "Value" in changed:
            made.value(changed["Value"].value)
        elif work == "sight" and interface == "org.bluez.Device1" and "RSSI" in changed:
            devices.setdefault(message.path, {}).update(unpack_variants(changed))
            made.sighting(changed["RSSI"].value)

    bus.add_message_handler(handle)
    name = "org.freedesktop.DBus"
    await call(bus, "/org/freedesktop/DBus", name, "AddMatch", "s", [RULE], name)
    made.begin()
    await made.ended.wait()


async def packets(bus, made):
    answer = await call(bus, PATH.format(0x11), INTERFACE, "AcquireNotify", "a{sv}", [{}])
    packets = socket.socket(fileno=answer.unix_fds[0])
    packets.setblocking(False)
    asyncio.get_running_loop().add_reader(packets, lambda: made.value(packets.recv(512)))
    made.begin()
    await made.ended.wait()


def operation(bus, work):
    value = bytes(20)
    if work == "read":
        return lambda path: call(bus, path, INTERFACE, "ReadValue", "a{sv}", [{}])
    options = {"type": Variant("s", "request" if work == "write" else "command")}
    return lambda path: call(bus, path, INTERFACE, "WriteValue", "aya{sv}", [value, options])


run(client)

# SPDX-License-Identifier: MIT

"""BlueZ as the peripheral: what bluetoothd asks of an application."""

from __future__ import annotations

import asyncio

from ..application import Application
from ..bluez import ADAPTER
from .stage import Stage

UUIDS = [f"f000aa{number:02x}-0451-4000-b000-000000000000" for number in range(4)]


async def _serve(stage: Stage, acquire: bool = False, mtu: int = 517) -> Application:
    flags = ["read", "write"], ["write", "write-without-response"], ["read", "notify"], ["indicate"]
    application = Application(stage.bluez, list(zip(UUIDS, flags, strict=True)), acquire)
    application.values[0] = b"value"
    await application.register()
    await stage.connect_central(mtu)
    return application


async def _serve_known(stage: Stage) -> Application:
    """The same, and returns when bluetoothd has read the central's services, and its name: what ends the link next would
    otherwise come now before that, now after it."""
    application = await _serve(stage)
    await stage.central_known()
    return application


async def serve(stage: Stage) -> None:
    """Registered and advertised; a central connects, reads, writes, subscribes; notifications and indications."""
    application = await _serve(stage)
    await stage.central("read", UUIDS[0])
    await stage.central("write", UUIDS[0], value="0102")
    await stage.central("write", UUIDS[1], value="0304", response=False)
    await asyncio.sleep(0.2)
    await stage.central("subscribe", UUIDS[2])
    await stage.central("subscribe", UUIDS[3], indicate=True)
    await asyncio.sleep(0.2)
    application.notify(2, b"\1")
    application.notify(2, b"\2")
    await asyncio.sleep(0.2)
    await stage.central("received", UUIDS[2], count=2)
    application.notify(3, b"\3")
    await asyncio.sleep(0.2)
    await stage.central("received", UUIDS[3], count=1)
    await asyncio.sleep(0.2)
    await stage.central("unsubscribe", UUIDS[2])
    await asyncio.sleep(0.2)
    await stage.central.leave()
    await application.unregister()


async def serve_long_values(stage: Stage) -> None:
    """A value of 400 octets read and one of 100 written, in packets of 50: offsets."""
    application = await _serve(stage, mtu=50)
    application.values[0] = bytes(200) * 2
    await stage.central("read", UUIDS[0])
    await stage.central("write", UUIDS[0], value="05" * 100)
    await stage.central.leave()


async def serve_by_sockets(stage: Stage) -> None:
    """With NotifyAcquired and WriteAcquired: bluetoothd calls AcquireNotify and AcquireWrite."""
    application = await _serve(stage, acquire=True)
    # Until bluetoothd has the socket the value stays in the packet's place, where the next packet comes: not the central's
    # name, which bluetoothd asks for.
    await asyncio.sleep(0.5)
    await stage.central("subscribe", UUIDS[2])
    await stage.central("write", UUIDS[1], value="0304", response=False)
    await asyncio.sleep(0.3)
    received = application.sockets["AcquireWrite"].recv(512).hex()
    stage.trace.note_json("packet", {"path": "/app/s/c1", "from": received})
    application.sockets["AcquireNotify"].send(b"\1")
    stage.trace.note_json("packet", {"path": "/app/s/c2", "to": "01"})
    await stage.central("received", UUIDS[2], count=1)
    await stage.central("unsubscribe", UUIDS[2])
    await asyncio.sleep(0.3)
    await stage.central.leave()


async def serve_errors(stage: Stage) -> None:
    """Each error that an application may answer with, on a read and on a write, and what the central gets."""
    application = await _serve(stage)
    names = [
        "Failed",
        "NotPermitted",
        "NotSupported",
        "NotAuthorized",
        "InvalidOffset",
        "InvalidValueLength",
        "InProgress",
    ]
    for name, text in [*((name, "") for name in names), ("Failed", "0x80"), ("Failed", "0x9f"), ("Failed", "0xe0")]:
        application.answers = dict.fromkeys(("ReadValue", "WriteValue"), (f"org.bluez.Error.{name}", text))
        await stage.central("read", UUIDS[0])
        await stage.central("write", UUIDS[0], value="01")
    # Also has write-without-response.
    await stage.central("write", UUIDS[1], value="01")
    await stage.central.leave()


async def serve_unanswered(stage: Stage) -> None:
    """Reads and writes that the application never answers: the central gets an error after five seconds."""
    application = await _serve(stage)
    application.silent = {"ReadValue", "WriteValue"}
    await stage.central("write", UUIDS[0], value="01")
    await stage.central("read", UUIDS[0])
    await stage.central.leave()


async def register_misuse(stage: Stage) -> None:
    """Registered twice, unregistered twice, and an advertisement too many."""
    bluez = stage.bluez
    application = Application(bluez, [(UUIDS[0], ["read"])])
    await application.register()
    await stage.attempt(bluez.do(ADAPTER, "GattManager1.RegisterApplication", "oa{sv}", "/app", {}))
    await stage.attempt(bluez.do(ADAPTER, "LEAdvertisingManager1.RegisterAdvertisement", "oa{sv}", "/app/adv", {}))
    await stage.attempt(bluez.do(ADAPTER, "GattManager1.RegisterApplication", "oa{sv}", "/nothing", {}), timeout=5)
    await application.unregister()
    await stage.attempt(bluez.do(ADAPTER, "GattManager1.UnregisterApplication", "o", "/app"))
    await stage.attempt(bluez.do(ADAPTER, "LEAdvertisingManager1.UnregisterAdvertisement", "o", "/app/adv"))
    await stage.power(False)
    await stage.attempt(application.register())
    await stage.power(True)


async def serve_daemon_restarted(stage: Stage) -> None:
    """bluetoothd goes and comes: registrations are gone without a word."""
    application = await _serve_known(stage)
    await stage.peer("restart_daemon")
    await asyncio.sleep(0.5)
    await application.register()


async def serve_adapter_removed(stage: Stage) -> None:
    """The adapter is pulled out and put back with an application and an advertisement registered, and a central connected."""
    application = await _serve_known(stage)
    await stage.peer("adapter", present=False)
    await asyncio.sleep(0.5)
    await stage.peer("adapter", present=True)
    await asyncio.sleep(0.5)
    await application.register()


async def serve_power_cycle(stage: Stage) -> None:
    """The adapter is powered off and on with an application and an advertisement registered."""
    await _serve_known(stage)
    await stage.power(False)
    await asyncio.sleep(0.5)
    await stage.power(True)
    await asyncio.sleep(0.5)
    await stage.central.scan()


SCENARIOS = (
    serve,
    serve_long_values,
    serve_by_sockets,
    serve_errors,
    register_misuse,
    serve_daemon_restarted,
    serve_adapter_removed,
    serve_power_cycle,
    serve_unanswered,
)

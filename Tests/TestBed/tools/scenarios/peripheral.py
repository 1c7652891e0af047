"""BlueZ as the peripheral: what bluetoothd asks of an application."""

from __future__ import annotations

import asyncio

from ..application import Application
from ..bluez import ADAPTER
from .stage import Stage

UUIDS = [f"f000aa{number:02x}-0451-4000-b000-000000000000" for number in range(4)]


async def _serve(stage: Stage, acquire: bool = False) -> tuple[Application, dict[str, int]]:
    flags = ["read", "write"], ["write", "write-without-response"], ["read", "notify"], ["indicate"]
    application = Application(stage.bluez, list(zip(UUIDS, flags, strict=True)), acquire)
    application.values[0] = b"value"
    await application.register()
    return application, await stage.connect_central()


async def serve(stage: Stage) -> None:
    """Registered and advertised; a central connects, reads, writes, subscribes; notifications and indications."""
    application, at = await _serve(stage)
    await stage.peer("central_read", attribute=at[UUIDS[0]])
    await stage.peer("central_write", attribute=at[UUIDS[0]], value="0102")
    await stage.peer("central_write", attribute=at[UUIDS[1]], value="0304", response=False)
    await asyncio.sleep(0.2)
    await stage.peer("central_subscribe", attribute=at[UUIDS[2]])
    await stage.peer("central_subscribe", attribute=at[UUIDS[3]], indicate=True)
    await asyncio.sleep(0.2)
    application.notify(2, b"\1")
    application.notify(2, b"\2")
    await stage.peer("central_received", attribute=at[UUIDS[2]], count=2)
    application.notify(3, b"\3")
    await stage.peer("central_received", attribute=at[UUIDS[3]], count=1)
    await asyncio.sleep(0.2)
    await stage.peer("central_unsubscribe", attribute=at[UUIDS[2]])
    await asyncio.sleep(0.2)
    await stage.peer("central_disconnect")
    await asyncio.sleep(0.5)
    await application.unregister()


async def serve_long_values(stage: Stage) -> None:
    """A value of 400 octets read and written at MTU 50: offsets."""
    application, at = await _serve(stage)
    application.values[0] = bytes(200) * 2
    await stage.peer("central_disconnect")
    await asyncio.sleep(0.5)
    found = await stage.peer("central_scan", name="App")
    await stage.peer("central_connect", address=found["address"], mtu=50)
    await stage.peer("central_read", attribute=at[UUIDS[0]])
    await stage.peer("central_write", attribute=at[UUIDS[0]], value="05" * 40)
    await stage.peer("central_disconnect")
    await asyncio.sleep(0.5)


async def serve_by_sockets(stage: Stage) -> None:
    """With NotifyAcquired and WriteAcquired: bluetoothd calls AcquireNotify and AcquireWrite."""
    application, at = await _serve(stage, acquire=True)
    await stage.peer("central_subscribe", attribute=at[UUIDS[2]])
    await stage.peer("central_write", attribute=at[UUIDS[1]], value="0304", response=False)
    await asyncio.sleep(0.3)
    application.sockets["AcquireNotify"].send(b"\1")
    await stage.peer("central_received", attribute=at[UUIDS[2]], count=1)
    await stage.peer("central_unsubscribe", attribute=at[UUIDS[2]])
    await asyncio.sleep(0.3)
    await stage.peer("central_disconnect")
    await asyncio.sleep(0.5)


async def serve_errors(stage: Stage) -> None:
    """Each error that an application may answer with, on a read and on a write; the note tells what the peer saw."""
    application, at = await _serve(stage)
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
        for command, parameters in (("central_read", {}), ("central_write", {"value": "01"})):
            try:
                await stage.control(command, attribute=at[UUIDS[0]], **parameters)
            except Exception as error:  # The peer's report is what is recorded.
                stage.trace.note(f"peer: {command} after {name} {text}: {error}")
    await stage.peer("central_write", attribute=at[UUIDS[1]], value="01")
    stage.trace.note("peer: the write to a characteristic that also has write-without-response succeeded")
    await stage.peer("central_disconnect")
    await asyncio.sleep(0.5)


async def serve_unanswered(stage: Stage) -> None:
    """Reads and writes that the application never answers; the note tells what the peer saw, and after how long."""
    application, at = await _serve(stage)
    application.silent = {"ReadValue", "WriteValue"}
    for command, parameters in (("central_write", {"value": "01"}), ("central_read", {})):
        started = asyncio.get_running_loop().time()
        try:
            await stage.control(command, attribute=at[UUIDS[0]], **parameters)
        except Exception as error:  # The peer's report is what is recorded.
            seconds = asyncio.get_running_loop().time() - started
            stage.trace.note(f"peer: {command} after {seconds:.1f} s: {error}")
    await stage.peer("central_disconnect")
    await asyncio.sleep(0.5)


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
    application, _ = await _serve(stage)
    await stage.peer("restart_daemon")
    await asyncio.sleep(0.5)
    await application.register()


async def serve_power_cycle(stage: Stage) -> None:
    """The adapter is powered off and on with an application and an advertisement registered."""
    await _serve(stage)
    await stage.power(False)
    await asyncio.sleep(0.5)
    await stage.power(True)
    await asyncio.sleep(0.5)
    await stage.peer("central_scan", name="App", timeout=5)


SCENARIOS = (
    serve,
    serve_long_values,
    serve_by_sockets,
    serve_errors,
    register_misuse,
    serve_daemon_restarted,
    serve_power_cycle,
    serve_unanswered,
)

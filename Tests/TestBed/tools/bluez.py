# SPDX-License-Identifier: MIT

"""org.bluez as the tools need it: raw calls over dbus-fast, no cache."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

PROPERTIES = "org.freedesktop.DBus.Properties"
ADAPTER = "/org/bluez/hci0"


class BusError(Exception):
    """An error reply: `name` and `text`."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name}: {text}")
        self.name = name.removeprefix("org.bluez.Error.")
        self.text = text


class BlueZ:
    """A client. Its polling goes through a second connection, `watch`, so that a trace of it shows only what it did."""

    async def open(self, watched: bool = True) -> BlueZ:
        self.watch = await BlueZ().open(watched=False) if watched else self
        self.bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        self.signals: list[tuple[float, Message]] = []
        self._waiting: list[tuple[Callable[[Message], bool], asyncio.Future[Message]]] = []
        self.bus.add_message_handler(self._receive)
        for rule in ("type='signal',sender='org.bluez'", "type='signal',member='NameOwnerChanged',arg0='org.bluez'"):
            await self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.AddMatch", "s", rule)
        return self

    def _receive(self, message: Message) -> None:
        if message.message_type != MessageType.SIGNAL:
            return
        self.signals.append((time.monotonic(), message))
        for condition, future in self._waiting:
            if not future.done() and condition(message):
                future.set_result(message)

    async def call(self, destination: str, path: str, member: str, signature: str = "", *body: Any) -> Any:
        """`member` with its interface; the reply's body, or its only value."""
        interface, _, name = member.rpartition(".")
        reply = await self.bus.call(
            Message(
                destination=destination,
                path=path,
                interface=interface,
                member=name,
                signature=signature,
                body=list(body),
            )
        )
        if reply.message_type == MessageType.ERROR:
            raise BusError(reply.error_name, reply.body[0] if reply.body else "")
        if reply.unix_fds:
            return [reply.unix_fds[0], *reply.body[1:]]
        return reply.body[0] if len(reply.body) == 1 else reply.body

    async def do(self, path: str, member: str, signature: str = "", *body: Any) -> Any:
        """A method of a BlueZ interface: "Device1.Connect"."""
        return await self.call("org.bluez", path, f"org.bluez.{member}", signature, *body)

    async def get(self, path: str, name: str) -> Any:
        interface, _, member = name.rpartition(".")
        reply = await self.call("org.bluez", path, f"{PROPERTIES}.Get", "ss", f"org.bluez.{interface}", member)
        return reply.value

    async def set(self, path: str, name: str, value: Variant) -> None:
        interface, _, member = name.rpartition(".")
        await self.call("org.bluez", path, f"{PROPERTIES}.Set", "ssv", f"org.bluez.{interface}", member, value)

    async def objects(self) -> dict[str, dict[str, dict[str, Any]]]:
        return await self.call("org.bluez", "/", "org.freedesktop.DBus.ObjectManager.GetManagedObjects")

    # Waiting

    def expect(self, condition: Callable[[Message], bool]) -> asyncio.Future[Message]:
        """The next signal that meets the condition, from now on."""
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting.append((condition, future))
        return future

    def expect_property(self, path: str, name: str, value: Any) -> asyncio.Future[Message]:
        def holds(message: Message) -> bool:
            return (
                message.member == "PropertiesChanged"
                and message.path == path
                and name in message.body[1]
                and message.body[1][name].value == value
            )

        return self.expect(holds)

    async def until(self, holds: Callable[[], Awaitable[Any]], timeout: float = 15) -> Any:
        async def poll() -> Any:
            while True:
                try:
                    if result := await holds():
                        return result
                except BusError:
                    pass
                await asyncio.sleep(0.03)

        return await asyncio.wait_for(poll(), timeout)

    async def answer_agent(
        self, capability: str = "NoInputNoOutput", refuses: bool = False, passkey: Callable[[], int] | None = None
    ) -> None:
        """Registers an agent that agrees to everything, or refuses; `passkey` is what it types when it is asked."""

        def answer(message: Message) -> bool:
            asked = message.message_type == MessageType.METHOD_CALL and message.interface == "org.bluez.Agent1"
            if not asked:
                return False
            self.asked.append((message.member, message.body))
            if refuses and message.member.startswith("Request"):
                reply = Message.new_error(message, "org.bluez.Error.Rejected", "Rejected")
            elif message.member == "RequestPasskey":
                reply = Message.new_method_return(message, "u", [passkey() if passkey else 0])
            else:
                reply = Message.new_method_return(message)
            self.bus.send(reply)
            return True

        self.asked: list[tuple[str, list[Any]]] = []
        self.bus.add_message_handler(answer)
        await self.do("/org/bluez", "AgentManager1.RegisterAgent", "os", "/agent", capability)
        await self.do("/org/bluez", "AgentManager1.RequestDefaultAgent", "o", "/agent")

    # Common steps

    async def scan(self, adapter: str = ADAPTER, **conditions: Variant) -> None:
        conditions.setdefault("Transport", Variant("s", "le"))
        await self.do(adapter, "Adapter1.SetDiscoveryFilter", "a{sv}", conditions)
        await self.do(adapter, "Adapter1.StartDiscovery")

    async def find(self, address: str, adapter: str = ADAPTER) -> str:
        """Scans until the device is known; its path."""
        path = device_path(address, adapter)
        await self.scan(adapter)

        async def known() -> bool:
            return path in await self.watch.objects()

        try:
            await self.until(known)
        finally:
            await self.do(adapter, "Adapter1.StopDiscovery")
        return path

    async def connect(self, device: str) -> dict[str, str]:
        """Connects and waits for the services; the paths of the characteristics by "s.c" in handle order."""
        await self.do(device, "Device1.Connect")

        async def resolved() -> bool:
            return await self.watch.get(device, "Device1.ServicesResolved")

        await self.until(resolved, 20)
        return await self.attributes(device)

    async def attributes(self, device: str) -> dict[str, str]:
        """Paths by key, as the declaration counts: without the generic services and subscription descriptors."""
        hidden = {"1800", "1801", "2902"}
        known = {
            path: next(v["UUID"].value[4:8] for k, v in interfaces.items() if k.startswith("org.bluez.Gatt"))
            for path, interfaces in (await self.watch.objects()).items()
            if path.startswith(device + "/service")
        }
        shown = sorted(path for path, uuid in known.items() if uuid not in hidden)

        def inside(parent: str) -> list[str]:
            return [path for path in shown if path.rpartition("/")[0] == parent]

        result: dict[str, str] = {}
        for s, service in enumerate(inside(device)):
            for c, characteristic in enumerate(inside(service)):
                result[f"{s}.{c}"] = characteristic
                result |= {f"{s}.{c}.{d}": path for d, path in enumerate(inside(characteristic))}
        return result

    async def read(self, path: str, offset: int | None = None) -> bytes:
        kind = "GattDescriptor1" if "/desc" in path else "GattCharacteristic1"
        options = {} if offset is None else {"offset": Variant("q", offset)}
        return bytes(await self.do(path, f"{kind}.ReadValue", "a{sv}", options))

    async def write(self, path: str, value: bytes, kind: str | None = None) -> None:
        interface = "GattDescriptor1" if "/desc" in path else "GattCharacteristic1"
        options = {} if kind is None else {"type": Variant("s", kind)}
        await self.do(path, f"{interface}.WriteValue", "aya{sv}", value, options)


def device_path(address: str, adapter: str = ADAPTER) -> str:
    return f"{adapter}/dev_{address.replace(':', '_')}"

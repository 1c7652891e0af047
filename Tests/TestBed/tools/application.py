# SPDX-License-Identifier: MIT

"""A GATT application and an advertisement for bluetoothd to call, exported on a client's connection."""

from __future__ import annotations

import socket
from typing import Any

from dbus_fast import Message, MessageType, Variant

from .bluez import ADAPTER, PROPERTIES, BlueZ

_SO_SNDBUFFORCE = 32
ROOT = "/app"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"


class Application:
    """One service; `characteristics` are (UUID, flags), each with a value and a record of the calls it got."""

    def __init__(self, bluez: BlueZ, characteristics: list[tuple[str, list[str]]], acquire: bool = False) -> None:
        self.bluez = bluez
        self.uuids = [uuid for uuid, _ in characteristics]
        self.values = [b"" for _ in characteristics]
        self.calls: list[tuple[str, int, list[Any]]] = []
        self.sockets: dict[str, socket.socket] = {}
        self.answers: dict[str, tuple[str, str]] = {}
        """Error name and text to answer a method with."""
        self.silent: set[str] = set()
        """Methods that are never answered."""
        self.send_buffer = 0
        """Octets that bluetoothd's end of a socket is made to hold, if not the kernel's default."""
        self.tree = self._tree(characteristics, acquire)

    @staticmethod
    def _tree(characteristics: list[tuple[str, list[str]]], acquire: bool) -> dict[str, Any]:
        service = {"UUID": Variant("s", "0000180d-0000-1000-8000-00805f9b34fb"), "Primary": Variant("b", True)}
        tree: dict[str, Any] = {f"{ROOT}/s": {"org.bluez.GattService1": service}}
        for index, (uuid, flags) in enumerate(characteristics):
            properties = {
                "UUID": Variant("s", uuid),
                "Service": Variant("o", f"{ROOT}/s"),
                "Flags": Variant("as", flags),
            }
            if acquire:
                properties |= {"NotifyAcquired": Variant("b", False), "WriteAcquired": Variant("b", False)}
            tree[f"{ROOT}/s/c{index}"] = {CHARACTERISTIC: properties}
        return tree

    async def register(self, name: str = "App") -> None:
        self.advertisement = {
            "Type": Variant("s", "peripheral"),
            "LocalName": Variant("s", name),
            "ServiceUUIDs": Variant("as", ["180d"]),
        }
        self.bluez.bus.add_message_handler(self._handle)
        await self.bluez.do(ADAPTER, "GattManager1.RegisterApplication", "oa{sv}", ROOT, {})
        await self.bluez.do(ADAPTER, "LEAdvertisingManager1.RegisterAdvertisement", "oa{sv}", f"{ROOT}/adv", {})

    async def unregister(self) -> None:
        await self.bluez.do(ADAPTER, "LEAdvertisingManager1.UnregisterAdvertisement", "o", f"{ROOT}/adv")
        await self.bluez.do(ADAPTER, "GattManager1.UnregisterApplication", "o", ROOT)
        self.bluez.bus.remove_message_handler(self._handle)

    def notify(self, index: int, value: bytes) -> None:
        changed = [CHARACTERISTIC, {"Value": Variant("ay", value)}, []]
        path = f"{ROOT}/s/c{index}"
        self.bluez.bus.send(Message.new_signal(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", changed))

    def called(self, member: str) -> int:
        return sum(1 for name, _, _ in self.calls if name == member)

    def _handle(self, message: Message) -> Message | bool:
        if message.message_type != MessageType.METHOD_CALL or not (message.path or "").startswith(ROOT):
            return False
        if message.member == "GetManagedObjects":
            return Message.new_method_return(message, "a{oa{sa{sv}}}", [self.tree])
        if message.member == "GetAll":
            advertised = message.path == f"{ROOT}/adv"
            properties = self.advertisement if advertised else self.tree[message.path][message.body[0]]
            return Message.new_method_return(message, "a{sv}", [properties])
        if message.interface != CHARACTERISTIC:
            return Message.new_method_return(message)
        index = int(message.path.rpartition("c")[2])
        self.calls.append((message.member, index, message.body))
        if message.member in self.silent:
            return True
        if message.member in self.answers:
            return Message.new_error(message, *self.answers[message.member])
        return self._characteristic(message, index)

    def _characteristic(self, message: Message, index: int) -> Message:
        options: dict[str, Variant] = message.body[-1] if message.body else {}
        offset = options["offset"].value if "offset" in options else 0
        match message.member:
            case "ReadValue":
                return Message.new_method_return(message, "ay", [self.values[index][offset:]])
            case "WriteValue":
                self.values[index] = self.values[index][:offset] + bytes(message.body[0])
            case "AcquireWrite" | "AcquireNotify":
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                if self.send_buffer:
                    theirs.setsockopt(socket.SOL_SOCKET, _SO_SNDBUFFORCE, self.send_buffer)
                self.sockets[message.member] = ours
                reply = Message.new_method_return(message, "hq", [0, options["mtu"].value], [theirs.detach()])
                return reply
        return Message.new_method_return(message)

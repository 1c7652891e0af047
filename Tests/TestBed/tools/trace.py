# SPDX-License-Identifier: MIT

"""Records the D-Bus traffic of org.bluez as text, one message a line.

A line has the columns: milliseconds since the start, kind, sender and receiver, serial of the call, path,
interface.member, signature, body. In the body, a variant is {"signature": value} and a byte array is hexadecimal.
C is the client, B is bluetoothd, D the bus itself, * everyone. A line with `note` tells what the scenario did, in JSON
behind a word: `peer` is a command to the far device, `saw` what it saw of that, `packet` what passed through a socket
between the client and bluetoothd, `close` that the client closed it, `either` texts of which bluetoothd takes now the one
and now the other. After `later` comes something by a timer of bluetoothd's own; the next answer after `perhaps` may never
come. Other notes are for people.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.signature import SignatureTree, SignatureType

BUS = "org.freedesktop.DBus"


def plain(value: Any, kind: SignatureType) -> Any:
    """The value as JSON can carry it."""
    if kind.token == "v":
        assert isinstance(value, Variant)
        return {value.signature: plain(value.value, value.type)}
    if kind.token == "a" and kind.children[0].token == "{":
        key, inner = kind.children[0].children
        return {str(plain(name, key)): plain(item, inner) for name, item in value.items()}
    if kind.token == "a" and kind.children[0].token == "y":
        return bytes(value).hex()
    if kind.token == "a":
        return [plain(item, kind.children[0]) for item in value]
    if kind.token == "(":
        return [plain(item, inner) for item, inner in zip(value, kind.children, strict=True)]
    return value


class Trace:
    """Sees every message on the bus and keeps those between `client` and bluetoothd."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._aliases: dict[str, str] = {}
        self._peers: dict[str, str] = {BUS: "D"}
        self._calls: dict[tuple[str, int], tuple[int, Message]] = {}
        self._count = 0
        self._start = time.monotonic()

    async def open(self, client: MessageBus) -> Trace:
        self._bus = await MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True).connect()
        owner = await self._call("GetNameOwner", "s", ["org.bluez"])
        self._peers |= {client.unique_name: "C", owner: "B"}
        await self._call("Monitoring.BecomeMonitor", "asu", [[], 0])
        # Not before: a handler that takes every message would take the reply.
        self._bus.add_message_handler(self._receive)
        self._start = time.monotonic()
        return self

    async def _call(self, member: str, signature: str, body: list[Any]) -> Any:
        interface, _, name = f"{BUS}.{member}".rpartition(".")
        request = Message(BUS, "/org/freedesktop/DBus", interface, name, signature=signature, body=body)
        reply = await self._bus.call(request)
        assert reply is not None
        return reply.body[0] if reply.body else None

    def close(self) -> None:
        self._bus.disconnect()

    def alias(self, address: str, replacement: str) -> None:
        """Addresses are random: give them fixed names in the trace."""
        self._aliases[address] = replacement
        self._aliases[address.replace(":", "_")] = replacement.replace(":", "_")

    def note(self, text: str) -> None:
        self._add("note", text)

    def note_json(self, word: str, value: dict[str, Any]) -> None:
        self.note(f"{word}: {json.dumps(value, separators=(',', ':'))}")

    def text(self) -> str:
        """The lines; aliases apply to all, whenever they became known."""
        text = "\n".join(self.lines) + "\n"
        for address, replacement in self._aliases.items():
            text = text.replace(address, replacement)
        return text

    # Receiving

    def _receive(self, message: Message) -> bool:
        for descriptor in message.unix_fds:
            os.close(descriptor)
        if message.member == "NameOwnerChanged" and message.body[0] == "org.bluez":
            if message.body[2]:
                self._peers[message.body[2]] = "B"
            self._write("signal", "D>*", "-", message)
            return True
        sender = self._peers.get(message.sender, "")
        receiver = self._peers.get(message.destination or "", "B" if message.destination == "org.bluez" else "")
        match message.message_type:
            case MessageType.SIGNAL if sender in ("B", "C"):
                self._write("signal", f"{sender}>*", "-", message)
            case MessageType.METHOD_CALL if (sender, receiver) in (("C", "B"), ("B", "C")):
                self._count += 1
                self._calls[message.sender, message.serial] = (self._count, message)
                self._write("call", f"{sender}>{receiver}", f"#{self._count}", message)
            case MessageType.METHOD_RETURN | MessageType.ERROR:
                call = self._calls.pop((message.destination or "", message.reply_serial), None)
                if call is not None:
                    number, request = call
                    failed = message.message_type == MessageType.ERROR
                    kind = f"error={message.error_name}" if failed else "return"
                    self._write(kind, f"{sender}>{receiver}", f"#{number}", message, request)
        return True

    def _write(self, kind: str, way: str, number: str, message: Message, request: Message | None = None) -> None:
        tree: SignatureTree = message.signature_tree
        body = [plain(value, inner) for value, inner in zip(message.body, tree.types, strict=True)]
        encoded = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        named = request or message
        self._add(kind, f"{way} {number} {named.path} {named.interface}.{named.member} ({message.signature}) {encoded}")

    def _add(self, kind: str, rest: str) -> None:
        self.lines.append(f"{(time.monotonic() - self._start) * 1000:9.1f} {kind} {rest}")

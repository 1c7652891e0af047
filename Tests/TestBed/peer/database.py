# SPDX-License-Identifier: MIT

"""The attributes of a far device: from the services of a twin to bumble's, with the faults a test asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bumble.att import ATT_Error, Attribute, AttributeValueV2, Bearer, ErrorCode
from bumble.gatt import Characteristic, Descriptor, Service

from .adverts import refuse_others

PROPERTIES = {
    "broadcast": Characteristic.Properties.BROADCAST,
    "read": Characteristic.Properties.READ,
    "writeWithoutResponse": Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
    "write": Characteristic.Properties.WRITE,
    "notify": Characteristic.Properties.NOTIFY,
    "indicate": Characteristic.Properties.INDICATE,
    "authenticatedSignedWrites": Characteristic.Properties.AUTHENTICATED_SIGNED_WRITES,
    "extendedProperties": Characteristic.Properties.EXTENDED_PROPERTIES,
}
_WRITABLE = (
    Characteristic.Properties.WRITE
    | Characteristic.Properties.WRITE_WITHOUT_RESPONSE
    | Characteristic.Properties.AUTHENTICATED_SIGNED_WRITES
)
OPERATIONS = ("read", "write", "subscribe")
_READING = {
    "open": Attribute.Permissions(0),
    "encrypted": Attribute.READ_REQUIRES_ENCRYPTION,
    "authenticated": Attribute.READ_REQUIRES_AUTHENTICATION,
}
_WRITING = {
    "open": Attribute.Permissions(0),
    "encrypted": Attribute.WRITE_REQUIRES_ENCRYPTION,
    "authenticated": Attribute.WRITE_REQUIRES_AUTHENTICATION,
}
_KEYS = {"uuid", "handle", "properties", "value", "readSecurity", "writeSecurity", "descriptors", "notifications"}


@dataclass
class Declared:
    """One characteristic ("s.c") or descriptor ("s.c.d") of the declaration."""

    key: str
    value: bytes
    changed: Callable[[], None]
    """Called after everything that a test may wait for."""
    kind_of_write: Callable[[], str]
    attribute: Attribute = field(init=False)
    errors: dict[str, int] = field(default_factory=dict)
    holds: set[str] = field(default_factory=set)
    held: list[tuple[str, Bearer, asyncio.Future[None]]] = field(default_factory=list)
    writes: list[tuple[str, bytes]] = field(default_factory=list)
    reads: int = 0
    cccd: int = 0
    cccd_writes: int = 0
    subscriptions: int = 0
    """How often the configuration was written on after it was off."""
    notification_on_subscribe: bytes | None = None

    async def pass_gate(self, operation: str, bearer: Bearer) -> None:
        """Waits while the operation is held; then fails if an error is set for it."""
        if operation in self.holds:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.held.append((operation, bearer, future))
            self.changed()
            await future
        if (code := self.errors.get(operation)) is not None:
            raise ATT_Error(error_code=code)

    async def read(self, bearer: Bearer) -> bytes:
        await self.pass_gate("read", bearer)
        if isinstance(self.attribute, Characteristic) and not self.attribute.properties & PROPERTIES["read"]:
            raise ATT_Error(error_code=ErrorCode.READ_NOT_PERMITTED)
        self.reads += 1
        self.changed()
        return self.value

    async def write(self, bearer: Bearer, value: bytes) -> None:
        kind = self.kind_of_write()
        # A command has no answer: holding it would only let later ones overtake it.
        if kind != "command":
            await self.pass_gate("write", bearer)
        if isinstance(self.attribute, Characteristic) and not self.attribute.properties & _WRITABLE:
            raise ATT_Error(error_code=ErrorCode.WRITE_NOT_PERMITTED)
        self.value = bytes(value)
        self.writes.append((kind, self.value))
        self.changed()

    def release(self, keep: bool) -> int:
        held, self.held = self.held, []
        if not keep:
            self.holds.clear()
        for _, _, future in held:
            if not future.done():
                future.set_result(None)
        return len(held)

    def forget(self, bearer: Bearer) -> None:
        """The link is gone: nobody waits for the held answers."""
        for _, owner, future in self.held:
            if owner is bearer:
                future.cancel()
        self.held = [entry for entry in self.held if entry[1] is not bearer]
        self.cccd = 0


@dataclass
class Database:
    """The declared services, ready to be added to a server, and their attributes by key."""

    services: list[Service]
    declared: dict[str, Declared]


def build(declaration: list[dict[str, Any]], changed: Callable[[], None], kind_of_write: Callable[[], str]) -> Database:
    services: list[Service] = []
    declared: dict[str, Declared] = {}

    def declare(key: str, item: dict[str, Any]) -> Declared:
        entry = Declared(key, bytes.fromhex(item.get("value", "")), changed, kind_of_write)
        declared[key] = entry
        return entry

    for s, service in enumerate(declaration):
        characteristics = []
        for c, item in enumerate(service.get("characteristics", [])):
            refuse_others(item, _KEYS, "a characteristic's keys")
            descriptors = []
            for d, detail in enumerate(item.get("descriptors", [])):
                entry = declare(f"{s}.{c}.{d}", detail)
                value = AttributeValueV2(read=entry.read, write=entry.write)
                entry.attribute = Descriptor(detail["uuid"], Attribute.READABLE | Attribute.WRITEABLE, value)
                descriptors.append(entry.attribute)
            entry = declare(f"{s}.{c}", item)
            entry.attribute = Characteristic(
                item["uuid"],
                _properties(item.get("properties", [])),
                _permissions(item),
                AttributeValueV2(read=entry.read, write=entry.write),
                descriptors,
            )
            characteristics.append(entry.attribute)
        services.append(Service(service["uuid"], characteristics, primary=service.get("primary", True)))
    for service, item in zip(services, declaration, strict=True):
        service.included_services = [services[index] for index in item.get("includes", [])]
    return Database(services, declared)


def _properties(names: list[str]) -> Characteristic.Properties:
    result = Characteristic.Properties(0)
    for name in names:
        if name not in PROPERTIES:
            raise ValueError(f"unknown property {name!r}; known are {', '.join(PROPERTIES)}")
        result |= PROPERTIES[name]
    return result


def _permissions(characteristic: dict[str, Any]) -> Attribute.Permissions:
    permissions = Attribute.READABLE | Attribute.WRITEABLE
    for key, levels in (("readSecurity", _READING), ("writeSecurity", _WRITING)):
        security = characteristic.get(key, "open")
        if security not in levels:
            raise ValueError(f"{key}: unknown security {security!r}; known are {', '.join(levels)}")
        permissions |= levels[security]
    return permissions

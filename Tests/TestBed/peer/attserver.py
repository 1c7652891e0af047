# SPDX-License-Identifier: MIT

"""The ATT server of a far device: bumble's, with the kind of each write known and its subscriptions open to faults."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from bumble import att
from bumble.att import ATT_Error, AttributeValueV2, Bearer, ErrorCode
from bumble.device import Device
from bumble.gatt import (
    GATT_CHARACTERISTIC_EXTENDED_PROPERTIES_DESCRIPTOR,
    Characteristic,
    IncludedServiceDeclaration,
    Service,
)
from bumble.gatt_server import Server
from bumble.profiles.gatt_service import GenericAttributeProfileService
from bumble.utils import AsyncRunner

from .database import Database, Declared, build

# The PDU whose handling the current task is part of. bumble starts a task for each request, which inherits it.
_pdu: ContextVar[att.ATT_PDU | None] = ContextVar("pdu", default=None)


CONNECTION_INTERVAL = 0.02
_DISCOVERY = (
    att.ATT_Find_Information_Request,
    att.ATT_Find_By_Type_Value_Request,
    att.ATT_Read_By_Type_Request,
    att.ATT_Read_By_Group_Type_Request,
)
_SECURITY_ERRORS = (
    ErrorCode.INSUFFICIENT_AUTHENTICATION,
    ErrorCode.INSUFFICIENT_ENCRYPTION_KEY_SIZE,
    ErrorCode.INSUFFICIENT_ENCRYPTION,
)


def kind_of_write() -> str:
    pdu = _pdu.get()
    if isinstance(pdu, att.ATT_Write_Command):
        return "command"
    return "long" if isinstance(pdu, att.ATT_Execute_Write_Request) else "request"


async def _refuse(_: Bearer, __: bytes) -> None:
    raise ATT_Error(error_code=ErrorCode.WRITE_NOT_PERMITTED)


def _include_value(service: Service) -> bytes:
    """Core 5.4 Vol 3 G 3.2: the UUID only if it has 16 bits."""
    uuid = service.uuid.to_pdu_bytes()
    handles = service.handle.to_bytes(2, "little") + service.end_group_handle.to_bytes(2, "little")
    return handles + (uuid if len(uuid) == 2 else b"")


class FarServer(Server):
    """Serves the declared database after the generic services."""

    def __init__(self, device: Device, changed: Callable[[], None], until_daemon_waits: Callable[[], Awaitable[None]]) -> None:
        super().__init__(device)
        self.changed = changed
        self._until_daemon_waits = until_daemon_waits
        self.database = Database([], {})
        self._by_attribute: dict[att.Attribute, Declared] = {}
        self.holds_discovery = False
        self._discovery: list[tuple[Bearer, att.ATT_PDU]] = []

    def load(self, declaration: list[dict[str, Any]]) -> None:
        """Replaces the whole database. Handles follow from the order, so an unchanged beginning keeps its own."""
        database = build(declaration, self.changed, kind_of_write)
        self.attributes.clear()
        self.services.clear()
        self.attributes_by_handle.clear()
        self.device.add_default_services()
        assert self.device.gatt_service is not None
        self.device.gatt_service.get_attribute_data = self._hashed  # type: ignore[method-assign]
        self._add(database.services)
        self._fix_declarations()
        self.database = database
        self._by_attribute = {entry.attribute: entry for entry in database.declared.values()}

    def _add(self, services: list[Service]) -> None:
        """Adds the services in their order. bumble puts an included one that is not yet there inside the including
        one, which no real device does and bluetoothd 5.66 dies of: pretend that all are there, then correct the
        handles of the includes."""
        generic = list(self.services)
        self.services += services
        for service in services:
            self.add_service(service)
        self.services = generic + services
        for attribute in self.attributes:
            if isinstance(attribute, IncludedServiceDeclaration):
                attribute.value = _include_value(attribute.service)

    def _fix_declarations(self) -> None:
        """bumble lets a declaration be written, say by a command that was on its way to what had the handle before the
        database changed, and then answers a discovery with what was written: bluetoothd finds no service any more."""
        for attribute in self.attributes:
            if not attribute.permissions & att.Attribute.WRITEABLE:
                attribute.write_value = _refuse  # type: ignore[method-assign]

    def drop_subscriptions(self, first_handle: int) -> None:
        for handles in self.subscribers.values():
            for handle in [handle for handle in handles if handle >= first_handle]:
                del handles[handle]

    # Requests

    def _hashed(self, attribute: att.Attribute) -> bytes:
        """An attribute's part of the database hash. bumble takes the value of extended properties for constant."""
        entry = self._by_attribute.get(attribute)
        if entry is None or attribute.type != GATT_CHARACTERISTIC_EXTENDED_PROPERTIES_DESCRIPTOR:
            return GenericAttributeProfileService.get_attribute_data(attribute)
        return attribute.handle.to_bytes(2, "little") + attribute.type.to_bytes() + entry.value

    def on_gatt_pdu(self, bearer: Bearer, att_pdu: att.ATT_PDU) -> None:
        if self.holds_discovery and isinstance(att_pdu, _DISCOVERY):
            self._discovery.append((bearer, att_pdu))
            return
        token = _pdu.set(att_pdu)
        try:
            super().on_gatt_pdu(bearer, att_pdu)
        finally:
            _pdu.reset(token)

    def release_discovery(self) -> None:
        """Answers what asked for the database meanwhile."""
        self.holds_discovery = False
        held, self._discovery = self._discovery, []
        for bearer, pdu in held:
            self.on_gatt_pdu(bearer, pdu)

    def make_descriptor_value(self, characteristic: Characteristic) -> AttributeValueV2:
        async def write(bearer: Bearer, value: bytes) -> None:
            await self._write_subscription(bearer, characteristic, value)

        return AttributeValueV2(read=lambda bearer: self.read_cccd(bearer, characteristic), write=write)

    async def _write_subscription(self, bearer: Bearer, characteristic: Characteristic, value: bytes) -> None:
        if len(value) != 2:
            raise ATT_Error(error_code=ErrorCode.INVALID_ATTRIBUTE_LENGTH)
        entry = self._by_attribute.get(characteristic)
        if entry is not None:
            entry.cccd_writes += 1
            await entry.pass_gate("subscribe", bearer)
        self.write_cccd(bearer, characteristic, value)
        if entry is None:
            self.changed()
            return
        cccd = int.from_bytes(value, "little")
        entry.subscriptions += cccd != 0 and entry.cccd == 0
        entry.cccd = cccd
        early = entry.notification_on_subscribe
        if early is not None and entry.cccd:
            opcode = att.ATT_Handle_Value_Notification if entry.cccd & 1 else att.ATT_Handle_Value_Indication
            pdu = opcode(attribute_handle=characteristic.handle, attribute_value=early)
            self.send_gatt_pdu(bearer, bytes(pdu))
        self.changed()

    def send_response(self, bearer: Bearer, response: att.ATT_PDU) -> None:
        """bluetoothd loses a request whose refusal for lack of security arrives before its main loop went round:
        it repeats it at once, while the socket waits for encryption, and fails it with 0x0E. A radio hardly answers that
        soon, unless bluetoothd is kept from running."""
        if isinstance(response, att.ATT_Error_Response) and response.error_code in _SECURITY_ERRORS:
            self._refuse_later(bearer, response)
        else:
            super().send_response(bearer, response)

    @AsyncRunner.run_in_task()
    async def _refuse_later(self, bearer: Bearer, response: att.ATT_PDU) -> None:
        await asyncio.sleep(CONNECTION_INTERVAL)
        await self._until_daemon_waits()
        super().send_response(bearer, response)

    @AsyncRunner.run_in_task()
    async def on_att_read_blob_request(self, bearer: Bearer, request: att.ATT_Read_Blob_Request) -> None:
        """Answers with what there is from the offset on. bumble answers Attribute Not Long for a value that one
        response could carry, upon which BlueZ fails the read of a value of exactly that length."""
        response: att.ATT_PDU
        try:
            attribute = self.get_attribute(request.attribute_handle)
            if attribute is None:
                raise ATT_Error(error_code=ErrorCode.INVALID_HANDLE)
            value = await attribute.read_value(bearer)
            if request.value_offset > len(value):
                raise ATT_Error(error_code=ErrorCode.INVALID_OFFSET)
            part = value[request.value_offset :][: bearer.att_mtu - 1]
            response = att.ATT_Read_Blob_Response(part_attribute_value=part)
        except ATT_Error as error:
            response = att.ATT_Error_Response(
                request_opcode_in_error=request.op_code,
                attribute_handle_in_error=request.attribute_handle,
                error_code=error.error_code,
            )
        self.send_response(bearer, response)

    # Links

    def on_disconnection(self, bearer: Bearer) -> None:
        self._discovery = [(asker, pdu) for asker, pdu in self._discovery if asker is not bearer]
        for entry in self.database.declared.values():
            entry.forget(bearer)
        confirmation = self.pending_confirmations.get(bearer)
        if confirmation is not None and not confirmation.done():
            confirmation.set_exception(ConnectionError("disconnected before the confirmation"))
        super().on_disconnection(bearer)
        self.changed()

    def subscribed(self, attribute: att.Attribute, bit: int) -> list[Bearer]:
        return [bearer for bearer, handles in self.subscribers.items() if handles.get(attribute.handle, b"\0")[0] & bit]

    async def indicate(self, attribute: att.Attribute, value: bytes) -> int:
        """Sends an indication to each subscriber; the number of those that confirmed it."""
        bearers = self.subscribed(attribute, 2)
        await asyncio.gather(*(self._indicate_single_bearer(bearer, attribute, value, True) for bearer in bearers))
        return len(bearers)

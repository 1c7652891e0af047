# SPDX-License-Identifier: MIT

"""The air: what one controller sends, the others hear, unless a fault is set.

bumble's LocalLink is the base. It sends ACL data under the sender's random address, while BlueZ connects from its
public one, so the receiver would drop the data; here the address of the connection is used.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bumble import hci, ll
from bumble.core import PhysicalTransport
from bumble.link import LocalLink

if TYPE_CHECKING:
    from bumble.controller import AdvertisingSet, LegacyAdvertiser

    from .controller import BedController


class Air(LocalLink):
    """Joins all controllers of the bed, in this process, without loss and in order."""

    def __init__(self) -> None:
        super().__init__()
        self.silent: set[BedController] = set()
        self.muted: dict[BedController, list[Callable[[], Any]]] = {}

    # Faults

    def vanish(self, controller: BedController) -> None:
        """Out of range: both ends of every link see a supervision timeout, at once, and nothing is heard any more."""
        self.silent.add(controller)
        self.muted.pop(controller, None)
        self.drop_links(controller)

    def drop_links(self, controller: BedController) -> None:
        reason = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
        for connection in list(controller.le_connections.values()):
            if far := self.other_end(controller, connection.peer_address):
                far.on_le_disconnected(far.le_connections[connection.self_address], reason)
            controller.on_le_disconnected(connection, reason)

    def mute(self, controller: BedController) -> None:
        """The link stays up, but nothing passes until `restore`, which delivers what was sent meanwhile."""
        self.muted.setdefault(controller, [])

    def restore(self, controller: BedController) -> None:
        self.silent.discard(controller)
        for delivery in self.muted.pop(controller, []):
            asyncio.get_running_loop().call_soon(delivery)

    # Delivery

    def advertiser(self, address: hci.Address) -> LegacyAdvertiser | None:
        for controller in self.controllers:
            advertiser = controller.le_legacy_advertiser
            if advertiser.enabled and advertiser.address == address:
                return advertiser
        return None

    def advertising_set(self, address: hci.Address) -> AdvertisingSet | None:
        for controller in self.controllers:
            for known in controller.advertising_sets.values():
                if known.enabled and known.address == address:
                    return known
        return None

    def other_end(self, controller: BedController, peer: hci.Address) -> BedController | None:
        link = controller.le_connections.get(peer)
        for other in self.controllers:
            if link and other is not controller:
                back = other.le_connections.get(link.self_address)
                if back and back.self_address == peer:
                    return other
        return None

    def deliver(self, sender: BedController, receiver: BedController, delivery: Callable[[], Any]) -> None:
        for controller in (sender, receiver):
            if controller in self.silent:
                return
            if controller in self.muted:
                self.muted[controller].append(delivery)
                return
        asyncio.get_running_loop().call_soon(delivery)

    def send_acl_data(
        self,
        sender_controller: BedController,
        destination_address: hci.Address,
        transport: PhysicalTransport,
        data: bytes,
    ) -> None:
        receiver = self.other_end(sender_controller, destination_address)
        if receiver is not None:
            source = sender_controller.le_connections[destination_address].self_address
            self.deliver(sender_controller, receiver, lambda: receiver.on_link_acl_data(source, transport, data))

    def send_ll_control_pdu(
        self, sender_address: hci.Address, receiver_address: hci.Address, packet: ll.ControlPdu
    ) -> None:
        for sender in self.controllers:
            link = sender.le_connections.get(receiver_address)
            if link and link.self_address == sender_address:
                if receiver := self.other_end(sender, receiver_address):
                    self.deliver(sender, receiver, lambda: receiver.on_ll_control_pdu(sender_address, packet))
                return

    def send_advertising_pdu(self, sender_controller: BedController, packet: ll.AdvertisingPdu) -> None:
        if sender_controller in self.silent or sender_controller in self.muted:
            return
        for controller in list(self.controllers):
            if controller is sender_controller or controller in self.silent or controller in self.muted:
                continue
            if isinstance(packet, ll.ConnectInd):
                # At once, so that a second central cannot take the same advertisement.
                controller.on_ll_advertising_pdu(packet)
            else:
                asyncio.get_running_loop().call_soon(controller.on_ll_advertising_pdu, packet)

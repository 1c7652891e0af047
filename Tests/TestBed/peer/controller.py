# SPDX-License-Identifier: MIT

"""A controller that suits the Linux kernel: bumble's, with what it lacks for that."""

from __future__ import annotations

import asyncio
from typing import Any

from bumble import hci, ll
from bumble.controller import AdvertisingSet, Connection, Controller, LegacyAdvertiser

from . import extended
from .air import Air

# Time between LE Connection Complete and its failure when the far device never answers: six connection events.
ESTABLISHMENT_TIMEOUT = 0.1

# Core 5.4 Vol 4 E 7.3.35.
READ_TRANSMIT_POWER_LEVEL = 0x0C2D

KINDS = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType
REPORTS = hci.HCI_LE_Advertising_Report_Event.EventType


class BedAdvertiser(LegacyAdvertiser):
    """Sends all kinds of undirected advertising; bumble sends only the connectable one. It ends with its controller."""

    def start(self) -> None:
        # bumble's device starts it again when a link ends, even one that ends because the device goes.
        if self.controller in self.controller.link.controllers:
            super().start()

    def _on_timer_fired(self) -> None:
        super()._on_timer_fired()
        if not self.enabled:
            # What was sent has ended it, and bumble has set the timer all the same.
            self.stop()

    sent = 0
    """How many advertisements have left it."""

    def send_advertising_data(self) -> None:
        if self.enabled and self.advertising_type in (KINDS.ADV_IND, KINDS.ADV_SCAN_IND, KINDS.ADV_NONCONN_IND):
            self.sent += 1
            # The kind is looked up at the advertiser by whoever hears it.
            self.controller.send_advertising_pdu(ll.AdvInd(self.address, self.advertising_data))


class BedController(extended.ExtendedAdvertising):
    """A Bluetooth 4.2 controller with legacy advertising, unless it is asked for extended, and 251-octet packets.

    The kernel waits for LE Enhanced Connection Complete, 20 s for each Connect, when the controller claims LL Privacy
    or extended advertising; bumble sends only the plain event, so the former is not claimed.
    """

    link: Air
    le_acl_data_packet_length = 251
    acl_data_packet_length = 251
    supported_max_tx_octets = 251
    supported_max_rx_octets = 251
    suggested_max_tx_octets = 251
    le_features = Controller.le_features & ~(
        hci.LeFeatureMask.LL_PRIVACY
        | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING
        | hci.LeFeatureMask.LE_PERIODIC_ADVERTISING
    )

    rssi = -50
    """What others measure when they hear this controller, in dBm."""
    duplicate_filter = False
    """Whether a scan that asks for it reports an unchanged advertisement once, as hardware does."""
    transmit_power = 4
    """The power of a link, in dBm."""
    timing: tuple[int, int, int] | None = None
    """Interval, latency and supervision timeout of its newest link as a peripheral, in the units of the air."""
    refuses_connections = False
    """Whether connection requests to this controller go unanswered."""
    _announces = True
    """Whether a connection request leaves this controller."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.le_legacy_advertiser = BedAdvertiser(self)
        self._reported: set[tuple[int, hci.Address, bytes]] = set()

    def on_advertising_pdu(self, pdu: ll.AdvInd | ll.AdvExtInd) -> None:
        """Reports the advertisement and, in an active scan, its real scan response; bumble repeats the former."""
        advertiser: LegacyAdvertiser | AdvertisingSet | None
        if isinstance(pdu, ll.AdvExtInd):
            advertiser = self.link.advertising_set(pdu.advertiser_address)
            if advertiser is None:
                return
            asked = extended.properties(advertiser)
            kind = KINDS.ADV_IND if asked & 1 else KINDS.ADV_SCAN_IND if asked & 2 else KINDS.ADV_NONCONN_IND
        else:
            advertiser = self.link.advertiser(pdu.advertiser_address)
            if advertiser is None:
                return
            kind = advertiser.advertising_type
        if self.le_scan_enable and isinstance(advertiser, AdvertisingSet) and not extended.is_legacy(advertiser):
            for event in extended.reports(advertiser, pdu, advertiser.controller.rssi):
                self.send_hci_packet(event)
        elif self.le_scan_enable:
            report = {KINDS.ADV_SCAN_IND: REPORTS.ADV_SCAN_IND, KINDS.ADV_NONCONN_IND: REPORTS.ADV_NONCONN_IND}.get(
                kind, REPORTS.ADV_IND
            )
            self._report(report, pdu.advertiser_address, pdu.data, advertiser.controller.rssi)
            if self.le_scan_type == 1 and kind != KINDS.ADV_NONCONN_IND:
                response = bytes(advertiser.scan_response_data)
                self._report(REPORTS.SCAN_RSP, pdu.advertiser_address, response, advertiser.controller.rssi)
        pending = self.pending_le_connection
        if pending and kind == KINDS.ADV_IND and pending.peer_address == pdu.advertiser_address:
            if advertiser.controller.refuses_connections:
                self._fail_establishment(pdu.advertiser_address)
            else:
                self.create_le_connection(pdu.advertiser_address)

    def _report(self, kind: int, address: hci.Address, data: bytes, rssi: int) -> None:
        if self.duplicate_filter and self.filter_duplicates:
            # Core 5.4 Vol 6 B 4.4.3.5: the data may count, as they do here; the signal strength does not.
            if (kind, address, data) in self._reported:
                return
            self._reported.add((kind, address, data))
        event = hci.HCI_LE_Advertising_Report_Event
        report = event.Report(event_type=kind, address_type=address.address_type, address=address, data=data, rssi=rssi)
        self.send_hci_packet(event([report]))

    def _fail_establishment(self, address: hci.Address) -> None:
        """What a central's controller says when the far device ignores its request: a link, then error 0x3E."""
        reason = hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR
        self._announces = False
        self.create_le_connection(address)
        self._announces = True
        connection = self.le_connections[address]

        def fail() -> None:
            if self.le_connections.get(address) is connection:
                self.on_le_disconnected(connection, reason)

        asyncio.get_running_loop().call_later(ESTABLISHMENT_TIMEOUT, fail)

    def send_advertising_pdu(self, packet: ll.AdvertisingPdu) -> None:
        if self._announces or not isinstance(packet, ll.ConnectInd):
            super().send_advertising_pdu(packet)

    def on_hci_le_set_advertising_parameters_command(
        self, command: hci.HCI_LE_Set_Advertising_Parameters_Command
    ) -> hci.HCI_StatusReturnParameters:
        """bumble takes the interval, whose unit is 0.625 ms, for milliseconds, and any pair of intervals."""
        # Core 5.4 Vol 4 E 7.8.5.
        if command.advertising_interval_min > command.advertising_interval_max:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.INVALID_COMMAND_PARAMETERS_ERROR)
        result = super().on_hci_le_set_advertising_parameters_command(command)
        self.le_legacy_advertiser.advertising_interval_min = command.advertising_interval_min * 0.625
        return result

    def on_hci_le_set_scan_enable_command(
        self, command: hci.HCI_LE_Set_Scan_Enable_Command
    ) -> hci.HCI_StatusReturnParameters:
        self._reported.clear()
        return super().on_hci_le_set_scan_enable_command(command)

    # Links

    def on_le_connect_ind(self, packet: ll.ConnectInd) -> None:
        legacy = self.le_legacy_advertiser
        own = [legacy.address] if legacy.enabled else []
        own += [known.address for known in self.advertising_sets.values() if known.enabled]
        if packet.advertiser_address in own:
            self.timing = (packet.interval, packet.latency, packet.timeout)
        super().on_le_connect_ind(packet)

    def on_ll_control_pdu(self, sender_address: hci.Address, packet: ll.ControlPdu) -> None:
        if isinstance(packet, ll.ConnectionUpdateInd):
            self.timing = (packet.interval, packet.latency, packet.timeout)
        super().on_ll_control_pdu(sender_address, packet)

    def on_hci_read_rssi_command(self, command: hci.HCI_Read_RSSI_Command) -> hci.HCI_Read_RSSI_ReturnParameters:
        """The strength with which the other end is heard; the kernel asks for it and for the power of the link."""
        connection = self.find_le_connection_by_handle(command.handle)
        far = connection and self.link.other_end(self, connection.peer_address)
        status = hci.HCI_ErrorCode.SUCCESS if far else hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
        return hci.HCI_Read_RSSI_ReturnParameters(status=status, handle=command.handle, rssi=far.rssi if far else 127)

    def on_hci_command(self, command: hci.HCI_Command) -> hci.HCI_StatusReturnParameters | None:
        if command.op_code != READ_TRANSMIT_POWER_LEVEL:
            return super().on_hci_command(command)
        if self.host:
            # Command Complete; bumble has no class for it.
            answer = bytes([4, 0x0E, 7, 1]) + READ_TRANSMIT_POWER_LEVEL.to_bytes(2, "little")
            answer += bytes([0, *command.parameters[:2], self.transmit_power])
            asyncio.get_running_loop().call_soon(self.host.on_packet, answer)
        return None

    def on_hci_le_create_connection_cancel_command(
        self, command: hci.HCI_LE_Create_Connection_Cancel_Command
    ) -> hci.HCI_StatusReturnParameters:
        """Core 5.4 Vol 4 E 7.8.13: a cancelled request completes with Unknown Connection Identifier."""
        if self.pending_le_connection is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        # After the Command Complete of the cancel itself, which is sent when this returns.
        reason = hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR
        asyncio.get_running_loop().call_soon(self._fail_pending_connection, reason)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def _fail_pending_connection(self, reason: int) -> None:
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return
        self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=reason,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=pending.peer_address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
        )

    def on_hci_reset_command(self, command: hci.HCI_Reset_Command) -> hci.HCI_StatusReturnParameters:
        """Stops everything: bumble leaves scanning, advertising and links as they were."""
        self.le_scan_enable = False
        self.pending_le_connection = None
        self.le_legacy_advertiser.stop()
        self.stop_sets()
        self.link.drop_links(self)
        return super().on_hci_reset_command(command)

    def on_le_disconnected(self, connection: Connection, reason: int) -> None:
        if connection.peer_address in self.le_connections:
            super().on_le_disconnected(connection, reason)

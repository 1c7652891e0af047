# SPDX-License-Identifier: MIT

"""Extended advertising: controllers of adapters claim it when the bed is asked to, and every far device hears it."""

from __future__ import annotations

from typing import Any

from bumble import hci, ll
from bumble.controller import AdvertisingSet, Controller

PROPERTIES = hci.HCI_LE_Set_Extended_Advertising_Parameters_Command.AdvertisingProperties
REPORT = hci.HCI_LE_Extended_Advertising_Report_Event
INVALID = hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.INVALID_COMMAND_PARAMETERS_ERROR)
# Core 5.4 Vol 4 E 7.7.65.13: the data of one report, and the bit of its type that says that more is to come.
REPORT_CAPACITY = 229
MORE = 0x20
LEGACY_CAPACITY = 31
NOBODY = hci.Address("00:00:00:00:00:00")


def properties(advertising_set: AdvertisingSet) -> int:
    return int(advertising_set.parameters.advertising_event_properties) if advertising_set.parameters else 0


def is_legacy(advertising_set: AdvertisingSet) -> bool:
    return bool(properties(advertising_set) & PROPERTIES.USE_LEGACY_ADVERTISING_PDUS)


def reports(advertising_set: AdvertisingSet, pdu: ll.AdvExtInd, rssi: int) -> list[REPORT]:
    """The events that tell a host of one packet of extended advertising."""
    parameters = advertising_set.parameters
    data = pdu.data
    return [
        REPORT(
            [
                REPORT.Report(
                    event_type=properties(advertising_set) & 7 | (MORE if start + REPORT_CAPACITY < len(data) else 0),
                    address_type=pdu.advertiser_address.address_type,
                    address=pdu.advertiser_address,
                    primary_phy=parameters.primary_advertising_phy,
                    secondary_phy=parameters.secondary_advertising_phy,
                    advertising_sid=parameters.advertising_sid,
                    tx_power=REPORT.TX_POWER_INFORMATION_NOT_AVAILABLE,
                    rssi=rssi,
                    periodic_advertising_interval=0,
                    direct_address_type=0,
                    direct_address=NOBODY,
                    data=data[start : start + REPORT_CAPACITY],
                )
            ]
        )
        for start in range(0, max(len(data), 1), REPORT_CAPACITY)
    ]


class ExtendedAdvertising(Controller):
    """The commands, with the refusals that bumble lacks (Core 5.4 Vol 4 E 7.8.53 to 7.8.55)."""

    has_extended_advertising = False
    """Whether the controller claims it. Its kernel reads that when the adapter is plugged in."""

    def claim_extended_advertising(self) -> None:
        self.has_extended_advertising = True
        self.le_features = self.le_features | hci.LeFeatureMask.LE_EXTENDED_ADVERTISING

    def send_hci_packet(self, packet: hci.HCI_Packet) -> None:
        """With extended advertising the kernel waits for the enhanced form of the event."""
        if self.has_extended_advertising and isinstance(packet, hci.HCI_LE_Connection_Complete_Event):
            packet = hci.HCI_LE_Enhanced_Connection_Complete_Event(
                status=packet.status,
                connection_handle=packet.connection_handle,
                role=packet.role,
                peer_address_type=packet.peer_address_type,
                peer_address=packet.peer_address,
                local_resolvable_private_address=NOBODY,
                peer_resolvable_private_address=NOBODY,
                connection_interval=packet.connection_interval,
                peripheral_latency=packet.peripheral_latency,
                supervision_timeout=packet.supervision_timeout,
                central_clock_accuracy=packet.central_clock_accuracy,
            )
        super().send_hci_packet(packet)

    def stop_sets(self) -> None:
        for advertising_set in self.advertising_sets.values():
            advertising_set.stop()
        self.advertising_sets.clear()

    def on_hci_le_set_extended_advertising_parameters_command(
        self, command: hci.HCI_LE_Set_Extended_Advertising_Parameters_Command
    ) -> hci.HCI_LE_Set_Extended_Advertising_Parameters_ReturnParameters:
        result = super().on_hci_le_set_extended_advertising_parameters_command(command)
        asked = command.advertising_event_properties
        if not asked & PROPERTIES.USE_LEGACY_ADVERTISING_PDUS and asked & 3 == 3:
            # Connectable and scannable at once.
            result.status = hci.HCI_ErrorCode.INVALID_COMMAND_PARAMETERS_ERROR
        power = command.advertising_tx_power
        if power != command.TX_POWER_NO_PREFERENCE:
            # Signed in bumble's answer, and not in its command.
            result.selected_tx_power = power - 256 if power > 127 else power
        return result

    def on_hci_le_set_extended_advertising_data_command(
        self, command: hci.HCI_LE_Set_Extended_Advertising_Data_Command
    ) -> Any:
        """Legacy advertising holds 31 octets, and extended advertising that can be scanned has none."""
        if known := self.advertising_sets.get(command.advertising_handle):
            is_scannable = bool(properties(known) & PROPERTIES.SCANNABLE_ADVERTISING)
            capacity = LEGACY_CAPACITY if is_legacy(known) else 0 if is_scannable else None
            if capacity is not None and len(command.advertising_data) > capacity:
                return INVALID
        return super().on_hci_le_set_extended_advertising_data_command(command)

    def on_hci_le_set_extended_scan_response_data_command(
        self, command: hci.HCI_LE_Set_Extended_Scan_Response_Data_Command
    ) -> Any:
        """Without a scan response there are no data of one."""
        known = self.advertising_sets.get(command.advertising_handle)
        if known and command.scan_response_data and not properties(known) & PROPERTIES.SCANNABLE_ADVERTISING:
            return INVALID
        return super().on_hci_le_set_extended_scan_response_data_command(command)

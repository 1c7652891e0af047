# SPDX-License-Identifier: MIT

"""The far device as a central, for programs that are the peripheral. Attributes are value handles, as the answer to
`central_connect` lists them."""

from __future__ import annotations

import asyncio
import os
import struct
from collections import defaultdict
from typing import Any

from bumble import hci
from bumble.core import UUID, AdvertisingData, ProtocolError
from bumble.device import Advertisement, Connection, Peer
from bumble.gatt import GATT_SERVICE_CHANGED_CHARACTERISTIC

from .channelcommands import CentralChannelCommands
from .far import FarDevice

Answer = dict[str, Any]
# Whether the bed's adapters have extended advertising.
IS_EXTENDED = "BLUECAP_EXTENDED" in os.environ
PHYS = {hci.Phy.LE_1M: "1M", hci.Phy.LE_2M: "2M", hci.Phy.LE_CODED: "coded"}


class CentralCommands(CentralChannelCommands):
    """Commands whose names begin with `central_`, without that. The far device must be configured first."""

    def __init__(self, far: FarDevice) -> None:
        self.far = far
        self._peer: Peer | None = None
        self._received: defaultdict[int, list[bytes]] = defaultdict(list)
        self._changes: list[bytes] = []

    def _client(self) -> Peer:
        if self._peer is None or self._peer.connection not in self.far.connections:
            raise LookupError(f"device {self.far.index} is not connected as a central")
        return self._peer

    async def scan(self, name: str | None = None, service: str | None = None, timeout: float = 10) -> Answer:
        """The first device whose advertisement and scan response hold the name and the service."""
        device = self.far.require()
        heard: dict[hci.Address, dict[str, Any]] = {}
        found: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

        def hear(advertisement: Advertisement) -> None:
            entry = heard.setdefault(advertisement.address, {"rssi": 0, "advertisement": "", "scanResponse": ""})
            entry["rssi"] = advertisement.rssi
            entry["scanResponse" if advertisement.is_scan_response else "advertisement"] = (
                advertisement.data_bytes.hex()
            )
            data = AdvertisingData.from_bytes(bytes.fromhex(entry["advertisement"] + entry["scanResponse"]))
            names = data.get_all(AdvertisingData.COMPLETE_LOCAL_NAME) + data.get_all(
                AdvertisingData.SHORTENED_LOCAL_NAME
            )
            if (name is None or name in names) and (service is None or _offers(data, service)) and not found.done():
                address = advertisement.address
                found.set_result({"address": str(address).split("/")[0], "public": address.is_public, **entry})

        # The reports themselves: bumble's accumulated advertisements do not tell the two packets apart.
        def listen(report: Any) -> None:
            if advertisement := Advertisement.from_advertising_report(report):
                hear(advertisement)

        device.host.on("advertising_report", listen)
        await device.start_scanning(active=True, filter_duplicates=False)
        try:
            return await asyncio.wait_for(found, timeout)
        except TimeoutError:
            raise TimeoutError(f"not heard within {timeout} s; heard were {[str(a) for a in heard]}") from None
        finally:
            device.host.remove_listener("advertising_report", listen)
            await device.stop_scanning()

    async def listen(self, duration: float = 0.3) -> Answer:
        """What every device that is heard within `duration` seconds advertises, each with its newest packets and how many
        advertisements of it there were. An adapter with extended advertising sends several at once: there each is an entry."""
        heard: dict[tuple[hci.Address, bytes], dict[str, Any]] = {}
        newest: dict[hci.Address, dict[str, Any]] = {}
        # The first parts of what comes in several reports.
        parts: defaultdict[hci.Address, bytes] = defaultdict(bytes)

        def listen(report: Any) -> None:
            if advertisement := Advertisement.from_advertising_report(report):
                address = advertisement.address
                if not advertisement.is_complete:
                    parts[address] += advertisement.data_bytes
                    return
                data = parts.pop(address, b"") + advertisement.data_bytes
                fresh = {
                    "address": str(address).split("/")[0],
                    "public": address.is_public,
                    "advertisement": "",
                    "scanResponse": "",
                    "count": 0,
                }
                if advertisement.is_scan_response and address in newest:
                    entry = newest[address]
                else:
                    has_sets = IS_EXTENDED and not advertisement.is_scan_response
                    entry = heard.setdefault((address, data if has_sets else b""), fresh)
                    newest[address] = entry
                kind = "scanResponse" if advertisement.is_scan_response else "advertisement"
                entry["count"] += not advertisement.is_scan_response
                entry[kind] = data.hex()
                entry["rssi"] = advertisement.rssi
                # Of extended advertising alone; it has no scan response.
                if not advertisement.is_legacy:
                    entry |= {"phy": PHYS[advertisement.secondary_phy], "scanResponse": ""}

        device = self.far.require()
        device.host.on("advertising_report", listen)
        await device.start_scanning(active=True, filter_duplicates=False)
        try:
            await asyncio.sleep(duration)
        finally:
            device.host.remove_listener("advertising_report", listen)
            await device.stop_scanning()
        return {"devices": list(heard.values())}

    async def connect(self, address: str, public: bool = True, mtu: int = 517, timeout: float = 10) -> Answer:
        """Connects, discovers everything and subscribes to Service Changed, if there is such a thing.

        With a key from an earlier pairing the link is encrypted first, as centrals do: bluetoothd asks for it, and
        serves nothing before."""
        device = self.far.require()
        kind = hci.Address.PUBLIC_DEVICE_ADDRESS if public else hci.Address.RANDOM_DEVICE_ADDRESS
        connection = await device.connect(hci.Address(address, kind), timeout=timeout)
        await self._encrypt(connection)
        self._peer = Peer(connection)
        self._received.clear()
        self._changes.clear()
        size = await self._peer.request_mtu(mtu)
        database = await self.discover()
        for changed in self._peer.get_characteristics_by_uuid(GATT_SERVICE_CHANGED_CHARACTERISTIC):
            await changed.subscribe(self._services_changed, prefer_notify=False)
        return {"mtu": size, **database}

    async def _encrypt(self, connection: Connection) -> None:
        keys, address = self.far.require().keystore, str(connection.peer_address)
        if keys is None or await keys.get(address) is None:
            return
        try:
            await connection.encrypt()
        except hci.HCI_Error:
            # The other side has forgotten the pairing.
            await keys.delete(address)

    def _services_changed(self, value: bytes) -> None:
        self._changes.append(bytes(value))
        self.far.changed()

    async def service_change(self, timeout: float = 10) -> Answer:
        """The handles that the next Service Changed indication since the connection is about."""
        try:
            await self.far.until(lambda: bool(self._changes), timeout)
        except TimeoutError:
            raise TimeoutError(f"Service Changed was not indicated within {timeout} s") from None
        first, last = struct.unpack("<HH", self._changes.pop(0))
        return {"first": first, "last": last}

    async def discover(self) -> Answer:
        peer = self._client()
        services = []
        for service in await peer.discover_services():
            characteristics = []
            for item in await service.discover_characteristics():
                descriptors = await item.discover_descriptors()
                characteristics.append(
                    {
                        "uuid": _text(item.uuid),
                        "handle": item.handle,
                        "properties": int(item.properties),
                        "descriptors": [{"uuid": _text(each.type), "handle": each.handle} for each in descriptors],
                    }
                )
            services.append({"uuid": _text(service.uuid), "characteristics": characteristics})
        return {"services": services}

    async def read(self, attribute: int) -> Answer:
        return {"value": (await self._client().read_value(attribute)).hex()}

    async def write(self, attribute: int, value: str, response: bool = True) -> Answer:
        await self._client().write_value(attribute, bytes.fromhex(value), with_response=response)
        return {}

    async def write_many(self, attribute: int, count: int, size: int = 20, interval_ms: float = 1) -> Answer:
        """Commands with a sequence number in their first four octets. Their pace is fixed: the queue of a socket that
        bluetoothd accepted cannot be seen. Without a pause the kernel drops some."""
        client = self._client()
        for number in range(count):
            value = number.to_bytes(4, "little") + bytes(size - 4)
            await client.write_value(attribute, value, with_response=False)
            await asyncio.sleep(interval_ms / 1000)
        return {}

    async def subscribe(self, attribute: int, indicate: bool = False) -> Answer:
        received = self._received[attribute]

        def receive(value: bytes) -> None:
            received.append(bytes(value))
            self.far.changed()

        await self._characteristic(attribute).subscribe(receive, prefer_notify=not indicate)
        return {}

    async def unsubscribe(self, attribute: int) -> Answer:
        await self._characteristic(attribute).unsubscribe(force=True)
        return {}

    async def received(self, attribute: int, count: int = 0, timeout: float = 10) -> Answer:
        """What came since the last call, as soon as `count` values are there."""
        values = self._received[attribute]
        try:
            await self.far.until(lambda: len(values) >= count, timeout)
        except TimeoutError:
            raise TimeoutError(f"{len(values)} of {count} values came within {timeout} s") from None
        taken = [value.hex() for value in values]
        values.clear()
        return {"values": taken}

    async def pair(self) -> Answer:
        """Pairs; a refusal is an answer, too."""
        try:
            await asyncio.wait_for(self._client().connection.pair(), 30)
        except ProtocolError as error:
            return {"isPaired": False, "reason": error.error_name}
        return {"isPaired": True, "reason": None}

    async def disconnect(self) -> Answer:
        """Ends the connection; without one does nothing."""
        if self._peer is not None and self._peer.connection in self.far.connections:
            await self._peer.connection.disconnect()
        return {}

    def _characteristic(self, handle: int) -> Any:
        for service in self._client().services:
            for item in service.characteristics:
                if item.handle == handle:
                    return item
        raise LookupError(f"no characteristic has the value handle {handle}")


def _text(uuid: UUID) -> str:
    return uuid.to_hex_str("-").lower()


def _offers(data: AdvertisingData, service: str) -> bool:
    kinds = (
        AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
        AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
        AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
        AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
    )
    return any(UUID(service) in uuids for kind in kinds for uuids in data.get_all(kind))

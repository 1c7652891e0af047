# SPDX-License-Identifier: MIT

"""A far device: what a test declared, on the air."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from bumble import hci, l2cap
from bumble.device import Connection, Device, DeviceConfiguration
from bumble.host import Host
from bumble.keys import MemoryKeyStore

from . import adverts, pairing
from .air import Air
from .attserver import FarServer
from .channels import FarChannels
from .controller import BedController
from .database import Declared


def random_static_address() -> str:
    octets = secrets.token_bytes(6)
    return ":".join(f"{octet:02X}" for octet in bytes([octets[0] | 0xC0]) + octets[1:])

# Those of a twin. Of them the device has no use for the type of its address and the time of its recording.
_KEYS = {
    "schema",
    "version",
    "address",
    "addressType",
    "name",
    "recorded",
    "advertisement",
    "mtu",
    "services",
}


class FarDevice:
    """One place on the air. `configure` puts a new device there, with its own controller and address."""

    def __init__(self, air: Air, index: int, until_daemon_waits: Callable[[], Awaitable[None]]) -> None:
        self.air = air
        self.index = index
        self._until_daemon_waits = until_daemon_waits
        self.device: Device | None = None
        self.started = time.monotonic()
        self.connection_count = 0
        self.paired = 0
        self._events: list[dict[str, Any]] = []
        self._waiting: set[asyncio.Future[None]] = set()
        # Requests that the kernel refuses, by connection and identifier.
        self._refusals: dict[tuple[int, int], asyncio.Event] = {}

    # Life

    async def configure(self, peer: dict[str, Any], script: dict[str, Any]) -> str:
        """Becomes the twin `peer`, which pairs as `script` says."""
        adverts.refuse_others(peer, _KEYS, "a device's keys")
        await self.retire()
        address = hci.Address(peer.get("address") or random_static_address(), hci.Address.RANDOM_DEVICE_ADDRESS)
        self.controller = BedController(
            f"far{self.index}", None, None, self.air, public_address=f"C0:DE:00:00:01:{self.index:02X}"
        )
        host = Host()
        host.controller = self.controller
        config = DeviceConfiguration(
            name=peer.get("name", "Far"), address=address, gap_service_enabled=False, gatt_service_enabled=False
        )
        self.device = Device(config=config, host=host)
        self.device.keystore = MemoryKeyStore()
        delegate = self.pairing_delegate = pairing.ScriptedDelegate(script, self.event, self.until)
        self.device.pairing_config_factory = lambda _: pairing.config(script, delegate)
        self.server = self.device.gatt_server = FarServer(self.device, self.changed, self._until_daemon_waits)
        self.server.max_mtu = peer.get("mtu", 517)
        self.declaration: list[dict[str, Any]] = peer.get("services", [])
        self.server.load(self.declaration)
        self.connection_count = self.paired = 0
        self._events.clear()
        self.device.on("connection", self._connected)
        self.device.l2cap_channel_manager.on_l2cap_command_reject = self._refused
        self.channels = FarChannels(self.device, self.changed)
        await self.device.power_on()
        self.set_advertisement(peer.get("advertisement", {"data": {"localName": peer.get("name", "Far")}}))
        return str(address).split("/")[0]

    async def retire(self) -> None:
        if self.device is None:
            return
        await self.device.stop_advertising()
        self.air.restore(self.controller)
        self.air.drop_links(self.controller)
        # Let the host hear of the lost links before its controller goes.
        await asyncio.sleep(0.01)
        self.air.remove_controller(self.controller)
        self.controller.le_legacy_advertiser.stop()
        self.device = None

    def require(self) -> Device:
        if self.device is None:
            raise LookupError(f"device {self.index} is not configured")
        return self.device

    # Advertising

    def set_advertisement(self, declaration: dict[str, Any]) -> None:
        device = self.require()
        device.advertising_data, device.scan_response_data = adverts.encode(declaration)
        device.advertising_interval_min = device.advertising_interval_max = round(declaration.get("interval", 0.05) * 1000, 3)
        advertiser = self.controller.le_legacy_advertiser
        if advertiser.enabled:
            advertiser.advertising_data = device.advertising_data
            advertiser.scan_response_data = device.scan_response_data

    async def advertise(self, enabled: bool, public: bool = False) -> str:
        """Answers with the address: the random one, or the controller's own."""
        device = self.require()
        kind = hci.OwnAddressType.PUBLIC if public else hci.OwnAddressType.RANDOM
        if enabled:
            await device.start_advertising(auto_restart=True, own_address_type=kind)
        else:
            await device.stop_advertising()
        return str(self.controller.public_address if public else device.random_address).split("/")[0]

    # Links

    @property
    def connections(self) -> list[Connection]:
        return list(self.require().connections.values())

    def connection(self) -> Connection:
        if not self.connections:
            raise LookupError(f"device {self.index} is not connected")
        return self.connections[0]

    async def kernel_reached(self, connection: Connection) -> None:
        """Returns once the central's kernel has taken what was sent on the link, or the link is gone: it is asked to close a
        channel that there is not, and refuses in order with what came before."""
        manager = self.require().l2cap_channel_manager
        key = (connection.handle, manager.next_identifier(connection))
        refused = self._refusals[key] = asyncio.Event()
        request = l2cap.L2CAP_Disconnection_Request(identifier=key[1], destination_cid=0xFFFF, source_cid=0xFFFF)
        manager.send_control_frame(connection, l2cap.L2CAP_LE_SIGNALING_CID, request)
        while connection in self.connections and not refused.is_set():
            try:
                await asyncio.wait_for(refused.wait(), 0.5)
            except TimeoutError:
                continue
        del self._refusals[key]

    def _refused(self, connection: Connection, _: int, frame: l2cap.L2CAP_Command_Reject) -> None:
        if refused := self._refusals.get((connection.handle, frame.identifier)):
            refused.set()

    def _connected(self, connection: Connection) -> None:
        self.connection_count += 1
        self.event("connected", central=str(connection.peer_address).split("/")[0])

        def disconnected(reason: int) -> None:
            self.event("disconnected", reason=reason)

        def paired(_: object) -> None:
            self.paired += 1
            self.event("paired")

        def pairing_failed(reason: int) -> None:
            # bumble keeps the session, with what it agreed to: the next pairing would not be bonding, say.
            self.require().smp_manager.sessions.pop(connection.handle, None)
            self.event("pairingFailed", reason=int(reason))

        connection.on("disconnection", disconnected)
        connection.on("pairing", paired)
        connection.on("pairing_failure", pairing_failed)
        connection.on("connection_parameters_update", self.changed)
        connection.on("connection_att_mtu_update", lambda: self.event("mtu", mtu=connection.att_mtu))

    # Attributes

    def declared(self, key: str) -> Declared:
        self.require()
        entry = self.server.database.declared.get(key)
        if entry is None:
            raise LookupError(f"no attribute {key!r}; declared are {', '.join(self.server.database.declared)}")
        return entry

    # Events

    def event(self, name: str, **details: Any) -> None:
        self._events.append({"t": round((time.monotonic() - self.started) * 1000), "event": name, **details})
        self.changed()

    def drain_events(self) -> list[dict[str, Any]]:
        events, self._events = self._events, []
        return events

    def changed(self) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def until(self, holds: Callable[[], bool], timeout: float) -> None:
        async def watch() -> None:
            while not holds():
                future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.add(future)
                await future

        await asyncio.wait_for(watch(), timeout)

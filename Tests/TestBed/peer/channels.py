# SPDX-License-Identifier: MIT

"""The connection-oriented channels of a far device: those that it takes on a PSM, as a test scripted it, and those that it
opens. bumble's manager checks no security, forgets no closed channel, and has no answer for one that there is not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bumble import l2cap
from bumble.device import Connection, Device

from .channel import MPS, Channel, OpenedChannel, Response, Terms


class FarChannels:
    """All channels of one device, in the place of the part of bumble's manager that concerns them."""

    def __init__(self, device: Device, changed: Callable[[], None]) -> None:
        self._manager = device.l2cap_channel_manager
        self._changed = changed
        self._published: dict[int, Terms] = {}
        self._taken: list[Channel] = []
        self._opened: dict[int, Channel] = {}
        self._numbers = 0
        self._manager.on_l2cap_le_credit_based_connection_request = self._asked
        self._manager.on_l2cap_disconnection_request = self._ended
        self._manager.on_channel_closed = self._closed

    # The peripheral's

    def publish(self, terms: Terms) -> None:
        """Channels that are open keep their behaviour; what arrived over them stays to be asked for."""
        if former := self._published.get(terms.psm):
            terms.units, terms.opened = former.units, former.opened
        self._published[terms.psm] = terms

    def published(self, psm: int) -> Terms:
        if psm not in self._published:
            raise LookupError(f"no channels are taken on PSM {psm!r}")
        return self._published[psm]

    def withdraw(self, psm: int) -> None:
        self.published(psm)
        del self._published[psm]

    def on(self, psm: int) -> list[Channel]:
        """Those that the other side has opened to a PSM and that have not ended."""
        self._taken = [channel for channel in self._taken if channel.is_open]
        return [channel for channel in self._taken if channel.psm == psm]

    def _asked(
        self, connection: Connection, cid: int, request: l2cap.L2CAP_LE_Credit_Based_Connection_Request
    ) -> None:
        terms = self._published.get(request.le_psm)
        own = self._manager.channels.setdefault(connection.handle, {})
        theirs = self._manager.le_coc_channels.setdefault(connection.handle, {})
        source = self._manager.find_free_le_cid(own)
        result = 0
        if terms is None:
            result = Response.Result.CONNECTION_REFUSED_LE_PSM_NOT_SUPPORTED
        elif terms.refusal is not None:
            result = terms.refusal
        elif terms.isEncrypted and not connection.is_encrypted:
            result = Response.Result.CONNECTION_REFUSED_INSUFFICIENT_ENCRYPTION
        elif not 0x40 <= request.source_cid <= 0x7F:
            # Linux asks with 0 once it has given out all.
            result = Response.Result.CONNECTION_REFUSED_INVALID_SOURCE_CID
        elif request.source_cid in theirs:
            result = Response.Result.CONNECTION_REFUSED_SOURCE_CID_ALREADY_ALLOCATED
        elif source is None:
            result = Response.Result.CONNECTION_REFUSED_NO_RESOURCES_AVAILABLE
        channel = None
        if terms is not None and source is not None and result == 0:
            channel = Channel(
                manager=self._manager,
                connection=connection,
                psm=request.le_psm,
                source_cid=source,
                destination_cid=request.source_cid,
                mtu=terms.maximumReceiveLength,
                mps=MPS,
                credits=request.initial_credits,
                peer_mtu=request.mtu,
                peer_mps=request.mps,
                peer_credits=terms.credits,
                connected=True,
            )
            channel.begin(terms, self._changed)
            own[source] = theirs[request.source_cid] = channel
            self._taken.append(channel)
            terms.opened += 1
        self._manager.send_control_frame(
            connection,
            cid,
            Response(
                identifier=request.identifier,
                destination_cid=source if channel and source else 0,
                mtu=channel.mtu if channel else 0,
                mps=MPS if channel else 0,
                initial_credits=channel.peer_credits if channel else 0,
                result=result,
            ),
        )
        self._changed()

    def _ended(self, connection: Connection, cid: int, request: l2cap.L2CAP_Disconnection_Request) -> None:
        if channel := self._manager.find_channel(connection.handle, request.destination_cid):
            return channel.on_disconnection_request(request)
        # Core 5.4 Vol 3 A 4.1, where bumble says nothing.
        ends = request.destination_cid.to_bytes(2, "little") + request.source_cid.to_bytes(2, "little")
        reject = l2cap.L2CAP_Command_Reject(
            identifier=request.identifier, reason=l2cap.L2CAP_INVALID_CID_IN_REQUEST_REASON, data=ends
        )
        self._manager.send_control_frame(connection, cid, reject)

    def _closed(self, channel: Any) -> None:
        """Forgets the numbers of both ends: bumble forgets one, and refuses the next channel for the other."""
        for table, number in (
            (self._manager.channels, channel.source_cid),
            (self._manager.le_coc_channels, channel.destination_cid),
        ):
            known = table.get(channel.connection.handle, {})
            if known.get(number) is channel:
                del known[number]

    # The central's

    async def open(self, connection: Connection, terms: Terms, timeout: float) -> tuple[int, Channel]:
        """Opens a channel; a number for it."""
        manager = self._manager
        own = manager.channels.setdefault(connection.handle, {})
        source = manager.find_free_le_cid(own)
        if source is None:
            raise LookupError("the link has as many channels as there can be")
        channel = OpenedChannel(
            manager=manager,
            connection=connection,
            psm=terms.psm,
            source_cid=source,
            destination_cid=0,
            mtu=terms.maximumReceiveLength,
            mps=MPS,
            credits=0,
            peer_mtu=0,
            peer_mps=0,
            peer_credits=terms.credits,
            connected=False,
        )
        channel.begin(terms, self._changed)
        own[source] = channel
        try:
            await asyncio.wait_for(channel.connect(), timeout)
        except BaseException:
            if own.get(source) is channel:
                del own[source]
            raise
        self._numbers += 1
        self._opened[self._numbers] = channel
        return self._numbers, channel

    def opened(self, number: int) -> Channel:
        if number not in self._opened:
            raise LookupError(f"no channel {number!r} was opened")
        return self._opened[number]

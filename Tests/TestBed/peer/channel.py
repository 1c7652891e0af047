# SPDX-License-Identifier: MIT

"""One connection-oriented channel of a far device, in which each unit is sent and kept by itself, and credits are scripted:
bumble's channels are streams that always give them."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bumble import l2cap

BEHAVIOURS = ("keep", "echo", "stall")
FAULTS = ("exceedingCredits", "exceedingLength", "closingWithinUnit")
# Of a packet: what one packet of the controller holds.
MPS = 247
_CREDITS = 16
Response = l2cap.L2CAP_LE_Credit_Based_Connection_Response


class ChannelRefused(Exception):
    """The other side refused a channel, by `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(f"refused with result {code:#06x}")
        self.code = code


def _in(value: Any, least: int, most: int, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} is {value!r}, {least} to {most} are possible")
    return value


def one_of(value: Any, known: tuple[str, ...], name: str) -> str:
    if value not in known:
        raise ValueError(f"unknown {name} {value!r}; known are {', '.join(known)}")
    return str(value)


@dataclass
class Terms:
    """How the far device treats channels: those that it takes on a PSM, or one that it opens."""

    psm: int
    behaviour: str = "keep"
    isEncrypted: bool = False
    refusal: int | None = None
    maximumReceiveLength: int = 2048
    credits: int = _CREDITS
    units: list[bytes] = field(default_factory=list, init=False)
    """What arrived since it was asked for."""
    opened: int = field(default=0, init=False)
    arrived: list[float] = field(default_factory=list, init=False)
    """When the first and the last of them came."""

    def __post_init__(self) -> None:
        _in(self.psm, 1, 255, "psm")
        one_of(self.behaviour, BEHAVIOURS, "behaviour")
        if not isinstance(self.isEncrypted, bool):
            raise ValueError(f"isEncrypted is {self.isEncrypted!r}, true and false are possible")
        if self.refusal is not None:
            _in(self.refusal, 1, 0xFFFF, "refusal")
        _in(self.maximumReceiveLength, 23, 0xFFFF, "maximumReceiveLength")
        _in(self.credits, 1, 0xFFFF, "credits")


class Channel(l2cap.LeCreditBasedChannel):
    """A channel whose units go out one by one, and whose credits follow the treatment of its units."""

    terms: Terms
    changed: Callable[[], None]

    def begin(self, terms: Terms, changed: Callable[[], None]) -> None:
        self.terms = terms
        self.changed = changed
        self.began = self.sent = 0.0
        self._waiting: deque[tuple[bytes, Callable[[], None]]] = deque()
        self._owed = 0
        self.on(self.EVENT_CLOSE, changed)

    @property
    def has_sent(self) -> bool:
        return not self._waiting

    @property
    def is_open(self) -> bool:
        return self.state in (self.State.CONNECTED, self.State.DISCONNECTING)

    # Units of the other side

    def on_pdu(self, pdu: bytes) -> None:
        if self.state != self.State.CONNECTED:
            return
        if self.peer_credits == 0:
            return self.close()
        self.peer_credits -= 1
        so_far = self.in_sdu = (self.in_sdu or b"") + pdu
        length = int.from_bytes(so_far[:2], "little")
        if len(so_far) >= 2 and (length > self.mtu or len(so_far) > 2 + length):
            return self.close()
        if len(so_far) < 2 or len(so_far) < 2 + length:
            return self._grant()
        self.in_sdu = None
        self._take(so_far[2:])

    def _take(self, unit: bytes) -> None:
        if self.terms.behaviour != "stall":
            self.terms.units.append(unit)
            self.terms.arrived[1:] = [time.monotonic()]
        # One that is longer than the other side takes is not sent back.
        if self.terms.behaviour == "echo" and len(unit) <= self.peer_mtu:
            self.send(unit, self._grant)
        else:
            self._grant()
        self.changed()

    def _grant(self) -> None:
        """Gives a credit back, with others."""
        if self.terms.behaviour == "stall" or self.state != self.State.CONNECTED:
            return
        self._owed += 1
        if self._owed >= max(self.terms.credits // 2, 1):
            frame = l2cap.L2CAP_LE_Flow_Control_Credit(
                identifier=self.manager.next_identifier(self.connection), cid=self.source_cid, credits=self._owed
            )
            self.peer_credits += self._owed
            self._owed = 0
            self.send_control_frame(frame)

    # Units of its own

    def check(self, unit: bytes) -> None:
        if not 0 < len(unit) <= self.peer_mtu:
            raise ValueError(f"a unit of {len(unit)} octets; 1 to {self.peer_mtu} are possible")

    def send(self, unit: bytes, sent: Callable[[], None] = lambda: None) -> None:
        """Sends it as the other side gives credits."""
        self.check(unit)
        if not self._waiting:
            self.began = time.monotonic()
        self._waiting.append((unit, sent))
        self.process_output()

    def process_output(self) -> None:
        while self.credits > 0 and self.state == self.State.CONNECTED and self._waiting:
            unit, sent = self._waiting[0]
            if self.out_sdu is None:
                self.out_sdu = len(unit).to_bytes(2, "little") + unit
            packet, self.out_sdu = self.out_sdu[: self.peer_mps], self.out_sdu[self.peer_mps :]
            self.credits -= 1
            self.send_pdu(packet)
            if not self.out_sdu:
                self.out_sdu = None
                self._waiting.popleft()
                if not self._waiting:
                    self.sent = time.monotonic()
                    self.changed()
                sent()

    def flush_output(self) -> None:
        super().flush_output()
        self._waiting.clear()

    # Ends

    def close(self) -> None:
        """Asks the other side for the end; the channel is open until that answers."""
        if self.state != self.State.CONNECTED:
            return
        self._change_state(self.State.DISCONNECTING)
        self.flush_output()
        self.send_control_frame(
            l2cap.L2CAP_Disconnection_Request(
                identifier=self.manager.next_identifier(self.connection),
                destination_cid=self.destination_cid,
                source_cid=self.source_cid,
            )
        )

    def misbehave(self, fault: str) -> None:
        if fault == "exceedingCredits":
            # Whole and short units: the other side holds those that nobody asked for.
            for number in range(1000):
                self.send_pdu(bytes([1, 0, number & 0xFF]))
        elif fault == "exceedingLength":
            self.send_pdu((self.peer_mtu + 1).to_bytes(2, "little") + b"\0")
        else:
            self.send_pdu(b"\2\0\0")
            self.close()


class OpenedChannel(Channel):
    """A channel that the far device has asked for."""

    def abort(self) -> None:
        waiting, self.connection_result = self.connection_result, None
        if waiting is not None and not waiting.done():
            waiting.set_exception(ConnectionError("the link has ended"))
        super().abort()

    def on_connection_response(self, response: Response) -> None:
        """Its credits and units may follow at once, so it is known before whoever waits for it goes on."""
        waiting, self.connection_result = self.connection_result, None
        if waiting is None or waiting.done():
            return
        if response.result != Response.Result.CONNECTION_SUCCESSFUL:
            self._change_state(self.State.CONNECTION_ERROR)
            return waiting.set_exception(ChannelRefused(int(response.result)))
        self.destination_cid = response.destination_cid
        self.peer_mtu, self.peer_mps, self.credits = response.mtu, response.mps, response.initial_credits
        self.manager.le_coc_channels.setdefault(self.connection.handle, {})[self.destination_cid] = self
        self._change_state(self.State.CONNECTED)
        waiting.set_result(self)

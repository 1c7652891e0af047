# SPDX-License-Identifier: MIT

"""The commands of the control socket that concern channels, of a far device in either role. README.md lists them."""

from __future__ import annotations

import hashlib
import random
from typing import Any

from .channel import FAULTS, Channel, ChannelRefused, Terms, one_of
from .channels import FarChannels
from .far import FarDevice

Answer = dict[str, Any]


def _taken(terms: Terms, summary: bool) -> Answer:
    """The units since the last call."""
    units, terms.units = terms.units, []
    arrived, terms.arrived = terms.arrived, []
    if not summary:
        return {"units": [unit.hex() for unit in units]}
    digest = hashlib.sha256(b"".join(units)).hexdigest()
    seconds = arrived[-1] - arrived[0] if arrived else 0
    return {"count": len(units), "bytes": sum(map(len, units)), "sha256": digest, "seconds": seconds}


def _send(channels: list[Channel], units: list[bytes]) -> None:
    """All of them or none."""
    if not channels:
        raise LookupError("no channel is open")
    for channel in channels:
        for unit in units:
            channel.check(unit)
    for channel in channels:
        for unit in units:
            channel.send(unit)


def _made(count: int, size: int) -> list[bytes]:
    """Units without a pattern, the same each time."""
    source = random.Random(count)
    return [source.randbytes(size) for _ in range(count)]


class PeripheralChannelCommands:
    """Of channels that the other side opens to a PSM of the device."""

    far: FarDevice

    def _channels(self) -> FarChannels:
        self.far.require()
        return self.far.channels

    async def publish_channel(self, **terms: Any) -> Answer:
        self._channels().publish(Terms(**terms))
        return {}

    async def withdraw_channel(self, psm: int) -> Answer:
        self._channels().withdraw(psm)
        return {}

    async def channel_units(self, psm: int, summary: bool = False, count: int = 0, timeout: float = 10) -> Answer:
        """What came since the last call, as soon as `count` units are there."""
        terms = self._channels().published(psm)
        try:
            await self.far.until(lambda: len(terms.units) >= count, timeout)
        except TimeoutError:
            raise TimeoutError(f"{len(terms.units)} of {count} units came within {timeout} s") from None
        return _taken(terms, summary)

    async def wait_channels(self, psm: int, count: int, timeout: float = 10) -> Answer:
        channels = self._channels()
        try:
            await self.far.until(lambda: len(channels.on(psm)) == count, timeout)
        except TimeoutError:
            raise TimeoutError(f"{len(channels.on(psm))} channels are open after {timeout} s") from None
        return {"opened": channels.published(psm).opened}

    async def send_units(self, psm: int, units: list[str]) -> Answer:
        """To each channel; returns before they have gone out."""
        _send(self._channels().on(psm), [bytes.fromhex(unit) for unit in units])
        return {}

    async def send_many_units(self, psm: int, count: int, size: int) -> Answer:
        """The same with units that are made up."""
        units = _made(count, size)
        _send(self._channels().on(psm), units)
        return {"sha256": hashlib.sha256(b"".join(units)).hexdigest()}

    async def wait_sent(self, psm: int, timeout: float = 10) -> Answer:
        """Once everything has gone out; how long that took the slowest channel."""
        channels = self._channels().on(psm)
        try:
            await self.far.until(lambda: all(channel.has_sent for channel in channels), timeout)
        except TimeoutError:
            raise TimeoutError(f"units wait for credits after {timeout} s") from None
        return {"seconds": max((channel.sent - channel.began for channel in channels), default=0)}

    async def close_channels(self, psm: int) -> Answer:
        for channel in self._channels().on(psm):
            channel.close()
        return {}

    async def misbehave(self, psm: int, fault: str) -> Answer:
        for channel in self._channels().on(psm):
            channel.misbehave(one_of(fault, FAULTS, "fault"))
        return {}


class CentralChannelCommands:
    """Of channels that the device has opened, by their numbers."""

    far: FarDevice

    def _client(self) -> Any:
        raise NotImplementedError

    async def open_channel(self, psm: int, timeout: float = 10, **terms: Any) -> Answer:
        """A refusal is an answer, too."""
        connection = self._client().connection
        try:
            number, channel = await self.far.channels.open(connection, Terms(psm, **terms), timeout)
        except ChannelRefused as error:
            return {"channel": None, "refusal": error.code}
        except TimeoutError:
            raise TimeoutError(f"no answer came within {timeout} s") from None
        return {"channel": number, "refusal": None, "maximumSendLength": channel.peer_mtu}

    def _channel(self, number: int) -> Channel:
        self.far.require()
        return self.far.channels.opened(number)

    async def send_units(self, channel: int, units: list[str]) -> Answer:
        """Returns before they have gone out."""
        _send([self._channel(channel)], [bytes.fromhex(unit) for unit in units])
        return {}

    async def send_many_units(self, channel: int, count: int, size: int) -> Answer:
        units = _made(count, size)
        _send([self._channel(channel)], units)
        return {"sha256": hashlib.sha256(b"".join(units)).hexdigest()}

    async def channel_units(self, channel: int, summary: bool = False, count: int = 0, timeout: float = 10) -> Answer:
        terms = self._channel(channel).terms
        try:
            await self.far.until(lambda: len(terms.units) >= count, timeout)
        except TimeoutError:
            raise TimeoutError(f"{len(terms.units)} of {count} units came within {timeout} s") from None
        return _taken(terms, summary)

    async def close_channel(self, channel: int) -> Answer:
        self._channel(channel).close()
        return {}

    async def channel_closed(self, channel: int, timeout: float = 10) -> Answer:
        """Returns when the channel has ended, by whomever."""
        known = self._channel(channel)
        try:
            await self.far.until(lambda: not known.is_open, timeout)
        except TimeoutError:
            raise TimeoutError(f"the channel is open after {timeout} s") from None
        return {}

    async def misbehave(self, channel: int, fault: str) -> Answer:
        self._channel(channel).misbehave(one_of(fault, FAULTS, "fault"))
        return {}

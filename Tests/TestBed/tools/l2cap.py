# SPDX-License-Identifier: MIT

"""Sockets of connection-oriented channels, as the kernel has them: Python's own know no type of an address."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import os
import select
import socket
import struct

ADAPTER = "C0:DE:00:00:00:01"
PUBLIC, RANDOM = 1, 2
SOL_BLUETOOTH, BT_SECURITY, BT_SNDMTU, BT_RCVMTU = 274, 4, 12, 13
_libc = ctypes.CDLL(None, use_errno=True)


def _address(device: str, kind: int, psm: int) -> bytes:
    octets = bytes.fromhex(device.replace(":", ""))[::-1]
    return struct.pack("<HH6sHBx", socket.AF_BLUETOOTH, psm, octets, 0, kind)


def _call(name: str, handle: socket.socket, address: bytes) -> None:
    if getattr(_libc, name)(handle.fileno(), address, len(address)) != 0:
        number = ctypes.get_errno()
        if number != errno.EINPROGRESS:
            raise OSError(number, os.strerror(number))


def _socket(kind: int, psm: int, security: int, mtu: int) -> socket.socket:
    handle = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_SEQPACKET, socket.BTPROTO_L2CAP)
    handle.setblocking(False)
    # Before it connects: else mode and framing are those of BR/EDR.
    _call("bind", handle, _address(ADAPTER, kind, psm))
    handle.setsockopt(SOL_BLUETOOTH, BT_SECURITY, struct.pack("<BB", security, 0))
    handle.setsockopt(SOL_BLUETOOTH, BT_RCVMTU, struct.pack("<H", mtu))
    return handle


async def connect(device: str, psm: int, security: int = 1, mtu: int = 2048, timeout: float = 10) -> socket.socket:
    """Opens a channel on a link that stands."""
    handle = _socket(PUBLIC, 0, security, mtu)
    try:
        _call("connect", handle, _address(device, RANDOM, psm))
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_writer(handle, lambda: ready.done() or ready.set_result(None))
        try:
            await asyncio.wait_for(ready, timeout)
        finally:
            loop.remove_writer(handle)
        if number := handle.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(number, os.strerror(number))
    except BaseException:
        handle.close()
        raise
    return handle


def listen(psm: int, security: int = 1, mtu: int = 2048) -> socket.socket:
    handle = _socket(PUBLIC, psm, security, mtu)
    handle.listen(64)
    return handle


def longest_unit(handle: socket.socket) -> int:
    """That the other side takes."""
    return int.from_bytes(handle.getsockopt(SOL_BLUETOOTH, BT_SNDMTU, 2), "little")


async def send(handle: socket.socket, units: list[bytes]) -> None:
    for unit in units:
        await asyncio.get_running_loop().sock_sendall(handle, unit)


async def receive(handle: socket.socket, count: int, timeout: float = 20) -> list[bytes]:
    """So many units, or fewer where the channel ends."""
    units: list[bytes] = []
    async with asyncio.timeout(timeout):
        while len(units) < count:
            try:
                unit = handle.recv(65535)
            except BlockingIOError:
                # A channel that the kernel ended for a fault of the other side keeps its error until that has answered;
                # then it hangs up, and reading says for ever that there is nothing yet.
                if _hung_up(handle):
                    raise ConnectionAbortedError(errno.ECONNABORTED, "the kernel has ended the channel") from None
                await _readable(handle)
                continue
            if not unit:
                break
            units.append(unit)
    return units


def _hung_up(handle: socket.socket) -> bool:
    poll = select.poll()
    poll.register(handle, 0)
    return bool(poll.poll(0))


async def _readable(handle: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(handle, lambda: ready.done() or ready.set_result(None))
    try:
        await ready
    finally:
        loop.remove_reader(handle)

# SPDX-License-Identifier: MIT

"""python -m tools.channelloop DEVICE PSM out|in COUNT SIZE: the plainest loop over the socket of a channel, to measure others by.

Opens a channel on a link that stands, and sends or receives so many units."""

from __future__ import annotations

import asyncio
import socket
import sys

from . import l2cap


def loop(handle: socket.socket, direction: str, count: int, size: int) -> None:
    handle.setblocking(True)
    if direction == "out":
        unit = bytes(size)
        for _ in range(count):
            handle.send(unit)
        # Until the far device has closed it: what waits for credits would be lost.
        handle.recv(size)
    else:
        for _ in range(count):
            if not handle.recv(size):
                raise SystemExit("the channel ended")


device, psm, direction, count, size = sys.argv[1:6]
loop(asyncio.run(l2cap.connect(device, int(psm))), direction, int(count), int(size))

# SPDX-License-Identifier: MIT

"""Sending many notifications without loss.

Nothing in Bluetooth stops a peripheral whose central's host is slow: the kernel drops packets once the receive
queue of bluetoothd's socket is full. A real radio is slower than that; this one is not, so it looks at the queue, once
the kernel has put into it what was sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from bumble import att

from .far import FarDevice

# A quarter of the receive queue that the kernel grants a socket by default.
QUEUE_LIMIT = 48 * 1024
CHECK_INTERVAL = 32
_QUEUES = Path("/proc/net/l2cap")


def longest_receive_queue() -> int:
    """Octets waiting in the fullest receive queue of the guest's L2CAP sockets."""
    lines = _QUEUES.read_text().splitlines()[1:]
    return max((int(line.split()[2]) for line in lines), default=0)


async def notify(far: FarDevice, attribute: str, values: Iterable[bytes]) -> int:
    """Sends the values in order to every subscriber; the number that was sent to at least one."""
    entry, server, sent = far.declared(attribute), far.server, 0
    for value in values:
        bearers = server.subscribed(entry.attribute, 1)
        if not bearers:
            break
        for bearer in bearers:
            if len(value) > bearer.att_mtu - 3:
                raise ValueError(f"{len(value)} octets do not fit into a notification at MTU {bearer.att_mtu}")
            pdu = att.ATT_Handle_Value_Notification(attribute_handle=entry.attribute.handle, attribute_value=value)
            server.send_gatt_pdu(bearer, bytes(pdu))
        sent += 1
        # Lets the packet pass.
        await asyncio.sleep(0)
        if sent % CHECK_INTERVAL == 0:
            for bearer in bearers:
                await far.kernel_reached(getattr(bearer, "connection", bearer))
            while longest_receive_queue() > QUEUE_LIMIT:
                await asyncio.sleep(0.002)
    return sent

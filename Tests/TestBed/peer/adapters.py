# SPDX-License-Identifier: MIT

"""The adapters of the guest: /dev/vhci with a simulated controller behind it."""

from __future__ import annotations

import asyncio
import errno
import os
from dataclasses import dataclass
from typing import IO

from bumble.transport import open_transport
from bumble.transport.common import Transport

from .air import Air
from .controller import BedController

# How long an adapter stays away at least, in seconds: the kernel keeps its number for sockets that have not noticed yet, and
# gives another, hci1 for hci0, to one that is plugged in before.
ABSENCE = 0.5


class KernelSink:
    """Writes a controller's packets to the kernel.

    The kernel refuses them while the adapter is off, and one may be on its way as it goes off. asyncio's pipe would take that for
    the end of the device, and the adapter would be mute for good; the packet is dropped instead, as nobody listens. So is one
    that comes once the adapter was pulled out."""

    def __init__(self, device: IO[bytes]) -> None:
        self.device = device

    def on_packet(self, packet: bytes) -> None:
        if self.device.closed:
            return
        try:
            os.write(self.device.fileno(), packet)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise


@dataclass
class Adapter:
    """One hciN. The kernel has it as long as the transport is open."""

    air: Air
    index: int
    transport: Transport | None = None
    controller: BedController | None = None
    has_duplicate_filter: bool = False
    has_extended_advertising: bool = "BLUECAP_EXTENDED" in os.environ

    async def plug_in(self) -> None:
        if self.transport is not None:
            return
        self.transport = await open_transport("vhci")
        self.controller = BedController(
            f"hci{self.index}",
            self.transport.source,
            KernelSink(self.transport.sink.transport.get_extra_info("pipe")),
            self.air,
            public_address=f"C0:DE:00:00:00:{self.index + 1:02X}",
        )
        self.controller.duplicate_filter = self.has_duplicate_filter
        # Before the kernel asks for it, which takes a turn of the loop at least.
        if self.has_extended_advertising:
            self.controller.claim_extended_advertising()

    async def pull_out(self) -> None:
        if self.transport is None or self.controller is None:
            return
        transport, self.transport = self.transport, None
        self.air.drop_links(self.controller)
        self.air.remove_controller(self.controller)
        # Nobody is left to tell it: it would go on with what was advertised, beside the controller that is plugged in next.
        self.controller.le_legacy_advertiser.stop()
        self.controller.stop_sets()
        self.controller.host = None
        await transport.close()
        await asyncio.sleep(ABSENCE)

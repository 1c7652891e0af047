# SPDX-License-Identifier: MIT

"""The adapters of the guest: /dev/vhci with a simulated controller behind it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bumble.transport import open_transport
from bumble.transport.common import Transport

from .air import Air
from .controller import BedController

# How long an adapter stays away at least, in seconds: the kernel keeps its number for sockets that have not noticed yet, and
# gives another, hci1 for hci0, to one that is plugged in before.
ABSENCE = 0.5


@dataclass
class Adapter:
    """One hciN. The kernel has it as long as the transport is open."""

    air: Air
    index: int
    transport: Transport | None = None
    controller: BedController | None = None

    async def plug_in(self) -> None:
        if self.transport is not None:
            return
        self.transport = await open_transport("vhci")
        self.controller = BedController(
            f"hci{self.index}",
            self.transport.source,
            self.transport.sink,
            self.air,
            public_address=f"C0:DE:00:00:00:{self.index + 1:02X}",
        )

    async def pull_out(self) -> None:
        if self.transport is None or self.controller is None:
            return
        transport, self.transport = self.transport, None
        self.air.drop_links(self.controller)
        self.air.remove_controller(self.controller)
        # Nobody is left to tell it: it would go on with what was advertised, beside the controller that is plugged in next.
        self.controller.le_legacy_advertiser.stop()
        self.controller.host = None
        await transport.close()
        await asyncio.sleep(ABSENCE)

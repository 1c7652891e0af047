# SPDX-License-Identifier: MIT

"""The whole bed: air, adapters, far devices, bluetoothd; and the commands that concern no single far device."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from . import bus
from .adapters import Adapter
from .air import Air
from .central import CentralCommands
from .commands import Answer, FarCommands
from .daemon import Daemon
from .far import FarDevice

FAR_DEVICES = 4
# The commands that concern no far device.
BED_COMMANDS = {
    "kill_daemon",
    "stop_daemon",
    "start_daemon",
    "restart_daemon",
    "pause_daemon",
    "kill_bus",
    "start_bus",
    "adapter",
    "drop_links",
    "duplicate_filter",
    "scanning",
    "extended_advertising",
}


class Bed:
    """Dispatches requests to what they concern."""

    def __init__(self, adapters: int, daemon: Daemon) -> None:
        self._air = Air()
        self._adapters = [Adapter(self._air, index) for index in range(adapters)]
        far = [FarDevice(self._air, index, daemon.until_it_waits) for index in range(FAR_DEVICES)]
        self._far = [FarCommands(device) for device in far]
        self._central = [CentralCommands(device) for device in far]
        self._daemon = daemon

    async def start(self) -> None:
        for adapter in self._adapters:
            await adapter.plug_in()
        await self._ready()
        self._watch = asyncio.create_task(self._daemon.watch())

    async def perform(self, request: dict[str, Any]) -> Answer:
        request = dict(request)
        name = asked = request.pop("cmd")
        target: Any = self
        if name.startswith("central_"):
            target, name = self._central[request.pop("device", 0)], name.removeprefix("central_")
        elif name not in BED_COMMANDS:
            target = self._far[request.pop("device", 0)]
        command = getattr(target, "restore" if name == "return" else name, None)
        if name.startswith("_") or not inspect.iscoroutinefunction(command):
            raise LookupError(f"unknown command {asked!r}")
        return await command(**request)

    async def _ready(self) -> None:
        await self._daemon.ready([adapter.index for adapter in self._adapters if adapter.transport is not None])

    # bluetoothd

    async def kill_daemon(self) -> Answer:
        await self._daemon.kill()
        return {}

    async def stop_daemon(self) -> Answer:
        await self._daemon.terminate()
        return {}

    async def start_daemon(self, experimental: bool = True, dual: bool = False) -> Answer:
        self._daemon.spawn(experimental, dual)
        await self._ready()
        return {}

    async def restart_daemon(self) -> Answer:
        await self._daemon.restart()
        await self._ready()
        return {}

    async def pause_daemon(self, paused: bool) -> Answer:
        self._daemon.pause(paused)
        return {}

    # The bus

    async def kill_bus(self) -> Answer:
        await self._daemon.lose(bus.kill)
        return {}

    async def start_bus(self) -> Answer:
        await asyncio.to_thread(bus.start)
        return await self.start_daemon()

    # Adapters

    async def adapter(self, present: bool, index: int = 0) -> Answer:
        if present:
            await self._adapters[index].plug_in()
            await self._ready()
        else:
            await self._adapters[index].pull_out()
        return {}

    async def drop_links(self, index: int) -> Answer:
        if (controller := self._adapters[index].controller) is not None:
            self._air.drop_links(controller)
        return {}

    async def duplicate_filter(self, enabled: bool, index: int = 0) -> Answer:
        """Whether hciN has a filter of duplicates, which its kernel switches on and off."""
        self._adapters[index].has_duplicate_filter = enabled
        if (controller := self._adapters[index].controller) is not None:
            controller.duplicate_filter = enabled
        return {}

    async def scanning(self, index: int = 0) -> Answer:
        """Whether hciN's controller scans, and whether it asks for scan responses."""
        if (controller := self._adapters[index].controller) is None:
            raise LookupError(f"hci{index} is out")
        return {"enabled": bool(controller.le_scan_enable), "active": controller.le_scan_type == 1}

    async def extended_advertising(self, enabled: bool, index: int = 0) -> Answer:
        """Whether hciN has extended advertising from the next time that it is put in."""
        self._adapters[index].has_extended_advertising = enabled
        return {}

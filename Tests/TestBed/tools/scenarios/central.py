# SPDX-License-Identifier: MIT

"""The far device as a central, in a trace."""

from __future__ import annotations

import asyncio
from typing import Any

from ..control import Control, Refused
from ..trace import Trace

SERVED = "180d"
"""The service of the scenarios' applications; the others that a central finds are bluetoothd's own."""


class Central:
    """Gives the far device commands, and notes each as JSON, with what the device saw, so that both can be replayed.

    A characteristic goes by its UUID: handles are of one run.
    """

    def __init__(self, control: Control, trace: Trace) -> None:
        self._control = control
        self._trace = trace
        self._handles: dict[str, int] = {}

    async def connect(self, mtu: int = 517) -> None:
        """Finds the application and connects to it."""
        far = await self._control("configure", peer={"services": [], "mtu": mtu})
        self._trace.alias(far["address"], "C0:00:00:00:00:00")
        found = await self.scan()
        self._note("connect", {"mtu": mtu})
        answer = await self._control("central_connect", address=found["address"], mtu=mtu)
        served = [service for service in answer["services"] if service["uuid"] == SERVED]
        characteristics = [item for service in served for item in service["characteristics"]]
        self._handles = {item["uuid"]: item["handle"] for item in characteristics}
        self._saw({item["uuid"]: item["properties"] for item in characteristics})

    async def scan(self) -> dict[str, Any]:
        self._note("scan", {"name": "App"})
        found = await self._control("central_scan", name="App")
        self._saw({"advertisement": found["advertisement"], "scanResponse": found["scanResponse"]})
        return found

    async def __call__(self, command: str, characteristic: str | None = None, **parameters: Any) -> None:
        """A command on the link; an ATT error is seen, too."""
        named = {} if characteristic is None else {"characteristic": characteristic}
        self._note(command, named | parameters)
        at = {} if characteristic is None else {"attribute": self._handles[characteristic]}
        try:
            answer = await self._control(f"central_{command}", **at, **parameters)
        except Refused as refusal:
            if refusal.code is None:
                raise
            answer = {"code": refusal.code}
        self._saw({key: value for key, value in answer.items() if key not in ("id", "ok")})

    async def leave(self) -> None:
        """Disconnects; what bluetoothd says of that comes within the time."""
        await self("disconnect")
        await asyncio.sleep(0.5)

    def _note(self, command: str, parameters: dict[str, Any]) -> None:
        self._trace.note_json("peer", {"cmd": f"central_{command}", **parameters})

    def _saw(self, seen: dict[str, Any]) -> None:
        self._trace.note_json("saw", seen)

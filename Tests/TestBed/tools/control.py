# SPDX-License-Identifier: MIT

"""A client of the peer's control socket."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
from typing import Any


class Refused(Exception):
    """The peer answered with an error; `code` is that of an ATT error."""

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text)
        self.code = code


class Control:
    """`await control("notify", attribute="0.0", values=["01"])`; several calls may be in flight."""

    async def open(self) -> Control:
        self._reader, self._writer = await asyncio.open_unix_connection(os.environ["BLUECAP_PEER"], limit=1 << 26)
        self._numbers = itertools.count(1)
        self._pending: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._task = asyncio.create_task(self._read())
        return self

    async def _read(self) -> None:
        while line := await self._reader.readline():
            answer = json.loads(line)
            self._pending.pop(answer["id"]).set_result(answer)

    async def close(self) -> None:
        self._task.cancel()
        self._writer.close()

    async def __call__(self, command: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._pending[number] = asyncio.get_running_loop().create_future()
        self._writer.write(json.dumps({"id": number, "cmd": command, **parameters}).encode() + b"\n")
        answer = await self._pending[number]
        if not answer["ok"]:
            raise Refused(answer["error"], answer.get("code"))
        return answer

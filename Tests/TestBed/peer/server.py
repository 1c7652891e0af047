# SPDX-License-Identifier: MIT

"""The control socket: one JSON request a line, one JSON answer a line, matched by `id`, several at once."""

from __future__ import annotations

import asyncio
import json
import logging
from asyncio import StreamReader, StreamWriter
from pathlib import Path

from bumble.att import ATT_Error

from .bed import Bed

# A request or answer may carry thousands of values.
LINE_LIMIT = 1 << 26


async def answer(bed: Bed, line: bytes, writer: StreamWriter) -> None:
    number = None
    try:
        request = json.loads(line)
        number = request.pop("id", None)
        reply = {"id": number, "ok": True, **await bed.perform(request)}
    except Exception as error:
        logging.info("request failed: %s", line[:200], exc_info=True)
        reply = {"id": number, "ok": False, "error": f"{type(error).__name__}: {error}"}
        if isinstance(error, ATT_Error):
            reply |= {"error": f"ATT error 0x{error.error_code:02X}", "code": int(error.error_code)}
    writer.write(json.dumps(reply, separators=(",", ":")).encode() + b"\n")
    await writer.drain()


async def converse(bed: Bed, reader: StreamReader, writer: StreamWriter) -> None:
    tasks: set[asyncio.Task[None]] = set()
    while line := await reader.readline():
        # Requests start in the order of their lines; a waiting one does not stop those behind it.
        task = asyncio.create_task(answer(bed, line, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    writer.close()


async def serve(bed: Bed, path: Path) -> None:
    """Listens at `path`, which appears when the bed can be used."""
    hidden = path.with_suffix(".starting")
    server = await asyncio.start_unix_server(lambda r, w: converse(bed, r, w), hidden, limit=LINE_LIMIT)
    hidden.rename(path)
    await server.serve_forever()

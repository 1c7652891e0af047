# SPDX-License-Identifier: MIT

"""Every ATT error code on every operation."""

from __future__ import annotations

import asyncio
import os

from .stage import Stage

# These make BlueZ raise the security of the link: each is recorded by itself.
SECURITY_CODES = (0x05, 0x0C, 0x0F)
CODES = [code for code in (*range(0x01, 0x14), 0x80, 0x9F, 0xE0, 0xFC, 0xFD, 0xFE, 0xFF) if code not in SECURITY_CODES]
# Newer versions compare the database's hash and send the request again, for as long as that is the answer.
OUT_OF_SYNC = 0x12


async def att_errors(stage: Stage) -> None:
    """Each ATT error code as the answer to a read, a write, a descriptor's read and a subscription."""
    bluez = stage.bluez
    _, at = await stage.connected()
    for code in CODES:
        if code == OUT_OF_SYNC and os.environ["BLUECAP_BLUEZ"] not in ("5.66", "5.82"):
            continue
        stage.trace.note(f"code 0x{code:02X}")
        await stage.peer("set_error", attribute="0.2", on="read", code=code)
        await stage.peer("set_error", attribute="0.2", on="write", code=code)
        await stage.peer("set_error", attribute="0.0.0", on="read", code=code)
        await stage.peer("set_error", attribute="0.0", on="subscribe", code=code)
        await stage.attempt(bluez.read(at["0.2"]))
        await stage.attempt(bluez.write(at["0.2"], b"\1", "request"))
        await stage.attempt(bluez.read(at["0.0.0"]))
        await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StartNotify"))
        await stage.attempt(bluez.do(at["0.0"], "GattCharacteristic1.StopNotify"))


async def security_errors(stage: Stage) -> None:
    """Insufficient authentication, key size and encryption, answered to every read, even after pairing."""
    bluez = stage.bluez
    await bluez.answer_agent()
    for code in SECURITY_CODES:
        stage.trace.note(f"code 0x{code:02X}")
        path, at = await stage.connected()
        await stage.peer("set_error", attribute="0.2", on="read", code=code)
        await stage.attempt(bluez.read(at["0.2"]), timeout=40)
        await asyncio.sleep(0.5)
        await stage.attempt(bluez.do(path, "Device1.Disconnect"))
        await stage.gone(path)


SCENARIOS = (att_errors, security_errors)

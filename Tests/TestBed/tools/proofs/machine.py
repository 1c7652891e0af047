# SPDX-License-Identifier: MIT

"""bluetoothd and the adapters."""

from __future__ import annotations

import asyncio

from ..bluez import BusError
from .case import Case, Failed, same


async def second_adapter(case: Case) -> None:
    address = await case.declare()
    path = await case.bluez.find(address, "/org/bluez/hci1")
    at = await case.bluez.connect(path)
    same(await case.bluez.read(at["0.0"]), b"\0")


async def pull_adapter(case: Case) -> None:
    path, _ = await case.connected()
    await case.peer("adapter", present=False)
    await case.peer("wait", event="disconnected")

    async def gone() -> bool:
        return "/org/bluez/hci0" not in await case.bluez.objects()

    await case.bluez.until(gone, 5)
    await case.peer("adapter", present=True)
    same("/org/bluez/hci0" in await case.bluez.objects(), True)
    at = await case.bluez.connect(await case.bluez.find(await case.declare()))
    same(await case.bluez.read(at["0.0"]), b"\0")


async def kill_and_start(case: Case) -> None:
    lost = case.bluez.expect(lambda message: message.member == "NameOwnerChanged" and not message.body[2])
    await case.peer("kill_daemon")
    await asyncio.wait_for(lost, 2)
    try:
        await case.bluez.objects()
    except BusError:
        pass
    else:
        raise Failed("org.bluez answered after it was killed")
    await case.peer("start_daemon")
    await case.connected()


async def restart(case: Case) -> None:
    await case.connected()
    owner = case.bluez.expect(lambda message: message.member == "NameOwnerChanged" and bool(message.body[2]))
    await case.peer("restart_daemon")
    await asyncio.wait_for(owner, 5)
    await case.connected()


PROOFS = (second_adapter, pull_adapter, kill_and_start, restart)

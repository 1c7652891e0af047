# SPDX-License-Identifier: MIT

"""Connection-oriented channels over bluetoothd's links, by sockets of the kernel."""

from __future__ import annotations

import asyncio
import errno
import hashlib
import random
import time
from collections.abc import Awaitable
from typing import Any

from .. import l2cap
from ..application import Application
from ..control import Refused
from .case import Case, Failed, same

PSM = 0x80
MEGABYTE = 1 << 20


async def _linked(case: Case, **terms: Any) -> str:
    """The address of a device that is connected to, and takes channels."""
    address = await case.declare()
    await case.bluez.connect(await case.bluez.find(address))
    await case.peer("publish_channel", psm=PSM, **terms)
    return address


async def _fails(operation: Awaitable[Any], number: int) -> None:
    try:
        await operation
    except OSError as error:
        return same(error.errno, number, "the error")
    raise Failed(f"error {number} was expected")


async def _refused(operation: Awaitable[Any], text: str) -> None:
    try:
        await operation
    except Refused as error:
        return same(text in str(error), True, str(error))
    raise Failed(f"a refusal of {text} was expected")


async def channels(case: Case) -> None:
    """Units of each length go both ways, one by one."""
    address = await _linked(case, behaviour="echo")
    handle = await l2cap.connect(address, PSM)
    same(l2cap.longest_unit(handle), 2048)
    units = [bytes([number]) * (1 + number * 51) for number in range(40)] + [bytes(2048)]
    sending = asyncio.create_task(l2cap.send(handle, units))
    same(await l2cap.receive(handle, len(units)), units)
    await sending
    came = await case.peer("channel_units", psm=PSM, count=len(units))
    same(came["units"], [unit.hex() for unit in units])
    same((await case.peer("channel_units", psm=PSM))["units"], [])
    await case.peer("send_units", psm=PSM, units=["01", "0203"])
    same(await l2cap.receive(handle, 2), [b"\1", b"\2\3"])
    await _fails(l2cap.send(handle, [bytes(2049)]), errno.EMSGSIZE)
    await case.peer("close_channels", psm=PSM)
    same(await l2cap.receive(handle, 1), [])
    await case.peer("wait_channels", psm=PSM, count=0)
    handle.close()


async def channel_refusals(case: Case) -> None:
    """Each result code, also one without a name, is the same error; a PSM that was taken back, too."""
    address = await _linked(case)
    for code in (2, 4, 6, 7, 9, 10, 11, 0x1234):
        await case.peer("publish_channel", psm=PSM, refusal=code)
        await _fails(l2cap.connect(address, PSM), errno.ECONNREFUSED)
    await case.peer("publish_channel", psm=PSM)
    (await l2cap.connect(address, PSM)).close()
    await case.peer("withdraw_channel", psm=PSM)
    await _fails(l2cap.connect(address, PSM), errno.ECONNREFUSED)


async def channel_checks(case: Case) -> None:
    """Nonsense is refused by its name."""
    await _linked(case)
    for name, value in {
        "psm": 256,
        "behaviour": "eat",
        "isEncrypted": 1,
        "refusal": 0,
        "maximumReceiveLength": 22,
        "credits": 0,
    }.items():
        await _refused(case.peer("publish_channel", **{"psm": PSM, name: value}), name)
    await _refused(case.peer("publish_channel", psm=PSM, size=1), "size")
    await _refused(case.peer("send_units", psm=PSM, units=["00"]), "no channel is open")
    await _refused(case.peer("channel_units", psm=0x99), "153")
    await _refused(case.peer("central_channel_units", channel=9), "9")


async def many_channels(case: Case) -> str:
    """64 at once, the next is refused; opened and closed, no number stays in use."""
    address = await _linked(case)
    handles = [await l2cap.connect(address, PSM) for _ in range(64)]
    await case.peer("wait_channels", psm=PSM, count=64)
    try:
        await l2cap.connect(address, PSM)
    except OSError as error:
        text = errno.errorcode[error.errno or 0]
    else:
        raise Failed("there is a 65th channel")
    for handle in handles:
        handle.close()
    await case.peer("wait_channels", psm=PSM, count=0)
    started = time.monotonic()
    for number in range(200):
        handle = await l2cap.connect(address, PSM)
        await l2cap.send(handle, [bytes([number])])
        same((await case.peer("channel_units", psm=PSM, count=1))["units"], [f"{number:02x}"])
        handle.close()
        # The end has to be answered before the kernel gives the number out again.
        opened = (await case.peer("wait_channels", psm=PSM, count=0))["opened"]
    same(opened, 264)
    return f"the 65th gives {text}; 200 in {time.monotonic() - started:.1f} s"


async def stalled_channel(case: Case) -> str:
    """A device that gives no credits holds up its own channel alone."""
    address = await _linked(case, behaviour="stall", credits=5)
    handle = await l2cap.connect(address, PSM)
    sent = 0
    try:
        while sent < 100:
            sent += handle.send(b"\1")
    except BlockingIOError:
        pass
    same(sent < 20, True, f"{sent} units went without credits")
    await case.peer("publish_channel", psm=PSM + 1, behaviour="echo")
    other = await l2cap.connect(address, PSM + 1)
    await l2cap.send(other, [b"\2"])
    same(await l2cap.receive(other, 1), [b"\2"])
    same((await case.peer("channel_units", psm=PSM))["units"], [])
    handle.close()
    other.close()
    return f"{sent} units were taken for 5 credits"


async def misbehaving_channels(case: Case) -> str:
    """What the kernel makes of each fault; another channel goes on."""
    address = await _linked(case)
    await case.peer("publish_channel", psm=PSM + 1, behaviour="echo")
    other = await l2cap.connect(address, PSM + 1)
    told = []
    for fault in ("exceedingCredits", "exceedingLength", "closingWithinUnit"):
        handle = await l2cap.connect(address, PSM)
        await case.peer("misbehave", psm=PSM, fault=fault)
        await case.peer("wait_channels", psm=PSM, count=0)
        try:
            units = await l2cap.receive(handle, 2000)
            told.append(f"{fault}: {len(units)} units and the end")
        except OSError as error:
            told.append(f"{fault}: {errno.errorcode[error.errno or 0]}")
        handle.close()
        await l2cap.send(other, [b"\2"])
        same(await l2cap.receive(other, 1), [b"\2"])
    other.close()
    return "; ".join(told)


async def encrypted_channel(case: Case) -> None:
    """The kernel, refused with 8, pairs by itself; the device counts no channel before."""
    await case.bluez.answer_agent()
    address = await _linked(case, behaviour="echo", isEncrypted=True)
    handle = await l2cap.connect(address, PSM, security=2)
    await case.peer("wait", event="paired")
    await l2cap.send(handle, [b"\1"])
    same(await l2cap.receive(handle, 1), [b"\1"])
    handle.close()


async def channel_loads(case: Case) -> str:
    """A megabyte each way, whole and in order."""
    address = await _linked(case)
    handle = await l2cap.connect(address, PSM)
    source = random.Random(1)
    units = [source.randbytes(2048) for _ in range(MEGABYTE // 2048)]
    started = time.monotonic()
    await l2cap.send(handle, units)
    came = await case.peer("channel_units", psm=PSM, count=len(units), summary=True, timeout=30)
    out = time.monotonic() - started
    same(came["sha256"], hashlib.sha256(b"".join(units)).hexdigest(), "out")
    started = time.monotonic()
    sent = await case.peer("send_many_units", psm=PSM, count=512, size=2048)
    units = await l2cap.receive(handle, 512, 30)
    same(hashlib.sha256(b"".join(units)).hexdigest(), sent["sha256"], "in")
    handle.close()
    return f"1 MB out in {out:.2f} s, in {time.monotonic() - started:.2f} s"


async def central_channels(case: Case) -> str:
    """The far device opens channels to sockets that listen."""
    await case.bluez.answer_agent()
    await Application(case.bluez, []).register()
    await case.peer("configure", peer={"services": []})
    found = await case.peer("central_scan", name="App")
    await case.peer("central_connect", address=found["address"], public=found["public"])
    listener, guarded = l2cap.listen(PSM), l2cap.listen(PSM + 1, security=2)
    loop = asyncio.get_running_loop()
    try:
        same((await case.peer("central_open_channel", psm=0x99))["refusal"], 2, "a PSM without a listener")
        answer = await case.peer("central_open_channel", psm=PSM, behaviour="echo")
        same((answer["channel"], answer["maximumSendLength"]), (1, 2048))
        handle, _ = await loop.sock_accept(listener)
        await l2cap.send(handle, [b"\1\2", bytes(500)])
        same(await l2cap.receive(handle, 2), [b"\1\2", bytes(500)])
        same((await case.peer("central_channel_units", channel=1, count=2))["units"], ["0102", "00" * 500])
        sent = await case.peer("central_send_many_units", channel=1, count=100, size=2048)
        units = await l2cap.receive(handle, 100)
        same(hashlib.sha256(b"".join(units)).hexdigest(), sent["sha256"])
        handle.close()
        await case.peer("central_channel_closed", channel=1)
        second = (await case.peer("central_open_channel", psm=PSM))["channel"]
        handle, _ = await loop.sock_accept(listener)
        await case.peer("central_misbehave", channel=second, fault="exceedingLength")
        await case.peer("central_channel_closed", channel=second)
        handle.close()
        third = (await case.peer("central_open_channel", psm=PSM))["channel"]
        handle, _ = await loop.sock_accept(listener)
        await case.peer("central_close_channel", channel=third)
        same(await l2cap.receive(handle, 1), [])
        handle.close()
        refusal = (await case.peer("central_open_channel", psm=PSM + 1))["refusal"]
        same((await case.peer("central_pair"))["isPaired"], True)
        answer = await case.peer("central_open_channel", psm=PSM + 1)
        same(answer["refusal"], None, "after pairing")
        handle, _ = await loop.sock_accept(guarded)
        handle.close()
        return f"without encryption: result {refusal}"
    finally:
        listener.close()
        guarded.close()
        await case.peer("central_disconnect")


PROOFS = (
    channels,
    channel_refusals,
    channel_checks,
    many_channels,
    stalled_channel,
    misbehaving_channels,
    encrypted_channel,
    channel_loads,
    central_channels,
)

# SPDX-License-Identifier: MIT

"""`bluecap pair`, `bonds` and `forget` against far devices that compare digits, show a passkey or take one."""
from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from programs import check, finish, start

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control  # noqa: E402

TOOL = sys.argv[1]
LEVEL = "2a19"


class Lock:
    """A far device whose only value is read over a link that was authenticated, so neither by Just Works nor before."""

    def __init__(self, peer: Control, name: str, address: str) -> None:
        self.peer, self.name, self.address = peer, name, address

    @classmethod
    async def make(cls, peer: Control, name: str, **pairing: Any) -> Lock:
        level = {"uuid": LEVEL, "properties": ["read"], "value": "32", "readSecurity": "authenticated"}
        device = {
            "name": name, "advertisement": {"data": {"localName": name}},
            "services": [{"uuid": "180f", "characteristics": [level]}],
        }
        address = (await peer("configure", peer=device, pairing=pairing))["address"].upper()
        await peer("advertise", enabled=True)
        return cls(peer, name, address)

    @property
    async def digits(self) -> str:
        return f"{(await self.peer('shown_passkey', timeout=30))['passkey']:06}"

    async def away(self) -> None:
        await self.peer("wait", event="disconnected", timeout=20)
        await self.peer("advertise", enabled=True)

    async def pair(self, *arguments: str, stdin: int = asyncio.subprocess.PIPE) -> asyncio.subprocess.Process:
        return await start(TOOL, "pair", self.address, "--timeout", "20", *arguments, stdin=stdin)


async def asked(process: asyncio.subprocess.Process, event: str) -> dict[str, Any]:
    """The event of that kind, which the tool prints when pairing asks."""
    while line := (await asyncio.wait_for(process.stdout.readline(), 60)).decode():
        found = json.loads(line)
        if found["event"] == event:
            return found
    return {}


async def bonded() -> list[str]:
    status, lines, errors = await finish(await start(TOOL, "bonds", "--json"), 40)
    # A failure is no empty list.
    return [json.loads(line)["id"] for line in lines] if status == 0 else [f"status {status}: {errors}"]


async def is_paired(lock: Lock, how: str, process: asyncio.subprocess.Process, answer: str | None) -> None:
    """Pairing ends well, the value that needs it is read, and the device is forgotten by its name."""
    status, lines, errors = await finish(process, 90, answer)
    got = [json.loads(line)["event"] for line in lines]
    check(f"pair {how} ends with the device paired", status == 0 and got[-1:] == ["paired"], (status, lines, errors))
    await lock.away()
    check(f"bonds lists what was paired {how}", await bonded() == [lock.address])
    process = await start(TOOL, "read", lock.address, LEVEL, "--json", "--timeout", "20")
    status, lines, errors = await finish(process, 90)
    got = [json.loads(line)["value"] for line in lines]
    check(f"the link was authenticated {how}", status == 0 and got == ["32"], (status, lines, errors))
    await lock.away()
    status, lines, errors = await finish(await start(TOOL, "forget", lock.name.upper()), 40)
    check(f"forget takes back what was paired {how}",
          status == 0 and lines[-1].startswith("forgot ") and lock.address in lines[-1], (status, lines, errors))
    check(f"no bond is left of what was paired {how}", await bonded() == [])


async def is_refused(
        lock: Lock, how: str, process: asyncio.subprocess.Process, answer: str | None, reason: str,
        wanted: int = 76) -> None:
    status, _, errors = await finish(process, 90, answer)
    said = " ".join(errors.split())
    check(f"pair {how} ends with {wanted}, and says why", status == wanted and reason in said, (status, errors))
    await lock.away()
    check(f"pair {how} leaves no bond", await bonded() == [])


async def by_comparison(peer: Control) -> None:
    lock = await Lock.make(peer, "Comparing lock", capability="displayYesNo")
    process = await lock.pair("--json")
    question = await asked(process, "question")
    digits = await lock.digits
    check("the digits to be compared are those that the device shows", question.get("passkey") == digits, (question, digits))
    check("the question names the device and the digits",
          question.get("text") == f"does {lock.address} show {digits}, too?", question)
    await is_paired(lock, "by comparing digits", process, "yes\n")

    lock = await Lock.make(peer, "Trusted lock", capability="displayYesNo")
    await is_paired(lock, "with --yes", await lock.pair("--json", "--yes"), None)

    lock = await Lock.make(peer, "Wordy lock", capability="displayYesNo")
    process = await lock.pair()
    digits = await lock.digits
    status, lines, errors = await finish(process, 90, "what?\ny\n")
    text = f"does {lock.address} show {digits}, too? (yes or no)"
    check("on a terminal the digits stand in the question, which is asked until it is answered",
          status == 0 and errors.count(text) == 2, (status, errors))
    check("pair says who was paired", lines[-1:] == [f"paired: {lock.name} ({lock.address})"], lines)
    await lock.away()
    status, lines, errors = await finish(await lock.pair("--json"), 90)
    got = [json.loads(line) for line in lines]
    check("pair of what is paired says so", status == 0 and got[-1].get("already") is True, (status, lines, errors))
    await lock.away()
    status, _, errors = await finish(await start(TOOL, "forget", "--all"), 40)
    check("forget --all leaves none", status == 0 and await bonded() == [], (status, errors))

    lock = await Lock.make(peer, "Other lock", capability="displayYesNo")
    await is_refused(lock, "of digits that are not the same", await lock.pair(), "no\n", "it was refused here")
    lock = await Lock.make(peer, "Lonely lock", capability="displayYesNo")
    process = await lock.pair(stdin=asyncio.subprocess.DEVNULL)
    await is_refused(lock, "without anybody who answers", process, None, "accept them with --yes")
    lock = await Lock.make(peer, "Unwilling lock", capability="displayYesNo", agrees=False)
    await is_refused(lock, "of digits that the device's user refuses", await lock.pair("--yes"), None, "the other side refused")


async def by_passkey(peer: Control) -> None:
    lock = await Lock.make(peer, "Showing lock", capability="displayOnly")
    process = await lock.pair("--json")
    question = await asked(process, "question")
    check("a passkey that the device shows is asked for",
          question.get("text") == f"which six digits does {lock.address} show?", question)
    digits = await lock.digits
    await is_paired(lock, "by a passkey typed here", process, f"{digits[:3]} {digits[3:]}\n")

    lock = await Lock.make(peer, "Printed lock", capability="displayOnly", passkey=12345)
    await is_paired(lock, "with --passkey", await lock.pair("--json", "--passkey", "012345"), None)

    lock = await Lock.make(peer, "Typing lock", capability="keyboardOnly")
    process = await lock.pair("--json")
    shown = await asked(process, "passkey")
    await peer("type_passkey", passkey=int(shown.get("passkey", "0")))
    await is_paired(lock, "by a passkey typed at the device", process, None)

    lock = await Lock.make(peer, "Wrong lock", capability="displayOnly", passkey=111111)
    await is_refused(lock, "by another passkey", await lock.pair("--passkey", "222222"), None, "the digits differ")
    lock = await Lock.make(peer, "Silent lock", capability="displayOnly")
    process = await lock.pair(stdin=asyncio.subprocess.DEVNULL)
    await is_refused(lock, "without anybody who types", process, None, "pass it with --passkey")
    # The device waits for half a minute, and then ends the link.
    lock = await Lock.make(peer, "Waiting lock", capability="displayOnly")
    await is_refused(lock, "without an answer in time", await lock.pair(), None, "pass it with --passkey", 75)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two programs and more over one virtual radio: the tool scans, reads, writes, is notified, pairs and opens channels with
a program that another process runs, and both ways round.

usage: Tests/Tool/shared_radio.py BLUECAP LOCK

LOCK is the program of Examples/Lock. One line a check, and a sum at the end; the exit status is 0 when all have passed.
"""
from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import sys
import tempfile

from programs import check, finish, line_with, start, summed_up

TOOL, LOCK = sys.argv[1:3]
BOLT = "6C6F636B-0001-4A5B-8C3D-2E1F00000000"
LIMIT = 60


async def tool(path: str, *words: str) -> tuple[int, list[str], str]:
    return await finish(await start(TOOL, *words, "--backend", f"virtual:{path}"), LIMIT)


def heard(lines: list[str]) -> set[str]:
    """The names of the devices of a scan."""
    return {event.get("name", "") for event in map(json.loads, lines) if event["event"] == "discovered"}


async def paired(path: str, lock: asyncio.subprocess.Process) -> tuple[int, list[str], str]:
    """Pairs by the passkey that the program shows."""
    pairing = await start(
        TOOL, "pair", "Lock", "--json", "--backend", f"virtual:{path}", stdin=asyncio.subprocess.PIPE)
    digits = (await line_with(lock, "passkey"))[-1].split()[1]
    return await finish(pairing, LIMIT, digits + "\n")


async def with_channels(path: str) -> None:
    """One process takes channels, another opens them: the first shares the radio, or both are guests of a third."""
    printer = await start("stdbuf", "-oL", TOOL, "channel", "listen", "--json", "--psm", "192", "--echo", "--name",
                          "Printer", "--backend", f"virtual:{path}")
    await line_with(printer, '"advertising"')
    words = [TOOL, "channel", "open", "Printer", "--backend", f"virtual:{path}", "--wait", "10", "--json", "--psm"]
    status, lines, errors = await finish(await start(*words, "193"), LIMIT)
    check("channel open says that the other process refuses the PSM", status == 76 and "0x2" in errors, (status, errors))
    caller = await start("stdbuf", "-oL", *words, "192", stdin=asyncio.subprocess.PIPE)
    caller.stdin.write(bytes(3000))
    await caller.stdin.drain()
    back = 0
    while back < 3000:
        line = json.loads((await line_with(caller, '"received"'))[-1])
        back += len(line["value"]) // 2
    check("channel open gets back what it sends, in units that the other takes", back == 3000, back)
    printer.send_signal(signal.SIGINT)
    status, lines, errors = await finish(printer, LIMIT)
    taken = sum(len(event["value"]) // 2 for event in map(json.loads, lines) if event["event"] == "received")
    check("channel listen has taken it", taken == 3000, (status, lines[:5], errors))
    status, lines, errors = await finish(caller, LIMIT)
    check("channel open ends with the channel", status >= 0 and any('"closed"' in line for line in lines),
          (status, lines, errors))


async def with_a_program_that_shares(path: str) -> None:
    status, lines, errors = await tool(path, "scan", "--duration", "2")
    check("without a program that shares, the tool says so and ends with 69",
          status == 69 and "no program shares a radio" in errors and "start the program" in errors, (status, errors))

    lock = await start("stdbuf", "-oL", LOCK, "--share", path)
    await line_with(lock, "advertising")
    mode = os.stat(path).st_mode
    check("the socket is its user's alone", stat.S_ISSOCK(mode) and mode & 0o777 == 0o600, oct(mode))

    status, lines, errors = await tool(path, "scan", "--json", "--limit", "1")
    check("scan finds the program", status == 0 and heard(lines) == {"Lock"}, (status, lines, errors))
    status, lines, errors = await tool(path, "info", "Lock")
    check("info shows its services", status == 0 and any("Battery" in line for line in lines), (lines, errors))
    status, lines, errors = await tool(path, "read", "Lock", "battery level", BOLT)
    check("read gives its values", status == 0 and len(lines) == 2 and "%" in lines[0] and lines[1].endswith("01"),
          (status, lines, errors))
    status, lines, errors = await tool(path, "notify", "Lock", "battery level", "--count", "3")
    check("notify gives what it sends", status == 0 and len(lines) == 3, (status, lines, errors))
    status, lines, errors = await tool(path, "write", "Lock", BOLT, "00")
    check("a write without pairing is refused, or the pairing for it", status != 0, (status, lines, errors))

    status, lines, errors = await paired(path, lock)
    check("pair takes the passkey that the program shows",
          status == 0 and any(json.loads(line)["event"] == "paired" for line in lines), (status, lines, errors))
    status, lines, errors = await tool(path, "write", "Lock", BOLT, "00")
    check("write reaches the program, with the bond of the process before", status == 0, (status, lines, errors))
    await line_with(lock, "opened")
    check("the program has opened", True)
    status, lines, errors = await tool(path, "write", "Lock", BOLT, "07")
    check("its refusal comes back as the ATT error", status != 0 and "0x13" in errors, (status, errors))

    # The tool killed in a connection.
    listener = await start("stdbuf", "-oL", TOOL, "notify", "Lock", "2A19", "--backend", f"virtual:{path}")
    await asyncio.wait_for(listener.stdout.readline(), LIMIT)
    listener.send_signal(signal.SIGKILL)
    await listener.wait()
    status, lines, errors = await tool(path, "read", "Lock", "battery level")
    check("after kill -9 of a guest the program serves the next one", status == 0, (status, lines, errors))

    # The program killed under a guest.
    listener = await start("stdbuf", "-oL", TOOL, "notify", "Lock", "2A19", "--backend", f"virtual:{path}")
    await asyncio.wait_for(listener.stdout.readline(), LIMIT)
    lock.send_signal(signal.SIGKILL)
    await lock.wait()
    status, lines, errors = await finish(listener, LIMIT)
    check("with the end of the program its guests end, too", status > 0, (status, errors))

    lock = await start("stdbuf", "-oL", LOCK, "--share", path)
    await line_with(lock, "advertising")
    status, lines, errors = await tool(path, "scan", "--json", "--limit", "1")
    check("the program that comes back replaces its socket", status == 0 and heard(lines) == {"Lock"}, (lines, errors))
    lamp = await start("stdbuf", "-oL", TOOL, "emulate", "Battery", "--name", "Lamp", "--backend", f"virtual:{path}")
    await line_with(lamp, "Advertising")
    status, lines, errors = await tool(path, "scan", "--json", "--limit", "2")
    check("emulate joins the radio of the program", status == 0 and heard(lines) == {"Lock", "Lamp"}, (lines, errors))
    lamp.send_signal(signal.SIGINT)
    await finish(lamp, LIMIT)
    await with_channels(path)
    lock.send_signal(signal.SIGTERM)
    await lock.wait()


async def with_the_tool_that_shares(path: str) -> None:
    lamp = await start("stdbuf", "-oL", TOOL, "emulate", "Battery", "--name", "Lamp", "--backend", f"virtual:{path}")
    await line_with(lamp, "Advertising")
    check("emulate shares a radio where no program does", stat.S_ISSOCK(os.stat(path).st_mode))
    status, lines, errors = await tool(path, "read", "Lamp", "battery level")
    check("another process reads its device", status == 0 and "%" in "".join(lines), (status, lines, errors))
    for words in (["adapters"], ["bonds"]):
        status, lines, errors = await tool(path, *words)
        check(f"{words[0]} says that a shared radio is another program's", status == 64 and "shared radio" in errors,
              (status, errors))
    lamp.send_signal(signal.SIGINT)
    await finish(lamp, LIMIT)
    check("the socket goes with it", not os.path.exists(path))


async def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BLUECAP_CONFIG"] = os.path.join(folder, "config.json")
        await with_a_program_that_shares(os.path.join(folder, "lock.sock"))
        await with_the_tool_that_shares(os.path.join(folder, "lamp.sock"))
        await with_channels(os.path.join(folder, "printer.sock"))
    return summed_up()


sys.exit(asyncio.run(main()))

# SPDX-License-Identifier: MIT

"""Programs that a script runs in the test bed, and what it checks of them: one line a check, and a sum at the end."""
from __future__ import annotations

import asyncio
from typing import Any

results: list[bool] = []


def check(what: str, holds: bool, found: Any = "") -> None:
    results.append(holds)
    print(f"{'ok' if holds else 'FAILED':6} {what}" + ("" if holds else f": found {found!r}"[:1500]), flush=True)


def summed_up() -> int:
    """Prints how many checks passed; the exit status of the script."""
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if results and all(results) else 1


async def start(*command: str, stdin: int = asyncio.subprocess.DEVNULL) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command, stdin=stdin, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)


async def finish(
        process: asyncio.subprocess.Process, seconds: float, text: str | None = None) -> tuple[int, list[str], str]:
    """The exit status, the lines of the output and the errors of a program, whose input is a text; -1 where it had to be
    killed."""
    try:
        output, errors = await asyncio.wait_for(process.communicate(text.encode() if text else None), seconds)
    except TimeoutError:
        process.kill()
        output, errors = await process.communicate()
        return -1, output.decode().splitlines(), errors.decode() + f"(killed after {seconds} s)"
    return process.returncode or 0, output.decode().splitlines(), errors.decode()


async def line_with(process: asyncio.subprocess.Process, text: str, seconds: float = 60) -> list[str]:
    """The lines up to one with a text."""
    lines = []
    while line := (await asyncio.wait_for(process.stdout.readline(), seconds)).decode():
        lines.append(line)
        if text in line:
            return lines
    raise RuntimeError(f"no line with {text!r}, but {lines} and {(await process.stderr.read()).decode()}")

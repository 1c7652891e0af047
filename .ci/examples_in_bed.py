# SPDX-License-Identifier: MIT

"""The examples beside a bluetoothd that stands still (SIGSTOP): each ends within six seconds of Ctrl-C."""
from __future__ import annotations

import asyncio
import os
import signal

from programs import check, finish, start

LIMIT = 6


async def paused(control: object, folder: str) -> None:
    """Starts all programs of a folder, lets bluetoothd stand still, and ends them."""
    names = sorted(os.listdir(folder))
    programs = [await start(os.path.join(folder, name), stdin=asyncio.subprocess.PIPE) for name in names]
    # By then they scan, or advertise.
    await asyncio.sleep(3)
    early = [name for name, process in zip(names, programs) if process.returncode is not None]
    check(f"{len(names)} examples run", len(names) >= 10 and not early, early)
    await control("pause_daemon", paused=True)
    for process in programs:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
    ends = await asyncio.gather(*(finish(process, LIMIT) for process in programs))
    for name, (status, lines, errors) in zip(names, ends):
        check(f"Ctrl-C ends {name} within {LIMIT} s while bluetoothd stands still", status == 0, (status, lines[-3:], errors))
    await control("pause_daemon", paused=False)

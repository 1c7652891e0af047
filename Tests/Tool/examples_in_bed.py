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
    check(f"{len(names)} examples are there", len(names) >= 10, names)
    await control("pause_daemon", paused=True)
    for process in programs:
        if process.returncode is None:
            process.send_signal(signal.SIGINT)
    ends = await asyncio.gather(*(finish(process, LIMIT) for process in programs))
    for name, (status, lines, errors) in zip(names, ends):
        # The smallest ones leave Ctrl-C to the system, and one may be through before it.
        check(
            f"Ctrl-C ends {name} within {LIMIT} s while bluetoothd stands still", status in (0, -signal.SIGINT),
            (status, lines[-3:], errors))
    await control("pause_daemon", paused=False)

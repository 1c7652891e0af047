# SPDX-License-Identifier: MIT

"""The system bus, which `guest/session` starts and nobody supervises."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

# Where the session keeps its number.
NUMBER = Path("/run/dbus/bed.pid")
COMMAND = ["dbus-daemon", "--system", "--nopidfile", "--fork", "--print-pid"]


def kill() -> None:
    """Ends it as a crash does: all who are connected lose it at once."""
    os.kill(int(NUMBER.read_text()), signal.SIGKILL)


def start() -> None:
    """Starts another, which answers once this returns."""
    with NUMBER.open("w") as number:
        subprocess.run(COMMAND, stdout=number, check=True)

# SPDX-License-Identifier: MIT

"""Supervises bluetoothd, which has no systemd here, counts its crashes, and asks the bus how far it got."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus

# The unpacked packages: bluetoothd runs with its own loader and libraries.
PACKAGES = Path(os.environ["BED_BLUEZ"])
LIBRARIES = PACKAGES / "lib"
PROGRAM = [
    str(next(LIBRARIES.glob("ld-linux*.so.*"))),
    *("--library-path", str(LIBRARIES)),
    str(PACKAGES / "bluetoothd"),
]
# The profiles of LE Audio read each other's encrypted values, and so pair two adapters of one bluetoothd unasked. A name
# that a version does not know is passed over.
WITHOUT = "--noplugin=vcp,micp,mcp,bass,rap,csip,bap,ccp,tmap,gmap,asha,hfp"
# Where the host shows the standard error of the program under test.
CONSOLE = Path("/dev/tty2")
CONFIGURATION = Path(__file__).parent.parent / "guest" / "main.conf"


def _dual() -> Path:
    """The configuration with both radios."""
    text = CONFIGURATION.read_text().replace("ControllerMode = le", "ControllerMode = dual")
    path = Path("/tmp/main-dual.conf")
    path.write_text(text)
    return path


class Daemon:
    """bluetoothd as a child process."""

    def __init__(self, logs: Path) -> None:
        self._log = open(logs / "bluetoothd.log", "ab")  # noqa: SIM115 - lives as long as the bed
        self._crashes = logs / "crashes"
        self._flags: list[str] = []
        self._configuration = CONFIGURATION
        self._process: subprocess.Popen[bytes] | None = None
        self._bus: MessageBus | None = None

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def spawn(self, experimental: bool = True, dual: bool = False) -> None:
        """Starts the program; it takes its name on the bus some tenths of a second later. Without `experimental` it is
        never told -E, with `dual` it has BR/EDR, too."""
        if not self.running:
            self._configuration = _dual() if dual else CONFIGURATION
            flags = os.environ.get("BLUECAP_BLUETOOTHD_FLAGS", "-E").split()
            if not experimental:
                flags = [flag for flag in flags if flag != "-E"]
            self._start(flags)

    def _start(self, flags: list[str]) -> None:
        self._flags = flags
        command = [*PROGRAM, "-n", WITHOUT, "-f", str(self._configuration), *flags]
        self._process = subprocess.Popen(command, stdout=self._log, stderr=self._log)

    async def watch(self) -> None:
        """Starts the program again when it ends by itself, as systemd does, says so on the console, and counts it: the run
        has failed, whatever its behaviours showed."""
        while True:
            await asyncio.sleep(0.2)
            if self._process is not None and self._process.poll() is not None:
                told = f"bluetoothd ended by itself, status {self._process.returncode}"
                with self._crashes.open("a") as crashes:
                    crashes.write(f"{told}\n")
                CONSOLE.write_text(f"test bed: {told}; it is started again\n")
                self._start(self._flags)

    async def stop(self, signal_number: int) -> None:
        if self._process is not None and self.running:
            process, self._process = self._process, None
            process.send_signal(signal_number)
            await asyncio.to_thread(process.wait, 10)

    async def kill(self) -> None:
        await self.stop(signal.SIGKILL)

    async def terminate(self) -> None:
        await self.stop(signal.SIGTERM)

    def pause(self, paused: bool) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP if paused else signal.SIGCONT)

    async def until_it_waits(self, timeout: float = 20) -> None:
        """Returns once the program waits for what comes next: what it was in the midst of, it has done."""
        deadline = time.monotonic() + timeout
        while self._process is not None and _state(self._process.pid) in ("R", "D", "T"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"bluetoothd has been busy for {timeout} s")
            await asyncio.sleep(0.005)

    async def lose(self, kill_bus: Callable[[], None]) -> None:
        """Ends the bus, and returns when the program, which ends with it, has ended: that is no crash."""
        process, self._process = self._process, None
        self._bus = None
        kill_bus()
        if process is not None:
            await asyncio.to_thread(process.wait, 10)

    async def restart(self) -> None:
        await self.terminate()
        self.spawn()

    # What the bus knows

    async def ready(self, adapters: list[int], timeout: float = 20) -> None:
        """Returns once these adapters are on the bus and powered."""

        async def poll() -> None:
            for index in adapters:
                while not await self._powered(index):
                    await asyncio.sleep(0.02)

        try:
            await asyncio.wait_for(poll(), timeout)
        except TimeoutError:
            raise TimeoutError(f"bluetoothd has not powered adapters {adapters} after {timeout} s") from None

    async def _powered(self, index: int) -> bool:
        if self._bus is None:
            self._bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
        request = Message(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner", signature="s", body=["org.bluez"]
        )
        reply = await self._bus.call(request)
        if reply is None or not reply.body[0]:
            return False
        reply = await self._bus.call(
            Message(
                destination="org.bluez",
                path=f"/org/bluez/hci{index}",
                interface="org.freedesktop.DBus.Properties",
                member="Get",
                signature="ss",
                body=["org.bluez.Adapter1", "Powered"],
            )
        )
        return reply is not None and reply.message_type == MessageType.METHOD_RETURN and reply.body[0].value


def _state(pid: int) -> str:
    """The state of a process as the kernel tells it: R runs or is about to, D waits for a device, T is paused, S waits. The
    name before it may hold spaces."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"

# SPDX-License-Identifier: MIT

"""`bluecap doctor` with each of its faults provoked in the test bed: what it finds, the line that mends it, its status.

Wherever the bed can do it, the line is then followed, and the next run has to find that all is well."""
from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from programs import check, finish, start

sys.path.insert(0, os.environ["BED_DIR"])
from tools.control import Control  # noqa: E402

TOOL = sys.argv[1]
SOCKET = Path("/run/dbus/system_bus_socket")
POLICY = Path("/etc/dbus-1/system.d/bluetooth.conf")
DAEMON = Path("/usr/libexec/bluetooth/bluetoothd")
CONTAINER = Path("/.dockerenv")
# Where anybody may run it: the build's folder may be closed to other users.
OPEN_TOOL = Path("/run/bluecap")
NO_RADIO, NOT_AUTHORIZED = 69, 77
RESTART = "sudo systemctl restart bluetooth"
ENABLE = "sudo systemctl enable --now bluetooth"
MOUNT = f"docker run -v {SOCKET}:{SOCKET} …"


@dataclass
class Fault:
    """What doctor has to say of a fault: the check that finds it, a part of what it finds, the line that mends it."""

    what: str
    check: str
    finding: str
    remedy: str
    status: int = NO_RADIO
    # What to run doctor by, and with.
    by: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)

    async def is_found(self) -> None:
        program = [*self.by, str(OPEN_TOOL) if self.by else TOOL, "doctor", *self.options]
        status, lines, errors = await finish(await start(*program, "--json"), 60)
        report = json.loads(lines[0]) if lines else {"checks": []}
        faults = [each for each in report["checks"] if each["status"] == "fault"]
        check(
            f"{self.what}: doctor --json finds it and nothing else, and ends with {self.status}",
            status == self.status and report["healthy"] is False and [each["check"] for each in faults] == [self.check]
            and self.finding in faults[0]["finding"] and faults[0]["remedy"] == self.remedy,
            (status, faults, errors))
        status, lines, errors = await finish(await start(*program), 60)
        text = " ".join(" ".join(lines).split())
        check(
            f"{self.what}: doctor says it, and the line that mends it",
            status == self.status and sum(line.startswith("FAULT") for line in lines) == 1
            and f"FAULT {self.check} " in text and self.finding in text
            and f"→ {self.remedy}" in (line.strip() for line in lines)
            and errors == f"bluecap: found 1 fault: {self.check}\n",
            (status, lines, errors))


async def is_well(how: str, *by: str) -> None:
    status, lines, errors = await finish(await start(*by, str(OPEN_TOOL) if by else TOOL, "doctor"), 60)
    check(f"{how}: doctor finds that all is well", status == 0 and all(line.startswith("ok ") for line in lines),
          (status, lines, errors))


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def install(version: str) -> None:
    """A file that says it is bluetoothd of that version: the bed's own is in no folder of the system."""
    DAEMON.parent.mkdir(parents=True, exist_ok=True)
    DAEMON.write_text(f"#!/bin/sh\necho {version}\n")
    DAEMON.chmod(0o755)


def power(on: bool) -> None:
    run("busctl", "set-property", "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "Powered", "b", str(on).lower())


async def radio(peer: Control) -> None:
    power(False)
    await Fault("the radio is off", "power", "the radio is off", "bluetoothctl power on").is_found()
    # The guest's kernel has no rfkill: files stand where it would show its switch. bluetoothd says that the radio is off,
    # as it does of one that is blocked.
    switch = Path("/run/class/rfkill/rfkill0")
    switch.mkdir(parents=True)
    for name in Path("/sys/class").iterdir():
        switch.parent.parent.joinpath(name.name).symlink_to(f"/run/real-class/{name.name}")
    Path("/run/real-class").mkdir()
    run("mount", "--bind", "/sys/class", "/run/real-class")
    run("mount", "--bind", "/run/class", "/sys/class")
    for name, value in (("type", "bluetooth"), ("name", "hci0"), ("soft", "1"), ("hard", "0")):
        switch.joinpath(name).write_text(f"{value}\n")
    await Fault("the radio is blocked by software", "rfkill", "hci0 is blocked by software",
                "sudo rfkill unblock bluetooth").is_found()
    switch.joinpath("hard").write_text("1\n")
    await Fault("the radio is blocked by a switch", "rfkill", "hci0 is blocked by a switch or key of the machine",
                "turn the machine's wireless switch on, then: rfkill list bluetooth").is_found()
    run("umount", "/sys/class")
    power(True)
    await is_well("switched on")


async def adapter(peer: Control) -> None:
    await peer("adapter", present=False)
    await Fault("there is no adapter", "adapter", "the kernel has none: plug one in, or load its driver",
                "sudo modprobe btusb && ls /sys/class/bluetooth").is_found()
    await peer("adapter", present=True)
    await is_well("plugged in")
    await Fault("there is another adapter", "adapter", "though the kernel has hci0",
                f"{RESTART} && bluetoothctl list", options=["--adapter", "hci7"]).is_found()


async def daemon(peer: Control) -> None:
    # The guest's root is the host's, which may be a container; the guest is none.
    CONTAINER.unlink(missing_ok=True)
    await peer("pause_daemon", paused=True)
    await Fault("bluetoothd hangs", "bluetoothd", "it runs, and has not answered for 5 seconds", RESTART).is_found()
    await peer("pause_daemon", paused=False)
    await is_well("woken up")
    await peer("stop_daemon")
    DAEMON.unlink(missing_ok=True)
    await Fault("bluetoothd is not there", "bluetoothd", "BlueZ is not installed", "sudo apt-get install -y bluez").is_found()
    install("5.66")
    await Fault("bluetoothd does not run", "bluetoothd", "it is installed (version 5.66) and not running", ENABLE).is_found()
    CONTAINER.touch()
    await Fault("bluetoothd does not run beside a container", "bluetoothd",
                "it is not running on the bus of this container (docker): start it on the host", ENABLE).is_found()
    CONTAINER.unlink()
    await peer("start_daemon")
    await is_well("bluetoothd started")
    install("5.50")
    await Fault("bluetoothd is too old", "bluetoothd", "version 5.50 is too old: 5.55 or later is needed",
                "sudo apt-get install -y bluez").is_found()
    DAEMON.unlink()


async def permission(peer: Control) -> None:
    OPEN_TOOL.touch()
    run("mount", "--bind", TOOL, str(OPEN_TOOL))
    user = ["env", "HOME=/nonexistent", "setpriv", "--reuid=nobody", "--regid=nogroup", "--init-groups"]
    await is_well("as an ordinary user whom the policy lets", *user)
    if subprocess.run(["getent", "group", "bluetooth"], stdout=subprocess.DEVNULL).returncode:
        run("groupadd", "--system", "bluetooth")
    text = POLICY.read_text()
    allowed = '<policy context="default">\n    <allow send_destination="org.bluez"/>'
    POLICY.write_text(text.replace(allowed, allowed.replace("allow", "deny")))
    reload = ["busctl", "call", "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ReloadConfig"]
    run(*reload)
    fault = Fault("an ordinary user may not", "permission", "the bus does not let this user use Bluetooth",
                  'sudo usermod -aG bluetooth "$USER"', NOT_AUTHORIZED, user)
    await fault.is_found()
    # The guest's kernel has no user namespaces; `DoctorTests` has what doctor says in one.
    run("usermod", "-aG", "bluetooth", "nobody")
    await is_well("in the group bluetooth", *user)
    POLICY.write_text(text)
    run(*reload)

    mode = stat.S_IMODE(SOCKET.stat().st_mode)
    SOCKET.chmod(0o600)
    await Fault("an ordinary user may not open the bus", "bus", f"this user may not open {SOCKET}",
                f"sudo chmod 666 {SOCKET}", NOT_AUTHORIZED, user).is_found()
    status, _, errors = await finish(await start(*user, str(OPEN_TOOL), "scan", "--duration", "1"), 60)
    check("a scan of that user ends with the same status", status == NOT_AUTHORIZED, (status, errors))
    SOCKET.chmod(mode)
    await is_well("with the bus opened", *user)


async def bus(peer: Control) -> None:
    CONTAINER.unlink(missing_ok=True)
    await peer("kill_bus")
    await Fault("nothing listens at the bus", "bus", f"nothing listens at {SOCKET}", "sudo systemctl restart dbus").is_found()
    SOCKET.unlink()
    await Fault("the bus is not there", "bus", f"there is no system message bus at {SOCKET}",
                "sudo apt-get install -y dbus && sudo systemctl start dbus").is_found()
    CONTAINER.touch()
    await Fault("the bus is not in a container", "bus", f"there is no {SOCKET} in this container (docker): mount the host's",
                MOUNT).is_found()
    CONTAINER.unlink()
    await peer("start_bus")
    await is_well("with a bus")
    # A socket of another type.
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind("/run/datagrams")
        await Fault("the bus fails in another way", "bus", f"connecting to /run/datagrams failed with errno {errno.EPROTOTYPE}",
                    "sudo systemctl restart dbus", by=["env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/datagrams"]).is_found()

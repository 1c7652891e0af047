# SPDX-License-Identifier: MIT

"""notify_socket.py PROGRAM…: runs a service as systemd would with Type=notify and WatchdogSec=, and stops it with SIGTERM.

It has to say READY=1, then WATCHDOG=1 again and again, then STOPPING=1, and to end with 0. Both kinds of socket name are tried:
a file, and an abstract name. Then it is killed with SIGKILL, and has to come up again with what it left in its state folder.
"""
from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator

PROGRAM = sys.argv[1:]
INTERVAL_US = 400_000


def messages(listener: socket.socket) -> Iterator[str]:
    """Every assignment that the service sends; fails when none comes in the time of many watchdog intervals."""
    while True:
        yield from listener.recv(4096).decode().split("\n")


def start(address: str, folder: str) -> tuple[subprocess.Popen[bytes], Iterator[str]]:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.settimeout(30)
    listener.bind(address.replace("@", "\0", 1))
    environment = os.environ | {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": str(INTERVAL_US), "STATE_DIRECTORY": folder}
    return subprocess.Popen(PROGRAM, env=environment, stdout=subprocess.DEVNULL), messages(listener)


def expect(heard: Iterator[str], wanted: str, *, before: str = "none") -> None:
    """Waits for a message that begins with `wanted`, before any that begins with `before`."""
    for message in heard:
        assert not message.startswith(before), f"{message} came before {wanted}"
        if message.startswith(wanted):
            print(f"ok     {message}", flush=True)
            return


with tempfile.TemporaryDirectory() as folder:
    for address in (f"{folder}/notify", f"@bluecap-{os.getpid()}"):
        print(f"at {'an abstract name' if address[0] == '@' else 'a file'}", flush=True)
        service, heard = start(address, folder)
        expect(heard, "READY=1", before="WATCHDOG=1")
        for _ in range(3):
            expect(heard, "WATCHDOG=1", before="STOPPING=1")
        expect(heard, "STATUS=2 sensors", before="STOPPING=1")
        service.send_signal(signal.SIGTERM)
        expect(heard, "STOPPING=1")
        assert service.wait(30) == 0, f"ended with {service.returncode}"
        print("ok     ended with 0", flush=True)

    service, heard = start(f"{folder}/killed", folder)
    expect(heard, "READY=1")
    service.kill()
    service.wait(30)
    service, heard = start(f"{folder}/again", folder)
    expect(heard, "READY=1")
    expect(heard, "STATUS=2 sensors", before="STATUS=0")
    service.terminate()
    assert service.wait(30) == 0, f"ended with {service.returncode}"
    print("ok     starts again after SIGKILL, with what it knew", flush=True)

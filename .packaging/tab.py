#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# tab.py SCRIPT TEXT WANTED: types a text and a tab into an interactive bash that has loaded a completion script, and tells whether
# the line then has what is wanted.
import os
import pty
import select
import sys
import time

script, text, wanted = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    os.environ.update(PS1="> ", TERM="dumb", INPUTRC="/dev/null")
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
seen = ""


def shows(part, limit=20):
    """Reads until a part is there; whether it came in time."""
    global seen
    end = time.monotonic() + limit
    while part not in seen and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 4096).decode(errors="replace")
    return part in seen


os.write(terminal, f"source {script} && echo lo''aded\n".encode())
found = shows("loaded")
seen = ""
os.write(terminal, (text + "\t").encode())
found = found and shows(wanted)
os.close(terminal)
if not found:
    print(f"bash completes '{text}' to: {seen!r}")
sys.exit(not found)

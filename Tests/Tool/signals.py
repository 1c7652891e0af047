#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ends the tool and the examples in each way in which systems end programs, and looks whether they ended in order.

usage: Tests/Tool/signals.py BLUECAP EXAMPLES [--times COUNT] [--jobs COUNT] [--beside LOOPS] [--only TEXT]

EXAMPLES is a folder with the programs of Examples/. A recording has to be in its file, an emulation has to report that it
stopped, and an example has to return from its `main`. Each way is tried as often as COUNT says (2), some of them at once
(--jobs, 4), with LOOPS busy loops beside them (none); --only takes those whose names contain a text. The exit status is 0
when all ended in order. It needs to be root, for a namespace of processes.
"""
from __future__ import annotations

import argparse
import ctypes
import fcntl
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Protocol

LIMIT = 300  # seconds that a program has to begin or to end: for one that hangs, on a busy machine
TURN = 0.01
SUBREAPER = 36  # prctl(2)
FULL = 4096
LONG = ("--duration", "3600")


@dataclass
class Subject:
    """A program, with the text that shows that it is at work."""

    name: str
    command: tuple[str, ...]
    ready: str
    is_tool: bool = True
    # Whether standard output is its terminal where it has one. Where it is not, its last lines can be read.
    is_shown: bool = True
    # Whether it waits for a reader of its output at its end.
    can_hang: bool = True


def subjects(tool: str, examples: str) -> list[Subject]:
    """The programs; `FILE` stands for a file in the folder of a run."""

    def example(name: str, ready: str, *arguments: str, can_hang: bool = True) -> Subject:
        command = (os.path.join(examples, name), "--virtual", *arguments)
        return Subject(name, command, ready, is_tool=False, can_hang=can_hang)

    record = (tool, "record", "Heart Strap", *LONG, "--backend", "virtual", "-o")
    emulate = (tool, "emulate", "sensortag", *LONG, "--backend", "virtual", "--json")
    return [
        Subject("record", (*record, "FILE"), "listening to", can_hang=False),
        Subject("record to a pipe", (*record, "-"), "listening to", is_shown=False),
        Subject("emulate", emulate, '"event":"sample"', is_shown=False, can_hang=False),
        example("Daemon", "mean ", "--stay"),
        example("Logger", ",Cellar,", can_hang=False),
        example("UARTBridge", "connected to", can_hang=False),
    ]


@dataclass
class Run:
    """A program at work, and what is known of it."""

    subject: Subject
    folder: str
    pid: int  # of the program itself
    child: int  # of the process whose status is asked for
    leader: int = -1  # the terminal
    inputs: tuple[int, ...] = ()
    has_ended: bool = False
    shown: bytearray = field(default_factory=bytearray)

    @property
    def file(self) -> str:
        return os.path.join(self.folder, "file.json")

    def written(self) -> str:
        """The text in the file that has its output, where that is not on the terminal."""
        with open(os.path.join(self.folder, "output"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def output(self) -> str:
        """All that it has written so far."""
        if self.leader >= 0:
            try:
                while more := os.read(self.leader, 65536):
                    self.shown += more
            except OSError:
                pass
        return self.written() + self.shown.decode(errors="replace")

    def wait(self, what: str, is_met: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT
        while not is_met():
            if time.monotonic() > end:
                raise AssertionError(f"{what} not within {LIMIT} s: {self.output()[-300:]!r}")
            time.sleep(TURN)

    def close_terminal(self) -> None:
        os.close(self.leader)
        self.leader = -1

    def status(self) -> int:
        """Waits for the end; the status is negative for a signal."""
        statuses: list[int] = []

        def has_ended() -> bool:
            try:
                pid, status = os.waitpid(self.child, os.WNOHANG)
            except ChildProcessError:
                # A shell that has not ended yet still has it, or has asked for its status.
                if os.path.exists(f"/proc/{self.child}"):
                    return False
                raise
            if pid:
                self.has_ended = True
                statuses.append(os.waitstatus_to_exitcode(status))
            self.output()
            return bool(pid)

        self.wait("its end", has_ended)
        return statuses[0]

    def clear(self) -> None:
        """Kills what is left of it."""
        for descriptor in (*self.inputs, *([self.leader] if self.leader >= 0 else [])):
            os.close(descriptor)
        for pid in set() if self.has_ended else {self.pid, self.child}:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass


class Start(Protocol):
    def __call__(self, subject: Subject, folder: str) -> Run: ...


def words(subject: Subject, folder: str) -> list[str]:
    return [os.path.join(folder, "file.json") if word == "FILE" else word for word in subject.command]


def environment(folder: str) -> dict[str, str]:
    return {**os.environ, "BLUECAP_CONFIG": "/nonexistent", "TERM": "xterm-256color", "NO_COLOR": "", "STATE_DIRECTORY": folder}


def spawned(subject: Subject, folder: str, *before: str, terminal: bool = False, command: list[str] | None = None) -> Run:
    """Starts a program in a session of its own, whose terminal it may have."""
    # An input that stays open and is empty.
    leader, follower = pty.openpty() if terminal else (-1, -1)
    inputs = () if terminal else os.pipe()
    with open(os.path.join(folder, "output"), "wb") as output:
        process = subprocess.Popen(
            command or [*before, *words(subject, folder)], env=environment(folder), stdin=follower if terminal else inputs[0],
            stdout=follower if terminal and subject.is_shown else output, stderr=follower if terminal else output,
            start_new_session=True, preexec_fn=lambda: begin(terminal))
    if terminal:
        os.close(follower)
        os.set_blocking(leader, False)
    return Run(subject, folder, process.pid, process.pid, leader, inputs)


def begin(terminal: bool) -> None:
    """In the child: gives it its terminal, and the signals their default actions."""
    if terminal:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_DFL)


def child_of(pid: int) -> int:
    """The first child of a process; 0 if there is none."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return int((file.read().split() or ["0"])[0])
    except OSError:
        return 0


def under(*before: str) -> Start:
    """Starts a program as the child of another one."""

    def start(subject: Subject, folder: str) -> Run:
        run = spawned(subject, folder, *before)
        run.wait("its start", lambda: child_of(run.child) > 0)
        run.pid = child_of(run.child)
        return run

    return start


def alone(subject: Subject, folder: str) -> Run:
    return spawned(subject, folder)


def on_terminal(subject: Subject, folder: str) -> Run:
    return spawned(subject, folder, terminal=True)


def in_shell(subject: Subject, folder: str) -> Run:
    """Types a command into an interactive shell. This process gets the child that the shell leaves behind."""
    run = spawned(subject, folder, terminal=True, command=["bash", "--norc", "--noprofile", "--noediting", "-is"])
    pid = os.path.join(folder, "pid")
    quoted = " ".join(f"'{word}'" for word in words(subject, folder))
    aside = "" if subject.is_shown else f" > {folder}/output"
    os.write(run.leader, f"sh -c 'echo $$ > {pid}.new; mv {pid}.new {pid}; exec \"$@\"' sh {quoted}{aside}\n".encode())
    run.wait("its start", lambda: os.path.exists(pid))
    with open(pid, encoding="ascii") as file:
        run.pid = run.child = int(file.read())
    return run


def send(run: Run, *numbers: int) -> None:
    """Sends signals to a program and its children, one right after the other."""
    for number in numbers:
        os.killpg(run.pid, number)


def type_twice(run: Run) -> None:
    for _ in range(2):
        os.write(run.leader, b"\x03")
        time.sleep(0.005)


@dataclass
class Way:
    """A way to end a program, with the status of the process that is looked at: of the tool, and of an example."""

    name: str
    start: Start
    end: Callable[[Run], None]
    tool: tuple[int, ...]
    example: int = 0


def stop(*numbers: int) -> Callable[[Run], None]:
    return lambda run: send(run, *numbers)


def time_is_up(run: Run) -> None:
    """As when the time of `timeout` is up, without a wait for that."""
    os.kill(run.child, signal.SIGALRM)


WAYS = [
    Way("timeout", under("timeout", "3600"), time_is_up, (124,), 124),
    Way("timeout -s INT", under("timeout", "-s", "INT", "3600"), time_is_up, (124,), 124),
    Way("timeout --foreground", under("timeout", "--foreground", "3600"), time_is_up, (124,), 124),
    Way("Ctrl-C twice within 10 ms", on_terminal, type_twice, (-signal.SIGINT,)),
    Way("systemctl stop", alone, stop(signal.SIGTERM, signal.SIGCONT), (-signal.SIGTERM,)),
    # Of signals that wait the kernel delivers the lowest first.
    Way("systemctl stop with SendSIGHUP", alone, stop(signal.SIGTERM, signal.SIGCONT, signal.SIGHUP), (-signal.SIGTERM, -signal.SIGHUP)),
    Way("a closed terminal", on_terminal, Run.close_terminal, (-signal.SIGHUP,)),
    Way("a closed terminal with a shell", in_shell, Run.close_terminal, (-signal.SIGHUP,)),
    Way("docker stop", under("unshare", "--pid", "--fork"), lambda run: os.kill(run.pid, signal.SIGTERM), (128 + signal.SIGTERM,)),
]


def disorder(run: Run, way: Way, status: int) -> str | None:
    """The sign that a program did not end in order; None if it did."""
    output = run.output()
    if status not in (way.tool if run.subject.is_tool else (way.example,)):
        return f"ended with {status}"
    if run.subject.name == "record":
        with open(run.file, encoding="utf-8") as file:
            services = json.load(file)["services"]
        return None if services else "no service is recorded"
    if run.subject.name == "record to a pipe":
        return None if '"services"' in output else "nothing is recorded"
    if run.subject.name == "emulate":
        last = run.written().strip().splitlines()[-1]
        return None if json.loads(last)["event"] == "stopped" else f"its last event is {last}"
    if run.subject.name == "Daemon" and way.start not in (on_terminal, in_shell):
        return None if "\nstopped\n" in output else "it did not say that it stopped"
    return None


@contextmanager
def loops(count: int) -> Iterator[None]:
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in busy:
            loop.kill()
            loop.wait()


def ended_in_order(subject: Subject, way: Way) -> str | None:
    """The sign that a program did not end in order, when it was ended in this way; None if it did."""
    # A shell that ends with its terminal may take the status with it, and then there is nothing to judge: it is asked anew.
    for _ in range(20 if way.start is in_shell else 1):
        try:
            return disorder_of(subject, way)
        except ChildProcessError:
            pass
    return "its status was lost"


def disorder_of(subject: Subject, way: Way) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        run = None
        try:
            run = way.start(subject, folder)
            run.wait("its work", lambda: subject.ready in run.output())
            way.end(run)
            return disorder(run, way, run.status())
        except ChildProcessError:
            raise
        except (AssertionError, OSError, ValueError, LookupError) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            if run:
                run.clear()


def ended_at_once(subject: Subject) -> str | None:
    """Types Ctrl-C, and again after a second, while a program cannot write the last of its output."""
    with tempfile.TemporaryDirectory() as folder:
        run = None
        reader, writer = os.pipe()
        try:
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, FULL)
            leader, follower = pty.openpty()
            is_apart = subject.name == "record to a pipe"
            with open(os.path.join(folder, "output"), "wb"):
                pass
            process = subprocess.Popen(
                words(subject, folder), env=environment(folder), stdin=follower, stdout=writer,
                stderr=follower, start_new_session=True, preexec_fn=lambda: begin(True))
            os.close(follower)
            os.set_blocking(leader, False)
            run = Run(subject, folder, process.pid, process.pid, leader)
            os.set_blocking(reader, False)

            def is_ready() -> bool:
                try:
                    run.shown += b"" if is_apart else os.read(reader, FULL)
                except BlockingIOError:
                    pass
                return subject.ready in run.output()

            run.wait("its work", is_ready)
            # The description is shared with the program, whose writes have to wait.
            full = os.open(f"/proc/self/fd/{writer}", os.O_WRONLY | os.O_NONBLOCK)
            try:
                while True:
                    os.write(full, b" ")
            except BlockingIOError:
                pass
            os.close(full)
            os.write(leader, b"\x03")
            time.sleep(1)
            if os.waitpid(run.child, os.WNOHANG)[0]:
                return "ended by the first"
            begun = time.monotonic()
            os.write(leader, b"\x03")
            status, took = run.status(), time.monotonic() - begun
            if status != -signal.SIGINT:
                return f"ended with {status}"
            return f"ended after {took:.1f} s" if "without waiting" in run.output() else None
        except (AssertionError, OSError) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            os.close(reader)
            os.close(writer)
            if run:
                run.clear()


ROWS: list[tuple[str, Callable[[], str | None]]] = []


def rows(tool: str, examples: str) -> Iterator[tuple[str, Callable[[], str | None]]]:
    """Each program with each way, and what tries it."""
    for subject in subjects(tool, examples):
        for way in WAYS:
            yield f"{subject.name}, {way.name}", partial(ended_in_order, subject, way)
        if subject.can_hang:
            yield f"{subject.name}, Ctrl-C and again after a second", partial(ended_at_once, subject)


def adopt() -> None:
    """The children of a shell that has ended become children of this process, which asks for their status."""
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def attempt(row: int) -> str | None:
    return ROWS[row][1]()


def main() -> int:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").split("usage: ")[1].split("\n")[0])
    parser.add_argument("tool")
    parser.add_argument("examples")
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--beside", type=int, default=0)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    found = rows(os.path.abspath(arguments.tool), os.path.abspath(arguments.examples))
    ROWS.extend(row for row in found if arguments.only in row[0])
    times, passed, failed = arguments.times, 0, 0
    # Processes, since each asks for the children that it has, and forks, by which each has the rows.
    with loops(arguments.beside), get_context("fork").Pool(arguments.jobs, adopt) as pool:
        results = pool.imap(attempt, (row for row in range(len(ROWS)) for _ in range(times)))
        for name, _ in ROWS:
            wrong = [reason for _ in range(times) if (reason := next(results))]
            passed, failed = passed + times - len(wrong), failed + len(wrong)
            word = "FAILED" if wrong else "ok    "
            print(f"{word} {name}: {times - len(wrong)} of {times}", *sorted(set(wrong)), sep="\n       ", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not ROWS else 0


sys.exit(main())

# SPDX-License-Identifier: MIT

"""What has to be there before a row can run: our client, the peer, and the rivals."""

import os
import shlex
import shutil
import subprocess
import sys

from row import DELEGATE

BLEAK, DBUS_FAST = "3.1.0", "5.2.0"
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = {
    "libdbus": ("dbus-1", "libdbus-1-dev"), "sd-bus": ("libsystemd", "libsystemd-dev"),
    "smallest_gateway": ("dbus-1 libmosquitto", "libdbus-1-dev libmosquitto-dev")}


def say(message):
    print(f"pipeline: {message}", file=sys.stderr, flush=True)


def stop(message):
    say(message)
    sys.exit(2)


def call(command, **options):
    result = subprocess.run(command, check=False, **options)
    if result.returncode != 0:
        stop(f"status {result.returncode} of {' '.join(command)}")
    return result


def need(*programs):
    """Ends the program unless the programs are in PATH, each given with its Debian package."""
    for program, package in programs:
        if not shutil.which(program):
            stop(f"{program} is missing. On Debian or Ubuntu: apt-get install {package}")


def build_client(scratch):
    """Builds our own client in release mode and returns its path."""
    command = ["swift", "build", "-c", "release", "--package-path", HERE, "--scratch-path", scratch]
    say("building in release mode")
    call([*command, "--product", "Pipeline"], stdout=sys.stderr)
    shown = call([*command, "--show-bin-path"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return os.path.join(shown.stdout.decode().strip(), "Pipeline")


def build_notified_values(scratch):
    """Builds our program over the stand-in for CoreBluetooth, which no other build may have, and returns its path."""
    product, root = "bluecap-notified-values", os.path.dirname(HERE)
    command = ["swift", "build", "-c", "release", "--package-path", root, "--scratch-path", scratch]
    variables = {**os.environ, "BLUECAP_COREBLUETOOTH_STANDIN": "1"}
    say("building the stand-in for CoreBluetooth in release mode")
    call([*command, "--product", product], stdout=sys.stderr, env=variables)
    shown = call([*command, "--show-bin-path"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=variables)
    return os.path.join(shown.stdout.decode().strip(), product)


def build_peer(folder):
    sources = os.path.join(HERE, "Bluetoothd")
    return compile_c("bluetoothd", [os.path.join(sources, name) for name in sorted(os.listdir(sources))], [], folder)


def build_rival(name, folder):
    """Builds a client in C, of which only the library's own header is not in the package."""
    module, package = LIBRARIES[name]
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", module], capture_output=True, text=True, check=False)
    if flags.returncode != 0:
        stop(f"the headers of {name} are missing. On Debian or Ubuntu: apt-get install {package} pkg-config")
    return compile_c(name, [os.path.join(HERE, "Rivals", f"{name}.c")], shlex.split(flags.stdout), folder)


def compile_c(name, files, flags, folder):
    program = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    call(["cc", "-O2", "-Wall", "-o", program, *(file for file in files if file.endswith(".c")), *flags])
    return program


def python_environment():
    """The interpreter of an environment of its own in the user's cache, with bleak and dbus-fast from PyPI."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(cache, "bluecap", f"venv-bleak-{BLEAK}-dbus-fast-{DBUS_FAST}")
    complete, python = os.path.join(folder, "complete"), os.path.join(folder, "bin", "python")
    if os.path.exists(complete):
        return python
    system = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    if subprocess.run([system, "-c", "import ensurepip"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        stop("venv is missing. On Debian or Ubuntu: apt-get install python3-venv")
    say(f"installing bleak {BLEAK} and dbus-fast {DBUS_FAST} into {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    call([system, "-m", "venv", folder])
    wanted = [f"bleak=={BLEAK}", f"dbus-fast=={DBUS_FAST}"]
    call([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *wanted], stdout=sys.stderr)
    with open(complete, "w", encoding="ascii"):
        pass
    return python


def clients(scratch, names):
    """The commands of the clients that are wanted, by their names."""
    made = {}
    rivals = os.path.join(scratch, "rivals")
    for name in names:
        if name in ("loop", "plain"):
            made[name] = made.get("loop") or made.get("plain") or [build_client(scratch)]
        elif name == DELEGATE:
            made[name] = [build_notified_values(os.path.join(scratch, "stand-in"))]
        elif name in LIBRARIES:
            made[name] = [build_rival(name, rivals)]
        else:
            made[name] = [python_environment(), os.path.join(HERE, "Rivals", f"{name.replace('-', '_')}_client.py")]
    return made

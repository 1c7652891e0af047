# SPDX-License-Identifier: MIT

"""How much a program takes on disk."""

import os
import subprocess
import tempfile


def sizes(clients):
    """Megabytes by the names of clients."""
    found = {}
    if "plain" in clients:
        found["plain"] = program(clients["plain"][0]) / 1e6
    if "bleak" in clients:
        found["bleak"] = packages(clients["bleak"][0]) / 1e6
    return found


def program(path):
    """A program without symbols and debugging information, and the Swift libraries that it loads."""
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "program")
        subprocess.run(["strip", "-o", stripped, path], check=True)
        loaded = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout.split()
        libraries = {word for word in loaded if "/swift/" in word and os.path.isfile(word)}
        return os.path.getsize(stripped) + sum(os.path.getsize(library) for library in libraries)


def packages(python):
    """The packages in an environment, without the interpreter and without what installs packages."""
    code = "import sysconfig; print(sysconfig.get_paths()['platlib'])"
    root = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    total = 0
    for folder, _, files in os.walk(root):
        if not os.path.relpath(folder, root).startswith(("pip", "setuptools", "pkg_resources", "_distutils")):
            total += sum(os.path.getsize(os.path.join(folder, file)) for file in files)
    return total

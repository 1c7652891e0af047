# SPDX-License-Identifier: MIT
"""Apple's platforms on Linux: the flags of a platform, its standard library, its stubs, and a call of the compiler.

The compiler of the toolchain for Linux knows Apple's targets and imports Objective-C. What it lacks is a standard library for
them, which is made here from the toolchain's own textual interfaces (interfaces.py), and the modules of the system, of which
Stubs/ has as much as the package uses.
"""

import json
import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path

from interfaces import INTERFACES, adapted

HERE = Path(__file__).resolve().parent
STUBS = HERE / "Stubs"
# In the order of their imports.
OVERLAYS = ("ObjectiveC", "Darwin", "Dispatch", "Foundation", "Synchronization", "Logging")
# SwiftPM's name, Apple's name, and that of a target triple.
NAMES = {
    "macos": ("macOS", "macosx"),
    "ios": ("iOS", "ios"),
    "tvos": ("tvOS", "tvos"),
    "watchos": ("watchOS", "watchos"),
    "visionos": ("visionOS", "xros"),
}
# Availability on visionOS is that of iOS, by a map that its SDK has.
SDK_SETTINGS = """{"CanonicalName": "xros26.0", "Version": "26.0", "MaximumDeploymentTarget": "26.99", "VersionMap": {
    "iOS_visionOS": {"13.0": "1.0", "16.0": "1.0", "17.0": "1.0", "18.0": "2.0", "26.0": "26.0"},
    "iOS_xrOS": {"13.0": "1.0", "16.0": "1.0", "17.0": "1.0", "18.0": "2.0", "26.0": "26.0"}}}
"""


class Failure(Exception):
    """Says why nothing can be shown."""


class Outcome:
    """The end of one call of the compiler."""

    def __init__(self, status: int, output: str, seconds: float):
        self.status, self.output, self.seconds = status, output, seconds
        lines = re.findall(r"^.*?(?:error|warning): .*$", output, re.MULTILINE)
        self.diagnostics = list(dict.fromkeys(line for line in lines if not line.startswith((" ", "|"))))
        self.crashed = status < 0 or status > 1 or "Stack dump:" in output

    @property
    def is_good(self) -> bool:
        return self.status == 0 and not self.diagnostics and not self.crashed

    def why(self) -> str:
        """What to read first."""
        if self.crashed:
            stage = re.findall(r"^\d+\.\t.*$", self.output, re.MULTILINE)
            return "\n".join([f"the compiler crashed (status {self.status})", *self.diagnostics[:4], *stage[-4:]])
        return "\n".join(self.diagnostics[:20]) or f"status {self.status}\n{self.output[-2000:]}"


class Toolchain:
    """The compiler and its textual interfaces."""

    def __init__(self):
        compiler = shutil.which("swiftc")
        if not compiler:
            raise Failure("there is no swiftc on the PATH")
        self.root = Path(compiler).resolve().parent.parent
        self.frontend = self.tool("swift-frontend")
        printed = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
        self.version = (printed.stdout + printed.stderr).strip().split("\n")[0]

    def run(self, arguments: list[str]) -> Outcome:
        """Runs the compiler."""
        began = time.monotonic()
        ended = subprocess.run(
            [str(self.frontend), *arguments, "-diagnostic-style", "llvm"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        return Outcome(ended.returncode, ended.stdout, time.monotonic() - began)

    def tool(self, name: str) -> Path:
        path = self.root / "bin" / name
        if not path.exists():
            raise Failure(f"the toolchain has no {name}")
        return path

    def interface(self, module: str) -> str:
        folder = self.root / "lib/swift/linux" / f"{module}.swiftmodule"
        found = sorted(folder.glob("*-unknown-linux-gnu.swiftinterface"))
        if not found:
            raise Failure(
                f"{self.version} has no textual interface of {module} in {folder}: without those of the standard library nothing "
                "can be compiled for Apple's platforms")
        return found[0].read_text(encoding="utf-8")


def written(path: Path, text: str):
    """Writes a file, unless it is the same already: the compiler builds again whatever is newer than its module."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Platform:
    """One of the five platforms, with a folder of its own."""

    resources = threading.Lock()

    def __init__(self, key: str, minimum: str, toolchain: Toolchain, scratch: Path):
        self.name, system = NAMES[key]
        self.key, self.minimum, self.toolchain, self.scratch = key, minimum, toolchain, scratch
        self.target = f"arm64-apple-{system}{minimum}"
        self.folder = scratch / key
        self.modules = self.folder / "modules"
        resources = scratch / "resources"
        self.flags = [
            "-target", self.target, "-resource-dir", str(resources), "-module-cache-path", str(scratch / "cache"),
            "-I", str(self.modules), "-I", str(resources / "shims"),
            "-plugin-path", str(toolchain.root / "lib/swift/host/plugins"), "-parse-as-library",
        ]
        for module in sorted(path.name for path in STUBS.iterdir() if (path / "module.modulemap").exists()):
            self.flags += ["-I", str(STUBS / module)]
        self.flags += ["-I", str(scratch / "CoreBluetooth")]
        if key == "visionos":
            self.flags += ["-sdk", str(self.folder / "sdk")]

    def prepare(self):
        """Makes the standard library and the modules of the stubs, a part at a time."""
        self.link_resources()
        self.modules.mkdir(parents=True, exist_ok=True)
        if self.key == "visionos":
            written(self.folder / "sdk/SDKSettings.json", SDK_SETTINGS)
        for module in INTERFACES:
            self.build(module)
            yield
        for module in OVERLAYS:
            outcome = self.compile(module, sorted((STUBS / module).glob("*.swift")), [])
            if not outcome.is_good:
                raise Failure(f"{self.name}: the stub of {module} does not compile\n{outcome.why()}")

    def prepare_programs(self):
        """Makes the modules that apps import and the libraries do not."""
        self.build("Observation")
        yield
        outcome = self.compile("SwiftUI", sorted((STUBS / "SwiftUI").glob("*.swift")), ["-swift-version", "6"])
        if not outcome.is_good:
            raise Failure(f"{self.name}: the stub of SwiftUI does not compile\n{outcome.why()}")

    def link_resources(self):
        """A resource folder without the toolchain's own Dispatch, whose module map would be found beside the stub's."""
        with self.resources:
            folder = self.scratch / "resources"
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("clang", "shims", "apinotes"):
                link, source = folder / name, self.toolchain.root / "lib/swift" / name
                if link.is_symlink() and os.readlink(link) != str(source):
                    link.unlink()
                if not link.is_symlink():
                    link.symlink_to(source)

    def build(self, module: str):
        """A module of the standard library, unless it is there. Every tool reads it; left to themselves, the compiler and
        `swift-symbolgraph-extract` build one each, for a minute."""
        try:
            text = adapted(self.toolchain.interface(module), module, self.target)
        except ValueError as error:
            raise Failure(str(error)) from error
        source = self.folder / f"interfaces/{module}.swiftinterface"
        output = self.modules / f"{module}.swiftmodule"
        written(source, text)
        if output.exists() and output.stat().st_mtime > source.stat().st_mtime:
            return
        reserved = ["-parse-stdlib"] if module == "Swift" else []
        outcome = self.run(["-compile-module-from-interface", str(source), "-o", str(output), "-module-name", module, *reserved])
        if not outcome.is_good:
            raise Failure(f"{self.name}: {module} cannot be made of its textual interface\n{outcome.why()}")

    def symbols(self, module: str, header: Path | None = None) -> dict:
        """The symbols of a module as the compiler has them; of one in the folder `header` rather than of the platform's own."""
        folder = header / "graphs" if header else self.folder / "graphs"
        folder.mkdir(parents=True, exist_ok=True)
        # Of the compiler's flags the tool has not all.
        flags, skipped = [], False
        for flag in self.flags:
            if skipped or flag in ("-plugin-path", "-parse-as-library"):
                skipped = flag == "-plugin-path"
                continue
            flags.append(str(header) if header and flag == str(self.scratch / module) else flag)
        ended = subprocess.run(
            [str(self.toolchain.tool("swift-symbolgraph-extract")), "-module-name", module, "-output-dir", str(folder), *flags],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        graph = folder / f"{module}.symbols.json"
        if ended.returncode != 0 or not graph.exists():
            raise Failure(f"{self.name}: no symbols of {module} (status {ended.returncode})\n{ended.stdout[-2000:]}")
        return json.loads(graph.read_text(encoding="utf-8"))

    def compile(self, module: str, files: list[Path], settings: list[str], folder: Path | None = None) -> Outcome:
        """Compiles a module, which goes through SIL: errors of isolation are found there."""
        output = (folder or self.modules) / f"{module}.swiftmodule"
        return self.run(["-emit-module", "-o", str(output), "-module-name", module, *map(str, files), *settings])

    def run(self, arguments: list[str]) -> Outcome:
        """Runs the compiler with the platform's flags."""
        return self.toolchain.run([*arguments, *self.flags])

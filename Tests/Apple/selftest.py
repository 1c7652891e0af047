# SPDX-License-Identifier: MIT
"""The eight changes of the sample and of the table that the gate has to catch, the mistakes that show in SIL alone, and a method
of a delegate that the backend lacks."""

import re
from pathlib import Path
from typing import NamedTuple

import entrypoints
from platforms import Failure, Outcome, Platform, written
from table import Table


class Sample:
    """The source in Sample/, as it is and changed."""

    def __init__(self, here: Path, settings: list[str]):
        self.here, self.settings = here, settings
        self.text = (here / "Sample/SampleBackend.swift").read_text(encoding="utf-8")

    def changed(self, old: str, new: str) -> str:
        if self.text.count(old) != 1:
            raise Failure(f"the sample does not contain once: {old}")
        return self.text.replace(old, new)

    def compile(self, platform: Platform, text: str, name: str) -> Outcome:
        folder = platform.folder / "sample" / name.replace(" ", "-")
        written(folder / "SampleBackend.swift", text)
        return platform.compile("Sample", [folder / "SampleBackend.swift"], self.settings, folder)


class Case(NamedTuple):
    """A change, where it is made, and words of the compiler that show that it was seen for what it is."""

    name: str
    platform: str
    old: str
    new: str
    says: str

    def found(self, platform: Platform, sample: Sample) -> str | None:
        """Why the change was not caught; nil if it was."""
        outcome = sample.compile(platform, sample.changed(self.old, self.new), self.name)
        if outcome.is_good:
            return "it compiled"
        return None if any(self.says in line for line in outcome.diagnostics) else f"for another reason:\n{outcome.why()}"


class TableCase(NamedTuple):
    """A change of a row of the table: its header declares another selector, and the compiler another name."""

    name: str
    platform: str
    old: str
    new: str

    def found(self, platform: Platform, sample: Sample) -> str | None:
        text = (sample.here / "symbols.tsv").read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise Failure(f"symbols.tsv does not contain once: {self.old}")
        folder = platform.scratch / "changed"
        written(folder / "symbols.tsv", text.replace(self.old, self.new))
        table = Table(folder / "symbols.tsv", sample.here / "exceptions.tsv")
        table.write(folder / "CoreBluetooth")
        same, different = table.differences(platform.symbols("CoreBluetooth", folder / "CoreBluetooth"), platform.name)
        return None if any("stopScan" in line for line in different) else f"{same} symbols are the same, {different}"


class SILCase(NamedTuple):
    """Mistakes that show in SIL alone, for which the standard library of a platform has fewer bodies than that of the toolchain:
    the compiler says the same with both."""

    name: str
    platform: str
    at_least: int

    def found(self, platform: Platform, sample: Sample) -> str | None:
        source = sample.here / "Sample/Mistakes.swift"
        output = platform.folder / "sample/Mistakes.swiftmodule"
        output.parent.mkdir(parents=True, exist_ok=True)
        call = ["-emit-module", "-o", str(output), "-module-name", "Mistakes", str(source), *sample.settings]
        here, there = (
            {re.sub(r"^\S*Mistakes.swift", "", line) for line in outcome.diagnostics}
            for outcome in (platform.run(call), platform.toolchain.run([*call, "-parse-as-library"])))
        if here == there and len(here) >= self.at_least:
            return None
        return f"{len(here)} mistakes, on Linux {len(there)}; only in one:\n" + "\n".join(sorted(here ^ there))


class EntryCase(NamedTuple):
    """The backend without one method of a delegate, which compiles: the list of entry points shows it."""

    files: list[Path]
    settings: list[str]
    name: str = "a delegate method that the backend lacks"
    platform: str = "macos"
    old: str = "func peripheralDidUpdateName("
    new: str = "func nameOfPeripheralChanged("

    def found(self, platform: Platform, sample: Sample) -> str | None:
        folder = platform.folder / "sample/backend"
        changed = [path for path in self.files if self.old in path.read_text(encoding="utf-8")]
        if len(changed) != 1:
            raise Failure(f"the backend does not contain in one file: {self.old}")
        other = folder / changed[0].name
        written(other, changed[0].read_text(encoding="utf-8").replace(self.old, self.new))
        files = [path for path in self.files if path not in changed] + [other]
        outcome = entrypoints.compiled(platform, files, self.settings, folder / "Backend.sil")
        if not outcome.is_good:
            return f"it does not compile:\n{outcome.why()}"
        table = Table(sample.here / "symbols.tsv", sample.here / "exceptions.tsv")
        text = (folder / "Backend.sil").read_text(encoding="utf-8", errors="replace")
        different = entrypoints.differences(text, table, platform.name)[1]
        return None if len(different) == 1 and "peripheralDidUpdateName" in different[0] else f"it says {different}"


CASES = (
    Case("a label misspelt", "macos", "scanForPeripherals(\n            withServices:", "scanForPeripherals(\n            withService:",
         "incorrect argument label in call"),
    Case("a delegate method misspelt", "macos", "didUpdateValueFor characteristic", "didUpdateValuesFor characteristic",
         "nearly matches optional requirement"),
    Case("a static CBUUID", "macos", "static var service: CBUUID { CBUUID(data: Data([0x18, 0x0D])) }",
         "static let service = CBUUID(data: Data([0x18, 0x0D]))", "is not concurrency-safe"),
    Case("a captured CBPeripheral", "macos", "onExecutor(with: (peripheral, advertisementData, RSSI)) { $0.sighted($1.0, $1.1, $1.2) }",
         "onExecutor { $0.sighted(peripheral, advertisementData, RSSI) }", "risks causing data races"),
    Case("a CBPeripheralManager on tvOS", "tvos", "        self.delegate = delegate\n",
         "        self.delegate = delegate\n        _ = CBPeripheralManager(delegate: nil, queue: nil)\n", "is unavailable in tvOS"),
    Case("registerForConnectionEvents on macOS", "macos", "        guard manager?.state == .poweredOn else { return }\n",
         "        guard manager?.state == .poweredOn else { return }\n        manager?.registerForConnectionEvents(options: nil)\n",
         "is unavailable in macOS"),
    Case("Array.span", "macos", "names.append(name) }", "names.append(name) }\n        _ = names.span.count",
         "is only available in macOS 26"),
    TableCase("a row of symbols.tsv with a changed selector", "macos", "c:objc(cs)CBCentralManager(im)stopScan\t",
              "c:objc(cs)CBCentralManager(im)stopScans\t"),
    SILCase("each mistake that shows in SIL alone", "macos", 19),
)

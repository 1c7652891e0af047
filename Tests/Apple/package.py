# SPDX-License-Identifier: MIT
"""The library targets of Package.swift, in the order of their imports, with their settings."""

import json
import subprocess
from pathlib import Path

from platforms import Failure

# Library targets that are not compiled for Apple's platforms.
LEFT_OUT = {
    "BlueCapESPHome": "serves the program bluecap alone, on Linux, and no product contains it",
    "BlueCapGateway": "serves the program bluecap alone, on Linux, and no product contains it",
    "BlueCapTerminal": "serves the program bluecap alone, and no product contains it",
    "CBlueCapLinux": "declares what only Linux has",
}
FLAGS = {
    "enableUpcomingFeature": lambda name: ["-enable-upcoming-feature", name],
    "enableExperimentalFeature": lambda name: ["-enable-experimental-feature", name],
    "swiftLanguageMode": lambda mode: ["-swift-version", mode],
    "strictMemorySafety": lambda _: ["-strict-memory-safety"],
    "define": lambda name: ["-D", name],
}


class Package:
    """What the manifest says."""

    def __init__(self, root: Path):
        described = subprocess.run(
            ["swift", "package", "--ignore-lock", "dump-package"], cwd=root, capture_output=True, text=True, check=False)
        if described.returncode != 0:
            raise Failure(f"Package.swift cannot be read:\n{described.stderr}")
        self.root, self.manifest = root, json.loads(described.stdout)
        self.targets = {target["name"]: target for target in self.manifest["targets"]}
        self.minimums = {item["platformName"]: item["version"] for item in self.manifest["platforms"]}
        self.traits = next(
            (trait["enabledTraits"] for trait in self.manifest["traits"] if trait["name"] == "default"), [])

    def libraries(self) -> list[str]:
        """The targets to compile, each after those that it imports."""
        wanted = [
            name for name, target in self.targets.items()
            if target["type"] == "regular" and not target.get("path") and name not in LEFT_OUT
        ]
        for product in self.manifest["products"]:
            for name in product["targets"] if "library" in product["type"] else []:
                if name not in wanted:
                    raise Failure(f"the product {product['name']} contains {name}, which is not compiled")
        ordered: list[str] = []

        def visit(name: str):
            if name in wanted and name not in ordered:
                for dependency in self.targets[name]["dependencies"]:
                    visit(next(iter(dependency.values()))[0])
                ordered.append(name)

        for name in wanted:
            visit(name)
        return ordered

    def needed(self, wanted: list[str]) -> list[str]:
        """The targets to compile for those that are wanted, which are all where none is named."""
        names: set[str] = set()

        def visit(name: str):
            if name in self.targets and name not in names:
                names.add(name)
                for dependency in self.targets[name]["dependencies"]:
                    visit(next(iter(dependency.values()))[0])

        for name in wanted:
            visit(name)
        return [name for name in self.libraries() if not wanted or name in names]

    def sources(self, name: str) -> list[Path]:
        found = sorted((self.root / "Sources" / name).rglob("*.swift"))
        if not found:
            raise Failure(f"{name} has no source")
        return found

    def settings(self, name: str) -> list[str]:
        """The compiler's flags of a target, with warnings as errors."""
        flags = ["-package-name", self.manifest["name"], "-warnings-as-errors"]
        for trait in self.traits:
            flags += ["-D", trait]
        for setting in self.targets[name]["settings"]:
            (kind, values), = setting["kind"].items()
            if kind not in FLAGS or setting.get("condition"):
                raise Failure(f"{name} has a setting that the gate does not know: {setting}")
            flags += FLAGS[kind](values.get("_0"))
        return flags

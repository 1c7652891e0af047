#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the public declarations with those of the last release, as `swift package diagnose-api-breaking-changes` does.

usage: .ci/api.py [COMMIT]

The release is the newest chapter of Changes.md that has a number, and its commit the one on this branch that brought the chapter;
or COMMIT. There are no tags to look for. That command of SwiftPM would build the whole package a second time. This compiles the
modules of that commit with the flags of the last `swift build` and without what is in their functions, which takes a minute, and
hands both to the same tool, swift-api-digester.

A break that is meant stands in .ci/api-breaks.txt, as it is printed, in a paragraph whose first line begins with "#" and says why.
What stands there and is no break is a fault, too: the next release begins with an empty list. From version 1.0.0 on none may stand
there: a program that compiles with a version 1 compiles with each later one.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from io import BytesIO

from compilation import MODULES, arguments, toolchain

CHANGES = "Sources/BlueCap/Documentation.docc/Changes.md"
ACCEPTED = ".ci/api-breaks.txt"
FOLDER = ".build-ci/api"
# In the order of their dependencies. The first, Loop, Kernel, DBus and JSON are not public, and the others need them. BlueCapLayout is empty here, and
# BlueCapCoreBluetooth has its statistics alone.
COMPILED = (
    "BlueCapPlatform", "BlueCapRuntime", "BlueCapSerDe", "BlueCapCore", "BlueCapProfiles", "BlueCapVendorProfiles", "BlueCapBeacon",
    "BlueCapVirtual", "BlueCapSharedRadio", "BlueCapLoop", "BlueCapKernel", "BlueCapDBus", "BlueCapBlueZ",
    "BlueCapCoreBluetooth", "BlueCapJSON", "BlueCapCapture", "BlueCap", "BlueCapTesting",
)
COMPARED = tuple(module for module in COMPILED if module not in ("BlueCapPlatform", "BlueCapLoop", "BlueCapKernel", "BlueCapDBus", "BlueCapJSON"))
BREAK = re.compile(r"API breakage: (.*)")


def git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, check=True, text=True).stdout.strip()


def release() -> tuple[str, int] | None:
    """The commit of the last release and its major version; none where there is no release yet, or it is the commit that is looked at."""
    if git("rev-parse", "--is-shallow-repository") == "true":
        sys.exit("this clone has no history to look for the last release in: git fetch --unshallow")
    with open(CHANGES, encoding="utf-8") as file:
        chapter = re.search(r"^## (\d+)\.\d+\.\d+ \(", file.read(), re.MULTILINE)
    if not chapter:
        return None
    # Of a merge, what it brought to this branch.
    found = git("log", "--first-parent", "-m", "--format=%H", f"-S{chapter.group()}", "--", CHANGES).split()
    return (found[-1], int(chapter[1])) if found and found[-1] != git("rev-parse", "HEAD") else None


def excuses(text: str, major: int) -> tuple[set[str], list[str]]:
    """The breaks that a list of them accepts after a release with that major version, and what is wrong with the list."""
    accepted: set[str] = set()
    faults: list[str] = []
    has_reason = False
    for line in map(str.strip, text.split("\n")):
        if line.startswith("#"):
            has_reason = len(line.removeprefix("#").split()) > 2
        elif not line:
            has_reason = False
        else:
            accepted.add(line)
            if not has_reason:
                faults.append(f"has no reason: {line}")
            if major >= 1:
                faults.append(f"breaks a promise of version {major}: {line}")
    return accepted, faults


def compile_all(commit: str) -> list[str]:
    """Compiles the modules of a commit, and returns those that it has."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(f"{FOLDER}/modules")
    archive = subprocess.run(["git", "archive", commit, "Sources"], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as tree:
        tree.extractall(FOLDER, filter="data")
    compiled: list[str] = []
    for module in COMPILED:
        sources = [
            os.path.join(root, name) for root, _, names in os.walk(f"{FOLDER}/Sources/{module}") for name in names
            if name.endswith(".swift")]
        if not sources:
            continue
        output = f"{FOLDER}/modules/{module}.swiftmodule"
        words = [os.path.abspath(f"{FOLDER}/modules") if os.path.realpath(word) == os.path.realpath(MODULES) else word for word in arguments(module)[:-1]]
        # What is not of this package, as the logger is, comes from this build.
        command = words + [
            "-I", MODULES, "-emit-module", "-emit-module-path", output, "-wmo", "-suppress-warnings", "-Xfrontend",
            "-experimental-skip-non-inlinable-function-bodies", *sources]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{module} of {commit} is not compiled:\n{done.stdout}{done.stderr}")
        compiled.append(module)
    return compiled


def dump(module: str, folder: str, target: str) -> str:
    """What a module declares, as a file of the digester."""
    output = f"{FOLDER}/{'new' if folder == MODULES else 'old'}-{module}.json"
    subprocess.run([
        f"{toolchain()}/swift-api-digester", "-dump-sdk", "-module", module, "-o", output, "-I", folder, "-I", MODULES, "-target", target,
        "-swift-version", "6", "-avoid-location", "-avoid-tool-args",
        "-Xcc", "-fmodule-map-file=.build/debug/CBlueCapLinux.build/module.modulemap",
        "-Xcc", "-fmodule-map-file=Sources/CBlueCapDBus/module.modulemap",
    ], check=True, capture_output=True)
    return output


def breaks(module: str, target: str) -> list[str]:
    """What of the release does not compile against a module as it is now."""
    paths = dump(module, f"{FOLDER}/modules", target), dump(module, MODULES, target)
    told = subprocess.run([
        f"{toolchain()}/swift-api-digester", "-diagnose-sdk", "-compiler-style-diags", "-print-module",
        "-input-paths", paths[0], "-input-paths", paths[1],
    ], check=False, capture_output=True, text=True)
    return [f"{module}: {text}" for text in BREAK.findall(told.stdout + told.stderr)]


def main() -> int:
    commit, major = (sys.argv[1], 0) if len(sys.argv) > 1 else release() or ("", 0)
    with open(ACCEPTED, encoding="utf-8") as file:
        accepted, faults = excuses(file.read(), major)
    if not commit:
        faults += [f"there is no release before this commit: {text}" for text in accepted]
        print("\n".join(f"{ACCEPTED}: {text}" for text in faults) or "there is no release before this commit: nothing to compare with")
        return 1 if faults else 0
    info = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True, text=True).stdout
    target = re.search(r'"triple": "([^"]+)"', info).group(1)  # type: ignore[union-attr]
    compiled = compile_all(commit)
    found = [text for module in COMPARED if module in compiled for text in breaks(module, target)]
    found += [f"{module} is gone" for module in compiled if not os.path.isdir(f"Sources/{module}")]
    refused = sorted(set(found) - accepted)
    print("\n".join(refused))
    faults += [f"is no break: {text}" for text in sorted(accepted - set(found))]
    for text in faults:
        print(f"{ACCEPTED}: {text}")
    print(f"compared {len(compiled)} modules with {commit[:8]}: {len(refused)} breaks, {len(set(found) & accepted)} accepted")
    return 1 if refused or faults else 0


sys.exit(main())

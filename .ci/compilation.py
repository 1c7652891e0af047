# SPDX-License-Identifier: MIT
"""How the last `swift build` compiled a module, for tools that ask the compiler something else about it."""

import json
import os
import re
import sys

BUILD = ".build/debug.yaml"
MODULES = ".build/debug/Modules"
# The flags of a build that say what is made and where: those with a path behind them, and the others.
_OUTPUTS = {"-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path"}
_MAKING = re.compile(
    r"-emit-dependencies|-emit-module|-emit-objc-header|-incremental|-c|-enable-batch-mode|-serialize-diagnostics|"
    r"-parseable-output|-j\d+|-g|-enable-testing|-warnings-as-errors|-profile.*")


def arguments(module: str, build: str = BUILD) -> list[str]:
    """The compiler and its arguments for a module, without what it makes: the last is the list of sources, "@" before it."""
    with open(build, encoding="utf-8") as file:
        for line in file:
            text = line.strip()
            if text.startswith("args: [") and f'"-module-name","{module}"' in text and '"-c"' in text:
                words = iter(json.loads(text.removeprefix("args: ")))
                break
        else:
            sys.exit(f"{build} does not build {module}")
    kept: list[str] = []
    sources = ""
    for word in words:
        if word == "-Xcc":
            kept += [word, next(words)]
        elif word in _OUTPUTS:
            next(words)
        elif word.startswith("@"):
            sources = word
        elif not _MAKING.fullmatch(word):
            kept.append(word)
    return kept + [sources]


def toolchain() -> str:
    """The folder of the compiler's own tools."""
    for folder in os.environ["PATH"].split(":"):
        compiler = os.path.join(folder, "swiftc")
        if os.path.exists(compiler):
            return os.path.dirname(os.path.realpath(compiler))
    sys.exit("there is no swiftc on the path")

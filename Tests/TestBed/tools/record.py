# SPDX-License-Identifier: MIT

"""python -m tools.record SCENARIO: plays one scenario and writes its trace to $BED_OUT."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from pathlib import Path

from . import trace
from .bluez import BlueZ
from .control import Control
from .scenarios import SCENARIOS, Scenario, Stage


async def record(name: str) -> None:
    scenario = SCENARIOS[name]
    bluez = await BlueZ().open()
    stage = Stage(bluez, await Control().open(), await trace.Trace().open(bluez.bus))
    try:
        await asyncio.wait_for(scenario(stage), 200)
        # Signals that follow the last action belong to it.
        await asyncio.sleep(0.3)
    finally:
        stage.trace.close()
        save(name, scenario, stage)


def save(name: str, scenario: Scenario, stage: Stage) -> None:
    head = [
        f"{name}: {(scenario.__doc__ or '').strip()}",
        f"BlueZ {os.environ['BLUECAP_BLUEZ']}, Linux {platform.release()}. Columns: see tools/trace.py.",
    ]
    text = "".join(f"# {line}\n" for line in head) + stage.trace.text()
    Path(os.environ["BED_OUT"], f"{name}.trace").write_text(text)


if sys.argv[1] == "--list":
    for name, scenario in SCENARIOS.items():
        print(f"{name}: {(scenario.__doc__ or '').strip()}")
else:
    asyncio.run(record(sys.argv[1]))

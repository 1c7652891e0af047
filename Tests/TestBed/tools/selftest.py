# SPDX-License-Identifier: MIT

"""python -m tools.selftest [NAME…]: checks every command of the peer against bluetoothd, and that loads pass whole."""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections.abc import Awaitable, Callable

from .bluez import BlueZ
from .control import Control
from .proofs import PROOFS
from .proofs.case import Case, Failed


async def prove(name: str, proof: Callable[[Case], Awaitable[str | None]]) -> bool:
    started = time.monotonic()
    case = Case(await BlueZ().open(), await Control().open())
    try:
        detail = await asyncio.wait_for(proof(case), 90)
        verdict = "ok"
    except Failed as error:
        verdict, detail = "FAILED", str(error)
    except Exception:
        verdict, detail = "FAILED", traceback.format_exc()
    print(f"{verdict:6} {name} ({time.monotonic() - started:.2f} s) {detail or ''}".rstrip(), flush=True)
    await case.close()
    return verdict == "ok"


async def main(names: list[str]) -> int:
    chosen = {name: proof for name, proof in PROOFS.items() if not names or name in names}
    passed = [await prove(name, proof) for name, proof in chosen.items()]
    print(f"{sum(passed)} of {len(passed)} passed")
    return 0 if passed and all(passed) else 1


sys.exit(asyncio.run(main(sys.argv[1:])))

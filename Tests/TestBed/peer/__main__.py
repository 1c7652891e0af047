# SPDX-License-Identifier: MIT

"""python -m peer: started in the guest by `guest/session`."""

from __future__ import annotations

import argparse
import asyncio
import logging
from pathlib import Path

from .daemon import Daemon


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--socket", type=Path, required=True)
    parser.add_argument("--adapters", type=int, default=1)
    parser.add_argument("--logs", type=Path, required=True)
    parser.add_argument("--level", default="WARNING")
    options = parser.parse_args()
    logging.basicConfig(level=options.level, format="%(relativeCreated)d %(name)s %(levelname)s %(message)s")

    daemon = Daemon(options.logs)
    daemon.spawn()
    # bumble takes half a second to import: bluetoothd starts meanwhile.
    from .bed import Bed
    from .server import serve

    bed = Bed(options.adapters, daemon)
    await bed.start()
    await serve(bed, options.socket)


asyncio.run(main())

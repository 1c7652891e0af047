# SPDX-License-Identifier: MIT

"""What bluetoothd asks an agent, and what a refusal does. Just Works that is accepted is in `connecting`."""

from __future__ import annotations

import asyncio

from ..application import Application
from .connecting import SECURED
from .stage import HEART_RATE, Stage

FLAGS = ["read", "encrypt-read"]
UUID = "f000aa00-0451-4000-b000-000000000000"


async def _secured(stage: Stage, **script: object) -> tuple[str, dict[str, str]]:
    return await stage.connected(services=[HEART_RATE, SECURED], pairing=script)


async def _ended(stage: Stage, path: str) -> None:
    await stage.attempt(stage.bluez.do(path, "Device1.Disconnect"))
    await stage.gone(path)


async def pair_refused(stage: Stage) -> None:
    """Reading an encrypted value; the agent refuses. Then another value is read."""
    await stage.bluez.answer_agent(refuses=True)
    path, at = await _secured(stage)
    reading = stage.start(stage.bluez.read(at["1.0"]))
    await asyncio.wait([reading], timeout=6)
    await stage.attempt(stage.bluez.read(at["0.0"]), timeout=6)
    await asyncio.wait([reading], timeout=35)
    await _ended(stage, path)


async def pair_refused_by_peer(stage: Stage) -> None:
    """Reading an encrypted value of a peer that does not pair; then Pair, which connects. Each ends the link."""
    await stage.bluez.answer_agent()
    path, at = await _secured(stage, accepts=False)
    reading = stage.start(stage.bluez.read(at["1.0"]))
    await asyncio.wait([reading], timeout=6)
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=10)
    await asyncio.wait([reading], timeout=35)
    await stage.gone(path)


async def pair_explicitly_refused_by_peer(stage: Stage) -> None:
    """Pair while connected, without an agent and with a peer that does not pair; again, with one."""
    path, _ = await _secured(stage, accepts=False)
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=35)
    await stage.gone(path)
    await stage.bluez.answer_agent()
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=35)
    await stage.gone(path)


async def pair_explicitly_without_agent(stage: Stage) -> None:
    """Pair while connected, without an agent; then with one."""
    path, _ = await _secured(stage)
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=35)
    await stage.bluez.answer_agent()
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=35)
    await _ended(stage, path)


async def pair_by_comparison(stage: Stage) -> None:
    """Pair while connected; both sides show six digits."""
    await stage.bluez.answer_agent("DisplayYesNo")
    path, at = await _secured(stage, capability="displayYesNo")
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=35)
    await stage.attempt(stage.bluez.read(at["1.0"]), timeout=6)
    await _ended(stage, path)


async def pair_by_comparison_refused(stage: Stage) -> None:
    """The same; the agent says that they differ, then the peer."""
    await stage.bluez.answer_agent("DisplayYesNo", refuses=True)
    path, _ = await _secured(stage, capability="displayYesNo")
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=35)
    await _ended(stage, path)


async def pair_by_typing(stage: Stage) -> None:
    """Pair while connected; the peer shows a passkey, the agent types it."""
    passkey = 123456
    await stage.bluez.answer_agent("KeyboardOnly", passkey=lambda: passkey)
    path, _ = await _secured(stage, capability="displayOnly", passkey=passkey)
    await stage.attempt(stage.bluez.do(path, "Device1.Pair"), timeout=35)
    await _ended(stage, path)


async def pair_by_showing(stage: Stage) -> None:
    """Pair while connected; the agent shows a passkey, the peer types it."""
    bluez = stage.bluez
    await bluez.answer_agent("DisplayOnly")
    path, _ = await _secured(stage, capability="keyboardOnly")
    pairing = stage.start(bluez.do(path, "Device1.Pair"))

    async def shown() -> bool:
        return bool(bluez.asked)

    await bluez.until(shown)
    await stage.peer("type_passkey", passkey=bluez.asked[0][1][1])
    await pairing
    await _ended(stage, path)


async def pair_cancelled(stage: Stage) -> None:
    """CancelPairing while the peer waits for its user."""
    await stage.bluez.answer_agent("DisplayOnly")
    path, _ = await _secured(stage, capability="keyboardOnly")
    pairing = stage.start(stage.bluez.do(path, "Device1.Pair"))
    await asyncio.sleep(1)
    await stage.attempt(stage.bluez.do(path, "Device1.CancelPairing"), timeout=10)
    await pairing
    await _ended(stage, path)


async def _serve(stage: Stage) -> None:
    application = Application(stage.bluez, [(UUID, FLAGS)])
    application.values[0] = b"\x07"
    await application.register()
    await stage.connect_central()


async def serve_pairing(stage: Stage) -> None:
    """A central reads an encrypted value, pairs, and reads it again."""
    await stage.bluez.answer_agent()
    await _serve(stage)
    await stage.central("read", UUID)
    await stage.central("pair")
    await stage.central("read", UUID)
    await stage.central.leave()


async def serve_pairing_refused(stage: Stage) -> None:
    """A central pairs and the agent refuses."""
    await stage.bluez.answer_agent(refuses=True)
    await _serve(stage)
    await stage.central("pair")
    await stage.central("read", UUID)
    await stage.central.leave()


async def serve_pairing_without_agent(stage: Stage) -> None:
    """A central pairs; there is no agent."""
    await _serve(stage)
    await stage.central("pair")
    await stage.central("read", UUID)
    await stage.central.leave()


SCENARIOS = (
    pair_refused,
    pair_refused_by_peer,
    pair_explicitly_refused_by_peer,
    pair_explicitly_without_agent,
    pair_by_comparison,
    pair_by_comparison_refused,
    pair_by_typing,
    pair_by_showing,
    pair_cancelled,
    serve_pairing,
    serve_pairing_refused,
    serve_pairing_without_agent,
)

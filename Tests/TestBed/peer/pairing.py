# SPDX-License-Identifier: MIT

"""How a far device pairs: what it can show and take, and what its user answers, as a test scripted it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bumble.pairing import PairingConfig, PairingDelegate

_CAPABILITIES = {
    "noInputNoOutput": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "displayOnly": PairingDelegate.DISPLAY_OUTPUT_ONLY,
    "displayYesNo": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
    "keyboardOnly": PairingDelegate.KEYBOARD_INPUT_ONLY,
    "keyboardDisplay": PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT,
}
# How long the user takes at most (Core 5.4 Vol 3 H 3.4).
_PATIENCE = 30


class ScriptedDelegate(PairingDelegate):
    """The user of the far device. It agrees unless told otherwise, and types a passkey when the test says which."""

    def __init__(self, script: dict[str, Any], event: Callable[..., None], until: Callable[..., Any]) -> None:
        capability = script.get("capability", "noInputNoOutput")
        if capability not in _CAPABILITIES:
            raise ValueError(f"unknown capability {capability!r}; known are {', '.join(_CAPABILITIES)}")
        # No identity key: the device keeps the address it advertises with.
        super().__init__(
            _CAPABILITIES[capability],
            local_initiator_key_distribution=PairingDelegate.KeyDistribution.DISTRIBUTE_ENCRYPTION_KEY,
            local_responder_key_distribution=PairingDelegate.KeyDistribution.DISTRIBUTE_ENCRYPTION_KEY,
        )
        self.accepts: bool = script.get("accepts", True)
        self.agrees: bool = script.get("agrees", True)
        self.passkey: int | None = script.get("passkey")
        self.shown: int | None = None
        self.typed: int | None = None
        self._event = event
        self._until = until

    async def accept(self) -> bool:
        return self.accepts

    async def generate_passkey(self) -> int:
        return await super().generate_passkey() if self.passkey is None else self.passkey

    async def compare_numbers(self, number: int, digits: int) -> bool:
        self.shown = number
        self._event("compared", passkey=number)
        return self.agrees

    async def display_number(self, number: int, digits: int) -> None:
        self.shown = number
        self._event("shown", passkey=number)

    async def get_number(self) -> int | None:
        self._event("passkeyWanted")
        await self._until(lambda: self.typed is not None, _PATIENCE)
        typed, self.typed = self.typed, None
        return typed


def config(script: dict[str, Any], delegate: ScriptedDelegate) -> PairingConfig:
    return PairingConfig(
        sc=script.get("secureConnections", True),
        mitm=script.get("authenticated", delegate.io_capability != PairingDelegate.NO_OUTPUT_NO_INPUT),
        bonding=True,
        delegate=delegate,
    )

# SPDX-License-Identifier: MIT

"""What is recorded. Each scenario is a coroutine function over a `Stage`; its name, with dashes, is the trace's."""

from . import connecting, errors, faults, gatt, pairing, peripheral, scanning
from .stage import Scenario, Stage

__all__ = ["SCENARIOS", "Scenario", "Stage"]

SCENARIOS: dict[str, Scenario] = {
    function.__name__.replace("_", "-"): function
    for module in (scanning, connecting, gatt, faults, peripheral, errors, pairing)
    for function in module.SCENARIOS
}

# SPDX-License-Identifier: MIT

"""The proofs of `selftest`. Each raises `Failed`, or returns what is worth telling."""

from . import air, attributes, channels, loads, machine, peripheral

PROOFS = {
    function.__name__.replace("_", "-"): function
    for module in (air, attributes, channels, loads, peripheral, machine)
    for function in module.PROOFS
}

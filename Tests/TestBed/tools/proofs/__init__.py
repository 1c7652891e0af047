"""The proofs of `selftest`. Each raises `Failed`, or returns what is worth telling."""
from . import air, attributes, loads, machine

PROOFS = {
    function.__name__.replace("_", "-"): function
    for module in (air, attributes, loads, machine)
    for function in module.PROOFS
}

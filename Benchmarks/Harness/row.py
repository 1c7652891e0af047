# SPDX-License-Identifier: MIT

"""One row of the table."""

OURS = ("loop", "plain")
# Another program of ours: the backend for CoreBluetooth over the stand-in.
DELEGATE = "delegate"


LONG = "with --late"


class Row:
    """A work that every client does as often as `count` says.

    traffic: what the peer is told at each word that a client prints; {count} and {devices} are filled in.
    measures: pairs of what is measured (see measures.py) and the goals for it.
    instructions: what callgrind counts.
    late: the number of the first value of a late thousand, whose instructions are held against those of an early one; in `--gate` alone.
    gated: whether `--gate` holds its measures against the goals; LONG: only with `--late`.
    """

    def __init__(
        self, name, work, count, about, at_once=1, devices=10, traffic=None, rivals=(), measures=(), instructions=None,
        ours=OURS, rounds=None, late=None, gated=False,
    ):
        self.name, self.work, self.count, self.about = name, work, count, about
        self.at_once, self.devices, self.traffic = at_once, devices, traffic or {}
        self.clients = (*ours, *rivals)
        self.measures, self.instructions, self.rounds = measures, instructions, rounds
        self.late, self.gated = late, gated
        # Without a work it is about what is on disk.
        self.is_timed = bool(measures) or work is None

    def told(self, count):
        return {word: text.format(count=count, devices=self.devices) for word, text in self.traffic.items()}


class Instructions:
    """How often a row's work is done under callgrind, and then twice as often; the goals; and what ours has reached,
    which `--gate` allows it to exceed by 10 %.

    function: a part of the symbol of the one function to count; None for the whole process.
    barred: functions of which the work may call none.
    """

    def __init__(
        self, count, reached, goals=(), clients=("loop", "plain", "libdbus", "sd-bus"), function=None, barred=(),
    ):
        self.count, self.reached, self.goals, self.clients = count, reached, goals, clients
        self.function, self.barred = function, barred

# SPDX-License-Identifier: MIT

"""Our own instructions against what was once reached, and those of late values against those of early ones."""

from bus import Failure

SLACK = 1.10
# The threads of a process meet otherwise on a busy machine, which counts up to a tenth more; what the code needs shows in the
# least of some counts.
COUNTS = 3
# How much more a late value may cost than an early one.
GROWTH = 0.01
# The part of an early one that it costs at the least.
LEAST = 0.9


def run(runner, rows, late=None):
    """Prints a line for each figure; returns 1 when one is exceeded each time it is counted, or missing.

    `late` is the number of the late values where it is not that of the row.
    """
    exceeded = 0
    for row in rows:
        if row.late:
            exceeded += not stays(runner, row, late or row.late)
        if row.gated is True or row.gated and late:
            exceeded += not holds(runner, row)
        if not row.instructions:
            continue
        least = {}
        for _ in range(COUNTS):
            for client, counted in runner.count(row)["figures"].items():
                if counted is not None:
                    least[client] = min(counted, least.get(client, counted))
            if all(within(least.get(client), reached) for client, reached in row.instructions.reached.items()):
                break
        for client, reached in row.instructions.reached.items():
            counted = least.get(client)
            verdict = "missing" if counted is None else "ok" if within(counted, reached) else "EXCEEDED"
            exceeded += verdict != "ok"
            shown = "-" if counted is None else f"{counted:,}"
            print(f"{row.name:<20} {client:<6} {shown:>10} of {reached:>9,} {verdict}", flush=True)
    print(f"{exceeded} exceeded" if exceeded else "none exceeded")
    return 1 if exceeded else 0


def stays(runner, row, late):
    """Whether a late value costs what an early one does; prints it."""
    shown, verdict = "-", "missing"
    for _ in range(COUNTS):
        try:
            early, later = runner.count_late(row, late)
        except Failure as failure:
            runner.problem(f"{row.name}: {failure}")
            continue
        # A late window that counts next to nothing was no window of values.
        is_flat = 0 < early * LEAST <= later <= early * (1 + GROWTH)
        shown, verdict = f"{later:,.0f}", f"{early:,.0f} {'ok' if is_flat else 'EXCEEDED'}"
        if is_flat:
            break
    print(f"{row.name:<20} {row.clients[0]:<6} {shown:>10} of {verdict} (value {late:,})", flush=True)
    return verdict.endswith("ok")


def holds(runner, row):
    """Whether the measures of a row meet their goals; prints them."""
    wanted = [(measure, goal) for measure, goals in row.measures for goal in goals]
    for _ in range(COUNTS):
        lines = runner.measure(row, {goal.client for _, goal in wanted})
        judged = [(line, goal) for line in lines for goal in line["goals"]]
        met = len(judged) == len(wanted) and all(goal["met"] for _, goal in judged)
        if met:
            break
    for line, goal in judged:
        verdict = "ok" if goal["met"] else "EXCEEDED"
        print(f"{row.name:<20} {goal['client']:<6} {line['figures'][goal['client']]:>10,g} {line['measure']}, {goal['goal']}: {verdict}", flush=True)
    if len(judged) < len(wanted):
        print(f"{row.name:<20} missing", flush=True)
    return met


def within(counted, reached):
    return counted is not None and counted <= reached * SLACK

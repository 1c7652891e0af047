# SPDX-License-Identifier: MIT

"""Our own instructions against what was once reached."""

SLACK = 1.10
# The threads of a process meet otherwise on a busy machine, which counts up to a tenth more; what the code needs shows in the
# least of some counts.
COUNTS = 3


def run(runner, rows):
    """Prints a line for each figure; returns 1 when one is exceeded by more than the slack each time it is counted."""
    exceeded = 0
    for row in rows:
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


def within(counted, reached):
    return counted is not None and counted <= reached * SLACK

"""Our own instructions against what was once reached."""

SLACK = 1.10


def run(runner, rows):
    """Prints a line for each figure; returns 1 when one is exceeded by more than the slack, or is missing."""
    exceeded = 0
    for row in rows:
        figures = runner.count(row)["figures"]
        for client, reached in row.instructions.reached.items():
            counted = figures.get(client)
            verdict = "missing" if counted is None else "ok" if counted <= reached * SLACK else "EXCEEDED"
            exceeded += verdict != "ok"
            shown = "-" if counted is None else f"{counted:,}"
            print(f"{row.name:<20} {client:<6} {shown:>10} of {reached:>9,} {verdict}", flush=True)
    print(f"{exceeded} exceeded" if exceeded else "none exceeded")
    return 1 if exceeded else 0

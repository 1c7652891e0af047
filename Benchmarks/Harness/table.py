# SPDX-License-Identifier: MIT

"""The table, as text and as JSON."""

import json

CLIENTS = ("loop", "plain", "delegate", "bleak", "dbus-fast", "libdbus", "sd-bus")


def show(lines):
    head = ["row", "measure", *CLIENTS, "ratio", "goal", ""]
    cells = [head]
    for line in lines:
        figures = [number(line["figures"].get(client), line["digits"]) for client in CLIENTS]
        goals = [goal_cells(goal) for goal in line["goals"]] or [["", "", ""]]
        cells.append([line["row"], line["measure"], *figures, *goals[0]])
        cells += [[""] * (2 + len(CLIENTS)) + goal for goal in goals[1:]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for row in cells:
        aligned = [
            cell.rjust(width) if 2 <= column < 2 + len(CLIENTS) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        print("  ".join(aligned).rstrip())


def goal_cells(goal):
    ratio = "" if goal["ratio"] is None else f"{goal['ratio']:.2f} x {goal['rival']}"
    return [f"{goal['client']} {ratio}".rstrip(), goal["goal"], "met" if goal["met"] else "missed"]


def number(value, digits):
    return "-" if value is None else f"{value:,.{digits}f}"


def counts(lines):
    goals = [goal for line in lines for goal in line["goals"]]
    met = sum(goal["met"] for goal in goals)
    return met, len(goals) - met


def show_json(lines, load):
    met, missed = counts(lines)
    rows = [{key: value for key, value in line.items() if key != "digits"} for line in lines]
    print(json.dumps({"load": load, "rows": rows, "met": met, "missed": missed}, indent=2))

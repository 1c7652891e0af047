# SPDX-License-Identifier: MIT

"""What is measured of a run, by the names that rows use."""

# A title, the digits after the point, and the figure of one run.
MEASURES = {
    "cpu": ("CPU us each", 1, lambda run: run["cpu_us"] / run["count"]),
    # With those of bluetoothd and the bus, in the test bed.
    "machine": ("CPU us each, of all", 1, lambda run: (run["cpu_us"] + run["services_us"]) / run["count"]),
    "p50": ("p50 us", 0, lambda run: run["p50_us"]),
    "start": ("CPU ms", 1, lambda run: run["cpu_us"] / 1e3),
    "started": ("MB after start", 1, lambda run: run["rss_kb"] / 1024),
    "scanned": ("MB after a scan", 1, lambda run: run["scanned_kb"] / 1024),
    "memory": ("MB", 1, lambda run: run["rss_kb"] / 1024),
    # By the processor's time of the first tenth, that of all.
    "linear": ("x first tenth", 2, lambda run: run["cpu_us"] / run["early_us"]),
    "grown": ("MB grown", 1, lambda run: (run["rss_kb"] - run["early_kb"]) / 1024),
    "size": ("MB", 1, None),
    "idle": ("CPU ms", 2, lambda run: run["cpu_us"] / 1e3),
    "wakes": ("wake-ups/s", 2, lambda run: run["wakes"] / run["count"]),
    "speed": ("x real time", 2, lambda run: run["simulated_s"] * 1e6 / run["cpu_us"]),
}
INSTRUCTIONS = ("instructions each", 0)

# SPDX-License-Identifier: MIT
"""Frames that the library makes of random values and encrypts, for sensor_formats.py, as decoders of others read them."""
import random
import subprocess
from collections.abc import Callable

from sensor_objects import ADDRESS, KEY, read_atc, read_mibeacon

# Values that a frame can be made of: the least and the greatest number of steps, and the steps of one; or two words.
NUMBERS_MADE = {
    "temperature": (-400, 850, 10), "humidity": (0, 1000, 10), "battery": (0, 100, 1), "illuminance": (0, 70_000, 1), "moisture": (0, 100, 1),
    "conductivity": (0, 5000, 1),
}
STATES_MADE = {
    "opening": ("closed", "open"), "motion": ("none", "detected"), "light": ("none", "detected"), "smoke": ("none", "detected"),
    "power": ("off", "on"),
}


def made_of(name: str, source: random.Random) -> tuple[str, dict[str, float]]:
    """Values that a frame of a format is to have, as the line for the program, and their numbers."""
    texts, values = {}, {}
    kinds = ["temperature", "humidity", "battery"] if "encrypted" in name else source.sample([*NUMBERS_MADE, *STATES_MADE], 3)
    for kind in kinds:
        if kind in NUMBERS_MADE:
            least, most, steps = NUMBERS_MADE[kind]
            number = source.randint(least, most) / steps
            if name == "ATC1441 encrypted" and kind != "battery":
                number = round(number * 2) / 2
            texts[kind], values[kind] = str(number), number
        else:
            state = source.randrange(2)
            texts[kind], values[kind] = STATES_MADE[kind][state], float(state)
    return "|".join(f"{kind}={text}" for kind, text in texts.items()), values


def differences(
        name: str, judge: str, read: Callable[[bytes, bytes | None], dict], key: bytes | None, program: str, count: int, seed: int) -> list[str]:
    """The differences between the values of which the library makes frames and those that a decoder reads."""
    source = random.Random(f"{seed} {name} made")
    wanted = [made_of(name, source) for _ in range(count)]
    head = f"w{name}|{key.hex() if key else '-'}|{ADDRESS.replace(':', '')}"
    lines = "".join(f"{head}|{number}|{text}\n" for number, (text, _) in enumerate(wanted))
    answers = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.split("\n")
    found = []
    for (text, values), answer in zip(wanted, answers):
        theirs = read(bytes.fromhex(answer), key) if answer else {}
        if theirs.keys() != values.keys() or any(abs(theirs[kind] - value) > 1e-6 for kind, value in values.items()):
            found.append(f"{text} is made {answer or 'to nothing'}, and {judge} reads {theirs}")
    return found


# The formats that are code, and whose frames the library makes of values.
MADE = [
    ("MiBeacon", "xiaomi-ble", read_mibeacon, None), ("MiBeacon", "xiaomi-ble", read_mibeacon, KEY),
    ("pvvx encrypted", "atc-ble", read_atc, KEY), ("ATC1441 encrypted", "atc-ble", read_atc, KEY),
]


def made_frames(program: str, count: int, seed: int, only: str) -> list[bool]:
    """Shows for each format whether all of its frames are right."""
    results = []
    for name, judge, read, key in MADE:
        title = f"{name}{', with a key' if key else ''}, made"
        if only not in title:
            continue
        found = differences(name, judge, read, key, program, count, seed)
        print(f"{'FAILED' if found else 'ok':6} {title:29} {count} frames as {judge} reads them")
        for text in found[:5]:
            print(f"         {text}")
        results.append(not found)
    return results

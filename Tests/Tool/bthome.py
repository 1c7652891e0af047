#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# bthome.py BLUECAP-BTHOME [--count N] [--seed N]: random objects of BTHome, encrypted, between the library and bthome-ble, the
# decoder of Home Assistant. N of them are encrypted by the library and read by bthome-ble, and N encrypted by the AES-CCM of
# `cryptography`, which bthome-ble uses, and read by both. A frame has one object. Last come a replayed frame and a wrong key. A kind of
# object counts once in each direction.
import argparse
import datetime
import random
import struct
import subprocess
import sys

from bthome_ble.const import MEAS_TYPES
from bthome_ble.parser import BTHomeBluetoothDeviceData
from cryptography.hazmat.primitives.ciphers.aead import AESCCM
from habluetooth import BluetoothServiceInfoBleak

KEY = bytes.fromhex("231d39c1d7cc1ab1aee224cd096db932")
ADDRESS = "54:48:E6:8F:80:A5"
UUID = "0000fcd2-0000-1000-8000-00805f9b34fb"
NUMBERS = {"unsigned_integer", "signed_integer", "timestamp"}
# Events have no number there, and the number of a packet gives no value.
KINDS = [
    (identifier, kind) for identifier, kind in MEAS_TYPES.items()
    if identifier != 0 and kind.data_format in NUMBERS and hasattr(kind.meas_format, "device_class")
]


def foreign(data: bytes):
    """The value that bthome-ble reads in service data; None if it has none."""
    info = BluetoothServiceInfoBleak(
        name="sensor", address=ADDRESS, rssi=-60, manufacturer_data={}, service_data={UUID: data}, service_uuids=[],
        source="", device=None, advertisement=None, connectable=False, time=0, tx_power=None)
    update = BTHomeBluetoothDeviceData(bindkey=KEY).update(info)
    sensors = [value.native_value for key, value in update.entity_values.items() if key.key != "signal_strength"]
    return next(iter(sensors + [value.native_value for value in update.binary_entity_values.values()]), None)


def is_near(identifier: int, value: float, read: float) -> bool:
    """Whether a value read is the one sent. bthome-ble rounds temperatures in steps of 0.35 °C to a tenth."""
    return abs(value - read) < (0.051 if identifier == 0x58 else 1e-6)


def number(value) -> float:
    return value.timestamp() if isinstance(value, datetime.datetime) else float(value)


def sealed(body: bytes, counter: int) -> bytes:
    """Service data that `cryptography` encrypted."""
    count = struct.pack("<I", counter)
    nonce = bytes.fromhex(ADDRESS.replace(":", "")) + b"\xd2\xfc\x41" + count
    secret = AESCCM(KEY, tag_length=4).encrypt(nonce, body, None)
    return b"\x41" + secret[:-4] + count + secret[-4:]


class Peer:
    """The library's program, which answers each line by one."""

    def __init__(self, program: str, key: bytes = KEY):
        self.process = subprocess.Popen(
            [program, key.hex(), ADDRESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, lines: list[str]) -> list[str]:
        output, _ = self.process.communicate("".join(f"{line}\n" for line in lines), timeout=60)
        return output.split("\n")[:-1]


def random_object(dice: random.Random) -> tuple[int, bytes, float]:
    """An identifier, its bytes and the number that they stand for."""
    identifier, kind = dice.choice(KINDS)
    raw = dice.randbytes(kind.data_length)
    if not hasattr(kind.meas_format, "native_unit_of_measurement"):
        raw = bytes([raw[0] & 1])
    signed = kind.data_format == "signed_integer"
    return identifier, raw, int.from_bytes(raw, "little", signed=signed) * kind.factor


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    dice, bad = random.Random(options.seed), []
    behaviours: dict[str, bool] = {}

    def check(behaviour: str, is_right: bool, text: str) -> None:
        behaviours[behaviour] = behaviours.get(behaviour, True) and is_right
        if not is_right:
            bad.append(text)

    objects = [random_object(dice) for _ in range(options.count)]
    lines = [f"encrypt {identifier} {value!r}" for identifier, _, value in objects]
    answers = Peer(options.program).ask(lines)
    for line, (identifier, _, value), answer in zip(lines, objects, answers, strict=True):
        read = None if answer.startswith("error") else foreign(bytes.fromhex(answer))
        is_read = read is not None and is_near(identifier, value, number(read))
        check(f"encrypt {identifier}", is_read, f"{line}: {answer}, bthome-ble read {read}")

    objects = [random_object(dice) for _ in range(options.count)]
    frames = [sealed(bytes([identifier]) + raw, counter) for counter, (identifier, raw, _) in enumerate(objects, 1)]
    answers = Peer(options.program).ask([f"decrypt {frame.hex()}" for frame in frames])
    for frame, (identifier, _, value), answer in zip(frames, objects, answers, strict=True):
        read, words = foreign(frame), answer.split(" ")
        is_read = words[0] == str(identifier) and abs(float(words[1]) - value) < 1e-6
        is_equal = is_read and read is not None and is_near(identifier, value, number(read))
        check(f"decrypt {identifier}", is_equal, f"{frame.hex()}: {answer}, bthome-ble read {read}")

    texts = ["Hello World!", "é", "a"]
    answers = Peer(options.program).ask([f"encrypt text {text}" for text in texts])
    for text, answer in zip(texts, answers, strict=True):
        check("text", foreign(bytes.fromhex(answer)) == text, f"{text}: {answer}")

    again = Peer(options.program).ask([f"decrypt {frame.hex()}" for frame in (frames[1], frames[0], frames[1])])
    is_once = not again[0].startswith("error") and all(line.startswith("error: the ") for line in again[1:])
    check("replayed", is_once, f"{again}")
    wrong = Peer(options.program, bytes(16)).ask([f"decrypt {frames[0].hex()}"])
    check("wrong key", wrong == ["error: the frame does not belong to this key and address"], f"{wrong}")

    for line in bad[:20]:
        print(f"FAILED {line}")
    print(f"seed {options.seed}: {options.count} objects of {len(KINDS)} kinds in each direction")
    passed = sum(behaviours.values())
    print(f"{passed} passed, {len(behaviours) - passed} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# bthome.py BLUECAP-BTHOME [--count N] [--seed N]: random objects of BTHome, clear and encrypted, between the library and bthome-ble,
# the decoder of Home Assistant. N of them are written by the library and read by bthome-ble, and N are written here and read by both;
# and N more each way in frames that the library, or the AES-CCM of `cryptography`, which bthome-ble uses, encrypts. A frame has as many
# objects as come into an advertisement, at the most. Last come a replayed frame and a wrong key. A kind of object counts once in each
# direction, clear and encrypted.
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
# The bytes that an advertisement of 31 has for objects, behind its flags, the heads, and the first byte of the frame; an encrypted one
# also has a counter and a code.
CLEAR_ROOM, ENCRYPTED_ROOM = 23, 15
Object = tuple[int, bytes, float]


def is_state(identifier: int) -> bool:
    return not hasattr(MEAS_TYPES[identifier].meas_format, "native_unit_of_measurement")


def foreign(data: bytes) -> list:
    """The values that bthome-ble reads in service data: numbers in their order, and then states in theirs."""
    info = BluetoothServiceInfoBleak(
        name="sensor", address=ADDRESS, rssi=-60, manufacturer_data={}, service_data={UUID: data}, service_uuids=[],
        source="", device=None, advertisement=None, connectable=False, time=0, tx_power=None)
    # With a key it takes no clear frames.
    update = BTHomeBluetoothDeviceData(bindkey=KEY if data[0] & 1 else None).update(info)
    sensors = [value.native_value for key, value in update.entity_values.items() if key.key != "signal_strength"]
    return sensors + [value.native_value for value in update.binary_entity_values.values()]


def pairs(objects: list[Object], values: list) -> list[tuple[Object, object]]:
    """The objects of a frame with the values that bthome-ble read of them; with None for each where it read another number of them."""
    ordered = sorted(objects, key=lambda item: is_state(item[0]))
    return list(zip(ordered, values if len(values) == len(ordered) else [None] * len(ordered)))


def is_near(identifier: int, value: float, read: float) -> bool:
    """Whether a value read is the one sent. bthome-ble rounds temperatures in steps of 0.35 °C to a tenth."""
    return abs(value - read) < (0.051 if identifier == 0x58 else 1e-6)


def number(value) -> float:
    return value.timestamp() if isinstance(value, datetime.datetime) else float(value)


def sealed(clear: bytes, counter: int) -> bytes:
    """Service data that `cryptography` encrypted."""
    count = struct.pack("<I", counter)
    nonce = bytes.fromhex(ADDRESS.replace(":", "")) + b"\xd2\xfc\x41" + count
    secret = AESCCM(KEY, tag_length=4).encrypt(nonce, clear, None)
    return b"\x41" + secret[:-4] + count + secret[-4:]


class Peer:
    """The library's program, which answers each line by one."""

    def __init__(self, program: str, key: bytes = KEY):
        self.process = subprocess.Popen(
            [program, key.hex(), ADDRESS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, lines: list[str]) -> list[str]:
        output, _ = self.process.communicate("".join(f"{line}\n" for line in lines), timeout=60)
        return output.split("\n")[:-1]


def random_object(dice: random.Random) -> Object:
    """An identifier, its bytes and the number that they stand for."""
    identifier, kind = dice.choice(KINDS)
    raw = dice.randbytes(kind.data_length)
    if is_state(identifier):
        raw = bytes([raw[0] & 1])
    signed = kind.data_format == "signed_integer"
    return identifier, raw, int.from_bytes(raw, "little", signed=signed) * kind.factor


def random_frame(dice: random.Random, room: int) -> list[Object]:
    """Objects that come into so many bytes, in the order of their identifiers, one of which may be there more than once."""
    objects: list[Object] = []
    formats: dict[str, object] = {}
    for _ in range(dice.randint(1, 6)):
        item = random_object(dice)
        shape = MEAS_TYPES[item[0]].meas_format
        # bthome-ble numbers the values of one class and unit, and keeps only the last one of a class with several units.
        if formats.setdefault(f"{is_state(item[0])} {shape.device_class}", shape) != shape:
            continue
        room -= 1 + len(item[1])
        if room < 0:
            break
        objects.append(item)
    return sorted(objects, key=lambda item: item[0])


def random_frames(dice: random.Random, room: int, count: int) -> list[list[Object]]:
    """Frames of so many objects in all, or a few more."""
    frames: list[list[Object]] = []
    while count > 0:
        frames.append(random_frame(dice, room))
        count -= len(frames[-1])
    return frames


def body(objects: list[Object]) -> bytes:
    return b"".join(bytes([identifier]) + raw for identifier, raw, _ in objects)


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

    def compare(way: str, frame: str, objects: list[Object], values: list, is_ours: bool = True) -> None:
        """Checks that bthome-ble reads the objects of a frame, and for ours, whatever else has to hold."""
        for (identifier, _, value), read in pairs(objects, values):
            is_read = read is not None and is_near(identifier, value, number(read))
            check(f"{way} {identifier}", is_ours and is_read, f"{way} {identifier} {value!r} in {frame}: bthome-ble read {values}")

    for way, room in (("encode", CLEAR_ROOM), ("encrypt", ENCRYPTED_ROOM)):
        frames = random_frames(dice, room, options.count)
        lines = [" ".join([way, *(f"{identifier} {value!r}" for identifier, _, value in objects)]) for objects in frames]
        for objects, line, answer in zip(frames, lines, Peer(options.program).ask(lines), strict=True):
            data = b"" if answer.startswith("error") else bytes.fromhex(answer)
            is_same = way == "encrypt" or data == b"\x40" + body(objects)
            compare(way, f"{line}: {answer}", objects, foreign(data) if data else [], is_same)

    for way, room in (("decode", CLEAR_ROOM), ("decrypt", ENCRYPTED_ROOM)):
        frames = random_frames(dice, room, options.count)
        sent = [
            b"\x40" + body(objects) if way == "decode" else sealed(body(objects), counter)
            for counter, objects in enumerate(frames, 1)]
        for objects, data, answer in zip(frames, sent, Peer(options.program).ask([f"{way} {data.hex()}" for data in sent]), strict=True):
            words = [text.split(" ") for text in answer.split(";")]
            is_read = len(words) == len(objects) and all(
                found[0] == str(identifier) and abs(float(found[1]) - value) < 1e-6
                for found, (identifier, _, value) in zip(words, objects))
            compare(way, f"{data.hex()}: {answer}", objects, foreign(data), is_read)

    texts = ["Hello World!", "é", "a"]
    for way in ("encode", "encrypt"):
        answers = Peer(options.program).ask([f"{way} text {text}" for text in texts])
        for text, answer in zip(texts, answers, strict=True):
            check(f"{way} text", foreign(bytes.fromhex(answer)) == [text], f"{text}: {answer}")

    again = Peer(options.program).ask([f"decrypt {data.hex()}" for data in (sent[1], sent[0], sent[1])])
    is_once = not again[0].startswith("error") and all(line.startswith("error: the ") for line in again[1:])
    check("replayed", is_once, f"{again}")
    wrong = Peer(options.program, bytes(16)).ask([f"decrypt {sent[0].hex()}"])
    check("wrong key", wrong == ["error: the frame does not belong to this key and address"], f"{wrong}")

    for line in bad[:20]:
        print(f"FAILED {line}")
    print(f"seed {options.seed}: {options.count} objects of {len(KINDS)} kinds in each direction, clear and encrypted")
    passed = sum(behaviours.values())
    print(f"{passed} passed, {len(behaviours) - passed} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

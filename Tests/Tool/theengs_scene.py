# SPDX-License-Identifier: MIT

"""A scene of sensors of all families that both this library's formats and TheengsDecoder know: their names, their frames, and the values
that both gateways publish of them, by our names."""
from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

ROUNDS = 600
# TheengsDecoder's names of our values.
THEIRS = {
    "temperature": "tempc", "temperature_2": "tempc2", "humidity": "hum", "battery": "batt", "voltage": "volt", "pressure": "pres",
    "pm2_5": "pm25", "mass": "weight", "impedance": "impedance",
}


@dataclass
class Moment:
    """The measurements of a round, which no round of ROUNDS has had: numbers that each of the formats can send."""

    number: int

    def __post_init__(self) -> None:
        self.tenths = 50 + self.number % 400
        self.temperature = self.tenths / 10
        self.humidity = 20 + self.number % 61
        self.battery = 1 + self.number % 100


def packed(moment: Moment) -> int:
    return moment.tenths * 1000 + moment.humidity * 10


@dataclass
class Sensor:
    name: str
    source: str
    frame: Callable[[Moment, int], bytes]
    values: str = "temperature humidity battery"

    def line(self, device: int, moment: Moment) -> str:
        frame, source = self.frame(moment, device), self.source
        if source == "company any":
            # The first two bytes of the frame are in the place of the company's identifier.
            source, frame = f"company {frame[1]:02x}{frame[0]:02x}", frame[2:]
        return f"{device} {source} {frame.hex()}"

    def expected(self, moment: Moment) -> dict[str, float]:
        all_values = {
            "temperature": moment.temperature, "temperature_2": moment.temperature + 1, "humidity": moment.humidity,
            "battery": moment.battery, "voltage": 2.9, "pressure": 1013.25, "pm2_5": moment.number, "mass": 50 + moment.number / 10,
            "impedance": 400 + moment.number,
        }
        return {name: all_values[name] for name in self.values.split()}


def address(device: int) -> bytes:
    """That of a device of the benchmarks' bluetoothd."""
    return bytes([0xA4, 0xC1, 0x38, 0, 0, device])


def weight(moment: Moment, unit: int) -> bytes:
    return struct.pack("<H", (500 + moment.number) * unit)


DATE = bytes.fromhex("e4070a0f081e00")
SENSORS = [
    Sensor("ATC_AABBCC", "service fcd2", lambda m, d: struct.pack(
        "<BBBBBBhBH", 0x40, 0, m.number % 256, 1, m.battery, 2, m.tenths * 10, 3, m.humidity * 100)),
    Sensor("Ruuvi 0001", "company 0499", lambda m, d: bytes([3, m.humidity * 2, m.tenths // 10, m.tenths % 10 * 10]) + struct.pack(
        ">HhhhH", 51325, 4, -4, 1036, 2900), "temperature humidity pressure voltage"),
    Sensor("Ruuvi 0002", "company 0499", lambda m, d: b"\5" + struct.pack(
        ">hHHhhhHBH", m.tenths * 20, m.humidity * 400, 51325, 4, -4, 1036, 1300 << 5, 66, m.number) + address(d),
        "temperature humidity pressure voltage"),
    Sensor("ATC_000003", "service 181a", lambda m, d: address(d) + struct.pack(
        ">hBBHB", m.tenths, m.humidity, m.battery, 2900, m.number % 256), "temperature humidity battery voltage"),
    Sensor("ATC_000004", "service 181a", lambda m, d: address(d)[::-1] + struct.pack(
        "<hHHBBB", m.tenths * 10, m.humidity * 100, 2900, m.battery, m.number % 256, 0), "temperature humidity battery voltage"),
    Sensor("GVH5072_0005", "company ec88", lambda m, d: b"\0" + packed(m).to_bytes(3, "big") + bytes([m.battery, 0])),
    Sensor("GVH5075_0006", "company ec88", lambda m, d: b"\0" + packed(m).to_bytes(3, "big") + bytes([m.battery, 0])),
    Sensor("Govee_H5074_0007", "company ec88", lambda m, d: b"\0" + struct.pack(
        "<hHBB", m.tenths * 10, m.humidity * 100, m.battery, 2)),
    Sensor("GVH5102_0008", "company 0001", lambda m, d: b"\1\1" + packed(m).to_bytes(3, "big") + bytes([m.battery])),
    Sensor("GVH5106_0009", "company 0001", lambda m, d: b"\1\1" + (packed(m) * 1000 + m.number).to_bytes(4, "big"),
           "temperature humidity pm2_5"),
    Sensor("Govee_H5179_0010", "company 8801", lambda m, d: b"\xec\0\1\1" + struct.pack(
        "<hHB", m.tenths * 10, m.humidity * 100, m.battery)),
    Sensor("sps", "company any", lambda m, d: struct.pack("<hHHBBB", m.tenths * 10, m.humidity * 100, 0, 0, m.battery, 8)),
    Sensor("tps", "company any", lambda m, d: struct.pack("<hHHBBB", m.tenths * 10, m.humidity * 100, 0, 0, m.battery, 8)),
    Sensor("iBBQ", "company any", lambda m, d: bytes(4) + address(d) + struct.pack("<hh", m.tenths, m.tenths + 10),
           "temperature temperature_2"),
    Sensor("TP357 (0014)", "company any", lambda m, d: b"\xc2" + struct.pack("<hBB", m.tenths, m.humidity, 2) + b"\x2c",
           "temperature humidity"),
    Sensor("WoSensorTH", "service fd3d", lambda m, d: bytes([
        0x54, 0, m.battery, m.tenths % 10, 0x80 | m.tenths // 10, m.humidity])),
    Sensor("Contact", "service fd3d", lambda m, d: bytes([0x64, 0x40, m.battery, 2, 0, 0, 0, 0, 0]), "battery"),
    Sensor("Motion", "service fd3d", lambda m, d: bytes([0x73, 0x40, m.battery, 0, 0, 2]), "battery"),
    Sensor("MI_SCALE", "service 181d", lambda m, d: b"\x22" + weight(m, 20) + DATE, "mass"),
    Sensor("MIBCS", "service 181b", lambda m, d: b"\2\x26" + DATE + struct.pack("<H", 400 + m.number) + weight(m, 20),
           "mass impedance"),
]


def text() -> str:
    """The file of the benchmarks' bluetoothd."""
    frames = [sensor.line(device, Moment(number)) for number in range(ROUNDS) for device, sensor in enumerate(SENSORS)]
    return "\n".join([sensor.name for sensor in SENSORS] + frames) + "\n"


Values = tuple[int, frozenset[tuple[str, float]]]


def values(device: int, named: dict[str, float]) -> Values:
    return device, frozenset((name, round(number, 3)) for name, number in named.items())


def expected(rounds: range) -> set[Values]:
    return {values(device, sensor.expected(Moment(number))) for number in rounds for device, sensor in enumerate(SENSORS)}


def device(identifier: str) -> int:
    return int(identifier.replace(":", "")[-2:], 16)


def ours(identifier: str, published: dict[str, float]) -> Values:
    return values(device(identifier), {
        name: published[name] for name in SENSORS[device(identifier)].values.split() if published.get(name) is not None})


def theirs(published: dict[str, float]) -> Values:
    number = device(published["id"])
    return values(number, {
        name: published[THEIRS[name]] for name in SENSORS[number].values.split() if THEIRS[name] in published})

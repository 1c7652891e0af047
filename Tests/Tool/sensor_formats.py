#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# sensor_formats.py BLUECAP-SENSOR-FORMATS [--count N] [--seed N]: N random frames of each format, read by the library and by a decoder of
# others, and frames that the library makes. A value that differs without a reason in the format's table, and a reason that no frame of
# 10,000 had, is a failure.
import argparse
import json
import logging
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from beacontools import parse_packet
from govee_ble import GoveeBluetoothDeviceData
from habluetooth import BluetoothServiceInfoBleak
from inkbird_ble import INKBIRDBluetoothDeviceData
from ruuvitag_ble.df3_decoder import DataFormat3Decoder
from ruuvitag_ble.df5_decoder import DataFormat5Decoder
from ruuvitag_ble.df6_decoder import DataFormat6Decoder
from ruuvitag_ble.dfe1_decoder import DataFormatE1Decoder
from switchbot.adv_parsers.contact import process_wocontact
from switchbot.adv_parsers.meter import process_wosensorth
from switchbot.adv_parsers.motion import process_wopresence
from TheengsDecoder import decodeBLE
from thermopro_ble import ThermoProBluetoothDeviceData
from xiaomi_ble.parser import XiaomiBluetoothDeviceData

from sensor_made import made_frames
from sensor_objects import ABOVE, THEENGS_NAMES, atc, mibeacon, one_object, read_atc, read_mibeacon

ADDRESS = "A4:C1:38:00:00:01"
Values = dict[str, float | None]


@dataclass
class Frame:
    """An advertisement with one frame."""

    data: bytes
    company: int | None = None
    service: int | None = None
    name: str = ""
    key: bytes | None = None
    advertised: str = ""

    def line(self) -> str:
        place = f"s{self.service:04X}" if self.service is not None else f"c{self.company:04X}"
        key = f" k{self.key.hex()}={ADDRESS}" if self.key else ""
        return f"{place}={self.data.hex()}{key}|{self.name}"

    def info(self) -> BluetoothServiceInfoBleak:
        companies = {} if self.company is None else {self.company: self.data}
        services = {} if self.service is None else {f"0000{self.service:04x}-0000-1000-8000-00805f9b34fb": self.data}
        return BluetoothServiceInfoBleak(
            name=self.name, address=ADDRESS, rssi=-60, manufacturer_data=companies, service_data=services, service_uuids=[*services, self.advertised],
            source="", device=None, advertisement=None, connectable=False, time=0, tx_power=None)


@dataclass
class Reason:
    """Why a value may differ, and in which frames it does."""

    text: str
    holds: Callable[[Frame, str, float | None, float | None], bool]
    count: int = 0


@dataclass
class Format:
    name: str
    judge: str
    make: Callable[[random.Random], Frame]
    read: Callable[[Frame], Values]
    tolerance: float = 1e-6
    reasons: list[Reason] = field(default_factory=list)
    counter: Callable[[Frame], int | None] | None = None
    address: Callable[[Frame], str | None] | None = None
    variant: str = ""

    def __post_init__(self) -> None:
        if self.name in ABOVE:
            self.reasons = [*self.reasons, replace(PERCENT)]


def bytes_of(count: int, source: random.Random) -> bytearray:
    """Random bytes, some of which are all ones, all zeros, or the least number with a sign, as reserved values are."""
    data = bytearray(source.randbytes(count))
    for _ in range(source.randrange(3)):
        place = source.randrange(count)
        data[place:place + 2] = source.choice([b"\xff\xff", b"\0\0", b"\x80\0", b"\0\x80"])[:count - place]
    return data


def frames(count: int, company: int | None = None, service: int | None = None, name: str = "", start: bytes = b"", change=None):
    def make(source: random.Random) -> Frame:
        data = bytes_of(count, source)
        data[:len(start)] = start
        if change:
            change(data, source)
        return Frame(bytes(data), company, service, name)
    return make


# The judges. Each gives values by the name of the kind, with a number behind it from the second on.

def ruuvi(decoder, with_voltage: bool = True):
    names = {
        "temperature_celsius": "temperature", "humidity_percentage": "humidity", "pressure_hpa": "pressure", "movement_counter": "count",
        "pm1_ug_m3": "PM1", "pm25_ug_m3": "PM2.5", "pm4_ug_m3": "PM4", "pm10_ug_m3": "PM10", "co2_ppm": "CO2", "voc_index": "VOC_index",
        "nox_index": "NOx_index", "luminosity_lux": "illuminance",
    }

    def read(frame: Frame) -> Values:
        made = decoder(frame.data)
        values = {name: getattr(made, key) for key, name in names.items() if hasattr(made, key)}
        if hasattr(made, "battery_voltage_mv"):
            values["voltage"] = None if made.battery_voltage_mv is None else made.battery_voltage_mv / 1000
        if hasattr(made, "acceleration_vector_mg"):
            for number, value in enumerate(made.acceleration_vector_mg):
                values["acceleration" + (f" {number + 1}" if number else "")] = None if value is None else value * 0.00980665
        return values
    return read


def cut_ruuvi(frame: Frame) -> Values:
    """Format C5 is format 5 without the acceleration: it is judged with six bytes put in."""
    values = ruuvi(DataFormat5Decoder)(Frame(b"\x05" + frame.data[1:7] + bytes(6) + frame.data[7:]))
    return {name: value for name, value in values.items() if not name.startswith("acceleration")}


def entities(decoder, second: str = ""):
    """A decoder of Home Assistant's, by the keys of its values; `second` is one whose value is the second of its name."""
    names = {
        "temperature": "temperature", "humidity": "humidity", "battery": "battery", "pm25": "PM2.5", "co2": "CO2", "mass": "mass",
        "impedance": "impedance",
    }

    def read(frame: Frame) -> Values:
        values = {}
        for key, value in decoder().update(frame.info()).entity_values.items():
            name, _, probe = key.key.partition("_probe_")
            if probe:
                name = {"temperature": "temperature", "temperature_alarm": "alarm_temperature"}.get(name)
                if name and value.native_value is not None:
                    values[name if probe == "1" else f"{name} {probe}"] = value.native_value
            elif key.key in names:
                number = " 2" if key.key == second or key.device_id == "remote" else ""
                values[names[key.key] + number] = None if value.native_value == "error" else value.native_value
        return values
    return read


def theengs(names: dict[str, str]):
    def read(frame: Frame) -> Values:
        if frame.service is not None:
            message = {"servicedata": frame.data.hex(), "servicedatauuid": f"0x{frame.service:04x}"}
        else:
            message = {"manufacturerdata": (frame.company.to_bytes(2, "little") + frame.data).hex()}
        answer = decodeBLE(json.dumps(message | {"name": frame.name, "id": ADDRESS}))
        found = json.loads(answer) if answer else {}
        return {name: found.get(key) for key, name in names.items()}
    return read


def switchbot(parser, names: dict[str, str], is_company: bool = False):
    def read(frame: Frame) -> Values:
        found = parser(None, frame.data) if is_company else parser(frame.data, None)
        return {name: None if found.get(key) is None else float(found[key]) for key, name in names.items()}
    return read


def eddystone(frame: Frame) -> Values:
    head = bytes.fromhex("020106 0303aafe") + bytes([len(frame.data) + 3]) + bytes.fromhex("16aafe")
    found = parse_packet(head + frame.data)
    return {"voltage": found.voltage / 1000, "temperature": found.temperature, "duration": found.seconds_since_boot / 10}


# The frames and the differences.

def vector_is_cut(start: int):
    """Whether another axis of the acceleration is unknown, for which the judge takes all three."""
    def holds(frame: Frame, name: str, own, other) -> bool:
        return name.startswith("acceleration") and other is None and b"\x80\0" in [frame.data[start + 2 * n:][:2] for n in range(3)]
    return holds


def govee_humidity(place: int):
    def holds(frame: Frame, name: str, own, other) -> bool:
        packed = int.from_bytes(frame.data[place:place + 3], "big")
        degrees = (packed & 0x7FFFFF) // 1000 / 10 * (-1 if packed & 0x800000 else 1)
        return name.startswith("humidity") and other is None and not -40 <= degrees <= 100
    return holds


def likely(place: int, size: int = 3):
    """Every second frame has a temperature that a room may have."""
    def change(data: bytearray, source: random.Random) -> None:
        if source.random() < 0.5:
            number = source.randrange(400) * 1000 + source.randrange(1000)
            if size == 4:
                number = number * 1000 + source.randrange(1000)
            sign = 1 << (8 * size - 1) if source.random() < 0.3 else 0
            data[place:place + size] = (number | sign).to_bytes(size, "big")
            data[place + size:place + size + 1] = bytes([source.randrange(101)])[:len(data) - place - size]
    return change


def remote(data: bytearray, source: random.Random) -> None:
    likely(3)(data, source)
    data[2] = source.choice([0, 1])


def six_probes(source: random.Random) -> Frame:
    data = bytes_of(20, source)
    data[3] = source.choice([0x00, 0x40, 0x80]) | source.randrange(64)
    return Frame(bytes(data), 0x04CF, None, "GVH5055_1234", None, "00005550-0000-1000-8000-00805f9b34fb")


def meat(data: bytearray, source: random.Random) -> None:
    data[6] = source.choice([1, 2, 65, 66, 129, 130, 193, 194])


def stepped_off(data: bytearray, source: random.Random) -> None:
    if source.random() < 0.1:
        data[11:] = bytes(2)


def in_bounds(*places: tuple[int, int, int]):
    """Little-endian numbers below a bound in two of three frames, as a judge refuses the whole frame otherwise."""
    def change(data: bytearray, source: random.Random) -> None:
        for place, size, bound in places:
            if source.random() < 0.9:
                data[place:place + size] = source.randrange(bound).to_bytes(size, "little")
    return change


def whole(make):
    """The bytes of the company belong to the frame."""
    def made(source: random.Random) -> Frame:
        frame = make(source)
        return Frame(frame.data[2:], int.from_bytes(frame.data[:2], "little"), None, frame.name)
    return made


ABSENT = "a probe that is not there sends a negative number: unknown, and not 0 °C"
NO_PROBE = Reason(ABSENT, lambda frame, name, own, other: own is None and other == 0)
BELOW = Reason(ABSENT, lambda frame, name, own, other: own is None and name.startswith("temperature") and other < 0)
NO_ROOM = Reason("the judge takes 0 °C and 0 % for no values",
                 lambda f, name, own, other: other is None and own == 0 and f.data[9] & 0x7F == 0 == f.data[8] & 0x0F == f.data[10] & 0x7F)
OUT = "the temperature is out of range: unknown, and the humidity is read"
LB = Reason(
    "a scale in lb sends lb, and the judge gives kg",
    lambda frame, name, own, other: name == "mass" and None not in (own, other) and abs(own * 0.45359237 - other) < 0.0051)


def inkbird_corrupt(places: list[tuple[int, int, int]]):
    def holds(frame: Frame, name: str, own, other) -> bool:
        data = frame.company.to_bytes(2, "little") + frame.data
        return other is None and any(int.from_bytes(data[place:place + size], "little") > most for place, size, most in places)
    return [Reason("the judge takes nothing of a frame of which one value is above 100 %", holds)]


PERCENT = Reason(
    "above 100 % or below 0: unknown",
    lambda frame, name, own, other: own is None and name.split()[0] in ("humidity", "battery", "moisture") and not 0 <= (other or 0) < 100)


SIGN = Reason("the object definition: a temperature has a sign, and a conductivity has none",
              lambda frame, name, own, other: name in ("temperature", "conductivity") and round(abs(own - other) * 10) % 65536 == 0)


def of_product(text: str, values: tuple[str, ...], is_own: bool, *products: int, but: bool = False) -> Reason:
    """A value that one of both has alone, of these products or of others."""
    return Reason(
        text, lambda frame, name, own, other: (other if is_own else own) is None and name.startswith(values) and
        (int.from_bytes(frame.data[2:4], "little") in products) != but)


LISTED = [
    PERCENT, Reason("a number that nothing measures: unknown", lambda frame, name, own, other: own is None and abs(other or 0) >= 1e6),
    Reason("the judge drops the tenths of two products", lambda f, name, own, other: name == "humidity" and 0 <= (own or -1) - other < 1),
    of_product(
        "the object definition: all products have the illuminance", ("illuminance",), True, 0x07F6, 0x098B, 0x0098, 0x03BC, 0x0A83, but=True),
    of_product(
        "the object definition: all products have the presses", ("button",), True, 0x0153, 0x068E, 0x04E6, 0x03BF, 0x03B6, but=True),
    of_product("a product of four buttons has no other", ("button 1 press",), False, 0x3A61, 0x3E17),
    of_product("a remote control has no state", ("power",), False, 0x0153),
]


def listed(name: str, versions: list[int], is_sealed: bool) -> Format:
    def make(source: random.Random) -> Frame:
        data, key = mibeacon(source, source.choice(versions), is_sealed)
        return Frame(data, None, 0xFE95, "", key)

    def counter(frame: Frame) -> int:
        tag = 1 if frame.data[1] >> 4 <= 3 else 4
        more = frame.data[-3 - tag:-tag] if is_sealed else b""
        return int.from_bytes(frame.data[4:5] + more, "little")
    return Format(
        "MiBeacon", "xiaomi-ble", make, lambda frame: read_mibeacon(frame.data, frame.key), 0.051, [replace(reason) for reason in LISTED],
        counter, lambda frame: ADDRESS, name)


def firmware(name: str, count: int) -> Format:
    def make(source: random.Random) -> Frame:
        data, key = atc(source, count)
        return Frame(data, None, 0x181A, "", key)
    return Format(
        name, "atc-ble", make, lambda frame: read_atc(frame.data, frame.key or b""), 1e-6, [replace(PERCENT)], lambda frame: frame.data[0])


FORMATS = [
    listed(", clear", [2, 3, 4, 5], False),
    listed(", keys of version 3", [2, 3], True),
    listed(", keys of version 5", [4, 5], True),
    Format(
        "MiBeacon", "TheengsDecoder", lambda source: Frame(one_object(source), None, 0xFE95), theengs(THEENGS_NAMES), 1e-4, [replace(PERCENT), SIGN],
        lambda frame: frame.data[4], lambda frame: ADDRESS, ", clear, again"),
    firmware("pvvx encrypted", 6), firmware("ATC1441 encrypted", 3),
    Format(
        "RuuviTag 3", "ruuvitag-ble", frames(14, 0x0499, start=b"\x03"), ruuvi(DataFormat3Decoder), 0.0051, [
            Reason("docs.ruuvi.com: the maximum of its vectors is 127.5 %", lambda f, name, own, other: name == "humidity" and f.data[1] > 200),
            Reason("the judge takes all axes for unknown where one is", vector_is_cut(6))]),
    Format(
        "RuuviTag 5", "ruuvitag-ble", frames(24, 0x0499, start=b"\x05"), ruuvi(DataFormat5Decoder), 0.0051, [
            Reason("docs.ruuvi.com: a movement counter of 255 is not available", lambda f, name, own, other: name == "count" and other == 255),
            Reason("the judge takes all axes for unknown where one is", vector_is_cut(7))],
        lambda frame: DataFormat5Decoder(frame.data).measurement_sequence_number, lambda frame: DataFormat5Decoder(frame.data).mac),
    Format(
        "RuuviTag C5", "ruuvitag-ble", frames(18, 0x0499, start=b"\xC5"), cut_ruuvi, 0.0051, [
            Reason("docs.ruuvi.com: a movement counter of 255 is not available", lambda f, name, own, other: name == "count" and other == 255)],
        lambda frame: int.from_bytes(frame.data[10:12], "big"), lambda frame: frame.data[12:].hex(":").upper()),
    Format(
        "Ruuvi Air 6", "ruuvitag-ble", frames(20, 0x0499, start=b"\x06"), ruuvi(DataFormat6Decoder), 0.0051, [
            Reason("the judge rounds to whole lx", lambda f, name, own, other: name == "illuminance" and abs(own - other) <= 0.5)],
        lambda frame: DataFormat6Decoder(frame.data).measurement_sequence_number),
    Format(
        "Ruuvi Air E1", "ruuvitag-ble", frames(40, 0x0499, start=b"\xE1"), ruuvi(DataFormatE1Decoder), 0.0051, [],
        lambda frame: DataFormatE1Decoder(frame.data).measurement_sequence_number, lambda frame: DataFormatE1Decoder(frame.data).mac),
    Format(
        "ATC1441", "TheengsDecoder", frames(13, service=0x181A, start=bytes.fromhex("A4C138")),
        theengs({"tempc": "temperature", "hum": "humidity", "batt": "battery", "volt": "voltage"}), 1e-4,
        address=lambda frame: frame.data[:6].hex(":").upper()),
    Format(
        "pvvx", "TheengsDecoder",
        frames(15, service=0x181A, change=lambda data, source: data.__setitem__(slice(3, 6), bytes.fromhex("38C1A4"))),
        theengs({"tempc": "temperature", "hum": "humidity", "batt": "battery", "volt": "voltage"}), 1e-4,
        address=lambda frame: frame.data[5::-1].hex(":").upper()),
    Format(
        "Govee H5072", "govee-ble", frames(6, 0xEC88, name="GVH5075_1234", change=likely(1)), entities(GoveeBluetoothDeviceData), 0.0051,
        [Reason(OUT, govee_humidity(1))]),
    Format("Govee H5074", "govee-ble", frames(7, 0xEC88, name="Govee_H5074_1234"), entities(GoveeBluetoothDeviceData), 0.0051),
    Format("Govee H5051", "govee-ble", frames(9, 0xEC88, name="Govee_H5051_1234"), entities(GoveeBluetoothDeviceData), 0.0051),
    Format("Govee H5179", "govee-ble", frames(9, 0x8801, name="Govee_H5179_1234", start=b"\xEC"), entities(GoveeBluetoothDeviceData), 0.0051),
    Format(
        "Govee H5100", "govee-ble", frames(6, 0x0001, name="GVH5102_1234", change=likely(2)), entities(GoveeBluetoothDeviceData), 0.0051,
        [Reason(OUT, govee_humidity(2))]),
    Format("Govee H5106", "govee-ble", frames(6, 1, name="GVH5106_1234", change=likely(2, 4)), entities(GoveeBluetoothDeviceData), 0.0051),
    Format("Govee H5181", "govee-ble", frames(14, 0x388A), entities(GoveeBluetoothDeviceData), 0.0051, [replace(NO_PROBE)]),
    Format("Govee H5182", "govee-ble", frames(17, 0x2730), entities(GoveeBluetoothDeviceData), 0.0051, [replace(NO_PROBE)]),
    Format("Govee H5183", "govee-ble", frames(14, 0x67DD), entities(GoveeBluetoothDeviceData), 0.0051, [replace(NO_PROBE)]),
    Format("Govee H5184", "govee-ble", frames(17, 0x1B36, change=meat), entities(GoveeBluetoothDeviceData), 0.0051, [replace(NO_PROBE)]),
    Format("Govee H5185", "govee-ble", frames(20, 0x4A32), entities(GoveeBluetoothDeviceData), 0.0051, [replace(NO_PROBE)]),
    Format(
        "Govee H5108", "govee-ble", frames(8, 0x0001, name="GVH5108_1234", change=likely(2)), entities(GoveeBluetoothDeviceData), 0.0051,
        [Reason(OUT, govee_humidity(2))]),
    Format(
        "Govee H5178", "govee-ble", frames(9, 0x0001, name="B51782BC8", change=remote), entities(GoveeBluetoothDeviceData), 0.0051,
        [Reason(OUT, govee_humidity(3))]),
    Format("Govee H5191", "govee-ble", frames(20, 0xAC63), entities(GoveeBluetoothDeviceData, "temperature"), 0.0051, [replace(NO_PROBE)]),
    Format("Govee H5198", "govee-ble", frames(20, 0x3022, change=meat), entities(GoveeBluetoothDeviceData), 0.0051, [replace(NO_PROBE)]),
    Format("Govee H5055", "govee-ble", six_probes, entities(GoveeBluetoothDeviceData), 0.0051, [replace(BELOW)]),
    Format(
        "Inkbird IBS-TH", "inkbird-ble", whole(frames(9, name="sps", change=in_bounds((2, 2, 10001), (7, 1, 101)))),
        entities(INKBIRDBluetoothDeviceData), 0.0051, inkbird_corrupt([(2, 2, 10_000), (7, 1, 100)])),
    Format(
        "Inkbird IBS-TH2", "inkbird-ble", whole(frames(9, name="tps", change=in_bounds((2, 2, 10001), (7, 1, 101)))),
        entities(INKBIRDBluetoothDeviceData), 0.0051, inkbird_corrupt([(2, 2, 10_000), (7, 1, 100)])),
    Format(
        "Inkbird IBS-P02B", "inkbird-ble", whole(frames(18, name="IBS-P02B", change=in_bounds((8, 2, 1001), (10, 1, 101)))),
        entities(INKBIRDBluetoothDeviceData), 0.0051, inkbird_corrupt([(8, 2, 1000), (10, 1, 100)])),
    *(Format(f"Inkbird iBBQ-{count}", "inkbird-ble", whole(frames(length, name="iBBQ")), entities(INKBIRDBluetoothDeviceData), 0.0051)
      for count, length in [(1, 12), (2, 14), (4, 18), (6, 22)]),
    Format("ThermoPro TP35x", "thermopro-ble", whole(frames(6, name="TP357 (2142)", start=b"\xC2")), entities(ThermoProBluetoothDeviceData), 0.0051),
    Format(
        "SwitchBot Meter", "PySwitchbot", frames(6, service=0xFD3D, start=b"\x54"),
        switchbot(process_wosensorth, {"temperature": "temperature", "humidity": "humidity", "battery": "battery"}), 1e-4, [
            Reason("the judge takes 0 °C and 0 % for no values",
                   lambda f, name, own, other: other is None and f.data[4] & 0x7F == 0 and f.data[3] & 0x0F == 0 and f.data[5] & 0x7F == 0)]),
    Format(
        "SwitchBot Contact Sensor", "PySwitchbot", frames(9, service=0xFD3D, start=b"\x64"),
        switchbot(process_wocontact, {
            "contact_open": "opening", "motion_detected": "motion", "is_light": "light", "battery": "battery"})),
    Format(
        "SwitchBot Motion Sensor", "PySwitchbot", frames(6, service=0xFD3D, start=b"\x73"),
        switchbot(process_wopresence, {"motion_detected": "motion", "is_light": "light", "battery": "battery"})),
    Format(
        "SwitchBot Meter of its company", "PySwitchbot", frames(12, 0x0969, name="WoSensorTH"),
        switchbot(process_wosensorth, {"temperature": "temperature", "humidity": "humidity"}, True), 1e-4, [NO_ROOM]),
    Format(
        "SwitchBot Contact Sensor of its company", "PySwitchbot", frames(13, 0x0969, name="WoContact"),
        switchbot(process_wocontact, {"contact_open": "opening", "motion_detected": "motion", "is_light": "light"}, True)),
    Format(
        "SwitchBot Motion Sensor of its company", "PySwitchbot", frames(9, 0x0969, name="WoPresence"),
        switchbot(process_wopresence, {"motion_detected": "motion", "is_light": "light"}, True)),
    Format("Mi Smart Scale", "xiaomi-ble", frames(10, service=0x181D), entities(XiaomiBluetoothDeviceData), 0.0051, [replace(LB)]),
    Format(
        "Mi Body Composition Scale", "xiaomi-ble", frames(13, service=0x181B, change=stepped_off), entities(XiaomiBluetoothDeviceData), 0.0051, [
            replace(LB), Reason("the judge takes no impedance of a mass of 0",
                                lambda f, name, own, other: name == "impedance" and f.data[11:] == bytes(2))]),
    Format(
        "Eddystone telemetry", "beacontools", frames(14, service=0xFEAA, start=b"\x20\x00"), eddystone, 0.0051, [
            Reason("the protocol: a voltage of 0 is not known", lambda f, name, own, other: name == "voltage" and other == 0),
            Reason("the protocol: a temperature of 8000 is not known", lambda f, name, own, other: name == "temperature" and other == 128),
            Reason("the protocol: a temperature has a sign",
                   lambda f, name, own, other: name == "temperature" and None not in (own, other) and other - own == 256)]),
]


def own_values(answer: str) -> tuple[str, str, str, Values]:
    parts = answer.split("|")
    values = {}
    for part in parts[3:]:
        if part.startswith("@"):
            event, _, number = part[1:].rpartition(" ")
            values[event] = float(number)
            continue
        name, ordinal, number, _ = part.split(" ", 3)
        values[name if ordinal == "1" else f"{name} {ordinal}"] = None if number == "-" else float(number)
    return (parts[0], *(parts[1:3] if len(parts) > 2 else ("-", "-")), values)


def compare(form: Format, program: str, count: int, source: random.Random) -> list[str]:
    """The differences that have no reason."""
    made = [form.make(source) for _ in range(count)]
    answers = subprocess.run(
        [program], input="".join(frame.line() + "\n" for frame in made), capture_output=True, text=True, check=True).stdout.split("\n")
    found = []
    for frame, answer in zip(made, answers):
        name, counter, address, own = own_values(answer)
        if name != form.name:
            found.append(f"{frame.line()}: it is of '{name}'")
            continue
        theirs = form.read(frame)
        for key in sorted(own.keys() | theirs.keys()):
            mine, other = own.get(key), theirs.get(key)
            if mine is None and other is None or None not in (mine, other) and abs(mine - other) <= form.tolerance:
                continue
            reason = next((reason for reason in form.reasons if reason.holds(frame, key, mine, other)), None)
            if reason:
                reason.count += 1
            else:
                found.append(f"{frame.line()}: {key} is {mine}, and {form.judge} reads {other}")
        if form.counter:
            other = form.counter(frame)
            if counter != str(other) and not (counter == "-" and (other is None or other + 1 in (1 << 16, 1 << 24))):
                found.append(f"{frame.line()}: the counter is {counter}, and {form.judge} reads {other}")
        if form.address and address != form.address(frame).replace(":", "").lower() and address != "-":
            found.append(f"{frame.line()}: the address is {address}, and {form.judge} reads {form.address(frame)}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=46)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    passed = failed = 0
    names = subprocess.run([options.program], input="names\n", capture_output=True, text=True, check=True).stdout.strip().split("|")
    for name in set(names) ^ {form.name for form in FORMATS}:
        print(f"FAILED {name:26} no decoder judges it, or the library has it no more")
        failed += 1
    for form in FORMATS:
        title = form.name + form.variant
        if options.only not in title:
            continue
        found = compare(form, options.program, options.count, random.Random(f"{options.seed} {form.name}{form.variant}"))
        idle = [reason.text for reason in form.reasons if reason.count == 0 and options.count >= 10_000]
        found += [f"no frame differs because: {text}" for text in idle]
        print(f"{'FAILED' if found else 'ok':6} {title:29} {options.count} frames as {form.judge} reads them")
        for reason in form.reasons:
            print(f"         {reason.count} values: {reason.text}")
        for text in found[:5]:
            print(f"         {text}")
        passed, failed = passed + (not found), failed + bool(found)
    made = made_frames(options.program, options.count // 5, options.seed, options.only)
    passed, failed = passed + sum(made), failed + made.count(False)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())

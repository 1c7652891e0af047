# SPDX-License-Identifier: MIT
"""Random frames of formats that are lists of objects or encrypted, for sensor_formats.py, and Home Assistant's decoders of them."""
import random
import struct

from atc_ble import ATCBluetoothDeviceData
from Cryptodome.Cipher import AES
from habluetooth import BluetoothServiceInfoBleak
from xiaomi_ble.devices import DEVICE_TYPES
from xiaomi_ble.parser import XiaomiBluetoothDeviceData

ADDRESS = "A4:C1:38:00:00:01"
REVERSED = bytes.fromhex(ADDRESS.replace(":", ""))[::-1]
KEY = bytes.fromhex("231d39c1d7cc1ab1aee224cd096db932")
SHORT_KEY = bytes.fromhex("b853075158487ca39a5b5ea9")
MIBEACON, ATC = "0000fe95-0000-1000-8000-00805f9b34fb", "0000181a-0000-1000-8000-00805f9b34fb"

# The objects by their numbers, with how many bytes they have. Those of locks, brushes, bands and lamps are no sensor's, and a body's
# temperature in 2000 is an estimate of the judge's.
MEASUREMENTS = {
    0x000A: 2, 0x1004: 2, 0x4801: 4, 0x4C01: 4, 0x1006: 2, 0x4802: 1, 0x4C02: 1, 0x4808: 4, 0x4C08: 4, 0x100D: 4, 0x4805: 4, 0x1008: 1,
    0x1009: 2, 0x100A: 1, 0x4803: 1, 0x4C03: 1, 0x5003: 1, 0x4E16: 9, 0x6E16: 9,
}
STATES = {
    0x0003: 1, 0x0007: 1, 0x000F: 3, 0x1005: 2, 0x1007: 3, 0x1012: 1, 0x1014: 1, 0x4806: 1, 0x1015: 1, 0x1017: 4, 0x4818: 2, 0x1018: 1,
    0x1019: 1, 0x100F: 1, 0x101B: 4, 0x4804: 1, 0x4A12: 1, 0x480C: 1, 0x483C: 1, 0x484E: 1, 0x487B: 1, 0x4A68: 1, 0x4A01: 1, 0x4E01: 1,
    0x4A08: 4, 0x4A0F: 1, 0x4A1A: 1,
}
PRESSES = {
    0x1001: 3, 0x4A0C: 1, 0x4A0D: 1, 0x4A0E: 1, 0x4A13: 1, 0x4E0C: 1, 0x4E0D: 1, 0x4E0E: 1, 0x560C: 1, 0x560D: 1, 0x560E: 1,
}
# Products to which an object means something of their own, so that a random one would be one of them too rarely.
PRODUCTS = {
    0x000F: [0x07F6, 0x0A8D, 0x0A83], 0x1007: [0x07F6, 0x098B, 0x0098, 0x03BC], 0x1006: [0x055B, 0x0387], 0x484E: [0x4683], 0x487B: [0x6375],
    0x4A68: [0x6375], 0x100F: [0x09B0],
    0x1001: [0x0A8D, 0x07BF, 0x0997, 0x0863, 0x04E1, 0x0153, 0x068E, 0x04E6, 0x03BF, 0x03B6, 0x1568, 0x1569, 0x0DFD],
    0x4A0C: [0x5968], 0x4A0D: [0x5968], 0x4A0E: [0x5968], 0x4E0C: [0x1949, 0x1C10, 0x2387], 0x4E0D: [0x1949, 0x2387], 0x4E0E: [0x1949, 0x2387],
    0x560C: [0x3A61, 0x3E17, 0x520B, 0x78A3], 0x560D: [0x3A61, 0x520B], 0x560E: [0x3E17, 0x78A3],
}
NUMBERS = {
    "on": 1, "off": 2, "brightness": 3, "plus": 4, "M": 5, "min": 6,
    0x068E: ["fan", "light", "wind_speed", "color_temperature", "wind_mode", "brightness"],
    0x04E6: ["swing", "power", "timer_60_minutes", "increase_wind_speed", "timer_30_minutes", "decrease_wind_speed"],
    0x03BF: ["stop", "air_exchange", "fan", "increase_speed", "decrease_speed", "dry", "light", "swing", "heat"],
    0x3A61: ["left", "mid_left", "mid_right", "right"], 0x3E17: ["left", "mid_left", "mid_right", "right"],
    0x0DFD: ["left", "middle", "right"],
}
STATE_NAMES = {"bottom_submersion": "moisture", "top_splash": "moisture 2"}
NAMES = {
    "temperature": "temperature", "humidity": "humidity", "battery": "battery", "illuminance": "illuminance", "moisture": "moisture",
    "conductivity": "conductivity", "mass": "mass", "impedance_low": "impedance", "impedance_high": "impedance 2",
}
STATE_KINDS = {"door", "light", "battery", "motion", "occupancy", "opening", "power", "smoke", "moisture"}


THEENGS_NAMES = {
    "tempc": "temperature", "hum": "humidity", "batt": "battery", "lux": "illuminance", "moi": "moisture", "fer": "conductivity",
}
# The frames that TheengsDecoder reads, by the product: frame control, the byte of the capability, and the objects.
THEENGS = {
    0x01AA: (0x2050, b"", [0x1004, 0x1006, 0x100A, 0x100D]), 0x02DF: (0x2050, b"", [0x1004, 0x1006, 0x100A]),
    0x045B: (0x2070, b"\x0d", [0x1004, 0x1006, 0x100A]), 0x0098: (0x2071, b"\x0d", [0x1004, 0x1007, 0x1008, 0x1009]),
    0x015D: (0x2071, b"\x0d", [0x1008, 0x1009]),
}
# The formats that are data and whose judges read percentages above 100 as numbers.
ABOVE = {
    "Ruuvi Air 6", "Ruuvi Air E1", "ATC1441", "pvvx", "Govee H5072", "Govee H5074", "Govee H5051", "Govee H5179", "Govee H5100", "Govee H5108",
    "Govee H5178", "Govee H5055", "ThermoPro TP35x", "SwitchBot Meter", "SwitchBot Contact Sensor", "SwitchBot Motion Sensor",
    "SwitchBot Meter of its company",
}


def one_object(source: random.Random) -> bytes:
    """A frame of MiBeacon as TheengsDecoder knows it."""
    product = source.choice(list(THEENGS))
    control, capability, numbers = THEENGS[product]
    number = source.choice(numbers)
    count = {**MEASUREMENTS, **STATES}[number]
    head = control.to_bytes(2, "little") + product.to_bytes(2, "little") + source.randbytes(1) + REVERSED + capability
    return head + number.to_bytes(2, "little") + bytes([count]) + data_of(number, count, product, source)


def data_of(number: int, count: int, product: int, source: random.Random) -> bytes:
    data = bytearray(source.randbytes(count))
    if source.random() < 0.6:
        # A number that is likely, and a state that is defined.
        data[:] = bytes([source.randrange(6)]) if count == 1 else source.randrange(1000).to_bytes(count, "little")
    if number == 0x1001:
        data[:] = bytes([source.randrange(9), source.randrange(256), source.choice([0, 1, 2])])
        if product == 0x03B6:
            data[2] = source.choice([3, 4])
            data[0] = source.randrange(2) if data[2] == 3 else source.choice([0, source.randrange(256)])
        elif product not in (0x1568, 0x1569, 0x0DFD):
            data[2] = source.choice([0, 1, 2, 5, 6, 7])
    elif number in (0x560D, 0x560E):
        data[0] = source.randrange(1, 5)
    elif count == 4 and number >= 0x4801 and number != 0x101B:
        data[:] = struct.pack("<f", source.choice([source.uniform(-40, 1000), source.uniform(0, 100), 3e38]))
    elif number == 0x6E16 and source.random() < 0.3:
        data[1:5] = (source.randrange(1 << 14) << 18).to_bytes(4, "little")
    return bytes(data)


def mibeacon(source: random.Random, version: int, is_sealed: bool) -> tuple[bytes, bytes | None]:
    """A frame of MiBeacon, and its key."""
    group = source.choice([MEASUREMENTS, STATES, PRESSES])
    numbers = [source.choice(list(group))]
    if group is MEASUREMENTS and source.random() < 0.3:
        numbers.append(source.choice(list(group)))
    product = source.choice(list(DEVICE_TYPES))
    if numbers[0] in PRODUCTS and source.random() < 0.9:
        product = source.choice(PRODUCTS[numbers[0]])
    objects = b"".join(
        number.to_bytes(2, "little") + bytes([group[number]]) + data_of(number, group[number], product, source) for number in numbers)
    control = version << 12 | 0x40 | (8 if is_sealed else 0) | source.choice([0, 0x10]) | source.choice([0, 0x20]) | source.randrange(16) << 8
    head = control.to_bytes(2, "little") + product.to_bytes(2, "little") + source.randbytes(1)
    data = head
    if control & 0x10:
        data += REVERSED
    if control & 0x20:
        capability = source.randrange(256)
        data += bytes([capability]) + (source.randbytes(1) if capability & 0x20 else b"")
    if not is_sealed:
        return data + objects, None
    more = source.randbytes(3)
    if version <= 3:
        # The tag has 16 bytes, of which the first is sent.
        key = SHORT_KEY[:6] + bytes.fromhex("8d3d3c97") + SHORT_KEY[6:]
        cipher = AES.new(key, AES.MODE_CCM, nonce=head + more + REVERSED[:5], mac_len=16)
    else:
        cipher = AES.new(KEY, AES.MODE_CCM, nonce=REVERSED + head[2:] + more, mac_len=4)
    cipher.update(b"\x11")
    body, tag = cipher.encrypt_and_digest(objects)
    return (data + body + more + tag[:1], SHORT_KEY) if version <= 3 else (data + body + more + tag, KEY)


def info(service: str, data: bytes) -> BluetoothServiceInfoBleak:
    return BluetoothServiceInfoBleak(
        name="", address=ADDRESS, rssi=-60, manufacturer_data={}, service_data={service: data}, service_uuids=[], source="", device=None,
        advertisement=None, connectable=False, time=0, tx_power=None)


def button_number(name: str, product: int) -> int | None:
    _, _, button = name.partition("_")
    if not button:
        return 1
    if product in NUMBERS:
        return NUMBERS[product].index(button) + 1 if button in NUMBERS[product] else None
    return {"left": 1, "right": 2}.get(button) or NUMBERS.get(button)


def read_mibeacon(data: bytes, key: bytes | None) -> dict[str, float | None]:
    """Values by their names, and events with their count."""
    product = int.from_bytes(data[2:4], "little")
    made = XiaomiBluetoothDeviceData(key).update(info(MIBEACON, data))
    values: dict[str, float | None] = {}
    for key_, value in made.entity_values.items():
        if key_.key in NAMES:
            values[NAMES[key_.key]] = value.native_value
    for key_, value in made.binary_entity_values.items():
        name = STATE_NAMES.get(key_.key, key_.key)
        if key_.key in STATE_NAMES or name in STATE_KINDS:
            values[name] = float(bool(value.native_value))
    for key_, event in made.events.items():
        name = str(key_.key)
        if name == "motion":
            values["motion"] = 1
        elif event.event_type not in (None, "no_press"):
            part = "button" if name.startswith("button") else "dimmer"
            number = button_number(name, product) if part == "button" else 1
            if number:
                values[f"{part} {number} {event.event_type}"] = next(iter((event.event_properties or {}).values()), 0)
    return values


def atc(source: random.Random, count: int) -> tuple[bytes, bytes]:
    body, counter = source.randbytes(count), source.randbytes(1)
    cipher = AES.new(KEY, AES.MODE_CCM, nonce=REVERSED + bytes([count + 8, 0x16, 0x1A, 0x18]) + counter, mac_len=4)
    cipher.update(b"\x11")
    return counter + b"".join(cipher.encrypt_and_digest(body)), KEY


def read_atc(data: bytes, key: bytes) -> dict[str, float | None]:
    made = ATCBluetoothDeviceData(key).update(info(ATC, data))
    return {key_.key: value.native_value for key_, value in made.entity_values.items() if key_.key in NAMES}

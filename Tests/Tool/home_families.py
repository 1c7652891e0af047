# SPDX-License-Identifier: MIT
# A part of home_sensors.py, as a table: a sensor of each family, its values, and the entities of Home Assistant that have them.
import re

KEY = "231d39c1d7cc1ab1aee224cd096db932"
# The values of a device, by its name. They are played by a world's file in the format "format", or in that of the name; with "key"
# encrypted. A frame of a family with fewer than three values has all that there are: a probe for meat with its alarm, the scales, and the
# meter of SwitchBot in its company's data.
FAMILIES: dict[str, dict] = {
    "RuuviTag C5": {"temperature": 21.5, "humidity": 40.5, "pressure": 1013.25, "voltage": 2.977},
    "Ruuvi Air 6": {"temperature": 20.5, "PM2.5": 11.2, "CO2": 640, "VOC index": 100},
    "Ruuvi Air E1": {"temperature": 19.5, "PM10": 12.1, "CO2": 700, "illuminance": 130.25},
    "ATC1441": {"temperature": 22.5, "humidity": 41, "battery": 91, "voltage": 2.95},
    "pvvx encrypted": {"temperature": -3.25, "humidity": 45.12, "battery": 97, "key": KEY},
    "ATC1441 encrypted": {"temperature": 23.5, "humidity": 45.5, "battery": 96, "key": KEY},
    "Govee H5074": {"temperature": -7.25, "humidity": 81.4, "battery": 55},
    "Govee H5106": {"temperature": 23.1, "humidity": 52.5, "PM2.5": 17},
    "Govee H5179": {"temperature": 5.25, "humidity": 60.1, "battery": 54},
    "Govee H5181": {"temperature": 60.5, "alarm temperature": 75},
    "Govee H5055": {"temperature": 61, "alarm temperature": 76, "battery": 53},
    "Inkbird IBS-TH": {"temperature": 24.25, "humidity": 38.5, "battery": 88},
    "Inkbird IBS-TH2": {"temperature": -18.25, "humidity": 30.5, "battery": 87},
    "Inkbird iBBQ-4": {"temperature": 63.5, "temperature 2": 64.5, "temperature 3": 65.5, "temperature 4": 66.5},
    "ThermoPro TP35x": {"temperature": 22.9, "humidity": 47, "battery": 50},
    "SwitchBot Meter": {"temperature": -0.5, "humidity": 46, "battery": 86},
    "SwitchBot Meter of its company": {"temperature": 25.5, "humidity": 48},
    "SwitchBot Contact Sensor": {"opening": True, "motion": False, "light": True, "battery": 85},
    "SwitchBot Motion Sensor": {"motion": True, "light": False, "battery": 84},
    "Mi Smart Scale": {"mass": 72.5},
    "Mi Body Composition Scale": {"mass": 72.5, "impedance": 500},
    "Eddystone telemetry": {"voltage": 2.9, "temperature": 20.5, "duration": 600},
    "BTHome": {"temperature": 21.5, "humidity": 45.5, "illuminance": 99, "opening": True},
    "BTHome encrypted": {"temperature": 18.5, "humidity": 44.5, "door": False, "format": "BTHome", "key": KEY},
    "Flower": {"moisture": 50, "conductivity": 300, "illuminance": 1200, "format": "MiBeacon"},
    "Hall": {"temperature": -7.5, "humidity": 45.2, "battery": 83, "opening": True, "format": "MiBeacon", "key": KEY},
}
# The unit and the class of numbers; all are measurements.
KINDS = {
    "temperature": ("°C", "temperature"), "alarm temperature": ("°C", "temperature"), "humidity": ("%", "humidity"), "battery": ("%", "battery"),
    "pressure": ("hPa", "atmospheric_pressure"), "voltage": ("V", "voltage"), "PM2.5": ("µg/m³", "pm25"), "PM10": ("µg/m³", "pm10"),
    "CO2": ("ppm", "carbon_dioxide"), "VOC index": (None, None), "illuminance": ("lx", "illuminance"), "mass": ("kg", "weight"),
    "impedance": ("Ω", None), "moisture": ("%", "moisture"), "conductivity": ("µS/cm", "conductivity"), "duration": ("s", "duration"),
}


def slug(text: str) -> str:
    return re.sub("[^a-z0-9]+", "_", text.lower())


def address(number: int) -> str:
    return f"A4:C1:38:00:04:{number:02X}"


def devices() -> list[dict]:
    """The sensors of a world's file."""
    found = []
    for number, (name, row) in enumerate(FAMILIES.items()):
        sensor = {"format": row.get("format", name), "values": {kind: value for kind, value in row.items() if kind not in ("format", "key")}}
        if "key" in row:
            sensor["key"] = row["key"]
        found.append({"address": address(number), "sensor": sensor})
    return found


def rules() -> list[dict]:
    """The rules of a gateway, which give names and keys."""
    return [
        {"match": {"address": address(number)}, "name": name} | ({"key": row["key"]} if "key" in row else {})
        for number, (name, row) in enumerate(FAMILIES.items())
    ]


def entities() -> dict[str, tuple]:
    """The state, the unit, the class and the state class of each entity, by its name."""
    found: dict[str, tuple] = {}
    for name, row in FAMILIES.items():
        for kind, value in row.items():
            entity = f"{slug(name)}_{slug(kind)}"
            if isinstance(value, bool):
                found[f"binary_sensor.{entity}"] = ("on" if value else "off", None, kind, None)
            elif kind not in ("format", "key"):
                found[f"sensor.{entity}"] = (str(value), *KINDS[re.sub(" [0-9]$", "", kind)], "measurement")
    return found

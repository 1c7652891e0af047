#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# home_proxy.py BLUECAP: the real Home Assistant and `bluecap proxy` over a virtual radio. Each line is a behaviour. The interpreter is
# that of Home Assistant's environment, BLUECAP a program with the trait ESPHome, and the network one of this program's own, with an address
# that is no loopback (Tests/Tool/home_proxy).
# home_proxy.py --requirements: the packages that Home Assistant's integrations for a proxy need.
import base64
import json
import os
import signal
import subprocess
import sys
import time

HOST, PORT = "10.99.0.1", 6053
KEY = base64.b64encode(bytes(range(32))).decode()
THERMOMETER, STRAP = "A4:C1:38:00:00:01", "C0:DE:00:00:00:02"
# An integration that connects to a device through the radio that Home Assistant chooses, as those of products do, and tells what it knows.
PROBE = '''
from bleak import BleakClient
from bleak_retry_connector import establish_connection
from homeassistant.components import bluetooth
from homeassistant.core import SupportsResponse
import asyncio
import time


async def async_setup(hass, config):
    async def read(call):
        device = bluetooth.async_ble_device_from_address(hass, call.data["address"], connectable=True)
        if device is None:
            return {"value": "not in reach"}
        client = await establish_connection(BleakClient, device, call.data["address"])
        values = asyncio.Queue()
        try:
            value = await client.read_gatt_char(call.data["read"])
            await client.start_notify(call.data["notify"], lambda _, value: values.put_nowait(bytes(value)))
            notified = [(await asyncio.wait_for(values.get(), 20)).hex() for _ in range(3)]
        finally:
            await client.disconnect()
        return {"value": value.hex(), "notified": notified}

    async def radios(call):
        return {"count": bluetooth.async_scanner_count(hass, connectable=True)}

    async def heard(call):
        found = bluetooth.async_last_service_info(hass, call.data["address"], connectable=False)
        return {"ago": None if found is None else time.monotonic() - found.time}

    async def flows(call):
        return {"flows": [{key: flow[key] for key in ("handler", "flow_id")} for flow in hass.config_entries.flow.async_progress()]}

    for work in (read, radios, heard, flows):
        hass.services.async_register("probe", work.__name__, work, supports_response=SupportsResponse.ONLY)
    return True
'''


def requirements() -> list[str]:
    import homeassistant
    folder = os.path.join(os.path.dirname(homeassistant.__file__), "components")
    waiting, needs = ["esphome", "bluetooth", "bthome", "zeroconf"], {}
    while waiting:
        name = waiting.pop()
        if name not in needs:
            with open(os.path.join(folder, name, "manifest.json"), encoding="utf-8") as file:
                manifest = json.load(file)
            needs[name] = manifest.get("requirements", [])
            waiting += manifest.get("dependencies", [])
    return sorted({need for each in needs.values() for need in each})


if sys.argv[1:] == ["--requirements"]:
    print("\n".join(requirements()))
    sys.exit()

from gateway_scene import Proxy, end, path, sensor, show, within, write  # noqa: E402
from home import ENTRIES, HomeAssistant  # noqa: E402


write("key", KEY + "\n")
write("thermometer.json", json.dumps(sensor("Cellar", THERMOMETER, "40016102c409")))
WORLD = write("proxied.json", json.dumps({"world": 1, "devices": [
    {"twin": "thermometer.json"},
    {"name": "Belt", "address": STRAP, "metres": 4, "services": ["Heart Rate", "Battery"], "values": {"battery level": "80"},
     "moves": {"heart rate measurement": "wave:60..120"}}]}))


def ask(home: HomeAssistant, service: str, **data) -> dict:
    """The answer of the integration."""
    return home.call("POST", f"/api/services/probe/{service}?return_response", data)["service_response"]


def flows(home: HomeAssistant, handler: str) -> list[dict]:
    """What it has discovered for an integration, and asks a person to confirm."""
    return [flow for flow in ask(home, "flows")["flows"] if flow["handler"] == handler]


def hears(home: HomeAssistant) -> bool:
    """Whether a packet of the thermometer came within the last second; it sends five."""
    ago = ask(home, "heard", address=THERMOMETER)["ago"]
    return ago is not None and ago < 1


def temperature(home: HomeAssistant) -> str | None:
    """The value that is shown of the thermometer; None without an entity."""
    states = home.call("GET", "/api/states")
    return next((one["state"] for one in states if one["attributes"].get("device_class") == "temperature"), None)


def take_up(home: HomeAssistant) -> bool:
    """Whether the thermometer is an entity with its value, after a person has confirmed it."""
    within(10, lambda: flows(home, "bthome") or temperature(home))
    for flow in flows(home, "bthome"):
        home.follow("bthome", {}, flow=flow["flow_id"])
    return within(10, lambda: temperature(home) == "25.0")


def start() -> Proxy:
    return Proxy("--key", path("key"), "--port", str(PORT), backend=f"virtual:{WORLD}")


def proxy_and_home() -> None:
    proxy = start()
    began = time.monotonic()
    home = HomeAssistant("zeroconf:", "probe:", components={"probe": PROBE})
    home.follow("esphome", {"user": {"host": HOST, "port": PORT}, "encryption_key": {"noise_psk": KEY}})
    show("Home Assistant adopts the proxy by address and key", within(5, lambda: proxy.has(event="client", state="joined")), proxy.lines[-5:])
    show("a sensor in the proxy's reach is an entity", take_up(home), home.call("GET", "/api/states"))
    seconds = time.monotonic() - began
    show("with its value, fifteen seconds after Home Assistant's start", seconds <= 15 * PATIENCE, f"{seconds:.1f} s")

    result = ask(home, "read", address=STRAP, read="00002a19-0000-1000-8000-00805f9b34fb", notify="00002a37-0000-1000-8000-00805f9b34fb")
    show("an integration reads a value through it", result.get("value") == "50", result)
    show("and is notified", len(set(result.get("notified", []))) > 1, result)
    left = within(5, lambda: proxy.has(event="link", state="disconnected", id=STRAP))
    show("its connection ends when it has all", left, proxy.lines[-5:])

    proxy.process.kill()
    proxy.process.wait()
    silent = within(10, lambda: not hears(home))
    show("Home Assistant notices the proxy's end", silent and within(10, lambda: ask(home, "radios")["count"] == 0), ask(home, "radios"))
    proxy = start()
    back = within(10 * PATIENCE, lambda: ask(home, "radios")["count"] == 1)
    show("it is back ten seconds after the proxy's return", back, proxy.lines[-5:])
    show("and hears the sensor again", within(10, lambda: hears(home)), ask(home, "heard", address=THERMOMETER))

    entry = next(one for one in home.call("GET", ENTRIES) if one["domain"] == "esphome")
    home.call("DELETE", f"{ENTRIES}/{entry['entry_id']}")
    within(5, lambda: ask(home, "radios")["count"] == 0)
    avahi = subprocess.Popen(
        ["avahi-daemon", "-f", os.environ["BLUECAP_AVAHI_CONF"], "--no-drop-root", "--no-rlimits", "--no-chroot"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    show("an Avahi that starts later announces the proxy", within(10, lambda: proxy.has(event="announcement", state="announced")), proxy.lines[-5:])
    found = within(20, lambda: flows(home, "esphome"))
    show("Home Assistant finds it by mDNS", found, proxy.lines[-5:])
    if found:
        home.follow("esphome", {"encryption_key": {"noise_psk": KEY}}, flow=flows(home, "esphome")[0]["flow_id"])
    show("and adopts it", within(10, lambda: ask(home, "radios")["count"] == 1), proxy.lines[-5:])
    show("and hears the sensor again", within(10, lambda: hears(home)), ask(home, "heard", address=THERMOMETER))
    show("the proxy ends by Ctrl-C", proxy.end() == -signal.SIGINT, proxy.lines[-3:])
    home.stop()
    avahi.terminate()


# A machine that is slow, or busy with the other steps of CI, has more time.
PATIENCE = float(os.environ.get("BLUECAP_PATIENCE", "1"))
end(proxy_and_home)

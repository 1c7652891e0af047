// SPDX-License-Identifier: MIT

#include "changes.h"

#include <stdio.h>

#include "bus.h"
#include "objects.h"

static Wire wire;

Array change_begin(Wire *signal, const char *path, const char *interface) {
    wire_begin(signal, &(Header){.type = SIGNAL, .path = path, .interface = "org.freedesktop.DBus.Properties",
        .member = "PropertiesChanged", .signature = "sa{sv}as"});
    wire_string(signal, interface);
    return wire_open(signal, 8);
}

void change_end(Wire *signal, Array properties) {
    wire_close(signal, properties);
    wire_close(signal, wire_open(signal, 4));
}

void send_bool(const char *path, const char *interface, const char *key, int value) {
    Array properties = change_begin(&wire, path, interface);
    entry_bool(&wire, key, value);
    change_end(&wire, properties);
    bus_send(&wire);
}

void send_frame(const char *path, int16_t rssi, uint16_t service, const uint8_t *frame, uint32_t count) {
    char uuid[37];
    snprintf(uuid, sizeof uuid, "%08x-0000-1000-8000-00805f9b34fb", service);
    Array properties = change_begin(&wire, path, DEVICE_INTERFACE);
    entry_service(&wire, "ServiceData", uuid, frame, count);
    entry_i16(&wire, "RSSI", rssi);
    change_end(&wire, properties);
    bus_send(&wire);
}

void send_sighting(const char *path, int16_t rssi, uint16_t company, const uint8_t *data, uint32_t count) {
    Array properties = change_begin(&wire, path, DEVICE_INTERFACE);
    if (data) entry_company(&wire, "ManufacturerData", company, data, count);
    entry_i16(&wire, "RSSI", rssi);
    change_end(&wire, properties);
    bus_send(&wire);
}

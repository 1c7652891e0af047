// SPDX-License-Identifier: MIT

#include "objects.h"

#include <stdio.h>
#include <string.h>

#include "scene.h"

static const char *const roles[] = {"central", "peripheral", NULL};
static const char *const uses[] = {"read", "write-without-response", "write", "notify", NULL};
static const char *const services[] = {
    "0000180f-0000-1000-8000-00805f9b34fb", "f000aa00-0451-4000-b000-000000000000", NULL};
static const char *const none[] = {NULL};

// An object with one interface, open for its properties.
typedef struct {
    Array interfaces, properties;
} Object;

static Object begin(Wire *wire, const char *path, const char *interface) {
    Object object;
    wire_align(wire, 8);
    wire_string(wire, path);
    object.interfaces = wire_open(wire, 8);
    wire_align(wire, 8);
    wire_string(wire, interface);
    object.properties = wire_open(wire, 8);
    return object;
}

static void end(Wire *wire, Object object) {
    wire_close(wire, object.properties);
    wire_close(wire, object.interfaces);
}

// Ends an interface of the object and begins another one.
static void next(Wire *wire, Object *object, const char *interface) {
    wire_close(wire, object->properties);
    wire_align(wire, 8);
    wire_string(wire, interface);
    object->properties = wire_open(wire, 8);
}

static void adapter(Wire *wire) {
    Object object = begin(wire, ADAPTER, "org.bluez.Adapter1");
    entry_string(wire, "Address", "s", "C0:DE:00:00:00:00");
    entry_string(wire, "AddressType", "s", "public");
    entry_string(wire, "Name", "s", "benchmark");
    entry_string(wire, "Alias", "s", "benchmark");
    entry_bool(wire, "Powered", 1);
    entry_bool(wire, "Discovering", 0);
    entry_strings(wire, "UUIDs", none);
    entry_strings(wire, "Roles", roles);
    next(wire, &object, "org.bluez.GattManager1");
    next(wire, &object, "org.bluez.LEAdvertisingManager1");
    end(wire, object);
}

static void device(Wire *wire, const char *path, const char *address, const char *name, int index) {
    uint8_t data[] = {2, 21, index, index >> 8, 0, 0, 0, 0};
    Object object = begin(wire, path, DEVICE_INTERFACE);
    entry_string(wire, "Address", "s", address);
    entry_string(wire, "AddressType", "s", "random");
    entry_string(wire, "Name", "s", name);
    entry_string(wire, "Alias", "s", name);
    entry_bool(wire, "Paired", 0);
    entry_bool(wire, "Bonded", 0);
    entry_bool(wire, "Trusted", 0);
    entry_bool(wire, "Blocked", 0);
    entry_bool(wire, "LegacyPairing", 0);
    entry_bool(wire, "Connected", 0);
    entry_strings(wire, "UUIDs", services);
    entry_string(wire, "Adapter", "o", ADAPTER);
    entry_company(wire, "ManufacturerData", 0x004c, data, sizeof data);
    entry_bool(wire, "ServicesResolved", 0);
    end(wire, object);
}

static void characteristics(Wire *wire) {
    Object service = begin(wire, TARGET "/service0010", "org.bluez.GattService1");
    entry_string(wire, "UUID", "s", services[1]);
    entry_string(wire, "Device", "o", TARGET);
    entry_bool(wire, "Primary", 1);
    end(wire, service);
    for (int index = 0; index < CHARACTERISTICS; index++) {
        char path[128], uuid[64];
        snprintf(path, sizeof path, TARGET "/service0010/char%04x", 0x11 + 3 * index);
        snprintf(uuid, sizeof uuid, "f000ab%02x-0451-4000-b000-000000000000", index);
        Object object = begin(wire, path, CHARACTERISTIC_INTERFACE);
        entry_string(wire, "UUID", "s", uuid);
        entry_string(wire, "Service", "o", TARGET "/service0010");
        entry_bytes(wire, "Value", NULL, 0);
        entry_bool(wire, "Notifying", 0);
        entry_strings(wire, "Flags", uses);
        entry_bool(wire, "WriteAcquired", 0);
        entry_bool(wire, "NotifyAcquired", 0);
        entry_u16(wire, "MTU", 247);
        end(wire, object);
    }
}

const char *device_path(int index) {
    static char path[64];
    snprintf(path, sizeof path, ADAPTER "/dev_A4_C1_38_00_%02X_%02X", index >> 8, index & 255);
    return path;
}

void write_objects(Wire *wire, int devices) {
    Array objects = wire_open(wire, 8);
    adapter(wire);
    device(wire, TARGET, "C0:DE:00:00:00:01", "Target", 0);
    characteristics(wire);
    for (int index = 0; index < devices; index++) {
        char address[32], name[32];
        snprintf(address, sizeof address, "A4:C1:38:00:%02X:%02X", index >> 8, index & 255);
        // The name of a kind of sensor of which some programs take frames of BTHome.
        const char *own = scene_name(index);
        if (own) snprintf(name, sizeof name, "%s", own);
        else snprintf(name, sizeof name, "ATC_%06X", index);
        device(wire, device_path(index), address, name, index);
    }
    wire_close(wire, objects);
}

// SPDX-License-Identifier: MIT

#include "peripheral.h"

#include <stdio.h>
#include <string.h>

#include "bus.h"
#include "objects.h"

int updates_socket = -1;
static Wire wire;
static char client[64], characteristic[256];
static uint32_t registered, objects_asked, socket_asked, oldest_write, writes_left;

static Header call_to(const char *path, const char *interface, const char *member, const char *signature) {
    return (Header){.type = CALL, .path = path, .interface = interface, .member = member, .destination = client,
        .signature = signature};
}

void register_application(const Message *call) {
    uint32_t offset = 0;
    const char *root = body_string(call, &offset);
    if (!root) return;
    snprintf(client, sizeof client, "%s", call->header.sender);
    registered = call->serial;
    Header header = call_to(root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", NULL);
    wire_begin(&wire, &header);
    objects_asked = bus_send(&wire);
}

// Remembers the first characteristic among the objects, whose properties are passed over.
static void find_characteristic(const Message *objects) {
    uint32_t at = 0, end = body_array(objects, &at, 8);
    for (end += at; at < end;) {
        at = (at + 7) & ~7u;
        const char *path = body_string(objects, &at);
        uint32_t interfaces_end = body_array(objects, &at, 8);
        if (!path) return;
        for (interfaces_end += at; at < interfaces_end;) {
            at = (at + 7) & ~7u;
            const char *interface = body_string(objects, &at);
            uint32_t properties = body_array(objects, &at, 8);
            if (!interface) return;
            at += properties;
            if (!*characteristic && !strcmp(interface, CHARACTERISTIC_INTERFACE)) {
                snprintf(characteristic, sizeof characteristic, "%s", path);
            }
        }
    }
}

static void finish_registration(const Message *objects) {
    char rule[256];
    find_characteristic(objects);
    snprintf(rule, sizeof rule,
        "type='signal',sender='%s',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'", client);
    bus_match(rule);
    wire_begin(&wire, &(Header){.type = ANSWER, .answers = registered, .destination = client});
    bus_send(&wire);
}

static void options(void) {
    Array options = wire_open(&wire, 8);
    entry_string(&wire, "device", "o", TARGET);
    entry_u16(&wire, "mtu", 247);
    entry_string(&wire, "link", "s", "LE");
    wire_close(&wire, options);
}

void subscribe(int over_socket) {
    Header header = call_to(
        characteristic, CHARACTERISTIC_INTERFACE, over_socket ? "AcquireNotify" : "StartNotify",
        over_socket ? "a{sv}" : NULL);
    wire_begin(&wire, &header);
    if (over_socket) options();
    uint32_t serial = bus_send(&wire);
    if (over_socket) socket_asked = serial;
}

static uint32_t write_one(void) {
    uint8_t value[VALUE] = {1};
    Header header = call_to(characteristic, CHARACTERISTIC_INTERFACE, "WriteValue", "aya{sv}");
    wire_begin(&wire, &header);
    wire_bytes(&wire, value, VALUE);
    options();
    writes_left--;
    return bus_send(&wire);
}

void write_requests(uint32_t count, uint32_t at_once) {
    writes_left = count;
    oldest_write = 0;
    for (uint32_t index = 0; index < at_once && writes_left; index++) {
        uint32_t serial = write_one();
        if (!oldest_write) oldest_write = serial;
    }
}

int peripheral_answered(const Message *answer, int descriptor) {
    uint32_t serial = answer->header.answers;
    if (objects_asked && serial == objects_asked) finish_registration(answer);
    else if (socket_asked && serial == socket_asked) updates_socket = descriptor;
    else if (oldest_write && serial >= oldest_write) {
        if (writes_left) write_one();
    } else return 0;
    if (answer->header.type == FAILURE) fprintf(stderr, "bluetoothd: answered with %s\n", answer->header.error);
    return 1;
}

// SPDX-License-Identifier: MIT

// smallest_gateway PORT: publishes the BTHome values that it hears to a broker on this machine, and can do nothing else. With one thread,
// libdbus and libmosquitto it shows how little time of a processor a message can take: it has no queue, forgets nothing that it has not
// heard, comes back from no fault, and trusts all bytes but their number.

#include <dbus/dbus.h>
#include <mosquitto.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mosquitto *broker;

// The signal strength and the service data among the properties that have changed.
static void read_properties(DBusMessageIter *properties, int *rssi, const uint8_t **bytes, int *count) {
    for (; dbus_message_iter_get_arg_type(properties) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(properties)) {
        DBusMessageIter entry, value, services, service, variant, data;
        const char *name;
        dbus_message_iter_recurse(properties, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &value);
        if (!strcmp(name, "RSSI")) {
            int16_t strength;
            dbus_message_iter_get_basic(&value, &strength);
            *rssi = strength;
        } else if (!strcmp(name, "ServiceData")) {
            dbus_message_iter_recurse(&value, &services);
            if (dbus_message_iter_get_arg_type(&services) != DBUS_TYPE_DICT_ENTRY) continue;
            dbus_message_iter_recurse(&services, &service);
            dbus_message_iter_next(&service);
            dbus_message_iter_recurse(&service, &variant);
            dbus_message_iter_recurse(&variant, &data);
            dbus_message_iter_get_fixed_array(&data, bytes, count);
        }
    }
}

static DBusHandlerResult take(DBusConnection *bus, DBusMessage *message, void *context) {
    DBusMessageIter body, properties;
    const uint8_t *bytes = NULL;
    int count = 0, rssi = 0, battery = 0;
    double temperature = 0, humidity = 0;
    (void)bus, (void)context;
    if (!dbus_message_is_signal(message, DBUS_INTERFACE_PROPERTIES, "PropertiesChanged"))
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    dbus_message_iter_init(message, &body);
    dbus_message_iter_next(&body);
    dbus_message_iter_recurse(&body, &properties);
    read_properties(&properties, &rssi, &bytes, &count);
    if (!bytes) return DBUS_HANDLER_RESULT_HANDLED;
    for (int at = 1; at + 2 <= count;) {
        switch (bytes[at]) {
        case 0: at += 2; break;
        case 1: battery = bytes[at + 1], at += 2; break;
        case 2: temperature = (int16_t)(bytes[at + 1] | bytes[at + 2] << 8) / 100.0, at += 3; break;
        case 3: humidity = (bytes[at + 1] | bytes[at + 2] << 8) / 100.0, at += 3; break;
        default: at = count;
        }
    }
    char topic[64], payload[128];
    snprintf(topic, sizeof topic, "smallest%s", strrchr(dbus_message_get_path(message), '/'));
    int length = snprintf(payload, sizeof payload, "{\"battery\":%d,\"humidity\":%g,\"rssi\":%d,\"temperature\":%g}",
        battery, humidity, rssi, temperature);
    mosquitto_publish(broker, NULL, topic, length, payload, 1, true);
    return DBUS_HANDLER_RESULT_HANDLED;
}

int main(int count, char **words) {
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SYSTEM, NULL);
    mosquitto_lib_init();
    broker = mosquitto_new("smallest", true, NULL);
    if (count != 2 || !bus || !broker || mosquitto_connect(broker, "127.0.0.1", atoi(words[1]), 60)) return 1;
    dbus_bus_add_match(bus, "type='signal',interface='" DBUS_INTERFACE_PROPERTIES "'", NULL);
    dbus_connection_add_filter(bus, take, NULL, NULL);
    int descriptor;
    dbus_connection_get_unix_fd(bus, &descriptor);
    for (;;) {
        short events = mosquitto_want_write(broker) ? POLLIN | POLLOUT : POLLIN;
        struct pollfd sockets[] = {{descriptor, POLLIN, 0}, {mosquitto_socket(broker), events, 0}};
        poll(sockets, 2, 1000);
        if (sockets[0].revents) {
            if (!dbus_connection_read_write(bus, 0)) return 0;
            while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS);
        }
        if (sockets[1].revents & POLLIN && mosquitto_loop_read(broker, 1)) return 0;
        if (sockets[1].revents & POLLOUT) mosquitto_loop_write(broker, 1);
        mosquitto_loop_misc(broker);
    }
}

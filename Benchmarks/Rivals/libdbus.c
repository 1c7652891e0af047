// SPDX-License-Identifier: MIT

// libdbus WORK COUNT [AT_ONCE]: the works of `pipeline` in C over libdbus, without any state beside them.
#include <dbus/dbus.h>
#include <sys/socket.h>

#include "measure.h"
#include "names.h"

static DBusConnection *bus;
static Measurement made;
static int ended;

static void stop(const char *what, DBusError *error) {
    fprintf(stderr, "libdbus: %s: %s\n", what, error && error->message ? error->message : "");
    exit(1);
}

static DBusMessage *call_to(const char *path, const char *interface, const char *member) {
    return dbus_message_new_method_call(BLUEZ, path, interface, member);
}

// Adds the options that most calls end with; null for none.
static void add_options(DBusMessageIter *arguments, const char *type) {
    DBusMessageIter options, entry, value;
    const char *key = "type";
    dbus_message_iter_open_container(arguments, 'a', "{sv}", &options);
    if (type) {
        dbus_message_iter_open_container(&options, 'e', NULL, &entry);
        dbus_message_iter_append_basic(&entry, 's', &key);
        dbus_message_iter_open_container(&entry, 'v', "s", &value);
        dbus_message_iter_append_basic(&value, 's', &type);
        dbus_message_iter_close_container(&entry, &value);
        dbus_message_iter_close_container(&options, &entry);
    }
    dbus_message_iter_close_container(arguments, &options);
}

static DBusMessage *operation(int index) {
    char path[128];
    DBusMessageIter arguments, bytes;
    int reads = !strcmp(made.work, "read");
    snprintf(path, sizeof path, CHARACTERISTIC_FORMAT, 0x11 + 3 * index);
    DBusMessage *call = call_to(path, CHARACTERISTIC_INTERFACE, reads ? "ReadValue" : "WriteValue");
    dbus_message_iter_init_append(call, &arguments);
    if (!reads) {
        uint8_t value[20] = {7};
        const uint8_t *start = value;
        dbus_message_iter_open_container(&arguments, 'a', "y", &bytes);
        dbus_message_iter_append_fixed_array(&bytes, 'y', &start, 20);
        dbus_message_iter_close_container(&arguments, &bytes);
    }
    add_options(&arguments, reads ? NULL : !strcmp(made.work, "command") ? "command" : "request");
    return call;
}

static DBusMessage *ask(DBusMessage *call) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *answer = dbus_connection_send_with_reply_and_block(bus, call, -1, &error);
    if (!answer) stop(dbus_message_get_member(call), &error);
    dbus_message_unref(call);
    return answer;
}

static int acquire(const char *member) {
    DBusMessageIter arguments;
    DBusError error = DBUS_ERROR_INIT;
    int descriptor;
    dbus_uint16_t mtu;
    DBusMessage *call = call_to(CHARACTERISTIC, CHARACTERISTIC_INTERFACE, member);
    dbus_message_iter_init_append(call, &arguments);
    add_options(&arguments, NULL);
    DBusMessage *answer = ask(call);
    if (!dbus_message_get_args(
            answer, &error, DBUS_TYPE_UNIX_FD, &descriptor, DBUS_TYPE_UINT16, &mtu, DBUS_TYPE_INVALID)) {
        stop(member, &error);
    }
    dbus_message_unref(answer);
    return descriptor;
}

// One operation after the other in each of so many places; what is at an index is when the one of that place was begun.
static double begun[64];

static void answered(DBusPendingCall *pending, void *place);

static void send_operation(intptr_t index) {
    DBusPendingCall *pending;
    DBusMessage *call = operation(index);
    begun[index] = now_us();
    dbus_connection_send_with_reply(bus, call, &pending, -1);
    dbus_pending_call_set_notify(pending, answered, (void *)index, NULL);
    dbus_message_unref(call);
}

static long sent;

static void answered(DBusPendingCall *pending, void *place) {
    intptr_t index = (intptr_t)place;
    DBusMessage *answer = dbus_pending_call_steal_reply(pending);
    if (dbus_message_get_type(answer) == DBUS_MESSAGE_TYPE_ERROR) made.wrong++;
    if (!strcmp(made.work, "read")) {
        const uint8_t *value;
        int size = 0;
        dbus_message_get_args(answer, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &value, &size, DBUS_TYPE_INVALID);
        if (size != 20) made.wrong++;
    }
    dbus_message_unref(answer);
    dbus_pending_call_unref(pending);
    made.latencies[made.done++] = now_us() - begun[index];
    if (sent < made.count) sent++, send_operation(index);
}

static void operations(void) {
    begin(&made);
    for (long index = 0; index < made.at_once && sent < made.count; index++) sent++, send_operation(index);
    while (made.done < made.count && dbus_connection_read_write_dispatch(bus, -1)) {}
}

// Of a change the interface, and the properties at their first entry.
static int change(DBusMessage *signal, const char *interface, DBusMessageIter *properties) {
    DBusMessageIter arguments;
    const char *of;
    if (!dbus_message_is_signal(signal, PROPERTIES, "PropertiesChanged")) return 0;
    if (!dbus_message_iter_init(signal, &arguments)) return 0;
    dbus_message_iter_get_basic(&arguments, &of);
    if (strcmp(of, interface)) return 0;
    dbus_message_iter_next(&arguments);
    dbus_message_iter_recurse(&arguments, properties);
    return 1;
}

// Moves to the value of a property; returns 0 when it has not changed.
static int find(DBusMessageIter *properties, const char *name, DBusMessageIter *value) {
    for (; dbus_message_iter_get_arg_type(properties) != DBUS_TYPE_INVALID; dbus_message_iter_next(properties)) {
        DBusMessageIter entry;
        const char *key;
        dbus_message_iter_recurse(properties, &entry);
        dbus_message_iter_get_basic(&entry, &key);
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, value);
        if (!strcmp(key, name)) return 1;
    }
    return 0;
}

static DBusHandlerResult notified(DBusConnection *connection, DBusMessage *signal, void *context) {
    (void)connection, (void)context;
    DBusMessageIter properties, value, bytes;
    const uint8_t *start;
    int size;
    const char *path = dbus_message_get_path(signal);
    if (!path || strcmp(path, CHARACTERISTIC) || !change(signal, CHARACTERISTIC_INTERFACE, &properties) ||
        !find(&properties, "Value", &value)) {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    }
    dbus_message_iter_recurse(&value, &bytes);
    dbus_message_iter_get_fixed_array(&bytes, &start, &size);
    count_value(&made, start, size);
    ended = made.done == made.count;
    return DBUS_HANDLER_RESULT_HANDLED;
}

static DBusHandlerResult sighted(DBusConnection *connection, DBusMessage *signal, void *context) {
    (void)connection, (void)context;
    DBusMessageIter properties, value;
    dbus_int16_t rssi;
    if (!change(signal, DEVICE_INTERFACE, &properties) || !find(&properties, "RSSI", &value)) {
        return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
    }
    dbus_message_iter_get_basic(&value, &rssi);
    if (rssi == -1) ended = 1;
    else made.done++;
    return DBUS_HANDLER_RESULT_HANDLED;
}

static void signals(DBusHandleMessageFunction handler) {
    DBusError error = DBUS_ERROR_INIT;
    dbus_connection_add_filter(bus, handler, NULL, NULL);
    dbus_bus_add_match(bus, RULE, &error);
    if (dbus_error_is_set(&error)) stop("AddMatch", &error);
    begin(&made);
    while (!ended && dbus_connection_read_write_dispatch(bus, -1)) {}
}

static void receive_packets(void) {
    uint8_t packet[512];
    int descriptor = acquire("AcquireNotify");
    begin(&made);
    while (made.done < made.count) {
        ssize_t size = recv(descriptor, packet, sizeof packet, 0);
        if (size <= 0) break;
        count_value(&made, packet, size);
    }
}

static void send_packets(void) {
    uint8_t packet[20] = {7};
    int descriptor = acquire("AcquireWrite");
    begin(&made);
    for (; made.done < made.count; made.done++) {
        if (send(descriptor, packet, sizeof packet, MSG_NOSIGNAL) != sizeof packet) made.wrong++;
    }
}

int main(int count, char **arguments) {
    DBusError error = DBUS_ERROR_INIT;
    made = measurement(count, arguments);
    bus = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error);
    if (!bus) stop("connecting", &error);
    if (!strcmp(made.work, "notify")) signals(notified);
    else if (!strcmp(made.work, "sight")) signals(sighted);
    else if (!strcmp(made.work, "packets")) receive_packets();
    else if (!strcmp(made.work, "write-socket")) send_packets();
    else operations();
    report(&made);
    return 0;
}

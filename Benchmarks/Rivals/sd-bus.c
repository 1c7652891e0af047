// SPDX-License-Identifier: MIT

// sd-bus WORK COUNT [AT_ONCE]: the works of `pipeline` in C over sd-bus, without any state beside them.
#include <systemd/sd-bus.h>

#include "measure.h"
#include "names.h"

static sd_bus *bus;
static Measurement made;
static int ended;

static void check(int result, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "sd-bus: %s: %s\n", what, strerror(-result));
    exit(1);
}

static void run(void) {
    while (!ended) {
        int more = sd_bus_process(bus, NULL);
        check(more, "process");
        if (!more && !ended) check(sd_bus_wait(bus, UINT64_MAX), "wait");
    }
}

// Moves into the value of a property; returns 0 when it has not changed.
static int find(sd_bus_message *signal, const char *interface, const char *name, const char *type) {
    const char *of, *key;
    if (sd_bus_message_read(signal, "s", &of) < 0 || strcmp(of, interface)) return 0;
    if (sd_bus_message_enter_container(signal, 'a', "{sv}") < 0) return 0;
    while (sd_bus_message_enter_container(signal, 'e', "sv") > 0) {
        if (sd_bus_message_read(signal, "s", &key) < 0) return 0;
        if (!strcmp(key, name)) return sd_bus_message_enter_container(signal, 'v', type) > 0;
        sd_bus_message_skip(signal, "v");
        sd_bus_message_exit_container(signal);
    }
    return 0;
}

static int notified(sd_bus_message *signal, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    const void *value;
    size_t size;
    if (!find(signal, CHARACTERISTIC_INTERFACE, "Value", "ay")) return 0;
    check(sd_bus_message_read_array(signal, 'y', &value, &size), "value");
    count_value(&made, value, size);
    ended = made.done == made.count;
    return 0;
}

static int sighted(sd_bus_message *signal, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    int16_t rssi;
    if (!find(signal, DEVICE_INTERFACE, "RSSI", "n")) return 0;
    check(sd_bus_message_read(signal, "n", &rssi), "RSSI");
    if (rssi == -1) ended = 1;
    else made.done++;
    return 0;
}

static void signals(const char *path, sd_bus_message_handler_t handler) {
    check(sd_bus_match_signal(bus, NULL, BLUEZ, path, PROPERTIES, "PropertiesChanged", handler, NULL), "match");
    begin(&made);
    run();
}

// One operation after the other in each of so many places; what is at an index is when the one of that place was begun.
static double begun[64];
static long sent;

static int answered(sd_bus_message *answer, void *place, sd_bus_error *error);

static void send_operation(intptr_t index) {
    char path[128];
    sd_bus_message *call;
    int reads = !strcmp(made.work, "read");
    uint8_t value[20] = {7};
    snprintf(path, sizeof path, CHARACTERISTIC_FORMAT, 0x11 + 3 * (int)index);
    begun[index] = now_us();
    check(sd_bus_message_new_method_call(
        bus, &call, BLUEZ, path, CHARACTERISTIC_INTERFACE, reads ? "ReadValue" : "WriteValue"), "new call");
    if (!reads) check(sd_bus_message_append_array(call, 'y', value, sizeof value), "value");
    if (reads) check(sd_bus_message_append(call, "a{sv}", 0), "options");
    else check(sd_bus_message_append(
        call, "a{sv}", 1, "type", "s", strcmp(made.work, "command") ? "request" : "command"), "options");
    check(sd_bus_call_async(bus, NULL, call, answered, (void *)index, 0), "call");
    sd_bus_message_unref(call);
}

static int answered(sd_bus_message *answer, void *place, sd_bus_error *error) {
    (void)error;
    intptr_t index = (intptr_t)place;
    const void *value;
    size_t size = 20;
    if (sd_bus_message_is_method_error(answer, NULL)) made.wrong++;
    else if (!strcmp(made.work, "read")) check(sd_bus_message_read_array(answer, 'y', &value, &size), "value");
    if (size != 20) made.wrong++;
    made.latencies[made.done++] = now_us() - begun[index];
    if (sent < made.count) sent++, send_operation(index);
    ended = made.done == made.count;
    return 0;
}

int main(int count, char **arguments) {
    made = measurement(count, arguments);
    check(sd_bus_open_system(&bus), "connecting");
    if (!strcmp(made.work, "notify")) signals(CHARACTERISTIC, notified);
    else if (!strcmp(made.work, "sight")) signals(NULL, sighted);
    else {
        begin(&made);
        for (long index = 0; index < made.at_once && sent < made.count; index++) sent++, send_operation(index);
        run();
    }
    report(&made);
    return 0;
}

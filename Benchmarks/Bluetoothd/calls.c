// SPDX-License-Identifier: MIT

#include "calls.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus.h"
#include "changes.h"
#include "objects.h"
#include "peripheral.h"
#include "traffic.h"

int written_sockets[SOCKETS] = {-1, -1, -1, -1, -1, -1, -1, -1};
int advertising = 0;
static Wire wire;

static Header answer_to(const Message *call, const char *signature) {
    return (Header){
        .type = ANSWER, .answers = call->serial, .destination = call->header.sender, .signature = signature};
}

static void answer_nothing(const Message *call) {
    Header header = answer_to(call, NULL);
    wire_begin(&wire, &header);
    bus_send(&wire);
}

static void answer_value(const Message *call) {
    uint8_t value[VALUE] = {1, 2, 3};
    Header header = answer_to(call, "ay");
    wire_begin(&wire, &header);
    wire_bytes(&wire, value, VALUE);
    bus_send(&wire);
}

static void answer_objects(const Message *call, int devices) {
    Header header = answer_to(call, "a{oa{sa{sv}}}");
    wire_begin(&wire, &header);
    write_objects(&wire, devices);
    bus_send(&wire);
}

static void answer_socket(const Message *call, int descriptor) {
    Header header = answer_to(call, "hq");
    header.descriptors = 1;
    wire_begin(&wire, &header);
    wire_u32(&wire, 0);
    wire_u16(&wire, 247);
    bus_send_descriptor(&wire, descriptor);
}

static int socket_to_write(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return -1;
    for (int index = 0; index < SOCKETS; index++) {
        if (written_sockets[index] >= 0) continue;
        written_sockets[index] = ends[0];
        return ends[1];
    }
    close(ends[0]);
    return ends[1];
}

void drain(int descriptor) {
    uint8_t packet[512];
    ssize_t count;
    while ((count = recv(descriptor, packet, sizeof packet, MSG_DONTWAIT)) > 0) {}
    if (count != 0) return;
    if (updates_socket == descriptor) updates_socket = -1;
    for (int index = 0; index < SOCKETS; index++) {
        if (written_sockets[index] == descriptor) written_sockets[index] = -1;
    }
    close(descriptor);
}

static void refuse(const Message *call) {
    Header header = answer_to(call, NULL);
    header.type = FAILURE;
    header.error = "org.freedesktop.DBus.Error.UnknownMethod";
    wire_begin(&wire, &header);
    bus_send(&wire);
}

void answer(const Message *call, int devices) {
    enum { NO_ANSWER = 1 };
    const char *member = call->header.member, *path = call->header.path;
    static const char *const obeyed[] = {
        "SetDiscoveryFilter", "WriteValue", "UnregisterApplication", "RegisterAdvertisement", "UnregisterAdvertisement",
        "RegisterAgent", "UnregisterAgent", "RequestDefaultAgent",
    };
    if (!member || call->flags & NO_ANSWER) return;
    for (size_t index = 0; index < sizeof obeyed / sizeof *obeyed; index++) {
        if (!strcmp(member, obeyed[index])) return answer_nothing(call);
    }
    if (!strcmp(member, "ReadValue")) return answer_value(call);
    if (!strcmp(member, "GetManagedObjects")) return answer_objects(call, devices);
    if (!strcmp(member, "AcquireNotify")) return answer_socket(call, traffic_socket());
    if (!strcmp(member, "AcquireWrite")) return answer_socket(call, socket_to_write());
    if (!strcmp(member, "RegisterApplication")) return register_application(call);
    if (!strcmp(member, "StartDiscovery") || !strcmp(member, "StopDiscovery")) {
        advertising = member[2] == 'a';
        return answer_nothing(call);
    }
    if (!strcmp(member, "StartNotify") || !strcmp(member, "StopNotify")) {
        send_bool(path, CHARACTERISTIC_INTERFACE, "Notifying", member[2] == 'a');
        return answer_nothing(call);
    }
    if (!strcmp(member, "Connect") || !strcmp(member, "Disconnect")) {
        int up = *member == 'C';
        advertising = 0;
        send_bool(path, DEVICE_INTERFACE, "Connected", up);
        send_bool(path, DEVICE_INTERFACE, "ServicesResolved", up);
        return answer_nothing(call);
    }
    refuse(call);
}

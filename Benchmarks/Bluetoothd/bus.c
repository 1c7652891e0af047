// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "bus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int connection = -1;
static uint32_t serial;
static uint8_t *received;
static size_t have, room;
// A client passes one descriptor at a time, so that one that came and was not taken is enough to remember.
static int passed = -1;

static void stop(const char *what) {
    fprintf(stderr, "bluetoothd: %s: %s\n", what, strerror(errno));
    exit(1);
}

int bus_descriptor(void) { return connection; }

static void send_all(const void *bytes, size_t count) {
    const char *at = bytes;
    while (count) {
        ssize_t sent = send(connection, at, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) stop("send");
        if (sent > 0) at += sent, count -= sent;
    }
}

uint32_t bus_send(Wire *wire) {
    wire_end(wire, ++serial);
    send_all(wire->bytes, wire->length);
    return serial;
}

uint32_t bus_send_descriptor(Wire *wire, int descriptor) {
    char control[CMSG_SPACE(sizeof(int))] = {0};
    wire_end(wire, ++serial);
    struct iovec part = {wire->bytes, wire->length};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &descriptor, sizeof(int));
    ssize_t sent = sendmsg(connection, &message, MSG_NOSIGNAL);
    if (sent < 0) stop("sendmsg");
    send_all(wire->bytes + sent, wire->length - sent);
    close(descriptor);
    return serial;
}

int bus_receive(void (*handler)(const Message *message, int descriptor)) {
    if (room - have < 65536) {
        room = room * 2 + 65536;
        received = realloc(received, room);
        if (!received) abort();
    }
    char control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {received + have, room - have};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) return 1;
    if (count <= 0) return 0;
    struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
    if (rights && rights->cmsg_type == SCM_RIGHTS) memcpy(&passed, CMSG_DATA(rights), sizeof(int));
    have += count;
    size_t at = 0;
    uint32_t size;
    while ((size = message_size(received + at, have - at)) && size <= have - at) {
        Message read;
        if (message_read(received + at, size, &read)) stop("a message that cannot be read");
        int descriptor = read.header.descriptors ? passed : -1;
        if (read.header.descriptors) passed = -1;
        handler(&read, descriptor);
        at += size;
    }
    memmove(received, received + at, have - at);
    have -= at;
    return 1;
}

// Sends the user's number in hexadecimal digits of its decimal ones, as EXTERNAL wants it, and waits for the agreement.
static void authenticate(void) {
    char user[32], line[160] = {0}, answer[512];
    size_t length = 1, count = 0;
    snprintf(user, sizeof user, "%u", (unsigned)getuid());
    length += sprintf(line + 1, "AUTH EXTERNAL ");
    for (char *digit = user; *digit; digit++) length += sprintf(line + length, "%02x", *digit);
    length += sprintf(line + length, "\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n");
    send_all(line, length);
    while (!memmem(answer, count, "AGREE_UNIX_FD\r\n", 15)) {
        ssize_t more = recv(connection, answer + count, sizeof answer - count, 0);
        if (more <= 0) stop("the bus did not let the peer in");
        count += more;
    }
}

// Calls the bus with a text and, where the signature says so, with flags; nothing waits for the answer.
static void ask_bus(const char *member, const char *signature, const char *text, uint32_t flags) {
    static Wire wire;
    wire_begin(&wire, &(Header){.type = CALL, .path = "/org/freedesktop/DBus", .interface = "org.freedesktop.DBus",
        .member = member, .destination = "org.freedesktop.DBus", .signature = signature});
    if (signature) wire_string(&wire, text);
    if (signature && signature[1]) wire_u32(&wire, flags);
    bus_send(&wire);
}

void bus_match(const char *rule) { ask_bus("AddMatch", "s", rule, 0); }

void bus_open(const char *address, const char *name) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    const char *path = strstr(address, "unix:path=");
    if (!path) stop("the address is not of the form unix:path=…");
    path += strlen("unix:path=");
    size_t length = strcspn(path, ",;");
    if (length >= sizeof place.sun_path) stop("the address is too long");
    memcpy(place.sun_path, path, length);
    connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection, (struct sockaddr *)&place, sizeof place)) stop(address);
    authenticate();
    ask_bus("Hello", NULL, NULL, 0);
    enum { DO_NOT_QUEUE = 4 };
    ask_bus("RequestName", "su", name, DO_NOT_QUEUE);
}

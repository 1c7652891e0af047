// SPDX-License-Identifier: MIT

// bluetoothd ADDRESS DEVICES [SCENE]: answers on a bus as bluetoothd would that knows a Target and so many other devices,
// which are those of a file where one is given, and makes the traffic that lines on standard input ask for:
//
//   notify COUNT PER_SECOND        notifications of Target's first characteristic, as signals
//   packets COUNT PER_SECOND       the same over the socket of AcquireNotify
//   sight COUNT PER_SECOND         advertisements of the other devices, whose RSSI changes
//   sight-data COUNT PER_SECOND    the same with manufacturer data that change
//   frames FIRST COUNT PER_SECOND  frames of sensors, from those of a packet's number on
//   scene FIRST COUNT PER_SECOND   frames of the file, from that of a number on
//   subscribe bus|socket           subscribes to the client's own characteristic
//   write COUNT AT_ONCE            writes to it, with so many requests at once
//
// It prints "ready" once it has its name, and ends with its standard input.
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "bus.h"
#include "calls.h"
#include "changes.h"
#include "objects.h"
#include "peripheral.h"
#include "scene.h"
#include "traffic.h"

static int devices;

static void take(const Message *message, int descriptor) {
    int type = message->header.type;
    const char *member = message->header.member;
    if (type == CALL) answer(message, devices);
    else if (type == ANSWER || type == FAILURE) peripheral_answered(message, descriptor);
    else if (member && !strcmp(member, "NameAcquired") && message->header.type == SIGNAL) {
        uint32_t offset = 0;
        const char *name = body_string(message, &offset);
        // The first name that is acquired is the unique one.
        if (name && !strcmp(name, BLUEZ)) puts("ready"), fflush(stdout);
    }
}

static void obey(const char *line) {
    char command[32], word[32] = "";
    unsigned first = 0, count = 0, second = 0;
    advertising = 0;
    if (sscanf(line, "frames %u %u %u", &first, &count, &second) == 3) {
        traffic_begin(FRAMES, first, count, second, devices);
        return;
    }
    if (sscanf(line, "scene %u %u %u", &first, &count, &second) == 3) {
        traffic_begin(SCENE, first, count, second, devices);
        return;
    }
    if (sscanf(line, "%31s %31s %u", command, word, &second) < 2) return;
    count = strtoul(word, NULL, 10);
    if (!strcmp(command, "notify")) traffic_begin(NOTIFICATIONS, 0, count, second, devices);
    else if (!strcmp(command, "packets")) traffic_begin(PACKETS, 0, count, second, devices);
    else if (!strcmp(command, "sight")) traffic_begin(SIGHTINGS, 0, count, second, devices);
    else if (!strcmp(command, "sight-data")) traffic_begin(SIGHTINGS_WITH_DATA, 0, count, second, devices);
    else if (!strcmp(command, "subscribe")) subscribe(!strcmp(word, "socket"));
    else if (!strcmp(command, "write")) write_requests(count, second);
    else fprintf(stderr, "bluetoothd: unknown command %s\n", command);
}

// Reads commands; returns 0 when there will be none any more.
static int read_commands(void) {
    static char line[256];
    static size_t length;
    char bytes[256];
    ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    for (ssize_t index = 0; index < count; index++) {
        if (bytes[index] != '\n' && length < sizeof line - 1) {
            line[length++] = bytes[index];
            continue;
        }
        line[length] = 0;
        length = 0;
        obey(line);
    }
    return count > 0;
}

int main(int count, char **arguments) {
    devices = count == 3 || count == 4 ? atoi(arguments[2]) : 0;
    if (devices < 1) {
        fprintf(stderr, "usage: bluetoothd ADDRESS DEVICES [SCENE]\n");
        return 2;
    }
    if (count == 4) scene_read(arguments[3], devices);
    // The timer of paced traffic may not be rounded up by the usual 50 us.
    prctl(PR_SET_TIMERSLACK, 1);
    bus_open(arguments[1], BLUEZ);
    for (;;) {
        int64_t wait = traffic_send();
        if (wait < 0 && advertising) wait = 20000000;
        struct timespec timeout = {wait / 1000000000, wait % 1000000000};
        struct pollfd sources[3 + SOCKETS] = {
            {STDIN_FILENO, POLLIN, 0}, {bus_descriptor(), POLLIN, 0}, {updates_socket, POLLIN, 0}};
        for (int index = 0; index < SOCKETS; index++) {
            sources[3 + index] = (struct pollfd){written_sockets[index], POLLIN, 0};
        }
        int found = ppoll(sources, 3 + SOCKETS, wait < 0 ? NULL : &timeout, NULL);
        if (found < 0) return 1;
        if (!found && advertising) send_sighting(TARGET, -50, 0, NULL, 0);
        if (sources[1].revents && !bus_receive(take)) return 0;
        if (sources[0].revents && !read_commands()) return 0;
        for (int index = 2; index < 3 + SOCKETS; index++) {
            if (sources[index].revents) drain(sources[index].fd);
        }
    }
}

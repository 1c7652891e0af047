// SPDX-License-Identifier: MIT

#include "traffic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "bus.h"
#include "changes.h"
#include "objects.h"
#include "scene.h"

static struct {
    Traffic traffic;
    uint32_t count, sent, devices;
    int64_t interval, due;
} now_sending;
static Wire notification;
static uint32_t notified_value;  // where the value stands in the notification
static int packets = -1;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void traffic_begin(Traffic traffic, uint32_t first, uint32_t count, uint32_t per_second, uint32_t devices) {
    now_sending.traffic = traffic;
    now_sending.count = first + count;
    now_sending.sent = first;
    now_sending.devices = devices;
    now_sending.interval = per_second ? 1000000000 / per_second : 0;
    now_sending.due = now();
    if (notification.length) return;
    uint8_t value[VALUE] = {0};
    Array properties = change_begin(&notification, CHARACTERISTIC, CHARACTERISTIC_INTERFACE);
    entry_bytes(&notification, "Value", value, VALUE);
    notified_value = notification.length - VALUE;
    change_end(&notification, properties);
}

int traffic_socket(void) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) abort();
    if (packets >= 0) close(packets);
    packets = ends[0];
    return ends[1];
}

// The frame of a device's packet with this number: battery, temperature and humidity.
static void send_measurements(uint32_t packet, uint32_t device) {
    uint32_t humidity = packet * 7 % 10000;
    uint8_t frame[] = {0x40, 0x00, packet, 0x01, packet % 101, 0x02, packet, packet >> 8, 0x03, humidity, humidity >> 8};
    send_frame(device_path(device), -60, 0xfcd2, frame, sizeof frame);
}

static void send_one(void) {
    uint32_t number = now_sending.sent++;
    uint8_t value[VALUE] = {0};
    memcpy(value, &number, 4);
    switch (now_sending.traffic) {
        case NOTIFICATIONS:
            memcpy(notification.bytes + notified_value, &number, 4);
            bus_send(&notification);
            break;
        case PACKETS:
            if (send(packets, value, VALUE, MSG_NOSIGNAL) < 0) perror("bluetoothd: packet");
            break;
        case SIGHTINGS:
        case SIGHTINGS_WITH_DATA: {
            // A device's RSSI differs from the one before.
            int16_t rssi = -30 - (int16_t)((number / now_sending.devices + number) % 60);
            int with_data = now_sending.traffic == SIGHTINGS_WITH_DATA;
            send_sighting(device_path(number % now_sending.devices), rssi, 0x004c, with_data ? value : NULL, VALUE);
            if (now_sending.sent == now_sending.count) send_sighting(device_path(0), -1, 0, NULL, 0);
            break;
        }
        case FRAMES:
            send_measurements(number / now_sending.devices, number % now_sending.devices);
            break;
        case SCENE:
            scene_send(number);
            break;
    }
}

int64_t traffic_send(void) {
    // Of what is sent as fast as it is taken a share at a time, so that calls are answered meanwhile.
    for (int share = 0; share < 64 && now_sending.sent < now_sending.count; share++) {
        int64_t wait = now_sending.due - now();
        if (wait > 0) return wait;
        send_one();
        // From now on: two that are due at once would come as a burst.
        if (now_sending.interval) now_sending.due = now() + now_sending.interval;
    }
    return now_sending.sent < now_sending.count ? 0 : -1;
}

// SPDX-License-Identifier: MIT

// Streams of what a benchmark counts: notifications, packets on a socket and sightings.
#pragma once
#include <stdint.h>

typedef enum { NOTIFICATIONS, PACKETS, SIGHTINGS, SIGHTINGS_WITH_DATA, FRAMES, SCENE } Traffic;

// Begins to send so many, of numbers from the first on, at most so many a second (0: as fast as they are taken). The first
// four bytes of a notification and of a packet are its number, little-endian. A frame of BTHome has values that its device
// has not had before. After sightings, of each device in turn, comes one of the first device with an RSSI of -1, by which a
// client knows that they are over.
void traffic_begin(Traffic traffic, uint32_t first, uint32_t count, uint32_t per_second, uint32_t devices);
// The client's end of the socket by which packets go.
int traffic_socket(void);
// Sends what is due. Returns the nanoseconds until more is due, or -1 when nothing is left.
int64_t traffic_send(void);

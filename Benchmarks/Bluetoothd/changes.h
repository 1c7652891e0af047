// SPDX-License-Identifier: MIT

// The signal by which bluetoothd tells nearly everything: PropertiesChanged.
#pragma once
#include "wire.h"

// Begins one about an object's interface, open for entries of the changed properties.
Array change_begin(Wire *wire, const char *path, const char *interface);
void change_end(Wire *wire, Array properties);
// Sends one of a single truth.
void send_bool(const char *path, const char *interface, const char *key, int value);
// Sends what an advertisement with the data of a sensor changes: the RSSI, and the data of a service.
void send_frame(const char *path, int16_t rssi, uint16_t service, const uint8_t *frame, uint32_t count);
// Sends what an advertisement changes: the RSSI and, where bytes are given, the data of a company.
void send_sighting(const char *path, int16_t rssi, uint16_t company, const uint8_t *data, uint32_t count);

// SPDX-License-Identifier: MIT

// Sensors of a file: a line with the name of each device, and then the frames in the order in which they are sent, as
// `3 company 0499 0512FC…` or `0 service fcd2 4000…`.
#pragma once
#include <stdint.h>

// Reads a file, or ends the program.
void scene_read(const char *path, int devices);
// The name of a device; NULL without a file.
const char *scene_name(int device);
// Sends the frame with a number; those of the file come again and again.
void scene_send(uint32_t number);

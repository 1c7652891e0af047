// SPDX-License-Identifier: MIT

#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "changes.h"
#include "objects.h"

enum { MOST_BYTES = 31, MOST_NAME = 30 };

typedef struct {
    int device;
    int is_service;
    uint16_t source;
    uint8_t bytes[MOST_BYTES];
    uint32_t count;
} Frame;

static char (*names)[MOST_NAME];
static Frame *frames;
static uint32_t frame_count;

static void fail(const char *reason) {
    fprintf(stderr, "bluetoothd: the scene: %s\n", reason);
    exit(2);
}

static Frame read_frame(const char *line, int devices) {
    Frame frame = {0};
    char kind[8], digits[2 * MOST_BYTES + 1];
    unsigned source;
    if (sscanf(line, "%d %7s %x %62s", &frame.device, kind, &source, digits) != 4) fail(line);
    if (frame.device < 0 || frame.device >= devices || source > 0xFFFF) fail(line);
    frame.is_service = !strcmp(kind, "service");
    frame.source = source;
    for (const char *at = digits; at[0] && at[1]; at += 2) {
        unsigned byte;
        if (sscanf(at, "%2x", &byte) != 1) fail(line);
        frame.bytes[frame.count++] = byte;
    }
    return frame;
}

void scene_read(const char *path, int devices) {
    char line[256];
    FILE *file = fopen(path, "r");
    names = calloc(devices, sizeof *names);
    if (!file || !names) fail(path);
    for (int device = 0; device < devices; device++) {
        if (!fgets(line, sizeof line, file)) fail("names are missing");
        line[strcspn(line, "\n")] = 0;
        snprintf(names[device], sizeof *names, "%.29s", line);
    }
    for (uint32_t room = 0; fgets(line, sizeof line, file); frame_count++) {
        if (frame_count == room) {
            room = room ? 2 * room : 1024;
            frames = realloc(frames, room * sizeof *frames);
            if (!frames) fail("no memory");
        }
        frames[frame_count] = read_frame(line, devices);
    }
    fclose(file);
    if (!frame_count) fail("frames are missing");
}

const char *scene_name(int device) { return names ? names[device] : NULL; }

void scene_send(uint32_t number) {
    if (!frame_count) return;
    const Frame *frame = &frames[number % frame_count];
    const char *path = device_path(frame->device);
    if (frame->is_service) send_frame(path, -60, frame->source, frame->bytes, frame->count);
    else send_sighting(path, -60, frame->source, frame->bytes, frame->count);
}

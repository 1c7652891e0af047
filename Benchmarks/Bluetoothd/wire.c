// SPDX-License-Identifier: MIT

#include "wire.h"

#include <stdlib.h>
#include <string.h>

// What a header's fields are numbered.
enum { PATH = 1, INTERFACE, MEMBER, ERROR, ANSWERS, DESTINATION, SENDER, SIGNATURE, DESCRIPTORS };

static uint8_t *grow(Wire *wire, uint32_t count) {
    if (wire->length + count > wire->room) {
        wire->room = (wire->length + count) * 2;
        wire->bytes = realloc(wire->bytes, wire->room);
        if (!wire->bytes) abort();
    }
    wire->length += count;
    return wire->bytes + wire->length - count;
}

static void put(Wire *wire, const void *bytes, uint32_t count) {
    // Of an empty value there is no address.
    if (count) memcpy(grow(wire, count), bytes, count);
}

void wire_align(Wire *wire, uint32_t to) {
    uint32_t missing = -wire->length & (to - 1);
    memset(grow(wire, missing), 0, missing);
}

void wire_byte(Wire *wire, uint8_t value) { put(wire, &value, 1); }

void wire_u16(Wire *wire, uint16_t value) {
    wire_align(wire, 2);
    put(wire, &value, 2);
}

void wire_u32(Wire *wire, uint32_t value) {
    wire_align(wire, 4);
    put(wire, &value, 4);
}

void wire_string(Wire *wire, const char *text) {
    uint32_t count = strlen(text);
    wire_u32(wire, count);
    put(wire, text, count + 1);
}

void wire_signature(Wire *wire, const char *text) {
    wire_byte(wire, strlen(text));
    put(wire, text, strlen(text) + 1);
}

void wire_bytes(Wire *wire, const uint8_t *bytes, uint32_t count) {
    wire_u32(wire, count);
    put(wire, bytes, count);
}

Array wire_open(Wire *wire, uint32_t alignment) {
    Array array;
    wire_u32(wire, 0);
    array.length = wire->length - 4;
    wire_align(wire, alignment);
    array.elements = wire->length;
    return array;
}

void wire_close(Wire *wire, Array array) {
    uint32_t count = wire->length - array.elements;
    memcpy(wire->bytes + array.length, &count, 4);
}

static void field(Wire *wire, uint8_t code, const char *type) {
    wire_align(wire, 8);
    wire_byte(wire, code);
    wire_signature(wire, type);
}

static void text_field(Wire *wire, uint8_t code, const char *type, const char *text) {
    if (!text) return;
    field(wire, code, type);
    if (*type == 'g') wire_signature(wire, text);
    else wire_string(wire, text);
}

static void number_field(Wire *wire, uint8_t code, uint32_t value) {
    if (!value) return;
    field(wire, code, "u");
    wire_u32(wire, value);
}

void wire_begin(Wire *wire, const Header *header) {
    wire->length = 0;
    wire_byte(wire, 'l');
    wire_byte(wire, header->type);
    wire_byte(wire, 0);
    wire_byte(wire, 1);
    wire_u32(wire, 0);  // the length of the body
    wire_u32(wire, 0);  // the serial
    Array fields = wire_open(wire, 8);
    text_field(wire, PATH, "o", header->path);
    text_field(wire, INTERFACE, "s", header->interface);
    text_field(wire, MEMBER, "s", header->member);
    text_field(wire, ERROR, "s", header->error);
    number_field(wire, ANSWERS, header->answers);
    text_field(wire, DESTINATION, "s", header->destination);
    text_field(wire, SIGNATURE, "g", header->signature);
    number_field(wire, DESCRIPTORS, header->descriptors);
    wire_close(wire, fields);
    wire_align(wire, 8);
    wire->body = wire->length;
}

void wire_end(Wire *wire, uint32_t serial) {
    uint32_t count = wire->length - wire->body;
    memcpy(wire->bytes + 4, &count, 4);
    memcpy(wire->bytes + 8, &serial, 4);
}

void wire_free(Wire *wire) {
    free(wire->bytes);
    memset(wire, 0, sizeof *wire);
}

void entry(Wire *wire, const char *key, const char *type) {
    wire_align(wire, 8);
    wire_string(wire, key);
    wire_signature(wire, type);
}

void entry_string(Wire *wire, const char *key, const char *type, const char *value) {
    entry(wire, key, type);
    wire_string(wire, value);
}

void entry_bool(Wire *wire, const char *key, int value) {
    entry(wire, key, "b");
    wire_u32(wire, value != 0);
}

void entry_i16(Wire *wire, const char *key, int16_t value) {
    entry(wire, key, "n");
    wire_u16(wire, value);
}

void entry_u16(Wire *wire, const char *key, uint16_t value) {
    entry(wire, key, "q");
    wire_u16(wire, value);
}

void entry_bytes(Wire *wire, const char *key, const uint8_t *bytes, uint32_t count) {
    entry(wire, key, "ay");
    wire_bytes(wire, bytes, count);
}

void entry_strings(Wire *wire, const char *key, const char *const *values) {
    entry(wire, key, "as");
    Array array = wire_open(wire, 4);
    for (; *values; values++) wire_string(wire, *values);
    wire_close(wire, array);
}

void entry_company(Wire *wire, const char *key, uint16_t company, const uint8_t *bytes, uint32_t count) {
    entry(wire, key, "a{qv}");
    Array array = wire_open(wire, 8);
    wire_u16(wire, company);
    wire_signature(wire, "ay");
    wire_bytes(wire, bytes, count);
    wire_close(wire, array);
}

void entry_service(Wire *wire, const char *key, const char *service, const uint8_t *bytes, uint32_t count) {
    entry(wire, key, "a{sv}");
    Array array = wire_open(wire, 8);
    entry_bytes(wire, service, bytes, count);
    wire_close(wire, array);
}

static uint32_t u32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, 4);
    return value;
}

static uint32_t aligned(uint32_t offset, uint32_t to) { return (offset + to - 1) & ~(to - 1); }

uint32_t message_size(const uint8_t *bytes, size_t count) {
    return count < 16 ? 0 : aligned(16 + u32(bytes + 12), 8) + u32(bytes + 4);
}

int message_read(const uint8_t *bytes, uint32_t size, Message *message) {
    uint32_t at = 16, end = 16 + u32(bytes + 12);
    memset(message, 0, sizeof *message);
    if (bytes[0] != 'l' || end > size) return -1;
    message->header.type = bytes[1];
    message->flags = bytes[2];
    message->serial = u32(bytes + 8);
    message->body_length = u32(bytes + 4);
    message->body = bytes + size - message->body_length;
    const char **texts[] = {
        [PATH] = &message->header.path,     [INTERFACE] = &message->header.interface,
        [MEMBER] = &message->header.member, [ERROR] = &message->header.error,
        [SENDER] = &message->header.sender, [DESTINATION] = &message->header.destination,
        [ANSWERS] = NULL,                   [SIGNATURE] = &message->header.signature,
    };
    while ((at = aligned(at, 8)) + 8 <= end) {
        uint8_t code = bytes[at], type = bytes[at + 2];
        at += 4;
        if (type == 'u') {
            if (code == ANSWERS) message->header.answers = u32(bytes + at);
            if (code == DESCRIPTORS) message->header.descriptors = u32(bytes + at);
            at += 4;
            continue;
        }
        uint32_t before = type == 'g' ? 1 : 4, count = type == 'g' ? bytes[at] : u32(bytes + at);
        if (count > end - at - before) return -1;
        if (code < sizeof texts / sizeof *texts && texts[code]) *texts[code] = (const char *)bytes + at + before;
        at += before + count + 1;
    }
    return 0;
}

const char *body_string(const Message *message, uint32_t *offset) {
    uint32_t at = aligned(*offset, 4);
    if (at + 4 > message->body_length) return NULL;
    uint32_t count = u32(message->body + at);
    if (count >= message->body_length - at - 4) return NULL;
    *offset = at + 4 + count + 1;
    return (const char *)message->body + at + 4;
}

uint32_t body_array(const Message *message, uint32_t *offset, uint32_t alignment) {
    uint32_t at = aligned(*offset, 4);
    if (at + 4 > message->body_length) return 0;
    uint32_t count = u32(message->body + at);
    *offset = aligned(at + 4, alignment);
    return count > message->body_length - *offset ? 0 : count;
}

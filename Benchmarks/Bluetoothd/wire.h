// SPDX-License-Identifier: MIT

// Messages of D-Bus, little-endian: what the peer writes, and what it needs of what it reads.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { CALL = 1, ANSWER = 2, FAILURE = 3, SIGNAL = 4 };

// A message that grows while it is written.
typedef struct {
    uint8_t *bytes;
    uint32_t length, room;
    uint32_t body;  // where the body begins
} Wire;

// What a message says before its body. Members that are null or 0 are left out.
typedef struct {
    uint8_t type;
    uint32_t answers;  // the serial of the call that this answers
    uint32_t descriptors;
    const char *path, *interface, *member, *error, *destination, *sender, *signature;
} Header;

// An array that is open: where its length stands, and where its elements begin.
typedef struct {
    uint32_t length, elements;
} Array;

void wire_begin(Wire *wire, const Header *header);
// Sets the length of the body and the serial.
void wire_end(Wire *wire, uint32_t serial);
void wire_free(Wire *wire);

void wire_align(Wire *wire, uint32_t to);
void wire_byte(Wire *wire, uint8_t value);
void wire_u16(Wire *wire, uint16_t value);
void wire_u32(Wire *wire, uint32_t value);
void wire_string(Wire *wire, const char *text);
void wire_signature(Wire *wire, const char *text);
void wire_bytes(Wire *wire, const uint8_t *bytes, uint32_t count);
// An array whose elements are aligned to so many bytes.
Array wire_open(Wire *wire, uint32_t alignment);
void wire_close(Wire *wire, Array array);

// Entries of a dictionary a{sv}. A type is "s" or "o".
void entry(Wire *wire, const char *key, const char *type);
void entry_string(Wire *wire, const char *key, const char *type, const char *value);
void entry_bool(Wire *wire, const char *key, int value);
void entry_i16(Wire *wire, const char *key, int16_t value);
void entry_u16(Wire *wire, const char *key, uint16_t value);
void entry_bytes(Wire *wire, const char *key, const uint8_t *bytes, uint32_t count);
// The values end with a null.
void entry_strings(Wire *wire, const char *key, const char *const *values);
// An entry of the type a{qv} with one company's bytes.
void entry_company(Wire *wire, const char *key, uint16_t company, const uint8_t *bytes, uint32_t count);
// An entry of the type a{sv} with one service's bytes.
void entry_service(Wire *wire, const char *key, const char *service, const uint8_t *bytes, uint32_t count);

// A message that came; its texts point into the bytes.
typedef struct {
    Header header;
    uint32_t serial;
    uint8_t flags;
    const uint8_t *body;
    uint32_t body_length;
} Message;

// The size of the whole message whose first bytes these are, or 0 while too few have come.
uint32_t message_size(const uint8_t *bytes, size_t count);
// Reads a whole message. Returns 0, or -1 when it cannot be read.
int message_read(const uint8_t *bytes, uint32_t size, Message *message);
// A text at an offset into the body, which the offset then passes; null when there is none.
const char *body_string(const Message *message, uint32_t *offset);
// The length of an array at an offset, which is moved to its first element; 0 when there is none.
uint32_t body_array(const Message *message, uint32_t *offset, uint32_t alignment);

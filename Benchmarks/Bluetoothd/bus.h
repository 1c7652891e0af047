// SPDX-License-Identifier: MIT

// A connection to the message bus.
#pragma once
#include "wire.h"

// Connects to an address of the form unix:path=…, says hello and takes the name. Ends the program when that fails.
void bus_open(const char *address, const char *name);
int bus_descriptor(void);
// Asks the bus for the messages that a rule describes.
void bus_match(const char *rule);

// Sends a message, whose serial it sets and returns; waits while the bus does not take it.
uint32_t bus_send(Wire *wire);
// The same with a descriptor, which is closed here.
uint32_t bus_send_descriptor(Wire *wire, int descriptor);

// Takes what has come and calls the handler with every message, and with the descriptor that came with it (else -1).
// Returns 0 when the bus has closed the connection.
int bus_receive(void (*handler)(const Message *message, int descriptor));

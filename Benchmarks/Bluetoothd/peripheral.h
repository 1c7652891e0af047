// SPDX-License-Identifier: MIT

// The peripheral role: a client that has registered an application is subscribed to and written to.
#pragma once
#include "wire.h"

void register_application(const Message *call);
// An answer to a call of this file; returns whether it was one.
int peripheral_answered(const Message *answer, int descriptor);

// Subscribes to the application's first characteristic, by StartNotify or AcquireNotify.
void subscribe(int over_socket);
// Writes to it so many times, with so many requests at once.
void write_requests(uint32_t count, uint32_t at_once);
// The socket on which updates come, or -1.
extern int updates_socket;

// SPDX-License-Identifier: MIT

// The answers to a client's calls.
#pragma once
#include "wire.h"

// Answers a call as bluetoothd would that knows so many devices besides Target.
void answer(const Message *call, int devices);

// Whether Target advertises: while there is discovery, until a client connects to it or asks for traffic.
extern int advertising;
// The sockets on which clients write commands, or -1.
enum { SOCKETS = 8 };
extern int written_sockets[SOCKETS];
// Throws away what has come on a socket, and closes it when the other end has.
void drain(int descriptor);

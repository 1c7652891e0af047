// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import Testing

/// The tests that start a bus of their own: one after the other, since a machine has only so many of what a bus needs.
@Suite(.serialized)
enum OverABus {}
#endif

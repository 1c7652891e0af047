// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import Testing

/// The tests that start a bus of their own: one after the other, because a machine has a limited number of the
/// descriptors that a bus needs.
@Suite(.serialized)
enum OverABus {}
#endif

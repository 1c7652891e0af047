// SPDX-License-Identifier: MIT

#if Crypto
/// The counters of the last frames of a device. Their first byte counts frames, and the others may be random.
///
/// Counters are forgotten by the number of frames that the device has sent since, whether they were received or not:
/// after half of a round, so that no new frame has a counter of before, unless half of a round was missed.
struct RecentCounters: Sendable {
    private static let frameCount = 128

    /// The newest last, each with the number of frames until it.
    private var all: [(counter: UInt32, position: Int)] = []

    var newest: UInt32? { all.last?.counter }

    func contains(_ counter: UInt32) -> Bool { all.contains { $0.counter == counter } }

    mutating func append(_ counter: UInt32) {
        let step = newest.map { Int(UInt8(truncatingIfNeeded: counter) &- UInt8(truncatingIfNeeded: $0)) } ?? 0
        // The same byte with other random ones is a frame, too.
        let position = (all.last?.position ?? 0) &+ max(step, 1)
        all.removeAll { position &- $0.position >= Self.frameCount || $0.counter == counter }
        all.append((counter, position))
    }
}
#endif

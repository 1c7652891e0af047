// SPDX-License-Identifier: MIT

import BlueCap

extension Pipeline {
    /// Values of one subscription of so many, each of which carries its number.
    func notifications(transport: NotificationTransport) async throws -> Figures {
        let link = try await Link.open()
        for other in link.characteristics.dropFirst().prefix(atOnce - 1) {
            try await other.startNotifying(timeout: .seconds(60))
        }
        // What has to stay flat is bounded; elsewhere nothing may be dropped, so that as many are counted as were sent.
        let capacity = work == "flat" ? StreamCapacity.newest(1024) : .unbounded
        let values = try await link.characteristic.notifications(
            capacity: capacity, transport: transport, timeout: .seconds(60))
        return try await consume(with: link.central) {
            var received = 0
            var wrong = 0
            var expected: UInt32 = 0
            var early = 0
            let meter = Meter.begin()
            for try await value in values {
                let number = value.number
                if number != expected { wrong += 1 }
                expected = number &+ 1
                received += 1
                if early == 0, expected >= count / 10 { early = Meter.memory }
                if expected == count { break }
            }
            var figures = meter.figures(count: received, wrong: wrong)
            if work == "flat" {
                // What was dropped is not wrong here; the count is that of what was sent.
                figures.wrong = 0
                figures.count = count
                figures.others["early_kb"] = Double(early)
            }
            return figures
        }
    }
}

extension Bytes {
    /// The number in the first four bytes, little-endian.
    fileprivate var number: UInt32 {
        guard count >= 4 else { return .max }
        var number: UInt32 = 0
        for index in 0..<4 { number |= UInt32(self[startIndex + index]) << (8 * UInt32(index)) }
        return number
    }
}

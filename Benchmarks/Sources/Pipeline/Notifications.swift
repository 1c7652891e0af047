// SPDX-License-Identifier: MIT

import BlueCap

extension Pipeline {
    /// Values of one subscription of so many, each of which carries its number.
    func notifications(transport: NotificationTransport) async throws -> Figures {
        let link = try await Link.open()
        for other in link.characteristics.dropFirst().prefix(atOnce - 1) {
            try await other.startNotifying(timeout: .seconds(60))
        }
        // The stream is bounded where memory has to stay flat; elsewhere no value may be dropped, so that the count of
        // received values equals that of sent values.
        let capacity = work == "flat" ? StreamCapacity.newest(1024) : .unbounded
        let values = try await link.characteristic.notifications(
            capacity: capacity, transport: transport, timeout: .seconds(60))
        return try await consume(with: link.central) {
            var received = 0
            var wrong = 0
            var expected: UInt32 = 0
            var early = (cpu: 0.0, memory: 0)
            let meter = Meter.begin()
            for try await value in values {
                let number = value.number
                if number != expected { wrong += 1 }
                expected = number &+ 1
                received += 1
                if early.memory == 0, expected >= count / 10 { early = (meter.cpuTime, Meter.memory) }
                if expected == count { break }
            }
            var figures = meter.figures(count: received, wrong: wrong)
            if work == "flat" {
                // Dropped values are no error here; the count is the number of sent values.
                figures.wrong = 0
                figures.count = count
                figures.others = ["early_us": early.cpu, "early_kb": Double(early.memory)]
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

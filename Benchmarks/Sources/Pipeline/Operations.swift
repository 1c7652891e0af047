// SPDX-License-Identifier: MIT

import BlueCap

extension Pipeline {
    /// Reads or writes, one after the other in each of as many characteristics as there are to be at once.
    func operations() async throws -> Figures {
        let link = try await Link.open()
        let places = Array(link.characteristics.prefix(atOnce))
        let share = count / places.count
        return try await consume(with: link.central) {
            // The socket of a write is acquired with the first one.
            try await operation(work, on: link.characteristic)
            let meter = Meter.begin()
            if places.count == 1 {
                let latencies = try await repeated(share, on: link.characteristic)
                return meter.figures(count: latencies.count, latencies: latencies)
            }
            let latencies = try await withThrowingTaskGroup(of: [Double].self) { group in
                for place in places { group.addTask { try await repeated(share, on: place) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            return meter.figures(count: latencies.count, latencies: latencies)
        }
    }

    /// Returns how long each of them took, in microseconds.
    private func repeated(_ times: Int, on characteristic: Characteristic) async throws -> [Double] {
        var latencies: [Double] = []
        latencies.reserveCapacity(times)
        for _ in 0..<times {
            let begun = Meter.now
            try await operation(work, on: characteristic)
            latencies.append(Meter.now - begun)
        }
        return latencies
    }

    func operation(_ work: String, on characteristic: Characteristic) async throws {
        switch work {
        case "read": _ = try await characteristic.read()
        case "write": try await characteristic.write(Self.value, kind: .withResponse)
        case "command": try await characteristic.write(Self.value, kind: .withoutResponse)
        default: try await characteristic.write(Self.value, kind: .withoutResponseOverSocket)
        }
    }

    static let value = Bytes([UInt8](repeating: 7, count: 20))
}

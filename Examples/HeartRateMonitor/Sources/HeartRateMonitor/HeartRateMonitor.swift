// SPDX-License-Identifier: MIT

import BlueCap

/// Shows the heart rate that the first strap in reach measures, and connects again whenever the strap was away, until
/// Ctrl-C. With `--virtual` the strap is a virtual one, which is away once, and twenty values are shown.
@main
struct HeartRateMonitor {
    static func main() async throws {
        if CommandLine.arguments.contains("--virtual") {
            let radio = VirtualRadio()
            let strap = VirtualStrap()
            radio.add(strap.peripheral)
            let beating = Task { try await strap.beat() }
            try await show(CentralManager(backend: radio.central()), count: 20)
            beating.cancel()
        } else {
            let central = CentralManager()
            try await Interruption.ends { try await show(central, count: .max) }
            await central.invalidate()
        }
    }

    /// Shows so many values of the first strap found.
    static func show(_ central: CentralManager, count: Int) async throws {
        try await central.whenPoweredOn(timeout: .seconds(5))
        print("looking for a strap")
        let strap = try await central.firstDiscovery(for: [HeartRateService.uuid]).peripheral
        let shown = Counter(limit: count)
        let policy = ReconnectPolicy(
            maximumTimeouts: nil, maximumDisconnections: nil,
            backoff: .exponential(initial: .seconds(1), maximum: .seconds(30)))
        try await strap.stayConnected(policy, discovering: [HeartRateService.uuid]) { strap in
            print("connected to \(strap.displayName)")
            let measurement = try strap.characteristic(HeartRateService.Measurement.self)
            for try await value in try await measurement.notifications() {
                print(line(value))
                if await shown.increment() { break }
            }
            // A loop also ends when its task is cancelled, as it is when the link is lost.
            try Task.checkCancellation()
        }
        await central.invalidate()
    }

    private static func line(_ value: HeartRateService.Measurement) -> String {
        let contact = value.sensorContact == .notDetected ? ", no contact with the skin" : ""
        let intervals = value.rrSeconds.map { "\(Int(($0 * 1000).rounded()))" }.joined(separator: " ")
        return "\(value.beatsPerMinute) bpm\(contact)\(intervals.isEmpty ? "" : ", RR \(intervals) ms")"
    }
}

/// Counts over all connections.
actor Counter {
    private var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether the limit is reached by this one.
    func increment() -> Bool {
        count += 1
        return count >= limit
    }
}

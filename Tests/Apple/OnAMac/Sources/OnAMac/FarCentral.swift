// SPDX-License-Identifier: MIT

import BlueCap

/// The second device's central, which uses the service that this program offers on the Mac.
struct FarCentral: Sendable {
    private let central: CentralManager

    init(_ central: CentralManager) { self.central = central }

    /// Finds the Mac, reads, writes, takes ten notified values and disconnects.
    func use() async throws {
        try await central.whenPoweredOn(timeout: .seconds(10))
        let mac = try await central.firstDiscovery(for: [PeripheralChecks.service], timeout: .seconds(600)).peripheral
        print("far central: found \(mac)")
        try await mac.connect(timeout: .seconds(20))
        try await mac.discover([PeripheralChecks.service], timeout: .seconds(20))
        let value = try mac.characteristic(PeripheralChecks.value)
        let read = try await value.read(timeout: .seconds(10))
        try expect(read == [5], "read \(read)")
        try await value.write(PeripheralChecks.written, timeout: .seconds(10))
        var found: [Bytes] = []
        for try await update in try await value.notifications(timeout: .seconds(10), valueTimeout: .seconds(20)) {
            found.append(update)
            if found.count == PeripheralChecks.updateCount { break }
        }
        try expect(found == (1...PeripheralChecks.updateCount).map { Bytes([$0]) }, "was notified of \(found)")
        _ = await mac.disconnect(timeout: .seconds(10))
        await central.invalidate()
        print("far central: read, wrote, and was notified of \(found.count) values")
    }
}

// SPDX-License-Identifier: MIT

import BlueCap

/// A strap around a runner's chest, which is out of reach for a moment after ten beats.
struct VirtualStrap: Sendable {
    let peripheral: VirtualPeripheral
    private let measurement = VirtualCharacteristic(HeartRateService.Measurement.uuid, properties: [.notify])

    init() {
        peripheral = VirtualPeripheral(
            name: "Strap", services: [VirtualService(HeartRateService.uuid, characteristics: [measurement])])
    }

    /// Measures until the task is cancelled.
    func beat() async throws {
        for beat in 1... as PartialRangeFrom<UInt16> {
            try await peripheral.wait { _ in measurement.subscriptionCount > 0 }
            measurement.notify(HeartRateService.Measurement(beatsPerMinute: 120 + beat % 20))
            try await Task.sleep(for: .milliseconds(50))
            if beat == 10 {
                peripheral.disconnect()
                // The link ends a moment later, and a beat that is sent until then is lost.
                try await peripheral.wait { _ in measurement.subscriptionCount == 0 }
            }
        }
    }
}

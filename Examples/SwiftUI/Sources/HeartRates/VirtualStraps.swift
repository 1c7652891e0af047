// SPDX-License-Identifier: MIT

public import BlueCap

/// Two straps on a virtual radio, for previews and tests.
public struct VirtualStraps: Sendable {
    /// The radio, which goes on as long as a manager uses it.
    public let radio: VirtualRadio
    /// A strap near by.
    public let ann: VirtualPeripheral
    /// Another one, further away.
    public let ben: VirtualPeripheral
    private let measurements: [VirtualCharacteristic]

    /// Puts the straps on a radio.
    public init(on radio: VirtualRadio = VirtualRadio()) {
        self.radio = radio
        measurements = [1, 2].map { _ in
            VirtualCharacteristic(HeartRateService.Measurement.uuid, properties: [.notify])
        }
        ann = VirtualPeripheral(
            name: "Ann", services: [VirtualService(HeartRateService.uuid, characteristics: [measurements[0]])])
        ben = VirtualPeripheral(
            name: "Ben", services: [VirtualService(HeartRateService.uuid, characteristics: [measurements[1]])])
        radio.add(ann)
        radio.add(ben)
        ben.move(to: .metres(5))
    }

    /// A manager over the radio.
    public func makeCentral() -> CentralManager { CentralManager(backend: radio.central()) }

    /// Sends a heart rate of each strap every second, until the task is cancelled.
    public func beat() async throws {
        var beat: UInt16 = 0
        while true {
            for (place, measurement) in measurements.enumerated() {
                measurement.notify(
                    HeartRateService.Measurement(beatsPerMinute: 60 + 60 * UInt16(place) + beat))
            }
            beat = (beat + 1) % 20
            try await Task.sleep(for: .seconds(1))
        }
    }
}

// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual
import Testing

@Suite("A connection's parameters", .timeLimit(.minutes(60)))
struct VirtualConnectionTests {
    @Test(arguments: [true, false])
    func `values outside of the limits are brought to the nearest limit`(isSmall: Bool) {
        let time: Duration = isSmall ? .seconds(Int64.min) : .seconds(Int64.max)
        let count = isSmall ? Int.min : Int.max
        let made = VirtualConnection(
            interval: time, supervisionTimeout: time, maximumTransmissionUnit: count, packetsPerEvent: count,
            maximumConnections: count)
        var changed = VirtualConnection()
        changed.interval = time
        changed.supervisionTimeout = time
        changed.maximumTransmissionUnit = count
        changed.packetsPerEvent = count
        changed.maximumConnections = count
        #expect(made == changed)
        #expect(made.interval == (isSmall ? .microseconds(7500) : .seconds(4)))
        #expect(made.supervisionTimeout == (isSmall ? .milliseconds(100) : .seconds(32)))
        #expect(made.maximumTransmissionUnit == (isSmall ? 23 : 517))
        #expect(made.packetsPerEvent == (isSmall ? 1 : .max))
        #expect(made.maximumConnections == (isSmall ? 1 : .max))
    }

    @Test func `an advertiser of the longest interval is heard once`() async throws {
        try await VirtualRadio.run(limit: .seconds(100)) { radio in
            let recorder = await Recorder.on(radio.central())
            await recorder.scan(ScanRequest(allowsDuplicates: true))
            let advertising = VirtualAdvertising(interval: .seconds(Int64.max), delay: .seconds(1))
            let tag = VirtualPeripheral(name: "Tag", advertising: advertising)
            radio.add(tag)
            try await radio.clock.sleep(for: .seconds(60))
            let sightings = await recorder.count { if case .sighted = $0 { true } else { false } }
            #expect(sightings == 1)
        }
    }
}

// SPDX-License-Identifier: MIT

import BlueCapBeacon
import Testing

@Suite("Kinds of sensor values", .timeLimit(.minutes(60)))
struct SensorKindTests {
    @Test func `a name is that of one quantity and of one state at the most`() {
        for kinds in [SensorKind.numbers, SensorKind.states] {
            #expect(Set(kinds.map(\.name)).count == kinds.count)
        }
    }

    @Test func `an object of BTHome has a unit of its kind`() {
        let objects = (UInt8.min...UInt8.max).compactMap { BTHomeObject($0, 0) }
        for object in objects where !object.unit.isEmpty {
            #expect(object.sensorKind?.units.contains(object.unit) == true, "\(object.name)")
        }
        // A button, a time and the facts about packets and devices.
        let others = objects.filter { $0.sensorKind == nil }.map(\.id)
        #expect(others == [0x00, 0x3A, 0x50, 0x65, 0xF0])
    }
}

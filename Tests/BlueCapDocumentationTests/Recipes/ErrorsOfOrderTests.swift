// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import Foundation
import Testing

@Suite("An error of order names the call that was missed", .timeLimit(.minutes(5)))
struct ErrorsOfOrderTests {
    @Test func `a read before a connection names connect()`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            try await peripheral.connect()
            try await peripheral.discover()
            let characteristic = try peripheral.characteristic(TISensorTag.AccelerometerService.Enabled.uuid)
            await peripheral.disconnect()
            let error = await #expect(throws: CharacteristicError.self) { try await characteristic.read() }
            expect(error, names: "connect()")
        }
    }

    @Test func `a characteristic before its discovery names discover()`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            try await peripheral.connect()
            let error = #expect(throws: CharacteristicError.self) { try peripheral.characteristic("2A19") }
            expect(error, names: "discover()")
        }
    }

    @Test func `a service before its discovery names discover()`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            let error = #expect(throws: PeripheralError.self) { try peripheral.service("180F") }
            expect(error, names: "discover()")
        }
    }

    @Test func `an update before its service is added names add(_:)`() {
        let level = MutableCharacteristic(uuid: "2A19", properties: [.read, .notify], value: [50])
        let error = #expect(throws: MutableCharacteristicError.self) { try level.update([51]) }
        expect(error, names: "add(_:)")
    }

    @Test func `a call after the end of the manager names invalidate()`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            await central.invalidate()
            let error = await #expect(throws: CentralManagerError.self) { _ = try await central.firstDiscovery() }
            expect(error, names: "invalidate()")
        }
    }

    /// The call is named in the text and in the advice, and both reach an app that knows nothing but `any Error`.
    private func expect(_ error: (any BlueCapError & LocalizedError)?, names call: String) {
        #expect(error?.description.contains(call) == true, "\(error?.description ?? "-")")
        #expect(error?.advice?.contains(call) == true, "\(error?.advice ?? "-")")
        #expect((error as (any Error)?)?.localizedDescription.contains(call) == true)
        #expect((error as NSError?)?.localizedRecoverySuggestion?.contains(call) == true)
    }
}

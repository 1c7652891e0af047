// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import Foundation
import Testing

@Suite("An error of order names the call that was missed", .timeLimit(.minutes(60)))
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

    @Test func `a service that a discovery did not find is said to be lacking`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            try await peripheral.connect()
            let error = await #expect(throws: PeripheralError.self) { try await peripheral.discover(["180F"]) }
            #expect(error?.message == "the peripheral has no service 180F")
            #expect(error?.advice?.hasPrefix("check the UUID") == true, "\(error?.advice ?? "-")")
        }
    }

    @Test func `a write of the wrong kind names the argument that is missing`() async throws {
        try await Lab.run { lab in
            let command = VirtualCharacteristic("FFF1", properties: [.writeWithoutResponse])
            let service = VirtualService("FFF0", characteristics: [command])
            lab.radio.add(VirtualPeripheral(name: "Lamp", services: [service]))
            let peripheral = try await lab.connect(try await lab.central(), to: "FFF0")
            let characteristic = try peripheral.characteristic("FFF1")
            let error = await #expect(throws: CharacteristicError.self) { try await characteristic.write([1]) }
            expect(error, names: "kind: .withoutResponse")
            try await characteristic.write([1], kind: .withoutResponse)
        }
    }

    @Test func `an empty value is called so, and the advice says where it comes from`() {
        let error = CharacteristicError.undecodable(.truncated(needed: 1, available: 0, offset: 0), [], from: "2A19")
        #expect(error.message.hasPrefix("cannot decode an empty value of 2A19: "), "\(error.message)")
        #expect(error.advice?.contains("has set no value yet") == true, "\(error.advice ?? "-")")
        let other = CharacteristicError.undecodable(.invalidValue(offset: 0), [9], from: "2A19")
        #expect(other.message.hasPrefix("cannot decode the value 09 of 2A19: "), "\(other.message)")
        #expect(other.advice == "compare the declared type with what the peripheral sends")
    }

    @Test func `a call after the end of the manager names invalidate()`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            await central.invalidate()
            let error = await #expect(throws: CentralManagerError.self) { _ = try await central.firstDiscovery() }
            expect(error, names: "invalidate()")
        }
    }

    @Test func `errors of files and of runs say in Foundation what they say by themselves`() {
        let errors: [any Error] = [ProfileFileError.notProfiles, VirtualRunError.stalled(at: .seconds(1))]
        for error in errors {
            #expect(error.localizedDescription.lowercased() == "\(error)".lowercased() + ".")
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

// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    /// The differences between versions of bluetoothd, which the adapter's Modalias shows.
    @Suite(.timeLimit(.minutes(60)))
    struct KeptServicesTests {
        private static let battery = "0000180f-0000-1000-8000-00805f9b34fb"
        private static let heartRate = "0000180d-0000-1000-8000-00805f9b34fb"

        /// A write that BlueZ refuses as not authorized, to a characteristic of a service.
        private func refusal(_ service: String, _ modalias: String) async throws -> OperationFailure? {
            let stage = try await Stage.connected()
            await stage.stub.run { stub in
                stub.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Modalias": .string(modalias)])
                stub.set(Stage.service, BlueZInterface.service, ["UUID": .string(service)])
            }
            try await stage.settle()
            let id = await stage.request(.write(Stage.id, Stage.controlID, [1], .withResponse))
            try await stage.stub.call("WriteValue").fail("NotAuthorized", "Operation Not Authorized")
            if case .failure(let failure) = try await stage.answer(to: id) { return failure }
            return nil
        }

        @Test(arguments: ["usb:v1D6Bp0246d0550", "usb:v1D6Bp0246d0557", "usb:v1234p0001d0542"])
        func `a write that BlueZ refuses for a service of its own is not taken for the peer's answer`(modalias: String)
            async throws
        {
            #expect(try await refusal(Self.battery, modalias) == .backend(.keptService("180F")))
        }

        @Test func `before 5.80, and of other services, a refused write is the peer's answer`() async throws {
            #expect(try await refusal(Self.battery, "usb:v1D6Bp0246d054F") == .att(.insufficientAuthorization))
            #expect(try await refusal(Self.heartRate, "usb:v1D6Bp0246d0557") == .att(.insufficientAuthorization))
        }

        @Test(arguments: [
            ("usb:v1D6Bp0246d0556", true), ("usb:v1D6Bp0246d0557", false), ("usb:v1D6Bp0246d0558", false),
            ("usb:v1D6Bp0246d0600", false), ("usb:v1234p0001d0542", false),
        ])
        func `services are not filtered by a bluetoothd that may crash on it, as 5.87 does`(
            modalias: String, isPassed: Bool
        ) async throws {
            let stage = try await Stage(isOn: false, filtersServicesInDaemon: true)
            try await #expect(stage.events.state() == .unsupported)
            await stage.stub.run { stub in
                stub.add(StubBlueZ.adapter, Stage.adapter())
                stub.keep(StubBlueZ.adapter, BlueZInterface.adapter, ["Modalias": .string(modalias)])
            }
            try await stage.stub.start()
            try await #expect(stage.events.state() == .poweredOn)
            await stage.command { $0.scan(ScanRequest(services: ["180D"])) }
            await stage.passGrace()
            let filter = try await stage.stub.call("SetDiscoveryFilter").arguments[0].propertiesValue
            #expect((filter?["UUIDs"] != nil) == isPassed)
        }

        @Test func `a missing key has the same advice on either bearer`() {
            let failures = ["le", "br"].map { bearer in
                BlueZFailure.failure(.remote(name: BlueZError.failed, message: "\(bearer)-connection-key-missing"))
            }
            #expect(failures[0].advice != nil)
            #expect(failures[0].advice == failures[1].advice)
        }
    }
}
#endif

// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct DeviceNamesTests {
        private static let device = StubBlueZ.adapter + "/dev_C0_00_00_00_00_02"
        private static let id: PeerIdentifier = "C0:00:00:00:00:02"
        private static let other: PeerIdentifier = "D0:00:00:00:00:09"

        private func stage() async throws -> Stage {
            let stage = try await Stage()
            // By which a stage settles.
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            return stage
        }

        /// The identifiers of the two by which the backend knows a device.
        private func known(_ stage: Stage) async throws -> [PeerIdentifier] {
            try await stage.settle()
            let known = try await stage.perform(.retrieve([Self.id, Self.other]))
            guard case .success(.peripherals(let peripherals)) = known else { throw Unexpected("\(known)") }
            return peripherals.map(\.id)
        }

        private func add(_ device: String, at address: PeerIdentifier?, to stage: Stage) async {
            await stage.stub.run { stub in
                var properties = Stage.deviceProperties()
                properties[BlueZInterface.device]?["Address"] = address.map { .string($0.text) }
                stub.add(device, properties)
            }
        }

        @Test func `a device is found by its address, not by that in its path`() async throws {
            let stage = try await stage()
            await add(Self.device, at: Self.other, to: stage)
            #expect(try await known(stage) == [Self.other])
            await stage.stub.run { $0.remove(Self.device) }
            #expect(try await known(stage) == [])
            await add(Self.device, at: Self.id, to: stage)
            #expect(try await known(stage) == [Self.id])
        }

        @Test func `a device whose address is replaced is found by both, and by neither once it is gone`() async throws
        {
            let stage = try await stage()
            await add(Self.device, at: Self.id, to: stage)
            await stage.stub.run { $0.set(Self.device, BlueZInterface.device, ["Address": .string(Self.other.text)]) }
            #expect(try await known(stage) == [Self.id, Self.other])
            await stage.stub.run { $0.remove(Self.device) }
            #expect(try await known(stage) == [])
        }

        @Test func `what a manager finds when it begins is found by its address`() async throws {
            let stage = try await Stage(isOn: false)
            try await #expect(stage.events.state() == .unsupported)
            await stage.stub.run { stub in
                var properties = Stage.deviceProperties()
                properties[BlueZInterface.device]?["Address"] = .string(Self.other.text)
                stub.add(StubBlueZ.adapter, Stage.adapter())
                stub.add(Self.device, properties)
                stub.add(Stage.device, Stage.deviceProperties())
            }
            try await stage.stub.start()
            try await #expect(stage.events.state() == .poweredOn)
            #expect(try await known(stage) == [Self.other])
        }

        @Test func `a device without an address is not found by that in its path`() async throws {
            let stage = try await stage()
            await add(Self.device, at: nil, to: stage)
            #expect(try await known(stage) == [])
        }

        @Test func `a device of another adapter is not found`() async throws {
            let stage = try await stage()
            await add("/org/bluez/hci1/dev_C0_00_00_00_00_02", at: Self.id, to: stage)
            #expect(try await known(stage) == [])
        }
    }
}
#endif

// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    static let descriptors: [Behaviour] =
        samples.map(readAndWritten) + [
            configurationWriteRefused,
            Behaviour("the last value of a descriptor is had without the radio") { world in
                let (scene, descriptor) = try await scene(TwinDescriptor("2901", value: [1]), in: world)
                try expectEqual(descriptor.value, nil, "the value before it was read")
                _ = try await descriptor.read()
                try await scene.peer.setValue([2], of: PeerAttribute(descriptor: 0))
                try expectEqual(descriptor.value, [1], "the last value")
            },
        ]

    /// Descriptors with a first and a second value.
    private struct Sample {
        let uuid: BluetoothUUID
        let name: String
        let first: Bytes
        let second: Bytes

        init(_ uuid: BluetoothUUID, _ name: String, _ first: Bytes, _ second: Bytes) {
            self.uuid = uuid
            self.name = name
            self.first = first
            self.second = second
        }
    }

    private static let samples = [
        Sample("2900", "2900 (extended properties)", [0, 0], [1, 0]),
        Sample("2901", "2901 (user description)", Bytes(Array("a value \u{1F4F6}".utf8)), Bytes(Array("named".utf8))),
        Sample("2903", "2903 (server configuration)", [0, 0], [1, 0]),
        Sample("2904", "2904 (presentation format)", [4, 0, 1, 0x27, 1, 0, 0], [6, 0xFF, 2, 0x27, 1, 1, 0]),
        Sample("2905", "2905 (aggregate format)", [0x10, 0], [0x10, 0, 0x12, 0]),
        Sample("2906", "2906 (valid range)", [0, 100], [10, 90]),
        Sample("2907", "2907 (external report reference)", [0x19, 0x2A], [0x1A, 0x2A]),
        Sample("2908", "2908 (report reference)", [1, 1], [2, 3]),
        Sample("2909", "2909 (number of digitals)", [8], [16]),
        Sample("290A", "290A (value trigger)", [1, 5], [2, 6]),
        Sample("290B", "290B (sensing configuration)", [1], [2, 3]),
        Sample("290C", "290C (sensing measurement)", .pattern(count: 11), .pattern(count: 10)),
        Sample("290D", "290D (sensing trigger)", [1], [2, 3]),
        Sample("290E", "290E (time trigger)", [1, 1, 2, 3], [2, 4]),
        Sample("290F", "290F (transport block)", [1, 2], [3, 4, 5]),
        Sample("B1EC2000-5EED-4000-B000-00805F9B34FB", "of its own making", [1, 2, 3], [4]),
        Sample("ABDD3056-28FA-441D-A470-55A75A52553A", "ABDD3056 (channel number)", [0x80, 0], [0x81, 0]),
    ]

    private static func readAndWritten(_ sample: Sample) -> Behaviour {
        Behaviour("a descriptor is read and written: \(sample.name)") { world in
            let (scene, descriptor) = try await scene(TwinDescriptor(sample.uuid, value: sample.first), in: world)
            try expectEqual(try await descriptor.read(), sample.first, "the first value")
            let text = sample.uuid.description
            if let reason = world.limit(.writeDescriptor(text))?.error {
                return try await expectThrows(for: [reason], "writing") { try await descriptor.write(sample.second) }
            }
            try await descriptor.write(sample.second)
            let written = try await scene.peer.value(of: PeerAttribute(descriptor: 0))
            try expectEqual(written, sample.second, "the value at the peer")
            try expectEqual(try await descriptor.read(), sample.second, "the second value")
            try expectEqual(descriptor.value, sample.second, "the last value")
        }
    }

    private static let configurationWriteRefused = Behaviour(
        "the client configuration descriptor is read, and writing it is refused in favour of subscribing"
    ) { world in
        let scene = try await Scene.discovered(.notify, in: world)
        let characteristic = try scene.characteristic()
        try await characteristic.discoverDescriptors()
        let descriptor = try require(characteristic.descriptors(withUUID: "2902").first, "the descriptor")
        try expectEqual(try await descriptor.read(), [0, 0], "the configuration before subscribing")
        try await expectThrows(for: [.unsupported], "writing") { try await descriptor.write([1, 0]) }
        let subscriptions = try await scene.peer.subscriptions(to: PeerAttribute())
        try expectEqual(subscriptions, .init(current: 0, total: 0), "the subscriptions at the peer")
    }

    private static func scene(
        _ description: TwinDescriptor, in world: any ConformanceWorld
    ) async throws -> (Scene, Descriptor) {
        var properties: CharacteristicProperties = [.read, .write]
        if description.uuid == "2900" { properties.insert(.extendedProperties) }
        let scene = try await Scene.discovered(
            TwinCharacteristic(.characteristic(0), properties: properties, descriptors: [description]), in: world)
        let characteristic = try scene.characteristic()
        try await characteristic.discoverDescriptors()
        let found = characteristic.descriptors(withUUID: description.uuid).first
        return (scene, try require(found, "descriptor \(description.uuid)"))
    }
}

// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapTesting

/// The handles of a far device's database, laid out as the test bed's peer lays them out: Generic Access to 0x0005,
/// Generic Attribute at 0x0006, the declared services from 0x000E (`connect.trace`).
struct FakeDatabase {
    struct Descriptor {
        let handle: Int
        let uuid: BluetoothUUID
        /// Nil for the Client Characteristic Configuration, which the peer does not declare.
        let place: PeerAttribute?
    }

    struct Characteristic {
        let handle: Int
        let uuid: BluetoothUUID
        let properties: CharacteristicProperties
        let place: PeerAttribute?
        let descriptors: [Descriptor]
    }

    struct Service {
        let handle: Int
        let uuid: BluetoothUUID
        var isPrimary: Bool
        let includes: [Int]
        let characteristics: [Characteristic]

        var handles: ClosedRange<Int> {
            let last = characteristics.last.map { $0.descriptors.last?.handle ?? $0.handle + 1 }
            return handle...(last ?? handle + includes.count)
        }
    }

    /// Generic Attribute and the declared services, in the order of their handles.
    let services: [Service]

    static let genericAttribute = Service(
        handle: 0x0006, uuid: "1801", isPrimary: true, includes: [],
        characteristics: [
            Characteristic(
                handle: 0x0007, uuid: "2A05", properties: .indicate, place: nil,
                descriptors: [Descriptor(handle: 0x0009, uuid: "2902", place: nil)]),
            Characteristic(handle: 0x000A, uuid: "2B29", properties: [.read, .write], place: nil, descriptors: []),
            Characteristic(handle: 0x000C, uuid: "2B2A", properties: .read, place: nil, descriptors: []),
        ])

    init(_ declared: [TwinService]) {
        // Two passes: an included service may come later than the one that includes it.
        var next = 0x000E
        let starts = declared.map { service in
            defer { next += Self.size(of: service) }
            return next
        }
        services =
            [Self.genericAttribute]
            + zip(declared.indices, declared).map { Self.lay(out: $1, at: $0, starts: starts) }
    }

    private static func lay(out service: TwinService, at index: Int, starts: [Int]) -> Service {
        var handle = starts[index] + 1 + service.includes.count
        let characteristics = zip(service.characteristics.indices, service.characteristics).map { c, declared in
            let declaration = handle
            handle += 2
            var descriptors = zip(declared.descriptors.indices, declared.descriptors).map { d, descriptor in
                defer { handle += 1 }
                let place = PeerAttribute(service: index, characteristic: c, descriptor: d)
                return Descriptor(handle: handle, uuid: descriptor.uuid, place: place)
            }
            if declared.hasConfiguration {
                descriptors.append(Descriptor(handle: handle, uuid: "2902", place: nil))
                handle += 1
            }
            return Characteristic(
                handle: declaration, uuid: declared.uuid, properties: declared.properties,
                place: PeerAttribute(service: index, characteristic: c), descriptors: descriptors)
        }
        return Service(
            handle: starts[index], uuid: service.uuid, isPrimary: service.isPrimary,
            includes: service.includes.filter(starts.indices.contains).map { starts[$0] },
            characteristics: characteristics)
    }

    private static func size(of service: TwinService) -> Int {
        service.characteristics.reduce(1 + service.includes.count) { size, characteristic in
            size + 2 + characteristic.descriptors.count + (characteristic.hasConfiguration ? 1 : 0)
        }
    }
}

extension TwinCharacteristic {
    /// Whether it brings a Client Characteristic Configuration that was not declared.
    fileprivate var hasConfiguration: Bool {
        !properties.isDisjoint(with: [.notify, .indicate]) && !descriptors.contains { $0.uuid == "2902" }
    }
}

extension CharacteristicProperties {
    /// BlueZ's names, in BlueZ's order (doc/org.bluez.GattCharacteristic.rst, Flags).
    var flags: [String] {
        let names: [(CharacteristicProperties, String)] = [
            (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write-without-response"),
            (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
            (.authenticatedSignedWrites, "authenticated-signed-writes"), (.extendedProperties, "extended-properties"),
        ]
        return names.filter { contains($0.0) }.map(\.1)
    }
}
#endif

// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The kind of an attribute for the server; the table's owner keeps the values.
enum AttributeKind {
    case service(ServiceEntry)
    case include(IncludeEntry)
    case declaration(CharacteristicEntry)
    case value(CharacteristicEntry)
    case configuration(of: CharacteristicEntry)
    case descriptor
}

/// One attribute of a server.
struct Attribute {
    var handle: UInt16
    var uuid: BluetoothUUID
    var kind: AttributeKind
    var permissions: AttributePermissions
    var maximumLength = 512
}

/// A server's attributes in the order of their handles.
struct AttributeTable {
    private(set) var attributes: [Attribute] = []

    /// Adds an attribute whose handle is greater than all others.
    mutating func append(_ attribute: Attribute) { attributes.append(attribute) }

    /// Puts the attributes into the order of their handles.
    mutating func sort() { attributes.sort { $0.handle < $1.handle } }

    subscript(handle: UInt16) -> Attribute? {
        let index = firstIndex(from: handle)
        return index < attributes.count && attributes[index].handle == handle ? attributes[index] : nil
    }

    func attributes(from first: UInt16, to last: UInt16) -> ArraySlice<Attribute> {
        let start = firstIndex(from: first)
        guard last >= first else { return [] }
        let end = last == .max ? attributes.count : firstIndex(from: last + 1)
        return attributes[start..<end]
    }

    private func firstIndex(from handle: UInt16) -> Int {
        var (low, high) = (0, attributes.count)
        while low < high {
            let middle = (low + high) / 2
            if attributes[middle].handle < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension AttributeID {
    /// The attribute's handle; 0, which no attribute has, for an identifier that is none.
    var handle: UInt16 { UInt16(exactly: rawValue) ?? 0 }
}

extension BluetoothUUID {
    /// The client characteristic configuration descriptor.
    static let clientConfiguration: BluetoothUUID = "2902"

    /// The bytes it takes in a packet: 2 or 16.
    var packetSize: Int { uint16 == nil ? 16 : 2 }
}

// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The numbers of one peripheral's attributes, by their paths in its database.
///
/// D6: CoreBluetooth shows no handles, and its objects are new after each change of the database (D3) and of the radio
/// (M5). An attribute is named by its parent, its UUID, and its place among those with the same UUID. Its number is the
/// same in each connection. Numbers ascend in the order in which CoreBluetooth lists the attributes.
final class AttributeNumbers {
    /// The relation of an attribute to its parent.
    enum Kind: Hashable {
        /// A service of the peripheral, which has no parent.
        case service
        /// A service that another one includes, where it is not one of the peripheral's.
        case includedService
        case characteristic
        case descriptor
    }

    /// The attributes with one parent and one UUID.
    struct Series: Hashable {
        let kind: Kind
        let parent: AttributeID?
        let uuid: BluetoothUUID
    }

    private struct Path: Hashable {
        let series: Series
        let ordinal: Int
    }

    /// The room for the attributes of one service.
    private static let serviceStep: UInt32 = 65_536
    /// The room for the descriptors of one characteristic.
    private static let characteristicStep: UInt32 = 32

    private var numbers: [Path: AttributeID] = [:]
    private var serviceCount: UInt32 = 0
    /// The number of attributes with a number below each parent.
    private var counts: [AttributeID: UInt32] = [:]

    /// The number of the service that an attribute is in, which for a service is its own.
    static func service(of id: AttributeID) -> AttributeID {
        AttributeID(rawValue: id.rawValue / serviceStep * serviceStep)
    }

    /// Returns the number of an attribute, and assigns one to an attribute that has none.
    ///
    /// - Parameters:
    ///   - series: The parent and the UUID.
    ///   - ordinal: The place among the attributes of the series, from 0.
    /// - Returns: Nil if its parent has no room left: there are 65,535 services of 2,047 characteristics with 31
    ///   descriptors each.
    func number(_ series: Series, _ ordinal: Int) -> AttributeID? {
        let path = Path(series: series, ordinal: ordinal)
        if let number = numbers[path] { return number }
        guard let number = next(series) else { return nil }
        numbers[path] = number
        return number
    }

    private func next(_ series: Series) -> AttributeID? {
        switch series.kind {
        case .service, .includedService:
            guard serviceCount < UInt32.max / Self.serviceStep else { return nil }
            serviceCount += 1
            return AttributeID(rawValue: serviceCount * Self.serviceStep)
        case .characteristic: return next(in: series.parent, step: Self.characteristicStep, room: Self.serviceStep)
        case .descriptor: return next(in: series.parent, step: 1, room: Self.characteristicStep)
        }
    }

    private func next(in parent: AttributeID?, step: UInt32, room: UInt32) -> AttributeID? {
        guard let parent else { return nil }
        let count = counts[parent, default: 0] + 1
        guard count < room / step else { return nil }
        counts[parent] = count
        return AttributeID(rawValue: parent.rawValue + count * step)
    }
}

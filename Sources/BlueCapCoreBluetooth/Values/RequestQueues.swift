// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The requests to one peripheral that wait for a callback, first in, first out for each attribute and kind.
///
/// E3: a callback carries no request, so it answers the oldest of its line. An answer that comes late goes to the
/// request that it belongs to, and not to the next one, which the manager may have sent since.
struct RequestQueues {
    /// The requests that one kind of callback answers.
    enum Line: Hashable {
        case services
        case includedServices(AttributeID)
        case characteristics(AttributeID)
        case descriptors(AttributeID)
        case read(AttributeID)
        case write(AttributeID)
        case notifying(AttributeID)
        case rssi

        /// The attribute that the line is about, which can go when the database of the peer changes; nil for none.
        fileprivate var attribute: AttributeID? {
            switch self {
            case .services, .rssi: nil
            case .includedServices(let id), .characteristics(let id), .descriptors(let id), .read(let id),
                .write(let id), .notifying(let id):
                id
            }
        }
    }

    /// A request, and the UUIDs that it asked for; nil for all.
    struct Entry: Equatable {
        let id: RequestID
        var uuids: [BluetoothUUID]?
    }

    private var lines: [Line: [Entry]] = [:]

    /// The number of requests that wait.
    var count: Int { lines.values.reduce(0) { $0 + $1.count } }

    /// Whether no request waits, as while a peripheral only notifies.
    var isEmpty: Bool { lines.isEmpty }

    /// Whether a request of a line waits.
    func waits(_ line: Line) -> Bool { lines[line] != nil }

    /// Adds the newest request of a line.
    mutating func add(_ id: RequestID, asking uuids: [BluetoothUUID]? = nil, to line: Line) {
        lines[line, default: []].append(Entry(id: id, uuids: uuids))
    }

    /// Removes the oldest request of a line, which a callback answers; nil if none waits.
    mutating func take(_ line: Line) -> Entry? {
        guard var entries = lines.removeValue(forKey: line) else { return nil }
        let first = entries.removeFirst()
        if !entries.isEmpty { lines[line] = entries }
        return first
    }

    /// Removes all requests that are about an attribute in one of the services, in the order in which they were made.
    mutating func takeAttributes(of services: Set<AttributeID>) -> [RequestID] {
        let gone = lines.filter { line, _ in
            line.attribute.map { services.contains(AttributeNumbers.service(of: $0)) } ?? false
        }
        for line in gone.keys { lines[line] = nil }
        return gone.values.flatMap { $0 }.map(\.id).sorted { $0.rawValue < $1.rawValue }
    }
}

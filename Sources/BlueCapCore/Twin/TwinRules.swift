// SPDX-License-Identifier: MIT

package import BlueCapSerDe

/// The rules of a twin, with the characteristics that they mean.
package struct TwinRules: Sendable {
    /// A characteristic by its index in a service, and that of the service in the twin.
    package struct Place: Sendable, Hashable {
        package var service: Int
        package var characteristic: Int

        package init(service: Int, characteristic: Int) {
            self.service = service
            self.characteristic = characteristic
        }
    }

    /// A reply, and the characteristic that gets its value.
    package struct Step: Sendable {
        package let target: Place
        package let after: Duration
        package let value: Bytes
    }

    /// More writes of a characteristic than these do not wait for the replies to earlier ones: they have none.
    package static let maximumWaiting = 256

    private var steps: [Place: [Bytes?: [Step]]] = [:]

    /// Takes the rules of services; one without a characteristic for each of its replies is left out.
    package init(_ services: [TwinService]) {
        let targets = TwinTargets(services)
        for (index, service) in services.enumerated() where !service.isOfStack {
            for (number, characteristic) in service.characteristics.enumerated() {
                let place = Place(service: index, characteristic: number)
                for answer in characteristic.answers where steps[place]?[answer.write] == nil {
                    let found = answer.replies.compactMap { reply in
                        targets.target(of: reply, at: place).map {
                            Step(target: $0, after: reply.after, value: reply.value)
                        }
                    }
                    if found.count == answer.replies.count { steps[place, default: [:]][answer.write] = found }
                }
            }
        }
    }

    /// Whether a write of a characteristic may have replies.
    package func has(_ place: Place) -> Bool { steps[place] != nil }

    /// The characteristics that get values after writes of one.
    package func targets(at place: Place) -> Set<Place> {
        Set(steps[place]?.values.flatMap { $0.map(\.target) } ?? [])
    }

    /// The replies to a write, in their order.
    package func steps(after value: Bytes, at place: Place) -> [Step] {
        guard let rules = steps[place] else { return [] }
        return rules[value] ?? rules[Bytes?.none] ?? []
    }
}

/// The characteristics of a twin by their UUIDs, for the replies of its rules.
package struct TwinTargets: Sendable {
    private struct Name: Hashable {
        var service: BluetoothUUID
        var characteristic: BluetoothUUID
    }

    private var own: [[BluetoothUUID: Int]]
    private var named: [Name: TwinRules.Place] = [:]
    private var first: [BluetoothUUID: TwinRules.Place] = [:]
    private let uuids: [BluetoothUUID]

    /// Takes the characteristics that a twin offers when it is emulated.
    package init(_ services: [TwinService]) {
        own = Array(repeating: [:], count: services.count)
        uuids = services.map(\.uuid)
        for (index, service) in services.enumerated() where !service.isOfStack {
            for (number, characteristic) in service.characteristics.enumerated() {
                let place = TwinRules.Place(service: index, characteristic: number)
                let uuid = characteristic.uuid
                if own[index][uuid] == nil { own[index][uuid] = number }
                let name = Name(service: service.uuid, characteristic: uuid)
                if named[name] == nil { named[name] = place }
                if first[uuid] == nil { first[uuid] = place }
            }
        }
    }

    /// The characteristic that gets the value of a reply; nil where the twin has none such.
    ///
    /// - Parameter place: The characteristic that is written.
    package func target(of reply: TwinReply, at place: TwinRules.Place) -> TwinRules.Place? {
        guard let uuid = reply.characteristic else { return reply.service == nil ? place : nil }
        if reply.service == nil || reply.service == uuids[place.service], let number = own[place.service][uuid] {
            return TwinRules.Place(service: place.service, characteristic: number)
        }
        guard let service = reply.service else { return first[uuid] }
        return named[Name(service: service, characteristic: uuid)]
    }
}

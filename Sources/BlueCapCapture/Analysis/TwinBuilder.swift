// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Makes services of the observed attributes, in time and memory that grow with their number.
struct TwinBuilder {
    private let database: ObservedDatabase
    /// In the order of their handles.
    private let characteristics: [ObservedDatabase.Characteristic]
    private let handles: [UInt16]
    /// The handles that notifications were switched on with.
    private let subscribed: [UInt16]

    /// How many attributes were looked at.
    private(set) var stepCount = 0
    /// The exchanges that have become rules, whose replies are no notifications of their own.
    private var rules: Set<Int> = []

    init(database: ObservedDatabase) {
        self.database = database
        characteristics = database.characteristics.values.sorted { $0.declaration < $1.declaration }
        handles = database.types.keys.sorted()
        subscribed = database.subscriptions.keys.sorted()
    }

    /// All services, with those that were included.
    mutating func services() -> [TwinService] {
        let bare = bareServices()
        let services = withRules(bare)
        // Without the notifications that have become replies.
        guard !rules.isEmpty else { return services }
        return zip(bareServices(), services).map { service, ruled in
            var service = service
            for index in service.characteristics.indices {
                service.characteristics[index].answers = ruled.characteristics[index].answers
            }
            return service
        }
    }

    /// The services with the rules that the exchanges show: those in which the same write always led to the same
    /// values, of characteristics that send nothing by themselves.
    private mutating func withRules(_ bare: [TwinService]) -> [TwinService] {
        guard !database.exchanges.all.isEmpty else { return bare }
        var services = bare
        var places: [UInt16: TwinRules.Place] = [:]
        for (index, service) in services.enumerated() {
            for (number, characteristic) in service.characteristics.enumerated() {
                guard let handle = characteristic.handle else { continue }
                places[handle] = TwinRules.Place(service: index, characteristic: number)
            }
        }
        let targets = TwinTargets(services)
        for (number, exchange) in database.exchanges.all.enumerated() {
            stepCount += 1 + exchange.replies.count
            guard exchange.isClear, exchange.isAlone, !exchange.replies.isEmpty,
                let place = places[exchange.write.handle],
                services[place.service].characteristics[place.characteristic].answers.count < TwinLimits.answers,
                !services[place.service].characteristics[place.characteristic].properties
                    .isDisjoint(with: [.write, .writeWithoutResponse])
            else { continue }
            let replies = exchange.replies.compactMap { reply -> TwinReply? in
                guard !database.exchanges.talkers.contains(reply.handle), let target = places[reply.handle] else {
                    return nil
                }
                return Self.reply(reply, target, services, targets, from: place)
            }
            guard replies.count == exchange.replies.count else { continue }
            rules.insert(number)
            services[place.service].characteristics[place.characteristic].answers.append(
                TwinAnswer(write: exchange.write.value, replies: replies))
        }
        return services
    }

    /// A reply by the shortest name that means its characteristic; nil where none does.
    private static func reply(
        _ reply: ObservedExchanges.Reply, _ target: TwinRules.Place, _ services: [TwinService], _ targets: TwinTargets,
        from place: TwinRules.Place
    ) -> TwinReply? {
        let service = services[target.service]
        let uuid = service.characteristics[target.characteristic].uuid
        let names: [(BluetoothUUID?, BluetoothUUID?)] = [(nil, nil), (uuid, nil), (uuid, service.uuid)]
        return names.lazy.map { TwinReply($0.0, in: $0.1, after: reply.after, value: reply.value) }
            .first { targets.target(of: $0, at: place) == target }
    }

    private mutating func bareServices() -> [TwinService] {
        let all = database.allServices(&stepCount)
        let includes = database.includes.sorted { $0.key < $1.key }
        // None has the first handle of another.
        let indices = Dictionary(all.enumerated().map { ($1.range.first, $0) }) { first, _ in first }
        return all.map { service in
            let found = includes.within(service.range.first, service.range.last, by: \.key)
            stepCount += 1 + found.count
            let includes = found.compactMap { indices[$0.value.range.first] }
            return TwinService(
                service.uuid, handle: service.range.first, isPrimary: service.isPrimary, includes: includes,
                characteristics: characteristics(in: service.range))
        }
    }

    private mutating func characteristics(in range: HandleRange) -> [TwinCharacteristic] {
        let found = characteristics.within(range.first, range.last, by: \.declaration).filter {
            range.contains($0.value)
        }
        stepCount += found.count
        return found.enumerated().map { index, characteristic in
            let last = index + 1 < found.count ? found[index + 1].declaration - 1 : range.last
            return twin(of: characteristic, last: last)
        }
    }

    private mutating func twin(of found: ObservedDatabase.Characteristic, last: UInt16) -> TwinCharacteristic {
        let behind = handles.within(found.value, last, by: \.self).drop { $0 == found.value }
        stepCount += behind.count
        let demand = database.demands[found.value]
        return TwinCharacteristic(
            found.uuid, handle: found.value, properties: found.properties, value: database.values[found.value],
            readSecurity: demand?.read, writeSecurity: demand?.write,
            descriptors: behind.compactMap { handle in
                guard let uuid = database.types[handle], uuid != .clientConfiguration,
                    !BluetoothUUID.declarations.contains(uuid)
                else { return nil }
                return TwinDescriptor(uuid, handle: handle, value: database.values[handle])
            },
            notifications: notifications(of: found, last: last))
    }

    /// The notifications of a characteristic, each with the time from the subscription that it came by.
    private mutating func notifications(of found: ObservedDatabase.Characteristic, last: UInt16) -> [TwinNotification] {
        let sent = database.notifications[found.value] ?? []
        guard !sent.isEmpty else { return [] }
        let handles = subscribed.within(found.value, last, by: \.self).filter { handle in
            handle > found.value && (database.types[handle] ?? .clientConfiguration) == .clientConfiguration
        }
        stepCount += handles.count + sent.count
        let subscriptions = handles.flatMap { database.subscriptions[$0] ?? [] }.sorted()
        var notifications: [TwinNotification] = []
        // Where the present subscription stands in the twin's time, and when it was.
        var begin = Duration.zero
        var base = subscriptions.first ?? sent.first?.time
        var next = subscriptions.dropFirst()
        for value in sent {
            let latest = notifications.last?.after ?? .zero
            while let time = value.time, let subscription = next.first, subscription <= time {
                next = next.dropFirst()
                begin = latest
                base = subscription
            }
            var after = latest
            if let exchange = value.exchange, rules.contains(exchange) { continue }
            if let time = value.time, let base { after = max(latest, begin + (time - base)) }
            notifications.append(TwinNotification(after: after, value: value.value))
        }
        return notifications
    }
}

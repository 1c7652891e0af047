// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapJSON
import BlueCapSerDe

/// The limits of a twin: a twin within them can be read again from its file, and can become a device.
enum TwinLimits {
    static let services = 2048
    static let attributes = 65_535
    static let characteristics = 8192
    static let descriptors = 256
    static let notifications = 200_000
    /// Rules of one characteristic, and replies of one rule.
    static let answers = 1024
    static let replies = 64
    /// The longest value of an attribute (Core Specification, Vol 3, Part F, 3.2.9).
    static let valueByteCount = 512
    /// PSMs, and units of one.
    static let channels = 255
    static let units = 200_000
    static let psms = 1...255
    /// Result codes of refusals.
    static let refusals = 1...65_535
    static let unitLengths = 23...65_535
    static let unitByteCount = 65_535
    /// The units of a central that a unit or the end of a channel waits for.
    static let unitCounts = 0...1_000_000_000
    /// Of a list or dictionary in an advertisement.
    static let fields = 1024
    /// More than the longest data of extended advertising, as a name that is no UTF-8 grows.
    static let advertisedByteCount = 4096
    static let nameByteCount = 1024
    /// The approximate limit of the bytes that values and notifications take in JSON together.
    static let contentByteCount = 32 << 20
    /// More than the values of a twin that takes up all other limits.
    static let json = JSONLimits(values: 2_000_000)
    static let longestTime = Duration.seconds(1_000_000_000)
    static let latestMoment = Duration.seconds(100_000_000_000 as Int64)
    static let rssi = -127...20
}

extension Twin {
    /// Returns the twin cut to the limits of <doc:TwinFormat>: values are cut to 512 bytes, rules that cannot be are
    /// left out, and so are notifications, descriptors, characteristics and services that are too many, the last ones
    /// first.
    /// Channels are treated the same way.
    ///
    /// Twins that come from captures and recordings are within the limits already.
    public func withinLimits() -> Twin {
        var twin = self
        var budget = TwinBudget()
        twin.services = []
        for service in services.prefix(TwinLimits.services) {
            guard let cut = budget.cut(service) else { break }
            twin.services.append(cut)
        }
        for index in twin.services.indices {
            twin.services[index].includes = twin.services[index].includes.filter {
                twin.services.indices.contains($0) && $0 != index
            }
        }
        twin.dropWrongAnswers()
        twin.channels = budget.cut(channels)
        if let recorded, !(Duration.zero...TwinLimits.latestMoment).contains(recorded.sinceEpoch) {
            twin.recorded = nil
        }
        if let name, name.utf8.count > TwinLimits.nameByteCount { twin.name = nil }
        twin.mtu = mtu.map { min(max($0, 23), 517) }
        if let rssi = advertisement?.rssi, !TwinLimits.rssi.contains(rssi) { twin.advertisement?.rssi = nil }
        if let interval = advertisement?.interval, !(Duration.zero...TwinLimits.longestTime).contains(interval) {
            twin.advertisement?.interval = nil
        }
        return twin
    }
}

extension Twin {
    /// Leaves out the rules that cannot be read again.
    fileprivate mutating func dropWrongAnswers() {
        let targets = TwinTargets(services)
        for service in services.indices {
            for number in services[service].characteristics.indices {
                let place = TwinRules.Place(service: service, characteristic: number)
                let characteristic = services[service].characteristics[number]
                if characteristic.answers.isEmpty { continue }
                var writes: Set<Bytes?> = []
                services[service].characteristics[number].answers = characteristic.answers.filter { answer in
                    var alone = characteristic
                    alone.answers = [answer]
                    return alone.answersFault(among: targets, at: place) == nil && writes.insert(answer.write).inserted
                }
            }
        }
    }
}

/// The rest of a twin's limits while its services are gone through.
private struct TwinBudget {
    private var attributes = TwinLimits.attributes
    private var bytes = TwinLimits.contentByteCount

    /// The service with as many parts as there is room for; nil where there is no room for the service.
    mutating func cut(_ service: TwinService) -> TwinService? {
        var cut = service
        cut.characteristics = []
        cut.includes = Array(service.includes.prefix(TwinLimits.services))
        guard attributes >= 1 + cut.includes.count else { return nil }
        attributes -= 1 + cut.includes.count
        for characteristic in service.characteristics.prefix(TwinLimits.characteristics) {
            var characteristic = characteristic
            characteristic.descriptors = characteristic.descriptors.prefix(TwinLimits.descriptors).map { self.cut($0) }
            let count = 3 + characteristic.descriptors.count
            guard attributes >= count else { break }
            attributes -= count
            characteristic.value = self.cut(characteristic.value)
            characteristic.notifications = self.cut(characteristic.notifications)
            characteristic.answers = self.cut(characteristic.answers)
            cut.characteristics.append(characteristic)
        }
        return cut
    }

    private mutating func cut(_ descriptor: TwinDescriptor) -> TwinDescriptor {
        TwinDescriptor(descriptor.uuid, handle: descriptor.handle, value: cut(descriptor.value))
    }

    private mutating func cut(_ value: Bytes?) -> Bytes? {
        guard let value, pay(for: value) else { return nil }
        return value.count <= TwinLimits.valueByteCount ? value : Bytes(value.prefix(TwinLimits.valueByteCount))
    }

    private mutating func cut(_ notifications: [TwinNotification]) -> [TwinNotification] {
        var kept: [TwinNotification] = []
        for notification in notifications.prefix(TwinLimits.notifications) {
            guard let value = cut(notification.value) else { break }
            let after = min(max(notification.after, .zero), TwinLimits.longestTime)
            kept.append(TwinNotification(after: after, value: value))
        }
        return kept
    }

    private mutating func cut(_ answers: [TwinAnswer]) -> [TwinAnswer] {
        var kept: [TwinAnswer] = []
        for answer in answers.prefix(TwinLimits.answers) where answer.replies.count <= TwinLimits.replies {
            // A longer write cannot be made.
            if let write = answer.write, write.count > TwinLimits.valueByteCount { continue }
            guard pay(for: answer.write ?? []) else { break }
            var cut = TwinAnswer(write: answer.write, replies: [])
            for var reply in answer.replies {
                guard pay(for: reply.value), pay(for: []) else { return kept }
                reply.value = Bytes(reply.value.prefix(TwinLimits.valueByteCount))
                reply.after = min(max(reply.after, .zero), TwinLimits.longestTime)
                cut.replies.append(reply)
            }
            kept.append(cut)
        }
        return kept
    }

    /// The channels that can be, each PSM once.
    mutating func cut(_ channels: [TwinChannel]) -> [TwinChannel] {
        var psms: Set<UInt16> = []
        return channels.filter {
            TwinLimits.psms.contains(Int($0.psm)) && $0.refusal?.rawValue != 0 && psms.insert($0.psm).inserted
        }.map { channel in
            var cut = channel
            cut.maximumReceiveLength = channel.maximumReceiveLength.clamped(to: TwinLimits.unitLengths)
            cut.closesAfter = channel.closesAfter?.clamped(to: TwinLimits.unitCounts)
            cut.units = []
            for var unit in channel.units.prefix(TwinLimits.units) {
                if unit.value.isEmpty || unit.value.count > TwinLimits.unitByteCount { continue }
                guard pay(for: unit.value, maximum: TwinLimits.unitByteCount) else { break }
                unit.after = min(max(unit.after, .zero), TwinLimits.longestTime)
                unit.received = unit.received.clamped(to: TwinLimits.unitCounts)
                cut.units.append(unit)
            }
            return cut
        }
    }

    /// Two digits for each byte, and the JSON around them.
    private mutating func pay(for value: Bytes, maximum: Int = TwinLimits.valueByteCount) -> Bool {
        bytes -= 2 * min(value.count, maximum) + 110
        return bytes >= 0
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapJSON
import BlueCapSerDe

/// Reads the rules in the file of a configuration.
struct RuleReader {
    /// The greatest number of rules in a file.
    private static let maximumCount = 1024
    /// The greatest number of values that a rule names, and of its thresholds; a device has no more values.
    private static let maximumValues = 64
    private static let keys = [
        "match", "publish", "name", "minimumInterval", "maximumInterval", "values", "changes", "keeps", "presence",
        "key", "connect", "about",
    ]
    private static let matchKeys = ["address", "name", "service", "bthome", "format", "beacon"]

    private let list: MistakeList
    /// The settings of the file, without rules.
    private let plan: GatewayPlan
    private let connections: ConnectionReader
    private let readsKeys: Bool

    init(_ list: MistakeList, _ plan: GatewayPlan, _ connections: ConnectionReader, readsKeys: Bool) {
        (self.list, self.plan, self.connections, self.readsKeys) = (list, plan, connections, readsKeys)
    }

    /// Reads the rules. A rule whose condition has a mistake is left out.
    func rules(_ top: ConfigurationObject) -> [GatewayRule] {
        guard let values = top.list("rules") else { return [] }
        if values.count > Self.maximumCount {
            top.refuse("rules", "has more than \(Self.maximumCount): join some of them by a name with '*' at its end")
            return []
        }
        let rules = values.compactMap { value in rule(value).map { ($0, value.place) } }
        findContradictions(rules)
        connections.findMistakes(rules, limit: plan.connectionLimit, isOfGroup: plan.isOfGroup)
        return rules.map(\.0)
    }

    private func rule(_ value: PlacedJSON) -> GatewayRule? {
        guard let object = ConfigurationObject(value, called: "a rule", keys: Self.keys, list) else { return nil }
        var rule = GatewayRule()
        _ = object.text("about", isEmptyAllowed: true)
        let count = list.count
        if let match = object.object("match", keys: Self.matchKeys) { rule.match = self.match(match) }
        let isMatchRight = list.count == count
        rule.isPublished = object.truth("publish") ?? true
        rule.name = object.text("name")
        (rule.times.shortest, rule.times.longest) = object.intervals()
        findGreater(rule, in: object)
        rule.values = values(object)
        rule.thresholds = thresholds(object, rule)
        rule.keepsValues = object.truth("keeps")
        rule.key = key(object, rule)
        rule.connection = connections.connection(object, rule.match)
        rule.times.presence = presence(object, rule)
        if !rule.isPublished {
            for (key, place) in object.keys
            where !["match", "publish", "about"].contains(key) && Self.keys.contains(key) {
                list.add(place, "'\(key)' has no effect, as the rule has \"publish\": false: remove one of both")
            }
        }
        // A rule without its wrong condition would fit more devices than it should, and contradict more rules.
        return isMatchRight ? rule : nil
    }

    /// Finds a time of a rule that contradicts the other time of the file.
    private func findGreater(_ rule: GatewayRule, in object: ConfigurationObject) {
        if let shortest = rule.times.shortest, rule.times.longest == nil,
            let longest = plan.longestInterval, shortest > longest
        {
            object.refuse("minimumInterval", "is greater than 'maximumInterval' of the file: give the rule its own")
        }
        if let longest = rule.times.longest, rule.times.shortest == nil, plan.shortestInterval > longest {
            object.refuse("maximumInterval", "is less than 'minimumInterval' of the file: give the rule its own")
        }
    }

    private func presence(_ object: ConfigurationObject, _ rule: GatewayRule) -> Duration? {
        let time = object.number("presence", "a number of seconds", in: 30...86_400).map { Duration(nearest: $0) }
        guard let time else {
            if rule.match.beacon != nil, !object.has("presence"), rule.isPublished {
                object.refuse("match", "has 'beacon', and a beacon has no values: add 'presence'")
            }
            return nil
        }
        if rule.match == GatewayRule.Match() {
            object.refuse("presence", "is for devices that you name: add 'match'")
        }
        if object.has("connect") {
            object.refuse("presence", "is for devices that advertise, and 'connect' shows its own: remove one of both")
        }
        if let longest = rule.times.longest, longest * 3 > time {
            object.refuse("presence", "is less than three times 'maximumInterval' of the rule: raise it")
        }
        return time
    }

    private func match(_ object: ConfigurationObject) -> GatewayRule.Match {
        var match = GatewayRule.Match()
        if let text = object.text("address") {
            let address = PeerIdentifier(text)
            if address.isAddress {
                match.address = address
            } else {
                object.refuse("address", "is no address: write six pairs of digits, as \"A4:C1:38:00:00:01\"")
            }
        }
        match.name = object.text("name")
        if let text = object.text("service") {
            do throws(BluetoothUUIDError) { match.service = try BluetoothUUID(text: text) } catch {
                object.refuse("service", "is no UUID: write four digits, as \"181A\", or all of it")
            }
        }
        switch object.text("bthome") {
        case "encrypted": match.isEncrypted = true
        case "clear": match.isEncrypted = false
        case nil: break
        default: object.refuse("bthome", "is \"encrypted\" or \"clear\"")
        }
        match.format = object.text("format")
        if let format = match.format, !plan.formats.names.contains(where: { GatewayRule.Match.fits($0, format) }) {
            let known = plan.formats.names.joined(separator: ", ")
            object.refuse("format", "is no format that is known; there are \(known)")
        }
        if let text = object.text("beacon") {
            match.beacon = BeaconIdentity(text)
            if match.beacon == nil {
                object.refuse(
                    "beacon",
                    "is no beacon: write UUID, UUID/MAJOR or UUID/MAJOR/MINOR of an iBeacon, or the 20 hexadecimal "
                        + "digits of an Eddystone's namespace, with / and the 12 of its instance")
            }
            for key in ["address", "service", "bthome", "format"] where object.has(key) {
                object.refuse(key, "contradicts 'beacon', by which a beacon is a device of its own: remove one of both")
            }
        }
        if match.format != nil, match.isEncrypted != nil {
            object.refuse("format", "contradicts 'bthome', which has a format of its own: remove one of both")
        }
        return match
    }

    private func values(_ object: ConfigurationObject) -> Set<String>? {
        guard let values = object.list("values") else { return nil }
        if object.has("connect") {
            object.refuse("values", "is for values of advertisements: 'connect' names its own, remove it")
        }
        if values.isEmpty { object.refuse("values", "is empty: name a value, or remove it") }
        if values.count > Self.maximumValues {
            object.refuse("values", "has more than \(Self.maximumValues) names: one counts for all of its kind")
            return nil
        }
        var names: Set<String> = []
        for value in values {
            guard case .text(let name) = value.content, isKnown(name, Measurement.names) else {
                let known = Measurement.names.sorted().joined(separator: ", ")
                list.add(value.place, "'values' has names of values; there are \(known)")
                continue
            }
            if !names.insert(name).inserted { list.add(value.place, "'\(name)' stands twice: remove one of both") }
        }
        return names
    }

    /// Whether a name is in a set, with or without the number behind it.
    private func isKnown(_ name: String, _ names: Set<String>) -> Bool {
        names.contains(name) || names.contains(Measurement.name(ofKey: name))
    }

    private func thresholds(_ object: ConfigurationObject, _ rule: GatewayRule) -> [String: Double] {
        guard let changes = object.object("changes", keys: nil) else { return [:] }
        if changes.keys.count > Self.maximumValues {
            object.refuse("changes", "has more than \(Self.maximumValues) values: one name counts for all of its kind")
            return [:]
        }
        var thresholds: [String: Double] = [:]
        for (key, _) in changes.keys {
            // Values of connections have the names of their profiles.
            if !isKnown(key, Measurement.numbers), !object.has("connect") {
                let names = Measurement.numbers.sorted().joined(separator: ", ")
                changes.refuse(String(key.prefix(64)), "is no value with a number; there are \(names)")
            } else if let number = changes.number(key, "a number", in: 0...1e9) {
                if number == 0 { changes.refuse(key, "is 0, and each change is published: remove it") }
                let isPublished = rule.values.map { values in
                    isKnown(key, values) || values.contains { Measurement.name(ofKey: $0) == key }
                }
                if isPublished == false {
                    changes.refuse(key, "is not one of 'values': add it there, or remove it")
                }
                thresholds[key] = number
            }
        }
        return thresholds
    }

    private func key(_ object: ConfigurationObject, _ rule: GatewayRule) -> BindKey? {
        guard let text = object.text("key") else { return nil }
        guard let key = BindKey(hex: text) else {
            // The text is not repeated: most of it may be right.
            object.refuse("key", "has 32 hexadecimal digits, or 24 of an older sensor, and no other characters")
            return nil
        }
        if rule.match.address == nil {
            object.refuse("key", "belongs to one device: add its 'address' to 'match'")
        }
        if rule.match.isEncrypted == false {
            object.refuse("key", "contradicts \"bthome\": \"clear\": remove one of both")
        }
        if !readsKeys {
            object.refuse("key", "is of no use: this program reads no encrypted frames, build it with the trait Crypto")
        }
        return key
    }

    /// Finds rules that never count, and two keys of one device, one of which has to be wrong.
    private func findContradictions(_ rules: [(rule: GatewayRule, place: JSONPlace)]) {
        for (index, (rule, place)) in rules.enumerated() {
            let before = rules[..<index]
            if let other = before.first(where: { $0.rule.match.covers(rule.match) }) {
                list.add(
                    place,
                    "this rule never counts, as that of line \(other.place.line) comes first and fits all of its "
                        + "devices: put it before that, or remove it")
            }
            guard let key = rule.key, let address = rule.match.address else { continue }
            if let other = before.first(where: { $0.rule.match.address == address && ($0.rule.key ?? key) != key }) {
                list.add(
                    place,
                    "another key of \(address) stands in the rule of line \(other.place.line): remove one of both")
            }
        }
    }
}
#endif

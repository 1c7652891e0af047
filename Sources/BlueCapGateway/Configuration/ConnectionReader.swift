// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapJSON
import BlueCapRuntime

/// Reads the object `connect` of rules in the file of a configuration.
struct ConnectionReader {
    private static let keys = ["read", "every", "subscribe", "write"]
    /// The greatest number of characteristics in a list.
    private static let maximumCount = 16

    private let list: MistakeList
    private let profiles: ProfileManager

    init(_ list: MistakeList, _ profiles: ProfileManager) { (self.list, self.profiles) = (list, profiles) }

    /// Reads the connection of a rule; nil where the rule has no `connect`.
    func connection(_ object: ConfigurationObject, _ match: GatewayRule.Match) -> ConnectionRule? {
        guard let connect = object.object("connect", keys: Self.keys) else { return nil }
        var rule = ConnectionRule()
        rule.read = characteristics("read", connect)
        rule.subscribe = characteristics("subscribe", connect)
        rule.write = characteristics("write", connect)
        rule.interval = connect.number("every", "a number of seconds", in: 10...28_800).map {
            Duration(nearest: $0)
        }
        if !["read", "subscribe", "write"].contains(where: connect.has) {
            object.refuse("connect", "does nothing: add 'read', 'subscribe' or 'write', or remove it")
        }
        if connect.has("every"), !connect.has("read") {
            connect.refuse("every", "is the time between two readings: add 'read', or remove it")
        }
        if connect.has("read"), !connect.has("every"), !connect.has("subscribe") {
            connect.refuse("read", "needs 'every': add it, the seconds between two readings")
        }
        var only = GatewayRule.Match()
        only.address = match.address
        if match.address == nil || match != only {
            object.refuse("connect", "belongs to one device: 'match' has its 'address', and nothing else")
        }
        return rule
    }

    private func characteristics(_ key: String, _ connect: ConfigurationObject) -> [CharacteristicName] {
        guard let values = connect.list(key) else { return [] }
        if values.isEmpty { connect.refuse(key, "is empty: name a characteristic, or remove it") }
        if values.count > Self.maximumCount {
            connect.refuse(key, "has more than \(Self.maximumCount) characteristics: remove some")
            return []
        }
        var names: [CharacteristicName] = []
        for value in values {
            guard case .text(let text) = value.content else {
                list.add(value.place, "'\(key)' has texts, as \"180F/2A19\" or \"Battery Level\"")
                continue
            }
            let quoted = "'\(text.prefix(64))'"
            do throws(CharacteristicName.Fault) {
                let name = try CharacteristicName(text, in: profiles)
                if names.contains(where: name.mayBe) {
                    list.add(value.place, "\(quoted) stands twice in '\(key)': remove one of both")
                }
                names.append(name)
            } catch {
                let fault =
                    switch error {
                    case .unknown:
                        "is no characteristic: write its UUID, as \"180F/2A19\", or a name of 'bluecap profiles'"
                    case .ambiguous: "is the name of several characteristics: write 'SERVICE/' and the name"
                    }
                list.add(value.place, "\(quoted) \(fault)")
            }
        }
        return names
    }

    /// Finds rules that may not count for their devices, and devices that get no connection.
    ///
    /// - Parameters:
    ///   - rules: The rules with their places.
    ///   - limit: The number of connections to devices at once.
    ///   - isOfGroup: Whether other gateways stay connected to the devices for which this gateway has no connection.
    func findMistakes(_ rules: [(rule: GatewayRule, place: JSONPlace)], limit: Int, isOfGroup: Bool) {
        var lasting = 0
        for (index, (rule, place)) in rules.enumerated() {
            guard let connection = rule.connection, let address = rule.match.address else { continue }
            // Whether a rule by name or service fits is known when the device is heard, and may change then.
            let before = rules[..<index].first { $0.rule.match.address == nil || $0.rule.match.address == address }
            if let before, !before.rule.match.covers(rule.match) {
                list.add(
                    place,
                    "this rule has 'connect', and that of line \(before.place.line) may fit its device: put it before "
                        + "that")
            }
            if !connection.isLasting { continue }
            lasting += 1
            if lasting > limit, !isOfGroup {
                list.add(
                    place,
                    "more devices stay connected than the \(limit) of 'connections': raise it, up to 16, or remove "
                        + "'subscribe'")
            }
        }
        let other = rules.first { $0.rule.connection?.isLasting == false }
        if isOfGroup ? lasting > 0 && limit == 1 : lasting == limit, let other {
            list.add(
                other.place,
                "the devices that stay connected take all \(limit) connections, and leave none for this one: raise "
                    + "'connections'")
        }
    }
}
#endif

// SPDX-License-Identifier: MIT

/// An object in a file that a person writes, whose values are read by their keys.
///
/// A value that is missing is nil. A value of another kind is nil too, and a mistake.
package struct ConfigurationObject {
    package let place: JSONPlace
    private let members: [PlacedJSON.Member]
    private let list: MistakeList

    /// Makes a mistake of each key that is not known, and of each key that stands twice.
    ///
    /// - Parameters:
    ///   - name: The name of the object in messages.
    ///   - keys: The keys that it may have; nil for any.
    package init?(_ value: PlacedJSON, called name: String, keys: [String]?, _ list: MistakeList) {
        guard case .object(let members) = value.content else {
            list.add(value.place, "\(name) is an object in braces: {…}")
            return nil
        }
        (place, self.members, self.list) = (value.place, members, list)
        var lines: [String: Int] = [:]
        for member in members {
            let key = Self.quoted(member.key)
            if let first = lines.updateValue(member.place.line, forKey: member.key) {
                list.add(member.place, "\(key) stands in line \(first) already: remove one of both")
            } else if let keys, !keys.contains(member.key) {
                list.add(
                    member.place,
                    "\(name) has no \(key): choose \(keys.map { "'\($0)'" }.joined(separator: ", ")), or remove it")
            }
        }
    }

    /// The keys with their places, in the order of the file.
    package var keys: [(key: String, place: JSONPlace)] { members.map { ($0.key, $0.place) } }

    package func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    /// The place of a key; the place of the object where the key is missing.
    package func place(of key: String) -> JSONPlace { members.first { $0.key == key }?.place ?? place }

    /// Makes a mistake of a value.
    package func refuse(_ key: String, _ reason: String) { list.add(place(of: key), "'\(key)' \(reason)") }

    /// A text of 1 to 255 bytes without control characters.
    ///
    /// - Parameter isEmptyAllowed: Whether it may be empty.
    package func text(_ key: String, isEmptyAllowed: Bool = false) -> String? {
        guard let value = value(key) else { return nil }
        guard case .text(let text) = value.content else { return wrong(key, "is a text in quotes") }
        if text.isEmpty, !isEmptyAllowed { return wrong(key, "is empty: write a text, or remove the key") }
        if text.utf8.count > 255 { return wrong(key, "is longer than 255 bytes: shorten it") }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return wrong(key, "has a control character: remove it")
        }
        return text
    }

    package func truth(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        if case .truth(let isTrue) = value.content { return isTrue }
        return wrong(key, "is true or false, without quotes")
    }

    /// A number.
    ///
    /// - Parameter unit: The name of the number in messages, as `"a number of seconds"`.
    package func number(_ key: String, _ unit: String, in range: ClosedRange<Double>) -> Double? {
        guard let value = value(key) else { return nil }
        if let number = value.number, range.contains(number) { return number }
        return wrong(key, "is \(unit) from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
    }

    package func whole(_ key: String, _ unit: String, in range: ClosedRange<Int>) -> Int? {
        let bounds = Double(range.lowerBound)...Double(range.upperBound)
        guard let number = number(key, unit, in: bounds) else { return nil }
        return Int(exactly: number) ?? wrong(key, "is a whole number, without a point")
    }

    /// An object.
    ///
    /// - Parameter keys: The keys that it may have; nil for any.
    package func object(_ key: String, keys: [String]?) -> ConfigurationObject? {
        value(key).flatMap { ConfigurationObject($0, called: "'\(key)'", keys: keys, list) }
    }

    package func list(_ key: String) -> [PlacedJSON]? {
        guard let value = value(key) else { return nil }
        if case .list(let values) = value.content { return values }
        return wrong(key, "is a list in brackets: […]")
    }

    /// A value of any kind.
    package func value(_ key: String) -> PlacedJSON? { members.first { $0.key == key }?.value }

    private func wrong<Value>(_ key: String, _ reason: String) -> Value? {
        list.add(value(key)?.place ?? place, "'\(key)' \(reason)")
        return nil
    }

    /// A key of the file in quotes, with 64 characters at the most.
    private static func quoted(_ key: String) -> String { "'\(key.prefix(64))'" }

    private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}

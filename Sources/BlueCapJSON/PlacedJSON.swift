// SPDX-License-Identifier: MIT

/// A value of JSON, with the place at which it begins.
package struct PlacedJSON: Sendable {
    /// A member of an object.
    package struct Member: Sendable {
        package let key: String
        /// The place of the key.
        package let place: JSONPlace
        package let value: PlacedJSON
    }

    package enum Content: Sendable {
        case object([Member])
        case list([PlacedJSON])
        case text(String)
        /// A number as it is written.
        case number(String)
        case truth(Bool)
        case null
    }

    package let content: Content
    package let place: JSONPlace

    init(_ content: Content, _ place: JSONPlace) { (self.content, self.place) = (content, place) }

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: The text. It is not trusted.
    ///   - limits: How much it may hold.
    ///   - allowsDoubleKeys: Whether an object may have several members with one key, for a reader that says so itself.
    /// - Throws: The place at which the bytes are not JSON, or more of it than is allowed.
    package init(_ bytes: [UInt8], within limits: JSONLimits, allowsDoubleKeys: Bool = false) throws(JSONFault) {
        var parser = JSONParser(bytes, limits, allowsDoubleKeys: allowsDoubleKeys)
        self = try parser.parse()
    }

    /// The number as a computer has it, infinite where it is too great; nil where the value is none.
    package var number: Double? {
        guard case .number(let text) = content else { return nil }
        return Double(text)
    }

    /// The place of a value in this one, by the keys and the indices that lead to it; of the last value on the way that
    /// is there.
    package func place(at path: some Sequence<any CodingKey>) -> JSONPlace {
        var value = self
        for key in path {
            switch value.content {
            case .object(let members):
                guard let member = members.first(where: { $0.key == key.stringValue }) else { return value.place }
                value = member.value
            case .list(let values):
                guard let index = key.intValue, values.indices.contains(index) else { return value.place }
                value = values[index]
            default: return value.place
            }
        }
        return value.place
    }

    /// The place of a key of this object; that of the object where it has none.
    func place(ofKey key: String) -> JSONPlace {
        guard case .object(let members) = content else { return place }
        return members.first { $0.key == key }?.place ?? place
    }

    /// The value at a path; nil where there is none.
    func value(at path: some Sequence<any CodingKey>) -> PlacedJSON? {
        path.reduce(self as PlacedJSON?) { value, key in
            switch value?.content {
            case .object(let members)?: members.first { $0.key == key.stringValue }?.value
            case .list(let values)?: key.intValue.flatMap { values.indices.contains($0) ? values[$0] : nil }
            default: nil
            }
        }
    }

    /// The keys and indices of a path as ``DecodingFault`` writes it, such as `services[2].uuid`.
    package static func keys(ofPath path: String) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        for part in path.split(separator: ".") {
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            if let name = pieces.first, !name.isEmpty { keys.append(PathKey(stringValue: String(name))) }
            for piece in pieces.dropFirst() {
                guard let index = Int(piece.dropLast()) else { return keys }
                keys.append(PathKey(intValue: index))
            }
        }
        return keys
    }
}

/// A key of an object, or an index of a list.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

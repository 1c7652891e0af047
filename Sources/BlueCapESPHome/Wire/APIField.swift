// SPDX-License-Identifier: MIT

/// A group of fields: a message, or a part of one.
package protocol APIGroup: Hashable, Sendable {
    /// The fields in the order of their numbers. Reader and writer are made of them.
    static var fields: [APIField<Self>] { get }

    /// A group whose fields have their default values.
    init()
}

/// A field of a message: its number, its kind, and its place in the type. A field with its default value is not
/// written.
package struct APIField<Group>: Sendable {
    typealias Path<Member> = any WritableKeyPath<Group, Member> & Sendable

    let number: UInt64
    let write: @Sendable (Group, inout ProtobufWriter) -> Void
    /// Takes a value, or nothing where it is of another kind.
    let read: @Sendable (inout Group, ProtobufReader.Value) throws(WireError) -> Void

    private init<Member: Equatable & Sendable>(
        _ number: UInt64, _ path: Path<Member>, defaultValue: Member,
        write: @escaping @Sendable (Member) -> ProtobufReader.Value,
        read: @escaping @Sendable (ProtobufReader.Value) throws(WireError) -> Member?
    ) {
        self.number = number
        self.write = { group, writer in
            let member = group[keyPath: path]
            if member != defaultValue { writer.field(number, write(member)) }
        }
        self.read = { (group, value) throws(WireError) in
            if let member = try read(value) { group[keyPath: path] = member }
        }
    }

    /// A number without a sign. Digits that do not fit are lost, as elsewhere.
    static func unsigned<Number: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ number: UInt64, _ path: Path<Number>
    ) -> Self {
        Self(number, path, defaultValue: 0) {
            .varint(UInt64($0))
        } read: {
            $0.varint.map { Number(truncatingIfNeeded: $0) }
        }
    }

    /// A number whose negative values take ten bytes.
    static func signed(_ number: UInt64, _ path: Path<Int32>) -> Self {
        Self(number, path, defaultValue: 0) {
            .varint(UInt64(bitPattern: Int64($0)))
        } read: {
            $0.varint.map { Int32(truncatingIfNeeded: $0) }
        }
    }

    /// A number whose sign is its lowest bit.
    static func zigzag(_ number: UInt64, _ path: Path<Int32>) -> Self {
        Self(number, path, defaultValue: 0) {
            .varint(UInt64(UInt32(bitPattern: $0 << 1 ^ $0 >> 31)))
        } read: {
            $0.varint.map { Int32(truncatingIfNeeded: $0 >> 1) ^ -Int32(truncatingIfNeeded: $0 & 1) }
        }
    }

    static func bool(_ number: UInt64, _ path: Path<Bool>) -> Self {
        Self(number, path, defaultValue: false) {
            .varint($0 ? 1 : 0)
        } read: {
            $0.varint.map { $0 != 0 }
        }
    }

    /// A text; bytes that are not UTF-8 are replaced.
    static func text(_ number: UInt64, _ path: Path<String>) -> Self {
        Self(number, path, defaultValue: "") {
            .bytes(Array($0.utf8)[...])
        } read: {
            $0.bytes.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    static func bytes(_ number: UInt64, _ path: Path<[UInt8]>) -> Self {
        Self(number, path, defaultValue: []) {
            .bytes($0[...])
        } read: {
            $0.bytes.map { Array($0) }
        }
    }

    /// A group that is there, or not.
    static func group<Part: APIGroup>(_ number: UInt64, _ path: Path<Part?>) -> Self {
        Self(number, path, defaultValue: nil) {
            .bytes(($0 ?? Part()).encoded[...])
        } read: { (value) throws(WireError) in
            guard let bytes = value.bytes else { return nil }
            return .some(try Part(encoded: bytes))
        }
    }

    /// Any number of groups.
    static func groups<Part: APIGroup>(_ number: UInt64, _ path: Path<[Part]>) -> Self {
        Self(number: number) { group, writer in
            for part in group[keyPath: path] { writer.field(number, .bytes(part.encoded[...])) }
        } read: { (group, value) throws(WireError) in
            if let bytes = value.bytes { group[keyPath: path].append(try Part(encoded: bytes)) }
        }
    }

    /// Any number of numbers. They are written one by one, as the firmware does, and read packed, too.
    static func numbers(_ number: UInt64, _ path: Path<[UInt64]>) -> Self {
        Self(number: number) { group, writer in
            for value in group[keyPath: path] { writer.field(number, .varint(value)) }
        } read: { (group, value) throws(WireError) in
            if let single = value.varint { group[keyPath: path].append(single) }
            guard let bytes = value.bytes else { return }
            var reader = ProtobufReader(bytes)
            while !reader.isAtEnd { group[keyPath: path].append(try reader.varint()) }
        }
    }

    private init(
        number: UInt64, write: @escaping @Sendable (Group, inout ProtobufWriter) -> Void,
        read: @escaping @Sendable (inout Group, ProtobufReader.Value) throws(WireError) -> Void
    ) {
        (self.number, self.write, self.read) = (number, write, read)
    }
}

extension APIGroup {
    /// The group of encoded fields. Fields that it does not have are skipped.
    package init(encoded bytes: ArraySlice<UInt8>) throws(WireError) {
        self.init()
        let fields = Self.fields
        var reader = ProtobufReader(bytes)
        while let (number, value) = try reader.field() {
            guard let field = fields.first(where: { $0.number == number }) else { continue }
            try field.read(&self, value)
        }
    }

    /// The encoded fields.
    package var encoded: [UInt8] {
        var writer = ProtobufWriter()
        for field in Self.fields { field.write(self, &writer) }
        return writer.bytes
    }
}

extension ProtobufReader.Value {
    fileprivate var varint: UInt64? { if case .varint(let value) = self { value } else { nil } }
    fileprivate var bytes: ArraySlice<UInt8>? { if case .bytes(let value) = self { value } else { nil } }
}

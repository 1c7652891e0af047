// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A central's read or write of one of our attributes.
public struct AttributeAccess: Sendable, Hashable {
    /// A read with its offset, or a write with its value.
    public enum Kind: Sendable, Hashable {
        /// The value from this offset on; the answer is the rest of the value, of any length: the backend cuts it.
        case read(offset: Int)
        /// A value to be written at this offset, answered with success or an error.
        case write(Bytes, offset: Int, WriteRequestKind)
    }

    /// The name of the access, which the answer carries.
    public var id: AccessID
    /// The number under which the manager added the characteristic or descriptor.
    public var attribute: AttributeID
    /// The central that reads or writes; nil where the platform does not report it.
    public var central: Central?
    /// Whether the central reads or writes, and what.
    public var kind: Kind

    /// Creates an access, as a backend reports it by ``PeripheralEvent``.
    ///
    /// - Parameters:
    ///   - id: The name that the manager gives to ``PeripheralBackend/respond(to:_:)``; never used for another access.
    ///   - attribute: The number under which the manager added the characteristic or descriptor.
    ///   - central: The central that reads or writes; nil where the platform does not say which one it is.
    ///   - kind: Whether the central reads or writes, and from which offset on, in bytes.
    public init(id: AccessID, attribute: AttributeID, central: Central?, kind: Kind) {
        self.id = id
        self.attribute = attribute
        self.central = central
        self.kind = kind
    }
}

/// Names one access of a central to an attribute; never used twice by one backend.
public struct AccessID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number, given out by the backend.
    public let rawValue: UInt64

    /// A name from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number after a `$`.
    public var description: String { "$\(rawValue)" }
}

/// The ATT procedure by which a central wrote.
public enum WriteRequestKind: Sendable, Hashable, Codable {
    /// A Write Request: the central waits for the answer.
    case request
    /// A Write Command: no answer reaches the central.
    case command
    /// Prepared writes, already put together to one value.
    case prepared
    /// The platform does not say (BlueZ, where a request and a command look alike).
    case unknown
}

// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// An AD structure as it was in the packet.
public struct ADStructure: Sendable, Hashable {
    /// The AD type (Assigned Numbers, 2.3).
    public var type: UInt8
    /// The data after the type.
    public var data: Bytes

    /// Creates a structure.
    ///
    /// A packet holds its type and data after a length byte.
    ///
    /// - Parameters:
    ///   - type: The AD type (Assigned Numbers, 2.3).
    ///   - data: The bytes after the type, without the length byte.
    public init(type: UInt8, data: Bytes) {
        self.type = type
        self.data = data
    }
}

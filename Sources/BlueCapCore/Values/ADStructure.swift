// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// One AD structure as it stood in the packet.
public struct ADStructure: Sendable, Hashable {
    /// The AD type (Assigned Numbers, 2.3).
    public var type: UInt8
    /// The data after the type.
    public var data: Bytes

    /// A structure of the given type and data.
    public init(type: UInt8, data: Bytes) {
        self.type = type
        self.data = data
    }
}

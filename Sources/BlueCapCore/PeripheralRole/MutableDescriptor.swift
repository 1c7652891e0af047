// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A descriptor of a characteristic that this program offers.
///
/// Centrals read its value, and write it if the permissions allow, without a request to the app. The Client
/// Characteristic Configuration and the Extended Properties descriptor are the platform's: do not add them.
public final class MutableDescriptor: Sendable {
    /// The UUID under which centrals find the descriptor.
    public let uuid: BluetoothUUID
    /// The operations that are allowed, and the encryption or authentication that they need.
    public let permissions: AttributePermissions
    private let bytes: Locked<Bytes?>

    /// Creates a descriptor, readable by default.
    ///
    /// - Parameters:
    ///   - uuid: The UUID under which centrals find it. Client Characteristic Configuration and Extended Properties are
    ///     the platform's.
    ///   - permissions: The operations that are allowed, and the encryption or authentication that they need.
    ///   - value: The value that centrals read at first; nil for an empty value.
    public init(uuid: BluetoothUUID, permissions: AttributePermissions = .readable, value: Bytes? = nil) {
        self.uuid = uuid
        self.permissions = permissions
        bytes = Locked(value)
    }

    /// The value; a read of a nil value returns no bytes.
    public var value: Bytes? {
        get { bytes.withLock { $0 } }
        set { bytes.withLock { $0 = newValue } }
    }

    /// Writes a central's bytes into the value.
    func commit(_ part: Bytes, at offset: Int) -> ATTError? { bytes.withLock { $0.splice(part, at: offset) } }
}

extension MutableDescriptor: Hashable {
    /// Returns a Boolean value that is true if both are the same object.
    public static func == (left: MutableDescriptor, right: MutableDescriptor) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MutableDescriptor: CustomStringConvertible {
    /// The word "descriptor" and the UUID.
    public var description: String { "descriptor \(uuid)" }
}

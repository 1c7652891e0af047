// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A descriptor of a characteristic that this program offers.
///
/// Its value is read by centrals as it is, and written by them where the permissions allow, without asking the app. The
/// Client Characteristic Configuration and the Extended Properties descriptor are the platform's: do not add them.
public final class MutableDescriptor: Sendable {
    /// The UUID under which centrals find the descriptor.
    public let uuid: BluetoothUUID
    /// The operations that are allowed, and whether they need encryption or authentication.
    public let permissions: AttributePermissions
    private let bytes: Locked<Bytes?>

    /// Creates a descriptor, readable by default.
    ///
    /// - Parameters:
    ///   - uuid: The UUID under which centrals find it. Client Characteristic Configuration and Extended Properties are
    ///     the platform's.
    ///   - permissions: The operations that are allowed, and whether they need encryption or authentication.
    ///   - value: The value that centrals read at first; nil for one without bytes.
    public init(uuid: BluetoothUUID, permissions: AttributePermissions = .readable, value: Bytes? = nil) {
        self.uuid = uuid
        self.permissions = permissions
        bytes = Locked(value)
    }

    /// The value; reads of nil give no bytes.
    public var value: Bytes? {
        get { bytes.withLock { $0 } }
        set { bytes.withLock { $0 = newValue } }
    }

    /// Puts a central's bytes into the value.
    func commit(_ part: Bytes, at offset: Int) -> ATTError? {
        bytes.withLock { $0.splice(part, at: offset) }
    }
}

extension MutableDescriptor: Hashable {
    /// Whether both are the same object.
    public static func == (left: MutableDescriptor, right: MutableDescriptor) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MutableDescriptor: CustomStringConvertible {
    /// The word "descriptor" and the UUID.
    public var description: String { "descriptor \(uuid)" }
}

// SPDX-License-Identifier: MIT

/// The name of a service, declared once for both roles.
public protocol ServiceConfigurable: Sendable {
    /// The name, for people.
    static var name: String { get }

    /// The UUID of the attribute.
    static var uuid: BluetoothUUID { get }

    /// The group in which a browser of profiles shows the service; "Miscellaneous" by default.
    static var tag: String { get }
}

extension ServiceConfigurable {
    /// The tag of services that declare none: "Miscellaneous".
    public static var tag: String { "Miscellaneous" }
}

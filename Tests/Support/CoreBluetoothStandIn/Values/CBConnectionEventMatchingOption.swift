// SPDX-License-Identifier: MIT

/// A condition of ``CBCentralManager/registerForConnectionEvents(options:)``.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let serviceUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionServiceUUIDs")
    public static let peripheralUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionPeripheralUUIDs")
}

/// Seconds since 2001, as Core Foundation names them.
public typealias CFAbsoluteTime = Double

// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension Characteristic {
    /// The old name of ``notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)``.
    @available(*, unavailable, renamed: "notifications(capacity:onDisconnect:transport:timeout:valueTimeout:)")
    public func receiveNotificationUpdates(capacity: Int = .max) {}

    /// Notifications end when their loop is left.
    @available(*, unavailable, message: "leave the loop over notifications(…)")
    public func stopNotificationUpdates() {}

    /// The old name of ``write(_:kind:timeout:)-(Bytes,_,_)``.
    @available(*, unavailable, renamed: "write(_:kind:timeout:)")
    public func write(data: Bytes, timeout: Double = .infinity) {}
}

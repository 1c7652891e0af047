// SPDX-License-Identifier: MIT

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension Peripheral {
    /// The old name of ``connect(timeout:)``.
    @available(*, unavailable, renamed: "connect(timeout:)")
    public func connect(connectionTimeout: Double, capacity: Int = .max) {}

    /// The old name of ``discoverServices(_:timeout:)``.
    @available(*, unavailable, renamed: "discoverServices(_:timeout:)")
    public func discoverAllServices(timeout: Double = .infinity) {}

    /// The old name of ``rssiUpdates(every:capacity:)``.
    @available(*, unavailable, renamed: "rssiUpdates(every:capacity:)")
    public func startPollingRSSI(period: Double = 10, capacity: Int = .max) {}

    /// Readings end when their loop is left.
    @available(*, unavailable, message: "leave the loop over rssiUpdates(every:capacity:)")
    public func stopPollingRSSI() {}
}

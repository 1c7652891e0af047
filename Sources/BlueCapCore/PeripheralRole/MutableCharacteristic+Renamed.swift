// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension MutableCharacteristic {
    /// The old name of ``writeRequests(capacity:)``.
    @available(*, unavailable, renamed: "writeRequests(capacity:)")
    public func startRespondingToWriteRequests(capacity: Int = .max) {}

    /// Write requests end when their loop is left.
    @available(*, unavailable, message: "leave the loop over writeRequests(capacity:)")
    public func stopRespondingToWriteRequests() {}

    /// The old name of ``update(_:)-(Bytes)``.
    @available(*, unavailable, renamed: "update(_:)")
    public func update(withData data: Bytes) {}
}

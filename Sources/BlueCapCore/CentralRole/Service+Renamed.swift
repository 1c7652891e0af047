// SPDX-License-Identifier: MIT

/// Names of the first BlueCap, for the compiler to say what they are called now.
extension Service {
    /// The old name of ``discoverCharacteristics(_:timeout:)``.
    @available(*, unavailable, renamed: "discoverCharacteristics(_:timeout:)")
    public func discoverAllCharacteristics(timeout: Double = .infinity) {}
}

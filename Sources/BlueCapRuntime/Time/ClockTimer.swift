// SPDX-License-Identifier: MIT

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A scheduled call that can be taken back.
public struct ClockTimer: Sendable {
    private let onCancel: @Sendable () -> Void

    /// A timer that is taken back by `onCancel`.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Takes the call back; does nothing if it was made or taken back already.
    public func cancel() { onCancel() }
}

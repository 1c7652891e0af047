// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// A scheduled call that can be cancelled.
public struct ClockTimer: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates a timer that `onCancel` cancels.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Cancels the call; does nothing if it was made or cancelled already.
    public func cancel() { onCancel() }
}

// SPDX-License-Identifier: MIT

/// A subscription of a shell: ends its loop, and is distinct from a later one to the same characteristic.
final class ShellSubscription: Sendable {
    private let ends: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (ends, continuation) = AsyncStream.makeStream(of: Void.self) }

    /// Ends it.
    func end() { continuation.finish() }

    /// Returns once it was ended, or the task is cancelled.
    func wait() async { for await _ in ends {} }
}

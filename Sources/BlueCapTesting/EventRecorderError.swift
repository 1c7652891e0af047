// SPDX-License-Identifier: MIT

/// The reason for which an ``EventRecorder`` stopped waiting.
public enum EventRecorderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sequence ended after so many elements, and none of them was the one waited for.
    case ended(count: Int)
    /// The deadline passed after so many elements.
    case deadlinePassed(Duration, count: Int)

    /// A sentence that describes the error.
    public var description: String {
        switch self {
        case .ended(let count): "the sequence ended after \(count) elements without the one waited for"
        case .deadlinePassed(let deadline, let count): "\(count) elements within \(deadline), none the one waited for"
        }
    }
}

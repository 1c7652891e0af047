// SPDX-License-Identifier: MIT

/// A service or an advertisement that is not offered any more, although the app did not end it.
public struct RegistrationFailure: Sendable, CustomStringConvertible {
    /// A service or an advertisement, as the app offered it.
    public enum Subject: Sendable, Hashable {
        /// A service. In a failure it is one that could not be added again after the platform had forgotten it; its
        /// characteristics keep their values, and it can be added again.
        case service(MutableService)
        /// An advertisement. In a failure it is one that could not be put on the air again, or that the platform took
        /// down.
        case advertisement(Advertisement)
    }

    /// The service or the advertisement that is not offered any more.
    public let subject: Subject
    /// The error with which the platform ended it, or refused to take it again.
    public let error: PeripheralManagerError

    /// The subject and the reason.
    public var description: String {
        switch subject {
        case .service(let service): "\(service) is not offered any more: \(error)"
        case .advertisement: "the advertisement is not on the air any more: \(error)"
        }
    }
}

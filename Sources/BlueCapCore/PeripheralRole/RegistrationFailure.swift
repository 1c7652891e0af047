// SPDX-License-Identifier: MIT

/// A service or an advertisement that is not offered any more, although the app did not end it.
public struct RegistrationFailure: Sendable, CustomStringConvertible {
    /// The service or the advertisement that is not offered any more.
    public enum Subject: Sendable, Hashable {
        /// A service that could not be added again after the platform had forgotten it. Its characteristics keep their
        /// values; it can be added again.
        case service(MutableService)
        /// An advertisement that could not be put on the air again, or that the platform took down.
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

    /// The same, for the log.
    var logText: LogText {
        switch subject {
        case .service(let service): "service \(service.uuid) is not offered any more: \(error)"
        case .advertisement: "the advertisement is not on the air any more: \(error)"
        }
    }
}

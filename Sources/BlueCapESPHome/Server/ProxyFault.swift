// SPDX-License-Identifier: MIT

/// The reason why a proxy ends the connection of a client.
package enum ProxyFault: String, Error, Hashable, Sendable, CaseIterable {
    /// It speaks in clear text, and the proxy has a key.
    case clearText
    /// It encrypts, and the proxy has no key.
    case encrypted
    /// Its key is another one.
    case wrongKey
    /// Its bytes are no frames, or no messages.
    case malformed
    /// A frame of it is too long.
    case tooLong
    /// It asked for something before it said hello.
    case notGreeted
    /// It said nothing for too long.
    case silent
    /// It does not read: too many bytes wait for it.
    case tooSlow
    /// There are too many connections, and it has not said hello.
    case tooMany

    init(_ error: WireError, hasKey: Bool) {
        switch error {
        case .badIndicator(Frame.clearIndicator): self = hasKey ? .clearText : .malformed
        case .badIndicator(Frame.sealedIndicator): self = hasKey ? .malformed : .encrypted
        case .badIndicator, .malformed: self = .malformed
        case .tooLong: self = .tooLong
        case .undecipherable: self = .wrongKey
        }
    }
}

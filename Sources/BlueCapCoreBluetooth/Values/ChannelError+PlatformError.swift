// SPDX-License-Identifier: MIT

import BlueCapCore

extension ChannelError {
    /// The reason why a channel was not opened, or a PSM was not published; nil where CoreBluetooth gave neither a
    /// channel nor an error.
    ///
    /// L7: an error of CoreBluetooth does not tell the result code of the peer.
    init(opening error: PlatformError?) {
        guard let error else {
            self = .backend(
                BackendFailure(
                    name: "CoreBluetooth.noChannel", message: "CoreBluetooth gave neither a channel nor an error",
                    advice: "open it again", isTransient: true))
            return
        }
        self = error.channelRefusal.map { .refused($0) } ?? Self(stream: error)
    }

    /// The reason why a stream of a channel failed; nil where the stream had no error.
    init(stream error: PlatformError?) {
        guard let error else {
            self = .backend(
                BackendFailure(
                    name: "CoreBluetooth.stream", message: "a stream of the channel failed without an error",
                    advice: "open the channel again", isTransient: true))
            return
        }
        switch error.operationFailure {
        case .disconnected: self = .disconnected
        case .backend(let failure): self = .backend(failure)
        default: self = .backend(error.failure)
        }
    }
}

extension PlatformError {
    /// The result that an error of the security of a link stands for.
    fileprivate var channelRefusal: ChannelRefusal? {
        guard case .att(let error) = operationFailure else { return nil }
        return switch error {
        case .insufficientAuthentication: .insufficientAuthentication
        case .insufficientAuthorization: .insufficientAuthorization
        case .insufficientEncryptionKeySize: .encryptionKeyTooShort
        case .insufficientEncryption: .insufficientEncryption
        default: nil
        }
    }
}

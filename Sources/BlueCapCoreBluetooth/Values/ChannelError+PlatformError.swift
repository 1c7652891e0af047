// SPDX-License-Identifier: MIT

import BlueCapCore

extension ChannelError {
    /// The reason why a channel was not opened; nil where CoreBluetooth gave neither a channel nor an error.
    ///
    /// L7: no error tells the result code of the peer. The unknown one is taken for its refusal.
    init(opening error: PlatformError?) {
        guard let error else {
            self = .backend(
                BackendFailure(
                    name: "CoreBluetooth.noChannel", message: "CoreBluetooth gave neither a channel nor an error",
                    advice: "open it again", isTransient: true))
            return
        }
        let isRefusal = error.domain == .bluetooth && error.code == 0
        self = isRefusal ? .refused(nil) : error.channelRefusal.map { .refused($0) } ?? Self(stream: error)
    }

    /// The reason why a stream of a channel failed, or a PSM was not published; nil where there was no error.
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

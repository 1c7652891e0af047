// SPDX-License-Identifier: MIT

#if Crypto
/// The reason why a frame of BTHome is not decrypted or not encrypted.
public enum BTHomeError: Error, Hashable, Sendable {
    /// The frame to decrypt is clear: its sender needed no key.
    case notEncrypted
    /// The frame to encrypt is encrypted.
    case encrypted
    /// Bytes of the address, of the counter or of the tag are missing.
    case incomplete
    /// The device's address is neither in the frame nor its identifier, which on Apple's platforms is a UUID.
    case addressUnknown
    /// The frame was encrypted with another key or for another address, or it was changed on its way.
    case notAuthentic
    /// The counter is that of the newest frame: a sensor sends each frame several times.
    case repeated(counter: UInt32)
    /// The counter is smaller than that of the newest frame, or that of an earlier one, as it is in a frame that was
    /// recorded and sent again.
    case replayed(counter: UInt32, newest: UInt32)
    /// All counters are used: with a counter of an earlier frame both frames could be read without the key.
    case countersExhausted
    /// The frame is longer than any advertisement.
    case tooLong
}

extension BTHomeError: CustomStringConvertible {
    /// The reason in words, with the numbers of the counters.
    public var description: String {
        switch self {
        case .notEncrypted: "the frame is not encrypted"
        case .encrypted: "the frame is encrypted already"
        case .incomplete: "the frame is incomplete"
        case .addressUnknown: "the address of the device is not known"
        case .notAuthentic: "the frame does not belong to this key and address"
        case .repeated(let counter): "the frame with the counter \(counter) was read before"
        case .replayed(let counter, let newest): "the counter \(counter) is older than \(newest), the newest"
        case .countersExhausted: "all counters of the key are used"
        case .tooLong: "the frame is too long"
        }
    }
}
#endif

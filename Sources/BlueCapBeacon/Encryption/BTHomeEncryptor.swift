// SPDX-License-Identifier: MIT

#if Crypto
public import BlueCapCore
import BlueCapSerDe

/// Encrypts the frames of one sensor, each with a counter of its own.
///
/// A copy goes on from the same counter, so that only one of both may encrypt.
public struct BTHomeEncryptor: Sendable {
    /// The counter of the next frame.
    ///
    /// No two frames of a key may have the same: a receiver of both could then read them without the key. Receivers
    /// refuse smaller ones, too. A sensor therefore keeps this number over its restarts.
    public private(set) var counter: UInt32

    private let key: BTHomeKey
    private let device: PeerIdentifier
    private let sendsAddress: Bool

    /// Creates the encryption of a device's frames.
    ///
    /// - Parameters:
    ///   - key: The bind key, which receivers have, too.
    ///   - device: The address under which the device is received: `PeerIdentifier("54:48:E6:8F:80:A5")`.
    ///   - counter: The counter of the first frame, larger than that of any earlier frame of this key.
    ///   - sendsAddress: Whether the frames have the address, which takes six bytes. Receivers need it of a device that
    ///     is received under another one, such as a private address that changes.
    public init(key: BTHomeKey, device: PeerIdentifier, counter: UInt32, sendsAddress: Bool = false) {
        (self.key, self.device, self.counter, self.sendsAddress) = (key, device, counter, sendsAddress)
    }

    /// Encrypts a frame, and counts on.
    ///
    /// - Parameter frame: A clear frame. An address that it has is sent, and takes the place of the device's.
    /// - Throws: `.encrypted`, `.addressUnknown`, `.incomplete` for a frame that was received with half an address,
    ///   `.countersExhausted` and `.tooLong`. The counter is then as before.
    public mutating func encrypt(_ frame: BTHome) throws(BTHomeError) -> BTHome {
        guard !frame.isEncrypted else { throw .encrypted }
        guard !frame.isCut else { throw .incomplete }
        guard let address = frame.address ?? device.address else { throw .addressUnknown }
        guard counter < .max else { throw .countersExhausted }
        let information = frame.information | BTHome.encryption | (sendsAddress ? BTHome.addressed : 0)
        let sent = information & BTHome.addressed == 0 ? nil : address
        guard let body = key.seal(frame.body, information: information, address: address, counter: counter) else {
            throw .tooLong
        }
        counter += 1
        return BTHome(information: information, address: sent, body: body)
    }
}
#endif

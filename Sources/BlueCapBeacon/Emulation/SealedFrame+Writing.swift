// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension SensorFormat {
    /// A frame that data cannot describe, encrypted where there is a key.
    ///
    /// - Returns: The frame, and how it is read, with the key.
    func frame(
        _ writer: Writer, _ values: [String: SensorSetting], counter: UInt64, address: Bytes?, key: Bytes?
    ) throws(SensorFrameError) -> (frame: Bytes, reading: SensorReading) {
        let draft = try writer.draft(values, counter, address, key != nil)
        guard let reading = reading(of: draft.frame, name: nil) else {
            throw SensorFrameError(part: .values, reason: "no frame of '\(name)' has these values together")
        }
        guard let sealed = reading.sealed else { return (draft.frame, reading) }
        guard let key else {
            throw SensorFrameError(part: .key, reason: "a frame of '\(name)' is encrypted: it needs a 'key'")
        }
        // As much as will be encrypted is clear.
        guard let clear = sealed.clear(sealed.parts.body) else {
            throw SensorFrameError(part: .values, reason: "no frame of '\(name)' has these values together")
        }
        let address = try SensorFrameError.needed(address, by: name)
        let (body, tag) = try sealed.sealed(key, address: address)
        let head = Bytes(draft.frame.prefix(draft.body.lowerBound))
        let rest = Bytes(draft.frame[draft.body.upperBound..<draft.frame.count - tag.count])
        return (head + body + rest + tag, clear)
    }
}

extension SensorFrameError {
    /// The address, which is a part of the encryption.
    fileprivate static func needed(_ address: Bytes?, by format: String) throws(SensorFrameError) -> Bytes {
        if let address { return address }
        throw SensorFrameError(
            part: .address, reason: "an encrypted frame of '\(format)' needs the 'address' of its sender")
    }

    #if Crypto
    fileprivate static func key(_ bytes: Bytes) throws(SensorFrameError) -> BTHomeKey {
        if let key = BTHomeKey(bytes) { return key }
        throw SensorFrameError(part: .key, reason: "a key has 32 digits, or 24 of an older device")
    }
    #else
    fileprivate static let untraited = SensorFrameError(
        part: .key, reason: "this program was built without the trait Crypto, which encrypts frames")
    #endif
}

extension SealedFrame {
    /// The body, which is still clear, encrypted, and the tag.
    fileprivate func sealed(_ key: Bytes, address: Bytes) throws(SensorFrameError) -> (body: Bytes, tag: Bytes) {
        #if Crypto
        guard let sealed = try SensorFrameError.key(key).seal(self, address: address) else {
            throw SensorFrameError(part: .key, reason: "the format has another form of key")
        }
        return (Bytes(sealed.prefix(parts.body.count)), Bytes(sealed.dropFirst(parts.body.count)))
        #else
        throw SensorFrameError.untraited
        #endif
    }
}

extension BTHome {
    /// The frame, encrypted.
    func sealed(_ key: Bytes, counter: UInt64, address: Bytes?) throws(SensorFrameError) -> BTHome {
        let address = try SensorFrameError.needed(address, by: SensorFrame.btHome)
        #if Crypto
        let device = PeerIdentifier(address.map { Bytes([$0]).hex }.joined(separator: ":"))
        var encryptor = BTHomeEncryptor(
            key: try SensorFrameError.key(key), device: device, counter: UInt32(truncatingIfNeeded: counter))
        do throws(BTHomeError) { return try encryptor.encrypt(self) } catch {
            throw SensorFrameError(part: .values, reason: "\(error)")
        }
        #else
        throw SensorFrameError.untraited
        #endif
    }
}

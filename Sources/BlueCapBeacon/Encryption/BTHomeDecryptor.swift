// SPDX-License-Identifier: MIT

#if Crypto
public import BlueCapCore
import BlueCapSerDe

/// Reads the encrypted frames of one sensor, each once.
///
/// It keeps the counter of the newest frame, and so refuses a frame that was recorded and is sent again.
public struct BTHomeDecryptor: Sendable {
    /// The counter of the newest frame that was read.
    ///
    /// A receiver that keeps it over a restart of its own, and gives it to the next decryptor, refuses frames of
    /// before. A sensor that begins to count anew, with new batteries for example, is read again after nil is assigned.
    public var newestCounter: UInt32?

    /// The counters of the last frames of formats that have 256 of them.
    var counters = RecentCounters()
    let key: BTHomeKey
    let device: PeerIdentifier

    /// Creates a reader of the frames of a device.
    ///
    /// - Parameters:
    ///   - key: The bind key of the sensor.
    ///   - device: The device, as a scan reports it. Its address is part of the encryption, unless the frames have one.
    ///   - newestCounter: The counter of the newest frame that was read before; nil to begin with any.
    public init(key: BTHomeKey, device: PeerIdentifier, newestCounter: UInt32? = nil) {
        (self.key, self.device, self.newestCounter) = (key, device, newestCounter)
    }

    /// Decrypts a frame, which is then clear and has its objects.
    ///
    /// - Parameter frame: The frame as it was received.
    /// - Throws: `.notEncrypted`, `.incomplete`, `.addressUnknown`, `.repeated` and `.replayed` for the counter, and
    ///   `.notAuthentic`. The newest counter is then as before.
    public mutating func decrypt(_ frame: BTHome) throws(BTHomeError) -> BTHome {
        guard frame.isEncrypted else { throw .notEncrypted }
        guard !frame.isCut, let counter = BTHomeKey.counter(in: frame.unread) else { throw .incomplete }
        guard let address = frame.address ?? device.address else { throw .addressUnknown }
        try check(counter)
        guard
            let body = key.open(
                frame.unread, information: frame.information, address: address, counter: counter)
        else { throw .notAuthentic }
        newestCounter = counter
        return BTHome(information: frame.information & ~BTHome.encryption, address: frame.address, body: body)
    }

    /// Throws where a counter is not greater than the newest.
    func check(_ counter: UInt32) throws(BTHomeError) {
        guard let newest = newestCounter, counter <= newest else { return }
        throw counter == newest ? .repeated(counter: counter) : .replayed(counter: counter, newest: newest)
    }
}
#endif

// SPDX-License-Identifier: MIT

#if Crypto
public import BlueCapCore
import BlueCapSerDe

extension BTHomeDecryptor {
    /// Decrypts the frame of another format than BTHome in an advertisement, also of a format that only the key tells.
    ///
    /// - Parameters:
    ///   - advertisements: The advertisement of a discovery.
    ///   - formats: The formats that are known.
    /// - Returns: The reading; nil where no frame may be an encrypted one.
    /// - Throws: The errors of the decryption of a reading.
    public mutating func decrypt(
        _ advertisements: PeripheralAdvertisements, formats: SensorFormats = .shipped
    ) throws(BTHomeError) -> SensorReading? {
        let readings = formats.readings(in: advertisements, name: advertisements.localName, hasKey: true)
        return if let sealed = readings.first(where: \.isEncrypted) { try decrypt(sealed) } else { nil }
    }

    /// Decrypts a reading of another format than BTHome, which then has its values and events.
    ///
    /// A device whose frames have a counter that only grows is read as one of BTHome is. Others have 256 counters, so
    /// that a new frame may be the same as a recorded one. A frame with events is refused as replayed if it was read
    /// and is among the last 128 that the device has sent. Values are refused only where they are of the frame that was
    /// read last: a device that was away for some time would be refused as well.
    ///
    /// - Parameter reading: The reading as it was received.
    /// - Throws: `.notEncrypted`, `.addressUnknown`, `.repeated` and `.replayed` for the counter, and `.notAuthentic`.
    ///   The newest counter is then as before.
    public mutating func decrypt(_ reading: SensorReading) throws(BTHomeError) -> SensorReading {
        try decrypt(reading, isThere: false)
    }

    /// Decrypts a reading.
    ///
    /// - Parameter isThere: Whether the device was heard so short a time ago that it has not sent 128 frames since.
    ///   Values are then refused as events are.
    package mutating func decrypt(_ reading: SensorReading, isThere: Bool) throws(BTHomeError) -> SensorReading {
        guard let sealed = reading.sealed else { throw .notEncrypted }
        guard let address = reading.address ?? device.address else { throw .addressUnknown }
        let (counter, isOrdered) = (sealed.parts.counter, sealed.parts.isOrdered)
        if isOrdered {
            try check(counter)
        } else if counter == counters.newest {
            throw .repeated(counter: counter)
        }
        guard let clear = key.open(sealed, address: address).flatMap(sealed.clear) else { throw .notAuthentic }
        if isOrdered {
            newestCounter = counter
        } else {
            if isThere || !clear.events.isEmpty, let newest = counters.newest, counters.contains(counter) {
                throw .replayed(counter: counter, newest: newest)
            }
            counters.append(counter)
        }
        return clear
    }
}
#endif

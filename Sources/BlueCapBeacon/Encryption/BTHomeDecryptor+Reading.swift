// SPDX-License-Identifier: MIT

#if Crypto
import BlueCapCore
import BlueCapSerDe

extension BTHomeDecryptor {
    /// Decrypts a reading of another format than BTHome, which then has its values and events.
    ///
    /// A device whose frames have a counter that only grows is read as one of BTHome is. Of other devices, only the
    /// frame that was read last is known again, and a recorded one of before is not: the counter of one byte begins
    /// anew too often.
    ///
    /// - Parameter reading: The reading as it was received.
    /// - Throws: `.notEncrypted`, `.addressUnknown`, `.repeated` and `.replayed` for the counter, and `.notAuthentic`.
    ///   The newest counter is then as before.
    public mutating func decrypt(_ reading: SensorReading) throws(BTHomeError) -> SensorReading {
        guard let sealed = reading.sealed else { throw .notEncrypted }
        guard let address = reading.address ?? device.address else { throw .addressUnknown }
        let (counter, isOrdered) = (sealed.parts.counter, sealed.parts.isOrdered)
        if isOrdered {
            try check(counter)
        } else if counter == lastCounter {
            throw .repeated(counter: counter)
        }
        guard let clear = key.open(sealed, address: address).flatMap(sealed.clear) else { throw .notAuthentic }
        if isOrdered { newestCounter = counter } else { lastCounter = counter }
        return clear
    }
}
#endif

// SPDX-License-Identifier: MIT

package import BlueCapSerDe

/// Writes the fields of a journal: numbers little-endian, texts, bytes and lists behind their count.
package struct JournalEncoder {
    package var bytes: [UInt8] = []

    package init() {}

    package mutating func put(_ number: some FixedWidthInteger & BitwiseCopyable) {
        bytes.append(number, .littleEndian)
    }

    package mutating func put(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

    package mutating func put(_ text: String) { put(Bytes(Array(text.utf8))) }

    package mutating func put(_ value: Bytes) {
        put(UInt32(truncatingIfNeeded: value.count))
        bytes += value
    }

    /// Always as 128 bits.
    package mutating func put(_ uuid: BluetoothUUID) { bytes += uuid.fullLittleEndianBytes }

    /// In nanoseconds, up to 292 years.
    package mutating func put(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        put(isTooLong || overflow ? seconds < 0 ? 0 : Int64.max : max(sum, 0))
    }

    package mutating func put(_ value: some JournalCodable) { value.encode(into: &self) }

    package mutating func put<Value>(_ value: Value?, _ encode: (inout JournalEncoder, Value) -> Void) {
        put(value != nil)
        if let value { encode(&self, value) }
    }

    package mutating func put<Value>(_ list: [Value], _ encode: (inout JournalEncoder, Value) -> Void) {
        put(UInt32(truncatingIfNeeded: list.count))
        for value in list { encode(&self, value) }
    }
}

/// Something that journals hold.
package protocol JournalCodable {
    func encode(into encoder: inout JournalEncoder)
    init(from decoder: inout JournalDecoder) throws(JournalFailure)
}

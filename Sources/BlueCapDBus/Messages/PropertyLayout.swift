// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// The places of the parts of a `PropertiesChanged` with one property, and the content of all parts but the value and
/// its lengths.
struct PropertyLayout {
    /// The family of the headers, by which the bodies begin at the same place.
    private let family: UInt64
    private let bodyStart: Int
    /// Where the length of the array of properties stands, and where the first begins.
    private let lengthStart: Int
    private let propertyStart: Int
    /// Where a number stands, or the length of bytes.
    private let valueStart: Int
    /// How many bytes a number has; nil for bytes.
    private let size: Int?
    /// The body up to the value.
    private let prefix: [UInt8]

    /// Nil for a value that is neither bytes nor a number of which any bits are one.
    ///
    /// - Parameters:
    ///   - family: The family of the header's shape.
    ///   - start: Where the body begins.
    ///   - interface: Where the name of the interface stands.
    ///   - signature: Where the signature of the property stands.
    ///   - bytes: The bytes of the message.
    init?(family: UInt64, start: Int, interface: Range<Int>, signature: Range<Int>, in bytes: Span<UInt8>) {
        let code = bytes.extracting(signature)
        if code.isEqual(to: "ay") {
            size = nil
        } else {
            guard code.count == 1, Signature.size(of: code[0]) > 0 else { return nil }
            size = Signature.size(of: code[0])
        }
        self.family = family
        bodyStart = start
        // Behind the texts stand their NULs.
        lengthStart = (interface.upperBound + 1 + 3) & ~3
        propertyStart = (lengthStart + 4 + 7) & ~7
        let alignment = size ?? 4
        valueStart = (signature.upperBound + 1 + alignment - 1) & ~(alignment - 1)
        prefix = unsafe bytes.extracting(start..<valueStart).withUnsafeBytes { unsafe Array($0) }
    }

    /// Where the value ends in a message of this layout; nil for one of another, and for one that breaks D-Bus's rules.
    func valueEnd(in frame: Frame) -> Int? {
        guard frame.shape?.family == family, frame.header.bodyStart == bodyStart, frame.place.count >= valueStart + 4
        else { return nil }
        let bytes = frame.bytes.span.extracting(frame.place)
        let isSwapped = frame.header.isSwapped
        guard isEqual(bytes, bodyStart..<lengthStart), isEqual(bytes, lengthStart + 4..<valueStart) else { return nil }
        let end = valueStart + (size ?? 4 + bytes.length(at: valueStart, isSwapped: isSwapped))
        guard end - propertyStart <= FramePrefix.maximumArrayLength else { return nil }
        // The array of the names without a value, which is empty.
        let rest = (end + 3) & ~3
        guard rest + 4 == bytes.count, bytes.length(at: lengthStart, isSwapped: isSwapped) == end - propertyStart,
            bytes.number(at: rest, isSwapped: isSwapped) == 0
        else { return nil }
        for padding in end..<rest where bytes[padding] != 0 { return nil }
        return end
    }

    private func isEqual(_ bytes: Span<UInt8>, _ place: Range<Int>) -> Bool {
        let own = place.lowerBound - bodyStart..<place.upperBound - bodyStart
        return bytes.extracting(place).isEqual(to: prefix.span.extracting(own))
    }
}
#endif

// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A web address in an Eddystone frame: usual beginnings and endings of hosts are one byte each, so that the rest fits
/// into 17 bytes.
public struct EddystoneURL: ByteDecodable, ByteEncodable, Hashable, CustomStringConvertible {
    /// The whole address.
    public let text: String
    private let encoded: Bytes

    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let endings = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/",
        ".com", ".org", ".edu", ".net", ".info", ".biz", ".gov",
    ]

    /// Creates an address from its text; nil if it begins with neither http:// nor https://, has characters that have
    /// to be escaped, or is longer than 18 bytes when shortened.
    public init?(_ text: String) {
        guard let scheme = Self.schemes.firstIndex(where: { text.hasPrefix($0) }) else { return nil }
        var bytes = [UInt8(scheme)]
        var rest = text.utf8.dropFirst(Self.schemes[scheme].utf8.count)
        while let byte = rest.first {
            if let ending = Self.endings.firstIndex(where: { rest.starts(with: $0.utf8) }) {
                bytes.append(UInt8(ending))
                rest = rest.dropFirst(Self.endings[ending].utf8.count)
            } else {
                guard (0x21...0x7E).contains(byte) else { return nil }
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        guard bytes.count <= 18 else { return nil }
        self.text = text
        encoded = Bytes(bytes)
    }

    /// Reads all remaining bytes as an address, also one that is longer than the specification allows; throws
    /// `SerDeError.invalidValue(offset:)` at a byte without a meaning.
    public init(from reader: inout ByteReader) throws(SerDeError) {
        let start = reader.offset
        let bytes = try reader.readBytes(reader.remaining)
        guard let scheme = bytes.first, Int(scheme) < Self.schemes.count else { throw .invalidValue(offset: start) }
        var text = Self.schemes[Int(scheme)]
        for (index, byte) in bytes.enumerated().dropFirst() {
            if Int(byte) < Self.endings.count {
                text += Self.endings[Int(byte)]
            } else if (0x21...0x7E).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                throw .invalidValue(offset: start + index)
            }
        }
        self.text = text
        encoded = bytes
    }

    /// The bytes of the shortened address; at most 18, except for a longer one that was read.
    public var encodedByteCount: Int { encoded.count }

    public func encode(into output: inout OutputRawSpan) { output.write(encoded) }

    /// The whole address.
    public var description: String { text }
}

// SPDX-License-Identifier: MIT

import BlueCapSerDe
public import Foundation

/// A UUID of 16, 32 or 128 bits; equal to another of the same identity, whatever their forms are.
///
/// `@unchecked Sendable` is left out on purpose: Apple's is not Sendable either.
public final class CBUUID: NSObject, NSCopying {
    let identity: BluetoothUUID
    /// The bytes, the most significant first: 2, 4 or 16 of them.
    public let data: Data

    /// A UUID from its text. Another text raises an exception at Apple's (language rule 5).
    public init(string theString: String) {
        guard let identity = try? BluetoothUUID(text: theString) else {
            preconditionFailure("CBUUID: \"\(theString)\" is no UUID of 16, 32 or 128 bits")
        }
        self.identity = identity
        data =
            switch theString.utf8.count {
            case 4, 8: Data(identity.littleEndianBytes.reversed())
            default: Data(identity.fullLittleEndianBytes.reversed())
            }
    }

    /// A UUID from its bytes, the most significant first. Another number of bytes raises an exception at Apple's.
    public init(data theData: Data) {
        guard [2, 4, 16].contains(theData.count),
            let identity = try? BluetoothUUID(littleEndianBytes: Array(theData.reversed()))
        else { preconditionFailure("CBUUID: data of \(theData.count) bytes are no UUID") }
        self.identity = identity
        data = theData
    }

    /// A UUID of 128 bits.
    public convenience init(nsuuid theUUID: UUID) { self.init(string: theUUID.uuidString) }

    init(_ identity: BluetoothUUID) {
        self.identity = identity
        data = Data(identity.littleEndianBytes.reversed())
    }

    /// The text in the form that the bytes have.
    public var uuidString: String {
        let digits = data.map { byte in
            let text = String(byte, radix: 16, uppercase: true)
            return text.count == 1 ? "0" + text : text
        }
        guard digits.count == 16 else { return digits.joined() }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.identity == identity }

    public override var hash: Int { identity.hashValue }

    public override var description: String { uuidString }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// A value that an emulated characteristic is given: `"battery level=50"`.
struct SetArgument: ExpressibleByArgument, Sendable {
    var name: String
    /// The value, as ``TypedValue`` reads it.
    var value: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        (name, value) = (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    /// No value is longer (Core Specification, Vol 3, Part F, 3.2.9).
    private static let maximumByteCount = 512

    /// The bytes for a characteristic: those that ``TypedValue`` reads, or a lone decimal number for the value's first
    /// number.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the accepted values.
    func bytes(for characteristic: MutableCharacteristic) throws(CommandFailure) -> Bytes {
        // `Double` takes hexadecimal digits and exponents, too, which are bytes here.
        if value.allSatisfy({ "0123456789+-.".contains($0) }), let number = Double(value),
            let moved = MovedValue(characteristic, part: nil),
            let bytes = moved.bytes(for: number)
        {
            return bytes
        }
        let bytes = try TypedValue(text: value, isEmulated: true).bytes(
            for: characteristic.offeredProfile, like: characteristic.value)
        if bytes.count > Self.maximumByteCount {
            throw CommandFailure(
                .usage,
                "\(characteristic.offeredName) has at most \(Self.maximumByteCount) bytes, and this has \(bytes.count)")
        }
        return bytes
    }
}

// SPDX-License-Identifier: MIT

extension Array where Element == UInt8 {
    /// Appends an integer, for files and frames whose size is not known before they are written; where it is,
    /// `OutputRawSpan` needs no array that grows.
    ///
    /// - Parameters:
    ///   - value: The integer to append.
    ///   - order: The order of its bytes.
    package mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, _ order: ByteOrder) {
        // SAFETY: an integer has no padding, so all of its bytes are initialised.
        unsafe Swift.withUnsafeBytes(of: order == .littleEndian ? value.littleEndian : value.bigEndian) {
            unsafe append(contentsOf: $0)
        }
    }
}

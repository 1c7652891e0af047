#if BlueZ && os(Linux)
import Glibc

extension Span<UInt8> {
    /// Whether both hold the same bytes.
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { bytes in
            unsafe other.withUnsafeBytes { others in
                guard let first = bytes.baseAddress, let second = others.baseAddress else { return true }
                return unsafe memcmp(first, second, bytes.count) == 0
            }
        }
    }
}
#endif

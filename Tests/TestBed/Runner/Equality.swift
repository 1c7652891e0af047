// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapTesting

/// Fails where a value is not as expected.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, _ name: String) throws {
    if value == expected { return }
    let (found, wanted) = ("\(value)".prefix(200), "\(expected)".prefix(200))
    throw ConformanceFailure("\(name): \(found), where \(wanted) was expected")
}
#endif

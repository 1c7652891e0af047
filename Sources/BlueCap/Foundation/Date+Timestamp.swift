// SPDX-License-Identifier: MIT

public import BlueCapCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#elseif canImport(Foundation)
public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
extension Date {
    /// Creates the moment of a timestamp, as precise as a `Date` is: about a tenth of a microsecond today.
    public init(_ timestamp: Timestamp) {
        let (seconds, attoseconds) = timestamp.sinceEpoch.components
        self.init(timeIntervalSince1970: Double(seconds) + Double(attoseconds) * 1e-18)
    }
}
#endif

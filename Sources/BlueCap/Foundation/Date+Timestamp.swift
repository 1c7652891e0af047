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
    ///
    /// It is the first such moment that is not earlier, since texts of dates are cut to the millisecond.
    public init(_ timestamp: Timestamp) {
        let (seconds, attoseconds) = timestamp.sinceEpoch.components
        let whole = Double(seconds) - Self.timeIntervalBetween1970AndReferenceDate
        var interval = whole + Double(attoseconds) * 1e-18
        // The difference of such near numbers is exact.
        if interval - whole < Double(attoseconds) * 1e-18 { interval = interval.nextUp }
        self.init(timeIntervalSinceReferenceDate: interval)
    }
}
#endif

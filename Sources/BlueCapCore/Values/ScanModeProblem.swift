// SPDX-License-Identifier: MIT

/// The reason why no radio can scan in a mode.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum ScanModeProblem: Sendable, Hashable {
    /// A passive scan has no patterns, or more than ``ScanMode/maximumPatternCount``.
    case patternCount
    /// A pattern has no content, or reaches beyond 31 bytes.
    case patternLength
    /// A signal strength is out of range, or the high one is below the low one.
    case signalStrength
    /// A time of a signal strength is none of 1 to 300 whole seconds.
    case signalTime
    /// A sampling period is none of 0 to 25.4 s in tenths of a second.
    case samplingPeriod

    var text: String {
        switch self {
        case .patternCount: "a passive scan has 1 to \(ScanMode.maximumPatternCount) patterns"
        case .patternLength: "a pattern has 1 to \(AdvertisingPattern.reach) bytes, which end there"
        case .signalStrength: "signal strengths are from -127 to 20 dBm, and the high one is not below the low one"
        case .signalTime: "the times of signal strengths are whole seconds from 1 to 300"
        case .samplingPeriod: "a sampling period is from 0 to 25.4 s, in tenths of a second"
        }
    }
}

extension ScanMode {
    /// The reason why no radio can scan in this mode; nil for none.
    var problem: ScanModeProblem? {
        guard case .passive(let patterns, let signal) = self else { return nil }
        if !(1...Self.maximumPatternCount).contains(patterns.count) { return .patternCount }
        if !patterns.allSatisfy(\.isInBounds) { return .patternLength }
        return signal?.problem
    }
}

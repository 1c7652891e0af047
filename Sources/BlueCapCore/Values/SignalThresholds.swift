// SPDX-License-Identifier: MIT

/// The signal strengths from which on a passive scan takes a peripheral for found and for lost.
///
/// A peripheral is found once its signal has been stronger than ``high`` for ``highTime``, and lost once it has been
/// weaker than ``low``, or was not heard, for ``lowTime``. BlueZ counts whole seconds: it may find one up to a second
/// sooner.
public struct SignalThresholds: Sendable, Hashable {
    /// The strength in dBm, from -127 to 20, above which a peripheral is near.
    public var high: Int
    /// The time for which it has to be, 1 to 300 whole seconds.
    public var highTime: Duration
    /// The strength in dBm, from -127 to ``high``, below which a peripheral is far.
    public var low: Int
    /// The time for which it has to be, 1 to 300 whole seconds.
    public var lowTime: Duration
    /// The time over which a controller that matches patterns by itself joins packets in one report, 0 to 25.4 s in
    /// tenths; nil for the platform's choice. Elsewhere it has no effect.
    public var samplingPeriod: Duration?

    /// Creates thresholds. ``CentralManager/scan(for:options:timeout:capacity:)`` looks at their bounds.
    ///
    /// - Parameters:
    ///   - high: The strength in dBm above which a peripheral is near.
    ///   - highTime: The time for which it has to be, in whole seconds.
    ///   - low: The strength in dBm below which a peripheral is far.
    ///   - lowTime: The time for which it has to be, in whole seconds.
    ///   - samplingPeriod: The time over which a controller joins packets, in tenths of a second.
    public init(
        high: Int, highTime: Duration = .seconds(1), low: Int, lowTime: Duration = .seconds(5),
        samplingPeriod: Duration? = nil
    ) {
        self.high = high
        self.highTime = highTime
        self.low = low
        self.lowTime = lowTime
        self.samplingPeriod = samplingPeriod
    }

    var problem: ScanModeProblem? {
        if !(-127...20).contains(low) || !(low...20).contains(high) { return .signalStrength }
        for time in [highTime, lowTime] {
            guard (.seconds(1)...(.seconds(300))).contains(time), time.components.attoseconds == 0 else {
                return .signalTime
            }
        }
        guard let samplingPeriod else { return nil }
        let isInTenths = samplingPeriod.components.attoseconds % 100_000_000_000_000_000 == 0
        return (.zero...(.milliseconds(25_400))).contains(samplingPeriod) && isInTenths ? nil : .samplingPeriod
    }
}

// SPDX-License-Identifier: MIT

#if Gateway
/// The smoothed signal strength of a device, in dBm.
///
/// It goes over about ten packets, so that noise of ±6 dB moves it by little. Three packets in a row on one side of it,
/// each farther away than noise explains, are a device that has moved: they begin a new average.
struct SignalAverage {
    private static let span = 10.0
    /// Two values of the same noise differ by less, in dB.
    private static let step = 8.0
    private static let stepCount = 3

    private(set) var value: Double
    /// How many packets there were, since the last step.
    private(set) var count = 1
    private var outliers: (sum: Double, count: Int) = (0, 0)

    /// - Parameter rssi: The strength of the first packet, in dBm.
    init(_ rssi: Int) { value = Double(rssi) }

    /// Takes the strength of a packet, in dBm.
    mutating func add(_ rssi: Int) {
        let difference = Double(rssi) - value
        if abs(difference) <= Self.step {
            outliers = (0, 0)
        } else {
            let isSameSide = outliers.count > 0 && (outliers.sum / Double(outliers.count) > value) == (difference > 0)
            outliers = isSameSide ? (outliers.sum + Double(rssi), outliers.count + 1) : (Double(rssi), 1)
            if outliers.count == Self.stepCount {
                (value, count) = (outliers.sum / Double(outliers.count), outliers.count)
                outliers = (0, 0)
                return
            }
        }
        count += 1
        value += difference / min(Double(count), Self.span)
    }
}
#endif

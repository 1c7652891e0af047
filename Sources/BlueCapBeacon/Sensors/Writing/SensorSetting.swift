// SPDX-License-Identifier: MIT

/// A value that a sensor is to send.
package enum SensorSetting: Sendable, Hashable {
    case number(Double)
    case state(Bool)
    /// One of the words of a state, or a number with its unit: `"open"`, `"160 lb"`.
    case word(String)
    case unknown

    /// The number, which is 0 or 1 of a state; nil where it is none of the kind.
    ///
    /// - Parameters:
    ///   - states: The words of a state; nil for a quantity.
    ///   - unit: The unit of a quantity.
    func number(states: (off: String, on: String)?, unit: String) -> Double? {
        switch (self, states) {
        case (.number(let number), nil): number.isFinite ? number : nil
        case (.word(let word), nil): SensorFrameWriter.number(word, unit)
        case (.state(let isOn), .some): isOn ? 1 : 0
        case (.word(let word), let states?): [states.off, states.on].firstIndex(of: word).map(Double.init)
        default: nil
        }
    }
}

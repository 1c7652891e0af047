// SPDX-License-Identifier: MIT

#if Gateway && Crypto
import BlueCapBeacon
import BlueCapGateway

@testable import BlueCapGateway

/// The values and the presses that a broker of a model shows, beside those that its sensors have sent.
struct ShownSensors {
    /// The mistakes that were seen, the first ones in words, and how much there was to look at.
    struct Findings: Sendable {
        /// Values older than shown before, values that nobody has measured, and values that stayed although there were
        /// newer ones.
        var older = 0
        var wrong = 0
        var stale = 0
        /// Presses that were published twice, not at all while nothing was lost, and without being made.
        var doubled = 0
        var lost = 0
        var invented = 0
        /// Messages of a gateway that had not been the owner for long.
        var strangers = 0
        var wrongAtEnd = 0
        var states = 0
        var presses = 0
        var faults = 0
        var examples: [String] = []
    }

    /// For so long messages of an earlier owner may be on their way.
    private static let patience = 1500

    private(set) var findings = Findings()
    private var shown: [Int: Int] = [:]
    private var owners: [Int: (name: String, since: Int)] = [:]

    mutating func fail() { findings.faults += 1 }

    /// Takes that the broker has lost all that it kept.
    mutating func forgetAll() { (shown, owners) = ([:], [:]) }

    /// Takes the end of a device's messages or claim, or another owner.
    mutating func see(owner: String?, of device: Int, at moment: Int) {
        guard let owner else { return owners[device] = nil }
        if owners[device]?.name != owner { owners[device] = (owner, moment) }
    }

    /// Takes a state that has come to the broker.
    ///
    /// - Parameter gap: A packet comes within this time after the one before.
    mutating func see(
        state: BrokerMessage, from gateway: String, of device: Int, _ sensor: FamilySensor, gap: Int, at moment: Int
    ) {
        guard !state.payload.isEmpty else { return shown[device] = nil }
        see(sender: gateway, of: device, state.text, at: moment)
        if sensor.family.isButton { return }
        findings.states += 1
        let text = state.text.split(separator: "\"temperature\":").last ?? ""
        guard let number = Int(text.prefix { $0.isNumber }), sensor.measuredAt.indices.contains(number) else {
            findings.wrong += 1
            return note("\(moment): \(sensor.family.format) \(device) shows \(state.text)")
        }
        // The next owner has heard the device, and may have missed its newest packet.
        if let old = shown[device], number < old, moment - sensor.measuredAt[old] > gap * 3 {
            findings.older += 1
            note("\(moment): \(device) shows \(number) of \(gateway) after \(old)")
        }
        shown[device] = number
    }

    /// Takes a press that has come to the broker.
    mutating func see(
        press payload: [UInt8], from gateway: String, of device: Int, _ sensor: inout FamilySensor, at moment: Int
    ) {
        see(sender: gateway, of: device, "a press", at: moment)
        findings.presses += 1
        guard let heard = PressMessage(payload: payload)?.press,
            let index = sensor.presses.lastIndex(where: {
                $0.number == heard.number && $0.action == heard.press.action
            })
        else {
            findings.invented += 1
            return note("\(moment): \(device) was not pressed: \(String(decoding: payload, as: UTF8.self))")
        }
        sensor.presses[index].count += 1
        if sensor.presses[index].count > 1 {
            findings.doubled += 1
            note("\(moment): \(gateway) publishes again the press of \(device) at \(sensor.presses[index].moment)")
        }
    }

    private mutating func see(sender: String, of device: Int, _ text: String, at moment: Int) {
        guard let owner = owners[device], owner.name != sender, moment - owner.since > Self.patience else { return }
        findings.strangers += 1
        note("\(moment): \(sender) publishes \(text) of \(device), which is \(owner.name)'s since \(owner.since)")
    }

    /// Looks at a device that is heard, while nothing is lost.
    ///
    /// - Parameter limit: A value is shown within this time.
    mutating func look(at device: Int, _ sensor: FamilySensor, limit: Int, isLast: Bool, at moment: Int) {
        if sensor.family.isButton { return }
        let next = (shown[device] ?? -1) + 1
        guard next < sensor.measuredAt.count, moment - sensor.measuredAt[next] > limit else { return }
        if isLast { findings.wrongAtEnd += 1 } else { findings.stale += 1 }
        note("\(moment): \(device) does not show \(next), which it measured at \(sensor.measuredAt[next])")
    }

    /// Looks at the presses of a time in which nothing was lost.
    mutating func look(atPressesOf device: Int, _ sensor: FamilySensor, in moments: Range<Int>) {
        for press in sensor.presses where moments.contains(press.moment) && press.count == 0 {
            findings.lost += 1
            note("the press of \(device) at \(press.moment) is lost")
        }
    }

    private mutating func note(_ text: String) {
        if findings.examples.count < 5 { findings.examples.append(text) }
    }
}
#endif

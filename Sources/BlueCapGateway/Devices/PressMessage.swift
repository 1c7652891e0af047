// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapJSON

/// The payload of a press: `{"event_type":"press","gateway":"cellar","key":"button","packet":5}`.
///
/// The gateways of a group read it, too, so that none publishes a press again that another one has published.
struct PressMessage {
    private static let maximumByteCount = 512
    private static let limits = JSONLimits(values: 16, depth: 2)
    private static let maximumNumber = 0x1p53

    var press: PressLog.Heard
    /// The name of the gateway that has published it.
    var gateway: String

    init(_ press: PressLog.Heard, by gateway: String) { (self.press, self.gateway) = (press, gateway) }

    /// Reads a payload, and ignores members of other names; nil where it is none of a press.
    init?(payload: [UInt8]) {
        guard payload.count <= Self.maximumByteCount,
            let json = try? PlacedJSON(payload, within: Self.limits, allowsDoubleKeys: true),
            case .object(let members) = json.content
        else { return nil }
        var texts: [String: String] = [:]
        var numbers: [String: Int] = [:]
        for member in members {
            if case .text(let text) = member.value.content { texts[member.key] = text }
            guard let number = member.value.number else { continue }
            guard (0...Self.maximumNumber).contains(number), let whole = Int(exactly: number) else { return nil }
            numbers[member.key] = whole
        }
        guard let action = texts["event_type"].flatMap(SensorEvent.Action.init), let gateway = texts["gateway"],
            TopicText.level(gateway) == gateway,
            let press = texts["key"].flatMap({ SensorEvent(key: $0, action, count: numbers["steps"]) })
        else { return nil }
        self.init(PressLog.Heard(press: press, number: numbers["packet"].map(UInt64.init)), by: gateway)
    }

    /// Its bytes; the name of a gateway has only characters of a level of a topic.
    var payload: [UInt8] {
        let (event, type) = (press.press, press.press.action.rawValue)
        var text = "{\"event_type\":\"\(type)\",\"gateway\":\"\(gateway)\",\"key\":\"\(event.key)\""
        if let number = press.number { text += ",\"packet\":\(number)" }
        if let steps = event.count { text += ",\"steps\":\(steps)" }
        return Array("\(text)}".utf8)
    }
}

extension GatewayPlan {
    /// The seconds for which a broker may still hand a press over.
    private static let pressExpiry: UInt32 = 5

    /// The message of a press of a device.
    func press(_ press: PressLog.Heard, _ device: String) -> BrokerMessage {
        var message = BrokerMessage(
            topic: pressTopic(device), payload: PressMessage(press, by: name).payload, expiry: Self.pressExpiry)
        message.isMomentary = true
        return message
    }
}
#endif
